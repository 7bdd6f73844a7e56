"""UCRET through Dagster, as a user runs it: claims over tables in files, down to the cell as published."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from evidence_assets.cli.main import main
from evidence_assets.config.configuration import load
from evidence_assets.evidence.experiment import EXPERIMENT_TABLES
from evidence_assets.lake import catalogue, schemas
from evidence_assets.orchestration.runs import materialize_benchmarks
from evidence_assets.systems.ucret.arms import BASELINE_ARM, DEFAULT_ARM, FIRST_ARMS, SYSTEM
from evidence_assets_tests.testing.direct_runs import enter
from evidence_assets_tests.testing.generation_server import Response, ScriptedServer, answer, user_text
from evidence_assets_tests.testing.run_events import RememberedProject
from evidence_assets_tests.testing.small_project import SmallProject, write_yaml

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("ucret_project")]

CSV, PAPERS = "small_tabfact", "small_scitab"
PROMPTED, DECIDING = "full@scripted", "no_explanations@scripted"
CSV_ARMS = (DEFAULT_ARM, BASELINE_ARM, PROMPTED, DECIDING)
MEASLES = "Province#Year#Number of cases\nQuebec#2007#94 *\nOntario#2008#53\nAlberta#2011#1,678\n"
RIVERS = "River#Mouth#Countries\nDanube#Black Sea#10\nRhine#North Sea#6\n"
STATEMENTS = {
    "measles.csv": [
        ["Quebec had 94 cases", "Ontario had the highest number of cases", "Alberta had 1678 cases"],
        [1, 0, 1],
        "Measles outbreaks in Canada",
    ],
    "broken.csv": [["It is so"], [1], "broken"],
    "gone.csv": [["It was so"], [1], "gone"],
    "rivers.csv": [["The Danube passes 10 countries", "The Rhine ends in the Black Sea"], [1, 0], "Rivers"],
}
SCORES = {
    "claim": "Alpha has an F1 of 0.9.",
    "label": "supports",
    "table_id": "t1",
    "table_caption": "Table 1: Scores",
    "table_column_names": ["System", "F1"],
    "table_content_values": [["Alpha", "[BOLD] 0.9"], ["Beta", "0.8"]],
}
CLAIMS = [
    {"id": "c1", **SCORES},
    {"id": "c2", **SCORES, "claim": "Beta has an F1 of 0.9.", "label": "refutes"},
    {"id": "c3", **SCORES, "claim": "Purple zebras sing in choirs.", "label": "not enough info"},
    {"id": "c4", **SCORES, "table_id": "empty", "table_content_values": [["", " "]]},
]
CSV_SOURCE = {"reader": "tabfact", "uri": "tabfact", "split": "test"}
PAPERS_SOURCE = {"reader": "scitab", "uri": "sci_tab.json", "split": "test"}
Rows = list[dict[str, Any]]


def reply(body: Mapping[str, Any], _: int) -> Response:
    """An argument that says and cites the first cell it was sent; of the verdicts always the first."""
    user = user_text(body)
    if "<option" in user:
        return answer('{"answer": "A"}')
    match = re.search(r"(\[R\d+\.C\d+\]) (\w+)", user)
    assert match is not None
    return answer(f"It says {match[2]} {match[1]}.")


def write_project(folder: Path) -> SmallProject:
    for name, content in {
        "articles/stone.md": "# Stone\n\nStones are hard.\n",
        "tabfact/test_examples.json": json.dumps(STATEMENTS),
        "tabfact/csv/measles.csv": MEASLES,
        "tabfact/csv/rivers.csv": RIVERS,
        "tabfact/csv/broken.csv": "only#a#header\n",
        "sci_tab.json": json.dumps(CLAIMS),
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return SmallProject(folder)


class Project(RememberedProject):
    def configure(self, url: str = "http://127.0.0.1/v1", papers: Mapping[str, str] = PAPERS_SOURCE) -> None:
        source = {"name": "stone", "uri": "articles", "format": "text_folder", "licence": "CC0-1.0"}
        generator = {"engine": "openai", "url": url, "model": "m", "revision": "r1", "attempts": 1}
        benchmarks = {CSV: CSV_SOURCE, PAPERS: papers}
        configuration = {
            "corpora": {"stone": {"sources": [source]}},
            "benchmarks": {
                name: {**benchmark, "systems": [SYSTEM]} for name, benchmark in benchmarks.items()
            },
            "generators": {"scripted": {**generator, "constrains": True}},
        }
        write_yaml(self.small.configuration, configuration)
        # A process reads a file once: it is reloaded to see another.
        load.cache_clear()

    def run(
        self, patch: pytest.MonkeyPatch, *benchmarks: str, arms: list[str] | None = None, again: bool = False
    ) -> list[str]:
        runs = materialize_benchmarks(self.launching(patch), benchmarks, arms, again)
        return [job for job, _, _ in runs]

    def rows(self, table: schemas.Table, benchmark: str = CSV, arm: str = DEFAULT_ARM) -> Rows:
        place = {"system": SYSTEM, "arm": arm, "benchmark": benchmark}
        rows: Rows = self.small.lake.read(table, place).to_pylist()
        return rows

    def predictions(self, benchmark: str = CSV, arm: str = DEFAULT_ARM) -> dict[str, dict[str, Any]]:
        return {row["question_id"]: row for row in self.rows(schemas.PREDICTIONS, benchmark, arm)}


@dataclass
class Built:
    project: Project
    server: ScriptedServer
    jobs: list[str]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    small = write_project(tmp_path_factory.mktemp("ucret") / "project")
    with dg.DagsterInstance.ephemeral() as instance, ScriptedServer(reply) as server:
        project = Project(small, instance)
        project.configure(server.url)
        with pytest.MonkeyPatch.context() as patch:
            jobs = project.run(patch, PAPERS)
            project.run(patch, CSV, arms=list(CSV_ARMS))
        yield Built(project, server, jobs)


@pytest.fixture
def copied(built: Built, tmp_path: Path) -> Iterator[Project]:
    """A copy to change at will. Its catalogue names its own folder; nobody remembers its runs."""
    small = built.project.small.copy(tmp_path / "copy")
    catalogue.build(small.lake)
    with dg.DagsterInstance.ephemeral() as instance:
        yield Project(small, instance)


def test_the_first_arms_need_no_corpus_and_no_model(built: Built) -> None:
    assert set(built.jobs) == {
        "read_tables",
        "collapse_tables",
        "run_ucret",
        "compare_ucret",
        "record_published",
    }
    assert built.jobs.count("run_ucret") == len(FIRST_ARMS)
    assert built.project.query("SELECT count(*) FROM articles") == [(0,)]


def test_every_check_passes(built: Built) -> None:
    checks = built.project.checks()
    assert [check for check in checks if not check.passed] == []
    done = {(check.asset_key.to_user_string(), check.check_name) for check in checks}
    wanted = {(f"{SYSTEM}/{table.name}", "rows_fit_declaration") for table in EXPERIMENT_TABLES}
    wanted |= {(name, "rows_fit_declaration") for name in ("tables", "collapsed_tables", "questions")}
    assert wanted <= done
    partitions = {name for asset, name in done if asset == f"{SYSTEM}/predictions"}
    assert {"references_resolve", "lineage_is_complete"} <= partitions


def test_claims_are_verified_over_tables_as_published(built: Built) -> None:
    predictions = built.project.predictions()
    assert {key: row["predicted"] for key, row in predictions.items()} == {
        "measles.csv-0": "SUPPORTS",
        "measles.csv-1": "REFUTES",
        "measles.csv-2": "SUPPORTS",
        "rivers.csv-0": "SUPPORTS",
        "rivers.csv-1": "REFUTES",
    }
    assert all(row["correct"] for row in predictions.values())
    assert {row["citation_status"] for row in built.project.rows(schemas.CHAINS)} == {"valid"}
    papers = {key: row["predicted"] for key, row in built.project.predictions(PAPERS).items()}
    assert papers == {"c1": "SUPPORTS", "c2": "REFUTES", "c3": "NOT ENOUGH INFORMATION"}


def test_a_broken_table_stops_no_other(built: Built) -> None:
    """Neither a table's file that is gone or empty, nor one of blank cells: each is told, with its claim."""
    reasons = dict(built.project.query("SELECT record, reason FROM rejected_records"))
    assert {key: reason for key, reason in reasons.items() if "broken" in key or "gone" in key} == {
        "table broken.csv": "its table has no row with anything in it",
        "table gone.csv": "its table gone.csv cannot be read: no such file",
    }
    assert "its table has no row with anything in it" in reasons["record 4, id c4"]
    assert {key for (key,) in built.project.query("SELECT key FROM tables")} == {
        "measles.csv",
        "rivers.csv",
        "t1",
    }


def test_scores_stand_beside_the_baseline(built: Built) -> None:
    scores = {
        (arm, benchmark): (value, n)
        for arm, benchmark, value, n in built.project.query(
            "SELECT arm, benchmark, value, n FROM benchmark_scores WHERE metric = 'accuracy'"
        )
    }
    assert scores.keys() == {*((arm, PAPERS) for arm in FIRST_ARMS), *((arm, CSV) for arm in CSV_ARMS)}
    assert scores[DEFAULT_ARM, CSV] == (1.0, 5)
    assert scores[DEFAULT_ARM, PAPERS] == (1.0, 3)
    assert scores[BASELINE_ARM, CSV][0] < 1
    compared = built.project.query("SELECT DISTINCT benchmark FROM score_differences")
    assert sorted(compared) == [(PAPERS,), (CSV,)]


def traced(project: Project, key: str, arm: str) -> dict[tuple[int | None, int | None], str]:
    """What the source says at each place that a prediction cites, by row and column."""
    [wanted] = [
        row["prediction_id"]
        for row in project.rows(schemas.PREDICTIONS, arm=arm)
        if row["question_id"] == key
    ]
    rows = project.query(
        "SELECT locator.row, locator.column, source_text, source_unchanged, source_title, licence "
        "FROM trace(?) WHERE role = 'cited'",
        wanted,
    )
    assert rows
    assert {row[3] for row in rows} == {True}
    assert all(row[4] and row[5] for row in rows)
    return {(row, column): text for row, column, text, *_ in rows}


def test_an_answer_is_traced_to_the_cell_the_row_and_the_column_as_published(built: Built) -> None:
    assert traced(built.project, "measles.csv-0", DEFAULT_ARM) == {
        (None, 0): "Province",
        (None, 2): "Number of cases",
        (0, 0): "Quebec",
        (0, 2): "94 *",
    }
    assert traced(built.project, "measles.csv-2", DEFAULT_ARM)[2, 2] == "1,678"
    assert traced(built.project, "measles.csv-2", BASELINE_ARM)[2, None] == "Alberta | 2011 | 1,678"


def test_what_rests_on_a_table_is_found(built: Built) -> None:
    [(table,)] = built.project.query("SELECT table_id FROM tables WHERE key = 'measles.csv'")
    rested = built.project.query("SELECT DISTINCT question_id FROM impact(?)", table)
    assert {key for (key,) in rested} == {f"measles.csv-{number}" for number in range(3)}
    by_name = built.project.query("SELECT DISTINCT question_id FROM impact('measles.csv')")
    assert sorted(by_name) == sorted(rested)
    assert built.project.query("SELECT kind FROM source_names WHERE name = 'measles.csv'") == [("table",)]
    [(cell,)] = built.project.query(
        "SELECT DISTINCT evidence_id FROM evidence WHERE source_key = ? AND locator.row = 2 AND "
        "locator.column = 2",
        table,
    )
    rested = built.project.query("SELECT DISTINCT question_id FROM impact(?) WHERE role = 'cited'", cell)
    assert ("measles.csv-2",) in rested
    assert ("measles.csv-0",) not in rested


def test_a_report_reads_the_cells_out(
    built: Built, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(built.project.small, monkeypatch)
    assert main(["trace", built.project.predictions()["measles.csv-0"]["prediction_id"]]) == 0
    shown = capsys.readouterr().out
    assert "answer     SUPPORTS (right)" in shown
    assert "R1.C3: Quebec, Number of cases: 94" in shown
    assert "  reads    94 *" in shown


def test_a_model_argues_from_the_same_tables(built: Built) -> None:
    for arm in (PROMPTED, DECIDING):
        predictions = built.project.predictions(arm=arm)
        assert {row["predicted"] for row in predictions.values()} == {"SUPPORTS"}
        assert {(row["parse_status"], row["generator"]) for row in predictions.values()} == {
            ("parsed", "scripted")
        }
    chains = built.project.rows(schemas.CHAINS, arm=PROMPTED)
    assert len(chains) == 2 * 5
    assert {row["citation_status"] for row in chains} == {"valid"}
    assert built.project.rows(schemas.CHAINS, arm=DECIDING) == []
    assert traced(built.project, "measles.csv-0", PROMPTED) == {(0, 0): "Quebec"}
    tasks = dict(built.project.query("SELECT task, count(*) FROM generations GROUP BY task"))
    assert tasks == {"explain_label": 10, "choose_by_table": 5, "decide_table": 5}
    assert sum(tasks.values()) == len(built.server.requests)
    assert all(
        "[R1.C1] Quebec" in user or "Quebec" not in user for user in built.server.users if "<table>" in user
    )


def test_a_run_shows_what_it_made(built: Built) -> None:
    shown = built.project.shown(SYSTEM, "predictions")
    assert shown["requests_sent"] == 5
    assert shown["abstained"] == 0
    collapsed = built.project.shown("collapsed_tables")
    assert collapsed["questions"] > 0
    assert 0 < collapsed["mean_columns_kept"] <= collapsed["mean_columns"]
    assert built.project.shown("tables")["unusable_tables"] == "none"


def test_running_again_changes_no_byte_and_sends_nothing(
    copied: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(body: Mapping[str, Any], _: int) -> Response:
        raise AssertionError(f"asked again: {user_text(body)}")

    files = copied.small.files()
    with ScriptedServer(refuse) as server:
        copied.configure(server.url)
        copied.run(monkeypatch, CSV, arms=[DEFAULT_ARM, PROMPTED], again=True)
        assert server.requests == []
    assert copied.small.files() == files
    assert any("predictions" in name for name in files)
    assert copied.shown(SYSTEM, "predictions")["changed"] is False


def test_a_changed_cell_changes_the_verdict(copied: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    table = copied.small.folder / "tabfact" / "csv" / "measles.csv"
    table.write_text(MEASLES.replace("#94 *", "#49"), encoding="utf-8")
    copied.configure()
    before = copied.predictions()["measles.csv-0"]
    copied.run(monkeypatch, CSV, arms=[DEFAULT_ARM])
    after = copied.predictions()
    assert (before["predicted"], after["measles.csv-0"]["predicted"]) == ("SUPPORTS", "REFUTES")
    assert after["measles.csv-2"]["predicted"] == "SUPPORTS"
    assert [check for check in copied.checks() if not check.passed] == []


def own_files() -> dict[str, str]:
    """The files that the documentation shows, by name."""
    text = (Path(__file__).parents[3] / "docs" / "ucret.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^/data/outbreaks/(\S+):\n(.*?)\n\n", text, re.DOTALL | re.MULTILINE)
    return {name: f"{content}\n" for name, content in blocks}


def test_claims_of_your_own_are_verified_over_a_table_of_your_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = own_files()
    assert files.keys() == {"cases.csv", "claims.jsonl"}
    bad = {"id": "bad", "question": "It is so", "options": ["SUPPORTS", "REFUTES"], "answer_index": 0}
    files["claims.jsonl"] += json.dumps({**bad, "table": "../sci_tab.json"}) + "\n"
    small = write_project(tmp_path / "project")
    for name, content in files.items():
        (small.folder / name).write_text(content, encoding="utf-8")
    with dg.DagsterInstance.ephemeral() as instance:
        project = Project(small, instance)
        project.configure(papers={"reader": "questions_jsonl", "uri": "claims.jsonl", "split": "test"})
        project.run(monkeypatch, PAPERS, arms=[DEFAULT_ARM])
        assert [check for check in project.checks() if not check.passed] == []
        predictions = project.predictions(PAPERS)
        assert {key: (row["predicted"], row["correct"]) for key, row in predictions.items()} == {
            "c1": ("SUPPORTS", True),
            "c2": ("REFUTES", True),
        }
        [(place, reason)] = project.query("SELECT record, reason FROM rejected_records")
        assert place.endswith("line 3, id bad")
        assert "names no file below the folder" in reason
        cited = project.query(
            "SELECT source_text, source_title FROM trace(?) WHERE role = 'cited'",
            predictions["c1"]["prediction_id"],
        )
        assert "94" in {text for text, _ in cited}


def test_two_benchmarks_of_one_table_are_traced_each_place_once(
    copied: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The small test of TabFact and its whole test share their tables."""
    copied.configure(papers=CSV_SOURCE)
    copied.run(monkeypatch, PAPERS, arms=[DEFAULT_ARM])
    row = copied.predictions(PAPERS)["measles.csv-0"]
    traced = copied.query("SELECT role, candidate, rank FROM trace(?)", row["prediction_id"])
    assert len(traced) == len(set(traced)) > 0
