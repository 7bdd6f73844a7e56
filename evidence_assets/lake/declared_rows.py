"""Rows that fit their table: its columns and types, sorted by key, each key once, in groups of one size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.lake.full_disk import told_when_full
from evidence_assets.lake.schemas import ROWS_PER_GROUP, Table

# Above this much Arrow data a table is sorted on disk instead of in memory.
IN_MEMORY_SORT_BYTES = 192 << 20
_MOST_BUCKETS = 256


class TableContractError(Exception):
    """Rows do not fit their table's declaration: names the table, the column or key, and the remedy."""


def conform(data: pa.Table | pa.RecordBatch, table: Table) -> pa.Table:
    """Return the rows with exactly the declared columns and types.

    A vector column may be a fixed-size list of float16 or float32 where the declaration says list of
    float32: the width belongs to the encoder, not to the table.

    Raises:
        TableContractError: a column is missing, unknown, of another type, or null where it must not be.
    """
    rows = pa.Table.from_batches([data]) if isinstance(data, pa.RecordBatch) else data
    declared = set(table.schema.names)
    missing, unknown = declared - set(rows.column_names), set(rows.column_names) - declared
    if missing or unknown:
        raise TableContractError(
            f"table {table.name}: missing columns {sorted(missing)}, unknown columns {sorted(unknown)}; "
            "remedy: give exactly the columns declared in lake/schemas"
        )
    columns, fields = [], []
    for declared_field in table.schema:
        column = rows.column(declared_field.name)
        kind = column.type if _is_vector(column.type, declared_field.type) else declared_field.type
        try:
            column = column.cast(kind)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
            raise TableContractError(
                f"table {table.name}, column {declared_field.name}: {error}; "
                f"remedy: give {declared_field.type}"
            ) from error
        if not declared_field.nullable and column.null_count:
            raise TableContractError(
                f"table {table.name}, column {declared_field.name}: {column.null_count} nulls in a required "
                "column; remedy: reject those records, with a reason, before writing"
            )
        columns.append(column)
        fields.append(declared_field.with_type(kind))
    return pa.Table.from_arrays(columns, schema=pa.schema(fields, metadata=table.schema.metadata))


def _is_vector(actual: pa.DataType, declared: pa.DataType) -> bool:
    return (
        pa.types.is_fixed_size_list(actual)
        and pa.types.is_list(declared)
        and pa.types.is_floating(declared.value_type)
        and actual.value_type in (pa.float16(), pa.float32())
    )


def unknown_columns(written: pa.Schema, declared: pa.Schema) -> list[str]:
    """Return what of a file's columns a declaration does not know, in words.

    Columns, and fields of structs, that the file lacks count for nothing, nor does how its texts, lists and
    vectors are encoded.
    """
    if written.equals(declared):
        return []
    return list(_unknown_fields("", written, declared))


def _unknown_fields(within: str, written: Iterable[pa.Field], declared: Iterable[pa.Field]) -> Iterator[str]:
    known = {field.name: field.type for field in declared}
    for field in written:
        name = f"{within}{field.name}"
        if field.name in known:
            yield from _unknown_types(name, field.type, known[field.name])
        else:
            yield f"column {name} is unknown here"


def _unknown_types(name: str, written: pa.DataType, declared: pa.DataType) -> Iterator[str]:
    if pa.types.is_dictionary(written):
        written = written.value_type
    if written == declared or (_is_text(written) and _is_text(declared)) or _is_vector(written, declared):
        return
    if _is_list(written) and _is_list(declared):
        yield from _unknown_types(name, written.value_type, declared.value_type)
    elif pa.types.is_struct(written) and pa.types.is_struct(declared):
        yield from _unknown_fields(f"{name}.", written, declared)
    else:
        yield f"column {name} is {written}, not {declared}"


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _is_list(kind: pa.DataType) -> bool:
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def sorted_groups(
    batches: Iterable[pa.Table | pa.RecordBatch], table: Table, spill: Path
) -> Iterator[pa.Table]:
    """Yield the rows in the table's groups, sorted by its key; the last group may be smaller.

    Past `IN_MEMORY_SORT_BYTES` they are sorted in the folder `spill`; the same rows give the same groups.

    Raises:
        TableContractError: the rows do not fit the table, or two share a key.
    """
    previous = None
    conforming = (conform(batch, table) for batch in batches)
    for group in row_groups(_sorted_batches(conforming, table, spill), table.rows_per_group):
        previous = check_sorted(group, table, previous)
        yield group


def _sorted_batches(batches: Iterator[pa.Table], table: Table, spill: Path) -> Iterator[pa.Table]:
    buffered: list[pa.Table] = []
    buffered_bytes = 0
    for batch in batches:
        buffered.append(batch)
        buffered_bytes += batch.nbytes
        if buffered_bytes > IN_MEMORY_SORT_BYTES:
            yield from _sorted_on_disk(buffered, batches, table, spill)
            return
    if buffered:
        try:
            joined = pa.concat_tables(buffered)
        except pa.ArrowInvalid as error:
            raise _different_types(table, error) from error
        yield joined.sort_by(_order(table))


def _different_types(table: Table, error: Exception) -> TableContractError:
    return TableContractError(
        f"table {table.name}: batches of different types: {error}; remedy: give every vector one width"
    )


def _sorted_on_disk(
    buffered: list[pa.Table], remaining: Iterator[pa.Table], table: Table, spill: Path
) -> Iterator[pa.Table]:
    """Sort by buckets: the keys decide each row's rank, ranks decide its bucket, a bucket fits in memory.

    Rows that come in their order are not sorted again: no more of them than a batch is in memory.
    """
    schema = buffered[0].schema
    total_bytes, last, in_order = 0, None, True
    with _spill_writer(spill / "unsorted.arrow", schema) as unsorted:
        while (batch := buffered.pop(0) if buffered else next(remaining, None)) is not None:
            try:
                unsorted.write_table(batch)
            except (pa.ArrowInvalid, pa.ArrowTypeError, ValueError) as error:
                raise _different_types(table, error) from error
            total_bytes += batch.nbytes
            if in_order and batch.num_rows:
                in_order, last = _follows(batch.select(list(table.key)), table, last)
    if in_order:
        yield from _spilled(spill / "unsorted.arrow")
        return
    keys = [batch.select(list(table.key)) for batch in _spilled(spill / "unsorted.arrow")]
    order = pc.sort_indices(pa.concat_tables(keys).combine_chunks(), _order(table)).to_numpy()
    keys.clear()
    buckets = min(-(-2 * total_bytes // IN_MEMORY_SORT_BYTES), _MOST_BUCKETS)
    bucket_of = np.empty(len(order), dtype=np.int32)
    bucket_of[order] = np.arange(len(order)) * buckets // max(len(order), 1)
    paths = [spill / f"bucket-{number}.arrow" for number in range(buckets)]
    with ExitStack() as stack:
        writers = [stack.enter_context(_spill_writer(path, schema)) for path in paths]
        start = 0
        for batch in _spilled(spill / "unsorted.arrow"):
            numbers = bucket_of[start : start + batch.num_rows]
            start += batch.num_rows
            for number in np.unique(numbers).tolist():
                writers[number].write_table(batch.filter(pa.array(numbers == number)))
    (spill / "unsorted.arrow").unlink()
    for path in paths:
        bucket = pa.concat_tables([schema.empty_table(), *_spilled(path)])
        path.unlink()
        yield bucket.sort_by(_order(table))


def _follows(keys: pa.Table, table: Table, last: tuple[Any, ...] | None) -> tuple[bool, tuple[Any, ...]]:
    """Tell whether keys ascend, and from the last key of the rows before on; return their own last key."""
    order = pc.sort_indices(keys, _order(table)).to_numpy()
    first, final = (tuple(keys.slice(row, 1).to_pylist()[0].values()) for row in (0, keys.num_rows - 1))
    ascend = bool((order[1:] > order[:-1]).all()) and (last is None or last < first)
    return ascend, final


def _order(table: Table) -> list[tuple[str, str]]:
    return [(column, "ascending") for column in table.key]


@contextmanager
def _spill_writer(path: Path, schema: pa.Schema) -> Iterator[Any]:
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with told_when_full(path.parent), pa.ipc.new_stream(path, schema, options=options) as writer:
        yield writer


def _spilled(path: Path) -> Iterator[pa.Table]:
    # Not memory-mapped: mapped pages would count as this process's memory.
    with pa.OSFile(str(path)) as file, pa.ipc.open_stream(file) as reader:
        for batch in reader:
            yield pa.Table.from_batches([batch])


def row_groups(batches: Iterator[pa.Table], rows_per_group: int = ROWS_PER_GROUP) -> Iterator[pa.Table]:
    """Cut the rows into groups of one size, so that the bytes do not depend on how the rows arrived."""
    buffered: list[pa.Table] = []
    buffered_rows = 0
    for batch in batches:
        start = 0
        while start < batch.num_rows:
            piece = batch.slice(start, rows_per_group - buffered_rows)
            buffered.append(piece)
            buffered_rows += piece.num_rows
            start += piece.num_rows
            if buffered_rows == rows_per_group:
                yield pa.concat_tables(buffered).combine_chunks()
                buffered, buffered_rows = [], 0
    if buffered:
        yield pa.concat_tables(buffered).combine_chunks()


def check_sorted(rows: pa.Table, table: Table, previous: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    """Check that rows are sorted and unique by the table's key; return the last key.

    `previous` is the last key of the rows before these, None at the start.

    Raises:
        TableContractError: two rows share a key, or are out of order.
    """
    if not table.key or rows.num_rows == 0:
        return previous
    columns = [rows.column(name).combine_chunks() for name in table.key]
    before = [column.slice(0, rows.num_rows - 1) for column in columns]
    after = [column.slice(1) for column in columns]
    # Ascending: the first column that differs is greater in the later row. Built from the last column.
    ascending = pa.array([False] * (rows.num_rows - 1), pa.bool_())
    for earlier, later in zip(reversed(before), reversed(after), strict=True):
        ascending = pc.or_(pc.greater(later, earlier), pc.and_(pc.equal(later, earlier), ascending))
    first = tuple(column[0].as_py() for column in columns)
    wrong = pc.index(ascending, False).as_py() if len(ascending) else -1
    if wrong >= 0 or (previous is not None and first <= previous):
        key = first if wrong < 0 else tuple(column[wrong + 1].as_py() for column in columns)
        raise TableContractError(
            f"table {table.name}: the row with key {dict(zip(table.key, key, strict=True))} repeats the one "
            "before it or is out of order; remedy: drop or reject the duplicate before writing"
        )
    return tuple(column[-1].as_py() for column in columns)
