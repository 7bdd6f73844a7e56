"""Composes by how much two named things differ: in what words beside them say, or by the years of both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_assets.evidence.accounting import Binding, Role
from evidence_assets.kgqa.composition.measure_rules import MeasureRules
from evidence_assets.kgqa.queries.algebra import (
    Form,
    Measure,
    Named,
    Number,
    Query,
    Relational,
    Typed,
    Union,
    Value,
)
from evidence_assets.kgqa.slots.composition_costs import UNSAID
from evidence_assets.kgqa.slots.slots import GapWords, Kind, Part, Slot

# A measure by which two things may be compared, whether more of it is more, and what it costs.
Compared = tuple[Measure, bool, float]
# How many names are compared, and what of a unit is told as itself: an hour is 60 minutes.
_PAIR, _ONE = 2, 1.0


class GapRules(MeasureRules):
    """What a question denotes that asks by how much two things differ."""

    def _gaps(
        self, slots: Sequence[Slot], gap: GapWords
    ) -> Iterator[tuple[Query, float, tuple[Binding, ...]]]:
        """Yield what may be asked, with what it costs and the bindings of its words."""
        named = [slot for slot in slots if any(isinstance(part.expression, Named) for part in slot.parts)]
        if len(named) != _PAIR:
            return
        beside = [slot for slot in slots if slot not in named]
        ordered = named[::-1] if 0 <= gap.than < named[0].start else named
        names = [next(part for part in slot.parts if isinstance(part.expression, Named)) for slot in ordered]
        for measure, greatest, cost in self._comparable(names, beside, gap):
            fitting = [self._best_for(slot, measure, names) for slot in beside]
            left_out = sum(slot.left_out for slot, part in zip(beside, fitting, strict=True) if part is None)
            parts = [*names, *filter(None, fitting)]
            more, less = names if greatest != gap.less else names[::-1]
            query = Query(Union((more.expression, less.expression)), Form.GAP, measure)
            bindings = tuple(binding for part in parts for binding in part.bindings)
            yield query, cost + left_out + sum(part.cost for part in parts), bindings

    def _comparable(self, names: Sequence[Part], beside: Sequence[Slot], gap: GapWords) -> list[Compared]:
        """Return what both names may be compared by, each once."""
        said = [part for slot in beside for part in slot.parts if not _is_guessed(part)]
        options: dict[Measure, tuple[bool, float]] = {}
        for part in said:
            measure = part.measure if isinstance(part.measure, Value) else self._measure_of(part)
            if measure is not None and self._is_asked_in(measure, gap):
                less = part.relational is Relational.LESS or not part.greatest
                options.setdefault(measure, (not less, 0.0))
        if gap.counts:
            for part in said:
                if isinstance(part.expression, Typed) and part.kind is Kind.SET:
                    options.update(self._counts(names[0], part, said))
        if gap.dated and not options:
            types = frozenset.intersection(*(self._types_of(part.expression) for part in names))
            dates = [
                name
                for name, facts in self._lexicon.facts.items()
                if facts.years and self._starts(name, False, types)
            ]
            options = {Value(name): (True, UNSAID + self._unlikely(name, dates)) for name in dates}
        return [
            (measure, greatest, cost)
            for measure, (greatest, cost) in options.items()
            if all(self._measured_by(part.expression, measure) for part in names)
        ]

    def _counts(self, name: Part, counted: Part, steps: Sequence[Part]) -> dict[Measure, tuple[bool, float]]:
        """Return how many of a type each relation leads to that joins it to a name, and what that costs."""
        if counted.expression == name.expression or self._types_of(name.expression) & self._types_of(
            counted.expression
        ):
            return {}
        options = self._options(name, counted)
        said = {part.relation for part in steps if part.kind is Kind.STEP}
        return {
            Number(relation, not backwards, counted.expression): (
                True,
                0.0
                if relation in said
                else UNSAID + self._unlikely(relation, [option for option, _ in options]),
            )
            for relation, backwards in options
            if not self._lexicon.facts[relation].literal
        }

    def _is_asked_in(self, measure: Value, gap: GapWords) -> bool:
        """Return whether a measure is of the unit that is asked for; "how many more" asks for no years."""
        if self._lexicon.facts[measure.relation].years:
            return not gap.counts and gap.unit in ("", "years", "year")
        converted = self._lexicon.measured.converted
        return not gap.unit or converted(_ONE, gap.unit, measure.relation) == _ONE

    def _best_for(self, slot: Slot, measure: Measure, names: Sequence[Part]) -> Part | None:
        """Return the cheapest part of a slot that says a measure, or what a name is; None for none."""
        fitting = [part for part in slot.parts if self._fits(part, measure, names)]
        return min(fitting, key=lambda part: part.cost, default=None)

    def _fits(self, part: Part, measure: Measure, names: Sequence[Part]) -> bool:
        if part.kind is Kind.EMPTY:
            return True
        if part.kind is Kind.SET and isinstance(part.expression, Typed):
            is_counted = isinstance(measure, Number) and part.expression == measure.among
            of_name = any(part.expression.type in self._types_of(name.expression) for name in names)
            return is_counted or of_name
        return measure in (part.measure, self._measure_of(part)) or (
            part.kind is Kind.STEP and part.relation == measure.relation
        )


def _is_guessed(part: Part) -> bool:
    """Return whether nothing but types tells that a word says a measure: a width, of a length."""
    by_meaning = any(binding.role is Role.MEANING for binding in part.bindings)
    return part.framed or (part.measure is not None and by_meaning)
