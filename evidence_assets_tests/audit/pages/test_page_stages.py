"""Pages as assets: files beside the rows that name them, made again when what they show is otherwise."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import dagster as dg
import pytest

from evidence_assets.audit.integrity import check_pages
from evidence_assets.cli.main import main
from evidence_assets.lake.schemas import (
    EVIDENCE_ABLATIONS,
    EVIDENCE_PAGES,
    PREDICTIONS,
    QUESTIONS,
    SCOREBOARD_PAGES,
)
from evidence_assets.orchestration.runs import materialize_pages
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets_tests.testing.page_samples import Page
from evidence_assets_tests.testing.small_project import ANIMAL_QUIZ, Built, SmallProject, metadata_of, run_job
from evidence_assets_tests.testing.table_rows import table_of

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("small_project")]

ARM = "chunks_only_coverage@extractive"
PLACE = {"system": "uscrake", "arm": ARM, "benchmark": ANIMAL_QUIZ}
WHERE = {"benchmark": ANIMAL_QUIZ}


@pytest.fixture
def project(built: Built, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallProject:
    """A copy, with the environment of its command line."""
    copied = built.project.copy(tmp_path / "project")
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(Path(__file__).resolve().parents[3] / "dagster.yaml", home)
    for name, value in {**copied.environment(), "DAGSTER_HOME": str(home)}.items():
        monkeypatch.setenv(name, value)
    return copied


def written(project: SmallProject) -> list[str]:
    return [row["path"] for row in project.lake.read(EVIDENCE_PAGES, PLACE).to_pylist()]


def made(arms: Sequence[str] = (ARM,)) -> list[str]:
    runs = materialize_pages(Workspace.from_environment(), [ANIMAL_QUIZ], list(arms))
    return [f"{job} {partition}" for job, partition, _ in runs]


def test_an_asset_is_the_pages_of_an_experiment(project: SmallProject) -> None:
    result = run_job(
        project.definitions(), "show_uscrake", f"{ARM}|{ANIMAL_QUIZ}", dg.DagsterInstance.ephemeral()
    )
    assert result.success
    rows = project.lake.read(EVIDENCE_PAGES, PLACE).to_pylist()
    answers = project.lake.read(PREDICTIONS, PLACE).column("prediction_id").to_pylist()
    assert {row["page"] for row in rows} == {"index.html", *(f"{answer}.html" for answer in answers)}
    assert {row["prediction_id"] for row in rows} == {None, *answers}
    assert list(check_pages(project.lake, EVIDENCE_PAGES, PLACE)) == []
    shown = metadata_of(result, "uscrake/evidence_pages")[f"{ARM}|{ANIMAL_QUIZ}"]
    assert Path(str(shown["index_page"])).is_file()
    page = Page.of((project.lake_folder / rows[0]["path"]).read_bytes())
    # From the answer to the file and its version, by the lake's own records.
    assert "articles/land files:" in page.words
    assert "predictions made from" in page.words


def test_pages_are_made_once_and_again_when_an_answer_is_otherwise(project: SmallProject) -> None:
    assert made() == [f"show_uscrake {ARM}|{ANIMAL_QUIZ}", f"show_scores {ANIMAL_QUIZ}"]
    before = project.files()
    assert made() == []
    index = next(path for path in written(project) if path.endswith("index.html"))
    (project.lake_folder / index).unlink()
    assert made() == [f"show_uscrake {ARM}|{ANIMAL_QUIZ}"]
    assert {path: sum_ for path, sum_ in project.files().items() if path in before} == before


def test_a_page_that_was_changed_is_noticed(project: SmallProject) -> None:
    made()
    first, second = sorted(path for path in written(project) if not path.endswith("index.html"))[:2]
    (project.lake_folder / first).write_text("something else", encoding="utf-8")
    (project.lake_folder / second).unlink()
    problems = list(check_pages(project.lake, EVIDENCE_PAGES, PLACE))
    assert any(first in problem and "was changed" in problem for problem in problems)
    assert any(second in problem and "is not there" in problem for problem in problems)
    assert len(problems) == 2


def test_an_ablation_that_comes_later_is_shown(project: SmallProject) -> None:
    made()
    answer = project.lake.read(PREDICTIONS, PLACE, ["prediction_id", "question_id"]).to_pylist()[0]
    row = {**PLACE, **answer, "removed": "all", "kind": "all_removed", "changed": True}
    project.lake.write(EVIDENCE_ABLATIONS, PLACE, table_of(EVIDENCE_ABLATIONS, row))
    assert f"show_uscrake {ARM}|{ANIMAL_QUIZ}" in made()
    shown = next(path for path in written(project) if answer["prediction_id"] in path)
    page = Page.of((project.lake_folder / shown).read_bytes())
    assert "changes Without all of its evidence: no answer" in page.words


def test_the_command_line_writes_pages_and_finds_them(
    project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = project.lake.read(PREDICTIONS, PLACE).column("prediction_id")[0].as_py()
    assert main(["show", answer]) == 1
    message = capsys.readouterr().err
    assert (
        f"has no page yet; remedy: evidence-assets pages --benchmark {ANIMAL_QUIZ} --arm uscrake/{ARM}"
        in message
    )
    assert main(["pages", "--benchmark", ANIMAL_QUIZ, "--arm", f"uscrake/{ARM}"]) == 0
    last = capsys.readouterr().out.strip().splitlines()[-1]
    front = project.lake_folder / "pages" / "index.html"
    assert last == f"open {front.as_uri()}"
    links = Page.of(front.read_bytes()).links()
    assert links
    assert all((front.parent / link.replace("%40", "@")).is_file() for link in links if "#" not in link)
    assert main(["show", answer]) == 0
    verb, address = capsys.readouterr().out.split()
    assert verb == "open"
    assert Path(url2pathname(urlsplit(address).path)).is_file()
    assert main(["show", "nothing"]) == 2
    assert "no prediction 'nothing'\nremedy: take an id" in capsys.readouterr().err


def test_what_was_never_answered_has_no_pages(
    project: SmallProject, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["pages", "--arm", "ucret/full@extractive"]) == 1
    message = "nothing was answered of ucret/full@extractive; remedy: make the experiment first"
    assert message in capsys.readouterr().err
    project.lake.delete(QUESTIONS, WHERE)
    assert main(["pages", "--benchmark", ANIMAL_QUIZ, "--arm", ARM]) == 1
    assert "table questions has no partition" in capsys.readouterr().err
    assert project.lake.partitions(SCOREBOARD_PAGES) == []
