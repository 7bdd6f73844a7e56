"""Rules of composing that compare: extremes, bounds, counts, degrees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evidence_assets.evidence.accounting import Binding
from evidence_assets.kgqa.composition.denotations import Gap
from evidence_assets.kgqa.composition.set_rules import SetRules
from evidence_assets.kgqa.queries.algebra import (
    Expression,
    Extreme,
    Filtered,
    Intersection,
    Measure,
    Named,
    Number,
    Reached,
    Relational,
    Value,
)
from evidence_assets.kgqa.slots.composition_costs import (
    AGAINST_VOICE,
    MOST_UNSAID,
    NAMELESS,
    RESTRICTED_NAME,
    UNSAID,
)
from evidence_assets.kgqa.slots.expressions import are_names, filtered_of, is_named, of_both, union
from evidence_assets.kgqa.slots.meanings import MEANING
from evidence_assets.kgqa.slots.slots import ANYTHING, Kind, Part

# From which share on a word by meaning is what values are compared by: "finished before".
LIKELY = 0.3


class MeasureRules(SetRules):
    """What a comparison denotes together with its neighbour."""

    def _most_step(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        years = right.framed and self._lexicon.facts[right.relation].years
        if (measure := self._measure_of(right)) is not None and not right.negated and not years:
            extreme = Part(
                Kind.EXTREME, measure=measure, greatest=left.greatest, rank=left.rank, joint=left.kind
            )
            yield of_both(extreme, left, right)

    def _step_most(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "costs less", the measure before how it is compared: not "the cost of the largest"."""
        if "of" not in gap:
            yield from self._most_step(right, left, before, gap, after)

    def _step_extreme(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "costs less per pack": a measure that two words say."""
        step, extreme = (left, right) if left.kind is Kind.STEP else (right, left)
        if extreme.measure == Value(step.relation) and not step.negated:
            yield of_both(extreme, left, right)

    def _step_degree(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "takes longer than 5 hours", of `path_hours`: a measure that two words say."""
        if right.measure == Value(left.relation) and not left.negated:
            yield of_both(right, left, right)

    def _most_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if not right.negated and not isinstance(right.expression, Named) and not left.framed:
            quantity = of_both(right, left, right, kind=Kind.QUANTITY)
            yield replace(quantity, greatest=left.greatest, rank=left.rank, joint=left.kind)

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
                rank=quantity.rank,
                joint=quantity.joint,
                unsaid=unsaid,
            )
        subjects = Reached(number.relation, not number.backwards, ANYTHING)
        relational, bound = quantity.relational or Relational.EQUAL, quantity.bound or 0.0
        expression: Expression = Filtered(subjects, number, relational, bound)
        if quantity.upper is not None:
            expression = Filtered(expression, number, quantity.upper_relational, quantity.upper)
        return Part(Kind.SET, cost + self._lacks(expression), bindings, expression, unsaid=unsaid)

    def _set_quantity(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "the club with the most players": a step that no word says."""
        if left.negated or left.unsaid + right.unsaid >= MOST_UNSAID:
            return
        options = self._options(left, replace(right, kind=Kind.SET))
        for relation, backwards in options:
            number = Number(relation, not backwards, right.expression)
            cost = left.cost + right.cost + UNSAID + self._unlikely(relation, [name for name, _ in options])
            part = self._of_quantity(
                right, number, cost, (*left.bindings, *right.bindings), left.unsaid + right.unsaid + 1
            )
            if part.kind is Kind.EXTREME:
                yield from self._extreme_of(left, part, cost)
            else:
                expression = filtered_of(left.expression, part.expression)
                yield replace(part, expression=expression, target=left.target)

    def _quantity_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "which has more players, Leeds or York"."""
        if are_names(right.expression):
            yield from self._set_quantity(right, left, before, gap, after)

    def _extreme_of(self, of: Part, extreme: Part, cost: float) -> Iterator[Part]:
        if extreme.measure is None:
            return
        is_single = isinstance(of.expression, Named | Intersection) and is_named(of.expression)
        if is_single or (extreme.joint is Kind.MORE and not are_names(of.expression)):
            return
        # "The oldest and the newest" are two, not the newest of the oldest.
        again = isinstance(of.expression, Extreme) and of.expression.measure == extreme.measure
        if again or not self._measured_by(of.expression, extreme.measure):
            return
        expression = Extreme(of.expression, extreme.measure, extreme.greatest, extreme.rank)
        lacks = self._lacks(expression, of)
        yield Part(
            Kind.SET,
            cost + lacks,
            (*extreme.bindings, *of.bindings),
            expression,
            target=of.target,
            unsaid=max(of.unsaid + extreme.unsaid, extreme.unsaid),
        )

    def _extreme_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if not right.negated:
            yield from self._extreme_of(right, left, left.cost + right.cost)

    def _step_bound(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        measure = self._measure_of(left)
        if measure is None or right.bound is None or not isinstance(right.bound, float):
            return
        yield from self._bounded(
            measure, right, left.cost + right.cost, (*left.bindings, *right.bindings), left.negated
        )

    def _bounded(
        self, measure: Value, bound: Part, cost: float, bindings: tuple[Binding, ...], negated: bool = False
    ) -> Iterator[Part]:
        sets = [self._within(measure, alternative) for alternative in (bound, *bound.others)]
        satisfying = [within for within in sets if within is not None]
        if len(satisfying) == len(sets):
            expression = union(satisfying)
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
        converted = self._lexicon.measured.converted
        value = converted(bound.bound, bound.unit, measure.relation)
        if value is None:
            return None
        subjects = Reached(measure.relation, True, ANYTHING)
        expression: Expression = Filtered(subjects, measure, bound.relational, value)
        if bound.upper is not None:
            upper = converted(bound.upper, bound.unit, measure.relation)
            expression = Filtered(expression, measure, bound.upper_relational, upper or bound.upper)
        return expression

    def _or_bound(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if isinstance(right.bound, float):
            yield of_both(right, left, right, kind=Kind.OR, others=(right,))

    def _bound_or(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if right.others and isinstance(left.bound, float):
            yield of_both(left, left, right, others=right.others)

    def _set_bound(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "books after 1990": compared by the one relation that leads to such values."""
        if left.negated or not isinstance(right.bound, float) or left.unsaid >= MOST_UNSAID:
            return
        if (measured := self._measured_of(left)) is not None:
            # "The altitude of Leeds is above 200 metres": Leeds is compared by it.
            measure, of = measured
            for part in self._bounded(
                measure, right, left.cost + right.cost, (*left.bindings, *right.bindings)
            ):
                yield replace(part, expression=filtered_of(of, part.expression), unsaid=left.unsaid)
            return
        for measure, cost in self._unsaid_measures(left, right):
            for part in self._bounded(measure, right, cost, (*left.bindings, *right.bindings)):
                filtered = filtered_of(left.expression, part.expression)
                yield replace(part, expression=filtered, unsaid=left.unsaid + 1, target=left.target)

    def _measured_of(self, part: Part) -> tuple[Value, Expression] | None:
        """Return the measure of which it is asked whether the values that a part is are such, and of what."""
        step = part.expression
        if not self._yes_or_no or not isinstance(step, Reached) or step.backwards or step.of == ANYTHING:
            return None
        literal = self._lexicon.facts[step.relation].literal
        return (Value(step.relation), step.of) if literal else None

    def _unsaid_measures(self, of: Part, bound: Part) -> Iterator[tuple[Value, float]]:
        """Yield the measures that a set may be compared by though no word says so, and what that costs."""
        types = self._types_of(of.expression)
        years = bound.years or (bound.relational is Relational.EQUAL and not bound.unit)
        names = [
            name
            for name, facts in self._lexicon.facts.items()
            if facts.literal
            and (facts.years if years else bool(bound.unit) and facts.unit)
            and self._starts(name, False, types)
            and (years or self._is_convertible(bound, name))
        ]
        cost = of.cost + bound.cost + UNSAID + RESTRICTED_NAME * isinstance(of.expression, Named)
        for name in names:
            yield Value(name), cost + self._unlikely(name, names)

    def _is_convertible(self, bound: Part, relation: str) -> bool:
        """Return whether a bound is of a relation's dimension: "above 2000 metres" of no price."""
        converted = self._lexicon.measured.converted
        return isinstance(bound.bound, float) and converted(bound.bound, bound.unit, relation) is not None

    def _set_than(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "books before Leeds": both compared by the one relation that leads to such values."""
        if left.negated or not right.years or right.relational is None or left.unsaid >= MOST_UNSAID:
            return
        if isinstance(right.bound, Expression):
            for measure, cost in self._unsaid_measures(left, right):
                costed = replace(right, cost=cost - left.cost, unsaid=right.unsaid + 1)
                unsaid_step = Part(Kind.SET)
                for part in self._than(measure, right.relational, right.bound, unsaid_step, costed):
                    yield from self._set_set(left, part, before, gap, after)

    def _bound_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "more than two books", and "before Leeds", which is compared by a value of its own."""
        if left.bound is None:
            yield of_both(left, left, right, kind=Kind.THAN, bound=right.expression)
        elif left.upper is not None and left.years and not gap:
            # "Nineteenth-century clocks".
            yield from self._set_bound(right, left, before, gap, after)
        elif isinstance(left.bound, float) and not left.years and not left.unit and not right.negated:
            counted = of_both(right, left, right, kind=Kind.COUNTED)
            yield replace(
                counted,
                relational=left.relational,
                bound=left.bound,
                upper=left.upper,
                upper_relational=left.upper_relational,
            )

    def _step_than(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "founded before Leeds"."""
        measure = self._measure_of(left)
        if (
            measure is None
            or right.bound is None
            or isinstance(right.bound, float)
            or right.relational is None
            or (left.framed and not _is_likely(left))
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
            yield of_both(left, left, right, bound=right.expression)

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
                    left,
                    cost=left.cost + UNSAID + self._unlikely(relation, [name for name, _ in options]),
                    unsaid=left.unsaid + 1,
                )
                yield from self._than(number, relational, right.bound, costed, right)

    def _count_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if not right.negated and left.expression == ANYTHING:
            counted = min(right.bindings, key=lambda binding: binding.start, default=None)
            # What is counted is what is asked for: "how many sailors" is not answered by a count of persons.
            guessed = counted is not None and (counted.similarity or MEANING) < MEANING
            yield of_both(right, left, right, NAMELESS * guessed, kind=Kind.COUNT)

    def _as_set(self, part: Part) -> Part | None:
        """Return "longer than 500 km" as a set, any other part as it is; None for a degree of no number."""
        if part.kind is not Kind.DEGREE:
            return part
        if not isinstance(part.bound, float) or part.measure is None or part.relational is None:
            return None
        subjects = Reached(part.measure.relation, True, ANYTHING)
        expression = Filtered(subjects, part.measure, part.relational, part.bound)
        return Part(Kind.SET, part.cost + self._lacks(expression), part.bindings, expression)

    def _degree_with(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        measured = self._measured_of(left) if left.kind is Kind.SET else None
        if measured is not None and right.measure == measured[0]:
            left = replace(left, expression=measured[1])
        left_set, right_set = self._as_set(left), self._as_set(right)
        if left_set is not None and right_set is not None:
            yield from self._set_set(left_set, right_set, before, gap, after)


def _is_likely(step: Part) -> bool:
    """Return whether a step that a word says by meaning alone is likely what it says."""
    return any((binding.similarity or 0.0) >= LIKELY for binding in step.bindings)
