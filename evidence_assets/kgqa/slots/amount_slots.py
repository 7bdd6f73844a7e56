"""A question's words by their places, and the amounts that they tell: "2 t", "150 km/h", "a mile"."""

from __future__ import annotations

import math
from typing import NamedTuple

from evidence_assets.evidence.accounting import Binding, Role
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.trigger_words import AFTERWARDS
from evidence_assets.kgqa.words.literals import (
    POWERS,
    fraction_of,
    is_group_of_digits,
    is_tens_and_ones,
    is_unit,
    scale,
    spoken_number,
)
from evidence_assets.reading.accounting import spans
from evidence_assets.text.words import word_set

# "80 hectolitres a year".
_PER = word_set("a an per each every")
_ONE = word_set("a an")
# "Two and a half tonnes", "a mile and a half".
_AND_HALF = ("and", "a", "half")


class Amount(NamedTuple):
    """A number with its unit, "" for none, and the place behind both."""

    value: float
    unit: str
    end: int


class AmountSlicer:
    """A question's words. `places`, `lowered`: where each word stands, and itself."""

    def __init__(self, question: LinkedQuestion, lexicon: Lexicon) -> None:
        self.text, self._lexicon = question.question, lexicon
        self.places = spans(question.question)
        self.lowered = [question.question[start:end].lower().replace("’", "'") for start, end in self.places]
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

    def _names(self, place: int) -> bool:
        """Return whether a word begins a name that is more than a number."""
        if place >= len(self.places):
            return False
        return self._end_of_name(place) > self.places[place][1]

    def _end_of_name(self, place: int) -> int:
        """Return where the name ends that begins with a word, 0 for none."""
        start = self.places[place][0]
        return next((topic.end for topic in self._topics if topic.start == start), 0)

    def _bound_to(
        self, place: int, end: int, role: Role, target: str, similarity: float | None = None
    ) -> Binding:
        start, stop = self.places[place][0], self.places[end - 1][1]
        return Binding(start, stop, self.text[start:stop], role, target, similarity)

    def _number_at(self, place: int) -> Amount | None:
        """Return the number that begins at a word, with its unit."""
        if fraction := self._fraction_at(place):
            return fraction
        word = self._word(place)
        # "A hundred", after its article; "hundreds of" are no number.
        scales = scale(word) != 1.0 and not word.endswith("s")
        value = 1.0 if word == "single" or scales else spoken_number(word)
        if math.isnan(value):
            return None
        end = place + (not scales)
        if is_tens_and_ones(word, self._word(end)):
            value, end = value + spoken_number(self._word(end)), end + 1
        if self._is_parted(place + 1):
            value, end = self._grouped(place)
        while (factor := scale(self._word(end))) != 1.0:
            value, end = value * factor, end + 1
        half, end = self._and_half(end)
        unit, end = self._unit_at(end)
        return Amount(value + half, unit, end)

    def _grouped(self, place: int) -> tuple[float, int]:
        """Return the number whose digits are parted by spaces from a word on, and the place behind it."""
        digits, end = self._word(place), place + 1
        while self._is_parted(end):
            digits, end = digits + self._word(end), end + 1
        return float(digits), end

    def _is_parted(self, place: int) -> bool:
        """Return whether a word is of the number before it, of which a space parts it: "70 000", no list."""
        if not is_group_of_digits(self._word(place - 1), self._word(place)):
            return False
        return len(self.text[self.places[place - 1][1] : self.places[place][0]]) == 1

    def _and_half(self, place: int) -> tuple[float, int]:
        """Return the half that is added at a word, 0 for none, and the place after it."""
        adds = self._words(place, len(_AND_HALF)) == _AND_HALF
        return (0.5, place + len(_AND_HALF)) if adds else (0.0, place)

    def _fraction_at(self, place: int) -> Amount | None:
        """Return the part of a unit or scale that begins at a word: "half a tonne", "half a dozen"."""
        count = spoken_number(self._word(place))
        count, place = (1.0, place) if math.isnan(count) else (count, place + 1)
        share, end = fraction_of(self._word(place)), place + 1
        end += self._word(end) == "of"
        if math.isnan(share) or self._word(end) not in _ONE:
            return None
        if (factor := scale(self._word(end + 1))) != 1.0:
            return Amount(count * share * factor, *self._unit_at(end + 2))
        unit, after = self._unit_at(end + 1)
        if not unit and is_unit(self._word(end + 1)):
            unit, after = self._word(end + 1), end + 2
        return Amount(count * share, unit, after) if unit else None

    def _unit_at(self, place: int) -> tuple[str, int]:
        """Return the unit that begins at a word, "" for none, and the place after it."""
        unit, after = self._word(place), self._word(place + 1)
        if unit in POWERS and is_unit(after):
            return f"{unit} {after}", place + 2
        # "The 5's platform" has no seconds.
        owned = self.text[self.places[place][0] - 1] in "'’" if unit else True
        if (
            owned
            or not is_unit(unit, measures=True)
            or self._lexicon.relations(unit)
            or any(sense.type not in self._lexicon.literal_types for sense, _ in self._lexicon.types(unit))
        ):
            return "", place
        per = after in _PER
        divided = per or self.text[self.places[place][1] :].startswith("/")
        divisor = self._word(place + 1 + per)
        if divided and is_unit(divisor, measures=True):
            quotient = f"{unit}/{divisor}"
            # What is so much "a year" is no condition on years.
            is_measured = bool(self._lexicon.measured.by_unit(quotient))
            return (quotient if is_measured else unit), place + 2 + per
        return unit, place + 1

    def _amount_compared(self, place: int) -> Amount | None:
        """Return the amount that something is compared with; None where a name begins that says more.

        The value of one thing may be a name: "under 13 kg", where something weighs as much.
        """
        amount = self._amount_at(place) if place < len(self.places) else None
        if amount is None or not self._names(place):
            return amount
        is_all = self._end_of_name(place) == self.places[amount.end - 1][1]
        return amount if is_all and self._word(place)[:1].isdigit() else None

    def _one_and_more(self, place: int) -> Amount | None:
        """Return "an hour and a half", "an hour or longer", which no number begins."""
        adds = self._words(place + 2, len(_AND_HALF)) == _AND_HALF
        is_said = adds or self._words(place + 2, 2) in AFTERWARDS
        return self._amount_at(place) if is_said and self._word(place) in _ONE else None

    def _amount_at(self, place: int) -> Amount | None:
        """Return the number that begins at a word, or is said by an article: "a mile", "a single line"."""
        if self._word(place) not in _ONE:
            return self._number_at(place)
        if not is_unit(unit := self._word(place + 1)):
            return self._number_at(place + 1)
        half, end = self._and_half(place + 2)
        return Amount(1.0 + half, unit, end)
