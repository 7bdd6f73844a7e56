"""Cells that tell no number but an end of it: `<5`, `over 300`, `12+`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.columns.column_values import are_numeric
from evidence_assets.tables.programs.index.columns.inexact_cells import Range
from evidence_assets.tables.table import Cell, Kind

_KINDS = frozenset({Kind.NUMBER, Kind.PERCENTAGE})
_WITH_ITS_END = re.compile(r"(?:<=|≤|>=|≥|up to\b|at (?:most|least)\b)|.*\+$", re.IGNORECASE)


class HalfOpen(NamedTuple):
    """What a cell tells of its number: that it is below an end, or above it. `closed`: or that end itself."""

    end: float
    is_below: bool
    closed: bool

    def stands(self, relation: str, bound: float) -> bool | None:
        """Return whether every such number stands in a relation to a bound; None where only some do."""
        if relation == "!=":
            is_equal = self.stands("=", bound)
            return None if is_equal is None else not is_equal
        if self.is_below:
            turned = HalfOpen(-self.end, is_below=False, closed=self.closed)
            return turned.stands(operations.TURNED[relation], -bound)
        # That it is beyond the bound, or at least at it, is sure or cannot be told; the contrary never holds.
        beyond = bound < self.end or (bound == self.end and not self.closed)
        is_sure = bound <= self.end if relation in (">=", "<") else beyond
        return relation in (">", ">=") if is_sure else None


def half_open(cells: Sequence[Cell], numbers: Mapping[int, float]) -> dict[int, HalfOpen]:
    """Return the cells, by row, of a column of numbers that tell but an end of theirs.

    None where every cell does. `numbers`: what cells tell, in the column's unit.
    """
    ends = {
        row: HalfOpen(
            numbers[row],
            is_below=value.high is not None,
            closed=bool(_WITH_ITS_END.match(cell.text.strip())),
        )
        for row, cell in enumerate(cells)
        if row in numbers
        and (value := cell.value).kind in _KINDS
        and (value.low is None) is not (value.high is None)
    }
    return ends if len(ends) < len(numbers) and are_numeric(cells, numbers.keys()) else {}


def possible_rows(
    numbers: Mapping[int, float], ends: Mapping[int, HalfOpen], place: int, *, highest: bool
) -> frozenset[int]:
    """Return the rows that may be at a place, from 1, of the highest or lowest numbers."""
    sign = 1.0 if highest else -1.0
    exact = {row: sign * number for row, number in numbers.items()}
    beyond = {row: sign * cell.end for row, cell in ends.items() if cell.is_below is not highest}
    short = {row: sign * cell.end for row, cell in ends.items() if cell.is_below is highest}
    if place > 1:
        level = operations.place_of(exact, place, highest=True)
        is_sure = not beyond and level.number is not None and level.number > max(short.values())
        return level.rows if is_sure else frozenset({*numbers, *ends})
    # A row may be first where no other is sure to stand before it.
    most, least_beyond = (max(sizes.values(), default=-math.inf) for sizes in (exact, beyond))
    reached = any(end == least_beyond and not ends[row].closed for row, end in beyond.items())
    return frozenset(
        {
            row
            for row, number in exact.items()
            if number == most and (number > least_beyond or (number == least_beyond and not reached))
        }
        | {
            row
            for row, end in short.items()
            if end > max(most, least_beyond)
            or (ends[row].closed and end == max(most, least_beyond) and (most > least_beyond or not reached))
        }
        | beyond.keys()
    )


def are_told_alike(numbers: Iterable[float], ends: Sequence[HalfOpen]) -> bool | None:
    """Return whether numbers, some told by an end alone, are the same; None where they may be."""
    exact = set(numbers)
    apart = any(cell.stands("=", number) is False for cell in ends for number in exact)
    return False if len(exact) > 1 or apart else None


def rows_within(
    numbers: Mapping[int, float],
    ends: Mapping[int, HalfOpen],
    ranges: Mapping[int, Range],
    relation: str,
    bound: float,
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the rows whose number stands in a relation to a bound, and those of which nothing tells it.

    A range that the bound is in is not at least it, nor at most; whether it is more, or
    less, is not told: `takes 2–6` may be said of what takes six.
    """
    stands = {row: cell.stands(relation, bound) for row, cell in ends.items()}
    rows = operations.rows_within(numbers, relation, bound)
    for row, (low, high) in ranges.items() if relation in operations.ORDERS else ():
        if low < bound < high:
            stands[row] = None if relation in operations.STRICT_ORDERS else False
        elif bound and ((relation == ">" and low == bound) or (relation == "<" and high == bound)):
            stands[row] = None
    return (
        frozenset(row for row in rows if row not in stands) | {row for row, so in stands.items() if so},
        frozenset(row for row, so in stands.items() if so is None),
    )
