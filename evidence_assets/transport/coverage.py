"""Coverage: the default ranking. How well does a chunk explain a question, word by word?

With one marginal released, optimal transport has a closed form: each word goes to its cheapest partner.
RQ = sum_i a_i min_j C_ij asks that every question word be covered by the chunk, RC = sum_j b_j min_i C_ij
that the chunk say little else. The printed form (thesis eq. 7.3 to 7.10) asks for both at once, balanced,
and so demands that a ten-word question explain a hundred-word paragraph; measured, it ranks evidence far
worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.transport.ground_costs import cosine_cost

QUESTION_WEIGHT = 0.75
CHUNK_WEIGHT = 0.25
GAMMA = 0.5


@dataclass(frozen=True, slots=True)
class TokenSet:
    """A text as weighted words: `vectors` (w, d) unit, `weights` (w,) summing to 1, `sentence` (d,) unit."""

    vectors: NDArray[np.float32]
    weights: NDArray[np.float64]
    sentence: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class CoverageCosts:
    """Costs of k questions against one chunk, (k,) each; lower is better. `total` is what ranks."""

    question: NDArray[np.float64]
    chunk: NDArray[np.float64]
    sentence: NDArray[np.float64]

    @property
    def total(self) -> NDArray[np.float64]:
        """Return 3/4 RQ + 1/4 RC + gamma (1 - cos) / 16."""
        return QUESTION_WEIGHT * self.question + CHUNK_WEIGHT * self.chunk + GAMMA * self.sentence


class InvalidTokenSetError(ValueError):
    """A text cannot be compared: names it and says what is wrong with its vectors or weights."""


def check_token_set(tokens: TokenSet, name: str) -> None:
    """Raise InvalidTokenSetError, naming the text, if its arrays cannot be compared."""
    arrays = (tokens.vectors, tokens.weights, tokens.sentence)
    if not all(np.isfinite(array).all() for array in arrays):
        raise InvalidTokenSetError(f"{name}: a vector or a weight is not finite; encode the text anew")
    if len(tokens.vectors) != len(tokens.weights):
        raise InvalidTokenSetError(f"{name}: {len(tokens.vectors)} vectors but {len(tokens.weights)} weights")


def coverage_costs(questions: Sequence[TokenSet], chunk: TokenSet) -> CoverageCosts:
    """Score several questions against one chunk with one matrix product.

    The ground cost is cosine's, scaled as Jensen-Shannon's (see ground_costs). A text without words can
    cover nothing: it costs what orthogonal words would, 1/16.
    """
    lengths = np.array([len(question.weights) for question in questions])
    sentence = (1.0 - np.stack([question.sentence for question in questions]) @ chunk.sentence) / 16.0
    uncovered = 1.0 / 16.0
    covered = np.full(len(questions), uncovered)
    explained = np.full(len(questions), uncovered)
    filled = np.flatnonzero(lengths).tolist()
    if len(filled) and len(chunk.weights):
        stacked = np.concatenate([questions[index].vectors for index in filled])
        weights = np.concatenate([questions[index].weights for index in filled])
        starts = np.concatenate([[0], np.cumsum(lengths[filled])[:-1]])
        cost = cosine_cost(stacked, chunk.vectors)
        covered[filled] = np.add.reduceat(weights * cost.min(axis=1), starts)
        explained[filled] = np.minimum.reduceat(cost, starts, axis=0) @ chunk.weights
    return CoverageCosts(covered, explained, sentence.astype(np.float64))
