"""Rows of `tables`, and what `questions` say of their tables."""

import pytest

from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import QUESTIONS, TABLES
from evidence_assets.sources.questions.rows import question_rows
from evidence_assets.sources.records import GoldCell, Question, TableRecord, table_id
from evidence_assets.sources.specifications import BenchmarkSource
from evidence_assets.tables.hygiene import EmptyTableError
from evidence_assets.tables.table_rows import record_rows

SCORES = TableRecord(
    "t1", "Scores", (("Model", "F1"),), (("[BOLD] ours", "0.93±0.02"), ("theirs", "2011", "10-12%"))
)


def question(number: int, table: TableRecord | None, gold_cells: tuple[GoldCell, ...] = ()) -> Question:
    return Question(f"q{number}", "Is it?", ("yes", "no"), 0, ("yes",), table=table, gold_cells=gold_cells)


def test_a_table_is_one_row_with_typed_cells() -> None:
    rows = conform(record_rows("bench", [SCORES, SCORES], "s.json", "MIT"), TABLES)
    (row,) = rows.to_pylist()
    assert row["table_id"] == table_id(SCORES)
    assert [row[name] for name in ("source", "key", "caption", "source_uri", "licence")] == [
        "bench",
        "t1",
        "Scores",
        "s.json",
        "MIT",
    ]
    assert row["header"] == ["Model", "F1", "column 3"]
    assert row["rows"] == [["[BOLD] ours", "0.93±0.02", ""], ["theirs", "2011", "10-12%"]]
    assert (row["label_column"], row["has_header"], row["padded"]) == (0, True, 1)
    assert len(row["notes"]) == 2
    (name, score, missing), (_, year, share) = row["typed_rows"]
    assert (name["kind"], missing["kind"]) == ("text", "empty")
    assert (score["number"], score["error"]) == (0.93, 0.02)
    assert (year["kind"], year["date"], year["number"]) == ("date", "2011", 2011)
    assert (share["low"], share["high"], share["unit"], share["numbers"]) == (10, 12, "%", [10, 12])


def test_the_tables_of_questions_are_each_written_once_and_named_by_them() -> None:
    second = TableRecord("t2", "Scores", SCORES.header_rows, SCORES.rows)
    gold = (GoldCell("t1", 0, 1), GoldCell("t9", 3))
    table_questions = [question(1, SCORES, gold), question(2, SCORES), question(3, second), question(4, None)]
    tables = record_rows("bench", [SCORES, SCORES, second])
    assert tables.num_rows == 2
    source = BenchmarkSource(reader="scitab", uri="s.json", split="test", corpus="small")
    rows, _ = question_rows(table_questions, "bench", source)
    questions = conform(rows, QUESTIONS).to_pylist()
    assert [row["table_id"] for row in questions] == [table_id(SCORES)] * 2 + [table_id(second), None]
    assert set(tables.column("table_id").to_pylist()) == {row["table_id"] for row in questions[:3]}
    assert questions[0]["gold_cells"] == [
        {"table_key": "t1", "row": 0, "column": 1},
        {"table_key": "t9", "row": 3, "column": None},
    ]


@pytest.mark.parametrize(
    "changed",
    [
        TableRecord("t1", "Other", SCORES.header_rows, SCORES.rows),
        TableRecord("t1", "Scores", (), SCORES.rows),
        TableRecord("t1", "Scores", SCORES.header_rows, SCORES.rows[::-1]),
        TableRecord("t2", "Scores", SCORES.header_rows, SCORES.rows),
        # The same rows, one of them called a name.
        TableRecord("t1", "Scores", (), SCORES.header_rows + SCORES.rows),
    ],
)
def test_a_table_that_changed_has_another_id(changed: TableRecord) -> None:
    assert table_id(changed) != table_id(SCORES)


def test_no_table_at_all_is_an_empty_table_of_the_lake() -> None:
    assert record_rows("bench", []).schema.equals(TABLES.schema)


def test_a_table_that_holds_nothing_is_refused() -> None:
    with pytest.raises(EmptyTableError):
        record_rows("bench", [TableRecord("t", "", (("a",),), (("",),))])
