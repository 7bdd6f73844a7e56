"""A table: caption, one header, rows of cells; each cell raw, cleaned and typed, with an address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum


class Kind(StrEnum):
    """What a cell holds."""

    EMPTY = "empty"
    TEXT = "text"
    NUMBER = "number"
    PERCENTAGE = "percentage"
    RANGE = "range"
    DATE = "date"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class Value:
    """What a cell says, typed.

    `number`: its number, a percentage as written (12.5 for 12.5 %), a range's middle, a date's ordinal.
    `low`, `high`: ends of a range or of several days, or number minus and plus its error term. `error`: the
    error term. `unit`: what stands beside the number (`%`, `km`, `$`). `numbers`: every number of a mixed
    cell, in order. `date`: ISO 8601, as much of it as is told (`2011`, `2011-07`, `2011-07-04`).
    """

    kind: Kind
    number: float | None = None
    unit: str = ""
    low: float | None = None
    high: float | None = None
    error: float | None = None
    date: str = ""
    numbers: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. `raw`: as published. `text`: without markup, spaces folded."""

    raw: str
    text: str
    value: Value


EMPTY_CELL = Cell("", "", Value(Kind.EMPTY))
Rows = Sequence[tuple[Cell, ...]]


def with_values(rows: Rows, values: Mapping[tuple[int, int], Value]) -> tuple[tuple[Cell, ...], ...]:
    """Return rows of which some cells, named by row and column, say something else than each by itself."""
    return tuple(
        tuple(
            replace(cell, value=values[row, column]) if (row, column) in values else cell
            for column, cell in enumerate(cells)
        )
        for row, cells in enumerate(rows)
    )


@dataclass(frozen=True, slots=True)
class Table:
    """One table. Every row has a cell for each column.

    `header` names each column, no name twice and none empty. `label_column`: the column that names the rows,
    None where none does. `has_header`: False where the names were made up, since the source gives none.
    `padded`: cells that the source lacks, in ragged rows. `notes`: what was mended.
    """

    table_id: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    label_column: int | None = 0
    has_header: bool = True
    padded: int = 0
    notes: tuple[str, ...] = ()

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self.header)

    def column(self, number: int) -> list[Cell]:
        """Return a column's cells, from the first row."""
        return [row[number] for row in self.rows]

    def label(self, row: int) -> str:
        """Return a row's name; empty where no column names rows."""
        return "" if self.label_column is None else self.rows[row][self.label_column].text


def address(row: int, column: int) -> str:
    """Return a cell's address, rows and columns from 1: `R3.C2`. Row 0 is the header.

    It stands for the cell in the whole table, whatever of it is shown.
    """
    return f"R{row + 1}.C{column + 1}" if row >= 0 else f"R0.C{column + 1}"
