"""Queries as a small typed algebra over sets of nodes: what conjunctive queries cannot say.

A set is named, typed, matched by a conjunctive query, reached by a step, joined, united, taken away from,
filtered by a measure, or the extreme of one. A question asks for a set, its size, whether it has
members, whether it has none but such, or what a measure of its members comes to.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, get_args

from evidence_assets.kgqa.queries.conjunctive import (
    TARGET,
    ConjunctiveQuery,
    Constant,
    Term,
    Triplet,
    Variable,
)


class Form(StrEnum):
    """What is asked of a set."""

    MEMBERS = "members"
    NUMBER = "number"
    EXISTENCE = "existence"
    EVERY = "every"
    """Whether all of a set meet a condition: of a difference, whether it has no member."""
    TOTAL = "total"
    """A measure of all members, added up."""
    MEAN = "mean"
    """A measure's mean over the members that have it."""
    GAP = "difference"
    """By how much a measure of one of two names is above that of the other."""


# What is asked of a measure of a set's members, not of the set alone.
MEASURED_FORMS = frozenset({Form.TOTAL, Form.MEAN, Form.GAP})


class Relational(StrEnum):
    """How a value is compared with a bound."""

    LESS = "<"
    AT_MOST = "<="
    EQUAL = "="
    AT_LEAST = ">="
    MORE = ">"


@dataclass(frozen=True, slots=True)
class Named:
    """The nodes of a name; of several nodes any will do."""

    text: str
    nodes: tuple[int, ...]

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Typed:
    """The nodes of a type; all of them for ""."""

    type: str

    def __str__(self) -> str:
        return f"[{self.type or 'anything'}]"


@dataclass(frozen=True, slots=True)
class Reached:
    """The nodes that a relation leads to from a set, from head to tail or backwards."""

    relation: str
    backwards: bool
    of: Expression

    def __str__(self) -> str:
        return f"{'~' if self.backwards else ''}{self.relation}({self.of})"


@dataclass(frozen=True, slots=True)
class Matched:
    """The answers of a conjunctive query, without the nodes that it names."""

    query: ConjunctiveQuery

    def __str__(self) -> str:
        return f"{{{self.query}}}"


@dataclass(frozen=True, slots=True)
class Intersection:
    """The nodes in every part."""

    parts: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"({' and '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Union:
    """The nodes in any part."""

    parts: tuple[Expression, ...]

    def __str__(self) -> str:
        return f"({' or '.join(map(str, self.parts))})"


@dataclass(frozen=True, slots=True)
class Difference:
    """The nodes of a set that are not in another."""

    of: Expression
    without: Expression

    def __str__(self) -> str:
        return f"({self.of} without {self.without})"


@dataclass(frozen=True, slots=True)
class Value:
    """The numbers, years or dates that a relation leads to from a node."""

    relation: str

    def __str__(self) -> str:
        return self.relation


@dataclass(frozen=True, slots=True)
class Number:
    """How many nodes of a set a relation leads to from a node, forwards or backwards."""

    relation: str
    backwards: bool
    among: Expression

    def __str__(self) -> str:
        return f"number of {'~' if self.backwards else ''}{self.relation} in {self.among}"


Measure = Value | Number


@dataclass(frozen=True, slots=True)
class Filtered:
    """The nodes of a set whose measure compares so with a number, or with that of a node of a set."""

    of: Expression
    measure: Measure
    relational: Relational
    bound: float | Expression

    def __str__(self) -> str:
        bound = f"{self.bound:g}" if isinstance(self.bound, float) else f"that of {self.bound}"
        return f"({self.of} whose {self.measure} {self.relational} {bound})"


@dataclass(frozen=True, slots=True)
class Extreme:
    """The nodes of a set whose measure is greatest, or least; of a `rank` above 1 the next, and so on."""

    of: Expression
    measure: Measure
    greatest: bool
    rank: int = 1

    def __str__(self) -> str:
        rank = f"number {self.rank} by " if self.rank > 1 else ""
        return f"({self.of} of {rank}{'greatest' if self.greatest else 'least'} {self.measure})"


Expression = Named | Typed | Reached | Matched | Intersection | Union | Difference | Filtered | Extreme


@dataclass(frozen=True, slots=True)
class Query:
    """What a question asks of a set. `measure`: of one of the `MEASURED_FORMS`, what is added or compared."""

    of: Expression
    form: Form = Form.MEMBERS
    measure: Measure | None = None

    def __str__(self) -> str:
        if self.measure is not None:
            return f"{self.form} of {self.measure} of {self.of}"
        return str(self.of) if self.form is Form.MEMBERS else f"{self.form} of {self.of}"


def value_of(form: Form, size: int) -> str:
    """Return what is asked of a set of a size: a number, yes or no."""
    if form is Form.NUMBER:
        return str(size)
    return "yes" if (size > 0) != (form is Form.EVERY) else "no"


_CLASSES = {
    kind.__name__: kind for kind in (*get_args(Expression), *get_args(Measure)) if kind is not Matched
}


def serialize(query: Query) -> str:
    """Return a query as JSON, as the column `operation` holds it.

    Raises:
        TypeError: it holds a conjunctive query, which has columns of its own.
    """
    measure = {} if query.measure is None else {"measure": _fields(query.measure)}
    fields = {"form": query.form, "of": _fields(query.of), **measure}
    return json.dumps(fields, ensure_ascii=False, sort_keys=True)


def _fields(part: Any) -> Any:
    if isinstance(part, Matched):
        raise TypeError("a conjunctive query is held as triplets")
    if type(part).__name__ in _CLASSES:
        slots = {name: _fields(getattr(part, name)) for name in type(part).__slots__}
        return {"kind": type(part).__name__, **slots}
    return [_fields(member) for member in part] if isinstance(part, tuple) else part


def deserialize(text: str) -> Query:
    """Return the query that `serialize` wrote."""
    data = json.loads(text)
    return Query(_part(data["of"]), Form(data["form"]), _part(data.get("measure")))


def _part(data: Any) -> Any:
    if isinstance(data, list):
        return tuple(_part(item) for item in data)
    if not isinstance(data, dict):
        return data
    fields = {name: _part(value) for name, value in data.items() if name != "kind"}
    if "relational" in fields:
        fields["relational"] = Relational(fields["relational"])
    return _CLASSES[data["kind"]](**fields)


def positive_part(query: Query) -> ConjunctiveQuery:
    """Return the conditions of a query that a conjunctive query can say; operators are left out.

    Of a union the first part, of a difference what is taken from.
    """
    triplets: list[Triplet] = []

    def state(part: Expression, at: Variable) -> None:
        match part:
            case Reached(relation, backwards, of):
                near = _near(of, len(triplets))
                triplets.append(Triplet(at, relation, near) if backwards else Triplet(near, relation, at))
                if isinstance(near, Variable):
                    state(of, near)
            case Intersection(parts):
                for member in parts:
                    state(member, at)
            case Union(parts):
                state(parts[0], at)
            case Difference(of) | Filtered(of) | Extreme(of):
                state(of, at)
            case Matched(matched):
                triplets.extend(matched.triplets)
            case _:
                pass

    state(query.of, Variable(TARGET))
    return ConjunctiveQuery(tuple(dict.fromkeys(triplets)), TARGET)


def _near(of: Expression, number: int) -> Term:
    if isinstance(of, Named):
        return Constant(of.text, of.nodes)
    return Variable(f"a{number + 1}", of.type if isinstance(of, Typed) else "")


def is_walk(query: Query) -> bool:
    """Return whether a query asks for what steps from its names lead to, and nothing else."""

    def walks(part: Expression) -> bool:
        match part:
            case Reached(_, _, of):
                return walks(of)
            case Intersection(parts):
                return all(map(walks, parts))
            case _:
                return isinstance(part, Named | Typed)

    return query.form is Form.MEMBERS and walks(query.of)


def names_of(expression: Expression | Measure) -> tuple[Named, ...]:
    """Return the names that an expression holds, in its order."""
    return tuple(dict.fromkeys(_names(expression)))


def _names(part: Any) -> Iterator[Named]:
    for held in parts_of(part):
        if isinstance(held, Named):
            yield held
        elif isinstance(held, Matched):
            yield from (Named(constant.text, constant.nodes) for constant in held.query.constants())


def relations_of(part: Any) -> frozenset[str]:
    """Return the relations that an expression walks or measures by."""
    return frozenset(steps_of(part))


def last_steps(expression: Expression) -> tuple[Reached, ...]:
    """Return the steps that lead to the members of a set themselves."""
    match expression:
        case Reached():
            return (expression,)
        case Intersection(parts) | Union(parts):
            return tuple(step for part in parts for step in last_steps(part))
        case Difference(of) | Filtered(of) | Extreme(of):
            return last_steps(of)
        case _:
            return ()


def comparisons_of(part: Any) -> Iterator[Filtered | Extreme]:
    """Yield the comparisons that an expression holds, the outer before the inner."""
    return (held for held in parts_of(part) if isinstance(held, Filtered | Extreme))


def steps_of(part: Any) -> list[str]:
    """Return the relation of each step that an expression walks or measures by."""
    relations: list[str] = []
    for held in parts_of(part):
        if isinstance(held, Matched):
            relations += [triplet.relation for triplet in held.query.triplets]
        elif isinstance(held, Reached | Value | Number):
            relations.append(held.relation)
    return relations


def parts_of(part: Any) -> Iterator[Expression | Measure]:
    """Yield an expression or a measure and all that it holds, the outer before the inner."""
    if isinstance(part, tuple):
        for member in part:
            yield from parts_of(member)
    elif isinstance(part, Matched):
        yield part
    elif type(part).__name__ in _CLASSES:
        yield part
        for slot in type(part).__slots__:
            yield from parts_of(getattr(part, slot))
