"""The tables of a benchmark: those its questions are about, or the store that they are asked of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import TABLES
from evidence_assets.sources.questions import registry
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.questions.rows import question_rows
from evidence_assets.sources.records import Question, TableRecord, UnusableSourceError
from evidence_assets.sources.specifications import BenchmarkSource
from evidence_assets.tables.question_tables import benchmark_tables

STATEMENTS = {
    "a.csv": [["it be so", "it be not so"], [1, 0], "a caption"],
    "b.csv": [["x be y"], [1], "b"],
    "broken.csv": [["x be w"], [1], "broken"],
    "gone.csv": [["x be z"], [1], "gone"],
}


def source(reader: str, uri: Path, split: str = "test", **others: Any) -> BenchmarkSource:
    return BenchmarkSource(reader=reader, uri=str(uri), split=split, **others)


@pytest.fixture
def tabfact(tmp_path: Path) -> Path:
    (tmp_path / "csv").mkdir()
    (tmp_path / "test_examples.json").write_text(json.dumps(STATEMENTS), encoding="utf-8")
    for name, text in {"a": "name#year\nann#1999\nbob#\n", "b": "k\nv\n", "broken": "k\n"}.items():
        (tmp_path / "csv" / f"{name}.csv").write_text(text, encoding="utf-8")
    return tmp_path


def test_each_table_that_claims_are_about_is_kept_once(tabfact: Path) -> None:
    """One whose file is gone or holds nothing has no claims either: it is told with them."""
    benchmark_source = source("tabfact", tabfact)
    rows, unusable = benchmark_tables("bench", benchmark_source, benchmark_source.uri)
    tables = conform(rows, TABLES).to_pylist()
    assert [row["key"] for row in tables] == ["a.csv", "b.csv"]
    assert unusable == []
    assert tables[0]["rows"] == [["ann", "1999"], ["bob", ""]]
    assert {(row["source"], row["licence"]) for row in tables} == {("bench", BENCHMARKS["tabfact"].licence)}
    assert [row["source_uri"] for row in tables] == [f"{tabfact}/csv/a.csv", f"{tabfact}/csv/b.csv"]


def test_questions_name_the_tables_that_are_kept(tabfact: Path) -> None:
    benchmark_source = source("tabfact", tabfact, licence="CC0-1.0")
    rows, _ = benchmark_tables("bench", benchmark_source, benchmark_source.uri)
    questions, _ = question_rows(
        BENCHMARKS["tabfact"].reader(benchmark_source.uri, benchmark_source.split), "bench", benchmark_source
    )
    assert set(questions.column("table_id").to_pylist()) == set(rows.column("table_id").to_pylist())
    assert set(rows.column("licence").to_pylist()) == {"CC0-1.0"}


def test_a_table_of_several_files_is_kept_once(tmp_path: Path) -> None:
    record = {
        "claim": "Alpha is best.",
        "label": "supports",
        "table_id": "t",
        "table_caption": "Scores",
        "table_column_names": ["", "F1"],
        "table_content_values": [["alpha", "0.9"]],
    }
    changed = {**record, "table_content_values": [["alpha", "0.8"]]}
    for name, records in {"one": [record, changed], "two": [record]}.items():
        path = tmp_path / f"{name}.json"
        path.write_text(
            json.dumps([{"id": f"{name}{n}", **entry} for n, entry in enumerate(records)]), "utf-8"
        )
    rows, _ = benchmark_tables("bench", source("scitab", tmp_path), str(tmp_path / "*.json"))
    tables = rows.to_pylist()
    # One name, but another cell: another table.
    assert [(row["key"], row["rows"]) for row in tables] == [
        ("t", [["alpha", "0.9"]]),
        ("t", [["alpha", "0.8"]]),
    ]
    assert len({row["table_id"] for row in tables}) == 2


def test_a_table_of_nothing_stops_no_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its reader lets it pass: what it holds is a space that only the lake takes for none."""
    tables = [
        TableRecord("blank", "", (("k",),), (("\u2003", ""),)),
        TableRecord("full", "", (("k",),), (("v",),)),
    ]
    records = [
        Question(f"q{number}", "What?", ("a", "b"), 0, ("a",), table=table)
        for number, table in enumerate([*tables, None])
    ]
    benchmark = BENCHMARKS["tabmcq"]
    changed = type(benchmark)(
        benchmark.name, benchmark.title, benchmark.task, ("all",), "L", "", lambda uri, split: iter(records)
    )
    monkeypatch.setattr("evidence_assets.tables.question_tables.BENCHMARKS", {"tabmcq": changed})
    rows, unusable = benchmark_tables("bench", source("tabmcq", tmp_path, "all"), "x")
    assert rows.column("key").to_pylist() == ["full"]
    assert [(record.record, record.remedy) for record in unusable] == [("blank", "leave its questions out")]
    assert registry.BENCHMARKS["tabmcq"] is benchmark


def test_a_benchmark_without_tables_has_none(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    line = {"id": "q", "question": "What?", "options": ["a", "b"], "answer_index": 0}
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    rows, unusable = benchmark_tables("bench", source("questions_jsonl", path), str(path))
    assert rows.num_rows == 0
    assert rows.schema == TABLES.schema
    assert unusable == []


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnusableSourceError, match=r"gone\.json"):
        benchmark_tables("bench", source("scitab", tmp_path), str(tmp_path / "gone.json"))


def test_a_store_of_tables_is_kept_whole_without_comments(tmp_path: Path) -> None:
    """Its questions are about no single table; what comments say is nothing to answer from."""
    folder = tmp_path / "tsv"
    (folder / "tables").mkdir(parents=True)
    (folder / "tables" / "DIETS.tsv").write_text(
        "animal\teats\t[SKIP] COMMENTS\t[SKIP] UID\notter\turchins\tchecked\tu-1\nvole\tgrass\t\tu-2\n",
        "utf-8",
    )
    (folder / "tables" / "KINDS.tsv").write_text("kind\t[SKIP] UID\notter\tu-3\n", "utf-8")
    (folder / "tables" / "NONE.tsv").write_text("kind\t[SKIP] UID\n", "utf-8")
    questions = folder / "questions.tsv"
    rows, unusable = benchmark_tables(
        "store", source("worldtree_questions", questions, "all"), str(questions)
    )
    tables = {row["key"]: row for row in rows.to_pylist()}
    assert {key.partition(".")[0] for key in tables} == {"DIETS", "KINDS"}
    [diets] = [row for key, row in tables.items() if key.startswith("DIETS")]
    assert diets["header"] == ["animal", "eats"]
    assert diets["rows"] == [["otter", "urchins"], ["vole", "grass"]]
    assert diets["source_uri"] == f"{folder}/tables/DIETS.tsv"
    [problem] = unusable
    assert "NONE" in problem.record
    assert problem.remedy
