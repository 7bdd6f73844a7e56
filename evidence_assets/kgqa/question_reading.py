"""Questions read word by word: what a question asks, what of it is accounted for, and whether to answer.

The composition that accounts for most of a question is its reading, whether or not the graph has an instance
of it: what it lacks is not answered from a weaker one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.algebra import (
    Difference,
    Expression,
    Extreme,
    Filtered,
    Form,
    Intersection,
    Named,
    Number,
    Query,
    Reached,
    Union,
    names_of,
)
from evidence_assets.kgqa.composition import Composer, Composition
from evidence_assets.kgqa.composition_costs import MOST_SLOTS
from evidence_assets.kgqa.degrees import adjective_of
from evidence_assets.kgqa.executing import Executor
from evidence_assets.kgqa.lexicon import Lexicon
from evidence_assets.kgqa.linked_questions import LinkedQuestion
from evidence_assets.kgqa.node_types import Nodes
from evidence_assets.kgqa.reading_signs import Weights, foreign, guessed_words, sign_weights, signs
from evidence_assets.kgqa.slicing import slots_of
from evidence_assets.kgqa.slots import OPERATORS
from evidence_assets.kgqa.trigger_words import BACK, ORDINALS, THEM
from evidence_assets.reading.accounting import account, carries_nothing, is_decisive, spans

# Two readings whose costs differ by less are equally likely.
_EQUAL = 0.05
NOTHING, MEANING, UNSAID, AMBIGUOUS, GUESSED, A_WORD, WORDS = (
    "nothing",
    "a word by meaning",
    "a step unsaid",
    "another reading",
    "much of it",
    "a word",
    "several words",
)
# Kinds of questions whose conditions are numbers, not names alone.
_MEASURING = ("comparison", "superlative")
# A sentence before the question.
_SENTENCES = re.compile(r"[.!?]\s+\S")
# The name of what was measured of readings.
RELIABILITY = "graph_questions"
# What a reading may cost, in words left out, and the share of its words that may be no English.
MOST_DOUBT, MOST_FOREIGN = 0.9, 0.5
_TOO_RARELY = "such a reading is right too rarely"
TOO_LONG = "the question is too long to be read as one: ask for one thing at a time"
NO_PARTS = "no part of the question names anything of the graph"


@dataclass(frozen=True)
class QuestionReading:
    """A question as read: what it asks, of what kind that is, what is left of it, and how sure that is.

    `nodes`: the members of the set that is asked about. `abstains`: in plain words why it is not answered,
    "" where it is. `left`: the class of what is left, by which its reliability was measured.
    """

    query: Query | None
    nodes: Nodes
    accounting: Accounting
    kind: str
    left: str
    cost: float
    confidence: float
    abstains: str
    rival: Query | None = None
    signs: tuple[float, ...] = ()

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
    def is_unsure(self) -> bool:
        """Whether it is abstained on for its confidence alone."""
        return self.abstains.startswith(_TOO_RARELY)

    @property
    def value(self) -> str:
        """What is asked, as text where it is no node: a number, yes or no; "" where it is a set of nodes."""
        if self.query is None or self.query.form is Form.MEMBERS:
            return ""
        count = len(self.nodes)
        return str(count) if self.query.form is Form.NUMBER else "yes" if count else "no"


class QuestionReader:
    """Reads questions over one graph."""

    def __init__(self, lexicon: Lexicon, composer: Composer, executor: Executor) -> None:
        self._lexicon, self._composer, self._executor = lexicon, composer, executor

    def read(self, question: LinkedQuestion) -> QuestionReading:
        """Return a question's reading."""
        slots = slots_of(question, self._lexicon, self._executor.values, MOST_SLOTS)
        if slots is None:
            return self._unread(question, TOO_LONG)
        compositions = self._composer.compositions(slots)
        if not compositions:
            return self._unread(question, "")
        first = compositions[0]
        # What the graph has is likelier to be asked, where a reading was guessed.
        best = first if first.exists or not first.is_guessed else self._existing(compositions)
        nodes = self._executor.nodes(best.query.of)
        accounting = account(question.question, best.bindings)
        rival, margin = self._rival(best, compositions)
        rival = rival if margin < _EQUAL else None
        left = self._left(best, accounting, rival)
        kind = kind_of(best.query)
        abstains = self._abstains(best, accounting, question.question, nodes)
        changed = self._lexicon.changed(question, guessed_words(accounting))
        values = signs(best, accounting, margin, slots.likelihoods, changed)
        if foreign(accounting) >= MOST_FOREIGN:
            accounting = _unguessed(accounting)
        reading = QuestionReading(
            best.query, nodes, accounting, kind, left, best.cost, 0.0, abstains, rival, values
        )
        return judged(reading, sign_weights(RELIABILITY))

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
        return QuestionReading(None, np.empty(0, np.int32), accounting, "none", WORDS, 0.0, 0.0, why)

    def _existing(self, compositions: Sequence[Composition]) -> Composition:
        """Return the cheapest reading that the graph has an instance of, else the cheapest of all."""
        return next((each for each in compositions if each.exists), compositions[0])

    def _rival(self, best: Composition, compositions: Sequence[Composition]) -> tuple[Query | None, float]:
        """Return the next likely thing that is asked and has other answers, and what it costs more."""
        nodes = self._executor.nodes(best.query.of)
        for other in compositions:
            if other is best or other.cost < best.cost:
                continue
            others = self._executor.nodes(other.query.of)
            if best.query.form is Form.EXISTENCE and other.query.form is Form.EXISTENCE:
                if bool(len(others)) == bool(len(nodes)):
                    continue
            elif other.query.form is best.query.form and np.array_equal(others, nodes):
                continue
            return other.query, other.cost - best.cost
        return None, math.inf

    def _left(self, best: Composition, accounting: Accounting, rival: Query | None) -> str:
        unaccounted = accounting.unaccounted
        if unaccounted:
            return A_WORD if len(unaccounted) == 1 else WORDS
        if rival is not None:
            return AMBIGUOUS
        if best.cost > MOST_DOUBT:
            return GUESSED
        if any(binding.role is Role.MEANING for binding in accounting.bindings):
            return MEANING
        return UNSAID if best.unsaid else NOTHING

    def _abstains(self, best: Composition, accounting: Accounting, text: str, nodes: Nodes) -> str:
        decisive = [word for word in accounting.unaccounted if _decides(word)] + _qualifiers(accounting)
        if foreign(accounting) >= MOST_FOREIGN:
            words = ", ".join(map(repr, _unguessed(accounting).unaccounted))
            return f"it is not asked in English: {words}; ask it in English"
        pronouns = [each.text for each in accounting.bindings if each.text.lower() in BACK.keys() | THEM]
        unnamed = not names_of(best.query.of) and kind_of(best.query) not in _MEASURING
        if decisive:
            return f"nothing in the graph, and no operation, accounts for {', '.join(map(repr, decisive))}"
        if pronouns and (unnamed or _SENTENCES.search(text)):
            told = ", ".join(map(repr, pronouns))
            return f"it is not told what {told} stands for: ask of one thing by its name"
        if best.query.form is Form.MEMBERS and not len(nodes):
            return f"the graph lacks what is asked: {best.query}"
        if best.query.form is not Form.MEMBERS and not len(nodes) and not self._has_parts(best.query):
            return f"the graph does not tell: {best.query}"
        return ""

    def _has_parts(self, query: Query) -> bool:
        """Return whether each condition of an empty set is met by something: only then is none or no told."""
        parts = query.of.parts if isinstance(query.of, Intersection) else (query.of,)
        known = [part for part in parts if not isinstance(part, Named)]
        if query.form is Form.NUMBER:
            return len(known) > 1 and all(len(self._executor.nodes(part)) for part in known)
        return all(len(self._executor.nodes(part)) or self._side_known(part, parts) for part in known)

    def _side_known(self, part: Expression, parts: Sequence[Expression]) -> bool:
        """Return whether the graph tells of a condition that nothing meets: what a name has in its place."""
        if not isinstance(part, Reached):
            return isinstance(part, Filtered | Extreme | Difference)
        instead = (
            Reached(part.relation, not part.backwards, name) for name in parts if isinstance(name, Named)
        )
        return any(len(self._executor.nodes(each)) for each in instead)


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


def _decides(word: str) -> bool:
    """Return whether a word that is left over decides: a number, name, negation, comparison or order."""
    lowered = word.lower()
    return is_decisive(word) or word[0].isupper() or lowered in ORDINALS or bool(adjective_of(lowered)[1])


def judged(reading: QuestionReading, weights: Weights) -> QuestionReading:
    """Return a composed reading with its confidence as it was measured; unsure ones abstain."""
    if reading.query is None:
        return reading
    confidence = weights.confidence(reading.signs)
    abstains = "" if reading.is_unsure else reading.abstains
    accounting = _unguessed(reading.accounting)
    # What the graph lacks may be lacking for what was guessed.
    if confidence >= weights.least and not (abstains and accounting != reading.accounting):
        return replace(reading, confidence=confidence, abstains=abstains)
    words = ", ".join(map(repr, accounting.unaccounted)) or reading.left
    why = abstains or f"{_TOO_RARELY} ({confidence:.0%})"
    guessed = accounting != reading.accounting or not abstains
    abstains = f"{why}: nothing surely accounts for {words}" if guessed else why
    return replace(reading, confidence=confidence, abstains=abstains, accounting=accounting)


def kind_of(query: Query) -> str:
    """Return what kind of question a query answers, as reliability is measured by."""
    if query.form is Form.EXISTENCE:
        return "yes or no"
    if query.form is Form.NUMBER:
        return "count"
    kinds = list(_kinds(query.of))
    steps = sum(kind == "step" for kind in kinds)
    for kind in ("superlative", "comparison", "negation", "union"):
        if kind in kinds:
            return kind
    names = sum(kind == "name" for kind in kinds)
    return "conditions" if names > 1 else f"{min(steps, 4)} steps"


def _kinds(part: object) -> list[str]:  # noqa: PLR0911 - a kind of expression each
    match part:
        case Named():
            return ["name"]
        case Reached(_, _, of):
            return ["step", *_kinds(of)]
        case Intersection(parts):
            return [kind for each in parts for kind in _kinds(each)]
        case Union(parts):
            return ["union", *(kind for each in parts for kind in _kinds(each))]
        case Difference(of, without):
            exclusion = isinstance(without, Named)
            return [*([] if exclusion else ["negation"]), *_kinds(of)]
        case Filtered(of, _, _, _):
            return ["comparison", *_kinds(of)]
        case Extreme(of, measure, _):
            return [
                "superlative",
                *(_kinds(measure.among) if isinstance(measure, Number) else []),
                *_kinds(of),
            ]
    return []
