"""Titles, several rows of names and notes in CSV files and sheets, and the marks between cells."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import openpyxl
import pytest

from evidence_assets.sources.records import TableRecord
from evidence_assets.sources.tables.registry import read_tables
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.programs import verify
from evidence_assets.tables.table_rows import record_rows
from evidence_assets_tests.testing.records_read import only_of

# The values of a row's cells.
Row: TypeAlias = Sequence[str | int | None]


def csv_record(tmp_path: Path, content: str) -> TableRecord:
    path = tmp_path / "t.csv"
    path.write_text(content, encoding="utf-8")
    return only_of(TableRecord, read_tables(str(path)))


def sheet_record(tmp_path: Path, rows: Sequence[Row], *merged: str) -> TableRecord:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for cells in merged:
        book.active.merge_cells(cells)
    book.save(tmp_path / "t.xlsx")
    return only_of(TableRecord, read_tables(str(tmp_path / "t.xlsx")))


def header_of(record: TableRecord) -> tuple[str, ...]:
    return make_table("t", record.caption, record.header_rows, record.rows).header


HARBOURS = "Harbour,2021,2022\nAnso,12,15\nBrevik,9,8\nCorran,20,22\n"


@pytest.mark.parametrize(
    ("above", "caption"),
    [
        ("Landings by harbour, west coast\n\n", "Landings by harbour, west coast"),
        ("Landings, by harbour\nin tonnes\n", "Landings, by harbour in tonnes"),
        ("Landings,,\n,,\n", "Landings"),
        ("", ""),
    ],
)
def test_a_title_with_a_comma_is_the_caption(tmp_path: Path, above: str, caption: str) -> None:
    record = csv_record(tmp_path, above + HARBOURS)
    assert record.caption == caption
    assert record.header_rows == (("Harbour", "2021", "2022"),)
    assert len(record.rows) == 3


def test_a_title_stands_above_names_of_which_the_first_is_empty(tmp_path: Path) -> None:
    record = csv_record(tmp_path, "Landings by harbour\n" + HARBOURS.replace("Harbour,", ",", 1))
    assert (record.caption, record.header_rows) == ("Landings by harbour", (("", "2021", "2022"),))


@pytest.mark.parametrize(
    "content",
    [
        "Harbour,Head\nAnso,Ida,x\nBrevik,Per,4\nCorran,Eva,6\n",
        "Harbour,Boats\nAnso,n/a,n/a\nBrevik,3,4\nCorran,5,6\n",
        ",Boats,,Nets\nAnso,n/a,n/a,n/a\nBrevik,3,4,5\nCorran,5,6,7\n",
        "Harbour,,Crew\nAnso,x,unknown\nBrevik,y,5\nCorran,z,6\n",
        "Harbour,Born,,Died\nAnso,1900,x,1950\nBrevik,1910,y,1960\n",
    ],
    ids=["a name too few", "nothing known of the first", "gaps", "a word for a number", "years"],
)
def test_rows_that_only_look_like_names_are_rows(tmp_path: Path, content: str) -> None:
    record = csv_record(tmp_path, content)
    assert (record.caption, len(record.header_rows)) == ("", 1)
    assert len(record.rows) == content.count("\n") - 1


@pytest.mark.parametrize(
    ("content", "header"),
    [
        (
            ",Boats,,Catch (t),\nHarbour,2021,2022,2021,2022\nAnso,4,5,12,15\nBrevik,3,3,9,8\n",
            ("Harbour", "Boats 2021", "Boats 2022", "Catch (t) 2021", "Catch (t) 2022"),
        ),
        (
            "Fleets, by size\nHarbour,Small,,Big,\n,owned,hired,owned,hired\nAnso,4,5,2,1\nBrevik,3,3,0,8\n",
            ("Harbour", "Small owned", "Small hired", "Big owned", "Big hired"),
        ),
    ],
)
def test_two_rows_name_the_columns_where_the_second_fills_the_gaps_of_the_first(
    tmp_path: Path, content: str, header: tuple[str, ...]
) -> None:
    assert header_of(csv_record(tmp_path, content)) == header


def test_names_of_a_sheet_reach_as_far_down_as_its_merged_cells(tmp_path: Path) -> None:
    rows: list[Row] = [
        ["Fleets", None, None, None, None],
        ["Harbour", "Small", None, "Large", "Opened"],
        [None, "owned", "hired", "owned", None],
        ["Anso", 4, 5, 2, 1901],
        ["Brevik", 3, 3, 0, 1915],
    ]
    record = sheet_record(tmp_path, rows, "A1:E1", "A2:A3", "B2:C2", "E2:E3")
    assert record.caption == "Fleets"
    assert header_of(record) == ("Harbour", "Small owned", "Small hired", "Large owned", "Opened")
    table = make_table("t", record.caption, record.header_rows, record.rows)
    assert verify("Anso had 5 small hired boats.", table).supported is True
    assert verify("Anso had 4 small hired boats.", table).supported is not True


def test_three_rows_of_names_in_a_sheet(tmp_path: Path) -> None:
    rows: list[Row] = [
        ["Port", "Fleet", None, None],
        [None, "Small", None, "Large"],
        [None, "owned", "hired", "owned"],
        ["Anso", 4, 5, 2],
    ]
    record = sheet_record(tmp_path, rows, "A1:A3", "B1:D1", "B2:C2")
    assert header_of(record) == ("Port", "Fleet Small owned", "Fleet Small hired", "Fleet Large owned")


@pytest.mark.parametrize(
    ("rows", "merged"),
    [
        ([["Port", "Crew", None], ["Anso", 4, 5], ["Brevik", 6, 7]], ["B1:C1"]),
        ([["Port", "Skippers", None], ["Anso", "Ida", "Per"], ["Brevik", "Eva", "Jan"]], ["B1:C1"]),
        ([["Port", "Year", "Crew"], ["Anso", 2001, 4], [None, 2002, 5], ["Brevik", 2001, 3]], ["A2:A3"]),
    ],
    ids=["numbers under a name", "words alone", "merged rows"],
)
def test_rows_under_merged_cells_may_be_data(tmp_path: Path, rows: list[Row], merged: list[str]) -> None:
    record = sheet_record(tmp_path, rows, *merged)
    assert len(record.header_rows) == 1
    assert len(record.rows) == len(rows) - 1


@pytest.mark.parametrize("note", ["* estimated", "Source: the harbour masters", "Weights are after gutting"])
@pytest.mark.parametrize("commas", ["", ",,"])
def test_a_note_below_the_table_is_no_row(tmp_path: Path, note: str, commas: str) -> None:
    record = csv_record(tmp_path, f"{HARBOURS}{note}{commas}\n")
    assert (len(record.rows), record.notes) == (3, (note,))
    row = record_rows("t", [record]).to_pylist()[0]
    assert (len(row["rows"]), row["notes"][0]) == (3, f"below the table: {note}")


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (HARBOURS + "Dunmore,,\n", 4),
        (HARBOURS + "* estimated,1,2\n", 4),
        ("Harbour,Head\nAnso,Ida\nBrevik,\n* closed,\n", 3),
        ("Harbour,2021,2022\nWest,,\nAnso,12,15\n* closed,,\n", 3),
    ],
    ids=["a name of which nothing is told", "a filled row", "two columns", "rows above fill no more"],
)
def test_else_a_last_row_is_one(tmp_path: Path, content: str, rows: int) -> None:
    record = csv_record(tmp_path, content)
    assert (len(record.rows), record.notes) == (rows, ())


@pytest.mark.parametrize(
    "content",
    [
        "sep=;\nHarbour;Catch\nAnso;12,5\n",
        "SEP=|\r\nHarbour|Catch\r\nAnso|12,5\r\n",
        "Harbour;Catch\nAnso;12,5\n",
        'Harbour, place;Catch\n"Anso";12,5\nBrevik;9\n',
    ],
)
def test_the_mark_between_cells(tmp_path: Path, content: str) -> None:
    record = csv_record(tmp_path, content)
    assert record.header_rows[0][1] == "Catch"
    assert record.rows[0] == ("Anso", "12,5")
