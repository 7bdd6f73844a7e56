"""Marginals: how much of a text's mass each of its words carries.

Each returns masses that are not normalised: their sum is a text's capacity (objectives.Partial). A text left
with no mass gets uniform weights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from evidence_assets.text.term_statistics import BM25_K1, TermStatistics

Marginal = Callable[[Sequence[str], TermStatistics], NDArray[np.float64]]


def uniform_marginal(words: Sequence[str], statistics: TermStatistics) -> NDArray[np.float64]:
    """Return (w,) ones."""
    return np.ones(len(words))


def idf_marginal(words: Sequence[str], statistics: TermStatistics) -> NDArray[np.float64]:
    """Return (w,) inverse document frequencies, Lucene's form (MoverScore's weights)."""
    return _or_uniform(statistics.idf(words))


def bm25_marginal(words: Sequence[str], statistics: TermStatistics) -> NDArray[np.float64]:
    """Return (w,) BM25 weights of each word in its own text (thesis eq. 7.9, 7.10), IDF never negative."""
    return _or_uniform(statistics.idf(words) * _saturation(words, statistics))


def printed_bm25_marginal(words: Sequence[str], statistics: TermStatistics) -> NDArray[np.float64]:
    """Return (w,) BM25 weights with the IDF that the thesis prints (eq. 7.10), clipped at 0.

    ln((N - n + 1/2) / (n + 1/2)) is negative for words in more than half of the texts.
    """
    idf = np.maximum(0.0, statistics.printed_idf(words))
    return _or_uniform(idf * _saturation(words, statistics))


def _saturation(words: Sequence[str], statistics: TermStatistics) -> NDArray[np.float64]:
    count = Counter(words)
    frequency = np.array([count[word] for word in words], dtype=np.float64)
    norm = statistics.length_norm(float(len(words)))
    result: NDArray[np.float64] = frequency * (BM25_K1 + 1) / (frequency + norm)
    return result


def _or_uniform(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    return weights if weights.any() else np.ones(len(weights))
