"""Which files make questions and tables stale: those that a benchmark names, and those read beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evidence_assets.config.configuration import load_project
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import TABLES
from evidence_assets.models.provider import Models
from evidence_assets.sources.files import as_configured, files_beside
from evidence_assets.sources.project import Project
from evidence_assets.sources.source_fingerprints import source_fingerprint
from evidence_assets.sources.stages import source_stages
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.execution import Run, make_partition
from evidence_assets.stages.freshness import Freshness
from evidence_assets.stages.graph import StageGraph
from evidence_assets.tables.stages import table_stages
from evidence_assets_tests.testing.configuration_samples import configuration, written

QUIZ = Key("quiz")
QUESTION = "id\tutterance\tcontext\ttargetValue\nnt-0\twho won?\tcsv/1.csv\tAnn\n"
TABLE = '"Name","Year"\n"Ann","1940"\n'


def project_of(folder: Path, reader: str, uri: str) -> Project:
    content: dict[str, Any] = configuration()
    content["benchmarks"]["quiz"] |= {"reader": reader, "uri": uri}
    return load_project(written(folder, content))


def states(folder: Path, project: Project, make: bool = False) -> dict[str, str]:
    """Why the benchmark's questions and tables are stale, or an empty text; `make`: make them first."""
    stages = [*source_stages(project), *table_stages(project)]
    graph, lake = StageGraph(stages, project.layout), Lake(str(folder / "lake"))
    models = Models(folder / "cache")
    if make:
        for stage in stages:
            make_partition(stage, QUIZ, Run(lake, graph, models))
    freshness = Freshness(lake, graph, models, source_fingerprint(project))
    return {stage.name: freshness.status(stage, QUIZ).reason for stage in stages}


@pytest.fixture
def quiz_folder(tmp_path: Path) -> Path:
    """A folder with questions, and a table in a file beside them."""
    for name, text in {"data/quiz.tsv": QUESTION, "csv/1.csv": TABLE, "csv/2.csv": TABLE}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_an_edited_table_beside_the_questions_is_seen(quiz_folder: Path) -> None:
    project = project_of(quiz_folder, "wikitablequestions", "data/quiz.tsv")
    assert states(quiz_folder, project, make=True) == {"questions": "", "tables": ""}
    (quiz_folder / "csv" / "2.csv").write_text("nobody asks about it", encoding="utf-8")
    assert states(quiz_folder, project) == {"questions": "", "tables": ""}
    (quiz_folder / "csv" / "1.csv").write_text(TABLE.replace("1940", "1950"), encoding="utf-8")
    changed = "file csv/1.csv changed"
    assert states(quiz_folder, project) == {"questions": changed, "tables": changed}
    assert states(quiz_folder, project, make=True) == {"questions": "", "tables": ""}


def test_edited_labels_beside_the_questions_are_seen(tmp_path: Path) -> None:
    line = '{"goal": "When butter boils", "sol1": "Pour it onto a plate", "sol2": "Pour it into a jar"}\n'
    (tmp_path / "dev.jsonl").write_text(line, encoding="utf-8")
    (tmp_path / "dev-labels.lst").write_text("1\n", encoding="utf-8")
    project = project_of(tmp_path, "piqa", "dev.jsonl")
    assert states(tmp_path, project, make=True)["questions"] == ""
    (tmp_path / "dev-labels.lst").write_text("0\n", encoding="utf-8")
    assert states(tmp_path, project)["questions"] == "file dev-labels.lst changed"


def test_a_benchmark_pointed_at_another_file_is_stale(quiz_folder: Path) -> None:
    states(quiz_folder, project_of(quiz_folder, "wikitablequestions", "data/quiz.tsv"), make=True)
    (quiz_folder / "data" / "other.tsv").write_text(QUESTION.replace("nt-0", "nt-1"), encoding="utf-8")
    project = project_of(quiz_folder, "wikitablequestions", "data/other.tsv")
    change = "file data/other.tsv is named now"
    assert states(quiz_folder, project) == {"questions": change, "tables": change}
    assert states(quiz_folder, project, make=True) == {"questions": "", "tables": ""}


def test_a_table_is_of_the_file_that_holds_it(quiz_folder: Path) -> None:
    states(quiz_folder, project_of(quiz_folder, "wikitablequestions", "data/quiz.tsv"), make=True)
    lake = Lake(str(quiz_folder / "lake"))
    assert lake.read(TABLES, {"source": "quiz"}, ["source_uri"]).to_pylist() == [{"source_uri": "csv/1.csv"}]


def test_a_table_of_an_archive_is_written_with_the_archive_s_name() -> None:
    located = "zip://questions.jsonl::/project/quiz.zip"
    written_uri = as_configured(
        "zip://t/a.csv::/project/quiz.zip", "zip://questions.jsonl::quiz.zip", located
    )
    assert written_uri == "zip://t/a.csv::quiz.zip"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("lake://scratch/quiz/*.jsonl", "lake://scratch/quiz/tables/t.csv"),
        ("data/quiz/*.jsonl", "data/quiz/tables/t.csv"),
        ("*.jsonl", "tables/t.csv"),
    ],
)
def test_a_file_beside_is_written_as_the_questions_are(written: str, expected: str, tmp_path: Path) -> None:
    table = tmp_path / "tables" / "t.csv"
    table.parent.mkdir()
    table.touch()
    questions = tmp_path / "a.jsonl"
    questions.touch()
    opened = [str(questions), str(table)]
    assert list(files_beside(written, str(tmp_path / "*.jsonl"), opened)) == [(expected, str(table))]
