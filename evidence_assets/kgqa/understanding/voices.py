"""Who does what by a graph's relations, and sets and paths that a question has the other way round.

"Did Kestrel build Harlow Works" has Kestrel as the builder, whatever the types of a graph allow.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from evidence_assets.kgqa.graph.agents import agents
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.mutual_relations import is_mutual
from evidence_assets.kgqa.graph.schema import Schema
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
    names_of,
)
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Constant, Term, Triplet, Variable
from evidence_assets.kgqa.understanding.who_does_what import Phrase, Voice, voices


class Voices:
    """Who does what in the sentences of a schema's relations. `mutual`: those that hold both ways round."""

    def __init__(self, schema: Schema) -> None:
        self.mutual = frozenset(name for name, relation in schema.relations.items() if is_mutual(relation))
        self._agents = {
            name: agents(relation, schema.authored)
            for name, relation in schema.relations.items()
            if name not in self.mutual
        }

    def turned(self, question: LinkedQuestion, expression: Expression) -> Expression:
        """Return a set with steps turned round that the question has the other way round."""
        said = voices(question)
        if not said:
            return expression
        walked = [step.relation for step in _steps(expression) if not _is_role(step)]

        def turns(step: Reached) -> bool:
            phrases = _phrases_of(step.of, only=walked.count(step.relation) == 1)
            return self._against(said, step.relation, phrases, not step.backwards)

        return _turned(expression, turns)

    def both_ways(self, expression: Expression) -> Expression:
        """Return a set with steps that hold both ways round walked both ways, whichever is written down."""
        return _walked_both_ways(expression, self.mutual)

    def contradicts(self, question: LinkedQuestion, query: ConjunctiveQuery) -> bool:
        """Return whether a query has a phrase at the other end of a relation than the question does."""
        said = voices(question)
        walked = [triplet.relation for triplet in query.triplets]
        return bool(said) and any(
            self._against(said, triplet.relation, phrases, is_head)
            for triplet in query.triplets
            for end, is_head in ((triplet.head, True), (triplet.tail, False))
            for phrases in [_phrases_at(query, triplet, end, only=walked.count(triplet.relation) == 1)]
        )

    def _against(
        self, said: Sequence[Voice], relation: str, phrases: frozenset[Phrase], is_head: bool
    ) -> bool:
        agents = self._agents.get(relation, {})
        return any(
            (head := agents.get(voice.verb)) is not None and (head == is_head) != voice.agent
            for voice in said
            if voice.phrase in phrases
        )


def _phrases_of(of: Expression, *, only: bool) -> frozenset[Phrase]:
    """Return what a set may be called by: its name, or a longer phrase that has one.

    `only`: no other step is of the same relation, which the phrase may be of.
    """
    parts = of.parts if isinstance(of, Intersection) else (of,)
    named = {Phrase(part.text) for part in parts if isinstance(part, Named)}
    longer = {Phrase(name.text, longer=True) for name in names_of(of)} if only and not named else set()
    return frozenset(named or longer)


def _phrases_at(query: ConjunctiveQuery, triplet: Triplet, end: Term, *, only: bool) -> frozenset[Phrase]:
    """Return what the end of a condition may be called by: its name, or those that the others join it to.

    What is asked for is called by none.
    """
    if isinstance(end, Constant):
        return frozenset([Phrase(end.text)])
    joined: set[Term] = set() if end.name == query.target or not only else {end}
    conditions = [{other.head, other.tail} for other in query.triplets if other != triplet]
    for _ in conditions:
        passed = {term for term in joined if isinstance(term, Variable) and term.name != query.target}
        joined |= {term for ends in conditions if ends & passed for term in ends}
    return frozenset(Phrase(term.text, longer=True) for term in joined if isinstance(term, Constant))


def _turned(part: Expression, turns: Callable[[Reached], bool]) -> Expression:
    """Return a set with those of its steps turned round that are to be."""
    match part:
        case Reached():
            step = _turned_round(part) if turns(part) else part
            return replace(step, of=_turned(step.of, turns))
        case Intersection(parts):
            return Intersection(tuple(_turned(member, turns) for member in parts))
        case Union(parts):
            return Union(tuple(_turned(member, turns) for member in parts))
        case Difference(of, without):
            return Difference(_turned(of, turns), _turned(without, turns))
        case Filtered() | Extreme():
            return replace(part, of=_turned(part.of, turns))
        case _:
            return part


def _walked_both_ways(part: Expression, mutual: Collection[str]) -> Expression:
    match part:
        case Reached(relation, _, of):
            step = replace(part, of=_walked_both_ways(of, mutual))
            return Union((step, replace(step, backwards=not step.backwards))) if relation in mutual else step
        case Intersection(parts) | Union(parts):
            return replace(part, parts=tuple(_walked_both_ways(member, mutual) for member in parts))
        case Difference(of, without):
            return Difference(_walked_both_ways(of, mutual), _walked_both_ways(without, mutual))
        case Filtered() | Extreme():
            return replace(part, of=_walked_both_ways(part.of, mutual))
        case _:
            return part


def _turned_round(step: Reached) -> Reached:
    """Return a step the other way round: what had to be at one end of its relation has to be at the other."""
    of = step.of
    if isinstance(of, Intersection):
        parts = (
            replace(part, backwards=step.backwards)
            if isinstance(part, Reached) and _is_role(part) and part.relation == step.relation
            else part
            for part in of.parts
        )
        of = Intersection(tuple(parts))
    return Reached(step.relation, not step.backwards, of)


def _is_role(step: Reached) -> bool:
    """Return whether a step leads from anything, and so only says which end of a relation something is at."""
    return isinstance(step.of, Typed)


def _steps(part: Expression) -> Iterator[Reached]:
    match part:
        case Reached(_, _, of):
            yield part
            yield from _steps(of)
        case Intersection(parts) | Union(parts):
            for member in parts:
                yield from _steps(member)
        case Difference(of, without):
            yield from _steps(of)
            yield from _steps(without)
        case Filtered(of) | Extreme(of):
            yield from _steps(of)
