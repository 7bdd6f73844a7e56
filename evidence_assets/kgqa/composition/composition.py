"""Questions composed of their parts: a chart of what neighbouring parts denote together.

Every word either is bound, or costs. So the cheapest composition is the one that accounts for most of the
question; one that the graph has no instance of is kept beside those that it has.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from evidence_assets.evidence.accounting import Binding
from evidence_assets.kgqa.composition.calculations import (
    asked_form,
    calculated,
    counted_amounts,
    is_told_without,
)
from evidence_assets.kgqa.composition.denotations import LITERAL, Gap
from evidence_assets.kgqa.composition.gap_rules import GapRules
from evidence_assets.kgqa.composition.shapes_of_sets import takes_from_taken
from evidence_assets.kgqa.composition.step_rules import StepRules, walked_back
from evidence_assets.kgqa.composition.subjects import (
    does_it,
    identified,
    is_direct,
    is_of_kind,
    is_said,
    is_something,
    leads_on,
    of_kind,
    shares_with_another,
    subjects_of,
)
from evidence_assets.kgqa.composition.universals import universal
from evidence_assets.kgqa.graph.schema import THING
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
    names_of,
)
from evidence_assets.kgqa.slots.composition_costs import (
    BEAM,
    MOST_UNSAID,
    NO_ONE,
    NO_PERSON,
    NO_PLACE,
    OF_ANOTHER,
    OPEN,
    OTHER_FORM,
    UNSAID,
    UNSAID_PREPOSITION,
)
from evidence_assets.kgqa.slots.expressions import (
    holds_choice,
    is_choice,
    is_named,
    mixes_amounts,
    of_both,
    type_of,
    union,
)
from evidence_assets.kgqa.slots.slots import ANYTHING, MUCH, SILENT, Chart, GapWords, Kind, Part, Slots
from evidence_assets.kgqa.words.derivations import is_past
from evidence_assets.kgqa.words.word_classes import PREPOSITIONS, TIMES

OTHER_WAY_ROUND = "the graph tells it the other way round"
OF_SOMETHING_ELSE = "the graph tells it of something else alone"
NAME_OR_NOT = "it may be asked who it is, and what is told of it"
# What tells the parts of a span apart: of those that are alike in this the cheapest is kept.
_TOLD_APART = attrgetter(
    *("kind", "expression", "members", "relation", "negated", "measure", "greatest", "relational", "bound"),
    *("rank", "same", "joint", "agentive", "target", "via", "untyped", "preposition"),
)


@dataclass(frozen=True, slots=True)
class Composition:
    """What a question asks as a whole; `cost`: in words left out; `exists`: the graph has an instance.

    `beside`: why it may not be what is asked, though the graph tells it; "" where it may be.
    """

    query: Query
    cost: float
    bindings: tuple[Binding, ...]
    exists: bool
    unsaid: int
    other_form: float = 0.0
    beside: str = ""


class Composer(StepRules, GapRules):
    """Composes the slots of questions over one graph."""

    def compositions(self, slots: Slots) -> list[Composition]:
        """Return what a question may ask as a whole, the cheapest first; empty where no part composes."""
        self._likelihoods = slots.likelihoods
        self._yes_or_no = slots.yes_or_no
        if slots.gap is not None and (gaps := list(self._compositions_of_gaps(slots, slots.gap))):
            return gaps
        self._fronted = PREPOSITIONS.intersection((*slots.gaps[0], *slots.gaps[-1]))
        count = len(slots.slots)
        chart: dict[tuple[int, int], list[Part]] = {}
        for place, slot in enumerate(slots.slots):
            left_out = Part(Kind.EMPTY, slot.left_out)
            chart[place, place + 1] = self._cheapest(
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
                parts += [
                    part
                    for first, last, seeds in slots.phrases
                    if (first, last) == (begin, end)
                    for part in seeds
                ]
                chart[begin, end] = self._cheapest(parts)
        if slots.whole >= 0 and (of_all := self._of_all(slots, chart)):
            return of_all
        spanning = map(walked_back, chart.get((0, count), []))
        complete = [composed for part in spanning for composed in (part, *self._led_on(part, slots))]
        compositions = [
            composition
            for part in complete
            for composition in self._asked_of(part, slots)
            if not mixes_amounts(composition.query.of, self._lexicon.is_amount)
            # "Neither a ship nor a tug": both are taken away from what is asked for.
            and not (_says(composition, "neither") and takes_from_taken(composition.query.of))
        ]
        if subjects := subjects_of(slots):
            compositions = list(self._said_of(subjects, slots, chart, compositions))
        return sorted(
            compositions, key=lambda composition: (round(composition.cost, 6), str(composition.query))
        )

    def _compositions_of_gaps(self, slots: Slots, gap: GapWords) -> list[Composition]:
        """Return by how much a question may ask that two things differ, the cheapest first."""
        compositions = []
        for query, cost, bindings in self._gaps(slots.slots, gap):
            more, less = self._executor.compared(query)
            turned = gap.than >= 0 and more <= less
            compositions.append(
                Composition(
                    query,
                    round(cost, 6),
                    (*slots.gap_bindings, *bindings),
                    exists=not math.isnan(more - less),
                    unsaid=0,
                    beside=OTHER_WAY_ROUND if turned else "",
                )
            )
        return sorted(compositions, key=lambda composition: (composition.cost, str(composition.query)))

    def _said_of(
        self, subjects: Sequence[Part], slots: Slots, chart: Chart, compositions: Sequence[Composition]
    ) -> Iterator[Composition]:
        """Yield what a question says of the thing that it begins with; what is of others costs more."""
        names = [part.expression for part in subjects if isinstance(part.expression, Named)]
        if (pair := identified(slots)) is not None:
            # "Is Ada Catholic" may ask for what she is: a word that a fact of hers tells may be no name.
            has_facts = any(len(self._executor.nodes(other.query.of)) for other in compositions)
            one_word = has_facts and " " not in pair[1].bindings[0].text
            yield self._together(*pair, beside=NAME_OR_NOT * one_word)
            return
        if is_of_kind(slots):
            yield from (self._together(*pair) for pair in of_kind(slots, chart))
        says_same = any(part.kind is Kind.SAME for slot in slots.slots for part in slot.parts)
        for composition in compositions:
            of = composition.query.of
            said = frozenset(binding.target.removeprefix("relation ") for binding in composition.bindings)
            strays = (
                (is_of_kind(slots) and not any(is_direct(of, name) for name in names))
                or (is_something(slots) and all(leads_on(of, name, said) for name in names))
                or (not says_same and any(shares_with_another(of, name) for name in names))
                or (does_it(slots) and not all(is_said(of, name, said) for name in names))
            )
            cost = round(composition.cost + OF_ANOTHER * strays, 6)
            yield replace(composition, cost=cost, beside=OF_SOMETHING_ELSE) if strays else composition

    def _together(self, one: Part, other: Part, beside: str = "") -> Composition:
        """Return whether one thing is, or is among, another."""
        query = Query(Intersection((one.expression, other.expression)), Form.EXISTENCE)
        cost, bindings = round(one.cost + other.cost, 6), (*one.bindings, *other.bindings)
        return Composition(query, cost, bindings, True, other.unsaid, beside=beside)

    def _of_all(self, slots: Slots, chart: Chart) -> list[Composition]:
        """Return what a question asks of all of a set, if it is told which set and what."""
        of_all = universal(slots, chart, self._joined, self._executor)
        if of_all is None:
            return []
        query, part = Query(of_all.difference, Form.EVERY), of_all.part
        return [Composition(query, round(part.cost, 6), part.bindings, True, part.unsaid)]

    def _cheapest(self, parts: Sequence[Part]) -> list[Part]:
        best: dict[tuple[object, ...], Part] = {}
        for part in parts:
            key = _TOLD_APART(part)
            if key not in best or part.cost < best[key].cost:
                best[key] = part
        return sorted(best.values(), key=attrgetter("cost"))[:BEAM]

    def _opened(self, parts: Sequence[Part]) -> Iterator[Part]:
        """Yield, for a step without what it leads to, the nodes that take part in it at all."""
        for part in parts:
            if part.kind is Kind.STEP and not part.framed and part.relation in self._schema.relations:
                # "What summits of the Alps" are what the relation "summit" leads to.
                verb = is_past(part.bindings[0].text.split()[0].lower()) if part.bindings else False
                for backwards in (False,) if part.noun else (False, True):
                    expression = Reached(part.relation, backwards, ANYTHING)
                    yield replace(
                        part,
                        kind=Kind.SET,
                        expression=expression,
                        relation="",
                        cost=part.cost + (UNSAID_PREPOSITION if part.noun else OPEN),
                        via=None if verb else (part.relation, backwards),
                    )

    def _members(self, parts: Sequence[Part]) -> Iterator[Part]:
        """Yield, for a name that one relation alone leads to, its members: the birds, of a group "bird".

        Whatever it leads to itself, where such members are asked for: "which Welsh Terriers", of a breed.
        """
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
            to_name = [step for step in steps if step[1]]
            if len(to_name) == 1 and (len(steps) == 1 or part.target):
                expression = Reached(*to_name[0], part.expression)
                yield replace(part, expression=expression, cost=part.cost + UNSAID, unsaid=1)

    def _joined(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if left.kind in SILENT or right.kind in SILENT:
            yield of_both(right if left.kind in SILENT else left, left, right)
            return
        # "The same boss as Ada" is not Ada's boss, but who shares him.
        is_shared = left.joint is Kind.SAME and "as" in gap
        for rule in (Composer._same_as,) if is_shared else _RULES.get((left.kind, right.kind), ()):
            yield from rule(self, left, right, before, gap, after)

    def _led_on(self, part: Part, slots: Slots) -> Iterator[Part]:
        """Yield the place or time that a set has, where it is asked for: "where are the clubs that won"."""
        if part.kind is not Kind.SET or part.negated or slots.yes_or_no or part.unsaid >= MOST_UNSAID:
            return
        types, kinds = self._types_of(part.expression), self._lexicon.meanings.kinds
        places = self._lexicon.places if slots.asks == "where" else kinds.places
        if slots.asks == MUCH and isinstance(part.expression, Named):
            yield from self._priced(part, types)
        if slots.asks not in ("where", "when") or THING in types or types <= places | {LITERAL}:
            return
        has_noun = isinstance(part.expression, Named) or bool(type_of(part.expression))
        # Who invented a dish need not have done it where they live.
        somebody = not has_noun and types <= kinds.persons
        if (
            (slots.asks == "when" and not has_noun)
            or (slots.asks == "where" and somebody)
            or (isinstance(part.expression, Reached) and part.expression.backwards)
        ):
            # "When was Ada made a captain" asks nothing of her ship.
            return
        steps = [
            (name, backwards)
            for name, facts in self._lexicon.facts.items()
            for backwards in (False, True)
            if self._starts(name, backwards, types)
            and (
                facts.years and not backwards
                if slots.asks == "when"
                else bool(self._ends(name, backwards)[1] & places)
            )
        ]
        for name, backwards in steps:
            expression = Reached(name, backwards, part.expression)
            unlikely = self._unlikely(name, [option for option, _ in steps])
            cost = part.cost + (UNSAID + unlikely + self._lacks(expression, part))
            yield replace(part, expression=expression, cost=cost, unsaid=part.unsaid + 1)

    def _priced(self, part: Part, types: frozenset[str]) -> Iterator[Part]:
        """Yield what something costs, where "how much is it" says no more."""
        for name, _ in self._lexicon.measured.by_adjective("expensive"):
            if self._starts(name, False, types):
                expression = Reached(name, False, part.expression)
                yield replace(part, expression=expression, cost=part.cost + UNSAID, unsaid=part.unsaid + 1)

    def _asked_of(self, part: Part, slots: Slots) -> Iterator[Composition]:
        part = self._as_set(part) or part
        if part.kind not in (Kind.SET, Kind.COUNT) or part.negated or part.expression == ANYTHING:
            return
        query = None if slots.yes_or_no else self._calculation(part)
        if query is not None:
            yield Composition(query, round(part.cost, 6), part.bindings, True, part.unsaid)
        elif is_told_without(part.bindings, slots.yes_or_no):
            yield from self._of_set(part, slots)

    def _calculation(self, part: Part) -> Query | None:
        """Return the sum or mean that a part asks for; None where it asks for a set."""
        form = asked_form(part.bindings)
        query = None if form is None else calculated(part.expression, form, self._lexicon.is_amount)
        if query is None and part.kind is Kind.COUNT and form is not Form.MEAN:
            return counted_amounts(part.expression, self._lexicon.is_amount)
        return query

    def _of_set(self, part: Part, slots: Slots) -> Iterator[Composition]:
        """Yield a set, how many it has, or whether it has any, as a question asks for it."""
        expression, cost, other_form = part.expression, part.cost, 0.0
        nodes = self._executor.nodes(expression)
        form = Form.MEMBERS
        literal = self._is_literal(expression)
        # "Is there a plot that grows beans, and which": the plot is asked for.
        cost += OTHER_FORM * (slots.asks_for_noun and not part.target)
        if slots.yes_or_no:
            if not names_of(expression) and isinstance(expression, Typed):
                return
            form = Form.MEMBERS if is_choice(expression) else Form.EXISTENCE
            if isinstance(expression, Union) and any(isinstance(name, Named) for name in expression.parts):
                # "Is A or B the bigger": that there is A is not asked.
                return
            # "Is it worth its price" asks nothing of whether it has one.
            cost += OTHER_FORM * (literal and isinstance(expression, Reached))
            # "Is Leeds or York the larger city" asks which, not whether it has something.
            cost += OTHER_FORM * (form is Form.EXISTENCE and holds_choice(expression))
        elif is_named(expression) or part.members:
            return
        elif part.kind is Kind.COUNT:
            form = Form.MEMBERS if literal else Form.NUMBER
        elif isinstance(expression, Typed) or (slots.asks == "when" and not literal):
            return
        if form is Form.MEMBERS and slots.counts and not literal:
            form = Form.NUMBER
        elif form is Form.MEMBERS and part.kind is not Kind.COUNT:
            # "Who is older, Leeds or York": those named are what is asked for.
            chosen = is_choice(expression)
            other_form = 0.0 if chosen else self._against_asking(slots.asks, expression, literal)
            cost += other_form
            if slots.asks == "what" and self._tells_years(expression) and not _asks_time(part):
                cost, other_form = cost + OTHER_FORM, other_form + OTHER_FORM
            if literal and slots.asks == "when":
                cost -= part.untyped
        if any(binding.target == Kind.OTHER.value for binding in part.bindings) and (
            names := names_of(expression)
        ):
            expression = Difference(expression, union(names))
            nodes = self._executor.nodes(expression)
        exists = bool(len(nodes)) or form is not Form.MEMBERS
        query = Query(expression, form)
        yield Composition(query, round(cost, 6), part.bindings, exists, part.unsaid, other_form)

    def _against_asking(self, asks: str, expression: Expression, literal: bool) -> float:
        if asks in ("when", MUCH):
            return 0.0 if literal else OTHER_FORM
        if asks in ("who", "whom", "whose", "where") and literal:
            return OTHER_FORM
        asked_types = self._lexicon.asked_types(asks) if asks else ()
        types = self._types_of(expression)
        kinds = self._lexicon.meanings.kinds
        if asks in ("who", "whom") and not asked_types and types and types <= kinds.things:
            return NO_ONE
        if asks in ("who", "whom") and not asked_types and kinds.persons and not types & kinds.persons:
            return NO_PERSON
        if asks == "where" and not asked_types and not self._lexicon.may_be_where(types):
            return NO_PLACE
        return OTHER_FORM if asked_types and types and not types & frozenset(asked_types) else 0.0


def _says(composition: Composition, word: str) -> bool:
    """Return whether a composition has a word of the question bound by itself."""
    return any(binding.text.lower() == word for binding in composition.bindings)


def _asks_time(part: Part) -> bool:
    """Return whether a word of a part asks for a year or date."""
    return any(TIMES & {*binding.text.lower().split()} for binding in part.bindings)


_Rule = Callable[[Composer, Part, Part, Gap, Gap, Gap], Iterator[Part]]


def _swapped(rule: _Rule) -> _Rule:
    """Return a rule that takes its parts in the other order."""
    return lambda composer, left, right, *gaps: rule(composer, right, left, *gaps)


_C = Composer
_RULES: dict[tuple[Kind, Kind], tuple[_Rule, ...]] = {
    (Kind.STEP, Kind.SET): (_C._step_set, _C._same_as),
    (Kind.SET, Kind.STEP): (_C._set_step,),
    (Kind.SET, Kind.SET): (_C._set_set, _C._same_as),
    (Kind.STEP, Kind.STEP): (_C._step_step,),
    (Kind.AND, Kind.SET): (_C._and_set,),
    (Kind.OR, Kind.SET): (_C._and_set,),
    (Kind.SET, Kind.LISTED): (_C._set_listed,),
    (Kind.ALL, Kind.SET): (_C._all_of,),
    (Kind.NEGATION, Kind.SET): (_C._negated,),
    (Kind.NEGATION, Kind.STEP): (_C._negated,),
    (Kind.NEGATION, Kind.LISTED): (_C._negated,),
    (Kind.EXCEPT, Kind.SET): (_C._except,),
    (Kind.OTHER, Kind.SET): (_C._other,),
    (Kind.SET, Kind.OTHER): (_swapped(_C._other),),
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
    (Kind.QUANTITY, Kind.SET): (_C._quantity_set,),
    (Kind.EXTREME, Kind.SET): (_C._extreme_set,),
    (Kind.SET, Kind.EXTREME): (_swapped(_C._extreme_set),),
    (Kind.STEP, Kind.BOUND): (_C._step_bound,),
    (Kind.BOUND, Kind.STEP): (_swapped(_C._step_bound),),
    (Kind.SET, Kind.BOUND): (_C._set_bound,),
    (Kind.OR, Kind.BOUND): (_C._or_bound,),
    (Kind.BOUND, Kind.OR): (_C._bound_or,),
    (Kind.BOUND, Kind.SET): (_C._bound_set,),
    (Kind.STEP, Kind.THAN): (_C._step_than,),
    (Kind.SET, Kind.THAN): (_C._set_than,),
    (Kind.THAN, Kind.SET): (_C._than_set,),
    (Kind.EXTREME, Kind.THAN): (_C._extreme_than,),
    (Kind.QUANTITY, Kind.THAN): (_C._quantity_than,),
    (Kind.STEP, Kind.DEGREE): (_C._step_degree,),
    (Kind.DEGREE, Kind.STEP): (_swapped(_C._step_degree),),
    (Kind.DEGREE, Kind.SET): (_C._degree_set, _C._degree_with),
    (Kind.SET, Kind.DEGREE): (_C._degree_with,),
    (Kind.COUNT, Kind.SET): (_C._count_set,),
}
