"""The types of a grammar of programs over one table: sets of rows, numbers, truth values.

Every program runs on a table's index, tells the cells that it rests on, and reads itself out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from evidence_assets.tables.programs.table_index import TableIndex

Cells = frozenset[tuple[int, int]]
NO_CELLS: Cells = frozenset()


@dataclass(frozen=True, slots=True)
class RowsResult:
    """Rows, and the cells that chose them."""

    rows: frozenset[int]
    cells: Cells = NO_CELLS


@dataclass(frozen=True, slots=True)
class NumberResult:
    """A number, None where it is undefined, and the cells that it was made of."""

    number: float | None
    cells: Cells = NO_CELLS


@dataclass(frozen=True, slots=True)
class TruthResult:
    """A truth value, None where it is undefined, the cells that it rests on, and what was compared."""

    truth: bool | None
    cells: Cells = NO_CELLS
    detail: str = ""


class Rows(Protocol):
    """A program that comes to a set of rows."""

    def run(self, index: TableIndex) -> RowsResult:
        """Return the rows."""

    def read(self, header: tuple[str, ...]) -> str:
        """Return the program in readable form."""


class Number(Protocol):
    """A program that comes to a number."""

    def run(self, index: TableIndex) -> NumberResult:
        """Return the number."""

    def read(self, header: tuple[str, ...]) -> str:
        """Return the program in readable form."""


class Truth(Protocol):
    """A program that comes to a truth value."""

    def run(self, index: TableIndex) -> TruthResult:
        """Return the truth value."""

    def read(self, header: tuple[str, ...]) -> str:
        """Return the program in readable form."""
