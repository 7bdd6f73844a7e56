"""Deserialization of the lake's `tables` rows; `table_rows` writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from evidence_assets.tables.cell_text import clean_text
from evidence_assets.tables.table import Cell, Kind, Table, Value


def tables_by_id(rows: pa.Table) -> dict[str, Table]:
    """Return the tables of `tables` rows, by id."""
    return {row["table_id"]: table_of(row) for row in rows.to_pylist()}


def table_of(row: Mapping[str, Any]) -> Table:
    """Return one row's table."""
    cells = tuple(
        tuple(Cell(raw, clean_text(raw), _value(typed)) for raw, typed in zip(raws, types, strict=True))
        for raws, types in zip(row["rows"], row["typed_rows"], strict=True)
    )
    return Table(
        row["table_id"],
        row["caption"],
        tuple(row["header"]),
        cells,
        row["label_column"],
        row["has_header"] is not False,
        row["padded"] or 0,
        tuple(row["notes"] or ()),
    )


def _value(typed: Mapping[str, Any]) -> Value:
    return Value(
        Kind(typed["kind"]),
        typed["number"],
        typed["unit"] or "",
        typed["low"],
        typed["high"],
        typed["error"],
        typed["date"] or "",
        tuple(typed["numbers"] or ()),
    )
