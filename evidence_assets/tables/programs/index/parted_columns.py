"""Columns of two or three measures, `Width × length in m`, taken apart: each measure becomes a column."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.programs.index.column_units import told_unit
from evidence_assets.tables.programs.wording.measures import names_a_dimension
from evidence_assets.tables.programs.wording.words import word_key
from evidence_assets.tables.table import EMPTY_CELL, Cell, Kind, Table

_TIMES = re.compile(r"\s*×\s*|\s+x\s+")
# Behind the names stands the unit of all: `in mm`, `(cm)`, `, m`.
_UNIT = re.compile(r"(?:\s*[(,]\s*|\s+in\s+)([^\W\d_]+)\)?\s*$")
_LETTERS = {"l": "length", "w": "width", "h": "height", "d": "depth"}
_MOST_PARTS = 3


@dataclass(frozen=True, slots=True)
class PartedTable(Table):
    """A table with columns taken apart. `base`: it before; `sources`: of each column, which it was there."""

    base: Table | None = None
    sources: tuple[int, ...] = ()


def with_parts(table: Table) -> PartedTable | None:
    """Return a table with its first column of several measures taken apart; None where it has none."""
    for column in range(table.columns):
        names = _names(table.header[column])
        cells = [_parts(cell, len(names)) for cell in table.column(column)] if names else []
        if names and any(cells) and all(parts is not None for parts in cells):
            return _parted(table, column, names, [parts or () for parts in cells])
    return None


def _names(header: str) -> list[str]:
    """Return what the measures of a header are, each with its unit; none where it tells only one."""
    if not _TIMES.search(header):
        return []
    inside = re.search(r"\(([^()]*[×x][^()]*)\)", header)
    text = inside[1] if inside else header
    unit = _UNIT.search(text)
    told = unit[1] if unit and told_unit(f"({unit[1]})").name else ""
    names = [
        _LETTERS.get(name.lower(), name)
        for name in _TIMES.split(text[: unit.start()] if told and unit else text)
    ]
    measured = [
        name for name in names if names_a_dimension([word_key(name.split()[-1].lower())] if name else [])
    ]
    if not measured or not all(names) or not 1 < len(names) <= _MOST_PARTS:
        return []
    return [f"{name} ({told})" if told and name in measured else name for name in names]


def _parts(cell: Cell, number: int) -> tuple[str, ...] | None:
    """Return the measures of a cell; empty ones of an empty cell, None of a cell with other parts."""
    if cell.value.kind is Kind.EMPTY:
        return ("",) * number
    parts = tuple(_TIMES.split(cell.text.strip()))
    numeric = all(parse_value(part).kind is Kind.NUMBER for part in parts)
    return parts if len(parts) == number and numeric else None


def _parted(table: Table, column: int, names: list[str], cells: list[tuple[str, ...]]) -> PartedTable:
    values = {field.name: getattr(table, field.name) for field in fields(Table)}
    values["header"] = (*table.header[:column], *names, *table.header[column + 1 :])
    values["rows"] = tuple(
        (*row[:column], *map(_cell, parts), *row[column + 1 :])
        for row, parts in zip(table.rows, cells, strict=True)
    )
    if table.label_column is not None and table.label_column > column:
        values["label_column"] = table.label_column + len(names) - 1
    before, behind = range(column), range(column + 1, table.columns)
    return PartedTable(**values, base=table, sources=(*before, *[column] * len(names), *behind))


def _cell(text: str) -> Cell:
    return Cell(text, text, parse_value(text)) if text else EMPTY_CELL
