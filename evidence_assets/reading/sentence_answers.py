"""The sentence that answers an open question: the likeliest to hold its answer.

How likely that is was fitted on questions with their gold text, and with it taken out
(`weights/sentence_answers.json`). What says nothing but the question's own words, as a heading may, holds no
answer to a question for something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evidence_assets.models.encoder import FloatArray
from evidence_assets.reading.rarity import Rarity
from evidence_assets.reading.weights import SENTENCE_ANSWERS, read_weights
from evidence_assets.text.roots import content_roots, root
from evidence_assets.text.words import word_set, words

_ASKING = word_set("how what when where which who whom whose why")
# What begins a question that its own words may answer, "Is zircon cheap?", or offers such, "Tin or lead?".
_AUXILIARIES = word_set(
    "am are can could did do does had has have is may might must shall should was were will would"
)
_OFFERS = "or"
_ARTICLES = frozenset({"a", "an", "the"})


@dataclass(frozen=True, slots=True)
class SentenceAnswer:
    """A sentence by its place, and the probability that it holds the answer.

    `nearness`: cosine of question and sentence. `said`: share of the question's words that the sentence says,
    rare ones counting more.
    """

    place: int
    nearness: float
    said: float
    probability: float

    @property
    def is_likely(self) -> bool:
        """Tell whether it is likely enough to be given as the answer."""
        least: float = read_weights(SENTENCE_ANSWERS)["least"]
        return self.probability >= least


def likeliest_sentence(
    question: str, question_vector: FloatArray, texts: Sequence[str], vectors: FloatArray
) -> SentenceAnswer:
    """Return the sentence, of one or more, that likeliest holds the answer; of equals the first.

    Where no sentence says anything that the question does not, the first has the probability 0.

    Args:
        question_vector, vectors: Unit vectors, (d,) and (n, d), in the order of `texts`.
    """
    roots = [content_roots(text) for text in texts]
    wanted, rarity = content_roots(question), Rarity(roots)
    nearness = (vectors @ question_vector).round(6)
    said = np.array([rarity.share(wanted, of_sentence) for of_sentence in roots])
    weights = read_weights(SENTENCE_ANSWERS)
    scores = weights["intercept"] + weights["nearness"] * nearness + weights["said"] * said
    if _asks_for_other_words(question):
        repeated = _roots(question) | _ARTICLES
        scores = np.where([_roots(text) <= repeated for text in texts], -np.inf, scores)
    place = int(scores.argmax())
    probability = float(1.0 / (1.0 + np.exp(-scores[place])))
    return SentenceAnswer(place, float(nearness[place]), float(said[place]), round(probability, 6))


def _asks_for_other_words(question: str) -> bool:
    """Tell whether an answer must say what the question does not: no yes or no, nothing that it offers."""
    question_words = words(question)
    offers = not _AUXILIARIES.isdisjoint(question_words[:1]) or _OFFERS in question_words
    return not offers and not _ASKING.isdisjoint(question_words)


def _roots(text: str) -> frozenset[str]:
    return frozenset(root(word) for word in words(text))
