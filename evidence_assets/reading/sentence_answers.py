"""The sentence that answers an open question: the likeliest to hold its answer.

How likely that is was fitted on questions with their gold text, and with it taken out
(`weights/sentence_answers.json`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evidence_assets.models.encoder import FloatArray
from evidence_assets.reading.rarity import Rarity
from evidence_assets.reading.weights import SENTENCE_ANSWERS, read_weights
from evidence_assets.text.roots import content_roots


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

    Args:
        question_vector, vectors: Unit vectors, (d,) and (n, d), in the order of `texts`.
    """
    roots = [content_roots(text) for text in texts]
    wanted, rarity = content_roots(question), Rarity(roots)
    nearness = (vectors @ question_vector).round(6)
    said = np.array([rarity.share(wanted, of_sentence) for of_sentence in roots])
    weights = read_weights(SENTENCE_ANSWERS)
    scores = weights["intercept"] + weights["nearness"] * nearness + weights["said"] * said
    place = int(scores.argmax())
    probability = float(1.0 / (1.0 + np.exp(-scores[place])))
    return SentenceAnswer(place, float(nearness[place]), float(said[place]), round(probability, 6))
