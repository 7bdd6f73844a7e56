"""Files of a later version, with columns that tables do not have yet: refused by name, never replaced."""

from __future__ import annotations

import duckdb
import pyarrow as pa
import pytest

from evidence_assets.lake import catalogue, records
from evidence_assets.lake.declared_rows import unknown_columns
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.migration import require_current
from evidence_assets.lake.parquet import NewerLakeError
from evidence_assets.lake.schemas import MATERIALIZATIONS, TABLES_BY_NAME, TRIPLES
from evidence_assets_tests.testing.newer_lake import (
    Change,
    column_more,
    renamed,
    with_column,
    write_newer,
)
from evidence_assets_tests.testing.table_rows import table_of

PLACES = [{"kg": "k", "relation": relation} for relation in ("Eats", "IsA")]


def facts(place: dict[str, str]) -> pa.Table:
    sources = [{"source": "s", "record": "1", "licence": "CC0-1.0"}]
    return table_of(TRIPLES, {"triple_id": "t", "head": "fox", "tail": "vole", "sources": sources, **place})


@pytest.fixture
def written(lake: Lake) -> Lake:
    """Two partitions of triples."""
    for place in PLACES:
        lake.record(lake.write(TRIPLES, place, facts(place)), [], "run", "1")
    return lake


def sources_with_pages(count: int) -> pa.Array:
    return pa.array([[{"source": "s", "record": "1", "licence": "CC0-1.0", "page": 7}]] * count)


UNKNOWN: dict[str, tuple[Change, str]] = {
    "more": (column_more, "column mood is unknown here"),
    "renamed": (renamed("head", "subject"), "column subject is unknown here"),
    "other type": (
        with_column("weight", lambda count: pa.array(["heavy"] * count)),
        "column weight is string, not double",
    ),
    "field more": (with_column("sources", sources_with_pages), "column sources.page is unknown here"),
    "two": (
        lambda rows: column_more(renamed("tail", "object")(rows)),
        "column object is unknown here, column mood is unknown here",
    ),
}


@pytest.mark.parametrize(("change", "unknown"), UNKNOWN.values(), ids=UNKNOWN)
def test_a_file_with_columns_of_a_later_version_is_refused_and_left_as_it_is(
    written: Lake, change: Change, unknown: str
) -> None:
    file = write_newer(written, TRIPLES, PLACES[0], change)
    content = file.read_bytes()
    other = facts(PLACES[0]).slice(0, 0)
    for use in (
        lambda: written.read(TRIPLES, PLACES[0]),
        lambda: written.read(TRIPLES, PLACES[0], ["triple_id"]),
        lambda: written.read_partitions(TRIPLES, PLACES),
        lambda: written.scan(TRIPLES, PLACES[0]),
        lambda: written.version(TRIPLES, PLACES[0]),
        lambda: written.write(TRIPLES, PLACES[0], other),
        lambda: require_current(written),
    ):
        with pytest.raises(NewerLakeError) as raised:
            use()
        assert str(raised.value) == (
            f"{file}: a later version wrote the file: {unknown}; remedy: use that version or one after it"
        )
    assert file.read_bytes() == content and [path.name for path in file.parent.iterdir()] == [file.name]
    assert written.read(TRIPLES, PLACES[1]).num_rows == 1


def test_records_of_a_later_version_are_refused(written: Lake) -> None:
    [place, _] = written.partitions(MATERIALIZATIONS)
    file = write_newer(written, MATERIALIZATIONS, place, column_more)
    for use in (
        lambda: records.all_records(written),
        lambda: require_current(written, [MATERIALIZATIONS.name]),
    ):
        with pytest.raises(NewerLakeError, match="column mood is unknown here") as raised:
            use()
        assert str(file) in str(raised.value)


def test_a_partition_of_a_later_version_is_not_stood_in_for_by_an_unchanged_one(written: Lake) -> None:
    """What a run writes is compared with what stands: equal rows in the columns known here are not equal."""
    write_newer(written, TRIPLES, PLACES[0], column_more)
    with pytest.raises(NewerLakeError):
        written.write(TRIPLES, PLACES[0], facts(PLACES[0]))


def test_views_pass_over_columns_that_they_are_not_told(written: Lake) -> None:
    write_newer(written, TRIPLES, PLACES[0], column_more)
    with catalogue.connect(written) as connection:
        assert connection.execute("SELECT kg, head FROM triples ORDER BY relation").fetchall() == [
            ("k", "fox"),
            ("k", "fox"),
        ]


def test_a_query_that_fails_on_another_type_names_the_file(written: Lake) -> None:
    change, unknown = UNKNOWN["other type"]
    file = write_newer(written, TRIPLES, PLACES[0], change)
    with pytest.raises(NewerLakeError) as raised, catalogue.connect(written) as connection:
        connection.execute("SELECT weight FROM triples").fetchall()
    assert str(file) in str(raised.value) and unknown in str(raised.value)
    assert raised.value.__cause__ is None and raised.value.__suppress_context__
    file.unlink()
    with pytest.raises(duckdb.ConversionException), catalogue.connect(written) as connection:
        connection.execute("SELECT CAST('x' AS INTEGER)").fetchall()


TEXT, REAL = pa.string(), pa.float32()


@pytest.mark.parametrize(
    ("kind", "declared"),
    [
        (pa.large_string(), TEXT),
        (pa.dictionary(pa.int32(), TEXT), TEXT),
        (pa.large_list(pa.field("element", TEXT, False)), pa.list_(TEXT)),
        (pa.list_(pa.float16(), 2), pa.list_(REAL)),
        (pa.list_(REAL, 384), pa.list_(REAL)),
        (pa.list_(pa.struct({"a": TEXT})), pa.list_(pa.struct({"a": TEXT, "b": REAL}))),
    ],
    ids=str,
)
def test_encodings_and_what_an_earlier_version_lacks_are_known(
    kind: pa.DataType, declared: pa.DataType
) -> None:
    """One direction alone: what lacks a field is earlier, what has one more is later."""
    columns = pa.schema({"x": declared, "y": TEXT})
    assert unknown_columns(pa.schema({"x": kind}), columns) == []
    assert unknown_columns(pa.schema({"x": pa.list_(kind)}), columns) != []


def test_every_table_knows_its_own_columns(lake: Lake) -> None:
    for table in TABLES_BY_NAME.values():
        place = dict.fromkeys(table.partition_columns, "x")
        written = lake.write(table, place, table.schema.empty_table())
        assert lake.version(table, place) == written.version
