"""Slices a question into slots.

Operators are of general English; function words between slots stay beside them, since prepositions, "by" and
auxiliaries say which way a relation is meant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.accounting import Binding, Role
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.queries.algebra import Form, Named, Typed
from evidence_assets.kgqa.slots.asked_names import asked_names
from evidence_assets.kgqa.slots.composition_costs import COMMON_NOUN, NO_PERSON
from evidence_assets.kgqa.slots.expressions import type_of
from evidence_assets.kgqa.slots.gap_words import gap_words
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.sense_slots import SenseSlicer
from evidence_assets.kgqa.slots.senses import RelationSense, TypeSense
from evidence_assets.kgqa.slots.slots import EVERY, MUCH, OPERATORS, RELATED, TIME, Kind, Part, Slot, Slots
from evidence_assets.kgqa.slots.targets import with_count_first, with_target
from evidence_assets.kgqa.slots.trigger_words import BOUNDS, CALCULATED, PHRASES
from evidence_assets.kgqa.words.degrees import adjective_of
from evidence_assets.kgqa.words.literals import is_time, spoken_number
from evidence_assets.kgqa.words.word_classes import (
    AUXILIARIES,
    BACK,
    BE,
    COPULAR,
    DO,
    EVERYBODY,
    HAVE,
    LESSER_PREPOSITIONS,
    NOBODY,
    POLITE,
    POSITIONED,
    PREPOSITIONS,
    QUESTION_WORDS,
    RELATIVE,
    REQUESTS,
    SAYING_LITTLE,
    TIMES,
    WHOLES,
    WILD,
)
from evidence_assets.text.function_words import function_words, light_verbs, operator_words
from evidence_assets.text.roots import lemma

# Words within a phrase.
_WITHIN = frozenset(["a", "an", "of", "the", "per"])
_LONGEST_REQUEST, _LONGEST_SAID = 6, 4
# Words for every member of a set, and what stands between them and its noun.
_ALL, _BEFORE_ALL = frozenset(["all", "every", "both"]), frozenset(["of", "the", "these", "those"])
# Where an object stands at the earliest: "who teaches nobody".
_FIRST_OBJECT = 2
# What may stand for a name, besides for what a noun says.
_PRONOUNS = frozenset(["it", "they", "them", "he", "she", "him"])
# What a verb costs that says no more than that things are related.
LIGHT = 0.1


def slots_of(
    question: LinkedQuestion, lexicon: Lexicon, values: NDArray[np.float64], most: int, someone: bool = False
) -> Slots | None:
    """Return a question's slots; None where there are more than `most`.

    Args:
        values: Each node's value as a literal.
        someone: "Who" is a slot of its own: "who is in Leeds", where no word says what whoever it is does.
    """
    slicer = _Slicer(question, lexicon, values, someone)
    slots, gaps = slicer.sliced(most)
    if slots is None:
        return None
    marked, counts = with_count_first(with_target(slots, gaps))
    return Slots(
        tuple(marked),
        tuple(map(tuple, gaps)),
        slicer.asks,
        slicer.yes_or_no,
        slicer.likelihoods,
        counts,
        _whole(marked) if slicer.yes_or_no else -1,
        slicer.gap,
        slicer.gap_bindings(slots),
        tuple(slicer.phrases(marked, gaps)),
        slicer.requests,
    )


def _whole(slots: Sequence[Slot]) -> int:
    """Return the slot of a word that says something of all, -1 for none."""
    wholes = (
        place
        for place, slot in enumerate(slots)
        if any(binding.target == EVERY for part in slot.parts for binding in part.bindings)
    )
    return next(wholes, -1)


def _is_unknown(slot: Slot) -> bool:
    """Return whether no word of a slot is one of the graph's by its root."""
    return all(binding.role is Role.MEANING for part in slot.parts for binding in part.bindings)


class _Slicer(SenseSlicer):
    def __init__(
        self, question: LinkedQuestion, lexicon: Lexicon, values: NDArray[np.float64], someone: bool
    ) -> None:
        super().__init__(question, lexicon, values)
        # Words at the beginning that ask for whoever it is.
        self._askers = {"whose", "who"} if someone else {"whose"}
        self._fronted = self._fronted_name()
        self.gap = gap_words(self.lowered)
        self.bound_apart |= self.gap.places if self.gap is not None else frozenset()
        self._asked_names = asked_names(self.text)
        self.bound_apart |= {*self._asked_names}
        # "Can you tell me who ...": an auxiliary, and a request after it.
        self.indirect = self.lowered[1:2] == ["you"] and any(word in REQUESTS for word in self.lowered[2:5])

    def gap_bindings(self, slots: Sequence[Slot]) -> tuple[Binding, ...]:
        """Return the bindings of the words that ask by how much two things differ, outside of slots."""
        taken = {place for slot in slots for place in range(slot.start, slot.end)}
        places = sorted(self.gap.places - taken) if self.gap is not None else []
        return tuple(self._bound_to(place, place + 1, Role.OPERATOR, Form.GAP.value) for place in places)

    @property
    def requests(self) -> tuple[Binding, ...]:
        """What the words are bound to that ask for names."""
        names = self._asked_names
        return (self._bound_to(names.start, names.stop, Role.OPERATOR, "request"),) if names else ()

    @property
    def yes_or_no(self) -> bool:
        """Whether it begins as a question of yes or no, and asks for no names besides."""
        begins = bool(self.lowered) and self.lowered[0] in AUXILIARIES
        return begins and not self.indirect and not self._asked_names

    @property
    def asks(self) -> str:
        """The word that asks, "" for none; of "how much" both."""
        asking = (place for place, word in enumerate(self.lowered) if word in QUESTION_WORDS)
        place = next((place for place in asking if not self._is_relative(place)), None)
        if place is None:
            return ""
        after = self._word(place + 1)
        # "How threatened", as "how much", asks for a degree.
        degree = self.lowered[place] == "how" and after not in AUXILIARIES | {"many"}
        return MUCH if degree else self.lowered[place]

    def _is_relative(self, place: int) -> bool:
        """Return whether "who" or "where" asks nothing, but says more of the noun before it."""
        if self.lowered[place] not in RELATIVE or not 0 < place < len(self.lowered) - 1:
            return False
        before = self.lowered[place - 1]
        says_nothing = before in function_words() | REQUESTS | POLITE and before not in WILD
        return not says_nothing and not self.text[self.places[place - 1][1] : self.places[place][0]].strip()

    def sliced(self, most: int) -> tuple[list[Slot] | None, list[list[str]]]:
        """Return the slots and the words between them, or None if there are too many."""
        slots: list[Slot] = []
        gaps: list[list[str]] = [[]]
        place = 0 if self._fronted is None else self._fronted[0].end
        if owner := self._owner():
            slots.append(owner)
            gaps.append([])
        while place < len(self.places):
            if place in self.bound_apart:
                place += 1
                continue
            slot = self._taken_up(place) or self._stands_for(place) or self._slot(place)
            if slot is None:
                gaps[-1].append(self.lowered[place])
                place += 1
                continue
            slots.append(slot)
            back = self._fronted is not None and place == self._fronted[1]
            owns = (back and BACK[self.lowered[place]]) or self._is_possessive(slot)
            gaps.append(["s"] if owns else [])
            if (comma := self._comma(slot)) is not None:
                slots.append(comma)
                gaps.append([])
            if len(slots) > most:
                return None, []
            place = slot.end
        return slots, gaps

    def _is_possessive(self, slot: Slot) -> bool:
        """Return whether an apostrophe alone stands behind a name: "Harlow Works' engines"."""
        end = self.places[slot.end - 1][1]
        named = any(isinstance(part.expression, Named) for part in slot.parts)
        return named and self.text[end - 1 : end] == "s" and self.text[end : end + 2] in ("' ", "’ ")

    def phrases(
        self, slots: Sequence[Slot], gaps: Sequence[Sequence[str]]
    ) -> list[tuple[int, int, tuple[Part, ...]]]:
        """Return what several words stand for together, by their slots: "rolling stock", "dose a day"."""
        wordy = [self._is_wordy(slot) for slot in slots]
        spans_ = [
            (first, last)
            for first in range(len(slots))
            for last in range(first + 2, min(first + _LONGEST_SAID, len(slots)) + 1)
            if all(wordy[first:last])
            and all(set(gap) <= _WITHIN for gap in gaps[first + 1 : last])
            and all(_is_unknown(slot) for slot in slots[first:last])
        ]
        texts = [" ".join(self.lowered[slots[a].start : slots[b - 1].end]) for a, b in spans_]
        phrases = []
        for (first, last), senses in zip(spans_, self._lexicon.meanings.of_phrases(texts), strict=True):
            begin, end = slots[first].start, slots[last - 1].end
            relations = [sense for sense in senses if isinstance(sense, RelationSense)]
            parts = list(self._steps(begin, relations, end - begin))
            for sense in senses:
                if isinstance(sense, TypeSense):
                    binding = self._bound_to(begin, end, Role.MEANING, f"type {sense.type}", sense.similarity)
                    target = any(part.target for slot in slots[first:last] for part in slot.parts)
                    cost = 0.5 * (1 - (sense.similarity or 1.0))
                    parts.append(Part(Kind.SET, cost, (binding,), Typed(sense.type), target=target))
            if parts:
                phrases.append((first, last, tuple(parts)))
        return phrases

    def _is_wordy(self, slot: Slot) -> bool:
        """Return whether a slot is of words that may stand for relations and types, or are unknown."""
        return (
            all(part.kind is Kind.STEP or isinstance(part.expression, Typed) for part in slot.parts)
            and not any(
                word in operator_words() or any(part.kind in OPERATORS for part in slot.parts)
                for word in self.lowered[slot.start : slot.end]
            )
            and slot.end > slot.start
        )

    def _comma(self, slot: Slot) -> Slot | None:
        """Return the comma of "Leeds, York or Hull" as the operator at the list's end."""
        after = self.places[slot.end][0] if slot.end < len(self.places) else 0
        separator = self.text[self.places[slot.end - 1][1] : after].strip()
        if separator != "," or not any(topic.start == after for topic in self._topics):
            return None
        joint = next((word for word in self.lowered[slot.end :] if word in ("and", "or")), "")
        named = any(isinstance(part.expression, Named) for part in slot.parts)
        return Slot(slot.end, slot.end, (Part(Kind(joint)),), 0.6) if joint and named else None

    def _owner(self) -> Slot | None:
        """Return whom a leading word asks for: "whose lines are long" as "who, whose lines are long"."""
        kinds = self._lexicon.meanings.kinds
        types = [type_ for type_ in self._lexicon.nouns if type_ not in kinds.things]
        if not self._askers.intersection(self.lowered[:1]):
            return None
        parts = [
            Part(Kind.SET, NO_PERSON * (type_ not in kinds.persons), (), Typed(type_), target=True)
            for type_ in types
        ]
        return Slot(0, 0, tuple(parts), 1.0) if parts else None

    def _fronted_name(self) -> tuple[Slot, int] | None:
        """Return the name that a question begins with, and the place of the pronoun that takes it up."""
        slot = self._topic(0) if self.places else None
        if slot is None:
            return None
        after = self.text[self.places[slot.end - 1][1] :].lstrip()[:1]
        back = next((place for place in range(slot.end, len(self.places)) if self.lowered[place] in BACK), 0)
        return (slot, back) if after in (":", ",", ";", "-") and back else None

    def _taken_up(self, place: int) -> Slot | None:
        """Return the name that a question begins with, at its pronoun."""
        if self._fronted is None or place != self._fronted[1]:
            return None
        return replace(self._fronted[0], start=place, end=place + 1)

    def _stands_for(self, place: int) -> Slot | None:
        """Return the only name of a question at a pronoun behind it: "do the Harrows own what they work"."""
        if self.lowered[place] not in _PRONOUNS or self._fronted is not None:
            return None
        names = [topic for topic in self._topics if topic.nodes and topic.end > topic.start]
        if len(names) != 1 or names[0].end > self.places[place][0]:
            return None
        begin = next(begin for begin, (start, _) in enumerate(self.places) if start >= names[0].start)
        slot = self._topic(begin)
        parts = slot.parts[:1] if slot is not None else ()
        binding = self._bound_to(place, place + 1, Role.EVIDENCE, f"node {names[0].phrase}")
        return Slot(place, place + 1, tuple(replace(part, bindings=(binding,)) for part in parts), 0.05)

    def _slot(self, place: int) -> Slot | None:
        """Return the slot that begins with a word, if one does."""
        # "In all the plays" is no sum.
        if self.lowered[place] in PREPOSITIONS and self._word(place + 1) and self._each_of(place + 1):
            return None
        for finder in (
            self._topic,
            self._named_relation,
            self._period,
            self._number,
            self._by_date,
            self._bounds,
            self._compared_to_nothing,
            self._degree,
            self._both_or_everybody,
            self._each_of,
            self._nobody,
            self._phrase,
            self._general,
        ):
            if (slot := finder(place)) is not None:
                return slot
        word = self.lowered[place]
        silent = self._is_function_word(place) and word not in operator_words()
        return None if silent and not self._senses(place, by_meaning=False)[0] else self._content(place)

    def _topic(self, place: int) -> Slot | None:
        start = self.places[place][0]
        topic = next((topic for topic in self._topics if topic.start <= start < topic.end), None)
        if (
            topic is None
            or (
                not math.isnan(spoken_number(topic.phrase))
                # A numeral in capitals within a question is a name: "Who directed Thirteen?"
                and not (place and topic.phrase[:1].isupper())
            )
        ):
            return None
        end = place
        while end < len(self.places) and self.places[end][0] < topic.end:
            end += 1
        binding = self._bound_to(place, end, Role.EVIDENCE, f"node {topic.phrase}")
        nodes = self._lexicon.names.spelt_as(topic.phrase, topic.nodes)
        parts = [Part(Kind.SET, 0.0, (binding,), Named(topic.phrase, nodes))]
        # A name in small letters may also be one of the schema's words.
        noun = end - 1
        if self.lowered[place:noun] in ([], ["the"]) and self.text[self.places[noun][0]].islower():
            is_of = self._word(end) == "of" or self._word(place - 1) == "s"
            parts += [
                replace(part, cost=part.cost + COMMON_NOUN * (not (is_of and part.said_of)))
                for part in self._senses(noun, by_meaning=False)[0]
            ]
        return Slot(place, end, tuple(parts))

    def _both_or_everybody(self, place: int) -> Slot | None:
        """Return `both` before a noun, or `everybody`, as said of all, in a question of yes or no."""
        word = self.lowered[place]
        if not self.yes_or_no or word not in EVERYBODY | {"both"}:
            return None
        if word == "both":
            # "Both A and B" are two, and so are "A and B both".
            is_list = place > 1 or "and" in self.lowered[place:]
            return None if is_list else self._empty(place, EVERY)
        nouns = ("person", "people")
        persons = {sense.type for noun in nouns for sense, _ in self._lexicon.types(noun)}
        binding = self._bound_to(place, place + 1, Role.OPERATOR, EVERY)
        parts = tuple(Part(Kind.SET, 0.0, (binding,), Typed(type_)) for type_ in sorted(persons))
        return Slot(place, place + 1, parts, 1.0) if len(parts) == 1 else None

    def _each_of(self, place: int) -> Slot | None:
        """Return `all` of what a verb is done to, or by: "reviewed by all the critics of Leeds"."""
        if self.yes_or_no or self.lowered[place] not in _ALL or not self._is_of_verb(place):
            return None
        noun = place + 1
        while self._word(noun) in _BEFORE_ALL or self._is_named(noun):
            noun += 1
        if not (
            noun < len(self.lowered) and self._lexicon.types(self.lowered[noun], self.lowered[noun + 1 :])
        ):
            return None
        binding = self._bound_to(place, place + 1, Role.OPERATOR, Kind.ALL.value)
        return Slot(place, place + 1, (Part(Kind.ALL, 0.0, (binding,)),), 1.5)

    def _is_named(self, place: int) -> bool:
        """Return whether a word is of a name: "all the Leeds critics"."""
        start = self.places[place][0] if place < len(self.places) else -1
        return any(topic.start <= start < topic.end for topic in self._topics)

    def _is_of_verb(self, place: int) -> bool:
        """Return whether a verb stands before a word, with a preposition perhaps: not "critics of all"."""
        before = self._word(place - 1)
        if before in DO:
            return self.asks == "which"
        leads = before in PREPOSITIONS and before != "of"
        if leads:
            before = self._word(place - 2)
        if before in BE:
            return leads and place > 2
        if before in HAVE:
            return place > 1
        is_content = bool(before) and before not in function_words() | REQUESTS | POLITE
        return is_content and not self._lexicon.types(before)

    def _nobody(self, place: int) -> Slot | None:
        """Return `nobody` and `nothing` behind a verb: whatever a step leads to, to be taken away."""
        width = next((len(words) for words in NOBODY if self._words(place, len(words)) == words), 0)
        ends = place + width == len(self.lowered) or self.lowered[place + width] in ("and", "but", "or")
        if not width or place < _FIRST_OBJECT or not ends or self.lowered[place - 1] in AUXILIARIES:
            return None
        binding = self._bound_to(place, place + width, Role.OPERATOR, Kind.NEGATION.value)
        return Slot(place, place + width, (Part(Kind.SET, 0.0, (binding,), negated=True),), 1.5)

    def _named_relation(self, place: int) -> Slot | None:
        """Return a relation whose name begins as an operator does, said in full: "number of beds"."""
        length = next((size for size in (3, 2) if self._words(place, size) in PHRASES), 0)
        senses = self._lexicon.by_name(self.lowered, place, length + 1) if length else []
        if not senses:
            return None
        end = place + length + 1
        return Slot(place, end, tuple(self._steps(place, senses, length + 1)))

    def _general(self, place: int) -> Slot | None:  # noqa: PLR0911 - a word each
        """Return words of general English that ask, or stand for anything."""
        word = self.lowered[place]
        requests = word in REQUESTS and place < _LONGEST_REQUEST and self._requests(place)
        if requests and self._word(place + 1) != "of":
            return self._empty(place, "request")
        if self._says_how(place):
            return self._empty(place, "is")
        if self._senses(place, by_meaning=False)[0]:
            return None
        if word == "count" and place < _LONGEST_REQUEST and DO.isdisjoint(self.lowered[:place]):
            binding = self._bound_to(place, place + 1, Role.OPERATOR, Kind.COUNT.value)
            return Slot(place, place + 1, (Part(Kind.COUNT, 0.0, (binding,)),), 1.5)
        if requests:
            return self._empty(place, "request")
        if (kind := CALCULATED.get(word)) and not (word == "mean" and DO.intersection(self.lowered)):
            binding = self._bound_to(place, place + 1, Role.OPERATOR, kind.value)
            return Slot(place, place + 1, (Part(kind, 0.0, (binding,)),), 1.5)
        if word in COPULAR or self._lasts(place):
            return self._empty(place, "is")
        if word in SAYING_LITTLE:
            return self._empty(place, "each once")
        if word in WHOLES and self._says_every(place):
            return self._empty(place, EVERY)
        # People are not anything at all, in a graph of other things.
        if word in ("person", "people") and self._lexicon.nouns and not self._lexicon.meanings.kinds.persons:
            return None
        if word in WILD or word in TIMES:
            return self._empty(place, TIME if word in TIMES else "anything")
        if place and (word in LESSER_PREPOSITIONS or word in light_verbs() - DO - {"done"}):
            return self._light(place)
        return None

    def _lasts(self, place: int) -> bool:
        """Return whether "last" says how long something takes: "how long does it", "that last an hour"."""
        if not place or self.lowered[place] not in ("last", "lasts", "lasted"):
            return False
        if place + 1 == len(self.lowered) and self.lowered[:2] == ["how", "long"]:
            return True
        widths = [len(words) for words in BOUNDS if self._words(place + 1, len(words)) == words]
        begin = place + 1 + max(widths, default=0)
        amount = self._amount_at(begin) if begin < len(self.lowered) else None
        return amount is not None and is_time(amount.unit)

    def _says_how(self, place: int) -> bool:
        """Return whether a verb says no more than "is" of what follows it: "lies higher", "runs longest"."""
        adjective = place + 1 + (self._word(place + 1) == "the")
        degree, behind = adjective_of(self._word(adjective))[1], self._word(adjective + 1)
        # "Runs longer lines" says what it runs.
        alone = not behind or behind in function_words() or self._is_named(adjective + 1)
        says_how = alone and degree in ("er", "est")
        return bool(place) and says_how and lemma(self.lowered[place]) in POSITIONED

    def _says_every(self, place: int) -> bool:
        """Return whether "all" stands for every member: not of what a verb does, "who repairs all lines"."""
        if place < 3:
            return True
        if self._words(place - 1, 2) == ("of", "all") and place + 1 == len(self.lowered):
            # "The oldest of all".
            return True
        asked = self.lowered[place] == "all" and self.lowered[place - 1] in function_words() | REQUESTS
        return place + 1 < len(self.lowered) and (asked or self.yes_or_no)

    def _requests(self, place: int) -> bool:
        """Return whether what stands before a word asks politely: "can you tell me"."""
        return set(self.lowered[:place]) <= POLITE | REQUESTS

    def _light(self, place: int) -> Slot:
        """Return a verb that says little: the relation that its place speaks of, or none."""
        binding = self._bound_to(place, place + 1, Role.OPERATOR, RELATED)
        parts = [Part(Kind.EMPTY, LIGHT, (binding,)), *self._framed_steps(place, 1, ())]
        left_out = 0.05 if self.lowered[place] in function_words() else 1.0
        return Slot(place, place + 1, tuple(parts), left_out)

    def _empty(self, place: int, target: str) -> Slot:
        binding = self._bound_to(place, place + 1, Role.OPERATOR, target)
        return Slot(place, place + 1, (Part(Kind.EMPTY, 0.0, (binding,)),), 1.0)

    def _content(self, place: int) -> Slot:
        parts, length = self._senses(place)
        if self._word(place - 1) == "same":
            # "The same town" asks for a town, though a relation may have it in its name.
            parts = [part for part in parts if part.kind is Kind.SET] or parts
        if not math.isnan(spoken_number(self._word(place - 1))):
            # "Under 60 days", of a relation in days: its unit, not a number.
            literals = self._lexicon.literal_types
            parts = [part for part in parts if type_of(part.expression) not in literals] or parts
        left_out = 0.05 if self._is_function_word(place) else float(length)
        return Slot(place, place + length, tuple(parts), left_out)
