"""What a graph lacks: whether it tells "no", or none of them, or does not tell.

A graph is taken as all that holds where each condition of an empty set is met by something, or is known not
to be: otherwise it may as well lack the facts.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from evidence_assets.kgqa.composition.universals import opposed
from evidence_assets.kgqa.graph.node_types import Nodes
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Extreme,
    Filtered,
    Form,
    Intersection,
    Named,
    Query,
    Reached,
    Typed,
    Union,
    Value,
    comparisons_of,
)
from evidence_assets.kgqa.queries.executing import Executor
from evidence_assets.kgqa.slots.expressions import intersection
from evidence_assets.kgqa.slots.node_names import NodeNames
from evidence_assets.kgqa.understanding.kinds_of_answers import miscounted, restated, restated_of_all
from evidence_assets.kgqa.words.dates import Moment


class ClosedWorld:
    """Tells what one graph does not tell of queries. `mutual`: relations that hold both ways round."""

    def __init__(self, executor: Executor, names: NodeNames, mutual: Collection[str] = ()) -> None:
        self._executor, self._names, self._mutual = executor, names, mutual

    def untold(self, query: Query, nodes: Nodes, said: Collection[str]) -> str:
        """Return that the graph lacks what is asked, or does not tell whether it is so; "" where it tells.

        Args:
            nodes: The set that the query is about.
            said: The relations that words of the question say.
        """
        if query.form is Form.EVERY:
            return self._untold_of_all(query, nodes)
        if query.measure is not None:
            return "" if self._executor.answer(query) else f"the graph lacks what is asked: {query}"
        named = query.of.parts if isinstance(query.of, Union) else (query.of,)
        if query.form is Form.EXISTENCE and all(isinstance(part, Named) for part in named):
            return f"it asks nothing of what it names: {query}"
        unfit = (
            miscounted(query, self._executor)
            or restated(query, nodes)
            or self._incomparable(query)
            or self._too_coarse(query)
        )
        if unfit:
            return unfit
        if len(nodes) or (query.form is not Form.MEMBERS and self._has_parts(query, said)):
            return ""
        lacking = "lacks what is asked" if query.form is Form.MEMBERS else "does not tell"
        return f"the graph {lacking}: {query}"

    def _incomparable(self, query: Query) -> str:
        """Return that a thing has no value among which the first or last by it is asked for; "" of none.

        Who is older, Ann or Ben, nobody knows where the graph tells when Ben was born, and not when Ann was.
        """
        parts = query.of.parts if isinstance(query.of, Intersection) else (query.of,)
        extreme = next((part for part in parts if isinstance(part, Extreme)), None)
        if extreme is None or not isinstance(extreme.measure, Value):
            return ""
        parts = extreme.of.parts if isinstance(extreme.of, Intersection) else (extreme.of,)
        compared = [
            named
            for part in parts
            if isinstance(part, Union)
            for member in part.parts
            for named in (member.parts if isinstance(member, Intersection) else (member,))
        ]
        relation = extreme.measure.relation
        have_values = all(
            len(self._executor.nodes(Reached(relation, False, named)))
            for named in compared
            if isinstance(named, Named)
        )
        return "" if have_values else f"the graph does not tell of each that is compared: {query}"

    def _too_coarse(self, query: Query) -> str:
        """Return that days are compared with years of which no day is told; "" where they are with none.

        What was launched in 1986 may have been in June 1986, or before it, or not.
        """
        for compared in comparisons_of(query.of):
            bound = compared.bound if isinstance(compared, Filtered) else None
            if isinstance(bound, Moment) and bound % 1 and isinstance(compared.measure, Value):
                dated = self._executor.nodes(Reached(compared.measure.relation, False, Typed("")))
                values = self._executor.values[dated]
                if not (values % 1).any() and (values == math.floor(bound)).any():
                    return f"the graph tells years alone, and no days: {query}"
        return ""

    def _untold_of_all(self, query: Query, nodes: Nodes) -> str:
        """Return why it is not known that not all of a set meet a condition; "" where it is, or they do."""
        if told_already := restated_of_all(query):
            return told_already
        counters = isinstance(query.of, Difference) and len(self._executor.nodes(opposed(query.of)))
        if not len(nodes) or counters:
            return ""
        return f"the graph does not tell of each, but of some: {query}"

    def _has_parts(self, query: Query, said: Collection[str]) -> bool:
        """Return whether something meets each condition of an empty set: else "no" and 0 are not known."""
        parts = query.of.parts if isinstance(query.of, Intersection) else (query.of,)
        conditions = [part for part in parts if not isinstance(part, Named)]
        subjects = [part for part in parts if isinstance(part, Named)]
        if not all(self._is_measured(part, subjects) for part in conditions):
            return False
        if query.form is Form.NUMBER:
            return len(conditions) > 1 and all(len(self._executor.nodes(part)) for part in conditions)
        return all(
            len(self._executor.nodes(part)) or self._complement_known(part, parts, said)
            for part in conditions
        )

    def _is_measured(self, part: Expression, subjects: Sequence[Named]) -> bool:
        """Return whether the graph tells what a condition compares, of what is named as well.

        A lighthouse of which no year is told was not automated before another, nor after it.
        """
        if not isinstance(part, Filtered | Extreme) or not isinstance(part.measure, Value):
            return True
        compared: list[Expression] = [part.of] if isinstance(part.of, Named) else [*subjects]
        if isinstance(part, Filtered) and not isinstance(part.bound, float):
            compared.append(part.bound)
        relation = part.measure.relation
        return all(len(self._executor.nodes(Reached(relation, False, of))) for of in compared)

    def _complement_known(self, part: Expression, parts: Sequence[Expression], said: Collection[str]) -> bool:
        """Return whether a condition that nothing meets is known not to be: by what there is in its place."""
        if not isinstance(part, Reached):
            return isinstance(part, Filtered | Extreme | Difference)
        names = [name for name in parts if isinstance(name, Named)]
        # Of a name: what the relation leads to instead of what is known.
        if len(self._executor.nodes(part.of)) and any(
            len(self._executor.nodes(Reached(part.relation, backwards, name)))
            for name in names
            for backwards in ((True, False) if part.relation in self._mutual else (not part.backwards,))
        ):
            return True
        # What holds the other way round, of a relation that nowhere holds both ways.
        converse = Reached(part.relation, not part.backwards, part.of)
        holds = any(len(self._executor.nodes(intersection(name, converse))) for name in names)
        if holds and self._executor.is_one_way(part.relation):
            return True
        return part.relation in said and self._is_told_of_each(part, parts)

    def _is_told_of_each(self, part: Reached, parts: Sequence[Expression]) -> bool:
        """Return whether each member of a type has a relation, which leads to things like what is named.

        Where every job has its target language, and none has Turkish, there is no job into Turkish.
        """
        if not isinstance(part.of, Named):
            return False
        led_to = Reached(part.relation, not part.backwards, Typed(""))
        leads_to_such = any(
            len(self._executor.nodes(intersection(Typed(type_), led_to)))
            for type_ in self._names.types_of(part.of.nodes)
        )
        related = Reached(part.relation, part.backwards, Typed(""))
        return leads_to_such and any(
            0 < len(self._executor.nodes(type_)) == len(self._executor.nodes(intersection(type_, related)))
            for type_ in parts
            if isinstance(type_, Typed)
        )
