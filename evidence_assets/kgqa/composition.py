"""Questions composed of their parts: a chart of what neighbouring parts denote together.

Every word either is bound, or costs. So the cheapest composition is the one that accounts for most of the
question; one that the graph has no instance of is kept beside those that it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evidence_assets.evidence.accounting import Binding, Role
from evidence_assets.kgqa.algebra import (
    Difference,
    Expression,
    Extreme,
    Filtered,
    Form,
    Intersection,
    Measure,
    Named,
    Number,
    Query,
    Reached,
    Relational,
    Typed,
    Union,
    Value,
    names_of,
)
from evidence_assets.kgqa.executing import Executor
from evidence_assets.kgqa.indexing import RelationIndex
from evidence_assets.kgqa.lexicon import Lexicon
from evidence_assets.kgqa.literals import in_unit
from evidence_assets.kgqa.node_types import NodeTypes
from evidence_assets.kgqa.schema import THING, Schema
from evidence_assets.kgqa.slots import ANYTHING, Kind, Part, Slots

# What is kept of a span of the question, and how many slots a question may have.
BEAM, MOST_SLOTS = 14, 11
# Costs, in words left out: a step that no word says, with a preposition of the relation's name or without; a
# direction that the voice speaks against; another preposition; nothing in the graph.
UNSAID_PREPOSITION, UNSAID, RIVAL, AGAINST_VOICE, OTHER_PREPOSITION, LACKING = 0.1, 0.35, 0.25, 0.6, 0.15, 0.3
# A measure that is no noun of what it compares: "costs less" asks for what does.
SAID_TWICE = 0.2
# A step to anything; what was asked for in another form; what was asked for is not what is answered.
OPEN, SAID_BEFORE, OTHER_FORM, BURIED, MOST_UNSAID = 0.7, 0.05, 0.6, 0.6, 2
_PREPOSITIONS = frozenset(
    [
        "by",
        "in",
        "at",
        "on",
        "from",
        "to",
        "for",
        "with",
        "of",
        "into",
        "under",
        "near",
        "against",
        "over",
        "after",
        "about",
    ]
)
_HAVING = frozenset(["with", "has", "have", "had", "having", "of", "s", "having's"])
_BE = frozenset(["is", "are", "was", "were", "be", "been", "being"])
# The type of numbers and dates that have none of their own.
LITERAL = "a value"

Gap = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Composition:
    """What a question asks as a whole; `cost`: in words left out; `exists`: the graph has an instance."""

    query: Query
    cost: float
    bindings: tuple[Binding, ...]
    exists: bool
    unsaid: int


class Composer:
    """Composes the slots of questions over one graph."""

    def __init__(
        self, schema: Schema, types: NodeTypes, index: RelationIndex, lexicon: Lexicon, executor: Executor
    ) -> None:
        self._schema, self._types, self._index = schema, types, index
        self._lexicon, self._executor = lexicon, executor
        self._of_types: dict[Expression, frozenset[str]] = {}
        self._paired: dict[tuple[frozenset[str], frozenset[str]], list[tuple[str, bool]]] = {}

    def compositions(self, slots: Slots) -> list[Composition]:
        """Return what a question may ask as a whole, the cheapest first; empty where no part composes."""
        count = len(slots.slots)
        chart: dict[tuple[int, int], list[Part]] = {}
        for place, slot in enumerate(slots.slots):
            left_out = Part(Kind.EMPTY, slot.left_out)
            chart[place, place + 1] = self._kept(
                [*slot.parts, *self._opened(slot.parts), *self._members(slot.parts), left_out]
            )
        for width in range(2, count + 1):
            for begin in range(count - width + 1):
                end = begin + width
                parts = [
                    part
                    for middle in range(begin + 1, end)
                    for left in chart[begin, middle]
                    for right in chart[middle, end]
                    for part in self._joined(
                        left, right, slots.gaps[begin], slots.gaps[middle], slots.gaps[end]
                    )
                ]
                chart[begin, end] = self._kept(parts)
        whole = chart.get((0, count), [])
        found = [composition for part in whole for composition in self._asked(part, slots)]
        found.sort(key=lambda each: (round(each.cost, 6), str(each.query)))
        return found

    def _kept(self, parts: Sequence[Part]) -> list[Part]:
        best: dict[tuple[object, ...], Part] = {}
        for part in parts:
            key = (
                part.kind,
                part.expression,
                part.members,
                part.relation,
                part.negated,
                part.measure,
                part.greatest,
                part.relational,
                part.bound,
                part.same,
                part.joint,
                part.agentive,
                part.target,
                part.via,
            )
            if key not in best or part.cost < best[key].cost:
                best[key] = part
        ordered = sorted(best.values(), key=lambda part: part.cost)
        return ordered[:BEAM]

    def _opened(self, parts: Sequence[Part]) -> Iterator[Part]:
        """Yield, for a step without what it leads to, the nodes that take part in it at all."""
        for part in parts:
            if part.kind is Kind.STEP and not part.framed and part.relation in self._schema.relations:
                for backwards in (False, True):
                    expression = Reached(part.relation, backwards, ANYTHING)
                    yield replace(
                        part,
                        kind=Kind.SET,
                        expression=expression,
                        relation="",
                        cost=part.cost + OPEN,
                        via=(part.relation, backwards),
                    )

    def _members(self, parts: Sequence[Part]) -> Iterator[Part]:
        """Yield, for a name that one relation alone leads to, its members: the birds, of a group "bird"."""
        for part in parts:
            if not isinstance(part.expression, Named) or part.kind is not Kind.SET:
                continue
            types = self._types_of(part.expression)
            steps = [
                (name, backwards)
                for name in self._schema.relations
                for backwards in (False, True)
                if THING not in types and self._starts(name, backwards, types)
            ]
            if len(steps) == 1 and steps[0][1]:
                expression = Reached(*steps[0], part.expression)
                yield replace(part, expression=expression, cost=part.cost + UNSAID, unsaid=1)

    # What two neighbours denote together.

    def _joined(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if left.kind is Kind.EMPTY or right.kind is Kind.EMPTY:
            yield _with(right if left.kind is Kind.EMPTY else left, left, right)
            return
        rules = _RULES.get((left.kind, right.kind))
        for rule in rules or ():
            for part in rule(self, left, right, before, gap, after):
                yield _with(part, left, right)

    def _step_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        passive, of = "by" in gap, "of" in gap
        if _measures(right.expression, left.relation) and not left.negated and not of:
            yield replace(right, cost=left.cost + right.cost, bindings=(*left.bindings, *right.bindings))
        for part in self._stepped(left, right, passive, of, False, frozenset(gap) & _PREPOSITIONS):
            yield replace(part, negated=left.negated != right.negated)

    def _set_step(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if left.negated:
            return
        possessive = "s" in gap
        if _measures(left.expression, right.relation) and not right.negated and not possessive:
            yield replace(left, cost=left.cost + right.cost, bindings=(*left.bindings, *right.bindings))
        passive = "by" in after[:1] or (bool(before) and before[-1] in _BE and not possessive)
        prepositions = frozenset(after[:1]) & _PREPOSITIONS
        for part in self._stepped(right, left, passive, possessive, not possessive, prepositions):
            yield replace(part, negated=right.negated)

    def _stepped(
        self, step: Part, start: Part, passive: bool, noun: bool, subject: bool, prepositions: frozenset[str]
    ) -> Iterator[Part]:
        """Yield what a step leads to from a set.

        `passive`: who does it is named by "by", or the verb is passive; `noun`: the step's word is a noun of
        the set ("capital of"); `subject`: the set stands before the verb.
        """
        facts = self._lexicon.facts.get(step.relation)
        if facts is None or (
            isinstance(start.expression, Filtered | Extreme) and start.expression.of == ANYTHING
        ):
            return
        if noun and step.agentive:
            starts_at_head = not facts.agent_first
        elif noun:
            starts_at_head = not facts.noun_of
        elif subject:
            # "Located in" is passive already: what is located is its head.
            placed = facts.name_words[-1:] != ("by",) and facts.name_words[-1:][0] in _PREPOSITIONS
            starts_at_head = facts.agent_first if placed or not passive else not facts.agent_first
        else:
            starts_at_head = facts.agent_first if passive else not facts.agent_first
        own = frozenset(facts.name_words) & _PREPOSITIONS
        strange = OTHER_PREPOSITION if own and prepositions and not own & prepositions else 0.0
        types = self._types_of(start.expression)
        fits = [self._starts(step.relation, backwards, types) for backwards in (False, True)]
        for backwards in (False, True):
            if not fits[backwards]:
                continue
            twice = SAID_TWICE if _measures(start.expression, step.relation) and not noun else 0.0
            if step.framed and _is_back(start.expression, step.relation, backwards):
                continue
            against = AGAINST_VOICE if all(fits) and backwards == starts_at_head else 0.0
            against += BURIED * start.target
            if start.same is not None and start.same != (step.relation, not backwards):
                against += OTHER_FORM
            members = start.members or (start.expression,)
            reached = [Reached(step.relation, backwards, member) for member in members]
            expression: Expression = reached[0] if len(reached) == 1 else Intersection(tuple(reached))
            if start.same is not None:
                expression = Difference(expression, _union(names_of(start.expression)))
            elif (
                isinstance(start.expression, Reached)
                and start.expression.relation == step.relation
                and start.expression.backwards != backwards
                and (names := names_of(start.expression))
            ):
                # Back along the same relation: to others than the one that it began at.
                expression = Difference(expression, _union(names))
            yield Part(
                Kind.SET,
                start.cost + step.cost + against + strange + twice + self._lacks(expression, start),
                (*step.bindings, *start.bindings),
                expression,
                unsaid=start.unsaid,
                target=step.target,
            )

    def _set_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        cost, bindings = left.cost + right.cost, (*left.bindings, *right.bindings)
        unsaid = left.unsaid + right.unsaid
        if left.negated:
            if right.negated:
                yield from self._both_negated(left, right)
            return
        if self._meet(left, right):
            expression = (
                Difference(left.expression, right.expression)
                if right.negated
                else _intersection(left.expression, right.expression)
            )
            lacks = self._lacks(expression, left, right)
            target = left.target or right.target
            via = left.via or right.via
            yield Part(Kind.SET, cost + lacks, bindings, expression, unsaid=unsaid, target=target, via=via)
        if unsaid >= MOST_UNSAID:
            return
        yield from self._unsaid(left, right, gap, True)
        if not right.negated:
            yield from self._unsaid(right, left, gap, False)

    def _both_negated(self, left: Part, right: Part) -> Iterator[Part]:
        if self._types_of(left.expression) & self._types_of(right.expression):
            yield replace(
                left,
                expression=_union((left.expression, right.expression)),
                cost=left.cost + right.cost,
                bindings=(*left.bindings, *right.bindings),
            )

    def _unsaid(self, head: Part, modifier: Part, gap: Gap, after_head: bool) -> Iterator[Part]:
        """Yield a set restricted to what some relation that no word says links to another set."""
        options = self._options(head, modifier)
        nearest = self._lexicon.nearest_relation(_type_of(head.expression), {name for name, _ in options})
        words = frozenset(gap)
        for relation, backwards in options:
            facts = self._lexicon.facts[relation]
            own = frozenset(facts.name_words) & _PREPOSITIONS
            said = bool(own & words)
            rivals = [
                other
                for other in options
                if other != (relation, backwards)
                and not (
                    said and not (frozenset(self._lexicon.facts[other[0]].name_words) & words & _PREPOSITIONS)
                )
            ]
            cost = UNSAID_PREPOSITION if said else UNSAID if words & _HAVING or not words else UNSAID + 0.1
            cost += (0.1 if relation == nearest else RIVAL * len(rivals)) if rivals else 0.0
            cost += (0.1 if not after_head else 0.0) + BURIED * modifier.target
            if modifier.same is not None:
                if modifier.same != (relation, not backwards):
                    continue
                cost = 0.0
            elif modifier.via == (relation, not backwards) and after_head and words & (_HAVING | {"whose"}):
                # "Teams with a sponsor in Leeds": the step was said.
                cost = SAID_BEFORE + BURIED * modifier.target - (0.0 if modifier.negated else OPEN)
            elif (
                isinstance(head.expression, Named)
                and isinstance(modifier.expression, Named)
                and not words & (_PREPOSITIONS | _HAVING)
            ):
                continue
            members = modifier.members or (modifier.expression,)
            reached = tuple(Reached(relation, backwards, member) for member in members)
            if modifier.negated:
                expression: Expression = Difference(head.expression, _union(reached))
            else:
                expression = _intersection(head.expression, *reached)
            if modifier.same is not None:
                expression = Difference(expression, _union(names_of(modifier.expression)))
            yield Part(
                Kind.SET,
                head.cost + modifier.cost + cost + self._lacks(expression, head, modifier),
                (*head.bindings, *modifier.bindings),
                expression,
                unsaid=head.unsaid + modifier.unsaid + (modifier.same is None and modifier.via is None),
                target=head.target,
                via=head.via,
            )

    def _options(self, head: Part, modifier: Part) -> list[tuple[str, bool]]:
        """Return the steps that types allow from a modifier to a head."""
        to, start = self._types_of(head.expression), self._types_of(modifier.expression)
        if (start, to) not in self._paired:
            self._paired[start, to] = [
                (name, backwards)
                for name in self._schema.relations
                for backwards in (False, True)
                if self._starts(name, backwards, start) and self._starts(name, not backwards, to)
            ]
        return self._paired[start, to]

    def _and_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        yield replace(
            right,
            kind=Kind.LISTED,
            joint=left.kind,
            cost=left.cost + right.cost,
            bindings=(*left.bindings, *right.bindings),
        )

    def _set_listed(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if not self._types_of(left.expression) & self._types_of(right.expression) or (
            left.negated and not right.negated
        ):
            return
        cost, bindings = left.cost + right.cost, (*left.bindings, *right.bindings)
        names = isinstance(left.expression, Named) and isinstance(right.expression, Named | Union)
        both = _union((left.expression, right.expression))
        unsaid = left.unsaid + right.unsaid
        if right.negated and not left.negated:
            if not isinstance(left.expression, Named):
                difference = Difference(left.expression, right.expression)
                yield Part(Kind.SET, cost, bindings, difference, unsaid=unsaid, target=left.target)
        elif left.negated:
            yield Part(Kind.SET, cost, bindings, both, negated=True, unsaid=unsaid)
        elif right.joint is Kind.OR:
            lacks = self._lacks(both, left, right)
            yield Part(Kind.SET, cost + lacks, bindings, both, unsaid=unsaid, target=left.target)
        elif names:
            members = (left.expression, *(right.members or (right.expression,)))
            yield Part(Kind.SET, cost, bindings, both, members, unsaid=unsaid)
        elif not isinstance(left.expression, Typed) and not isinstance(right.expression, Named):
            expression = _intersection(left.expression, right.expression)
            lacks = self._lacks(expression, left, right)
            yield Part(Kind.SET, cost + lacks, bindings, expression, unsaid=unsaid, target=left.target)

    def _negated(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if not right.negated:
            # "Have no sponsor": whoever it is.
            usual = (
                OPEN - UNSAID
                if isinstance(right.expression, Reached) and right.expression.of == ANYTHING
                else 0.0
            )
            yield replace(
                right,
                negated=True,
                cost=left.cost + right.cost - usual,
                bindings=(*left.bindings, *right.bindings),
            )

    def _except(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if isinstance(right.expression, Named | Union) and not right.negated:
            yield replace(
                right, negated=True, cost=left.cost + right.cost, bindings=(*left.bindings, *right.bindings)
            )

    def _other(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        yield replace(
            right, same=right.same, cost=left.cost + right.cost, bindings=(*left.bindings, *right.bindings)
        )

    def _same(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "the same city", to be completed by "as Leeds" or a name before it."""
        yield replace(
            right, joint=Kind.SAME, cost=left.cost + right.cost, bindings=(*left.bindings, *right.bindings)
        )

    def _same_as(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield what is the same as of a name: reached from it by a relation that is walked back after."""
        if left.joint is not Kind.SAME or not isinstance(right.expression, Named):
            return
        cost, bindings = left.cost + right.cost, (*left.bindings, *right.bindings)
        types = self._types_of(right.expression)
        for name in self._schema.relations if left.kind is Kind.SET else (left.relation,):
            for backwards in (False, True):
                if not self._starts(name, backwards, types):
                    continue
                reached: Expression = Reached(name, backwards, right.expression)
                if left.kind is Kind.SET:
                    if not self._types_of(left.expression) & self._types_of(reached):
                        continue
                    reached = _intersection(left.expression, reached)
                lacks = self._lacks(reached, right)
                yield Part(Kind.SET, cost + lacks, bindings, reached, same=(name, backwards))

    def _step_step(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if left.relation == right.relation and not right.negated:
            yield replace(
                left,
                cost=left.cost + right.cost,
                bindings=(*left.bindings, *right.bindings),
                agentive=left.agentive or right.agentive,
                target=left.target or right.target,
            )

    # Measures: superlatives and comparisons.

    def _measure_of(self, step: Part) -> Value | None:
        facts = self._lexicon.facts.get(step.relation)
        return Value(step.relation) if facts is not None and facts.literal else None

    def _most_step(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if (measure := self._measure_of(right)) is not None and not right.negated:
            yield Part(
                Kind.EXTREME,
                left.cost + right.cost,
                (*left.bindings, *right.bindings),
                measure=measure,
                greatest=left.greatest,
                joint=left.kind,
            )

    def _step_most(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "costs less": the measure before how it is compared."""
        yield from self._most_step(right, left, before, gap, after)

    def _step_extreme(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "costs less per pack": a measure that two words say."""
        step, extreme = (left, right) if left.kind is Kind.STEP else (right, left)
        if extreme.measure == Value(step.relation) and not step.negated:
            yield replace(extreme, cost=left.cost + right.cost, bindings=(*left.bindings, *right.bindings))

    def _most_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if not right.negated and not isinstance(right.expression, Named):
            yield replace(
                right,
                kind=Kind.QUANTITY,
                greatest=left.greatest,
                cost=left.cost + right.cost,
                bindings=(*left.bindings, *right.bindings),
                joint=left.kind,
            )

    def _step_quantity(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        cost, bindings = left.cost + right.cost, (*left.bindings, *right.bindings)
        types = self._types_of(right.expression)
        facts = self._lexicon.facts[left.relation]
        subject_at_head = facts.agent_first != ("by" in gap)
        fits = [self._starts(left.relation, not backwards, types) for backwards in (False, True)]
        for backwards in (False, True):
            # From what is counted back to who is compared.
            if fits[backwards]:
                against = AGAINST_VOICE if all(fits) and backwards == subject_at_head else 0.0
                number = Number(left.relation, backwards, right.expression)
                yield self._of_quantity(right, number, cost + against, bindings, right.unsaid)

    def _of_quantity(
        self, quantity: Part, number: Number, cost: float, bindings: tuple[Binding, ...], unsaid: int
    ) -> Part:
        if quantity.kind is Kind.QUANTITY:
            return Part(
                Kind.EXTREME,
                cost,
                bindings,
                measure=number,
                greatest=quantity.greatest,
                joint=quantity.joint,
                unsaid=unsaid,
            )
        subjects = Reached(number.relation, not number.backwards, ANYTHING)
        relational, bound = quantity.relational or Relational.EQUAL, quantity.bound or 0.0
        expression: Expression = Filtered(subjects, number, relational, bound)
        if quantity.upper is not None:
            expression = Filtered(expression, number, Relational.AT_MOST, quantity.upper)
        return Part(Kind.SET, cost + self._lacks(expression), bindings, expression, unsaid=unsaid)

    def _set_quantity(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "the club with the most players": a step that no word says."""
        if left.negated or left.unsaid + right.unsaid >= MOST_UNSAID:
            return
        options = self._options(left, replace(right, kind=Kind.SET))
        for relation, backwards in options:
            number = Number(relation, not backwards, right.expression)
            cost = left.cost + right.cost + UNSAID + RIVAL * (len(options) - 1)
            part = self._of_quantity(
                right, number, cost, (*left.bindings, *right.bindings), left.unsaid + right.unsaid + 1
            )
            if part.kind is Kind.EXTREME:
                yield from self._extreme_of(left, part, cost)
            else:
                expression = _filtered_of(left.expression, part.expression)
                yield replace(part, expression=expression, target=left.target)

    def _extreme_of(self, of: Part, extreme: Part, cost: float) -> Iterator[Part]:
        if extreme.measure is None:
            return
        two = isinstance(of.expression, Union) and all(
            isinstance(each, Named) for each in of.expression.parts
        )
        if (extreme.joint is Kind.MORE and not two) or isinstance(of.expression, Named):
            return
        if not self._measured_by(of.expression, extreme.measure):
            return
        expression = Extreme(of.expression, extreme.measure, extreme.greatest)
        lacks = self._lacks(expression, of)
        yield Part(
            Kind.SET,
            cost + lacks,
            (*extreme.bindings, *of.bindings),
            expression,
            target=of.target,
            unsaid=max(of.unsaid + extreme.unsaid, extreme.unsaid),
        )

    def _measured_by(self, expression: Expression, measure: Measure) -> bool:
        backwards = isinstance(measure, Number) and measure.backwards
        return self._starts(measure.relation, backwards, self._types_of(expression))

    def _extreme_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if not right.negated:
            yield from self._extreme_of(right, left, left.cost + right.cost)

    def _set_extreme(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if not left.negated:
            yield from self._extreme_of(left, right, left.cost + right.cost)

    def _step_bound(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        measure = self._measure_of(left)
        if measure is None or right.bound is None or not isinstance(right.bound, float):
            return
        yield from self._bounded(
            measure, right, left.cost + right.cost, (*left.bindings, *right.bindings), left.negated
        )

    def _bound_step(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        yield from self._step_bound(right, left, before, gap, after)

    def _bounded(
        self, measure: Value, bound: Part, cost: float, bindings: tuple[Binding, ...], negated: bool = False
    ) -> Iterator[Part]:
        sets = [self._within(measure, each) for each in (bound, *bound.others)]
        known = [each for each in sets if each is not None]
        if len(known) == len(sets):
            expression = _union(known)
            yield Part(Kind.SET, cost + self._lacks(expression), bindings, expression, negated=negated)

    def _within(self, measure: Value, bound: Part) -> Expression | None:
        """Return what has a measure within a bound; None where its unit or kind is another."""
        facts = self._lexicon.facts[measure.relation]
        if (
            not isinstance(bound.bound, float)
            or bound.relational is None
            or (bound.years and not facts.years)
        ):
            return None
        value = in_unit(bound.bound, bound.unit, facts.unit)
        if value is None:
            return None
        subjects = Reached(measure.relation, True, ANYTHING)
        expression: Expression = Filtered(subjects, measure, bound.relational, value)
        if bound.upper is not None:
            upper = in_unit(bound.upper, bound.unit, facts.unit)
            expression = Filtered(expression, measure, Relational.AT_MOST, upper or bound.upper)
        return expression

    def _or_bound(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if isinstance(right.bound, float):
            yield replace(
                right,
                kind=Kind.OR,
                others=(right,),
                cost=left.cost + right.cost,
                bindings=(*left.bindings, *right.bindings),
            )

    def _bound_or(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if right.others and isinstance(left.bound, float):
            yield replace(
                left,
                others=right.others,
                cost=left.cost + right.cost,
                bindings=(*left.bindings, *right.bindings),
            )

    def _set_bound(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "books after 1990": compared by the one relation that leads to such values."""
        if left.negated or not isinstance(right.bound, float) or left.unsaid >= MOST_UNSAID:
            return
        types = self._types_of(left.expression)
        years = right.years or (right.relational is Relational.EQUAL and not right.unit)
        measures = [
            Value(name)
            for name, facts in self._lexicon.facts.items()
            if facts.literal
            and (facts.years if years else bool(right.unit) and facts.unit)
            and self._starts(name, False, types)
        ]
        for measure in measures:
            cost = left.cost + right.cost + UNSAID + RIVAL * (len(measures) - 1)
            for part in self._bounded(measure, right, cost, (*left.bindings, *right.bindings)):
                filtered = _filtered_of(left.expression, part.expression)
                yield replace(part, expression=filtered, unsaid=left.unsaid + 1, target=left.target)

    def _bound_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "more than two books", and "before Leeds", which is compared by a value of its own."""
        cost, bindings = left.cost + right.cost, (*left.bindings, *right.bindings)
        if left.bound is None:
            yield replace(left, kind=Kind.THAN, bound=right.expression, cost=cost, bindings=bindings)
        elif isinstance(left.bound, float) and not left.years and not left.unit and not right.negated:
            yield replace(
                right,
                kind=Kind.COUNTED,
                relational=left.relational,
                bound=left.bound,
                upper=left.upper,
                cost=cost,
                bindings=bindings,
            )

    def _step_than(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "founded before Leeds"."""
        measure = self._measure_of(left)
        if (
            measure is None
            or right.bound is None
            or isinstance(right.bound, float)
            or right.relational is None
        ):
            return
        if right.years and not self._lexicon.facts[left.relation].years:
            return
        yield from self._than(measure, right.relational, right.bound, left, right)

    def _degree_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "longer than the Danube"."""
        if (
            left.bound is None
            and left.measure is not None
            and left.relational is not None
            and not right.negated
        ):
            yield from self._than(left.measure, left.relational, right.expression, left, right)

    def _than(
        self, measure: Measure, relational: Relational, bound: Expression, left: Part, right: Part
    ) -> Iterator[Part]:
        if not self._measured_by(bound, measure):
            return
        backwards = isinstance(measure, Number) and measure.backwards
        subjects = Reached(measure.relation, not backwards, ANYTHING)
        expression = Filtered(subjects, measure, relational, bound)
        cost = left.cost + right.cost + self._lacks(expression)
        yield Part(
            Kind.SET, cost, (*left.bindings, *right.bindings), expression, unsaid=left.unsaid + right.unsaid
        )

    def _than_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if left.bound is None and not right.negated:
            yield replace(
                left,
                bound=right.expression,
                cost=left.cost + right.cost,
                bindings=(*left.bindings, *right.bindings),
            )

    def _extreme_than(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "more pages than the other book", "wrote more books than Ada"."""
        if left.joint is Kind.MORE and left.measure is not None and isinstance(right.bound, Expression):
            relational = Relational.MORE if left.greatest else Relational.LESS
            yield from self._than(left.measure, relational, right.bound, left, right)

    def _quantity_than(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if left.joint is Kind.MORE and isinstance(right.bound, Expression):
            compared = Part(Kind.SET, right.cost, right.bindings, right.bound)
            options = self._options(compared, replace(left, kind=Kind.SET, members=(), same=None))
            for relation, backwards in options:
                number = Number(relation, not backwards, left.expression)
                relational = Relational.MORE if left.greatest else Relational.LESS
                costed = replace(
                    left, cost=left.cost + UNSAID + RIVAL * (len(options) - 1), unsaid=left.unsaid + 1
                )
                yield from self._than(number, relational, right.bound, costed, right)

    def _count_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if not right.negated and left.expression == ANYTHING:
            yield replace(
                right,
                kind=Kind.COUNT,
                cost=left.cost + right.cost,
                bindings=(*left.bindings, *right.bindings),
            )

    def _degree_alone(self, part: Part) -> Part | None:
        """Return "longer than 500 km" as a set."""
        if part.kind is not Kind.DEGREE or not isinstance(part.bound, float):
            return None
        if part.measure is None or part.relational is None:
            return None
        subjects = Reached(part.measure.relation, True, ANYTHING)
        expression = Filtered(subjects, part.measure, part.relational, part.bound)
        return Part(Kind.SET, part.cost + self._lacks(expression), part.bindings, expression)

    def _degree_with(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        as_set = [self._degree_alone(part) if part.kind is Kind.DEGREE else part for part in (left, right)]
        if as_set[0] is not None and as_set[1] is not None:
            yield from self._set_set(as_set[0], as_set[1], before, gap, after)

    # What is asked as a whole.

    def _asked(self, part: Part, slots: Slots) -> Iterator[Composition]:
        if part.kind is Kind.DEGREE:
            part = self._degree_alone(part) or part
        if part.kind not in (Kind.SET, Kind.COUNT) or part.negated or part.expression == ANYTHING:
            return
        expression, cost = part.expression, part.cost
        nodes = self._executor.nodes(expression)
        form = Form.MEMBERS
        literal = self._is_literal(expression)
        if slots.yes_or_no:
            if not names_of(expression) and isinstance(expression, Typed):
                return
            choice = isinstance(expression, Extreme) and isinstance(expression.of, Union)
            form = Form.MEMBERS if choice else Form.EXISTENCE
        elif _is_named(expression) or part.members:
            return
        elif part.kind is Kind.COUNT:
            form = Form.MEMBERS if literal else Form.NUMBER
        elif isinstance(expression, Typed):
            return
        if form is Form.MEMBERS and part.kind is not Kind.COUNT:
            cost += self._against_asking(slots.asks, expression, literal)
        if any(binding.target == Kind.OTHER.value for binding in part.bindings) and (
            names := names_of(expression)
        ):
            expression = Difference(expression, _union(names))
            nodes = self._executor.nodes(expression)
        exists = bool(len(nodes)) or form is not Form.MEMBERS
        yield Composition(Query(expression, form), round(cost, 6), part.bindings, exists, part.unsaid)

    def _against_asking(self, asks: str, expression: Expression, literal: bool) -> float:
        if asks == "when":
            return 0.0 if literal else OTHER_FORM
        if asks in ("who", "whom", "whose", "where") and literal:
            return OTHER_FORM
        wanted = self._lexicon.asked_types(asks) if asks else ()
        types = self._types_of(expression)
        return OTHER_FORM if wanted and types and not types & frozenset(wanted) else 0.0

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

    # Types, and what the graph has.

    def _types_of(self, expression: Expression) -> frozenset[str]:
        """Return the types of a set: of its nodes, or, where it has none, those that the schema expects."""
        if expression not in self._of_types:
            if len(self._of_types) > 8_192:
                self._of_types.clear()
            self._of_types[expression] = self._found_types(expression)
        return self._of_types[expression]

    def _found_types(self, expression: Expression) -> frozenset[str]:  # noqa: PLR0911 - a kind each
        match expression:
            case Typed(type_) if type_:
                return frozenset({type_})
            case Reached(relation, backwards, _):
                end = self._ends(relation, backwards)[1]
                if end != THING:
                    return frozenset({end})
            case Intersection(parts):
                met = frozenset.intersection(*(self._types_of(part) for part in parts))
                return met or self._types_of(parts[0])
            case Difference(of) | Filtered(of) | Extreme(of):
                return self._types_of(of)
            case Union(parts):
                return frozenset().union(*(self._types_of(part) for part in parts))
            case _:
                pass
        nodes = self._executor.nodes(expression)
        named = frozenset(
            name for name in self._types.names if name != THING and self._types.are(nodes, name).any()
        )
        if not named and len(nodes) and not np.isnan(self._executor.values[nodes]).any():
            return frozenset({LITERAL})
        return named or frozenset({THING})

    def _ends(self, relation: str, backwards: bool) -> tuple[str, str]:
        """Return the types before and after a step; numbers and dates of no type are literals."""
        start, end = self._schema.ends(relation, False)
        if end == THING and self._lexicon.facts[relation].literal:
            end = LITERAL
        return (end, start) if backwards else (start, end)

    def _starts(self, relation: str, backwards: bool, types: frozenset[str]) -> bool:
        start = self._ends(relation, backwards)[0]
        if start == LITERAL or types == {LITERAL}:
            return start in types or start == THING
        return start in types or THING in types or start == THING

    def _meet(self, left: Part, right: Part) -> bool:  # noqa: PLR0911 - each return is one reason
        """Return whether two sets may have nodes in common."""
        for extreme, plain in ((left.expression, right.expression), (right.expression, left.expression)):
            if isinstance(extreme, Extreme) and not isinstance(plain, Named):
                # "Which river is longer, the Elbe or the Rhine": a noun for both.
                return isinstance(plain, Typed) and isinstance(extreme.of, Union)
        if (
            (isinstance(left.expression, Named) and isinstance(right.expression, Named))
            or left.same
            or right.same
        ):
            return False
        if left.joint is Kind.SAME or right.joint is Kind.SAME or left.members or right.members:
            return False
        for noun, other in ((left, right), (right, left)):
            if isinstance(noun.expression, Typed):
                if isinstance(other.expression, Typed):
                    both = _intersection(left.expression, right.expression)
                    return isinstance(both, Intersection) and bool(len(self._executor.nodes(both)))
                # What is near a noun in meaning, said beside it, says more than the noun does.
                repeated = _type_of(other.expression) == noun.expression.type
                if repeated and any(binding.role is Role.MEANING for binding in noun.bindings):
                    return False
        types = self._types_of(left.expression) & self._types_of(right.expression)
        if not types:
            return False
        if types == {THING}:
            return right.negated or bool(
                len(self._executor.nodes(_intersection(left.expression, right.expression)))
            )
        return True

    def _lacks(self, expression: Expression, *of: Part) -> float:
        """Return what it costs that the graph has nothing of a set, though of each of its parts."""
        if len(self._executor.nodes(expression)):
            return 0.0
        return LACKING if all(self._has(part) for part in of) else 0.0

    def _has(self, part: Part) -> bool:
        return part.expression == ANYTHING or bool(len(self._executor.nodes(part.expression)))


def _with(part: Part, left: Part, right: Part) -> Part:
    """Return what two parts denote, with the cost and words of one that was left out."""
    if left.kind is not Kind.EMPTY and right.kind is not Kind.EMPTY:
        return part
    return replace(part, cost=left.cost + right.cost, bindings=(*left.bindings, *right.bindings))


def _intersection(*parts: Expression) -> Expression:
    flat: list[Expression] = []
    for part in parts:
        if isinstance(part, Intersection):
            flat += part.parts
        elif part is not None:
            flat.append(part)
    distinct = tuple(dict.fromkeys(flat))
    return distinct[0] if len(distinct) == 1 else Intersection(distinct)


def _union(parts: Sequence[Expression]) -> Expression:
    flat: list[Expression] = []
    for part in parts:
        flat += part.parts if isinstance(part, Union) else [part] if part is not None else []
    distinct = tuple(dict.fromkeys(flat))
    return distinct[0] if len(distinct) == 1 else Union(distinct)


def _filtered_of(of: Expression, filtered: Expression) -> Expression:
    """Return a filter applied to another set than all that have its measure."""
    if isinstance(filtered, Union):
        return _union([_filtered_of(of, part) for part in filtered.parts])
    if not isinstance(filtered, Filtered):
        return of
    inner = _filtered_of(of, filtered.of) if isinstance(filtered.of, Filtered) else of
    return replace(filtered, of=inner)


def _measures(expression: Expression, relation: str) -> bool:
    """Return whether a set is compared by a relation's values: "costs more than 30 a pack"."""
    return isinstance(expression, Filtered | Extreme) and expression.measure == Value(relation)


def _is_back(expression: Expression, relation: str, backwards: bool) -> bool:
    """Return whether a step would go back along the relation that led to a set."""
    return isinstance(expression, Reached) and (expression.relation, expression.backwards) == (
        relation,
        not backwards,
    )


def _type_of(expression: Expression) -> str:
    """Return the type that a set's noun states, "" for none."""
    if isinstance(expression, Intersection):
        return next((part.type for part in expression.parts if isinstance(part, Typed)), "")
    return expression.type if isinstance(expression, Typed) else ""


def _is_named(expression: Expression) -> bool:
    """Return whether a set is but one of its names with conditions: "Leeds, which is a city"."""
    if isinstance(expression, Intersection):
        return any(isinstance(part, Named) for part in expression.parts)
    if isinstance(expression, Union):
        return any(_is_named(part) for part in expression.parts)
    return isinstance(expression, Named)


_Rule = Callable[[Composer, Part, Part, Gap, Gap, Gap], Iterator[Part]]
_C = Composer
_RULES: dict[tuple[Kind, Kind], tuple[_Rule, ...]] = {
    (Kind.STEP, Kind.SET): (_C._step_set, _C._same_as),
    (Kind.SET, Kind.STEP): (_C._set_step,),
    (Kind.SET, Kind.SET): (_C._set_set, _C._same_as),
    (Kind.STEP, Kind.STEP): (_C._step_step,),
    (Kind.AND, Kind.SET): (_C._and_set,),
    (Kind.OR, Kind.SET): (_C._and_set,),
    (Kind.SET, Kind.LISTED): (_C._set_listed,),
    (Kind.NEGATION, Kind.SET): (_C._negated,),
    (Kind.NEGATION, Kind.STEP): (_C._negated,),
    (Kind.NEGATION, Kind.LISTED): (_C._negated,),
    (Kind.EXCEPT, Kind.SET): (_C._except,),
    (Kind.OTHER, Kind.SET): (_C._other,),
    (Kind.SET, Kind.OTHER): (lambda self, left, right, *gaps: _C._other(self, right, left, *gaps),),
    (Kind.SAME, Kind.SET): (_C._same,),
    (Kind.SAME, Kind.STEP): (_C._same,),
    (Kind.MOST, Kind.STEP): (_C._most_step,),
    (Kind.MORE, Kind.STEP): (_C._most_step,),
    (Kind.STEP, Kind.EXTREME): (_C._step_extreme,),
    (Kind.EXTREME, Kind.STEP): (_C._step_extreme,),
    (Kind.STEP, Kind.MOST): (_C._step_most,),
    (Kind.STEP, Kind.MORE): (_C._step_most,),
    (Kind.MOST, Kind.SET): (_C._most_set,),
    (Kind.MORE, Kind.SET): (_C._most_set,),
    (Kind.STEP, Kind.QUANTITY): (_C._step_quantity,),
    (Kind.STEP, Kind.COUNTED): (_C._step_quantity,),
    (Kind.SET, Kind.QUANTITY): (_C._set_quantity,),
    (Kind.SET, Kind.COUNTED): (_C._set_quantity,),
    (Kind.EXTREME, Kind.SET): (_C._extreme_set,),
    (Kind.SET, Kind.EXTREME): (_C._set_extreme,),
    (Kind.STEP, Kind.BOUND): (_C._step_bound,),
    (Kind.BOUND, Kind.STEP): (_C._bound_step,),
    (Kind.SET, Kind.BOUND): (_C._set_bound,),
    (Kind.OR, Kind.BOUND): (_C._or_bound,),
    (Kind.BOUND, Kind.OR): (_C._bound_or,),
    (Kind.BOUND, Kind.SET): (_C._bound_set,),
    (Kind.STEP, Kind.THAN): (_C._step_than,),
    (Kind.THAN, Kind.SET): (_C._than_set,),
    (Kind.EXTREME, Kind.THAN): (_C._extreme_than,),
    (Kind.QUANTITY, Kind.THAN): (_C._quantity_than,),
    (Kind.DEGREE, Kind.SET): (_C._degree_set, _C._degree_with),
    (Kind.SET, Kind.DEGREE): (_C._degree_with,),
    (Kind.COUNT, Kind.SET): (_C._count_set,),
}
