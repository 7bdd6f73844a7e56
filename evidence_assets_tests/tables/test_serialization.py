"""Tables through the lake: what is read is what was made."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import TABLES
from evidence_assets.sources.records import TableRecord, table_id
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.serialization import table_of, tables_by_id
from evidence_assets.tables.table import Kind, Table
from evidence_assets.tables.table_rows import record_rows
from evidence_assets_tests.testing.profiles import examples

PLACE = {"source": "s"}
# Every kind of cell, and what surrounds cells in published files.
SAMPLES = (
    "", " ", "Quebec", "94", "1,678", "12.5 %", "-3", "−3", "5 ± 2", "2.1 (0.3)", "10-20", "2011",
    "July 2011", "4 July 2011", "2011-07-04", "11 - 7", "Group 2", "[BOLD] 0.9", "<b>x</b>",
    "$5", "1e400", "nan", "n/a",
    "94 *", "a | b", "x\ny", "\u00a0", "½", "٣", "Zürich", "\U0001f9a6", "'", '"', "[E1]", "[R1.C1]",
)  # fmt: skip
# Files hold no halves of surrogate pairs.
TEXTS = st.one_of(st.sampled_from(SAMPLES), st.text(st.characters(blacklist_categories=["Cs"]), max_size=12))
GRIDS = st.lists(st.lists(TEXTS, max_size=5), min_size=1, max_size=5)


def through_the_lake(record: TableRecord, folder: Path) -> Table:
    lake = Lake(str(folder))
    lake.write(TABLES, PLACE, record_rows("s", [record], "s.csv", "CC0-1.0"))
    [(key, table)] = tables_by_id(lake.read(TABLES, PLACE)).items()
    assert key == table.table_id
    return table


def made(record: TableRecord) -> Table:
    return make_table(table_id(record), record.caption, record.header_rows, record.rows)


@examples(60)
@given(TEXTS, st.lists(st.lists(TEXTS, max_size=5), max_size=2), GRIDS)
def test_a_table_comes_back_from_the_lake_as_it_was_made(
    caption: str, header: list[list[str]], rows: list[list[str]]
) -> None:
    # One cell that holds something, else there is no table.
    filled_rows = [*rows, ["Quebec"]]
    record = TableRecord("t", caption, tuple(map(tuple, header)), tuple(map(tuple, filled_rows)))
    with tempfile.TemporaryDirectory() as folder:
        assert through_the_lake(record, Path(folder)) == made(record)


def test_every_kind_of_cell_comes_back(tmp_path: Path) -> None:
    record = TableRecord("t", "Kinds", (("value",),), tuple((text,) for text in SAMPLES))
    table = through_the_lake(record, tmp_path)
    assert table == made(record)
    assert {cell.value.kind for cell in table.column(0)} == set(Kind)
    assert [cell.raw for cell in table.column(0)] == list(SAMPLES)


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ((), (("Quebec", "94"), ("Ontario", "53"))),
        ((("", "F1", "F1"), ("LR", "P", "")), (("Quebec", "94"), ("Ontario",))),
        ((("k", "v"),), (("1.5", "2"), ("1.5", "2"))),
    ],
    ids=["no header", "ragged", "no labels"],
)
def test_what_was_mended_comes_back(
    tmp_path: Path, header: tuple[tuple[str, ...], ...], rows: tuple[tuple[str, ...], ...]
) -> None:
    record = TableRecord("t", "c", header, rows)
    table = through_the_lake(record, tmp_path)
    assert table == made(record)
    assert table.has_header == bool(header)
    assert bool(table.notes) == (table.padded > 0 or not table.has_header)
    assert (table.label_column is None) == (rows[0][0] == "1.5")


def test_a_row_of_a_lake_that_lacks_what_is_optional_is_a_table() -> None:
    record = TableRecord("t", "c", (("k", "v"),), (("Quebec", "94"),))
    [row] = record_rows("s", [record]).to_pylist()
    bare = {**row, "has_header": None, "padded": None, "notes": None}
    assert table_of(bare) == made(record)


def test_tables_are_found_by_their_ids(tmp_path: Path) -> None:
    records = [TableRecord(key, "c", (("k",),), ((key,),)) for key in ("a", "b")]
    lake = Lake(str(tmp_path))
    lake.write(TABLES, PLACE, record_rows("s", [*records, records[0]]))
    by_id = tables_by_id(lake.read(TABLES, PLACE))
    assert by_id == {table_id(record): made(record) for record in records}
    assert tables_by_id(TABLES.schema.empty_table()) == {}
