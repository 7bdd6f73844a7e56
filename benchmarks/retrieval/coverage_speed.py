"""Coverage over 20,000 real passages against the machine's own matrix product of that shape, in one run."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.retrieval.transport_speed import ask, stored, stored_chunks, stored_questions
from evidence_assets.retrieval.transport.cpu_bounds import CpuBounds
from evidence_assets.retrieval.transport.ground_costs import Cosine, GroundCost, JensenShannon
from evidence_assets.retrieval.transport.objectives import COVERAGE, prepare_side
from evidence_assets.retrieval.transport.sources import PackedSource
from evidence_assets.retrieval.transport.token_sets import TokenSet

_REPEATS = 3


def run() -> dict[str, Any]:
    """Return coverage's time beside that of the bare matrix product of the same shape."""
    folder = stored()
    questions, chunks = stored_questions(folder), stored_chunks(folder)
    bounds = CpuBounds()
    result: dict[str, Any] = {}
    cosine = PackedSource(chunks, Cosine())
    product = [_matrix_product(question, cosine) for question in questions[:5]]
    spent = _median_ask(questions, cosine, Cosine(), bounds)
    result["cosine"] = {
        "seconds_a_question": round(spent, 3),
        "matrix_product_seconds": round(float(np.median(product)), 3),
        "share_of_matrix_product_rate": round(float(np.median(product)) / spent, 2),
    }
    del cosine
    half = PackedSource(chunks, Cosine(), storage=np.float16)
    result["cosine_half_precision_storage"] = {
        "seconds_a_question": round(_median_ask(questions, half, Cosine(), bounds), 3)
    }
    del half
    divergence = PackedSource(chunks, JensenShannon(), storage=np.float16)
    slower = _median_ask(questions, divergence, JensenShannon(), bounds)
    result["jensen_shannon"] = {
        "seconds_a_question": round(slower, 3),
        "times_cosine": round(slower / spent, 2),
    }
    bounds_met = {
        "coverage_rate": result["cosine"]["share_of_matrix_product_rate"] >= 0.6,
        "jensen_shannon": result["jensen_shannon"]["times_cosine"] <= 4,
    }
    return result | {"bounds": bounds_met, "within_bound": all(bounds_met.values())}


def _median_ask(
    questions: list[TokenSet], source: PackedSource, ground: GroundCost, bounds: CpuBounds
) -> float:
    size = len(source.lengths())
    best = [
        min(ask(question, source, ground, COVERAGE, bounds, size)[1] for _ in range(_REPEATS))
        for question in questions[:5]
    ]
    return float(np.median(best))


def _matrix_product(question: TokenSet, source: PackedSource) -> float:
    """Return seconds of the plain product of all the chunks' words with the question's, by torch."""
    import torch

    packed = source.packed
    assert packed is not None
    words = torch.from_numpy(packed.features.stacked())
    side = torch.from_numpy(prepare_side(question, Cosine()).prepared.points.astype(np.float32)).T
    out = torch.empty((len(words), side.shape[1]))
    times = []
    for _ in range(_REPEATS):
        started = time.perf_counter()
        torch.mm(words, side, out=out)
        times.append(time.perf_counter() - started)
    return min(times)
