"""Finds numbers, bounds and adjectives of degree in a question: what is compared, and with what."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.accounting import Binding, Role
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.queries.algebra import Named, Relational, Value
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.slots import Kind, Part, Slot
from evidence_assets.kgqa.slots.trigger_words import AFTERWARDS, BOUNDS, GENERIC, LOW, TIMES_OVER
from evidence_assets.kgqa.words.degrees import adjective_of, dimensions
from evidence_assets.kgqa.words.literals import (
    POWERS,
    in_unit,
    is_tens_and_ones,
    is_unit,
    scale,
    spoken_number,
)
from evidence_assets.kgqa.words.periods import period_at
from evidence_assets.reading.accounting import spans
from evidence_assets.text.function_words import function_words
from evidence_assets.text.words import word_set

# What it costs that "after", "before" or "until" compares nothing, where no number follows.
PARTICLE = 0.5
# What it costs that an adjective measures what nothing tells that it does.
GUESSED = 0.45
# "80 hectolitres a year".
_PER = word_set("a an per each every")
# How years are compared with one end of a period that is compared as a whole.
_OF_PERIODS = {Relational.MORE: Relational.AT_LEAST, Relational.AT_MOST: Relational.LESS}
# "Which opened first": as a superlative, at the end of a question.
_SPOKEN = {"first": "earliest", "last": "latest"}
# Words that stand for the ending of the adjective behind them; "how" asks for its degree.
_ENDINGS = {"most": "est", "least": "est", "more": "er", "less": "er", "how": "how"}


class MeasureSlicer:
    """A question's words by their places, and the slots of measures among them.

    `values`: each node's value as a literal. `places`, `lowered`: where each word stands, and itself.
    """

    def __init__(self, question: LinkedQuestion, lexicon: Lexicon, values: NDArray[np.float64]) -> None:
        self.text, self._lexicon, self._values = question.question, lexicon, values
        self.places = spans(question.question)
        self.lowered = [question.question[start:end].lower().replace("’", "'") for start, end in self.places]
        # Words that belong to a number before them.
        self.bound_before: set[int] = set()
        self._topics = sorted(
            (topic for topic in question.topics if topic.nodes), key=lambda t: (t.start, -t.end)
        )

    def _word(self, place: int) -> str:
        """Return the word at a place, "" before the first and behind the last."""
        return self.lowered[place] if 0 <= place < len(self.lowered) else ""

    def _words(self, place: int, count: int) -> tuple[str, ...]:
        """Return so many words from a place on, none where the question ends before."""
        words = tuple(self.lowered[place : place + count])
        return words if len(words) == count else ()

    def _bound_to(
        self, place: int, end: int, role: Role, target: str, similarity: float | None = None
    ) -> Binding:
        start, stop = self.places[place][0], self.places[end - 1][1]
        return Binding(start, stop, self.text[start:stop], role, target, similarity)

    def _period(self, place: int) -> Slot | None:
        """Return a decade or century: "in the 1960s"."""
        if (period := period_at(self.lowered, place)) is None:
            return None
        begin, after, end = period
        part = self._bound(place, end, Relational.AT_LEAST, begin, "", True)
        return Slot(place, end, (replace(part, upper=after, upper_relational=Relational.LESS),), 1.5)

    def _number(self, place: int) -> Slot | None:
        spoken = self._number_at(place)
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
                self.bound_before |= {end + 1, end + 2}
        part = self._bound(place, end, relational, value, unit, False)
        parts = [replace(part, bindings=(*part.bindings, *tail))]
        nodes = () if unit else tuple(np.flatnonzero(self._values == value).tolist())
        if nodes and relational is Relational.EQUAL:
            binding = self._bound_to(place, end, Role.EVIDENCE, f"the value {value:g}")
            parts.append(Part(Kind.SET, 0.0, (binding,), Named(f"{value:g}", nodes)))
        return Slot(place, end, tuple(parts), 1.5)

    def _number_at(self, place: int) -> tuple[float, str, int] | None:
        """Return the number that begins at a word, its unit, and the place after both."""
        word = self._word(place)
        value = 1.0 if word == "single" else spoken_number(word)
        if math.isnan(value):
            return None
        end = place + 1
        if is_tens_and_ones(word, self._word(end)):
            value, end = value + spoken_number(self._word(end)), end + 1
        while (factor := scale(self._word(end))) != 1.0:
            value, end = value * factor, end + 1
        unit, end = self._unit_at(end)
        return value, unit, end

    def _unit_at(self, place: int) -> tuple[str, int]:
        """Return the unit that begins at a word, "" for none, and the place after it."""
        unit, after = self._word(place), self._word(place + 1)
        if unit in POWERS and is_unit(after):
            return f"{unit} {after}", place + 2
        if (
            unit in function_words()
            or not is_unit(unit)
            or self._lexicon.relations(unit)
            or self._lexicon.types(unit)
        ):
            return "", place
        per = after in _PER
        divided = per or self.text[self.places[place][1] :].startswith("/")
        divisor = self._word(place + 1 + per)
        if divided and is_unit(divisor):
            quotient = f"{unit}/{divisor}"
            # What is so much "a year" is no condition on years.
            is_measured = bool(self._lexicon.measured.by_unit(quotient))
            return (quotient if is_measured else unit), place + 2 + per
        return unit, place + 1

    def _amount_at(self, place: int) -> tuple[float, str, int] | None:
        """Return the number that begins at a word, or is said by an article: "a mile", "a single line"."""
        if self._word(place) not in ("a", "an"):
            return self._number_at(place)
        if is_unit(unit := self._word(place + 1)):
            return 1.0, unit, place + 2
        return self._number_at(place + 1)

    def _bound(
        self, place: int, end: int, relational: Relational, value: float | None, unit: str, years: bool
    ) -> Part:
        text = f"{relational} {value:g} {unit}".strip() if value is not None else f"compared: {relational}"
        binding = self._bound_to(place, end, Role.OPERATOR, text)
        return Part(Kind.BOUND, 0.0, (binding,), relational=relational, bound=value, years=years, unit=unit)

    def _bounds(self, place: int) -> Slot | None:
        if self.lowered[place] == "between":
            return self._between(place)
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
            spoken = self._amount_at(begin) if not self._names(begin) else None
            if spoken is not None:
                value, unit, end = spoken
                return Slot(place, end, (self._bound(place, end, relational, value, unit, years),), 1.5)
            if years or words in (("more", "than"), ("less", "than"), ("fewer", "than")):
                end = place + length
                part = self._bound(place, end, relational, None, "", years)
                # "Looks after" compares nothing.
                return Slot(place, end, (part,), 1.5 if length > 1 else PARTICLE)
        return None

    def _names(self, place: int) -> bool:
        """Return whether a word begins a name that is more than a number."""
        if place >= len(self.places):
            return False
        start = self.places[place][0]
        topic = next((topic for topic in self._topics if topic.start == start), None)
        return topic is not None and topic.end > self.places[place][1]

    def _between(self, place: int) -> Slot | None:
        lower = self._number_at(place + 1)
        if lower is None or self._word(lower[2]) != "and":
            return None
        upper = self._number_at(lower[2] + 1)
        if upper is None:
            return None
        part = self._bound(place, upper[2], Relational.AT_LEAST, lower[0], upper[1] or lower[1], False)
        # The upper bound goes with the lower.
        return Slot(place, upper[2], (replace(part, upper=upper[0]),), 1.5)

    def _degree(self, place: int) -> Slot | None:
        """Return an adjective of degree: compared, superlative, or asked for by "how"."""
        base, ending, end = self._adjective_at(place)
        if not base or not ending:
            return None
        turned = self.lowered[place] in ("least", "less")
        measures = [
            (name, more != turned)
            for name, more in self._lexicon.measured.by_adjective(base, "been" in self.lowered)
        ]
        role = Role.OPERATOR if measures else Role.MEANING
        relation_role = Role.EVIDENCE if measures else Role.MEANING
        measures = measures or self._lexicon.measured.guessed(base)
        doubts = self._lexicon.measured.doubts([name for name, _ in measures])
        doubts = {name: doubt + GUESSED * (role is Role.MEANING) for name, doubt in doubts.items()}
        parts: list[Part] = []
        if ending == "how":
            parts = [
                Part(
                    Kind.STEP,
                    doubts[name],
                    (self._bound_to(place, end, relation_role, f"relation {name}"),),
                    relation=name,
                )
                for name, _ in measures
                # An age is no year.
                if not self._lexicon.facts[name].years
            ]
            return Slot(place, end, tuple(parts))
        if ending == "er" and self._word(end) == "than":
            return self._compared(place, end + 1, role, measures, doubts)
        for name, more in measures:
            binding = self._bound_to(place, end, role, f"{'greatest' if more else 'least'} {name}")
            parts.append(Part(Kind.EXTREME, doubts[name], (binding,), measure=Value(name), greatest=more))
        if base in GENERIC:
            greatest = (base not in LOW) != turned
            binding = self._bound_to(place, end, Role.OPERATOR, "greatest" if greatest else "least")
            kind = Kind.MOST if ending == "est" else Kind.MORE
            parts.append(Part(kind, 0.0, (binding,), greatest=greatest))
        return Slot(place, end, tuple(parts), 1.5)

    def _adjective_at(self, place: int) -> tuple[str, str, int]:
        """Return the adjective that begins at a word, its ending and the place after it; "" for none."""
        word, following = self.lowered[place], self._word(place + 1)
        # "Most recently": an adverb is its adjective.
        following = following if following in dimensions() else following.removesuffix("ly")
        if word in _ENDINGS and following in dimensions():
            return following, _ENDINGS[word], place + 2
        ends_phrase = self.text[self.places[place][1] :].lstrip()[:1] in ("", ",", ":", ";", "?", ".")
        base, ending = adjective_of(_SPOKEN.get(word, word) if ends_phrase else word)
        return base, ending, place + 1

    def _compared(
        self,
        begin: int,
        end: int,
        role: Role,
        measures: Sequence[tuple[str, bool]],
        doubts: Mapping[str, float],
    ) -> Slot:
        """Return "longer than", with its number if one follows."""
        spoken = self._amount_at(end) if not self._names(end) else None
        end = spoken[2] if spoken is not None else end
        parts = []
        for name, more in measures:
            value = None if spoken is None else in_unit(spoken[0], spoken[1], self._lexicon.facts[name].unit)
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
