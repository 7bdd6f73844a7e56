"""Finds what the content words of a question may stand for in a graph: relations, types and names.

A word is known by its root, by derivation or by meaning; one that is not may be what its place says.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.accounting import Role
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.roles import Step
from evidence_assets.kgqa.queries.algebra import Intersection, Reached, Typed
from evidence_assets.kgqa.slots.composition_costs import ANY_ROLE, SAID_BEFORE
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.measure_slots import MeasureSlicer
from evidence_assets.kgqa.slots.senses import RelationSense
from evidence_assets.kgqa.slots.slots import ANYTHING, RELATED, Kind, Part, Slot
from evidence_assets.kgqa.slots.trigger_words import PHRASES
from evidence_assets.kgqa.words.degrees import adjective_of
from evidence_assets.kgqa.words.derivations import is_past, is_plural, verb_of
from evidence_assets.kgqa.words.word_classes import (
    ADDED_UP,
    ARTICLES,
    ASKED_BY,
    BEFORE_NOUNS,
    COMPARED,
    COUNTED,
    DETERMINERS,
    OF_NOUNS,
    ORDINALS,
    PREPOSITIONS,
    REQUESTS,
)
from evidence_assets.reading.accounting import is_decisive
from evidence_assets.text.function_words import function_words, light_verbs
from evidence_assets.text.roots import root

# What a word costs that is read as a relation or type, by minus the logarithm of how likely it is; what is
# less likely is not read so.
UNLIKELY, LEAST_LIKELY = 0.15, 0.03
# A noun that no type is called by, read as one.
UNCALLED = 0.25
# A verb that is read as saying no more than that things are related.
VAGUE = 0.4
_LONGEST_UNKNOWN = 3
_LONGEST_PHRASE = max(map(len, PHRASES))
# Before "own" these tell whose, and it does nothing.
_POSSESSIVE = frozenset(["my", "your", "his", "her", "its", "our", "their", "whose", "s"])
# Behind a noun for a role these tell in what.
_OF_WHAT = frozenset(["of", "to", "for"])
# What a day that is asked for stands behind.
_BEFORE_DAYS = DETERMINERS | {"same"}
# What it costs that a word is of a name: "Chilean".
DERIVED = 0.1
# What it costs to read a word as what its place says, where it is known by itself.
BESIDE = 0.25


class SenseSlicer(MeasureSlicer):
    """Adds the slots of words that may stand for something of a graph, and of operators in several words.

    `likelihoods`: what the question is likely to speak of.
    """

    def __init__(self, question: LinkedQuestion, lexicon: Lexicon, values: NDArray[np.float64]) -> None:
        super().__init__(question, lexicon, values)
        self.likelihoods = lexicon.likelihoods(question)
        # "Where" says in what.
        self.text_words = {*self.lowered, *(PREPOSITIONS if "where" in self.lowered else ())}

    @cached_property
    def _adds_up(self) -> bool:
        """Whether what is said of several names is added up: "how heavy are Ada and Bo together"."""
        pairs = {*pairwise(self.lowered)}
        amount = self.lowered[:1] == ["how"] and self.lowered[1:2] != ["many"]
        together = "together" in self.lowered and (amount or "cost" in self.lowered)
        return ("between", "them") in pairs or together or not ADDED_UP.isdisjoint(self.lowered)

    def _phrase(self, place: int) -> Slot | None:
        for length in range(_LONGEST_PHRASE, 0, -1):
            words = self._words(place, length)
            if words in PHRASES:
                part = PHRASES[words]
                if part.kind is Kind.EMPTY and length > 1 and self._lexicon.by_name(words, 0, length):
                    return None
                if part.kind is Kind.AND and self._adds_up:
                    # What two have between them is what either has.
                    part = Part(Kind.OR)
                elif part.kind in (Kind.AND, Kind.OR) and self._says_one_relation(place, length):
                    part = Part(Kind.EMPTY)
                end = place + length
                role = Role.EMPTY if part.kind is Kind.EMPTY else Role.OPERATOR
                binding = self._bound_to(place, end, role, part.kind.value)
                left_out = 0.0 if part.kind is Kind.EMPTY else 0.6 if part.kind is Kind.AND else 1.5
                return Slot(place, end, (replace(part, bindings=(binding,)),), left_out)
        return None

    def _says_one_relation(self, place: int, length: int) -> bool:
        """Return whether the words beside "or" say one relation: "the aunt or uncle of"."""
        beside = [self._word(place - 1), self._word(place + length)]
        if any(not word or word in function_words() or self._lexicon.types(word) for word in beside):
            return False
        before, after = ({sense.relation for sense in self._lexicon.relations(word)} for word in beside)
        return bool(before) and before == after

    def _is_function_word(self, place: int) -> bool:
        """Return whether a word says nothing of a graph: "a boat of her own", not "what does Ada own"."""
        word = self.lowered[place]
        owns = word == "own" and self._word(place - 1) not in _POSSESSIVE
        wins = word == "won" and bool(self._lexicon.relations(word))
        return word in function_words() and not (owns or wins)

    def _senses(self, place: int, by_meaning: bool = True) -> tuple[list[Part], int]:
        """Return what a content word may stand for in the graph, and how many words that takes."""
        word = self.lowered[place]
        following = self.lowered[place + 1 : place + 4]
        if self._is_function_word(place):
            senses = self._lexicon.by_preposition(word)
            if not senses and word in light_verbs() and self._word(place + 1) in PREPOSITIONS:
                # "Made of", "used for": verbs that say little alone.
                senses = self._lexicon.by_name(self.lowered, place, 2)
            return list(self._steps(place, senses)), 1
        if word in self._lexicon.asked_days and self._word(place - 1) not in _BEFORE_DAYS:
            return [], 1
        types = self._lexicon.types(word, following)
        length = max((width for _, width in types), default=1)
        parts = [
            part
            for sense, width in types
            if width == length
            for part in self._typed(place, length, sense.type)
        ]
        if length == 1:
            senses = self._lexicon.relations(word)
            # "Home ground" is one step of two words.
            while not types and (longer := self._lexicon.continued(senses, self.lowered, place, length)):
                senses, length = longer, length + 1
            # "By" says which way the relation is walked, though its name holds it.
            length -= length > 1 and self.lowered[place + length - 1] == "by"
            parts += list(self._steps(place, senses, length))
            if not (types or is_past(word)) and (role := self._role(place, 1)) is not None:
                parts.append(replace(self._of_role(place, 1, *role), cost=SAID_BEFORE))
            if by_meaning and parts and not types and self._lexicon.wanting(senses, self.text_words):
                parts += list(self._framed_steps(place, length, senses))
            if by_meaning and parts and not types and self._lexicon.only_qualifies(word, senses):
                parts += list(self._likely_types(place, length))
        if parts:
            # "Prize-winning" is no prize.
            end = self.places[place + length - 1][1]
            steps = [part for part in parts if part.kind is Kind.STEP]
            return (steps if steps and self.text[end : end + 1] == "-" else parts), length
        if root(word) in self._lexicon.name_roots:
            binding = self._bound_to(place, place + 1, Role.SCOPE, "the graph")
            return [Part(Kind.EMPTY, 0.0, (binding,))], 1
        if by_meaning and (name := self._lexicon.names.derived(self.text[slice(*self.places[place])])):
            binding = self._bound_to(place, place + 1, Role.EVIDENCE, f"node {name.text}")
            return [Part(Kind.SET, DERIVED, (binding,), name)], 1
        # A name that the graph lacks is near to whatever it is one of.
        is_name = place > 0 and self.text[self.places[place][0]].isupper()
        return self._senses_by_meaning(place) if by_meaning and not is_name else ([], length)

    def _typed(self, place: int, length: int, type_: str) -> Iterator[Part]:
        """Yield what a noun for a type stands for: all of that, or those of the role that it says."""
        role = self._role(place, length)
        binding = self._bound_to(place, place + length, Role.TYPE, f"type {type_}")
        said_of = self._lexicon.steps_of(" ".join(self.lowered[place : place + length]), type_)
        yield Part(Kind.SET, ANY_ROLE * (role is not None), (binding,), Typed(type_), said_of=said_of)
        if role is not None and role[0] == type_:
            yield self._of_role(place, length, *role)

    def _role(self, place: int, length: int) -> tuple[str, Step] | None:
        """Return the role of anybody that a noun says; None where it is said of what: "the author of".

        "Who coaches" says what somebody does.
        """
        before = self._word(place - 1)
        is_of = self._word(place + length) in _OF_WHAT or before in ("s", "who", "that")
        return None if is_of else self._lexicon.role(" ".join(self.lowered[place : place + length]))

    def _of_role(self, place: int, length: int, type_: str, step: Step) -> Part:
        """Return all of a role."""
        binding = self._bound_to(place, place + length, Role.EVIDENCE, f"relation {step[0]}")
        expression = Intersection((Typed(type_), Reached(*step, ANYTHING)))
        return Part(Kind.SET, 0.0, (binding,), expression, via=step)

    def _senses_by_meaning(self, place: int) -> tuple[list[Part], int]:
        """Return what an unknown word may stand for by its meaning, and how many words that takes."""
        word = self.lowered[place]
        relations, near = self._lexicon.meanings.of_word(word)
        measured = self._lexicon.measured.by_dimension(word) or self._lexicon.measured.by_unit(word)
        in_sentences = self.likelihoods.near.get(word, ())
        relations = [RelationSense(name) for name in measured] or relations or [*in_sentences]
        length = 1 if relations or near or self._orders(place) else self._unknown_words(place)
        parts = list(self._steps(place, relations))
        # A noun for a type is less likely a verb.
        framed = [
            replace(part, cost=part.cost + BESIDE * bool(near))
            for part in self._framed_steps(place, length, relations)
        ]
        if framed:
            # A verb may say no more than that things are related, by several steps perhaps.
            binding = self._bound_to(place, place + length, Role.MEANING, RELATED)
            parts += [*framed, Part(Kind.EMPTY, VAGUE, (binding,))]
        called = {sense.type for sense in near}
        doubt = BESIDE * bool(relations or near)
        parts += [
            replace(part, cost=part.cost + doubt)
            for part in self._likely_types(place, length)
            if not (isinstance(part.expression, Typed) and part.expression.type in called)
        ]
        parts += [
            Part(
                Kind.SET,
                0.5 * (1 - (sense.similarity or 1.0)),
                (self._bound_to(place, place + 1, Role.MEANING, f"type {sense.type}", sense.similarity),),
                Typed(sense.type),
            )
            for sense in near
        ]
        return parts, length

    def _unknown_words(self, place: int) -> int:
        """Return how many words from one on stand together and are none of the graph: "takes care"."""
        end = place + 1
        while end < min(len(self.lowered), place + _LONGEST_UNKNOWN) and self._is_unknown_word(end):
            # "Have run stories": a verb and what it is done to.
            if is_plural(self.lowered[end]) and end + 1 < len(self.lowered):
                break
            end += 1
        return end - place

    def _is_unknown_word(self, place: int) -> bool:
        word, start = self.lowered[place], self.places[place][0]
        return not (
            word in function_words()
            or is_decisive(word)
            or self.text[start].isupper()
            or any(topic.start <= start < topic.end for topic in self._topics)
            or any(
                finder(place)
                for finder in (self._period, self._number, self._bounds, self._degree, self._phrase)
            )
            or self._senses(place, by_meaning=False)[0]
            or any(self._lexicon.meanings.of_word(word))
            or word in self.likelihoods.near
        )

    def _framed_steps(self, place: int, length: int, near: Sequence[RelationSense]) -> Iterator[Part]:
        """Yield the steps that words may say of the types at their ends: "responsible for", "bring on"."""
        before = self._word(place - 1)
        # "The students of Ada" are reached by a step from her.
        related = self._word(place + length) in OF_NOUNS or before == "s"
        noun = before in COUNTED or (before in BEFORE_NOUNS and not verb_of(self.lowered[place]))
        measured = before in COMPARED
        noun |= self._is_object(place, length)
        if (noun and not related and not measured) or self._orders(place) or self._qualifies(place, length):
            return
        end = place + length
        agent = verb_of(self.lowered[place]) if length == 1 else ""
        near_relations = {sense.relation for sense in near}
        for name, likely in self.likelihoods.relations_of(self.lowered[place:end]).items():
            literal = self._lexicon.facts[name].literal
            if (
                likely >= LEAST_LIKELY
                and name not in near_relations
                and not (length == 1 and self._lexicon.measured.is_of_another(self.lowered[place], name))
                and not (literal if agent else measured and not literal)
            ):
                binding = self._bound_to(place, end, Role.MEANING, f"relation {name}", likely)
                cost = BESIDE * bool(near_relations) - UNLIKELY * math.log(likely)
                yield Part(Kind.STEP, cost, (binding,), relation=name, agentive=bool(agent), framed=True)

    def _qualifies(self, place: int, length: int) -> bool:
        """Return whether words stand between a determiner and a type's noun: "which express lines"."""
        before = self._word(place - 1)
        after = self.lowered[place + length : place + length + 3]
        return before in ASKED_BY | ARTICLES and bool(after and self._lexicon.types(after[0], after[1:]))

    def _is_object(self, place: int, length: int) -> bool:
        """Return whether a word is a plural that something is done to, not a verb: "run stories"."""
        before = self._word(place - 1)
        leads = not place or before in light_verbs() | PREPOSITIONS | REQUESTS
        return length == 1 and leads and is_plural(self.lowered[place])

    def _has_object(self, place: int, length: int) -> bool:
        """Return whether words after "what" or "who" are a verb, its object next: "what hunts mice"."""
        before = self._word(place - 1)
        after = self.places[place + length][0] if place + length < len(self.places) else -1
        return before in ("what", "who") and any(topic.start == after for topic in self._topics)

    def _orders(self, place: int) -> bool:
        """Return whether a word orders, counts or denies, and so says no relation or type."""
        return self.lowered[place] in ORDINALS or is_decisive(self.lowered[place])

    def _likely_types(self, place: int, length: int) -> Iterator[Part]:
        """Yield the types that a noun may stand for that none is called by: "which pieces"."""
        before = self._word(place - 1)
        if (
            not (
                before in BEFORE_NOUNS | COUNTED | PREPOSITIONS | ASKED_BY
                or adjective_of(before)[1] == "est"
                or is_plural(self.lowered[place + length - 1])
            )
            or self._orders(place)
            or self._qualifies(place, length)
            or self._has_object(place, length)
        ):
            return
        end = place + length
        for type_, likely in self.likelihoods.types_of(self.lowered[place:end]).items():
            if likely >= LEAST_LIKELY / 6 and type_ not in self._lexicon.literal_types:
                binding = self._bound_to(place, end, Role.MEANING, f"type {type_}", likely)
                yield Part(
                    Kind.SET, UNCALLED - UNLIKELY * math.log(likely), (binding,), Typed(type_), framed=True
                )

    def _steps(self, place: int, senses: Sequence[RelationSense], length: int = 1) -> Iterator[Part]:
        for sense in senses:
            role = Role.EVIDENCE if sense.similarity is None else Role.MEANING
            cost = 0.0 if sense.similarity is None else 0.5 * (1 - sense.similarity)
            binding = self._bound_to(
                place, place + length, role, f"relation {sense.relation}", sense.similarity
            )
            noun = " ".join(self.lowered[place : place + length])
            at_head = self._lexicon.starts_at_head(noun, sense.relation)
            yield Part(
                Kind.STEP,
                cost,
                (binding,),
                relation=sense.relation,
                agentive=sense.agentive,
                at_head=at_head,
            )
