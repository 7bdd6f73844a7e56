"""Finds numbers, bounds and adjectives of degree in a question: what is compared, and with what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.accounting import Binding, Role
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.queries.algebra import Named, Relational, Value
from evidence_assets.kgqa.slots.amount_slots import AmountSlicer
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.slots import Kind, Part, Slot
from evidence_assets.kgqa.slots.trigger_words import AFTERWARDS, BOUNDS
from evidence_assets.kgqa.words import dates
from evidence_assets.kgqa.words.degrees import adjective_of, dimensions
from evidence_assets.kgqa.words.derivations import is_past
from evidence_assets.kgqa.words.periods import Period, period_at, periods_at
from evidence_assets.kgqa.words.word_classes import GENERIC, LOW, RANKS, TIMES_OVER
from evidence_assets.text.dates import date_at

# What it costs that "after", "before" or "until" compares nothing, where no number follows.
PARTICLE = 0.5
# What it costs that an adjective measures what nothing tells that it does.
GUESSED = 0.45
# What it costs that an adjective is of the noun behind it, a measure by itself: "the shortest crossing".
OF_A_NOUN = 0.1
# What a range begins with, by what joins its ends.
_RANGES = {"between": frozenset(["and"]), "from": frozenset(["to", "till", "until"])}
# What says of a range that it has no end: "from 1990 on".
_ONWARDS = frozenset(["on", "onward", "onwards"])
# How years are compared with one end of a period that is compared as a whole.
_OF_PERIODS = {Relational.MORE: Relational.AT_LEAST, Relational.AT_MOST: Relational.LESS}
# "Which opened first": as a superlative, at the end of a question.
_SPOKEN = {"first": "earliest", "last": "latest"}
# Words that stand for the ending of the adjective behind them; "how" asks for its degree.
# What tells with what something is compared.
_COMPARING = frozenset(["than", "or"])
_ENDINGS = {"most": "est", "least": "est", "more": "er", "less": "er", "how": "how"}


class _End(NamedTuple):
    """An end of a range: its first value and the upper bound that it is, and the place behind it."""

    value: float
    upper: float
    relational: Relational
    unit: str
    years: bool
    end: int


class MeasureSlicer(AmountSlicer):
    """Adds the slots of measures; `values`: each node's value as a literal."""

    def __init__(self, question: LinkedQuestion, lexicon: Lexicon, values: NDArray[np.float64]) -> None:
        super().__init__(question, lexicon)
        self._values = values
        # Words that no slot is of by themselves: of a number before them, or of a difference.
        self.bound_apart: set[int] = set()

    def _period(self, place: int) -> Slot | None:
        """Return a date, decade or century, or several: "in May 2022", "in the sixties and seventies"."""
        periods = periods_at(self.lowered, place)
        if not periods:
            return None
        first, *others = (self._within(period, place, periods[-1].end) for period in periods)
        return Slot(place, periods[-1].end, (replace(first, others=tuple(others)),), 1.5)

    def _within(self, period: Period, place: int, end: int) -> Part:
        """Return the years of a period, as words from a place to another say them."""
        part = self._bound(place, end, Relational.AT_LEAST, period.begin, "", True)
        return replace(part, upper=period.after, upper_relational=Relational.LESS)

    def _number(self, place: int) -> Slot | None:
        spoken = self._number_at(place) or self._one_and_more(place)
        if spoken is None:
            return None
        value, unit, end = spoken
        if value == 1.0 and self.lowered[place] == "one" and end == place + 1:
            return None
        relational = Relational.EQUAL
        tail: tuple[Binding, ...] = ()
        for words, later in AFTERWARDS.items():
            if tuple(self.lowered[end : end + 2]) == words:
                relational, end = later, end + 2
            elif tuple(self.lowered[end + 1 : end + 3]) == words:
                # "Three grapes or more".
                relational = later
                tail = (self._bound_to(end + 1, end + 3, Role.OPERATOR, str(later)),)
                self.bound_apart |= {end + 1, end + 2}
        part = self._bound(place, end, relational, value, unit, False)
        parts = [replace(part, bindings=(*part.bindings, *tail))]
        nodes = () if unit else tuple(np.flatnonzero(self._values == value).tolist())
        if nodes and relational is Relational.EQUAL:
            binding = self._bound_to(place, end, Role.EVIDENCE, f"the value {value:g}")
            parts.append(Part(Kind.SET, 0.0, (binding,), Named(f"{value:g}", nodes)))
        return Slot(place, end, tuple(parts), 1.5)

    def _bound(
        self, place: int, end: int, relational: Relational, value: float | None, unit: str, years: bool
    ) -> Part:
        text = f"{relational} {value:g} {unit}".strip() if value is not None else f"compared: {relational}"
        binding = self._bound_to(place, end, Role.OPERATOR, text)
        return Part(Kind.BOUND, 0.0, (binding,), relational=relational, bound=value, years=years, unit=unit)

    def _by_date(self, place: int) -> Slot | None:
        """Return "by 10 March 2022"; behind "by" elsewhere stands who did something."""
        dated = date_at(self.lowered, place + 1) if self.lowered[place] == "by" else None
        if dated is None:
            return None
        date, end = dated
        part = self._bound(place, end, Relational.LESS, dates.end(date), "", True)
        return Slot(place, end, (part,), 1.5)

    def _bounds(self, place: int) -> Slot | None:
        if self.lowered[place] in _RANGES:
            return self._range(place)
        for length in (3, 2, 1):
            words = self._words(place, length)
            if words not in BOUNDS:
                continue
            relational, years = BOUNDS[words]
            begin = place + length
            while begin < len(self.lowered) - 1 and self.lowered[begin] in ("the", "year", "only"):
                begin += 1
            if not years and (times := TIMES_OVER.get(self._word(begin))):
                # "Visited more than once": by more than one of whatever does.
                often = self._bound(place, begin + 1, relational, times, "", False)
                return Slot(place, begin + 1, (replace(often, kind=Kind.COUNTED),), 1.5)
            if period := period_at(self.lowered, begin):
                # "After the 1960s" is since the year behind them.
                behind = relational in (Relational.MORE, Relational.AT_MOST)
                bound = _OF_PERIODS.get(relational, relational)
                part = self._bound(place, period[2], bound, period[behind], "", True)
                return Slot(place, period[2], (part,), 1.5)
            spoken = self._amount_compared(begin)
            if spoken is not None:
                value, unit, end = spoken
                return Slot(place, end, (self._bound(place, end, relational, value, unit, years),), 1.5)
            if years or words in (("more", "than"), ("less", "than"), ("fewer", "than")):
                end = place + length
                part = self._bound(place, end, relational, None, "", years)
                # "Looks after" compares nothing.
                return Slot(place, end, (part,), 1.5 if length > 1 else PARTICLE)
        return None

    def _range(self, place: int) -> Slot | None:
        """Return "between 5 and 8 metres", "from the 1920s to the 1950s"."""
        lower = self._end_of_range(place + 1)
        if lower is None:
            return None
        if self.lowered[place] == "from" and self._word(lower.end) in _ONWARDS:
            end = lower.end + 1
            part = self._bound(place, end, Relational.AT_LEAST, lower.value, lower.unit, lower.years)
            return Slot(place, end, (part,), 1.5)
        if self._word(lower.end) not in _RANGES[self.lowered[place]]:
            return None
        upper = self._end_of_range(lower.end + 1, joined=lower.years)
        if upper is None:
            return None
        part = self._bound(
            place,
            upper.end,
            Relational.AT_LEAST,
            lower.value,
            upper.unit or lower.unit,
            lower.years or upper.years,
        )
        # The upper bound goes with the lower.
        part = replace(part, upper=upper.upper, upper_relational=upper.relational)
        return Slot(place, upper.end, (part,), 1.5)

    def _end_of_range(self, place: int, joined: bool = False) -> _End | None:
        """Return a number or period that a range begins or ends with; `joined`: it begins with a period."""
        while self._word(place) in ("the", "year"):
            place += 1
        if period := period_at(self.lowered, place, joined):
            return _End(period.begin, period.after, Relational.LESS, "", True, period.end)
        if (number := self._number_at(place)) is None:
            return None
        return _End(number.value, number.value, Relational.AT_MOST, number.unit, False, number.end)

    def _compared_to_nothing(self, place: int) -> Slot | None:
        """Return a comparative whose other side is not told: "an earlier one"."""
        if self._word(place - 1) not in ("a", "an") or not _COMPARING.isdisjoint(self.lowered):
            return None
        base, ending, end = self._adjective_at(place)
        return Slot(place, end, (), 1.5) if base and ending == "er" else None

    def _degree(self, place: int) -> Slot | None:
        """Return an adjective of degree: compared, superlative, or asked for by "how"."""
        if rank := RANKS.get(self.lowered[place]):
            return self._ranked(place, rank)
        if self.lowered[place] in _SPOKEN and self._word(place + 1) == "to":
            # "The last to be built": by the years that the verb behind tells.
            greatest = self.lowered[place] == "last"
            binding = self._bound_to(place, place + 1, Role.OPERATOR, "greatest" if greatest else "least")
            return Slot(
                place, place + 1, (Part(Kind.MOST, 0.0, (binding,), greatest=greatest, framed=True),), 1.5
            )
        base, ending, end = self._adjective_at(place)
        if not base or not ending:
            return None
        turned = self.lowered[place] in ("least", "less")
        measures = [
            (name, more != turned)
            # "Been the longest", not "been the longest film".
            for name, more in self._lexicon.measured.by_adjective(
                base, "been" in self.lowered and not self._lexicon.types(self._word(end))
            )
            if self._lexicon.measured.tells_age(base, name, self._lexicon.meanings.kinds.persons)
        ]
        role = Role.OPERATOR if measures else Role.MEANING
        measures = measures or self._lexicon.measured.guessed(base)
        doubts = self._lexicon.measured.doubts([name for name, _ in measures])
        doubts = {name: doubt + GUESSED * (role is Role.MEANING) for name, doubt in doubts.items()}
        if ending == "how":
            role_of_step = Role.EVIDENCE if role is Role.OPERATOR else Role.MEANING
            return self._asked_degree(place, end, role_of_step, doubts)
        if ending == "er" and self._word(end) == "than":
            return self._compared(place, end + 1, role, measures, doubts)
        parts: list[Part] = []
        for name, more in measures:
            binding = self._bound_to(place, end, role, f"{'greatest' if more else 'least'} {name}")
            parts.append(Part(Kind.EXTREME, doubts[name], (binding,), measure=Value(name), greatest=more))
        generic, of_amount = base in GENERIC, self._qualifies_amount(base, end)
        if generic or of_amount:
            more = base not in LOW if generic else dimensions()[base].more
            greatest = more != turned
            binding = self._bound_to(place, end, Role.OPERATOR, "greatest" if greatest else "least")
            kind = Kind.MOST if ending == "est" else Kind.MORE
            cost = 0.0 if generic else OF_A_NOUN
            parts.append(Part(kind, cost, (binding,), greatest=greatest, framed=not generic))
        return Slot(place, end, tuple(parts), 1.5)

    def _asked_degree(self, place: int, end: int, role: Role, doubts: Mapping[str, float]) -> Slot:
        """Return "how long" as a step to what an adjective may measure; `doubts`: what each costs."""
        parts = [
            Part(Kind.STEP, doubt, (self._bound_to(place, end, role, f"relation {name}"),), relation=name)
            for name, doubt in doubts.items()
            # An age is no year.
            if not self._lexicon.facts[name].years
        ]
        return Slot(place, end, tuple(parts))

    def _qualifies_amount(self, adjective: str, place: int) -> bool:
        """Return whether a word behind an adjective of degree is itself an amount: "the longest range"."""
        dimension, word = dimensions().get(adjective), self._word(place)
        senses = self._lexicon.relations(word) if word and not is_past(word) else []
        facts = [self._lexicon.facts[sense.relation] for sense in senses]
        is_amount = any(fact.is_amount for fact in facts)
        return dimension is not None and not dimension.temporal and is_amount

    def _ranked(self, place: int, rank: int) -> Slot | None:
        """Return "second longest", "second most"."""
        if self._word(place + 1) == "most" and self._word(place + 2) not in dimensions():
            binding = self._bound_to(place, place + 2, Role.OPERATOR, f"greatest, number {rank}")
            return Slot(place, place + 2, (Part(Kind.MOST, 0.0, (binding,), rank=rank),), 1.5)
        if place + 1 >= len(self.lowered) or self._adjective_at(place + 1)[1] != "est":
            return None
        slot = self._degree(place + 1)
        if slot is None:
            return None
        parts = [
            replace(
                part,
                rank=rank,
                bindings=(self._bound_to(place, slot.end, binding.role, f"{binding.target}, number {rank}"),),
            )
            for part in slot.parts
            for binding in part.bindings
        ]
        return Slot(place, slot.end, tuple(parts), slot.left_out + 1.0)

    def _adjective_at(self, place: int) -> tuple[str, str, int]:
        """Return the adjective that begins at a word, its ending and the place after it; "" for none."""
        word, following = self.lowered[place], self._word(place + 1)
        # "Most recently": an adverb is its adjective.
        following = following if following in dimensions() else following.removesuffix("ly")
        if word in _ENDINGS and following in dimensions():
            return following, _ENDINGS[word], place + 2
        ends_phrase = self.text[self.places[place][1] :].lstrip()[:1] in ("", ",", ":", ";", "?", ".")
        # "How long does it last": a verb.
        lasts = word == "last" and ("how", "long") in pairwise(self.lowered[:place])
        counts = (ends_phrase and not lasts) or self._begins_series(place)
        base, ending = adjective_of(_SPOKEN.get(word, word) if counts else word)
        return base, ending, place + 1

    def _begins_series(self, place: int) -> bool:
        """Return whether "first" or "last" says when a thing of a type was: "her first film"."""
        word, noun = self.lowered[place], self._word(place + 1)
        if word not in _SPOKEN or self._word(place - 1) == "at" or not noun or is_past(noun):
            return False
        if any(word in facts.name_words for facts in self._lexicon.facts.values()):
            return False
        types = {sense.type for sense, _ in self._lexicon.types(noun)}
        return bool(types) and types.isdisjoint(
            self._lexicon.literal_types | self._lexicon.meanings.kinds.persons
        )

    def _compared(
        self,
        begin: int,
        end: int,
        role: Role,
        measures: Sequence[tuple[str, bool]],
        doubts: Mapping[str, float],
    ) -> Slot:
        """Return "longer than", with its number if one follows."""
        spoken = self._amount_compared(end)
        end = spoken[2] if spoken is not None else end
        parts = []
        for name, more in measures:
            value = (
                None if spoken is None else self._lexicon.measured.converted(spoken.value, spoken.unit, name)
            )
            if spoken is not None and value is None:
                continue
            relational = Relational.MORE if more else Relational.LESS
            binding = self._bound_to(begin, end, role, f"{name} {relational}")
            parts.append(
                Part(
                    Kind.DEGREE,
                    doubts[name],
                    (binding,),
                    measure=Value(name),
                    relational=relational,
                    bound=value,
                )
            )
        return Slot(begin, end, tuple(parts))
