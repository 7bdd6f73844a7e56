"""The types of a grammar of programs over one table: sets of rows, numbers, truth values.

Every program runs on a table's index, tells the cells that it rests on, and describes itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from evidence_assets.tables.programs.index.columns.half_open_cells import HalfOpen
from evidence_assets.tables.programs.index.columns.inexact_cells import Range
from evidence_assets.tables.programs.index.table_index import TableIndex

Cells = frozenset[tuple[int, int]]
NO_CELLS: Cells = frozenset()
Result_co = TypeVar("Result_co", covariant=True)


@dataclass(frozen=True, slots=True)
class RowsResult:
    """Rows, and the cells that chose them."""

    rows: frozenset[int]
    cells: Cells = NO_CELLS


@dataclass(frozen=True, slots=True)
class NumberResult:
    """A number, None where it is undefined, and the cells that it was made of.

    `end`: of a cell that tells no number but an end of it. `between`: the ends of one that tells
    it inexactly.
    """

    number: float | None
    cells: Cells = NO_CELLS
    end: HalfOpen | None = None
    between: Range | None = None


@dataclass(frozen=True, slots=True)
class TruthResult:
    """A truth value, None where it is undefined, and the cells that it rests on."""

    truth: bool | None
    cells: Cells = NO_CELLS


def cells_of(results: Iterable[RowsResult | NumberResult | TruthResult]) -> Cells:
    """Return the cells of some results together."""
    return NO_CELLS.union(*(result.cells for result in results))


class Program(Protocol[Result_co]):
    """A program over one table."""

    def run(self, index: TableIndex) -> Result_co:
        """Return what it comes to, with the cells that it rests on."""

    def describe(self, header: tuple[str, ...]) -> str:
        """Return it in readable form, columns by their names."""


# Programs by what they come to.
Rows = Program[RowsResult]
Number = Program[NumberResult]
Truth = Program[TruthResult]
