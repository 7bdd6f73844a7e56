"""Working memory of an exact ranking against the budget it was given; the budget never changes the result."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np

from benchmarks.retrieval.transport_speed import DEPTH, stored, stored_chunks, stored_questions
from evidence_assets.retrieval.transport.cascade import Budget, Candidates, rank
from evidence_assets.retrieval.transport.cpu_bounds import CpuBounds
from evidence_assets.retrieval.transport.ground_costs import JensenShannon
from evidence_assets.retrieval.transport.objectives import Balanced
from evidence_assets.retrieval.transport.packing import pack
from evidence_assets.retrieval.transport.sources import PackedSource

POOL = 5_000
MEGABYTES = (16, 64, 256, 1024)


def run() -> dict[str, Any]:
    """Return the peak that Python and NumPy allocated beyond the stored pool, for each budget."""
    folder = stored()
    question, chunks = stored_questions(folder)[0], stored_chunks(folder)[:POOL]
    ground = JensenShannon()
    source = PackedSource(chunks, ground, storage=np.float16)
    prior = source.centroid_prior(pack([question], ground))
    candidates = Candidates(np.zeros(POOL, np.int64), np.arange(POOL), prior)
    rankings, peaks = [], {}
    # The first compiles, and is not counted.
    for megabytes in (MEGABYTES[0], *MEGABYTES):
        tracemalloc.start()
        budget = Budget(megabytes << 20)
        (ranking,) = rank([question], candidates, source, ground, Balanced(), DEPTH, CpuBounds(), budget)
        peaks[str(megabytes)] = round(tracemalloc.get_traced_memory()[1] / (1 << 20), 1)
        tracemalloc.stop()
        rankings.append(ranking.chunks.tolist())
    words = sum(len(chunk.weights) for chunk in chunks)
    return {
        "pool": POOL,
        "cost_matrix_megabytes": round(words * len(question.weights) * 8 / (1 << 20), 1),
        "features_megabytes": round(words * ground.width(question.vectors.shape[1]) * 2 / (1 << 20)),
        "peak_megabytes_by_budget": peaks,
        "same_ranking": all(ranking == rankings[0] for ranking in rankings),
        "within_bound": all(peak <= float(budget) for budget, peak in peaks.items())
        and all(ranking == rankings[0] for ranking in rankings),
    }
