"""Sets that parts of a question denote: their types, whether they meet, whether the graph has them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from evidence_assets.evidence.accounting import Role
from evidence_assets.kgqa.graph.indexing import RelationIndex
from evidence_assets.kgqa.graph.node_types import NodeTypes
from evidence_assets.kgqa.graph.relation_facts import RelationFacts
from evidence_assets.kgqa.graph.schema import THING, Schema
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Extreme,
    Filtered,
    Intersection,
    Measure,
    Named,
    Number,
    Reached,
    Typed,
    Union,
    Value,
)
from evidence_assets.kgqa.queries.executing import Executor
from evidence_assets.kgqa.slots.composition_costs import (
    EXCLUDES_NOTHING,
    LACKING,
    LACKING_ASKED,
    LONGEST_JOIN,
    RIVAL,
)
from evidence_assets.kgqa.slots.expressions import intersection, names_among, type_of
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.likelihoods import Likelihoods
from evidence_assets.kgqa.slots.slots import ANYTHING, Kind, Part
from evidence_assets.kgqa.words.word_classes import PREPOSITIONS

# The type of numbers and dates that have none of their own.
LITERAL = "a value"
# A relation's end has a type besides its main one if at least this share of its nodes has it.
_MIXED = 0.1

Gap = tuple[str, ...]
# Relations as they are walked, backwards or not, one after another.
Path = tuple[tuple[str, bool], ...]


class Denotations:
    """What parts of questions denote in one graph."""

    def __init__(
        self, schema: Schema, types: NodeTypes, index: RelationIndex, lexicon: Lexicon, executor: Executor
    ) -> None:
        self._schema, self._types, self._index = schema, types, index
        self._lexicon, self._executor = lexicon, executor
        self._likelihoods: Likelihoods | None = None
        # Prepositions before what is asked for, or left behind: "in which town", "which town is Ada in".
        self._fronted: frozenset[str] = frozenset()
        # Whether it is asked if there is any.
        self._yes_or_no = False
        self._of_types: dict[Expression, frozenset[str]] = {}
        self._end_types: dict[str, tuple[frozenset[str], frozenset[str]]] = {}
        self._joins: dict[tuple[frozenset[str], frozenset[str]], list[Path]] = {}
        self._paired: dict[tuple[frozenset[str], frozenset[str]], list[tuple[str, bool]]] = {}

    def _unlikely(self, relation: str, options: Sequence[str]) -> float:
        """Return what it costs that one of several relations is meant that no word says."""
        if self._likelihoods is None or len(options) < 2:
            return 0.0
        # Either direction of one relation is as likely.
        share = self._likelihoods.among(relation, dict.fromkeys(options)) / options.count(relation)
        return RIVAL * -math.log(max(share, 1e-6))

    def _measure_of(self, step: Part) -> Value | None:
        facts = self._lexicon.facts.get(step.relation)
        return Value(step.relation) if facts is not None and facts.literal else None

    def _measured_by(self, expression: Expression, measure: Measure) -> bool:
        backwards = isinstance(measure, Number) and measure.backwards
        return self._starts(measure.relation, backwards, self._types_of(expression))

    def _is_literal(self, expression: Expression) -> bool:
        while isinstance(expression, Difference | Filtered | Extreme):
            expression = expression.of
        if isinstance(expression, Intersection):
            return any(self._is_literal(part) for part in expression.parts)
        return (
            isinstance(expression, Reached)
            and not expression.backwards
            and self._lexicon.facts[expression.relation].literal
        )

    def _tells_years(self, expression: Expression) -> bool:
        """Return whether a set is of the years that a step leads to."""
        return (
            isinstance(expression, Reached)
            and not expression.backwards
            and self._lexicon.facts[expression.relation].years
        )

    def _types_of(self, expression: Expression) -> frozenset[str]:
        """Return the types of a set: of its nodes, or, where it has none, those that the schema expects."""
        if expression not in self._of_types:
            if len(self._of_types) > 8_192:
                self._of_types.clear()
            self._of_types[expression] = self._inferred_types(expression)
        return self._of_types[expression]

    def _inferred_types(self, expression: Expression) -> frozenset[str]:  # noqa: PLR0911 - a kind each
        match expression:
            case Typed(type_) if type_:
                return frozenset({type_})
            case Reached(relation, backwards, _):
                ends = self._ends(relation, backwards)[1]
                if THING not in ends and (len(ends) == 1 or not len(self._executor.nodes(expression))):
                    return ends
            case Intersection(parts):
                shared = frozenset.intersection(*(self._types_of(part) for part in parts))
                return shared or self._types_of(parts[0])
            case Difference(of) | Filtered(of) | Extreme(of):
                return self._types_of(of)
            case Union(parts):
                return frozenset().union(*(self._types_of(part) for part in parts))
            case _:
                pass
        nodes = self._executor.nodes(expression)
        node_types = frozenset(
            name for name in self._types.names if name != THING and self._types.are(nodes, name).any()
        )
        if not node_types and len(nodes) and not np.isnan(self._executor.values[nodes]).any():
            return frozenset({LITERAL})
        return node_types or frozenset({THING})

    def _ends(self, relation: str, backwards: bool) -> tuple[frozenset[str], frozenset[str]]:
        """Return the types before and after a step; numbers and dates of no type are literals.

        Lines and stations may both be opened: a type counts where enough of an end's nodes are of it.
        """
        if relation not in self._end_types:
            start, end = self._schema.ends(relation, False)
            if end == THING and self._lexicon.facts[relation].literal:
                end = LITERAL
            self._end_types[relation] = (
                self._mixed(start, Reached(relation, True, ANYTHING)),
                self._mixed(end, Reached(relation, False, ANYTHING)),
            )
        ends = self._end_types[relation]
        return ends[::-1] if backwards else ends

    def _mixed(self, main: str, reached: Expression) -> frozenset[str]:
        if main in (THING, LITERAL):
            return frozenset({main})
        nodes = self._executor.nodes(reached)
        names = [name for name in self._types.names if name != THING] if len(nodes) else []
        mixed = (name for name in names if self._types.are(nodes, name).mean() >= _MIXED)
        return frozenset({main, *mixed})

    def _starts(self, relation: str, backwards: bool, types: frozenset[str]) -> bool:
        starts = self._ends(relation, backwards)[0]
        if LITERAL in starts or types == {LITERAL}:
            return bool(starts & types) or THING in starts
        return bool(starts & types) or THING in types or THING in starts

    def _paths(self, start: frozenset[str], end: frozenset[str]) -> list[Path]:
        """Return the shortest paths of several steps from types to types, as what one thing tells joins them.

        Two ends of a booking are joined, and what it leads to further on; not two guests of one town, which
        are led to from what both lead to.
        """
        if (start, end) not in self._joins:
            self._joins[start, end] = self._shortest_paths(start, end)
        return self._joins[start, end]

    def _shortest_paths(self, start: frozenset[str], end: frozenset[str]) -> list[Path]:
        if {THING, LITERAL} & (start | end):
            return []
        steps = [
            (name, backwards)
            for name in self._schema.relations
            for backwards in (True, False)
            if not {THING, LITERAL} & self._ends(name, False)[1] and not self._lexicon.facts[name].literal
        ]
        paths: list[tuple[Path, frozenset[str], frozenset[str]]] = [((), start, start)]
        for _ in range(LONGEST_JOIN):
            paths = [
                ((*path, step), reached, visited | reached)
                for path, at, visited in paths
                for step in steps
                # What is led to leads no way back.
                if not (path and step[1] and not path[-1][1]) and self._ends(*step)[0] & at
                for reached in (self._ends(*step)[1],)
                if not reached <= visited
            ]
            joined = [path for path, reached, _ in paths if reached & end and len(path) > 1]
            if joined:
                return joined
        return []

    def _meet(self, left: Part, right: Part) -> bool:  # noqa: PLR0911 - each return is one reason
        """Return whether two sets may have nodes in common."""
        for extreme, plain in ((left.expression, right.expression), (right.expression, left.expression)):
            if isinstance(extreme, Extreme) and not isinstance(plain, Named):
                # "Which river is longer, the Elbe or the Rhine": a noun for both. "Which river is the longest
                # of all rivers".
                return isinstance(plain, Typed) and (
                    isinstance(extreme.of, Union) or type_of(extreme.of) == plain.type
                )
        if (names_among(left.expression) and names_among(right.expression)) or left.same or right.same:
            # Two things that are named are not one.
            return False
        if left.joint is Kind.SAME or right.joint is Kind.SAME or left.members or right.members:
            return False
        for noun, neighbour in ((left, right), (right, left)):
            if isinstance(noun.expression, Typed):
                if noun.framed and isinstance(neighbour.expression, Named):
                    return False
                if isinstance(neighbour.expression, Typed):
                    shared = intersection(left.expression, right.expression)
                    return isinstance(shared, Intersection) and bool(len(self._executor.nodes(shared)))
                # What is near a noun in meaning, said beside it, says more than the noun does.
                repeated = type_of(neighbour.expression) == noun.expression.type
                if repeated and any(binding.role is Role.MEANING for binding in noun.bindings):
                    return False
        types = self._types_of(left.expression) & self._types_of(right.expression)
        if not types:
            return False
        if types == {THING}:
            return right.negated or bool(
                len(self._executor.nodes(intersection(left.expression, right.expression)))
            )
        return True

    def _lacks(self, expression: Expression, *of: Part) -> float:
        """Return what it costs that the graph has nothing of a set, though of each of its parts."""
        if len(self._executor.nodes(expression)):
            return 0.0
        lacking = LACKING_ASKED if self._yes_or_no else LACKING
        return lacking if all(self._has(part) for part in of) else 0.0

    def _excludes_nothing(self, expression: Expression) -> float:
        """Return what it costs that a set is no smaller without what is taken away from it."""
        if not isinstance(expression, Difference):
            return 0.0
        of, remaining = self._executor.nodes(expression.of), self._executor.nodes(expression)
        return EXCLUDES_NOTHING if len(of) == len(remaining) else 0.0

    def _has(self, part: Part) -> bool:
        return part.expression == ANYTHING or bool(len(self._executor.nodes(part.expression)))


def is_subject_head(facts: RelationFacts, passive: bool) -> bool:
    """Return whether a relation leads from the subject of its verb, which stands before it.

    "Located in" is passive already: what is located is its head.
    """
    placed = any(word in PREPOSITIONS and word != "by" for word in facts.name_words[-1:])
    return facts.agent_first == (placed or not passive)
