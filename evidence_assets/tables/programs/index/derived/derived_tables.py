"""Tables with columns that follow from others, and what such tables are made of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.table import EMPTY_CELL, Cell, Table


@dataclass(frozen=True, slots=True)
class DerivedTable(Table):
    """A table with last columns that each follow from two others.

    `base`: it without; `ends`: of each the two columns.
    """

    base: Table | None = None
    ends: tuple[tuple[int, int], ...] = ()

    def sources(self, column: int) -> tuple[int, ...]:
        """Return the columns of the base that a column is of."""
        first = self.columns - len(self.ends)
        return (column,) if column < first else self.ends[column - first]


def with_columns(
    table: Table, names: Sequence[str], ends: Sequence[tuple[int, int]], texts: Sequence[Mapping[int, str]]
) -> DerivedTable | None:
    """Return a table with last columns of some names and texts by row; None where a name stands already."""
    if len(set(names)) < len(names) or not set(names).isdisjoint(table.header):
        return None
    values = values_of(table)
    values["header"] = (*table.header, *names)
    values["rows"] = tuple(
        (*cells, *(cell_of(column.get(row, "")) for column in texts)) for row, cells in enumerate(table.rows)
    )
    return DerivedTable(**values, base=table, ends=tuple(ends))


def unit_in_brackets(name: str) -> str:
    """Return the unit that a header ends with, in its brackets; empty without one."""
    unit = _UNIT.search(name)
    return unit[0] if unit else ""


_UNIT = re.compile(r"\([^()]+\)$")


def values_of(table: Table) -> dict[str, Any]:
    """Return the values of a table's fields, for a table of another kind."""
    return {field.name: getattr(table, field.name) for field in fields(Table)}


def cell_of(text: str) -> Cell:
    """Return the cell that a text makes."""
    return Cell(text, text, parse_value(text)) if text else EMPTY_CELL
