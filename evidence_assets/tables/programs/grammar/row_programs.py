"""Programs that come to a set of rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from evidence_assets.tables.programs.grammar.types import Cells, Rows, RowsResult, cells_of
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.columns.half_open_cells import possible_rows
from evidence_assets.tables.programs.index.columns.inexact_cells import possible_place
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link


@dataclass(frozen=True, slots=True)
class AllRows:
    """Every row but those that sum up the others."""

    def run(self, index: TableIndex) -> RowsResult:
        return RowsResult(index.rows - index.summaries)

    def describe(self, header: tuple[str, ...]) -> str:
        return "all rows"


@dataclass(frozen=True, slots=True)
class Where:
    """The rows in which a span of the claim was found, or a bound is met. `phrase`: the span.

    A row that sums up the others is none of them, unless it is what the claim names. A bound names none,
    unless it is `of_the_whole`: of a claim that names no row.
    """

    link: Link
    phrase: str
    of_the_whole: bool = False

    @classmethod
    def of_row(cls, row: int, column: int) -> Where:
        """Return a row by its place in the table, of which a column's cell is used."""
        return cls(Link(0, 0, {column: frozenset({row})}, frozenset({column}), 0), f"row {row + 1}")

    def run(self, index: TableIndex) -> RowsResult:
        rows = self.link.rows - index.summaries
        names_none = bool(self.link.bound) and not self.of_the_whole
        return self.within(rows if rows or names_none else self.link.rows)

    def within(self, rows: frozenset[int]) -> RowsResult:
        """Return some of the rows, with their cells."""
        places = self.link.places.items()
        cells = {(row, column) for column, linked in places for row in linked if row in rows}
        return RowsResult(rows, frozenset(cells))

    def describe(self, header: tuple[str, ...]) -> str:
        names = "|".join(header[column] for column in sorted(self.link.places)) or "no column"
        return f"{names} {self.link.bound}" if self.link.bound else f"{names} = {self.phrase}"


@dataclass(frozen=True, slots=True)
class Meet:
    """The rows of every part; the cells of the parts in them.

    Where a part names rows that sum up others, as the total, what else is said of them is said of these too.
    """

    parts: tuple[Rows, ...]

    def run(self, index: TableIndex) -> RowsResult:
        results = [part.run(index) for part in self.parts]
        if any(isinstance(part, Where) and part.link.rows <= index.summaries for part in self.parts):
            whole = (part.within(part.link.rows) if isinstance(part, Where) else None for part in self.parts)
            results = [told or result for told, result in zip(whole, results, strict=True)]
        rows = frozenset.intersection(*(result.rows for result in results))
        # What was compared to choose an extreme is used whole.
        cells = {
            cell
            for part, result in zip(self.parts, results, strict=True)
            for cell in result.cells
            if cell[0] in rows or isinstance(part, Extreme)
        }
        return RowsResult(rows, frozenset(cells))

    def describe(self, header: tuple[str, ...]) -> str:
        return " and ".join(part.describe(header) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Either:
    """The rows of any part."""

    parts: tuple[Rows, ...]

    def run(self, index: TableIndex) -> RowsResult:
        results = [part.run(index) for part in self.parts]
        return RowsResult(
            frozenset[int]().union(*(result.rows for result in results)),
            cells_of(results),
        )

    def describe(self, header: tuple[str, ...]) -> str:
        return " or ".join(part.describe(header) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Without:
    """The rows of one program that are not another's."""

    rows: Rows
    excluded: Rows

    def run(self, index: TableIndex) -> RowsResult:
        result, excluded = self.rows.run(index), self.excluded.run(index)
        return RowsResult(result.rows - excluded.rows, result.cells | excluded.cells)

    def describe(self, header: tuple[str, ...]) -> str:
        return f"{self.rows.describe(header)} except {self.excluded.describe(header)}"


@dataclass(frozen=True, slots=True)
class Extreme:
    """The rows with the number at a place, from 1, of a column: its highest or its lowest."""

    rows: Rows
    column: int
    place: int
    highest: bool

    def run(self, index: TableIndex) -> RowsResult:
        place, cells = place_in_order(index, self.rows, self.column, self.place, highest=self.highest)
        return RowsResult(place.rows, cells)

    def describe(self, header: tuple[str, ...]) -> str:
        name = "argmax" if self.highest else "argmin"
        place = "" if self.place == 1 else f" {self.place}"
        return f"{name}{place}({header[self.column]} of {self.rows.describe(header)})"


@dataclass(frozen=True, slots=True)
class ExtremeChange:
    """The rows in which a number rose most from one column to another, or fell most; none where none did."""

    rows: Rows
    earlier: int
    later: int
    rises: bool

    def run(self, index: TableIndex) -> RowsResult:
        rows = self.rows.run(index).rows
        before, after = index.series[self.earlier], index.series[self.later]
        sign = 1 if self.rises else -1
        changes = {row: sign * (after[row] - before[row]) for row in rows & before.keys() & after.keys()}
        largest = max(changes.values(), default=0.0)
        chosen = frozenset(row for row, change in changes.items() if change == largest > 0)
        cells = {(row, column) for row in changes for column in (self.earlier, self.later)}
        return RowsResult(chosen, frozenset(cells))

    def describe(self, header: tuple[str, ...]) -> str:
        name = "largest rise" if self.rises else "largest fall"
        return f"{name}({header[self.earlier]} to {header[self.later]} of {self.rows.describe(header)})"


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

    def describe(self, header: tuple[str, ...]) -> str:
        name = ("first" if self.places > 0 else "last") if self.within else f"{self.places:+d} of"
        return f"{name} {self.rows.describe(header)}"


@dataclass(frozen=True, slots=True)
class LargestGroups:
    """One row of each commonest value of a column, or of each rarest."""

    rows: Rows
    column: int
    commonest: bool = True

    def run(self, index: TableIndex) -> RowsResult:
        rows = self.rows.run(index).rows
        groups = rows_by_value(index, rows, self.column)
        sizes = [len(group) for group in groups]
        size = max(sizes, default=0) if self.commonest else min(sizes, default=0)
        repeated = max(sizes, default=0) > 1
        chosen = frozenset(group[0] for group in groups if len(group) == size and repeated)
        return RowsResult(chosen, operations.used(self.column, rows))

    def describe(self, header: tuple[str, ...]) -> str:
        name = "mode" if self.commonest else "rarest"
        return f"{name}({header[self.column]} of {self.rows.describe(header)})"


@dataclass(frozen=True, slots=True)
class GroupsWithin:
    """One row of each value of a column that stands in a number of rows within a bound."""

    rows: Rows
    column: int
    relation: str
    size: float

    def run(self, index: TableIndex) -> RowsResult:
        groups = rows_by_value(index, self.rows.run(index).rows, self.column)
        sized = [rows for rows in groups if operations.compare(len(rows), self.relation, self.size)]
        cells = operations.used(self.column, (row for rows in sized for row in rows))
        return RowsResult(frozenset(rows[0] for rows in sized), cells)

    def describe(self, header: tuple[str, ...]) -> str:
        name = header[self.column]
        return f"groups of {self.relation} {self.size:g}({name} of {self.rows.describe(header)})"


def rows_by_value(index: TableIndex, rows: Iterable[int], column: int) -> list[list[int]]:
    """Return the rows of each value of a column, in order; rows without a value are left out."""
    by_value: dict[tuple[str, ...], list[int]] = {}
    for row in sorted(rows):
        if index.keys[row, column]:
            by_value.setdefault(index.keys[row, column], []).append(row)
    return list(by_value.values())


def place_in_order(
    index: TableIndex, rows: Rows, column: int, place: int, *, highest: bool
) -> tuple[operations.Place, Cells]:
    """Return the place, from 1, among the highest or lowest of a column in some rows, and the cells used."""
    chosen = rows.run(index).rows
    numbers = {row: number for row, number in index.series[column].items() if row in chosen}
    ends = {row: end for row, end in index.half_open[column].items() if row in chosen}
    if ends:
        possible = possible_rows(numbers, ends, place, highest=highest)
        levels = {numbers.get(row) for row in possible}
        number = levels.pop() if len(levels) == 1 else None
        return operations.Place(number, possible), operations.used(column, {*numbers, *ends})
    ranges = {row: told for row, told in index.ranges[column].items() if row in numbers}
    if ranges:
        return possible_place(numbers, ranges, place, highest=highest), operations.used(column, numbers)
    return operations.place_of(numbers, place, highest=highest), operations.used(column, numbers)


def meet(parts: Iterable[Rows]) -> Rows:
    """Return the rows of every part; all rows where there is no part."""
    several = tuple(parts)
    return several[0] if len(several) == 1 else Meet(several) if several else AllRows()
