"""Closed forms of the cosine cost in double precision, one question against many chunks at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evidence_assets.retrieval.transport.ground_costs import COSINE_SCALE
from evidence_assets.retrieval.transport.objectives import ClosedForm, Side
from evidence_assets.retrieval.transport.token_sets import InvalidTokenSetError, TokenSet


def exact_costs(form: ClosedForm, question: Side, chunks: Sequence[TokenSet]) -> NDArray[np.float64]:
    """Return (n,) what `form.solve` gives for each chunk, but for the last digits: sums go in another order.

    Args:
        question: Prepared for `Cosine`.
        chunks: Sound token sets, their vectors of any length.

    Raises:
        InvalidTokenSetError: the form has a sentence term and a text has no sentence vector.
    """
    if not chunks:
        return np.empty(0)
    words = np.concatenate([chunk.vectors for chunk in chunks], dtype=np.float64)
    lengths = np.array([len(chunk.weights) for chunk in chunks])
    starts = np.cumsum(lengths) - lengths
    norms = np.sqrt(np.einsum("nd,nd->n", words, words))
    costs = np.maximum(0.0, 1.0 - (words @ question.prepared.points.T) / norms[:, None])
    total = form.covering * (np.minimum.reduceat(costs, starts, axis=0) @ question.marginal)
    marginals = np.concatenate([chunk.marginal for chunk in chunks])
    total += form.saying * np.add.reduceat(costs.min(axis=1) * marginals, starts)
    if form.sentence:
        sentences = [chunk.sentence for chunk in chunks if chunk.sentence is not None]
        if question.sentence is None or len(sentences) < len(chunks):
            raise InvalidTokenSetError(f"{form.name} compares sentence vectors, and a text has none")
        total += form.sentence * (1.0 - np.stack(sentences).astype(np.float64) @ question.sentence)
    result: NDArray[np.float64] = COSINE_SCALE * total
    return result
