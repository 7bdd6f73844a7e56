"""Columns of two or three measures, `Width × length in m`, `Staff (full / part time)`, taken apart."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.programs.index.columns.column_units import told_unit
from evidence_assets.tables.programs.index.derived.derived_tables import cell_of, values_of
from evidence_assets.tables.programs.wording.measures import names_a_dimension
from evidence_assets.tables.programs.wording.words import word_key
from evidence_assets.tables.table import Cell, Kind, Table

_TIMES = re.compile(r"\s*×\s*|\s+x\s+")
_SLASH = re.compile(r"\s*/\s*")
# What is told of a noun in parts: `Staff (full / part time)`.
_PARTS_OF_A_NOUN = re.compile(r"^([^()]+)\(([^()]+/[^()]+)\)\s*$")
# Behind the names stands the unit of all: `in mm`, `(cm)`, `, m`.
_UNIT = re.compile(r"(?:\s*[(,]\s*|\s+in\s+)([^\W\d_]+)\)?\s*$")
_LETTERS = {"l": "length", "w": "width", "h": "height", "d": "depth"}
_MOST_PARTS = 3


@dataclass(frozen=True, slots=True)
class PartedTable(Table):
    """A table with columns taken apart. `base`: it before; `sources`: of each column, which it was there.

    `is_told_apart`: its cells are never told whole, as `12 / 8` is not, but `12 × 8` is.
    """

    base: Table | None = None
    sources: tuple[int, ...] = ()
    is_told_apart: bool = False


def with_parts(table: Table) -> PartedTable | None:
    """Return a table with its first column of several measures taken apart; None where it has none."""
    for column in range(table.columns):
        header = table.header[column]
        parts_of_a_noun = _names_of_parts(header)
        names, mark = (parts_of_a_noun, _SLASH) if parts_of_a_noun else (_names(header), _TIMES)
        cells = [_parts(cell, len(names), mark) for cell in table.column(column)] if names else []
        if any(parts and any(parts) for parts in cells) and all(parts is not None for parts in cells):
            told_apart = mark is _SLASH
            return _parted(table, column, names, [parts or () for parts in cells], is_told_apart=told_apart)
    return None


def _names_of_parts(header: str) -> list[str]:
    """Return the parts of a noun with it: `full time Staff`, `part time Staff`; none of another header."""
    match = _PARTS_OF_A_NOUN.match(header)
    parts = [part.strip() for part in _SLASH.split(match[2])] if match else []
    if match is None or not 1 < len(parts) <= _MOST_PARTS or not all(parts):
        return []
    # What the parts are of stands with the last alone: the time of `full / part time`.
    shared = parts[-1].split()[1:] if all(len(part.split()) == 1 for part in parts[:-1]) else []
    kinds = [*(" ".join((part, *shared)) for part in parts[:-1]), parts[-1]]
    return [f"{kind} {match[1].strip()}" for kind in kinds]


def _names(header: str) -> list[str]:
    """Return what the measures of a header are, each with its unit; none where it tells only one."""
    if not _TIMES.search(header):
        return []
    inside = re.search(r"\(([^()]*[×x][^()]*)\)", header)
    text = inside[1] if inside else header
    unit = _UNIT.search(text)
    symbol = unit[1] if unit and told_unit(f"({unit[1]})").name else ""
    names = [
        _LETTERS.get(name.lower(), name)
        for name in _TIMES.split(text[: unit.start()] if symbol and unit else text)
    ]
    measured = [
        name for name in names if names_a_dimension([word_key(name.split()[-1].lower())] if name else [])
    ]
    if not measured or not all(names) or not 1 < len(names) <= _MOST_PARTS:
        return []
    return [f"{name} ({symbol})" if symbol and name in measured else name for name in names]


def _parts(cell: Cell, number: int, mark: re.Pattern[str]) -> tuple[str, ...] | None:
    """Return the measures of a cell; empty ones of an empty cell, None of a cell with other parts."""
    if cell.value.kind is Kind.EMPTY:
        return ("",) * number
    parts = tuple(mark.split(cell.text.strip()))
    numeric = all(parse_value(part).kind is Kind.NUMBER for part in parts)
    return parts if len(parts) == number and numeric else None


def _parted(
    table: Table, column: int, names: list[str], cells: list[tuple[str, ...]], *, is_told_apart: bool
) -> PartedTable:
    values = values_of(table)
    values["header"] = (*table.header[:column], *names, *table.header[column + 1 :])
    values["rows"] = tuple(
        (*row[:column], *map(cell_of, parts), *row[column + 1 :])
        for row, parts in zip(table.rows, cells, strict=True)
    )
    if table.label_column is not None and table.label_column > column:
        values["label_column"] = table.label_column + len(names) - 1
    before, behind = range(column), range(column + 1, table.columns)
    sources = (*before, *[column] * len(names), *behind)
    return PartedTable(**values, base=table, sources=sources, is_told_apart=is_told_apart)
