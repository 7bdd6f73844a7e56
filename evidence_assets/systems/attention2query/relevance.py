"""The relevance classifier (4.2): how relevant a fact is to a question, from 1 to 10."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import Encode, FloatArray
from evidence_assets.models.pair_scorer import CROSS_ENCODER, PairScorer

Relevances = NDArray[np.float64]
LEAST, MOST = 1.0, 10.0
_DECIMALS = 6
# Pairs whose features are in memory at once: 26 MB with vectors of 384 numbers.
_AT_ONCE = 4_096


class Rater(Protocol):
    """Rates facts."""

    @property
    def rater_id(self) -> str:
        """What rates: a name and a hash of its weights."""

    def rate(self, questions: Sequence[str], facts: Sequence[str]) -> Relevances:
        """Return (n,) the relevance of facts[i] to questions[i], from 1 to 10."""


@dataclass(frozen=True)
class Vanilla:
    """The pretrained model as it is: a cross-encoder, or the encoder that stands in for one.

    A cross-encoder's raw output goes through a logistic function; a cosine below 0 counts as 0.
    """

    scorer: PairScorer

    @property
    def rater_id(self) -> str:
        """The scorer's id."""
        return f"vanilla:{self.scorer.scorer_id}"

    def rate(self, questions: Sequence[str], facts: Sequence[str]) -> Relevances:
        """Return (n,) relevances."""
        if not len(facts):
            return np.empty(0)
        scores = self.scorer.score(questions, facts).astype(np.float64)
        shares = _logistic(scores) if self.scorer.measure == CROSS_ENCODER else np.clip(scores, 0.0, 1.0)
        return scaled(shares)


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
    name: str

    @property
    def rater_id(self) -> str:
        """The folder's name, a hash of what it was trained on."""
        return f"tuned:{self.name}"

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
        return scaled(_logistic(np.concatenate(pieces)))


def features_of(questions: FloatArray, facts: FloatArray) -> FloatArray:
    """Return (n, 4 d + 1) features of n pairs of unit vectors (n, d): q * t, |q - t|, cosine, q, t."""
    product = questions * facts
    parts = [product, np.abs(questions - facts), product.sum(axis=1, keepdims=True), questions, facts]
    features: FloatArray = np.concatenate(parts, axis=1).astype(np.float32)
    return features


def scaled(shares: NDArray[np.floating]) -> Relevances:
    """Return shares of 0 to 1 as relevances of 1 to 10, rounded."""
    relevances: Relevances = (LEAST + (MOST - LEAST) * shares.astype(np.float64)).round(_DECIMALS)
    return relevances


def _logistic(outputs: NDArray[np.floating]) -> NDArray[np.float64]:
    shares: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-np.clip(outputs, -40.0, 40.0)))
    return shares
