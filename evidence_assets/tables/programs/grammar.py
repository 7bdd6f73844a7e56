"""A grammar of typed programs over one table: sets of rows, numbers, truth values.

Every program runs on a table's index, tells the cells that it rests on, and reads itself out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.linking import Link
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


# Sets of rows.


@dataclass(frozen=True, slots=True)
class AllRows:
    """Every row."""

    def run(self, index: TableIndex) -> RowsResult:
        return RowsResult(index.rows)

    def read(self, header: tuple[str, ...]) -> str:
        return "all rows"


@dataclass(frozen=True, slots=True)
class Where:
    """The rows in which a span of the claim was found, or a bound is met. `phrase`: the span."""

    link: Link
    phrase: str

    def run(self, index: TableIndex) -> RowsResult:
        cells = {(row, column) for column, rows in self.link.places.items() for row in rows}
        return RowsResult(self.link.rows, frozenset(cells))

    def read(self, header: tuple[str, ...]) -> str:
        names = "|".join(header[column] for column in sorted(self.link.places)) or "no column"
        return f"{names} {self.link.bound}" if self.link.bound else f"{names} = {self.phrase}"


@dataclass(frozen=True, slots=True)
class Meet:
    """The rows of every part; the cells of the parts in them."""

    parts: tuple[Rows, ...]

    def run(self, index: TableIndex) -> RowsResult:
        results = [part.run(index) for part in self.parts]
        rows = frozenset.intersection(*(result.rows for result in results))
        # What was compared to choose an extreme is used whole.
        cells = {
            cell
            for part, result in zip(self.parts, results, strict=True)
            for cell in result.cells
            if cell[0] in rows or isinstance(part, Extreme)
        }
        return RowsResult(rows, frozenset(cells))

    def read(self, header: tuple[str, ...]) -> str:
        return " and ".join(part.read(header) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Either:
    """The rows of any part."""

    parts: tuple[Rows, ...]

    def run(self, index: TableIndex) -> RowsResult:
        results = [part.run(index) for part in self.parts]
        return RowsResult(
            frozenset[int]().union(*(result.rows for result in results)),
            frozenset[tuple[int, int]]().union(*(result.cells for result in results)),
        )

    def read(self, header: tuple[str, ...]) -> str:
        return " or ".join(part.read(header) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Without:
    """The rows of one program that are not another's."""

    whole: Rows
    taken: Rows

    def run(self, index: TableIndex) -> RowsResult:
        whole, taken = self.whole.run(index), self.taken.run(index)
        return RowsResult(whole.rows - taken.rows, whole.cells | taken.cells)

    def read(self, header: tuple[str, ...]) -> str:
        return f"{self.whole.read(header)} except {self.taken.read(header)}"


@dataclass(frozen=True, slots=True)
class Extreme:
    """The rows with the number at a place, from 1, of a column: its highest or its lowest."""

    rows: Rows
    column: int
    place: int
    highest: bool

    def run(self, index: TableIndex) -> RowsResult:
        outcome = _ordering(index, self.rows, self.column, self.place, highest=self.highest)
        return RowsResult(frozenset(outcome.rows), frozenset(outcome.cells))

    def read(self, header: tuple[str, ...]) -> str:
        name = "argmax" if self.highest else "argmin"
        place = "" if self.place == 1 else f" {self.place}"
        return f"{name}{place}({header[self.column]} of {self.rows.read(header)})"


@dataclass(frozen=True, slots=True)
class Beside:
    """The row so many places after a single row, or before it; within rows, their first (1) or last (-1)."""

    rows: Rows
    places: int
    within: bool

    def run(self, index: TableIndex) -> RowsResult:
        result = self.rows.run(index)
        rows = sorted(result.rows)
        if not rows:
            return RowsResult(frozenset())
        if self.within:
            chosen = rows[0] if self.places > 0 else rows[-1]
        else:
            chosen = (rows[-1] if self.places > 0 else rows[0]) + self.places
        return RowsResult(frozenset({chosen}) & index.rows, result.cells)

    def read(self, header: tuple[str, ...]) -> str:
        name = ("first" if self.places > 0 else "last") if self.within else f"{self.places:+d} of"
        return f"{name} {self.rows.read(header)}"


@dataclass(frozen=True, slots=True)
class LargestGroups:
    """One row of each commonest value of a column, or of each rarest."""

    rows: Rows
    column: int
    commonest: bool = True

    def run(self, index: TableIndex) -> RowsResult:
        rows = sorted(self.rows.run(index).rows)
        first: dict[tuple[str, ...], int] = {}
        for row in rows:
            first.setdefault(index.keys[row, self.column], row)
        values = Counter(index.keys[row, self.column] for row in rows if index.keys[row, self.column])
        counts = values.values()
        most = max(counts, default=0) if self.commonest else min(counts, default=0)
        repeated = max(counts, default=0) > 1
        chosen = frozenset(first[value] for value, count in values.items() if count == most and repeated)
        return RowsResult(chosen, frozenset(operations.used(self.column, rows)))

    def read(self, header: tuple[str, ...]) -> str:
        name = "mode" if self.commonest else "rarest"
        return f"{name}({header[self.column]} of {self.rows.read(header)})"


def _ordering(index: TableIndex, rows: Rows, column: int, place: int, *, highest: bool) -> operations.Outcome:
    chosen = rows.run(index).rows
    numbers = {row: number for row, number in index.series[column].items() if row in chosen}
    return operations.ordering(numbers, column, place, highest=highest)


def meet(parts: Iterable[Rows]) -> Rows:
    """Return the rows of every part; all rows where there is no part."""
    several = tuple(parts)
    return several[0] if len(several) == 1 else Meet(several) if several else AllRows()


# Numbers.


@dataclass(frozen=True, slots=True)
class Literal:
    """A number of the claim."""

    number: float

    def run(self, index: TableIndex) -> NumberResult:
        return NumberResult(self.number)

    def read(self, header: tuple[str, ...]) -> str:
        return f"{self.number:g}"


@dataclass(frozen=True, slots=True)
class Count:
    """How many rows there are."""

    rows: Rows

    def run(self, index: TableIndex) -> NumberResult:
        result = self.rows.run(index)
        return NumberResult(float(len(result.rows)), result.cells)

    def read(self, header: tuple[str, ...]) -> str:
        return f"count({self.rows.read(header)})"


@dataclass(frozen=True, slots=True)
class Distinct:
    """How many different values a column has in some rows."""

    rows: Rows
    column: int

    def run(self, index: TableIndex) -> NumberResult:
        rows = self.rows.run(index).rows
        values = {row: index.keys[row, self.column] for row in rows if index.keys[row, self.column]}
        outcome = operations.distinct(values, self.column)
        return NumberResult(float(outcome.value or 0), frozenset(outcome.cells))

    def read(self, header: tuple[str, ...]) -> str:
        return f"count distinct({header[self.column]} of {self.rows.read(header)})"


@dataclass(frozen=True, slots=True)
class GroupsOf:
    """How many values of a column stand in so many rows."""

    rows: Rows
    column: int
    relation: str
    size: float

    def run(self, index: TableIndex) -> NumberResult:
        rows = self.rows.run(index).rows
        values = Counter(index.keys[row, self.column] for row in rows if index.keys[row, self.column])
        fitting = [count for count in values.values() if operations.compare(count, self.relation, self.size)]
        return NumberResult(float(len(fitting)), frozenset(operations.used(self.column, rows)))

    def read(self, header: tuple[str, ...]) -> str:
        return f"groups({header[self.column]} of {self.rows.read(header)}) of {self.relation} {self.size:g}"


@dataclass(frozen=True, slots=True)
class LargestGroup:
    """How many rows have the commonest value of a column."""

    rows: Rows
    column: int

    def run(self, index: TableIndex) -> NumberResult:
        rows = self.rows.run(index).rows
        values = Counter(index.keys[row, self.column] for row in rows if index.keys[row, self.column])
        return NumberResult(
            float(max(values.values(), default=0)), frozenset(operations.used(self.column, rows))
        )

    def read(self, header: tuple[str, ...]) -> str:
        return f"largest group({header[self.column]} of {self.rows.read(header)})"


AGGREGATES: Mapping[str, Callable[[list[float]], float]] = {
    "sum": math.fsum,
    "average": lambda numbers: math.fsum(numbers) / len(numbers),
    "highest": max,
    "lowest": min,
}


@dataclass(frozen=True, slots=True)
class Aggregate:
    """The sum, average, highest or lowest of a column's numbers in some rows; undefined of none."""

    name: str
    rows: Rows
    column: int

    def run(self, index: TableIndex) -> NumberResult:
        rows = self.rows.run(index).rows
        numbers = {row: number for row, number in index.series[self.column].items() if row in rows}
        value = AGGREGATES[self.name](list(numbers.values())) if numbers else None
        return NumberResult(value, frozenset(operations.used(self.column, numbers)))

    def read(self, header: tuple[str, ...]) -> str:
        return f"{self.name}({header[self.column]} of {self.rows.read(header)})"


@dataclass(frozen=True, slots=True)
class OrderedNumber:
    """The number at a place, from 1, among a column's highest or lowest."""

    rows: Rows
    column: int
    place: int
    highest: bool

    def run(self, index: TableIndex) -> NumberResult:
        outcome = _ordering(index, self.rows, self.column, self.place, highest=self.highest)
        return NumberResult(None if outcome.value is None else float(outcome.value), frozenset(outcome.cells))

    def read(self, header: tuple[str, ...]) -> str:
        name = "max" if self.highest else "min"
        place = "" if self.place == 1 else f" {self.place}"
        return f"{name}{place}({header[self.column]} of {self.rows.read(header)})"


@dataclass(frozen=True, slots=True)
class Cell:
    """The number of a column in the only row that has one; undefined where several differ."""

    rows: Rows
    column: int

    def run(self, index: TableIndex) -> NumberResult:
        result = self.rows.run(index)
        numbers = {
            row: index.series[self.column][row] for row in result.rows if row in index.series[self.column]
        }
        cells = result.cells | frozenset(operations.used(self.column, numbers))
        values = set(numbers.values())
        return NumberResult(values.pop() if len(values) == 1 else None, cells)

    def read(self, header: tuple[str, ...]) -> str:
        return f"{header[self.column]}({self.rows.read(header)})"


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of rows' numbers, a row without a number counting by its place in the table."""

    rows: Rows
    column: int | None

    def run(self, index: TableIndex) -> NumberResult:
        result = self.rows.run(index)
        numbers = {} if self.column is None else index.series[self.column]
        values = [numbers.get(row, float(row)) for row in result.rows]
        return NumberResult(sum(values) / len(values) if values else None, result.cells)

    def read(self, header: tuple[str, ...]) -> str:
        return f"place({self.rows.read(header)})"


OPERATIONS: Mapping[str, Callable[[float, float], float | None]] = {
    "-": lambda left, right: left - right,
    "|-|": lambda left, right: abs(left - right),
    "/": lambda left, right: left / right if right else None,
    "% above": lambda left, right: 100.0 * (left - right) / abs(right) if right else None,
}


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """A difference, a ratio, or by how many percent one number is above another."""

    operation: str
    left: Number
    right: Number

    def run(self, index: TableIndex) -> NumberResult:
        left, right = self.left.run(index), self.right.run(index)
        if left.number is None or right.number is None:
            return NumberResult(None, left.cells | right.cells)
        return NumberResult(OPERATIONS[self.operation](left.number, right.number), left.cells | right.cells)

    def read(self, header: tuple[str, ...]) -> str:
        return f"{self.left.read(header)} {self.operation} {self.right.read(header)}"


# Truth values.


@dataclass(frozen=True, slots=True)
class Compare:
    """Whether a relation holds between two numbers, the left one rounded to the decimals of the claim."""

    left: Number
    relation: str
    right: Number
    decimals: int | None = None

    def run(self, index: TableIndex) -> TruthResult:
        left, right = self.left.run(index), self.right.run(index)
        cells = left.cells | right.cells
        if left.number is None or right.number is None:
            return TruthResult(None, cells)
        if self.relation == "=" and self.decimals is not None:
            truth = abs(left.number - right.number) <= 0.5 * 10.0**-self.decimals + operations.ABSOLUTE
        else:
            truth = operations.compare(left.number, self.relation, right.number)
        return TruthResult(truth, cells, f"{left.number:g} and {right.number:g}")

    def read(self, header: tuple[str, ...]) -> str:
        return f"{self.left.read(header)} {self.relation} {self.right.read(header)}"


@dataclass(frozen=True, slots=True)
class Some:
    """Whether there is a row."""

    rows: Rows

    def run(self, index: TableIndex) -> TruthResult:
        result = self.rows.run(index)
        return TruthResult(bool(result.rows), result.cells, f"rows {sorted(result.rows)}")

    def read(self, header: tuple[str, ...]) -> str:
        return f"some row({self.rows.read(header)})"


@dataclass(frozen=True, slots=True)
class Every:
    """Whether every row of a scope is within others; undefined of an empty scope."""

    scope: Rows
    within: Rows

    def run(self, index: TableIndex) -> TruthResult:
        scope, within = self.scope.run(index), self.within.run(index)
        inside = scope.rows & within.rows
        cells = scope.cells | frozenset(cell for cell in within.cells if cell[0] in scope.rows)
        detail = f"{len(inside)} of {len(scope.rows)} rows"
        return TruthResult(inside == scope.rows if scope.rows else None, cells, detail)

    def read(self, header: tuple[str, ...]) -> str:
        return f"all({self.scope.read(header)}) have {self.within.read(header)}"


@dataclass(frozen=True, slots=True)
class OnlyThese:
    """Whether the rows with a property are some rows, and no others."""

    holders: Rows
    holding: Rows

    def run(self, index: TableIndex) -> TruthResult:
        holders, holding = self.holders.run(index), self.holding.run(index)
        truth = bool(holders.rows & holding.rows) and holding.rows <= holders.rows
        detail = f"rows {sorted(holders.rows)} and {sorted(holding.rows)}"
        return TruthResult(truth, holders.cells | holding.cells, detail)

    def read(self, header: tuple[str, ...]) -> str:
        return f"only({self.holders.read(header)}) have {self.holding.read(header)}"


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
        return TruthResult(truth, cells, f"{len(inside)} of {len(scope.rows)} rows")

    def read(self, header: tuple[str, ...]) -> str:
        within = self.within.read(header)
        return f"share({self.scope.read(header)} have {within}) {self.relation} {self.share:g}"


@dataclass(frozen=True, slots=True)
class Same:
    """Whether sets of rows have the same value in a column."""

    parts: tuple[Rows, ...]
    column: int

    def run(self, index: TableIndex) -> TruthResult:
        rows = [part.run(index).rows for part in self.parts]
        numbers = index.series[self.column] if len(index.told_units[self.column]) > 1 else {}
        values: set[object] = {
            round(numbers[row], 9) if row in numbers else index.keys[row, self.column]
            for part in rows
            for row in part
        }
        cells = frozenset(operations.used(self.column, (row for part in rows for row in part)))
        cells |= frozenset[tuple[int, int]]().union(*(part.run(index).cells for part in self.parts))
        return TruthResult(len(values) == 1 if all(rows) else None, cells)

    def read(self, header: tuple[str, ...]) -> str:
        return f"{header[self.column]} is the same in {'; '.join(part.read(header) for part in self.parts)}"


@dataclass(frozen=True, slots=True)
class Not:
    """Whether a program is false."""

    part: Truth

    def run(self, index: TableIndex) -> TruthResult:
        result = self.part.run(index)
        return TruthResult(None if result.truth is None else not result.truth, result.cells, result.detail)

    def read(self, header: tuple[str, ...]) -> str:
        return f"not ({self.part.read(header)})"


@dataclass(frozen=True, slots=True)
class All:
    """Whether all programs are true; `least` of them where it is told."""

    parts: tuple[Truth, ...]
    least: int | None = None

    def run(self, index: TableIndex) -> TruthResult:
        results = [part.run(index) for part in self.parts]
        cells = frozenset[tuple[int, int]]().union(*(result.cells for result in results))
        if any(result.truth is None for result in results):
            return TruthResult(None, cells)
        held = sum(bool(result.truth) for result in results)
        least = len(results) if self.least is None else self.least
        detail = "; ".join(filter(None, (result.detail for result in results)))
        return TruthResult(held >= least, cells, detail)

    def read(self, header: tuple[str, ...]) -> str:
        joined = " and ".join(part.read(header) for part in self.parts)
        return joined if self.least is None else f"{self.least} of: {joined}"
