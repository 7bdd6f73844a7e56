"""Questions without options: answered by the sentence, or triple, that likeliest holds the answer."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evidence_assets.evidence.accounting import Binding, Role
from evidence_assets.evidence.citations import quotations
from evidence_assets.evidence.experiment import Answer, Chain
from evidence_assets.evidence.units import EvidenceUnit
from evidence_assets.models.encoder import EncodeWords
from evidence_assets.reading.answerability import accounted
from evidence_assets.reading.sentences.sentence_answers import likeliest_sentence
from evidence_assets.systems.uscrake.arms import ChunkArm
from evidence_assets.systems.uscrake.cases import Case, answerability_of, source_of
from evidence_assets.text.queries import NO_OPTION
from evidence_assets.text.requests import without_request
from evidence_assets.text.roots import content_roots, word_roots
from evidence_assets.text.words import words

# What asks for a number or an amount, which the answer tells in its own words.
_AMOUNTS = re.compile(r"\bhow (many|much)\b", re.IGNORECASE)
NO_EVIDENCE = "no evidence was found for any option"
NOT_SAID = "no sentence says enough of the question to hold its answer"


def likeliest_answer(case: Case, encode_words: EncodeWords, arm: ChunkArm) -> tuple[list[Chain], Answer]:
    """Answer a question without options by the sentence, or triple, that likeliest holds the answer."""
    units = case.units
    written, texts = case.question["question"], [unit.text for unit in units]
    question = without_request(written)
    asking, *encoded = encode_words([question, *texts])
    vectors = np.array([of_text.sentence for of_text in encoded])
    answerable = answerability_of(case, asking.sentence, vectors) if units else None
    if answerable is None:
        return [], Answer.abstention(arm.generator, NO_EVIDENCE)
    best = likeliest_sentence(question, asking, texts, encoded, [source_of(unit) for unit in units])
    unit = units[best.place]
    parts = {**best.measures, "nearest": answerable.nearness, "coverage": answerable.coverage}
    chain = Chain(NO_OPTION, quotations([unit.text]), [unit], best.probability, parts)
    lacks = f", which tells no {best.missing}" if best.missing else ""
    answer = (
        _sentence_answer(unit.text, best.probability, arm)
        if best.is_likely
        else Answer.abstention(arm.generator, NOT_SAID, f"Likeliest{lacks}: {unit.text}", best.probability)
    )
    request = word_roots(written.removesuffix(question))
    asked_for = [
        Binding(*match.span(1), match[1], Role.OPERATOR, match[0].lower())
        for match in _AMOUNTS.finditer(written)
    ]
    accounting = accounted(written, _sources(unit, units), request, asked_for)
    return [chain], replace(answer, accounting=accounting)


def _sources(unit: EvidenceUnit, units: Sequence[EvidenceUnit]) -> dict[str, frozenset[str]]:
    """Return what a sentence says and then what its chunk says, as roots of words, by their names."""
    source = source_of(unit)
    others = (content_roots(other.text) for other in units if source_of(other) == source)
    this = f"{unit.kind} {unit.evidence_id}"
    return {this: content_roots(unit.text), source: frozenset().union(*others)}


def nearest_answer(case: Case, arm: ChunkArm) -> tuple[list[Chain], Answer]:
    """The baseline without options: of the nearest chunk, the sentence with most of the question's words."""
    best = case.given[NO_OPTION][0]
    wanted = set(words(case.question["question"]))
    shared = [
        (len(wanted.intersection(words(sentence.text))), sentence)
        for sentence in case.sentences
        if sentence.source_key == best.unit.source_key
    ]
    sentence = max(shared, key=lambda pair: pair[0])[1]
    chain = Chain(NO_OPTION, quotations([sentence.text]), [sentence], best.score, {"nearest": best.score})
    return [chain], _sentence_answer(sentence.text, None, arm)


def _sentence_answer(sentence: str, confidence: float | None, arm: ChunkArm) -> Answer:
    return Answer(None, confidence, arm.generator, f"Answer: {sentence}", text=sentence, holds_answer=True)
