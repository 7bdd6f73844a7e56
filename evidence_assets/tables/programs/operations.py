"""Typed operations over the cells of one column, each with the cells that it used.

A column's numbers are a mapping of row to number; rows without a number are left out of it by the caller.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

Cells = tuple[tuple[int, int], ...]
Numbers = Mapping[int, float]
# Numbers this near are equal: they differ by the rounding of their storage.
RELATIVE, ABSOLUTE = 1e-9, 1e-9
RELATIONS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "=": lambda one, other: math.isclose(one, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE),
    "!=": lambda one, other: not math.isclose(one, other, rel_tol=RELATIVE, abs_tol=ABSOLUTE),
}


@dataclass(frozen=True)
class Outcome:
    """The result of an operation: a number or truth value, its rows, and the cells that were used."""

    value: float | bool | None
    rows: tuple[int, ...]
    cells: Cells


def close(left: float, right: float) -> bool:
    """Return whether two numbers are equal within rounding of their storage."""
    return math.isclose(left, right, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def used(column: int, rows: Iterable[int]) -> Cells:
    """Return the addresses of a column's cells, from the first row."""
    return tuple((row, column) for row in sorted(rows))


def compare(left: float, relation: str, right: float) -> bool:
    """Return whether a relation holds between two numbers.

    Raises:
        KeyError: the relation is none of `RELATIONS`.
    """
    return RELATIONS[relation](left, right)


def distinct(values: Mapping[int, Hashable], column: int) -> Outcome:
    """Return how many values differ."""
    return Outcome(float(len(set(values.values()))), tuple(sorted(values)), used(column, values))


def where(numbers: Numbers, column: int, relation: str, bound: float) -> Outcome:
    """Return the rows whose number stands in a relation to a bound."""
    rows = tuple(sorted(row for row, number in numbers.items() if compare(number, relation, bound)))
    return Outcome(float(len(rows)), rows, used(column, rows))


def ordering(numbers: Numbers, column: int, place: int, *, highest: bool) -> Outcome:
    """Return the number at a place from 1, ties sharing one, and its rows; None beyond the last place."""
    levels = sorted(set(numbers.values()), reverse=highest)
    if not 1 <= place <= len(levels):
        return Outcome(None, (), used(column, numbers))
    number = levels[place - 1]
    rows = tuple(sorted(row for row, value in numbers.items() if value == number))
    return Outcome(number, rows, used(column, numbers))
