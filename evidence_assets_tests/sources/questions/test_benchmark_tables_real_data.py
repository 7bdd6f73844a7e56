"""Counts and properties of the public table benchmarks themselves."""

import collections
from collections.abc import Iterable
from pathlib import Path

import pytest

from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import TABLES
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.questions.worldtree_questions import worldtree_tables
from evidence_assets.sources.records import Question, RejectedRecord, TableRecord
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Kind
from evidence_assets.tables.table_rows import record_rows
from evidence_assets_tests.testing.records_read import all_of

pytestmark = pytest.mark.real_data


def read_all(name: str, uri: Path, split: str) -> list[Question]:
    return all_of(Question, BENCHMARKS[name].reader(str(uri), split))


def tables_of(questions: Iterable[Question]) -> list[TableRecord]:
    """The table of each question, of which none may lack it."""
    tables = []
    for question in questions:
        assert question.table is not None, question
        tables.append(question.table)
    return tables


def test_the_real_scitab_is_read(real_data: Path) -> None:
    questions = read_all("scitab", real_data / "tables/sci_tab.json", "test")
    assert len(questions) == 1224
    labels = collections.Counter(question.answers[0] for question in questions)
    assert labels == {"SUPPORTS": 457, "REFUTES": 411, "NOT ENOUGH INFORMATION": 356}
    tables = tables_of(questions)
    assert len({table.key for table in tables}) == 213
    # Three of its table ids stand for two versions of a table each.
    rows = conform(record_rows("scitab", tables), TABLES)
    assert rows.num_rows == 216
    cells = [cell for table in rows.column("typed_rows").to_pylist() for row in table for cell in row]
    kinds = collections.Counter(cell["kind"] for cell in cells)
    assert kinds["number"] > 0.6 * len(cells)
    assert kinds["percentage"] > 100


def test_the_real_tabfact_is_read(real_data: Path) -> None:
    questions = read_all("tabfact", real_data / "tables/tabfact_small", "small_test")
    assert len(questions) == 1998
    tables = {table.key: table for table in tables_of(questions)}
    assert len(tables) == 298
    labels = collections.Counter(question.answers[0] for question in questions)
    assert labels == {"SUPPORTS": 989, "REFUTES": 1009}
    made = [make_table(key, table.caption, table.header_rows, table.rows) for key, table in tables.items()]
    assert sum(table.padded for table in made) == 0
    assert sum(table.label_column is not None for table in made) > 280
    kinds = collections.Counter(cell.value.kind for table in made for row in table.rows for cell in row)
    assert set(kinds) == set(Kind)


def test_the_real_worldtree_is_read(real_data: Path) -> None:
    folder = real_data / "tables/worldtree/tsv"
    records = list(
        BENCHMARKS["worldtree_questions"].reader(str(folder / "questionsAndExplanations.tsv"), "all")
    )
    questions = [record for record in records if isinstance(record, Question)]
    reasons = collections.Counter(
        record.reason.partition(":")[0] for record in records if isinstance(record, RejectedRecord)
    )
    assert reasons["the licence holds its text back"] == 1434
    assert reasons["no explanation names a row of the tables"] == 103
    # Of the 663 that are left with an explanation, one is given twice.
    repeated = [
        record for record in records if isinstance(record, RejectedRecord) and "already used" in record.reason
    ]
    assert (len(questions), len(repeated)) == (662, 1)
    assert all(question.gold_cells and len(question.options) >= 3 for question in questions)
    assert not any('"' in question.options[-1] for question in questions)
    tables = {
        record.key: record
        for record in worldtree_tables(str(folder / "tables"))
        if isinstance(record, TableRecord)
    }
    assert len(tables) == 62
    assert all(
        cell.row is not None and 0 <= cell.row < len(tables[cell.table_key].rows)
        for question in questions
        for cell in question.gold_cells
    )
    sound = next(question for question in questions if question.question_id == "93884")
    words = [
        " ".join(tables[cell.table_key].rows[cell.row]) for cell in sound.gold_cells if cell.row is not None
    ]
    assert "sound" in words[0] and "energy" in words[0]
    assert record_rows("worldtree", tables.values()).num_rows == 62
