"""Training node relevance for many questions at once against one at a time, on the device there is.

Synthetic pools of the size the graph system keeps; vectors share a direction, as an encoder's do. Best of
`REPEATS` alternating runs after one that is not counted. Bound: no score, as rounded, differs by more than
1e-5; the ratio of seconds depends on the device and is told, not bounded.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from evidence_assets.models.encoder import best_device
from evidence_assets.systems.ugat_medqa.attention import (
    KINDS,
    AttentionConfig,
    QuestionGraph,
    TrainedRelevance,
    trained_relevance,
)

QUESTIONS, NODES, EDGES, DIMENSION = 64, 200, 600, 384
BATCHES = (8, 32)
REPEATS = 2
LARGEST_DIFFERENCE = 1e-5


def run() -> dict[str, Any]:
    """Return seconds one at a time, and per batch their ratio and the largest difference of scores."""
    graphs = _graphs(np.random.default_rng(20_261_120))
    kinds = {kind: _compare(graphs, kind) for kind in KINDS}
    differences = [
        kind[f"batch_{batch}"]["largest_difference"] for kind in kinds.values() for batch in BATCHES
    ]
    return {
        "device": best_device(),
        "questions": QUESTIONS,
        "nodes": NODES,
        "edges": EDGES,
        **kinds,
        "bound": f"scores within {LARGEST_DIFFERENCE}",
        "within_bound": max(differences) <= LARGEST_DIFFERENCE,
    }


def _graphs(random: np.random.Generator) -> list[QuestionGraph]:
    graphs = []
    for _ in range(QUESTIONS):
        vectors = random.normal(size=(NODES + 1, DIMENSION)) + 0.5 * random.normal(size=DIMENSION)
        vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
        graphs.append(QuestionGraph(vectors[:-1], random.integers(0, NODES, (2, EDGES)), vectors[-1]))
    return graphs


def _compare(graphs: list[QuestionGraph], kind: str) -> dict[str, Any]:
    """Return the comparison of one kind; `seconds_ratio` is batched over one at a time: below 1 is faster."""
    list(trained_relevance(graphs[: max(BATCHES)], kind, AttentionConfig(), max(BATCHES)))
    spent: dict[int, float] = {}
    found: dict[int, list[TrainedRelevance]] = {}
    for _ in range(REPEATS):
        for batch in (1, *BATCHES):
            started = time.perf_counter()
            found[batch] = list(trained_relevance(graphs, kind, AttentionConfig(), batch))
            spent[batch] = min(spent.get(batch, np.inf), time.perf_counter() - started)
    compared = {
        f"batch_{batch}": {
            "seconds_ratio": round(spent[batch] / spent[1], 3),
            "largest_difference": _largest_difference(found[batch], found[1]),
        }
        for batch in BATCHES
    }
    return {"milliseconds_a_question": round(1000 * spent[1] / len(graphs), 2), **compared}


def _largest_difference(left: list[TrainedRelevance], right: list[TrainedRelevance]) -> float:
    return float(max(np.abs(a.scores - b.scores).max() for a, b in zip(left, right, strict=True)))
