"""What a question asks of a graph: composed word by word, or the best relation path at its topic.

Where somebody wrote sentences for a graph's relations, a question without operators is read by whole paths:
sentences tell more than words do. All else is composed, and what no path surely says. Both account for every
word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.schema import Schema
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.paths.parses import ParsedQuery
from evidence_assets.kgqa.paths.parsing import Parser
from evidence_assets.kgqa.paths.relation_paths import RelationPath, path_types
from evidence_assets.kgqa.paths.repetitions import repetitions
from evidence_assets.kgqa.queries.algebra import Matched, Query, steps_of
from evidence_assets.kgqa.slots.asked_names import asked_names
from evidence_assets.kgqa.slots.slots import Kind
from evidence_assets.kgqa.slots.trigger_words import PHRASES, TIME_ORDERS
from evidence_assets.kgqa.understanding.bound_words import words_of
from evidence_assets.kgqa.understanding.decisive_words import (
    decides,
    not_answered_to,
    nothing_accounts_for,
    unread,
)
from evidence_assets.kgqa.understanding.guessed_words import guessed_words
from evidence_assets.kgqa.understanding.kinds_of_answers import unread_operations
from evidence_assets.kgqa.understanding.left_over import left_over, without
from evidence_assets.kgqa.understanding.question_reading import (
    LEAST_CONFIDENCE,
    NOTHING,
    READINGS,
    WORDS,
    QuestionReader,
    QuestionReading,
    likeliest,
)
from evidence_assets.kgqa.understanding.reading_signs import NONE, path_features
from evidence_assets.kgqa.understanding.voices import Voices
from evidence_assets.kgqa.words.word_classes import POLITE, QUESTION_WORDS, REQUESTS, SAMENESS, WHOLES, WILD
from evidence_assets.reading.accounting import account, empty_words, spans
from evidence_assets.reading.log_linear import probabilities, weights_of
from evidence_assets.text.function_words import function_words
from evidence_assets.text.words import words

# The name of what was measured of whole paths: by `benchmarks.graph_paths`.
PATHS = "graph_paths"
# "In a few words": of what a path leads to all is answered.
_SOME = frozenset(["few", "several"])
# The least confidence to answer with where somebody wrote sentences for relations: of a question with
# operators, and of one that no path surely says. Chosen on the development part of
# `benchmarks.schema_graphs`, with MetaQA's development questions in view.
LEAST_WITH_OPERATORS, LEAST_WITH_SENTENCES = 0.5, 0.62


@dataclass(frozen=True)
class Understood:
    """A question's reading, and the paths that it may ask for besides, the likeliest first."""

    reading: QuestionReading
    parses: Sequence[ParsedQuery]


class Understander:
    """Reads questions over one graph.

    Args:
        parser, reader: What scores relation paths, and what composes questions of their words.
    """

    def __init__(
        self, schema: Schema, vocabulary: Vocabulary, parser: Parser, reader: QuestionReader
    ) -> None:
        self._schema, self._vocabulary, self._parser, self._reader = schema, vocabulary, parser, reader
        self._voices = Voices(schema)

    def understand(self, questions: Sequence[LinkedQuestion]) -> list[Understood]:
        """Return what every question asks.

        Raises:
            ValueError: a topic's node is none of the graph.
        """
        questions = [self._reader.told_apart(question) for question in questions]
        composed = {
            place: self._composed(question, LEAST_WITH_OPERATORS)
            for place, question in enumerate(questions)
            if self.composes(question)
        }
        # What is answered needs no other parses.
        parsed = [
            place for place in range(len(questions)) if place not in composed or composed[place].abstains
        ]
        parses_of = dict(zip(parsed, self._parser.parse([questions[place] for place in parsed]), strict=True))
        understood = []
        for place, question in enumerate(questions):
            parses = [
                parse for parse in parses_of.get(place, []) if not self._reader.mixes_amounts(parse.query)
            ]
            reading = composed.get(place) or self.reading(question, parses)
            understood.append(Understood(reading, parses if reading.abstains or _is_path(reading) else []))
        return understood

    def reading(self, question: LinkedQuestion, parses: Sequence[ParsedQuery]) -> QuestionReading:
        """Return what a question asks by its best path; where that is unsure, as its words compose it surely.

        Args:
            question: It has no operators.
            parses: Its paths, the likeliest first; none where it names nothing of the graph.
        """
        if not parses:
            return self._composed(question)
        parses = self._as_said(question, parses)
        by_path = self.of_path(question, parses)
        # No path tells that who is asked for has a role besides: "which authors come from Leeds".
        has_role = self._reader.says_role_besides(question, _relations(parses[0]), parses[0].answers)
        if not has_role and not by_path.abstains:
            return by_path
        composed = self._composed(question)
        if has_role:
            return composed
        # What the graph lacks by its best path may be there as the question's words have it.
        surer = parses[0].exists or composed.confidence > by_path.confidence
        return composed if surer and not composed.abstains else by_path

    def _composed(self, question: LinkedQuestion, least: float = LEAST_WITH_SENTENCES) -> QuestionReading:
        """Return what a question, whose names are told apart, asks as its words compose it.

        `least`: the confidence to answer with, where somebody wrote sentences for relations.
        """
        least = least if self._schema.authored else LEAST_CONFIDENCE
        reading = likeliest(self._reader.readings(question), weights_of(READINGS), least)
        if reading.query is None or reading.abstains:
            return reading
        if again := self._said_again(reading.accounting, reading.query):
            accounting = without(reading.accounting, again)
            why = nothing_accounts_for(word.text for word in again)
            return replace(reading, accounting=accounting, left=WORDS, abstains=why)
        return reading

    def _said_again(self, accounting: Accounting, query: Query) -> list[Binding]:
        """Return the words that say a relation once more than a query walks it, as nothing binds them."""
        said = words_of(accounting)
        hidden = {place for place, word in enumerate(said) if word.named}
        steps = [*steps_of(query.of), *steps_of(query.measure)]
        again = [
            said[place]
            for repetition in repetitions([word.lowered for word in said], hidden, self._vocabulary)
            for place in repetition.unwalked(steps)
        ]
        return [Binding(word.start, word.end, word.text, Role.UNACCOUNTED) for word in again]

    def composes(self, question: LinkedQuestion) -> bool:
        """Return whether a question is composed of its words, not read by a whole path."""
        return not self._schema.authored or self._reader.has_operators(question)

    def of_path(self, question: LinkedQuestion, parses: Sequence[ParsedQuery]) -> QuestionReading:
        """Return the reading that the best path at a topic is: which words it accounts for, how surely.

        `parses`: one at least, the likeliest first.
        """
        parse, abstainer = parses[0], self._reader.abstainer
        query = Query(Matched(parse.query))
        accounting = account(question.question, self._bindings(question, parse), empty_words(READINGS))
        left = left_over(accounting, self._reader.told(query, parse.answers))
        left += self._said_again(accounting, query)
        accounting = without(accounting, left)
        decisive = [word for word in accounting.unaccounted if decides(word) and word not in _SOME]
        decisive += [word.text for word in left]
        decisive += unread(accounting)
        decisive += unread_operations(accounting)
        decisive += abstainer.of_particles(accounting)
        decisive += abstainer.of_amounts(accounting)
        decisive += abstainer.of_generic_amounts(query, accounting)
        decisive += guessed_words(accounting)
        decisive += self._reader.unsaid_by_path(parse.query, accounting)
        decisive += abstainer.of_another_kind(query, parse.answers, accounting)
        decisive += abstainer.of_no_time(parse.answers, accounting)
        decisive += abstainer.of_another_role(_relations(parse), accounting)
        if of_another := abstainer.of_another_type(accounting, parse.answers):
            decisive += [*of_another, *accounting.unaccounted]
        signs = path_features(accounting, parses)
        confidence = round(probabilities([signs, {NONE: 1.0}], weights_of(PATHS))[0], 4)
        return QuestionReading(
            query,
            parse.answers,
            accounting,
            WORDS if accounting.unaccounted else NOTHING,
            float(len(accounting.unaccounted)),
            confidence,
            self._against(question, parse) or _abstains(parse, accounting, confidence, decisive),
            signs,
        )

    def _against(self, question: LinkedQuestion, parse: ParsedQuery) -> str:
        """Return why a path has a name, or a phrase with one, where its verb has it not; "" if it has not."""
        if not self._voices.contradicts(question, parse.query):
            return ""
        return f"the graph tells it the other way round alone: {parse.query}"

    def _as_said(self, question: LinkedQuestion, parses: Sequence[ParsedQuery]) -> Sequence[ParsedQuery]:
        """Return parses that begin with the first turned round, where a verb has it that way."""
        first, *others = parses
        if not self._voices.contradicts(question, first.query):
            return parses
        turned = next((parse for parse in others if _relations(parse) == _relations(first)), None)
        if turned is None or not turned.exists or self._voices.contradicts(question, turned.query):
            return parses
        return [turned, *(parse for parse in others if parse is not turned)]

    def _bindings(self, question: LinkedQuestion, parse: ParsedQuery) -> Iterator[Binding]:
        text = question.question
        for topic in question.topics:
            if topic.nodes and topic.end > topic.start:
                target = f"node {topic.phrase}"
                yield Binding(topic.start, topic.end, text[topic.start : topic.end], Role.EVIDENCE, target)
        for start, end in (*_request(text), *_empty_phrases(text), *_asked_names(text)):
            yield Binding(start, end, text[start:end], Role.OPERATOR, "request")
        relations, near = _relations(parse), dict(parse.near)
        types = {type_ for path in parse.paths for type_ in path_types(path, self._schema)}
        returns = any(map(_returns, parse.paths))
        for start, end in spans(text):
            word = text[start:end]
            if returns and word.lower() in SAMENESS:
                yield Binding(start, end, word, Role.OPERATOR, "the same")
            relation = self._said_by(word, relations)
            read = near.get(word.lower())
            word_types = [type_ for type_ in self._vocabulary.types_named(word.lower()) if type_ in types]
            if relation:
                yield Binding(start, end, word, Role.EVIDENCE, f"relation {relation}")
            elif word_types:
                yield Binding(start, end, word, Role.TYPE, f"type {word_types[0]}")
            elif read and (akin := self._said_by(read.word, relations)):
                yield Binding(start, end, word, Role.MEANING, f"relation {akin}", read.cosine)
        sentences = [text for name in relations for text in self._schema.relations[name].plain_sentences]
        # Function words, and yet no path puts one thing before another: only "was named after" may.
        carrying = TIME_ORDERS.difference(words(" ".join(sentences)))
        for start, end in spans(text):
            if text[start:end].lower() in carrying:
                yield Binding(start, end, text[start:end], Role.UNACCOUNTED)

    def _said_by(self, word: str, relations: Iterable[str]) -> str:
        """Return the first of some relations that has a word; "" for none."""
        return next((name for name in relations if self._vocabulary.says(word, name)), "")


def _abstains(parse: ParsedQuery, accounting: Accounting, confidence: float, decisive: Sequence[str]) -> str:
    if not parse.exists:
        return f"the graph lacks what is asked: {parse.query}"
    if decisive:
        return not_answered_to(decisive, accounting)
    if confidence >= LEAST_CONFIDENCE:
        return ""
    if accounting.unaccounted:
        return nothing_accounts_for(accounting.unaccounted)
    said = {binding.target for binding in accounting.bindings}
    if unsaid := [relation for relation in _relations(parse) if f"relation {relation}" not in said]:
        return f"none of its words says {', '.join(unsaid)}"
    return f"it may be asked of {parse.query}, and of other conditions about as well"


def _relations(parse: ParsedQuery) -> dict[str, None]:
    """Return the relations of a parse's paths, each once, in their order."""
    return dict.fromkeys(relation for path in parse.paths for relation, _ in path.steps)


def _is_path(reading: QuestionReading) -> bool:
    return reading.query is not None and isinstance(reading.query.of, Matched)


def _request(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the words at a question's beginning that ask to be answered: "tell me", "name all".

    Of words that may be nouns the first alone is a request: "name the state", "which state".
    """
    is_asked = False
    for start, end in spans(text):
        word = text[start:end].lower()
        if word in (WILD | WHOLES if is_asked else REQUESTS):
            yield start, end
            is_asked = True
        elif word in QUESTION_WORDS or word not in (function_words() if is_asked else POLITE):
            return


def _asked_names(text: str) -> Iterator[tuple[int, int]]:
    """Yield the span of the words that ask for names behind a question of yes or no, if there are any."""
    words_at = spans(text)
    if names := asked_names(text):
        yield words_at[names.start][0], words_at[names.stop - 1][1]


def _empty_phrases(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of phrases of several words that carry nothing in any question: "i was wondering"."""
    words_at = spans(text)
    lowered = [text[start:end].lower() for start, end in words_at]
    for phrase, part in PHRASES.items():
        if part.kind is Kind.EMPTY:
            for place in range(len(lowered) - len(phrase) + 1):
                if tuple(lowered[place : place + len(phrase)]) == phrase:
                    yield words_at[place][0], words_at[place + len(phrase) - 1][1]


def _returns(path: RelationPath) -> bool:
    """Return whether a path goes back by the relation that it came by."""
    return any(
        relation == again and backwards != turned
        for (relation, backwards), (again, turned) in pairwise(path.steps)
    )
