"""Marginals: how much of a text's mass each of its words carries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evidence_assets.corpus.term_statistics import BM25_B, BM25_K1, TermStatistics


def bm25_marginal(words: Sequence[str], statistics: TermStatistics) -> NDArray[np.float64]:
    """Return (w,) weights that sum to 1: BM25 of each word in its own text (thesis eq. 7.9, 7.10).

    IDF is Lucene's, which is never negative. A text left with no mass gets uniform weights.
    """
    if not words:
        return np.empty(0)
    count = Counter(words)
    frequency = np.array([count[word] for word in words], dtype=np.float64)
    length = BM25_K1 * (1 - BM25_B + BM25_B * len(words) / max(statistics.average_length, 1e-9))
    weight = statistics.idf(words) * frequency * (BM25_K1 + 1) / (frequency + length)
    total = weight.sum()
    if total <= 0:
        return np.full(len(words), 1.0 / len(words))
    result: NDArray[np.float64] = weight / total
    return result
