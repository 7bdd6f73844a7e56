"""Typed operations over the cells of one column, each with the cells that it used.

A column's numbers are a mapping of row to number; rows without a number are left out of it by the caller.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
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


def rounds_to(number: float, claimed: float, decimals: int = 0) -> bool:
    """Return whether a number equals the claimed one when rounded to its decimals."""
    return abs(number - claimed) <= 0.5 * 10.0**-decimals + ABSOLUTE if decimals else close(number, claimed)


def used(column: int, rows: Iterable[int]) -> Cells:
    """Return the addresses of a column's cells, from the first row."""
    return tuple((row, column) for row in sorted(rows))


def compare(left: float, relation: str, right: float) -> bool:
    """Return whether a relation holds between two numbers.

    Raises:
        KeyError: the relation is none of `RELATIONS`.
    """
    return RELATIONS[relation](left, right)


def count(rows: Iterable[int], columns: Iterable[int]) -> Outcome:
    """Return how many rows there are; the cells are theirs in the columns that chose them."""
    matching = tuple(sorted(set(rows)))
    chosen = sorted(set(columns))
    return Outcome(
        float(len(matching)), matching, tuple((row, column) for row in matching for column in chosen)
    )


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


def total(numbers: Numbers, column: int) -> Outcome:
    """Return the sum; 0 of no number."""
    return Outcome(math.fsum(numbers.values()), tuple(sorted(numbers)), used(column, numbers))


def average(numbers: Numbers, column: int) -> Outcome:
    """Return the mean; None of no number."""
    value = math.fsum(numbers.values()) / len(numbers) if numbers else None
    return Outcome(value, tuple(sorted(numbers)), used(column, numbers))


def difference(numbers: Numbers, column: int, left: int, right: int) -> Outcome:
    """Return the left row's number minus the right row's; None where either has none."""
    return _binary(numbers, column, left, right, lambda first, second: first - second)


def ratio(numbers: Numbers, column: int, left: int, right: int) -> Outcome:
    """Return the left row's number divided by the right row's; None where either has none or that is 0."""
    return _binary(numbers, column, left, right, lambda first, second: first / second if second else None)


def _binary(
    numbers: Numbers, column: int, left: int, right: int, operation: Callable[[float, float], float | None]
) -> Outcome:
    defined = left in numbers and right in numbers
    return Outcome(
        operation(numbers[left], numbers[right]) if defined else None,
        (left, right),
        used(column, {left, right}),
    )


def majority(rows: Iterable[int], among: Iterable[int], columns: Iterable[int]) -> Outcome:
    """Return whether more than half of some rows are in a set; None of no rows."""
    whole = set(among)
    inside = count(whole & set(rows), columns)
    return Outcome(2 * len(inside.rows) > len(whole) if whole else None, inside.rows, inside.cells)


def groups(values: Mapping[int, Hashable], column: int) -> tuple[Counter[Hashable], Cells]:
    """Return how many rows have each value."""
    return Counter(values.values()), used(column, values)
