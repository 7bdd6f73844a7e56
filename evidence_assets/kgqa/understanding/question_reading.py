"""Questions read word by word: what a question asks, what of it is accounted for, and whether to answer.

Each answer that some composition of a question's words comes to is a reading of it. A log-linear model tells
how likely each is meant, and how likely none is: the likeliest is the question's reading, whether or not the
graph has an instance of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import attrgetter

import numpy as np

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.composition.composition import Composer, Composition
from evidence_assets.kgqa.composition.universals import opposed
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.node_types import Nodes
from evidence_assets.kgqa.graph.vocabulary import DETERMINERS, QUESTION_WORDS
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Extreme,
    Filtered,
    Form,
    Intersection,
    Named,
    Query,
    Reached,
    Union,
    names_of,
    relations_of,
    value_of,
)
from evidence_assets.kgqa.queries.executing import Executor
from evidence_assets.kgqa.slots.composition_costs import MOST_SLOTS
from evidence_assets.kgqa.slots.expressions import intersection
from evidence_assets.kgqa.slots.homonyms import told_apart
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.slots.slicing import slots_of
from evidence_assets.kgqa.slots.slots import EVERY, OPERATORS, RELATED, TIME
from evidence_assets.kgqa.slots.trigger_words import (
    ARTICLES,
    AUXILIARIES,
    BACK,
    CALENDAR,
    ORDINALS,
    POLITE,
    REQUESTS,
    THEM,
    TIMES,
    WILD,
)
from evidence_assets.kgqa.understanding.left_over import Told, left_over, without
from evidence_assets.kgqa.understanding.paraphrases import Likeness, Paraphrases
from evidence_assets.kgqa.understanding.reading_signs import among, features, foreign
from evidence_assets.kgqa.understanding.voices import Voices
from evidence_assets.kgqa.words.degrees import adjective_of
from evidence_assets.kgqa.words.literals import are_years
from evidence_assets.reading.accounting import account, carries_nothing, is_decisive, spans
from evidence_assets.reading.log_linear import probabilities, weights_of
from evidence_assets.text.function_words import function_words, light_verbs
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
# A sentence before the question.
_SENTENCES = re.compile(r"[.!?]\s+\S")
# The name of what was measured of readings.
READINGS = "graph_questions"
# What a reading may cost, in words left out, and the share of its words that may be no English.
MOST_DOUBT, MOST_FOREIGN = 0.9, 0.4
TOO_LONG = "the question is too long to be read as one: ask for one thing at a time"
NO_PARTS = "no part of the question names anything of the graph"


@dataclass(frozen=True)
class QuestionReading:
    """A question as read: what it asks, what is left of it, and how sure that is.

    `nodes`: the members of the set that is asked about. `abstains`: in plain words why it is not answered,
    "" where it is. `left`: the class of what is left.
    """

    query: Query | None
    nodes: Nodes
    accounting: Accounting
    left: str
    cost: float
    confidence: float
    abstains: str
    features: Mapping[str, float] = field(default_factory=dict, hash=False)

    @property
    def lacks(self) -> bool:
        """Whether all of it was understood, and the graph has no such thing."""
        return (
            bool(self.abstains)
            and self.query is not None
            and not len(self.nodes)
            and not self.accounting.unaccounted
        )

    @property
    def value(self) -> str:
        """What is asked, as text where it is no node: a number, yes or no; "" where it is a set of nodes."""
        if self.query is None or self.query.form is Form.MEMBERS:
            return ""
        return value_of(self.query.form, len(self.nodes))


class QuestionReader:
    """Reads questions over one graph."""

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

    def read(self, question: LinkedQuestion, least: float = LEAST_CONFIDENCE) -> QuestionReading:
        """Return a question's reading, which abstains below the least confidence."""
        return likeliest(self.readings(question), weights_of(READINGS), least)

    def readings(self, question: LinkedQuestion) -> list[QuestionReading]:
        """Return what a question may ask, of each answer the cheapest, and none weighed yet; one at least."""
        question = self.told_apart(question)
        slots = slots_of(question, self._lexicon, self._executor.values, MOST_SLOTS)
        if slots is None:
            return [self._unread(question, TOO_LONG)]
        compositions = self._composer.compositions(slots)
        if slots.asks == "who" and (not compositions or compositions[0].cost > MOST_DOUBT):
            compositions = sorted([*compositions, *self._of_someone(question)], key=attrgetter("cost"))
        return self.composed(question, compositions) if compositions else [self._unread(question, "")]

    def told_apart(self, question: LinkedQuestion) -> LinkedQuestion:
        """Return a question whose names are of the types that nouns beside them say."""
        return told_apart(question, self._lexicon)

    def _of_someone(self, question: LinkedQuestion) -> list[Composition]:
        """Return what a question asks of whoever meets its conditions, where its words compose little."""
        slots = slots_of(question, self._lexicon, self._executor.values, MOST_SLOTS, someone=True)
        return self._composer.compositions(slots) if slots is not None else []

    def composed(
        self, question: LinkedQuestion, compositions: Sequence[Composition]
    ) -> list[QuestionReading]:
        """Return the readings that compositions are, which are in the order of what they cost."""
        distinct: dict[tuple[Form, bytes], Composition] = {}
        for composition in compositions:
            turned = self._turned(question, composition)
            distinct.setdefault(self._answer(turned.query), turned)
        cheapest = list(distinct.values())[:MOST_READINGS]
        likeness = self._paraphrases.likeness(
            question,
            [composition.query for composition in cheapest],
            [_operations(composition) for composition in cheapest],
        )
        return [
            self._reading(question.question, composition, alike)
            for composition, alike in zip(cheapest, likeness, strict=True)
        ]

    def _turned(self, question: LinkedQuestion, composition: Composition) -> Composition:
        """Return a composition in which each name is at that end of a relation where its verb has it."""
        of = self._voices.turned(question, composition.query.of)
        return replace(composition, query=replace(composition.query, of=of))

    def _answer(self, query: Query) -> tuple[Form, bytes]:
        """Return what tells a query's answer from others."""
        nodes = self._executor.nodes(query.of)
        if query.form in (Form.EXISTENCE, Form.EVERY):
            return query.form, bytes([len(nodes) > 0])
        return query.form, str(len(nodes)).encode() if query.form is Form.NUMBER else nodes.tobytes()

    def _reading(self, text: str, best: Composition, likeness: Likeness) -> QuestionReading:
        nodes = self._executor.nodes(best.query.of)
        accounting = account(text, best.bindings)
        left_words = left_over(accounting, self.told(best.query, nodes))
        accounting = without(accounting, left_words)
        left = self._remainder_class(best, accounting)
        abstains = self._abstains(best, accounting, text, nodes, [word.text for word in left_words])
        if foreign(accounting) >= MOST_FOREIGN:
            accounting = _unguessed(accounting)
        weighed = features(best.query, len(nodes), best.cost, best.other_form, likeness)
        return QuestionReading(best.query, nodes, accounting, left, best.cost, 0.0, abstains, weighed)

    def has_operators(self, question: LinkedQuestion) -> bool:
        """Return whether a question asks for more than paths lead to: a count, a comparison, a negation."""
        slots = slots_of(question, self._lexicon, self._executor.values, MOST_SLOTS)
        return slots is not None and (
            slots.yes_or_no or any(part.kind in OPERATORS for slot in slots.slots for part in slot.parts)
        )

    def _unread(self, question: LinkedQuestion, why: str) -> QuestionReading:
        accounting = account(question.question, ())
        unaccounted = ", ".join(accounting.unaccounted)
        why = why or (f"{NO_PARTS}: {unaccounted}" if unaccounted else NO_PARTS)
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
        names = relations_of(query.of) & self._lexicon.facts.keys()
        units = frozenset(self._lexicon.facts[name].unit for name in names)
        values = self._executor.values[nodes] if query.form is Form.MEMBERS else np.empty(0)
        years = are_years(values) and bool((values % 1 == 0).all())
        return Told(self._lexicon.roots_of(names), units - {""}, years)

    def _abstains(
        self, best: Composition, accounting: Accounting, text: str, nodes: Nodes, left: Sequence[str]
    ) -> str:
        decisive = [word for word in accounting.unaccounted if decides(word) or word in left]
        decisive += _qualifiers(accounting)
        decisive += unread_nouns(accounting)
        decisive += self._objects(accounting)
        if best.query.form is Form.EXISTENCE:
            decisive += self._guessed_verbs(accounting)
            # "All", of which it is not told what is said of all of what.
            decisive += [binding.text for binding in accounting.bindings if binding.target == EVERY]
        decisive += _asked_for(accounting, bool(np.isnan(self._executor.values[nodes]).all()))
        if foreign(accounting) >= MOST_FOREIGN:
            words = ", ".join(map(repr, _unguessed(accounting).unaccounted))
            return f"it is not asked in English: {words}; ask it in English"
        pronouns = [
            binding.text for binding in accounting.bindings if binding.text.lower() in BACK.keys() | THEM
        ]
        unnamed = not names_of(best.query.of) and not _is_measured(best.query)
        if command := _command(text):
            decisive = [command]
        if decisive:
            named = ", ".join(map(repr, dict.fromkeys(decisive)))
            return f"nothing in the graph, and no operation, accounts for {named}"
        if pronouns and (unnamed or _SENTENCES.search(text)):
            pronoun_list = ", ".join(map(repr, pronouns))
            return f"it is not told what {pronoun_list} stands for: ask of one thing by its name"
        return f"{best.beside}: {best.query}" if best.beside else self._untold(best.query, nodes)

    def _untold(self, query: Query, nodes: Nodes) -> str:
        """Return that the graph lacks what is asked, or does not tell whether it is so; "" where it tells."""
        if query.form is Form.EVERY:
            return self._untold_of_all(query, nodes)
        if len(nodes) or (query.form is not Form.MEMBERS and self._has_parts(query)):
            return ""
        lacking = "lacks what is asked" if query.form is Form.MEMBERS else "does not tell"
        return f"the graph {lacking}: {query}"

    def _guessed_verbs(self, accounting: Accounting) -> list[str]:
        """Return the verbs behind a name that nothing but the types of both ends binds to a relation.

        "Does Ada paint Leeds" is not told by what else she may do to towns.
        """
        return [
            verb.text
            for before, name, verb in zip(
                accounting.bindings, accounting.bindings[1:], accounting.bindings[2:], strict=False
            )
            if before.text.lower() in ("do", "does", "did")
            and name.target.startswith("node ")
            and verb.role is Role.MEANING
            and verb.text.lower() not in light_verbs()
            and not any(
                verb.target == f"relation {sense.relation}"
                for sense in self._lexicon.by_meaning(verb.text.lower())[0]
            )
        ]

    def _untold_of_all(self, query: Query, nodes: Nodes) -> str:
        """Return why it is not known that not all of a set meet a condition; "" where it is, or they do."""
        counters = isinstance(query.of, Difference) and len(self._executor.nodes(opposed(query.of)))
        if not len(nodes) or counters:
            return ""
        return f"the graph does not tell of each, but of some: {query}"

    def _objects(self, accounting: Accounting) -> list[str]:
        """Return the words near in meaning to a relation that the word before says: "sell cheese".

        They name what the relation leads to, and nothing that the graph has. A literal's may be its unit.
        """
        content = [binding for binding in accounting.bindings if binding.role is not Role.EMPTY]
        return [
            after.text
            for before, after in pairwise(content)
            if (before.role, after.role, before.target) == (Role.EVIDENCE, Role.MEANING, after.target)
            and not self._is_literal(after.target)
        ]

    def _is_literal(self, target: str) -> bool:
        facts = self._lexicon.facts.get(target.removeprefix("relation "))
        return facts is not None and facts.literal

    def _has_parts(self, query: Query) -> bool:
        """Return whether something meets each condition of an empty set: else "no" and 0 are not known."""
        parts = query.of.parts if isinstance(query.of, Intersection) else (query.of,)
        conditions = [part for part in parts if not isinstance(part, Named)]
        if query.form is Form.NUMBER:
            return len(conditions) > 1 and all(len(self._executor.nodes(part)) for part in conditions)
        return all(
            len(self._executor.nodes(part)) or self._complement_known(part, parts) for part in conditions
        )

    def _complement_known(self, part: Expression, parts: Sequence[Expression]) -> bool:
        """Return whether the graph knows of a condition that nothing meets: what a name has in its place."""
        if not isinstance(part, Reached):
            return isinstance(part, Filtered | Extreme | Difference)
        complements = (
            Reached(part.relation, not part.backwards, name) for name in parts if isinstance(name, Named)
        )
        if any(len(self._executor.nodes(complement)) for complement in complements):
            return True
        # What holds the other way round, of a relation that nowhere holds both ways.
        converse = Reached(part.relation, not part.backwards, part.of)
        holds = any(
            len(self._executor.nodes(intersection(name, converse)))
            for name in parts
            if isinstance(name, Named)
        )
        return holds and self._executor.is_one_way(part.relation)


def _operations(best: Composition) -> set[str]:
    """Return the words that an operation accounts for: of a count, comparison, superlative."""
    return {
        word
        for binding in best.bindings
        if binding.role is Role.OPERATOR and binding.target != RELATED
        for word in words(binding.text)
    }


def _command(text: str) -> str:
    """Return the verb that tells to do something else than answer, "" for none: "please book", "write me"."""
    lowered = [text[start:end].lower() for start, end in spans(text)]
    polite = lowered[:1] == ["please"]
    verb, following = [*lowered[polite:], "", ""][:2]
    tells = polite or following in ("me", "us")
    answered = REQUESTS | POLITE | QUESTION_WORDS | AUXILIARIES | {"count"} | function_words()
    return verb if tells and verb not in answered else ""


def _unguessed(accounting: Accounting) -> Accounting:
    """Return an accounting in which no word is bound by meaning: where that does not do, nothing binds it."""
    bindings: list[Binding] = []
    for binding in accounting.bindings:
        if binding.role is not Role.MEANING:
            bindings.append(binding)
            continue
        for start, end in spans(binding.text):
            word, begin = binding.text[start:end], binding.start
            role = Role.EMPTY if carries_nothing(word) else Role.UNACCOUNTED
            bindings.append(Binding(begin + start, begin + end, word, role))
    return Accounting(tuple(bindings))


def _qualifiers(accounting: Accounting) -> list[str]:
    """Return the words left over before a type's noun, which they restrict: "which express lines"."""
    return [
        word.text
        for word, noun in pairwise(accounting.bindings)
        if word.role is Role.UNACCOUNTED and noun.role is Role.TYPE and noun.start == word.end + 1
    ]


def unread_nouns(accounting: Accounting) -> list[str]:
    """Return the nouns of something of what follows that nothing of the graph says: "the wife of Ada".

    Without them the answer would be what they are of.
    """
    told = [binding for binding in accounting.bindings if binding.text.lower() not in ARTICLES]
    # "Wrote the music of": a verb says a relation together with its object.
    objects = {after.start for verb, after in pairwise(told) if verb.role in (Role.MEANING, Role.EVIDENCE)}
    return [
        noun.text
        for noun, of, whose in zip(
            accounting.bindings, accounting.bindings[1:], accounting.bindings[2:], strict=False
        )
        # "Pieces of apparatus" are apparatus.
        if of.text.lower() == "of"
        and whose.role is not Role.TYPE
        and noun.text.lower() not in WILD | TIMES
        and (
            noun.role is Role.UNACCOUNTED
            or ((noun.role, noun.target) == (Role.MEANING, RELATED) and noun.start not in objects)
        )
    ]


def _asked_for(accounting: Accounting, timeless: bool) -> list[str]:
    """Return the nouns that are asked for and left over, or of time where no answer is: "in what year"."""
    return [
        noun.text
        for word, noun in pairwise(accounting.bindings)
        if word.text.lower() in DETERMINERS
        and (noun.role is Role.UNACCOUNTED or (timeless and noun.target == TIME))
    ]


def decides(word: str) -> bool:
    """Return whether a word that is left over decides: a number, name, negation, comparison, order or day."""
    lowered = word.lower()
    orders = lowered in ORDINALS or lowered.removesuffix("s") in CALENDAR
    return is_decisive(word) or word[0].isupper() or orders or bool(adjective_of(lowered)[1])


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
    accounting = _unguessed(reading.accounting)
    # What the graph lacks may be lacking for what was guessed.
    if confidence >= least and not (reading.abstains and accounting != reading.accounting):
        return replace(reading, confidence=confidence)
    words = ", ".join(map(repr, accounting.unaccounted)) or reading.left
    why = reading.abstains or f"such a reading is right too rarely ({confidence:.0%})"
    guessed = accounting != reading.accounting or not reading.abstains
    abstains = f"{why}: nothing surely accounts for {words}" if guessed else why
    return replace(reading, confidence=confidence, abstains=abstains, accounting=accounting)


def _is_measured(query: Query) -> bool:
    """Return whether a set is asked for whose conditions are numbers, not names alone."""
    return query.form is Form.MEMBERS and _has_measure(query.of)


def _has_measure(part: Expression) -> bool:
    match part:
        case Filtered() | Extreme():
            return True
        case Reached(_, _, of) | Difference(of, _):
            return _has_measure(of)
        case Intersection(parts) | Union(parts):
            return any(map(_has_measure, parts))
    return False
