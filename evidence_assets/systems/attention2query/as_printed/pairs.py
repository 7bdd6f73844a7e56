"""Training pairs of the relevance classifier, made from questions whose answers are known."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.paths.parsing import Parser
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.progress import blocks
from evidence_assets.systems.attention2query.as_printed.training import Pair
from evidence_assets.systems.attention2query.facts import Fact, QuestionLinks
from evidence_assets.systems.attention2query.relevance import LEAST, MOST
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.queries import NO_OPTION

# How relevant an option's triple is: the right option's, and a wrong one's; with and without the question.
_RIGHT_JOINED, _RIGHT, _WRONG_JOINED, _WRONG = 10.0, 7.0, 2.0, 1.0
# Triples of each option that are learnt from.
_OF_OPTION = 6
_QUESTIONS_AT_ONCE, _DECIMALS = 256, 6


def open_pairs(
    questions: Sequence[LinkedQuestion],
    answers: Sequence[Collection[int]],
    base: KnowledgeBase,
    parser: Parser,
) -> Iterator[Pair]:
    """Yield questions without options with every path from their topics, names masked on both sides.

    The relevance is 1 + 9 times the F1 of what the path would answer against the answers. `answers`: their
    nodes, a collection a question; a question without any is passed over.
    """
    known = [(question, set(gold)) for question, gold in zip(questions, answers, strict=True) if gold]
    for block in blocks(known, _QUESTIONS_AT_ONCE):
        read = parser.path_parses([question for question, _ in block])
        for (question, gold), of_topics in zip(block, read, strict=True):
            for topic, readings in zip(question.topics, of_topics, strict=True):
                for reading in (reading for reading in readings if reading.exists):
                    reached = set(parser.parsed(reading, topic).answers.tolist())
                    harmonic = 2 * len(reached & gold) / (len(reached) + len(gold))
                    relevance = round(LEAST + (MOST - LEAST) * harmonic, _DECIMALS)
                    text = base.wording(reading.path)
                    yield Pair(question.question_id, reading.question, text, relevance)


def option_pairs(question: QuestionLinks, facts: Mapping[int, Sequence[Fact]], right: int) -> Iterator[Pair]:
    """Yield a question with its options' triples: those of the right one are the relevant ones."""
    for candidate, option_facts in sorted(facts.items()):
        if candidate == NO_OPTION:
            continue
        for fact in option_facts[:_OF_OPTION]:
            joins = fact.parts.get("joins", 0.0) > 0
            good, bad = (_RIGHT_JOINED, _WRONG_JOINED) if joins else (_RIGHT, _WRONG)
            yield Pair(
                question.question_id, question.question, fact.text, good if candidate == right else bad
            )


def apart_from(training: Sequence[QuestionLinks], evaluated: Collection[str]) -> list[QuestionLinks]:
    """Return the training questions that are not asked in the evaluation: neither by id nor by words."""
    evaluated_forms = {normal_form(text) for text in evaluated}
    return [question for question in training if normal_form(question.question) not in evaluated_forms]
