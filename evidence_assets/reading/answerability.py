"""Answerability: do the passages that a question was given speak of what it asks?

Two measures: how near the nearest sentence is, and how much of the question the best passage says. What
they are worth was measured on questions whose gold text was taken out (`weights/answerability.json`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.models.encoder import FloatArray
from evidence_assets.reading.accounting import account, spans
from evidence_assets.reading.rarity import Rarity
from evidence_assets.reading.weights import ANSWERABILITY, read_weights
from evidence_assets.text.roots import content_roots, root


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage's name, as evidence is named, and the places of its sentences among a question's."""

    name: str
    places: Sequence[int]


@dataclass(frozen=True, slots=True)
class Answerability:
    """How well a question's passages speak of it.

    `nearness`: cosine of the question and its nearest sentence. `coverage`: share of the question's words,
    rare ones counting more, that the best passage says. `accounting`: what of the question that passage
    accounts for.
    """

    nearness: float
    coverage: float
    accounting: Accounting

    @property
    def probability(self) -> float:
        """Probability that the passages hold what is asked."""
        weights = read_weights(ANSWERABILITY)
        score = (
            weights["intercept"] + weights["nearness"] * self.nearness + weights["coverage"] * self.coverage
        )
        return round(float(1.0 / (1.0 + np.exp(-score))), 6)

    def tempered(self, confidence: float, options: int) -> float:
        """Return a confidence drawn towards chance by as much as the evidence speaks less of the question.

        A question is taken as answerable as those whose gold text was there when this was measured; less so,
        and the confidence goes to 1 / options in proportion.
        """
        answerable: float = read_weights(ANSWERABILITY)["answerable"]
        trust = min(1.0, self.probability / answerable)
        return trust * confidence + (1.0 - trust) / options


def answerability(
    question: str,
    question_vector: FloatArray,
    passages: Sequence[Passage],
    sentence_texts: Sequence[str],
    sentence_vectors: FloatArray,
) -> Answerability | None:
    """Return how well passages speak of a question; None where there is no sentence.

    Args:
        question_vector, sentence_vectors: Unit vectors, (d,) and (n, d), in the order of `sentence_texts`.
    """
    if not len(sentence_texts) or not passages:
        return None
    roots = [content_roots(text) for text in sentence_texts]
    rarity = Rarity(roots)
    question_roots = content_roots(question)
    passage_roots = [frozenset().union(*(roots[place] for place in passage.places)) for passage in passages]
    shares = [rarity.share(question_roots, of_passage) for of_passage in passage_roots]
    best = int(np.argmax(shares))
    return Answerability(
        float((sentence_vectors @ question_vector).max().round(6)),
        shares[best],
        accounted(question, {passages[best].name: passage_roots[best]}),
    )


def accounted(
    question: str,
    sources: Mapping[str, frozenset[str]],
    idle: Collection[str] = frozenset(),
    operators: Sequence[Binding] = (),
) -> Accounting:
    """Return the question's words, each bound to the first of the sources that says it.

    `sources`: roots of what each says, by its name. `idle`: roots of words that carry nothing in it.
    `operators`: words that say what kind of answer is asked for.
    """
    bindings = [*operators]
    for start, end in spans(question):
        of_word = root(question[start:end].lower())
        saying = next((name for name, said in sources.items() if of_word in said), None)
        if saying is not None:
            bindings.append(Binding(start, end, question[start:end], Role.EVIDENCE, saying))
    return account(question, bindings, idle)
