"""Coverage scored chunk by chunk for all queries at once, against scoring each question-chunk pair alone."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from evidence_assets.transport.coverage import TokenSet, coverage_costs

QUERIES, CHUNKS, DIMENSION = 200, 200, 384


def _tokens(generator: np.random.Generator, words: int) -> TokenSet:
    vectors = generator.normal(size=(words, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    weights = generator.random(words)
    return TokenSet(vectors, weights / weights.sum(), vectors.mean(axis=0))


def run() -> dict[str, Any]:
    """Return pairs a second of both ways and their ratio; both give the same costs."""
    generator = np.random.default_rng(20_261_120)
    queries = [_tokens(generator, int(generator.integers(6, 20))) for _ in range(QUERIES)]
    chunks = [_tokens(generator, int(generator.integers(20, 160))) for _ in range(CHUNKS)]
    started = time.perf_counter()
    together = np.stack([coverage_costs(queries, chunk).total for chunk in chunks])
    batched = time.perf_counter() - started
    started = time.perf_counter()
    alone = np.array([[coverage_costs([query], chunk).total[0] for query in queries] for chunk in chunks])
    paired = time.perf_counter() - started
    pairs = QUERIES * CHUNKS
    return {
        "pairs": pairs,
        "largest_difference": float(np.abs(together - alone).max()),
        "batched_pairs_a_second": round(pairs / batched),
        "single_pairs_a_second": round(pairs / paired),
        "ratio": round(paired / batched, 2),
    }
