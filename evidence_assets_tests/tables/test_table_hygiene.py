"""Published rows to tables: names, ragged rows, limits, and the column that names the rows."""

import random
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from evidence_assets.tables.hygiene import (
    MAXIMUM_CELL_CHARACTERS,
    MAXIMUM_COLUMNS,
    EmptyTableError,
    make_table,
)
from evidence_assets.tables.table import Kind, Table


def texts(table: Table, column: int) -> list[str]:
    return [cell.text for cell in table.column(column)]


def test_a_plain_table_is_kept_as_it_is() -> None:
    table = make_table("t", "A [BOLD] caption", [["Model", "F1"]], [["[BOLD] ours", "0.9"], ["theirs", "-"]])
    assert (table.table_id, table.caption) == ("t", "A caption")
    assert (table.header, table.label_column, table.has_header) == (("Model", "F1"), 0, True)
    assert (table.padded, table.notes) == (0, ())
    ours = table.rows[0][0]
    assert (ours.raw, ours.text, ours.value.kind) == ("[BOLD] ours", "ours", Kind.TEXT)
    assert [cell.value.kind for cell in table.column(1)] == [Kind.NUMBER, Kind.EMPTY]


@pytest.mark.parametrize(
    "upper",
    [
        ["", "LR", "LR", "SVM", "SVM"],
        # A spreadsheet's merged names stand in the first of the cells they span.
        ["", "LR", "", "SVM", ""],
    ],
)
def test_names_of_several_header_rows_are_joined(upper: list[str]) -> None:
    table = make_table("t", "", [upper, ["Model", "P", "R", "P", "R"]], [["a", "1", "2", "3", "4"]])
    assert table.header == ("Model", "LR P", "LR R", "SVM P", "SVM R")


def test_a_name_that_spans_both_header_rows_is_told_once() -> None:
    table = make_table("t", "", [["Model", "LR"], ["Model", "P"]], [["a", "1"]])
    assert table.header == ("Model", "LR P")


def test_a_name_spans_no_column_that_has_no_name_below() -> None:
    table = make_table("t", "", [["LR", "", ""], ["P", "R", ""]], [["1", "2", "3"]])
    assert table.header == ("LR P", "LR R", "column 3")


def test_without_header_rows_names_are_made_up() -> None:
    table = make_table("t", "", [], [["a", "1"], ["b", "2"]])
    assert (table.header, table.has_header) == (("column 1", "column 2"), False)
    assert len(table.notes) == 1
    assert make_table("t", "", [["", " "]], [["a", "1"]]).has_header is False


def test_repeated_and_empty_names_are_made_distinct() -> None:
    table = make_table("t", "", [["P", "P", "", "P (2)", "P", "column 3"]], [["1", "2", "3", "4", "5", "6"]])
    assert len(set(table.header)) == table.columns == 6
    assert all(table.header)
    # Names that the source gives once, or first, stay as they are.
    assert [table.header[number] for number in (0, 3, 5)] == ["P", "P (2)", "column 3"]
    assert len(table.notes) == 2


def test_ragged_rows_are_filled_up_and_counted() -> None:
    table = make_table("t", "", [["a", "b"]], [["1"], ["1", "2", "3", " "], []])
    assert (table.columns, table.padded) == (3, 5)
    assert table.header == ("a", "b", "column 3")
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["1", "", ""],
        ["1", "2", "3"],
        ["", "", ""],
    ]
    assert any("short rows: 5, in rows: 2" in note for note in table.notes)


@pytest.mark.parametrize("rows", [[], [[]], [["", " "]], [[], ["\t"]]])
def test_an_empty_table_is_refused(rows: list[list[str]]) -> None:
    with pytest.raises(EmptyTableError, match="'t'"):
        make_table("t", "caption", [["a", "b"]], rows)


def test_what_is_beyond_the_limits_is_cut_and_noted() -> None:
    table = make_table("t", "", [], [["x"] * (MAXIMUM_COLUMNS + 5), ["y" * (MAXIMUM_CELL_CHARACTERS + 1)]])
    assert table.columns == MAXIMUM_COLUMNS
    assert len(table.rows[1][0].raw) == MAXIMUM_CELL_CHARACTERS
    assert any("columns beyond" in note and note.endswith("5") for note in table.notes)
    assert any("cells cut" in note and note.endswith("1") for note in table.notes)


@pytest.mark.parametrize(
    ("first", "second", "label"),
    [
        (["ours", "theirs", "+RC (4)"], ["1", "2", "3"], 0),
        # Models may come again in another group of rows.
        (["A", "B", "A", "B"], ["1", "2", "3", "4"], 0),
        (["1", "2", "3"], ["Ann", "Bob", "Cy"], 1),
        (["2001", "2002", "2003"], ["Ann", "Bob", "Cy"], 0),
        (["2001", "2001", "2001"], ["Ann", "Bob", "Cy"], 1),
        (["2007-11", "2011-15", "2015-19"], ["4", "5", "6"], 0),
        (["1", "2", "3"], ["0.1", "0.2", "0.3"], 0),
        (["0 - 4", "5 - 9", "10 - 14"], ["0.1", "0.2", "0.3"], 0),
        (["0.5", "0.6", "0.7"], ["0.1", "0.2", "0.3"], None),
        (["x", "x", "x", "x"], ["1", "2", "3", "4"], None),
        (["w 3-1", "l 1-2", "w 2-0"], ["Ann", "Bob", "Cy"], 1),
    ],
)
def test_the_column_that_names_the_rows(first: list[str], second: list[str], label: int | None) -> None:
    table = make_table("t", "", [["a", "b"]], list(zip(first, second, strict=True)))
    assert table.label_column == label
    assert table.label(0) == ("" if label is None else (first, second)[label][0])


def test_a_very_wide_table_is_made_in_seconds() -> None:
    numbers = random.Random(1)
    rows = [[f"{numbers.random():.6f}" for _ in range(16_000)] for _ in range(10)]
    started = time.process_time()
    table = make_table("t", "", [["gene"] * 16_000], rows)
    assert time.process_time() - started < 8
    assert len(set(table.header)) == 16_000
    assert table.rows[9][15_999].value.number == float(rows[9][15_999])


ROWS = st.lists(st.lists(st.text(max_size=8), max_size=6), max_size=6)


@given(header_rows=ROWS, rows=ROWS)
def test_ragged_input_makes_an_even_table_that_keeps_every_text(
    header_rows: list[list[str]], rows: list[list[str]]
) -> None:
    assume(any(cell.strip() for row in rows for cell in row))
    table = make_table("t", "", header_rows, rows)
    assert {len(row) for row in table.rows} == {table.columns}
    assert len(table.rows) == len(rows)
    assert len(set(table.header)) == table.columns
    assert all(table.header)
    for made, given_row in zip(table.rows, rows, strict=True):
        raws = [cell.raw for cell in made]
        assert raws[: len(given_row)] == given_row[: table.columns]
        # Only cells of white space are beyond the last column.
        assert not any(cell.strip() for cell in given_row[table.columns :])
        assert not any(raws[len(given_row) :])
    assert table.padded == sum(max(0, table.columns - len(row)) for row in rows)
