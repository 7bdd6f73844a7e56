"""Typed operations over the cells of one column.

A column's numbers are a mapping of row to number; rows without a number are left out of it by the caller.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

Numbers = Mapping[int, float]
# Numbers this near are equal: they differ by the rounding of their storage.
RELATIVE, ABSOLUTE = 1e-9, 1e-9


def close(left: float, right: float) -> bool:
    """Return whether two numbers are equal within rounding of their storage."""
    return math.isclose(left, right, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


RELATIONS: dict[str, Callable[[float, float], bool]] = {
    ">": operator.gt,
    ">=": operator.ge,
    "<": operator.lt,
    "<=": operator.le,
    "=": close,
    "!=": lambda left, right: not close(left, right),
}


# What a relation becomes where both sides change their sign.
TURNED = {">": "<", ">=": "<=", "<": ">", "<=": ">=", "=": "="}
# Those that set one side before the other.
STRICT_ORDERS = frozenset({">", "<"})
ORDERS = STRICT_ORDERS | {">=", "<="}
# So many times beyond all of a column's numbers one is hardly of them.
_FAR_OFF = 30.0


def is_of_their_size(number: float, numbers: Iterable[float]) -> bool:
    """Return whether a number other than 0 is not far below or beyond all of others, whatever their signs."""
    sizes = [abs(other) for other in numbers if other]
    return bool(sizes) and min(sizes) / _FAR_OFF <= abs(number) <= max(sizes) * _FAR_OFF


@dataclass(frozen=True)
class Place:
    """A place in the order of a column's numbers: the number at it, None beyond the last, and its rows."""

    number: float | None
    rows: frozenset[int]


def used(column: int, rows: Iterable[int]) -> frozenset[tuple[int, int]]:
    """Return the addresses of a column's cells."""
    return frozenset((row, column) for row in rows)


def compare(left: float, relation: str, right: float) -> bool:
    """Return whether a relation holds between two numbers.

    Raises:
        KeyError: the relation is none of `RELATIONS`.
    """
    return RELATIONS[relation](left, right)


def rows_within(numbers: Numbers, relation: str, bound: float) -> frozenset[int]:
    """Return the rows whose number stands in a relation to a bound."""
    return frozenset(row for row, number in numbers.items() if compare(number, relation, bound))


def place_of(numbers: Numbers, place: int, *, highest: bool) -> Place:
    """Return the place counted from 1, ties sharing one."""
    levels = sorted(set(numbers.values()), reverse=highest)
    if not 1 <= place <= len(levels):
        return Place(None, frozenset())
    level = levels[place - 1]
    return Place(level, frozenset(row for row, number in numbers.items() if number == level))
