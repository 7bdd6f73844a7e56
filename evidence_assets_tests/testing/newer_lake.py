"""Lakes as a later version may write them: columns of its own, under the content hashes of today."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.parquet import CONTENT_HASH_KEY, SCHEME_KEY
from evidence_assets.lake.row_hash import SCHEME, row_hash
from evidence_assets.lake.schemas import Table

Change = Callable[[pa.Table], pa.Table]


def column_more(rows: pa.Table) -> pa.Table:
    return rows.append_column("mood", pa.array(["calm"] * rows.num_rows, pa.string()))


def renamed(column: str, name: str) -> Change:
    return lambda rows: rows.rename_columns([name if each == column else each for each in rows.column_names])


def with_column(column: str, values: Callable[[int], pa.Array]) -> Change:
    """Return what puts other values, of as many rows, in a column's place."""
    return lambda rows: rows.set_column(rows.column_names.index(column), column, values(rows.num_rows))


def write_newer(lake: Lake, table: Table, place: Mapping[str, str], change: Change) -> Path:
    """Change what stands in a partition as a later version would write it; return the file."""
    file = Path(lake.file(table, place))
    rows = change(pq.ParquetFile(file).read())
    with pq.ParquetWriter(file, rows.schema) as writer:
        writer.write_table(rows)
        writer.add_key_value_metadata({CONTENT_HASH_KEY: row_hash(rows), SCHEME_KEY: SCHEME})
    return file
