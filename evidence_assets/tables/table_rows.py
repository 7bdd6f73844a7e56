"""Serialization of published tables as rows of `tables`."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from evidence_assets.lake.schemas import TABLES
from evidence_assets.sources.records import TableRecord, table_id
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table, Value


def record_rows(
    source: str, records: Iterable[TableRecord], source_uri: str = "", licence: str = ""
) -> pa.Table:
    """Return the rows of tables as published, each table once.

    Raises:
        EmptyTableError: a table holds nothing.
    """
    rows = {}
    for record in records:
        identifier = table_id(record)
        if identifier not in rows:
            table = make_table(identifier, record.caption, record.header_rows, record.rows, record.notes)
            rows[identifier] = {
                **_columns(table),
                "source": source,
                "key": record.key,
                "source_uri": source_uri,
                "licence": licence,
            }
    return pa.Table.from_pylist(list(rows.values()), schema=TABLES.schema)


def _columns(table: Table) -> dict[str, object]:
    return {
        "table_id": table.table_id,
        "caption": table.caption,
        "header": list(table.header),
        "rows": [[cell.raw for cell in row] for row in table.rows],
        "typed_rows": [[_typed(cell.value) for cell in row] for row in table.rows],
        "label_column": table.label_column,
        "has_header": table.has_header,
        "padded": table.padded,
        "notes": list(table.notes),
    }


def _typed(value: Value) -> dict[str, object]:
    return {name: getattr(value, name) for name in Value.__slots__} | {"kind": value.kind.value}
