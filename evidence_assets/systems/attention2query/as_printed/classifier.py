"""The relevance classifier tuned (4.2): a small head over the encoder's vectors of question and fact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import Encode, FloatArray
from evidence_assets.systems.attention2query.relevance import Relevances, logistic, scaled

# Pairs whose features are in memory at once: 26 MB with vectors of 384 numbers.
_AT_ONCE = 4_096


@dataclass(frozen=True)
class Head:
    """What is trained: one hidden layer over a pair's features. (f, h), (h,), (h,), and a bias."""

    hidden: FloatArray
    hidden_bias: FloatArray
    output: FloatArray
    output_bias: float

    def __call__(self, features: FloatArray) -> NDArray[np.float64]:
        """Return (n,) outputs of (n, f) features, before the logistic function."""
        inner = np.maximum(features @ self.hidden + self.hidden_bias, 0.0)
        outputs: NDArray[np.float64] = (inner @ self.output).astype(np.float64) + self.output_bias
        return outputs


@dataclass(frozen=True)
class Tuned:
    """A trained head over the encoder's vectors of question and fact."""

    head: Head
    encode: Encode

    def rate(self, questions: Sequence[str], facts: Sequence[str]) -> Relevances:
        """Return (n,) relevances."""
        if not len(facts):
            return np.empty(0)
        distinct = list(dict.fromkeys([*questions, *facts]))
        place = {text: number for number, text in enumerate(distinct)}
        vectors = self.encode(distinct)
        left = np.array([place[text] for text in questions])
        right = np.array([place[text] for text in facts])
        pieces = [
            self.head(features_of(vectors[left[start:end]], vectors[right[start:end]]))
            for start in range(0, len(left), _AT_ONCE)
            for end in [start + _AT_ONCE]
        ]
        return scaled(logistic(np.concatenate(pieces)))


def features_of(questions: FloatArray, facts: FloatArray) -> FloatArray:
    """Return (n, 4 d + 1) features of n pairs of unit vectors (n, d): q * t, |q - t|, cosine, q, t."""
    product = questions * facts
    parts = [product, np.abs(questions - facts), product.sum(axis=1, keepdims=True), questions, facts]
    features: FloatArray = np.concatenate(parts, axis=1).astype(np.float32)
    return features
