"""The lake from Python, as its notebook shows it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow.compute as pc
import pytest

import evidence_assets.api
from evidence_assets.api import EvidenceLake
from evidence_assets.lake.schemas import ARTICLES
from evidence_assets.orchestration.ask_choice import Wish
from evidence_assets.orchestration.asking import prerequisites
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets.stages.execution import Run, make_partition
from evidence_assets_tests.testing.tiny_lake import SHARD, build_tiny_lake

NOTEBOOK = Path(__file__).resolve().parents[1] / "docs" / "ask.ipynb"


def notebook() -> list[dict[str, Any]]:
    """The notebook's cells."""
    read = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (read["nbformat"], read["nbformat_minor"]) == (4, 5)
    cells: list[dict[str, Any]] = read["cells"]
    return cells


def test_the_notebook_is_kept_without_outputs_and_has_an_id_a_cell() -> None:
    cells = notebook()
    assert len({cell["id"] for cell in cells}) == len(cells)
    for cell in cells:
        needed = {"cell_type", "id", "metadata", "source"}
        assert set(cell) == needed | (
            {"execution_count", "outputs"} if cell["cell_type"] == "code" else set()
        )
        assert not cell.get("outputs")
    assert NOTEBOOK.stat().st_size < 20_000


@pytest.fixture
def lake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EvidenceLake:
    """A lake that nothing was made in."""
    monkeypatch.setenv("EVIDENCE_LAKE", str(tmp_path / "lake"))
    monkeypatch.delenv("EVIDENCE_SOURCES", raising=False)
    return evidence_assets.api.open()


@pytest.mark.integration
def test_the_notebook_runs_and_shows_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LAKE", str(tmp_path))
    monkeypatch.delenv("EVIDENCE_SOURCES", raising=False)
    make(evidence_assets.api.open().workspace)
    names: dict[str, Any] = {}
    for cell in notebook():
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
    answers, trace, impact = names["answers"], names["trace"], names["impact"]
    assert answers["system"].to_list() == ["four_step_focus", "kaping"]
    assert set(answers["predicted"]) == {"Cassini"}
    assert [listed[0] for listed in answers["answers"].to_list()] == ["Cassini", "Cassini"]
    assert set(names["lake"].ask("Which missions flew to Mars?", graph="space")["answers"][0]) > {"Curiosity"}
    cited = trace.filter(pl.col("role") == "cited")
    assert cited["source_unchanged"].all()
    assert "edges.csv:line" in cited["source_record"][0]
    assert set(answers["prediction_id"]) <= set(impact["prediction_id"])
    claim = names["lake"].query("SELECT predicted FROM predictions WHERE system = 'ucret'")
    assert claim["predicted"].to_list() == ["SUPPORTS"]


def test_what_rests_on_an_article_that_was_renamed_is_told_by_its_former_name(tmp_path: Path) -> None:
    tiny = build_tiny_lake(str(tmp_path / "lake"))
    lake = evidence_assets.api.open(tiny.lake.uri)
    resting = lake.impact(tiny.articles["Liver"])
    assert resting.height
    tiny.lake.write(ARTICLES, SHARD, tiny.lake.read(ARTICLES, SHARD).filter(pc.field("title") == "Heart"))
    assert lake.impact("Liver").equals(resting)
    with pytest.raises(duckdb.InvalidInputException, match="no source Spleen in this lake"):
        lake.impact("Spleen")


@pytest.mark.parametrize("name", ["nope", "empty", "data_lak"])
def test_a_path_without_a_lake_is_refused_and_left_as_it_is(
    lake: EvidenceLake, tmp_path: Path, name: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "sources.yaml").touch()
    with pytest.raises(LookupError, match=f"there is no lake at {tmp_path}/{name}; remedy: name the folder"):
        evidence_assets.api.open(tmp_path / name)
    assert not (tmp_path / name).exists() or not list((tmp_path / name).iterdir())


def test_a_lake_is_opened_where_it_stands_and_where_a_projects_is_to_be(
    lake: EvidenceLake, tmp_path: Path
) -> None:
    # As the environment names it: nothing was made there.
    for path in ("", lake.workspace.lake.path):
        assert evidence_assets.api.open(path).scores().is_empty()
    elsewhere = build_tiny_lake(str(tmp_path / "elsewhere"))
    assert not evidence_assets.api.open(elsewhere.lake.path).query("FROM predictions").is_empty()
    (tmp_path / "sources.yaml").touch()
    assert not evidence_assets.api.open(tmp_path / "data_lake").workspace.lake.is_there()


@pytest.mark.parametrize("path", [None, 5, ["data_lake"]])
def test_what_is_no_path_is_refused(path: Any) -> None:
    with pytest.raises(
        TypeError, match="is no path; remedy: give a folder or a URI as text, or leave it out"
    ):
        evidence_assets.api.open(path)


def test_a_lake_in_a_store_is_opened_where_it_stands(lake: EvidenceLake) -> None:
    build_tiny_lake("memory://kept/lake")
    assert evidence_assets.api.open("memory://kept/lake").workspace.lake.is_there()
    with pytest.raises(LookupError, match="there is no lake at memory://kept/lak; remedy: "):
        evidence_assets.api.open("memory://kept/lak")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"options": "kelp|urchins"},
            "options is one text, 'kelp|urchins', and a list is expected; remedy: options=['kelp', 'urch",
        ),
        (
            {"systems": "uscrake"},
            "systems is one text, 'uscrake', and a list is expected; remedy: systems=['uscrake']",
        ),
        ({"arms": "x/y"}, "arms is one text, 'x/y', and a list is expected; remedy: arms=['x/y']"),
        ({"options": [1, 2]}, "options: 1 is no text; remedy: give it as text (str)"),
        ({"systems": None}, "systems is None, and a list of texts is expected; remedy: give one, or"),
        ({"question": None}, "question: None is no text; remedy: give it as text (str)"),
        ({"corpus": ["sea"]}, "corpus: ['sea'] is no text; remedy: give it as text (str)"),
        ({"table": 5}, "table: 5 is no text; remedy: give it as text (str)"),
    ],
)
def test_a_question_is_asked_with_texts_and_lists_of_them(
    lake: EvidenceLake, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(evidence_assets.api.AskError, match=re.escape(message)):
        lake.ask(**{"question": "Who eats kelp?", **arguments})
    assert lake.query("FROM questions").is_empty()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (lambda lake: lake.trace(3), "prediction_id: 3 is no text; remedy: give it as text"),
        (lambda lake: lake.trace(["a"]), "prediction_id: ['a'] is no text; remedy: give it as text"),
        (lambda lake: lake.trace(None), "prediction_id: None is no text; remedy: give it as text"),
        (lambda lake: lake.impact(5), "key: 5 is no text; remedy: give it as text"),
        (lambda lake: lake.impact(None), "key: None is no text; remedy: give it as text"),
        (lambda lake: lake.scores(["exam"]), "benchmarks: ['exam'] is no text; remedy: give it as text"),
        (lambda lake: lake.query(None), "sql: None is no text; remedy: give it as text"),
        (lambda lake: lake.provenance("a", None, "b"), "system: None is no text; remedy: "),
    ],
)
def test_what_is_looked_up_is_named_by_a_text(
    lake: EvidenceLake, asked: Callable[[EvidenceLake], Any], message: str
) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        asked(lake)


@pytest.mark.parametrize("sql", ["", ";", "-- nothing"])
def test_sql_without_a_statement_is_refused(lake: EvidenceLake, sql: str) -> None:
    with pytest.raises(ValueError, match="holds no statement; remedy: write one"):
        lake.query(sql)


@pytest.mark.parametrize(
    ("experiment", "message"),
    [
        (("startr", "uscrake", "full@extractive"), "no benchmark 'startr'; the nearest: starter"),
        (("starter", "uscrak", "full@extractive"), "no arm 'uscrak/full@extractive'; the nearest: uscrake/"),
        (("starter", "uscrake", "ful@extractive"), "no arm 'uscrake/ful@extractive'; the nearest: uscrake/"),
        (
            ("starter", "uscrake", "full@extractive"),
            "remedy: evidence-assets demo starter --arms uscrake/full@extractive",
        ),
    ],
)
def test_an_experiment_whose_name_is_misspelt_is_told_with_the_nearest(
    lake: EvidenceLake, tmp_path: Path, experiment: tuple[str, str, str], message: str
) -> None:
    exports: list[Callable[[], object]] = [
        lambda: lake.provenance(*experiment),
        lambda: lake.lineage_events(*experiment),
        lambda: lake.export(*experiment, folder=tmp_path / "crate"),
    ]
    for export in exports:
        with pytest.raises(LookupError, match=re.escape(message)):
            export()


def make(workspace: Workspace) -> None:
    """Make the graph that the notebook asks."""
    wish = Wish(graph="space", systems=("four_step_focus", "kaping"))
    run = Run(workspace.lake, workspace.graph, workspace.models)
    for stage, key in prerequisites(workspace, wish):
        make_partition(stage, key, run)
