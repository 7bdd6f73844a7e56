"""The relevance classifier (4.2): how relevant a fact is to a question, from 1 to 10."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.pair_scorer import CROSS_ENCODER, PairScorer

Relevances = NDArray[np.float64]
LEAST, MOST = 1.0, 10.0
_DECIMALS = 6


class Rater(Protocol):
    """Rates facts."""

    def rate(self, questions: Sequence[str], facts: Sequence[str]) -> Relevances:
        """Return (n,) the relevance of facts[i] to questions[i], from 1 to 10."""


@dataclass(frozen=True)
class Vanilla:
    """The pretrained model as it is: a cross-encoder, or the encoder that stands in for one.

    A cross-encoder's raw output goes through a logistic function; a cosine below 0 counts as 0.
    """

    scorer: PairScorer

    def rate(self, questions: Sequence[str], facts: Sequence[str]) -> Relevances:
        """Return (n,) relevances."""
        if not len(facts):
            return np.empty(0)
        scores = self.scorer.score(questions, facts).astype(np.float64)
        return scaled(logistic(scores)) if self.scorer.measure == CROSS_ENCODER else cosines_scaled(scores)


def scaled(shares: NDArray[np.floating]) -> Relevances:
    """Return shares of 0 to 1 as relevances of 1 to 10, rounded."""
    relevances: Relevances = (LEAST + (MOST - LEAST) * shares.astype(np.float64)).round(_DECIMALS)
    return relevances


def cosines_scaled(cosines: NDArray[np.floating]) -> Relevances:
    """Return cosines, less what distance costs them, as relevances: one below 0 counts as 0."""
    return scaled(np.clip(cosines, 0.0, 1.0))


def weights_scaled(weights: NDArray[np.floating]) -> Relevances:
    """Return attention weights of mean 1, less what distance costs them, as relevances: 1 is half way.

    In their order, without a limit on how large they are; below 0 counts as 0.
    """
    positive = np.clip(weights.astype(np.float64), 0.0, None)
    return scaled(positive / (1.0 + positive))


def logistic(outputs: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the logistic function of outputs, which counts those beyond 40 as 40."""
    shares: NDArray[np.float64] = 1.0 / (1.0 + np.exp(-np.clip(outputs, -40.0, 40.0)))
    return shares
