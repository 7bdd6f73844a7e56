"""Columns by whose values rows are looked for: a file is not read for a value that it does not hold."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import TABLES_BY_NAME, Table

SHELF = {"shelf": "a"}
COUNT = 500


@pytest.fixture
def sought(words: Table) -> Table:
    """The words are looked for by their note too; ten rows stand together in a file."""
    return replace(words, sought_by=("note",), rows_per_group=10)


def some_words() -> pa.Table:
    """Sorted by the word; the notes of any ten rows are spread over all."""
    return pa.table(
        {
            "word": pa.array([f"w{n:05}" for n in range(COUNT)]),
            "number": pa.array(range(COUNT), pa.int32()),
            "shelf": pa.array(["a"] * COUNT),
            "note": pa.array([f"note {n * 7919 % COUNT:05}" for n in range(COUNT)]),
        }
    )


def page_damaged(path: Path, row_group: int, column: int) -> None:
    """Turn over a row group's pages of one column; what tells of them stays."""
    described = pq.read_metadata(path).row_group(row_group).column(column)
    start = min(filter(None, (described.dictionary_page_offset, described.data_page_offset)))
    data = bytearray(path.read_bytes())
    end = start + described.total_compressed_size
    data[start:end] = bytes(byte ^ 0xFF for byte in data[start:end])
    path.write_bytes(data)


def end_damaged(path: Path, column: int) -> None:
    """Turn over the later half of the first row group's pages of one column."""
    described = pq.read_metadata(path).row_group(0).column(column)
    data = bytearray(path.read_bytes())
    start = min(filter(None, (described.dictionary_page_offset, described.data_page_offset)))
    end = start + described.total_compressed_size
    middle = (start + end) // 2
    data[middle:end] = bytes(byte ^ 0xFF for byte in data[middle:end])
    path.write_bytes(data)


@cache
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def words_with(path: Path, note: str, column: str = "note") -> list[tuple[object, ...]]:
    query = f"SELECT word FROM read_parquet(?) WHERE {column} = ?"
    return connection().execute(query, [str(path), note]).fetchall()


def test_rows_are_not_read_for_a_value_that_they_do_not_hold(lake: Lake, sought: Table) -> None:
    rows = some_words()
    path = Path(lake.write(sought, SHELF, rows).path)
    held = set(rows.column("note").slice(0, 10).to_pylist())
    page_damaged(path, 0, rows.column_names.index("note"))
    sample = [(row["word"], row["note"]) for row in rows.to_pylist()[::5]]
    answered = 0
    for word, note in sample:
        try:
            assert words_with(path, note) == [(word,)]
            answered += 1
            assert note not in held
        except duckdb.Error:
            continue  # what may stand there is looked for there
    assert answered >= 0.9 * len(sample)
    # Without it the least and the greatest value of ten rows exclude next to nothing.
    plain = Path(lake.write(replace(sought, sought_by=()), {"shelf": "b"}, in_shelf(rows, "b")).path)
    page_damaged(plain, 0, rows.column_names.index("note"))
    with pytest.raises(duckdb.Error):
        words_with(plain, "note 00250")


def test_rows_are_not_read_for_what_no_field_of_theirs_holds(lake: Lake, sought: Table) -> None:
    place = pa.field("place", pa.struct([pa.field("note", pa.string())]))
    table = replace(sought, schema=sought.schema.append(place), sought_by=("place.note",))
    rows = some_words()
    within = pa.StructArray.from_arrays([rows.column("note").combine_chunks()], fields=list(place.type))
    path = Path(lake.write(table, SHELF, rows.append_column(place, within)).path)
    page_damaged(path, 0, len(sought.schema.names))
    elsewhere = rows.column("note").to_pylist()[10::10]
    answered = 0
    for note in elsewhere:
        with suppress(duckdb.Error):  # what may stand there is looked for there
            assert len(words_with(path, note, "place.note")) == 1
            answered += 1
    assert answered >= 0.9 * len(elsewhere)


def in_shelf(rows: pa.Table, shelf: str) -> pa.Table:
    return rows.set_column(rows.column_names.index("shelf"), "shelf", pa.array([shelf] * rows.num_rows))


def test_the_version_is_the_same_and_the_bytes_are_those_of_the_rows(lake: Lake, sought: Table) -> None:
    first = lake.write(sought, SHELF, some_words())
    content = Path(first.path).read_bytes()
    assert not lake.write(sought, SHELF, some_words()).changed
    lake.delete(sought, SHELF)
    batches = some_words().to_batches(max_chunksize=7)
    again = lake.write(sought, SHELF, reversed(batches))
    assert Path(again.path).read_bytes() == content
    lake.delete(sought, SHELF)
    plain = lake.write(replace(sought, sought_by=()), SHELF, some_words())
    assert plain.version == first.version
    assert not lake.write(sought, SHELF, some_words()).changed, "the rows are there, without filters"


@pytest.mark.parametrize("row_group", [0, 25, 49])
def test_a_damaged_page_is_seen_and_mended(lake: Lake, sought: Table, row_group: int) -> None:
    path = Path(lake.write(sought, SHELF, some_words()).path)
    content = path.read_bytes()
    page_damaged(path, row_group, 0)
    assert lake.write(sought, SHELF, some_words()).changed
    assert path.read_bytes() == content


def test_a_table_without_rows_is_written(lake: Lake, sought: Table) -> None:
    lake.write(sought, SHELF, sought.schema.empty_table())
    assert lake.read(sought, SHELF).num_rows == 0


def test_what_tables_are_sought_by_are_texts_of_theirs() -> None:
    for table in TABLES_BY_NAME.values():
        for path in table.sought_by:
            kind: pa.DataType = pa.struct(table.schema)
            for name in path.split("."):
                kind = kind.field(name).type
            assert kind == pa.string()


def test_of_a_row_group_the_pages_with_the_row_are_read(lake: Lake, words: Table) -> None:
    count = words.rows_per_group
    keys = pa.array([f"w{number:05}" for number in range(count)])
    notes = pa.array([f"{number * 7919 % count:032}" for number in range(count)])
    numbers, shelves = pa.array(range(count), pa.int32()), pa.array([SHELF["shelf"]] * count)
    rows = pa.table({"word": keys, "number": numbers, "shelf": shelves, "note": notes})
    path = Path(lake.write(words, SHELF, rows).path)
    end_damaged(path, 3)

    def note_of(number: int) -> str:
        query = "SELECT note FROM read_parquet(?) WHERE word = ?"
        [[note]] = connection().execute(query, [str(path), f"w{number:05}"]).fetchall()
        return str(note)

    assert note_of(0) == notes[0].as_py()
    with pytest.raises(duckdb.Error):
        note_of(count - 1)
