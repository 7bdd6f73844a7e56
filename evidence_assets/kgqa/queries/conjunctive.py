"""Conjunctive queries: conditions on variables, one of which is the answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from evidence_assets.kgqa.graph.schema import THING, Schema

TARGET = "answer"


@dataclass(frozen=True, slots=True)
class Constant:
    """A name in a question, and the nodes it may stand for: none where it matches nothing.

    Equal constants of a query stand for the same node.
    """

    text: str
    nodes: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Variable:
    """A node that is not named; `type` "" is any."""

    name: str
    type: str = ""

    def __str__(self) -> str:
        return f"?{self.name}"


Term = Constant | Variable


@dataclass(frozen=True, slots=True)
class Triplet:
    """A condition: the graph holds a triple of this head, relation and tail; relation "" is any."""

    head: Term
    relation: str
    tail: Term

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables at its ends, none, one or two (of which both may be the same)."""
        return tuple(term for term in (self.head, self.tail) if isinstance(term, Variable))

    def __str__(self) -> str:
        return f"({self.head}, {self.relation or '*'}, {self.tail})"


@dataclass(frozen=True, slots=True)
class ConjunctiveQuery:
    """Conditions that all must hold, and the name of the variable that is asked for.

    Variables of the same name are bound to the same node. Different variables may be bound to the same node.
    """

    triplets: tuple[Triplet, ...]
    target: str

    def variables(self) -> dict[str, tuple[str, ...]]:
        """Return each variable's types, without "", in the order in which they are first named."""
        types: dict[str, dict[str, None]] = {}
        for triplet in self.triplets:
            for variable in triplet.variables:
                types_of_variable = types.setdefault(variable.name, {})
                if variable.type:
                    types_of_variable[variable.type] = None
        return {name: tuple(types_of_variable) for name, types_of_variable in types.items()}

    def constants(self) -> tuple[Constant, ...]:
        """Return the names it holds, each once, in their order."""
        terms = (term for triplet in self.triplets for term in (triplet.head, triplet.tail))
        return tuple(dict.fromkeys(term for term in terms if isinstance(term, Constant)))

    def __str__(self) -> str:
        return ", ".join(str(triplet) for triplet in self.triplets)


def chain(start: Constant, steps: tuple[tuple[str, bool], ...], types: tuple[str, ...]) -> ConjunctiveQuery:
    """Return the query that walks from a name, step by step; its target is the end of the last step.

    `steps` are relations, and whether each is walked from tail to head; `types` are the types of the nodes
    after each step, "" for any type. Variables are named a, b, …, the last one `answer`.
    """
    names = [*(chr(ord("a") + place) for place in range(len(steps) - 1)), TARGET]
    after = [Variable(name, type_) for name, type_ in zip(names, types, strict=True)]
    terms: list[Term] = [start, *after]
    triplets = (
        Triplet(far, relation, near) if backwards else Triplet(near, relation, far)
        for (relation, backwards), (near, far) in zip(steps, pairwise(terms), strict=True)
    )
    return ConjunctiveQuery(tuple(triplets), TARGET)


def key_of(term: Term) -> Term | str:
    """Return what tells a term from others: of a variable its name, whatever its type."""
    return term if isinstance(term, Constant) else term.name


def branches(query: ConjunctiveQuery) -> list[tuple[str, ...]]:
    """Return, for each name of a query, the relations that lead from it to what is asked for.

    A name from which no conditions lead there has none: ().
    """
    ways: list[tuple[str, ...]] = []
    for constant in query.constants():
        reached: dict[Term | str, tuple[str, ...]] = {constant: ()}
        waiting: list[Term | str] = [constant]
        for at in waiting:
            for triplet in query.triplets:
                near, far = key_of(triplet.head), key_of(triplet.tail)
                if far == at:
                    near, far = far, near
                if near == at and far not in reached and not isinstance(far, Constant):
                    reached[far] = (*reached[at], triplet.relation)
                    waiting.append(far)
        ways.append(reached.get(query.target, ()))
    return ways


def typed(query: ConjunctiveQuery, schema: Schema) -> ConjunctiveQuery:
    """Return a query in which every variable has a type: that which is stated, else a relation's end's.

    Of several relations the first whose end has a type counts. Where relations are ignored, the types are all
    that tells one kind of node from another.
    """
    types = {name: type_names[0] for name, type_names in query.variables().items() if type_names}
    for triplet in query.triplets:
        ends = (
            schema.ends(triplet.relation, False) if triplet.relation in schema.relations else (THING, THING)
        )
        for term, type_ in zip((triplet.head, triplet.tail), ends, strict=True):
            if isinstance(term, Variable) and type_ != THING:
                types.setdefault(term.name, type_)

    def with_type(term: Term) -> Term:
        return Variable(term.name, types.get(term.name, THING)) if isinstance(term, Variable) else term

    triplets = (
        Triplet(with_type(triplet.head), triplet.relation, with_type(triplet.tail))
        for triplet in query.triplets
    )
    return ConjunctiveQuery(tuple(dict.fromkeys(triplets)), query.target)


def problems(query: ConjunctiveQuery, schema: Schema) -> Iterator[str]:
    """Yield the mistakes of a query, one sentence each; none if it can be solved."""
    if not query.triplets:
        yield "no condition: name at least one triplet"
    types = query.variables()
    if query.target not in types:
        yield f"?{query.target} is asked for and stands in no triplet"
    for name, stated_types in types.items():
        unknown = [type_ for type_ in stated_types if not schema.has_type(type_)]
        for type_ in unknown:
            yield f"?{name} is a {type_!r}, which is no type: choose one of {', '.join(schema.type_names)}"
        if len(stated_types) > 1:
            yield f"?{name} has several types: {', '.join(stated_types)}"
    earlier: set[Triplet] = set()
    for triplet in query.triplets:
        if triplet.relation and triplet.relation not in schema.relations:
            choices = ", ".join(schema.relations)
            yield f"{triplet}: {triplet.relation!r} is no relation: choose one of {choices}"
        if not triplet.variables:
            yield f"{triplet} holds no variable"
        if triplet in earlier:
            yield f"{triplet} is stated twice"
        earlier.add(triplet)
