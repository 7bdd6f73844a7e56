"""Questions read word by word: what a question asks, what of it is accounted for, and whether to answer.

Each answer that some composition of a question's words comes to is a reading of it. A log-linear model tells
how likely each is meant, and how likely none is: the likeliest is the question's reading, whether or not the
graph has an instance of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

import numpy as np

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.composition.composition import Composer, Composition
from evidence_assets.kgqa.composition.counts_of_none import counted_from_none
from evidence_assets.kgqa.graph.indexing import member
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.naming import noun_of
from evidence_assets.kgqa.graph.node_types import Nodes
from evidence_assets.kgqa.queries.algebra import (
    Expression,
    Form,
    Named,
    Query,
    relations_of,
)
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Variable
from evidence_assets.kgqa.queries.executing import Executor
from evidence_assets.kgqa.slots.composition_costs import MOST_SLOTS
from evidence_assets.kgqa.slots.expressions import is_role
from evidence_assets.kgqa.slots.homonyms import told_apart
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.slicing import slots_of
from evidence_assets.kgqa.slots.slots import OPERATORS, RELATED, Part, Slot, Slots, says_relation
from evidence_assets.kgqa.understanding.abstaining import Abstainer, is_foreign
from evidence_assets.kgqa.understanding.decisive_words import unguessed
from evidence_assets.kgqa.understanding.joint_subjects import jointly
from evidence_assets.kgqa.understanding.left_over import Told, left_over, without
from evidence_assets.kgqa.understanding.paraphrases import Likeness, Paraphrases
from evidence_assets.kgqa.understanding.reading_signs import among, features
from evidence_assets.kgqa.understanding.unsaid_facts import unsaid_facts_of_path
from evidence_assets.kgqa.understanding.voices import Voices
from evidence_assets.kgqa.words.literals import are_years
from evidence_assets.reading.accounting import account
from evidence_assets.reading.log_linear import probabilities, weights_of
from evidence_assets.text.words import words

# A reading that is so likely beside the likeliest is another that may be meant; how many are weighed.
_RIVAL, MOST_READINGS = 0.85, 4
# The least confidence to answer with: `benchmarks.graph_questions` tells where it comes from.
LEAST_CONFIDENCE = 0.67
NOTHING, MEANING, UNSAID, AMBIGUOUS, GUESSED, WORDS = (
    "nothing",
    "a word by meaning",
    "a step unsaid",
    "another reading",
    "much of it",
    "words",
)
# What makes a reading unsure of which no word is left over, in plain words.
_UNSURE = {
    NOTHING: "its words may well be meant otherwise",
    MEANING: "one of its words is only near in meaning to what it is read as",
    UNSAID: "none of its words says one of the relations that it is read by",
    AMBIGUOUS: "it may as well be read in another way",
    GUESSED: "much of it is guessed",
}
# The name of what was measured of readings.
READINGS = "graph_questions"
# What a reading may cost, in words left out. What guesses as much as a word is no surer than such readings of
# the development questions are right: 53 of 72 as parser 36 read them, by each wording of their schemas.
# `python -m benchmarks.graph_questions` counts them as they are read now.
MOST_DOUBT, MOST_GUESSED, GUESSED_RIGHT = 0.9, 1.0, 0.74
TOO_LONG = "the question is too long to be read as one: ask for one thing at a time"
NO_RELATION = "no relation is understood that it asks of"
NO_PARTS = "no part of the question names anything of the graph"


@dataclass(frozen=True)
class QuestionReading:
    """A question as read: what it asks, what is left of it, and how sure that is.

    `nodes`: the members of the set that is asked about. `abstains`: in plain words why it is not answered,
    "" where it is. `left`: the class of what is left. `value`: what is asked, as text where it is no node: a
    number, yes or no; "" where it is a set of nodes.
    """

    query: Query | None
    nodes: Nodes
    accounting: Accounting
    left: str
    cost: float
    confidence: float
    abstains: str
    features: Mapping[str, float] = field(default_factory=dict, hash=False)
    value: str = ""

    @property
    def lacks(self) -> bool:
        """Whether all of it was understood, and the graph has no such thing."""
        return (
            bool(self.abstains)
            and self.query is not None
            and not len(self.nodes)
            and not self.accounting.unaccounted
        )


class QuestionReader:
    """Reads questions over one graph; `abstainer` tells why one is not answered."""

    def __init__(
        self,
        lexicon: Lexicon,
        composer: Composer,
        executor: Executor,
        paraphrases: Paraphrases,
        voices: Voices,
    ) -> None:
        self._lexicon, self._composer, self._executor = lexicon, composer, executor
        self._paraphrases, self._voices = paraphrases, voices
        self.abstainer = Abstainer(lexicon, executor, voices.mutual)

    def read(self, question: LinkedQuestion, least: float = LEAST_CONFIDENCE) -> QuestionReading:
        """Return a question's reading, which abstains below the least confidence."""
        return likeliest(self.readings(self.told_apart(question)), weights_of(READINGS), least)

    def readings(self, question: LinkedQuestion) -> list[QuestionReading]:
        """Return what a question may ask, of each answer the cheapest, and none weighed yet; one at least.

        `question`: its names are told apart.
        """
        slots = self._slots(question)
        if slots is None:
            return [self._unread(question, TOO_LONG)]
        compositions = self._composer.compositions(slots)
        if slots.asks == "who" and (not compositions or compositions[0].cost > MOST_DOUBT):
            compositions = sorted([*compositions, *self._of_someone(question)], key=attrgetter("cost"))
        if not compositions:
            return [self._unread(question, "")]
        with_requests = [
            replace(composition, bindings=(*slots.requests, *composition.bindings))
            for composition in compositions
        ]
        return self.composed(question, with_requests)

    def told_apart(self, question: LinkedQuestion) -> LinkedQuestion:
        """Return a question whose names are of the types that nouns beside them say."""
        return told_apart(question, self._lexicon)

    def unsaid_by_path(self, query: ConjunctiveQuery, accounting: Accounting) -> list[str]:
        """Return the words for which a path has a time or an amount of what is not spoken of."""
        return unsaid_facts_of_path(query, accounting, self._lexicon)

    def _slots(self, question: LinkedQuestion, someone: bool = False) -> Slots | None:
        return slots_of(question, self._lexicon, self._executor.values, MOST_SLOTS, someone)

    def _of_someone(self, question: LinkedQuestion) -> list[Composition]:
        """Return what a question asks of whoever meets its conditions, where its words compose little."""
        slots = self._slots(question, someone=True)
        return self._composer.compositions(slots) if slots is not None else []

    def composed(
        self, question: LinkedQuestion, compositions: Sequence[Composition]
    ) -> list[QuestionReading]:
        """Return the readings that compositions are, which are in the order of what they cost."""
        distinct: dict[tuple[Form, bytes], Composition] = {}
        for composition in compositions:
            turned = self._turned(question, composition)
            turned = replace(turned, query=jointly(question.question, turned.query))
            distinct.setdefault(self._answer(turned.query), turned)
        cheapest = list(distinct.values())[:MOST_READINGS]
        likeness = self._paraphrases.likeness(
            question,
            [composition.query for composition in cheapest],
            [self._settled(question, composition) for composition in cheapest],
        )
        return [
            self._reading(question.question, composition, alike)
            for composition, alike in zip(cheapest, likeness, strict=True)
        ]

    def _settled(self, question: LinkedQuestion, best: Composition) -> set[str]:
        """Return a question's words, with nouns in place of names, that a composition surely accounts for.

        An operation is said otherwise, so is a relation by another of its words, and a type that has several
        nouns, unless one of them may say a relation too. What a year is masked by is not said at all.
        """
        bound = [
            binding
            for binding in best.bindings
            if (binding.role is Role.OPERATOR and binding.target != RELATED)
            or (binding.role is Role.TYPE and not self._may_say_relation(binding.text))
            or (binding.role is Role.EVIDENCE and says_relation(binding))
            # "What sort of plane" asks for more than a plane.
            or (binding.role is Role.EMPTY and binding.target and not binding.text.lower().endswith(" of"))
        ]
        settled = {word for binding in bound for word in words(binding.text)}
        literals = {noun_of(type_) for type_ in self._lexicon.literal_types}
        for (start, end), noun in self._lexicon.names.nouns(question).items():
            if noun in literals or any(part.start <= start and end <= part.end for part in bound):
                settled.update(words(noun))
        return settled

    def _may_say_relation(self, noun: str) -> bool:
        return self._lexicon.may_say_role(noun) or any(map(self._lexicon.relations, words(noun)))

    def _turned(self, question: LinkedQuestion, composition: Composition) -> Composition:
        """Return a composition in which a name, or a phrase with one, is at the end where its verb has it.

        What holds both ways round is walked both ways, where that tells more.
        """
        of = self._voices.turned(question, composition.query.of)
        both_ways = self._voices.both_ways(of)
        if not np.array_equal(self._executor.nodes(both_ways), self._executor.nodes(of)):
            of = both_ways
        return replace(composition, query=replace(composition.query, of=counted_from_none(of)))

    def _answer(self, query: Query) -> tuple[Form, bytes]:
        """Return what tells a query's answer from others."""
        if query.form is Form.MEMBERS:
            return query.form, self._executor.nodes(query.of).tobytes()
        form = Form.EXISTENCE if query.form is Form.EVERY else query.form
        return form, self._executor.answer(query).encode()

    def _reading(self, text: str, best: Composition, likeness: Likeness) -> QuestionReading:
        nodes = self._executor.nodes(best.query.of)
        accounting = account(text, [self._with_nearness(binding) for binding in best.bindings])
        left_words = left_over(accounting, self.told(best.query, nodes))
        accounting = without(accounting, left_words)
        left = self._remainder_class(best, accounting)
        abstains = self.abstainer.why_not(text, best, nodes, accounting, [word.text for word in left_words])
        if is_foreign(accounting):
            accounting = unguessed(accounting)
        weighed = features(best.query, len(nodes), best.cost, best.other_form, likeness)
        value = self._executor.answer(best.query)
        return QuestionReading(best.query, nodes, accounting, left, best.cost, 0.0, abstains, weighed, value)

    def _with_nearness(self, binding: Binding) -> Binding:
        """Return a binding by meaning to a relation with how near its words are to that, each by itself.

        While a question is composed it has how likely the relation is meant, to which the types at its ends
        and the rest of the question add most.
        """
        relation = binding.target.removeprefix("relation ")
        if binding.role is not Role.MEANING or relation not in self._lexicon.facts:
            return binding
        return replace(binding, similarity=self._lexicon.meanings.nearness(binding.text, relation))

    def has_operators(self, question: LinkedQuestion) -> bool:
        """Return whether a question asks for more than paths lead to: a count, a comparison, a negation."""
        slots = self._slots(question)
        return slots is not None and (
            slots.yes_or_no
            or slots.gap is not None
            or any(part.kind in OPERATORS for slot in slots.slots for part in slot.parts)
        )

    def mixes_amounts(self, query: ConjunctiveQuery) -> bool:
        """Return whether a number of one thing is one of another too: nine furnaces, and nine metres."""
        relations_to: dict[str, set[str]] = {}
        for triplet in query.triplets:
            if isinstance(triplet.tail, Variable):
                relations_to.setdefault(triplet.tail.name, set()).add(triplet.relation)
        mixed = set().union(*(names for names in relations_to.values() if len(names) > 1))
        return any(map(self._lexicon.is_amount, mixed))

    def says_role_besides(self, question: LinkedQuestion, relations: Collection[str], answers: Nodes) -> bool:
        """Return whether a noun says a role that some relations with their answers do not tell.

        Of whom is not named beside it, and it says another relation, or one that nothing else says: which
        mentors live in Leeds is not who mentors those that live there. A role that is asked for is told where
        all answers have it.
        """
        if not self._lexicon.may_say_role(question.question):
            return False
        slots = self._slots(question)
        if slots is None:
            return False
        return any(
            not _is_named(slots.slots[place + 1 :][:1])
            and not self._is_told(part, slots.slots[place + 1 :], relations, answers)
            for place, slot in enumerate(slots.slots)
            for part in slot.parts
            if is_role(part.expression)
        )

    def _is_told(
        self, role: Part, behind: Sequence[Slot], relations: Collection[str], answers: Nodes
    ) -> bool:
        relation = role.via[0] if role.via is not None else ""
        if not role.target:
            return relation in relations
        alone = relation in relations and len(relations) > 1 and not _says(behind, relation)
        return not alone and self._are(answers, role.expression)

    def _are(self, nodes: Nodes, expression: Expression) -> bool:
        return bool(member(nodes, self._executor.nodes(expression)).all())

    def _unread(self, question: LinkedQuestion, why: str) -> QuestionReading:
        accounting = account(question.question, ())
        names = [
            (topic.start, topic.end) for topic in question.topics if topic.nodes and topic.end > topic.start
        ]
        left = [binding for binding in accounting.bindings if binding.role is Role.UNACCOUNTED]
        names += [(word.start, word.end) for word in left if self._lexicon.types(word.text.lower())]
        named = ", ".join(question.question[start:end] for start, end in sorted(names))
        unaccounted = ", ".join(
            word.text for word in left if not any(start <= word.start < end for start, end in names)
        )
        no_parts = f"it names {named} of the graph, but {NO_RELATION}" if named else NO_PARTS
        why = why or (f"{no_parts}: {unaccounted}" if unaccounted else no_parts)
        return QuestionReading(None, np.empty(0, np.int32), accounting, WORDS, 0.0, 0.0, why)

    def _remainder_class(self, best: Composition, accounting: Accounting) -> str:
        if accounting.unaccounted:
            return WORDS
        if best.cost > MOST_DOUBT:
            return GUESSED
        if any(binding.role is Role.MEANING for binding in accounting.bindings):
            return MEANING
        return UNSAID if best.unsaid else NOTHING

    def told(self, query: Query, nodes: Nodes) -> Told:
        """Return what the relations of a query tell of words and units; `nodes`: the set that it is about."""
        names = (relations_of(query.of) | relations_of(query.measure)) & self._lexicon.facts.keys()
        facts = [self._lexicon.facts[name] for name in names]
        members = query.form is Form.MEMBERS
        values = self._executor.values[nodes] if members else np.empty(0)
        years = are_years(values) and bool((values % 1 == 0).all())
        # What costs 2100 euros is no year.
        dated = years and any(fact.years and not fact.unit for fact in facts)
        return Told(
            self._lexicon.roots_of(names),
            frozenset(fact.unit for fact in facts if fact.unit),
            years,
            self._lexicon.doers_of(names),
            len(nodes) if members else 1,
            not (np.isnan(values).any() or dated),
            not names.isdisjoint(self._lexicon.measured.prices()),
            self._lexicon.onwards(nodes, names) if members else frozenset(),
            self._lexicon.past_of(names),
        )


def _is_named(slots: Sequence[Slot]) -> bool:
    return any(isinstance(part.expression, Named) for slot in slots for part in slot.parts)


def _says(slots: Sequence[Slot], relation: str) -> bool:
    return any(part.relation == relation and not part.framed for slot in slots for part in slot.parts)


def likeliest(
    readings: Sequence[QuestionReading], weights: Mapping[str, float], least: float
) -> QuestionReading:
    """Return the reading that is likeliest meant, with how likely; it abstains below the least confidence.

    `weights`: of the features of a log-linear model, in which none of the readings may be meant.
    """
    if readings[0].query is None:
        return readings[0]
    shares = probabilities(among([reading.features for reading in readings]), weights)[:-1]
    likeliest_place, *rivals = sorted(range(len(readings)), key=lambda place: -shares[place])
    reading = readings[likeliest_place]
    ambiguous = any(shares[place] >= _RIVAL * shares[likeliest_place] for place in rivals)
    if ambiguous and not reading.accounting.unaccounted:
        reading = replace(reading, left=AMBIGUOUS)
    return _judged(reading, round(shares[likeliest_place], 4), least)


def _judged(reading: QuestionReading, confidence: float, least: float) -> QuestionReading:
    """Return a composed reading with its confidence; unsure ones abstain."""
    accounting = unguessed(reading.accounting)
    # What the graph lacks may be lacking for what was guessed.
    if reading.cost >= MOST_GUESSED:
        confidence = min(confidence, GUESSED_RIGHT)
    if confidence >= least and not (reading.abstains and accounting != reading.accounting):
        return replace(reading, confidence=confidence)
    left = ", ".join(map(repr, accounting.unaccounted))
    unsure = f"nothing surely accounts for {left}" if left else _UNSURE.get(reading.left, _UNSURE[GUESSED])
    why = reading.abstains or f"such a reading is right too rarely ({confidence:.0%})"
    guessed = accounting != reading.accounting or not reading.abstains
    abstains = f"{why}: {unsure}" if guessed else why
    return replace(reading, confidence=confidence, abstains=abstains, accounting=accounting)
