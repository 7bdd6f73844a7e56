"""What a question of yes or no says of several names at once: of each, or that they have the same.

Composed of its words it would be about what is all of them, which nothing is, or about any of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Form,
    Intersection,
    Named,
    Query,
    Reached,
    Typed,
    Union,
)
from evidence_assets.text.words import words

_LEAST = 2
_JOINING = r"(?:,? and|,| as well as)(?: also)? "


def jointly(text: str, query: Query) -> Query:
    """Return a question's query with what it says of several names said of each; others as they are.

    `Do Ada and Bo live in Leeds` is about each, and `do they live in the same city` about where both do.
    """
    if query.form is not Form.EXISTENCE or not isinstance(query.of, Intersection):
        return query
    names, conditions = _names_and_conditions(query.of)
    if len(names) < _LEAST or not conditions:
        return query
    if asks_for_the_same(text):
        steps = [part for part in conditions if isinstance(part, Reached)]
        return replace(query, of=_shared(names, steps[0])) if len(steps) == 1 else query
    if not _are_joined(text, names):
        return query
    of_all = conditions[0] if len(conditions) == 1 else Intersection(tuple(conditions))
    return replace(query, form=Form.EVERY, of=Difference(Union(tuple(names)), of_all))


def asks_for_the_same(text: str) -> bool:
    """Return whether it asks for the same of things that it names, and not the same as of another."""
    said = words(text.lower())
    return "same" in said and "as" not in said[said.index("same") :]


def is_of_the_same(query: Query) -> bool:
    """Return whether a query is about what several names lead to by one relation."""
    parts = query.of.parts if isinstance(query.of, Intersection) else ()
    steps = [part for part in parts if isinstance(part, Reached) and isinstance(part.of, Named)]
    others = [part for part in parts if part not in steps and not isinstance(part, Typed)]
    return len(steps) >= _LEAST and not others and len({(s.relation, s.backwards) for s in steps}) == 1


def _names_and_conditions(of: Intersection) -> tuple[list[Named], list[Expression]]:
    """Return the names that a set is of, also those of a list of names alone, and its other parts."""
    names: list[Named] = []
    conditions: list[Expression] = []
    for part in of.parts:
        members = part.parts if isinstance(part, Union) else (part,)
        named = [member for member in members if isinstance(member, Named)]
        if len(named) == len(members):
            names += named
        else:
            conditions.append(part)
    return names, conditions


def _shared(names: Sequence[Named], step: Reached) -> Expression:
    """Return what all names lead to by the relation of a step that leads back to them."""
    of_type = (step.of,) if isinstance(step.of, Typed) and step.of.type else ()
    return Intersection((*(Reached(step.relation, not step.backwards, name) for name in names), *of_type))


def _are_joined(text: str, names: Sequence[Named]) -> bool:
    """Return whether a question joins names by `and`, one behind the other."""
    in_order = sorted(names, key=lambda name: text.find(name.text))
    return all(
        re.search(f"{re.escape(first.text)}{_JOINING}(?:the )?{re.escape(second.text)}", text)
        for first, second in pairwise(in_order)
    )
