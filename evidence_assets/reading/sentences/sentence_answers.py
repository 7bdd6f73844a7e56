"""The sentence that answers an open question: the likeliest to hold its answer.

How likely that is was fitted on questions with their gold text, on the same with the text, the sentence or
the answer taken out, with one name, number or word exchanged, and on near misses that were written for it
(`weights/sentence_answers.json`). What says nothing but the question's own words, as a heading may, holds no
answer to a question for something else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evidence_assets.models.encoder import EncodedWords
from evidence_assets.reading.sentences.said_words import asks, is_heading
from evidence_assets.reading.sentences.sentence_measures import missing_kind, sentence_measures
from evidence_assets.reading.weights import SENTENCE_ANSWERS, read_weights
from evidence_assets.text.negation import denies
from evidence_assets.text.roots import word_roots
from evidence_assets.text.words import word_set, words

_ASKING = word_set("how what when where which who whom whose why")
# What begins a question that its own words may answer, "Is zircon cheap?", or offers such, "Tin or lead?".
_AUXILIARIES = word_set(
    "am are can could did do does had has have is may might must shall should was were will would"
)
_OFFERS = "or"
_YES_AND_NO = word_set("yes no")
_ARTICLES = frozenset({"a", "an", "the"})


@dataclass(frozen=True, slots=True)
class SentenceAnswer:
    """A sentence by its place, its measures, and the probability that it holds the answer."""

    place: int
    measures: Mapping[str, float]
    probability: float

    @property
    def is_likely(self) -> bool:
        """Tell whether it is likely enough to be given as the answer."""
        least: float = read_weights(SENTENCE_ANSWERS)["least"]
        return self.probability >= least

    @property
    def missing(self) -> str:
        """The kind of answer that is asked for and that it does not tell; "" of none."""
        return missing_kind(self.measures)


def likeliest_sentence(
    question: str,
    question_words: EncodedWords,
    texts: Sequence[str],
    encoded: Sequence[EncodedWords],
    passages: Sequence[str],
) -> SentenceAnswer:
    """Return the sentence, of one or more, that likeliest holds the answer; of equals the first.

    What asks itself, or heads what follows, is no answer, nor what only says yes or no. Where no other
    sentence says anything that the question does not, or of what is not so none denies anything, the first
    has the probability 0.

    Args:
        question_words, encoded: The question and the sentences, in the order of `texts`, as their words.
        passages: Of which passage each sentence is, by a name.
    """
    weights = read_weights(SENTENCE_ANSWERS)
    measures = sentence_measures(question, question_words, texts, encoded, passages)
    scores = np.array([_score(of_sentence, weights) for of_sentence in measures])
    no_answers = np.any([repeats(question, texts), affirms(question, texts), tells_nothing(texts)], axis=0)
    scores = np.where(no_answers, -np.inf, scores)
    place = int(scores.argmax())
    probability = float(1.0 / (1.0 + np.exp(-scores[place])))
    return SentenceAnswer(place, measures[place], round(probability, 6))


def tells_nothing(texts: Sequence[str]) -> list[bool]:
    """Return which texts ask, are headings, or say no more than yes or no."""
    return [asks(text) or is_heading(text) or word_roots(text) <= _YES_AND_NO for text in texts]


def repeats(question: str, texts: Sequence[str]) -> list[bool]:
    """Return which texts say nothing but the question's own words, where it asks for others."""
    if not _asks_for_other_words(question):
        return [False] * len(texts)
    said = word_roots(question) | _ARTICLES
    return [word_roots(text) <= said for text in texts]


def affirms(question: str, texts: Sequence[str]) -> list[bool]:
    """Return which texts deny nothing, where the question asks for what is not so.

    What a swarm may be sprayed with is no answer to what it must not be sprayed with.
    """
    if not _asks_for_other_words(question) or not denies(question):
        return [False] * len(texts)
    return [not denies(text) for text in texts]


def _score(measures: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return weights["intercept"] + sum(weights[name] * value for name, value in measures.items())


def _asks_for_other_words(question: str) -> bool:
    """Tell whether an answer must say what the question does not: no yes or no, nothing that it offers."""
    question_words = words(question)
    offers = not _AUXILIARIES.isdisjoint(question_words[:1]) or _OFFERS in question_words
    return not offers and not _ASKING.isdisjoint(question_words)
