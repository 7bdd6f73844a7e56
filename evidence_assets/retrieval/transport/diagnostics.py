"""Two measurements of an encoder that decide which comparison of word vectors can work.

Where vectors are longer in longer texts, a softmax of them is peakier in one text than in the other; where
the cost follows the words' weights, two heavy words are far apart whatever they mean. Either way the costs
say little about meaning, and a method on unit, unweighted vectors ranks better.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evidence_assets.models.encoder import EncodedWords
from evidence_assets.retrieval.transport.ground_costs import Cosine, GroundCost
from evidence_assets.retrieval.transport.token_sets import TokenSet


@dataclass(frozen=True, slots=True)
class Association:
    """Two measured quantities side by side, (n,) each, and their rank correlation (Spearman)."""

    first: NDArray[np.float64]
    second: NDArray[np.float64]
    correlation: float


@dataclass(frozen=True, slots=True)
class CostDiagnostic:
    """What a ground cost follows: the heavier of two words' weights, or their meaning (minus cosine)."""

    heavier_weight: Association
    minus_cosine: Association


def associate(first: ArrayLike, second: ArrayLike) -> Association:
    """Return two quantities with their rank correlation, NaN where one does not vary."""
    from scipy.stats import spearmanr

    left, right = np.asarray(first, np.float64), np.asarray(second, np.float64)
    varies = len(left) > 1 and np.ptp(left) > 0 and np.ptp(right) > 0
    return Association(left, right, float(spearmanr(left, right).statistic) if varies else float("nan"))


def norm_against_length(texts: Sequence[EncodedWords]) -> Association:
    """Return each text's number of words, and the mean length of their vectors."""
    filled = [text for text in texts if text.words]
    norms = [float(np.linalg.norm(text.vectors, axis=1).mean()) for text in filled]
    return associate([len(text.words) for text in filled], norms)


def cost_against_weight(
    questions: Sequence[TokenSet], chunks: Sequence[TokenSet], ground: GroundCost
) -> CostDiagnostic:
    """Return, over the word pairs of each question with its chunk, what the cost goes with.

    Weights are the normalised marginals, times the number of words: 1 is a word of average weight.
    """
    costs, heavier, distances = [], [], []
    for question, chunk in zip(questions, chunks, strict=True):
        costs.append(ground.between(question.vectors, chunk.vectors).ravel())
        sides = [text.marginal * len(text.marginal) for text in (question, chunk)]
        heavier.append(np.maximum(sides[0][:, None], sides[1][None, :]).ravel())
        distances.append(_cosine_distances(question, chunk).ravel())
    flat = [np.concatenate([np.empty(0), *arrays]) for arrays in (costs, heavier, distances)]
    return CostDiagnostic(associate(flat[1], flat[0]), associate(flat[2], flat[0]))


def _cosine_distances(question: TokenSet, chunk: TokenSet) -> NDArray[np.float64]:
    """Return (m, n) costs; a zero vector (a word of no weight, scaled by it) is orthogonal to all."""
    ground = Cosine()
    rows, columns = (np.flatnonzero(text.vectors.any(axis=1)) for text in (question, chunk))
    result = np.full((len(question.vectors), len(chunk.vectors)), ground.scale)
    result[np.ix_(rows, columns)] = ground.between(question.vectors[rows], chunk.vectors[columns])
    return result
