"""Programs that come to a number."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import chain, groupby

from evidence_assets.tables.programs.grammar.row_programs import place_in_order, rows_by_value
from evidence_assets.tables.programs.grammar.types import Number, NumberResult, Rows, Truth, cells_of
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.columns.inexact_cells import Range
from evidence_assets.tables.programs.index.table_index import TableIndex


@dataclass(frozen=True, slots=True)
class Literal:
    """A number of the claim."""

    number: float

    def run(self, index: TableIndex) -> NumberResult:
        return NumberResult(self.number)

    def describe(self, header: tuple[str, ...]) -> str:
        return f"{self.number:g}"


@dataclass(frozen=True, slots=True)
class Count:
    """How many rows there are."""

    rows: Rows

    def run(self, index: TableIndex) -> NumberResult:
        result = self.rows.run(index)
        return NumberResult(float(len(result.rows)), result.cells)

    def describe(self, header: tuple[str, ...]) -> str:
        return f"count({self.rows.describe(header)})"


@dataclass(frozen=True, slots=True)
class Distinct:
    """How many different values a column has in some rows."""

    rows: Rows
    column: int

    def run(self, index: TableIndex) -> NumberResult:
        groups = rows_by_value(index, self.rows.run(index).rows, self.column)
        return NumberResult(float(len(groups)), operations.used(self.column, chain.from_iterable(groups)))

    def describe(self, header: tuple[str, ...]) -> str:
        return f"count distinct({header[self.column]} of {self.rows.describe(header)})"


@dataclass(frozen=True, slots=True)
class GroupsOf:
    """How many values of a column stand in so many rows."""

    rows: Rows
    column: int
    relation: str
    size: float

    def run(self, index: TableIndex) -> NumberResult:
        rows = self.rows.run(index).rows
        groups = rows_by_value(index, rows, self.column)
        fitting = sum(operations.compare(len(group), self.relation, self.size) for group in groups)
        return NumberResult(float(fitting), operations.used(self.column, rows))

    def describe(self, header: tuple[str, ...]) -> str:
        return (
            f"groups({header[self.column]} of {self.rows.describe(header)}) of {self.relation} {self.size:g}"
        )


@dataclass(frozen=True, slots=True)
class LargestGroup:
    """How many rows have the commonest value of a column."""

    rows: Rows
    column: int

    def run(self, index: TableIndex) -> NumberResult:
        rows = self.rows.run(index).rows
        largest = max(map(len, rows_by_value(index, rows, self.column)), default=0)
        return NumberResult(float(largest), operations.used(self.column, rows))

    def describe(self, header: tuple[str, ...]) -> str:
        return f"largest group({header[self.column]} of {self.rows.describe(header)})"


@dataclass(frozen=True, slots=True)
class LongestRun:
    """How many rows of a scope stand one behind another, at most, that are all some rows."""

    scope: Rows
    rows: Rows

    def run(self, index: TableIndex) -> NumberResult:
        scope, result = self.scope.run(index), self.rows.run(index)
        lengths = [
            len([*members]) if holds else 0
            for holds, members in groupby(sorted(scope.rows), key=result.rows.__contains__)
        ]
        cells = frozenset(cell for cell in result.cells if cell[0] in scope.rows)
        return NumberResult(float(max(lengths, default=0)), scope.cells | cells)

    def describe(self, header: tuple[str, ...]) -> str:
        return f"longest run({self.scope.describe(header)} have {self.rows.describe(header)})"


AGGREGATES: Mapping[str, Callable[[list[float]], float]] = {
    "sum": math.fsum,
    "average": lambda numbers: math.fsum(numbers) / len(numbers),
    "highest": max,
    "lowest": min,
}


_EXTREMES = frozenset({"highest", "lowest"})


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
        if not rows.isdisjoint(index.told_in_part(self.column)):
            value = self._where_ends_are_told(index)
        return NumberResult(value, operations.used(self.column, numbers))

    def _where_ends_are_told(self, index: TableIndex) -> float | None:
        """Return the highest or lowest where no cell that tells but an end may be it, else None."""
        if self.name not in _EXTREMES:
            return None
        place, _ = place_in_order(index, self.rows, self.column, 1, highest=self.name == "highest")
        return place.number

    def describe(self, header: tuple[str, ...]) -> str:
        return f"{self.name}({header[self.column]} of {self.rows.describe(header)})"


@dataclass(frozen=True, slots=True)
class HowMany:
    """How many of some programs are true; undefined where one of them is."""

    parts: tuple[Truth, ...]

    def run(self, index: TableIndex) -> NumberResult:
        results = [part.run(index) for part in self.parts]
        cells = cells_of(results)
        holding = sum(bool(result.truth) for result in results)
        are_known = all(result.truth is not None for result in results)
        return NumberResult(float(holding) if are_known else None, cells)

    def describe(self, header: tuple[str, ...]) -> str:
        return f"how many of({'; '.join(part.describe(header) for part in self.parts)})"


@dataclass(frozen=True, slots=True)
class OrderedNumber:
    """The number at a place, from 1, among a column's highest or lowest."""

    rows: Rows
    column: int
    place: int
    highest: bool

    def run(self, index: TableIndex) -> NumberResult:
        place, cells = place_in_order(index, self.rows, self.column, self.place, highest=self.highest)
        return NumberResult(place.number, cells)

    def describe(self, header: tuple[str, ...]) -> str:
        name = "max" if self.highest else "min"
        place = "" if self.place == 1 else f" {self.place}"
        return f"{name}{place}({header[self.column]} of {self.rows.describe(header)})"


@dataclass(frozen=True, slots=True)
class Cell:
    """The number of a column in the only row that has one; undefined where several differ.

    `factor`: what brings it to the unit and scale of another column's.
    """

    rows: Rows
    column: int
    factor: float = 1.0

    def run(self, index: TableIndex) -> NumberResult:
        result = self.rows.run(index)
        numbers = {
            row: self.factor * index.series[self.column][row]
            for row in result.rows
            if row in index.series[self.column]
        }
        cells = result.cells | operations.used(self.column, numbers)
        values = set(numbers.values())
        ends = index.half_open[self.column]
        if not result.rows.isdisjoint(ends):
            (row, *others) = result.rows
            is_told_so = not others and self.factor == 1.0
            return NumberResult(None, cells | {(row, self.column)}, ends[row] if is_told_so else None)
        number = values.pop() if len(values) == 1 else None
        return NumberResult(number, cells, between=_ends_told(index, self.column, numbers, self.factor))

    def describe(self, header: tuple[str, ...]) -> str:
        times = "" if self.factor == 1.0 else f"{self.factor:g} * "
        return f"{times}{header[self.column]}({self.rows.describe(header)})"


def _ends_told(index: TableIndex, column: int, rows: Collection[int], factor: float = 1.0) -> Range | None:
    """Return the ends of the only row's number where its cell tells it inexactly."""
    ranges = [ends for row in rows if (ends := index.ranges[column].get(row)) is not None]
    if len(ranges) != 1 or len(rows) != 1:
        return None
    low, high = sorted(factor * end for end in ranges[0])
    return low, high


@dataclass(frozen=True, slots=True)
class YearOf:
    """The year that a column tells of the only row that has one; undefined where several differ."""

    rows: Rows
    column: int

    def run(self, index: TableIndex) -> NumberResult:
        result = self.rows.run(index)
        by_row = index.years.get(self.column, {})
        years = {row: by_row[row] for row in result.rows if row in by_row}
        values = set(years.values())
        cells = result.cells | operations.used(self.column, years)
        return NumberResult(values.pop() if len(values) == 1 else None, cells)

    def describe(self, header: tuple[str, ...]) -> str:
        return f"year of {header[self.column]}({self.rows.describe(header)})"


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of rows' numbers; of their places in the table where no row has a number."""

    rows: Rows
    column: int | None

    def run(self, index: TableIndex) -> NumberResult:
        result = self.rows.run(index)
        numbers = {} if self.column is None else index.series[self.column]
        values = [numbers.get(row, float(row)) for row in result.rows if not numbers or row in numbers]
        between = None if self.column is None else _ends_told(index, self.column, result.rows)
        used = (
            frozenset() if self.column is None else operations.used(self.column, result.rows & numbers.keys())
        )
        return NumberResult(
            sum(values) / len(values) if values else None, result.cells | used, between=between
        )

    def describe(self, header: tuple[str, ...]) -> str:
        name = "place" if self.column is None else header[self.column]
        return f"{name}({self.rows.describe(header)})"


OPERATIONS: Mapping[str, Callable[[float, float], float | None]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "|-|": lambda left, right: abs(left - right),
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right if right else None,
    "% of": lambda left, right: 100.0 * left / right if right else None,
    "% above": lambda left, right: 100.0 * (left - right) / abs(right) if right else None,
}


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """A sum, a difference, a ratio, or by how many percent one number is above another."""

    operation: str
    left: Number
    right: Number

    def run(self, index: TableIndex) -> NumberResult:
        left, right = self.left.run(index), self.right.run(index)
        inexact = left.between is not None or right.between is not None
        if left.number is None or right.number is None or inexact:
            return NumberResult(None, left.cells | right.cells)
        return NumberResult(OPERATIONS[self.operation](left.number, right.number), left.cells | right.cells)

    def describe(self, header: tuple[str, ...]) -> str:
        right = self.right.describe(header)
        if self.operation in {"*", "/"} and isinstance(self.right, Arithmetic):
            right = f"({right})"
        return f"{self.left.describe(header)} {self.operation} {right}"


def sum_of(numbers: Iterable[Number]) -> Number:
    """Return the sum of some numbers."""
    return reduce(lambda left, right: Arithmetic("+", left, right), numbers)
