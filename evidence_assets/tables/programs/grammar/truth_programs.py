"""Programs that come to a truth value."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from evidence_assets.tables.programs.grammar.types import (
    Number,
    NumberResult,
    Rows,
    Truth,
    TruthResult,
    cells_of,
)
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.columns.half_open_cells import are_told_alike
from evidence_assets.tables.programs.index.columns.inexact_cells import stands
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.wording.tolerances import EXACT, Tolerance


@dataclass(frozen=True, slots=True)
class Compare:
    """Whether a relation holds between two numbers; `tolerance`: how far the left may be off."""

    left: Number
    relation: str
    right: Number
    tolerance: Tolerance = EXACT

    def run(self, index: TableIndex) -> TruthResult:
        left, right = self.left.run(index), self.right.run(index)
        cells = left.cells | right.cells
        if left.number is None or right.number is None:
            return TruthResult(_of_an_end(left, self.relation, right), cells)
        truth: bool | None
        if (left.between or right.between) and self.relation in operations.ORDERS:
            ends_left = left.between or (left.number, left.number)
            truth = stands(ends_left, self.relation, right.between or (right.number, right.number))
        elif self.relation == "=" and self.tolerance != EXACT:
            truth = self.tolerance.admits(left.number, right.number)
        else:
            truth = operations.compare(left.number, self.relation, right.number)
        return TruthResult(truth, cells)

    def describe(self, header: tuple[str, ...]) -> str:
        return f"{self.left.describe(header)} {self.relation} {self.right.describe(header)}"


def _of_an_end(left: NumberResult, relation: str, right: NumberResult) -> bool | None:
    """Return whether a relation holds of a number that only an end is told of; None where that tells not."""
    if left.end is not None and right.number is not None:
        return left.end.stands(relation, right.number)
    if right.end is not None and left.number is not None:
        return right.end.stands(operations.TURNED.get(relation, relation), left.number)
    return None


@dataclass(frozen=True, slots=True)
class Some:
    """Whether there is a row."""

    rows: Rows

    def run(self, index: TableIndex) -> TruthResult:
        result = self.rows.run(index)
        return TruthResult(bool(result.rows), result.cells)

    def describe(self, header: tuple[str, ...]) -> str:
        return f"some row({self.rows.describe(header)})"


@dataclass(frozen=True, slots=True)
class Surely:
    """What is so whatever stands in cells that tell nothing; undefined where it hangs on these.

    `least`: it, of the rows whose cells tell that they are meant. `most`: it, of those that may be, too.
    """

    least: Truth
    most: Truth

    def run(self, index: TableIndex) -> TruthResult:
        result = self.least.run(index)
        return result if self.most.run(index).truth is result.truth else TruthResult(None, result.cells)

    def describe(self, header: tuple[str, ...]) -> str:
        return self.least.describe(header)


@dataclass(frozen=True, slots=True)
class Every:
    """Whether every row of a scope is within others; undefined of an empty scope."""

    scope: Rows
    within: Rows

    def run(self, index: TableIndex) -> TruthResult:
        scope, within = self.scope.run(index), self.within.run(index)
        inside = scope.rows & within.rows
        cells = scope.cells | frozenset(cell for cell in within.cells if cell[0] in scope.rows)
        return TruthResult(inside == scope.rows if scope.rows else None, cells)

    def describe(self, header: tuple[str, ...]) -> str:
        return f"all({self.scope.describe(header)}) have {self.within.describe(header)}"


@dataclass(frozen=True, slots=True)
class OnlyThese:
    """Whether the rows with a property are some rows, and no others."""

    holders: Rows
    holding: Rows

    def run(self, index: TableIndex) -> TruthResult:
        holders, holding = self.holders.run(index), self.holding.run(index)
        truth = bool(holders.rows & holding.rows) and holding.rows <= holders.rows
        return TruthResult(truth, holders.cells | holding.cells)

    def describe(self, header: tuple[str, ...]) -> str:
        return f"only({self.holders.describe(header)}) have {self.holding.describe(header)}"


@dataclass(frozen=True, slots=True)
class Share:
    """Whether the share of a scope that is within others stands in a relation to a share."""

    scope: Rows
    within: Rows
    relation: str
    share: float

    def run(self, index: TableIndex) -> TruthResult:
        scope, within = self.scope.run(index), self.within.run(index)
        inside = scope.rows & within.rows
        cells = frozenset(cell for cell in within.cells if cell[0] in scope.rows)
        if not scope.rows:
            return TruthResult(None, cells)
        truth = operations.compare(len(inside) / len(scope.rows), self.relation, self.share)
        return TruthResult(truth, cells)

    def describe(self, header: tuple[str, ...]) -> str:
        within = self.within.describe(header)
        return f"share({self.scope.describe(header)} have {within}) {self.relation} {self.share:g}"


@dataclass(frozen=True, slots=True)
class Same:
    """Whether sets of rows have the same value in a column."""

    parts: tuple[Rows, ...]
    column: int
    of_time: str = ""
    """The part of a column's times that is the same, a month or a year; without one all of a value."""

    def run(self, index: TableIndex) -> TruthResult:
        rows = [part.run(index).rows for part in self.parts]
        if self.of_time in _OF_DATES and self.column in index.dated:
            compared = [index.table.rows[row][self.column] for part in rows for row in part]
            times = [cell.value.date or cell.text for cell in compared]
            cells = operations.used(self.column, (row for part in rows for row in part))
            return TruthResult(_have_the_same(self.of_time, times) if all(rows) else None, cells)
        numbers = index.series[self.column] if len(index.told_units[self.column]) > 1 else {}
        ends = [end for row, end in index.half_open[self.column].items() if any(row in part for part in rows)]
        if ends:
            exact = [index.series[self.column].get(row) for part in rows for row in part]
            alike = are_told_alike((number for number in exact if number is not None), ends)
            return TruthResult(alike, operations.used(self.column, (row for part in rows for row in part)))
        values: set[object] = {
            round(numbers[row], 9) if row in numbers else index.keys[row, self.column]
            for part in rows
            for row in part
        }
        cells = operations.used(self.column, (row for part in rows for row in part))
        cells |= frozenset[tuple[int, int]]().union(*(part.run(index).cells for part in self.parts))
        return TruthResult(len(values) == 1 if all(rows) else None, cells)

    def describe(self, header: tuple[str, ...]) -> str:
        name = (
            f"{self.of_time} of {header[self.column]}" if self.of_time in _OF_DATES else header[self.column]
        )
        return f"{name} is the same in {'; '.join(part.describe(header) for part in self.parts)}"


# Where a month and a year end in a date by ISO 8601.
_OF_DATES = {"month": 7, "year": 4}


def _have_the_same(part: str, dates: Collection[str]) -> bool | None:
    """Return whether dates are of one month or year; None where some do not tell, or it is another year's."""
    parts = {date[: _OF_DATES[part]] for date in dates}
    if not all(_ISO_8601.match(date) and len(date) >= _OF_DATES[part] for date in dates):
        # Those written otherwise, `07/2022`, are of one month where they are the same.
        return True if len({*dates}) == 1 and not any(map(_ISO_8601.match, dates)) else None
    if part == "month" and len(parts) > 1 and len({date[_OF_DATES["year"] :] for date in parts}) == 1:
        return None
    return len(parts) == 1


_ISO_8601 = re.compile(r"\d{4}(?:-|$)")


@dataclass(frozen=True, slots=True)
class Not:
    """Whether a program is false."""

    part: Truth

    def run(self, index: TableIndex) -> TruthResult:
        result = self.part.run(index)
        return TruthResult(None if result.truth is None else not result.truth, result.cells)

    def describe(self, header: tuple[str, ...]) -> str:
        return f"not ({self.part.describe(header)})"


@dataclass(frozen=True, slots=True)
class OfSign:
    """What a program comes to where signed columns tell what was lost, or what was gained."""

    part: Truth
    losses: bool

    def run(self, index: TableIndex) -> TruthResult:
        return self.part.run(index.losses if self.losses else index.as_told)

    def describe(self, header: tuple[str, ...]) -> str:
        return f"of {'losses' if self.losses else 'gains'}: {self.part.describe(header)}"


@dataclass(frozen=True, slots=True)
class All:
    """Whether all programs are true."""

    parts: tuple[Truth, ...]

    def run(self, index: TableIndex) -> TruthResult:
        results = [part.run(index) for part in self.parts]
        cells = cells_of(results)
        if any(result.truth is None for result in results):
            return TruthResult(None, cells)
        return TruthResult(all(result.truth for result in results), cells)

    def describe(self, header: tuple[str, ...]) -> str:
        return " and ".join(part.describe(header) for part in self.parts)


def all_of(parts: Iterable[Truth]) -> Truth:
    """Return whether all programs are true; of a single one, that program."""
    several = tuple(parts)
    return several[0] if len(several) == 1 else All(several)
