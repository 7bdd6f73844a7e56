"""Many questions over overlapping pools ranked together, against the same questions one after the other."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from evidence_assets.retrieval.transport.cascade import Candidates, Ranking, rank
from evidence_assets.retrieval.transport.cpu_bounds import CpuBounds
from evidence_assets.retrieval.transport.ground_costs import Cosine
from evidence_assets.retrieval.transport.objectives import COVERAGE
from evidence_assets.retrieval.transport.sources import PackedSource
from evidence_assets.retrieval.transport.token_sets import TokenSet

QUERIES, CHUNKS, DIMENSION, DEPTH = 400, 400, 384, 15


def _tokens(generator: np.random.Generator, words: int) -> TokenSet:
    vectors = generator.normal(size=(words, DIMENSION)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    sentence = vectors.mean(axis=0)
    return TokenSet(vectors, generator.random(words) + 1e-3, sentence / np.linalg.norm(sentence))


def run() -> dict[str, Any]:
    """Return pairs a second of both ways and their ratio; both give the same rankings."""
    generator = np.random.default_rng(20_261_120)
    queries = [_tokens(generator, int(generator.integers(6, 20))) for _ in range(QUERIES)]
    source = PackedSource(
        [_tokens(generator, int(generator.integers(20, 160))) for _ in range(CHUNKS)], Cosine()
    )
    bounds = CpuBounds()

    def ranked(batch: list[TokenSet]) -> list[Ranking]:
        question = np.repeat(np.arange(len(batch)), CHUNKS)
        chunk = np.tile(np.arange(CHUNKS), len(batch))
        candidates = Candidates(question, chunk, np.zeros(len(chunk)))
        return rank(batch, candidates, source, Cosine(), COVERAGE, DEPTH, bounds)

    ranked(queries[:2])
    started = time.perf_counter()
    together = ranked(queries)
    batched = time.perf_counter() - started
    started = time.perf_counter()
    alone = [ranking for query in queries for ranking in ranked([query])]
    paired = time.perf_counter() - started
    pairs = QUERIES * CHUNKS
    same = all(
        left.chunks.tolist() == right.chunks.tolist() and (left.costs == right.costs).all()
        for left, right in zip(together, alone, strict=True)
    )
    return {
        "pairs": pairs,
        "identical": same,
        "together_pairs_a_second": round(pairs / batched),
        "alone_pairs_a_second": round(pairs / paired),
        "ratio": round(paired / batched, 2),
        "within_bound": same,
    }
