"""Expressions put together and looked into."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Extreme,
    Filtered,
    Intersection,
    Named,
    Reached,
    Typed,
    Union,
    Value,
    names_of,
)
from evidence_assets.kgqa.slots.slots import Part


def of_both(part: Part, left: Part, right: Part, besides: float = 0.0, **changes: Any) -> Part:
    """Return a part with the words of two, what both cost and `besides` that, and further fields changed."""
    cost, bindings = left.cost + right.cost + besides, (*left.bindings, *right.bindings)
    return replace(part, cost=cost, bindings=bindings, **changes)


def intersection(*parts: Expression) -> Expression:
    """Return what is in all sets, each condition once; the set itself where there is one."""
    return _joined(parts, Intersection)


def union(parts: Sequence[Expression]) -> Expression:
    """Return what is in any of the sets, each once; the set itself where there is one."""
    return _joined(parts, Union)


def _joined(parts: Sequence[Expression], operation: type[Intersection] | type[Union]) -> Expression:
    members = (
        of_part for part in parts for of_part in (part.parts if isinstance(part, operation) else (part,))
    )
    distinct = tuple(dict.fromkeys(members))
    return distinct[0] if len(distinct) == 1 else operation(distinct)


def filtered_of(of: Expression, filtered: Expression) -> Expression:
    """Return a filter applied to another set than all that have its measure."""
    if isinstance(filtered, Union):
        return union([filtered_of(of, part) for part in filtered.parts])
    if not isinstance(filtered, Filtered):
        return of
    inner = filtered_of(of, filtered.of) if isinstance(filtered.of, Filtered) else of
    return replace(filtered, of=inner)


def is_measured_by(expression: Expression, relation: str) -> bool:
    """Return whether a set is compared by a relation's values: "costs more than 30 a pack"."""
    return isinstance(expression, Filtered | Extreme) and expression.measure == Value(relation)


def is_back(expression: Expression, relation: str, backwards: bool) -> bool:
    """Return whether a step would go back along the relation that led to a set."""
    return isinstance(expression, Reached) and (expression.relation, expression.backwards) == (
        relation,
        not backwards,
    )


def are_names(expression: Expression) -> bool:
    """Return whether a set is several names and nothing more: "Leeds or York"."""
    return isinstance(expression, Union) and all(isinstance(part, Named) for part in expression.parts)


def is_choice(expression: Expression) -> bool:
    """Return whether a set is one of several names: "which is longer, the Elbe or the Rhine".

    A noun may say of which type it is: "the longer river".
    """
    if isinstance(expression, Intersection):
        others = [part for part in expression.parts if not isinstance(part, Typed)]
        return len(others) == 1 and is_choice(others[0])
    return isinstance(expression, Extreme) and bool(
        isinstance(expression.of, Union) and names_of(expression.of)
    )


def holds_choice(expression: Expression) -> bool:
    """Return whether a set is one of several names, or what such a one leads to."""
    return is_choice(expression) or (isinstance(expression, Reached) and holds_choice(expression.of))


def type_of(expression: Expression) -> str:
    """Return the type that a set's noun states, "" for none."""
    if isinstance(expression, Intersection):
        return next((part.type for part in expression.parts if isinstance(part, Typed)), "")
    return expression.type if isinstance(expression, Typed) else ""


def is_role(expression: Expression) -> bool:
    """Return whether a set is of all of a type that have a role, whatever it is a role in: "authors"."""
    match expression:
        case Intersection((Typed(), Reached(of=Typed("")))):
            return True
    return False


def names_among(expression: Expression) -> list[Named]:
    """Return the names that a set is restricted to: that it is, or that are among its conditions."""
    parts = expression.parts if isinstance(expression, Intersection) else (expression,)
    return [part for part in parts if isinstance(part, Named)]


def is_named(expression: Expression) -> bool:
    """Return whether a set only restates a name, with conditions: "Leeds, which is a city"."""
    if isinstance(expression, Intersection):
        conditions = [part for part in expression.parts if not (is_named(part) or _is_open(part))]
        holds_name = any(map(is_named, expression.parts))
        # "Which of the Elbe and the Rhine flows into Leeds" chooses among names by a condition.
        return any(isinstance(part, Named) for part in expression.parts) or (holds_name and not conditions)
    if isinstance(expression, Union):
        return any(is_named(part) for part in expression.parts)
    return isinstance(expression, Named)


def _is_open(part: Expression) -> bool:
    """Return whether a set is of all of a type, or of all that is related to such."""
    return isinstance(part, Typed) or (isinstance(part, Reached) and isinstance(part.of, Typed))


def mixes_amounts(expression: Expression, is_amount: Callable[[str], bool]) -> bool:
    """Return whether an amount of one relation is taken for one of another: nine furnaces for nine metres."""
    match expression:
        case Reached(relation, backwards, of):
            others = _relations_to(of, is_amount) - {relation}
            return (backwards and is_amount(relation) and bool(others)) or mixes_amounts(of, is_amount)
        case Intersection(parts):
            amounts = _relations_to(expression, is_amount)
            return len(amounts) > 1 or any(mixes_amounts(part, is_amount) for part in parts)
        case Union(parts):
            return any(mixes_amounts(part, is_amount) for part in parts)
        case Difference(of, _) | Filtered(of) | Extreme(of):
            return mixes_amounts(of, is_amount)
    return False


def _relations_to(expression: Expression, is_amount: Callable[[str], bool]) -> set[str]:
    """Return the relations that lead to a set of amounts."""
    parts = expression.parts if isinstance(expression, Intersection) else (expression,)
    return {
        part.relation
        for part in parts
        if isinstance(part, Reached) and not part.backwards and is_amount(part.relation)
    }
