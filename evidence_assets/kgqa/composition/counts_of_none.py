"""Counts bounded from above alone, which those have too that have none of what is counted.

Who knows fewer than two languages may know none; composed of its words, a set is of those that know one.
"""

from __future__ import annotations

from dataclasses import replace

from evidence_assets.kgqa.queries.algebra import (
    Expression,
    Filtered,
    Intersection,
    Number,
    Reached,
    Relational,
    Typed,
)

_FROM_ABOVE = frozenset({Relational.LESS, Relational.AT_MOST})


def counted_from_none(expression: Expression) -> Expression:
    """Return a set of a type with its members compared by how many they have, none among them."""
    if not isinstance(expression, Intersection):
        return expression
    types = [part for part in expression.parts if isinstance(part, Typed) and part.type]
    if len(types) != 1:
        return expression
    parts = tuple(
        replace(part, of=types[0]) if isinstance(part, Filtered) and _is_of_some(part) else part
        for part in expression.parts
    )
    return Intersection(parts)


def _is_of_some(part: Filtered) -> bool:
    """Return whether a filter bounds a count from above, and is of those that have some."""
    measure, of = part.measure, part.of
    return (
        isinstance(measure, Number)
        and part.relational in _FROM_ABOVE
        and isinstance(part.bound, float)
        and isinstance(of, Reached)
        and of.relation == measure.relation
        and of.of == Typed("")
    )
