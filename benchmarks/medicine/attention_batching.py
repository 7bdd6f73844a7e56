"""Training node relevance for many questions at once against one at a time, on the CPU and on a GPU.

Synthetic pools of the size the graph system keeps; vectors share a direction, as an encoder's do. Best of
`REPEATS` alternating runs after one that is not counted. The CPU is always measured, a GPU where PyTorch sees
one; else `gpu` is null. Bound: on each device no score, as rounded, differs by more than 1e-5 from the one
trained alone there; the ratio of seconds depends on the device and is told, not bounded.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from evidence_assets.systems.ugat_medqa.arms import KINDS
from evidence_assets.systems.ugat_medqa.as_printed.attention import (
    CPU_BATCH,
    GPU_BATCH,
    QuestionGraph,
    TrainedRelevance,
    trained_relevance,
)
from evidence_assets.systems.ugat_medqa.as_printed.config import AttentionConfig

QUESTIONS, NODES, EDGES, DIMENSION = 64, 200, 600, 384
BATCHES = (CPU_BATCH, 32, GPU_BATCH)
REPEATS = 2
LARGEST_DIFFERENCE = 1e-5


def run() -> dict[str, Any]:
    """Return for each kind, on the CPU and under `gpu` there, what `_compare` measures."""
    graphs = random_graphs(np.random.default_rng(20_261_120))
    on_cpu = {kind: _compare(graphs, kind, "cpu") for kind in KINDS}
    on_gpu = {kind: _compare(graphs, kind, "cuda") for kind in KINDS} if torch.cuda.is_available() else {}
    differences = [
        measured[f"batch_{batch}"]["largest_difference"]
        for measured in (*on_cpu.values(), *on_gpu.values())
        for batch in BATCHES
    ]
    return {
        "device": "cpu",
        "threads": torch.get_num_threads(),
        "questions": QUESTIONS,
        "nodes": NODES,
        "edges": EDGES,
        **on_cpu,
        "gpu": {"device": torch.cuda.get_device_name(), **on_gpu} if on_gpu else None,
        "bound": f"scores within {LARGEST_DIFFERENCE}",
        "within_bound": max(differences) <= LARGEST_DIFFERENCE,
    }


def random_graphs(random: np.random.Generator) -> list[QuestionGraph]:
    """Return the graphs of so many questions."""
    graphs = []
    for _ in range(QUESTIONS):
        vectors = random.normal(size=(NODES + 1, DIMENSION)) + 0.5 * random.normal(size=DIMENSION)
        vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
        graphs.append(QuestionGraph(vectors[:-1], random.integers(0, NODES, (2, EDGES)), vectors[-1]))
    return graphs


def _compare(graphs: Sequence[QuestionGraph], kind: str, device: str) -> dict[str, Any]:
    """Return the comparison of one kind; `seconds_ratio` is batched over one at a time: below 1 is faster.

    `milliseconds_a_question` is of one at a time.
    """
    list(trained_relevance(graphs, kind, AttentionConfig(), max(BATCHES), device))
    spent: dict[int, float] = {}
    relevances: dict[int, list[TrainedRelevance]] = {}
    for _ in range(REPEATS):
        for batch in (1, *BATCHES):
            started = time.perf_counter()
            relevances[batch] = list(trained_relevance(graphs, kind, AttentionConfig(), batch, device))
            spent[batch] = min(spent.get(batch, np.inf), time.perf_counter() - started)
    compared = {
        f"batch_{batch}": {
            "seconds_ratio": round(spent[batch] / spent[1], 3),
            "largest_difference": _largest_difference(relevances[batch], relevances[1]),
        }
        for batch in BATCHES
    }
    return {"milliseconds_a_question": round(1000 * spent[1] / len(graphs), 2), **compared}


def _largest_difference(left: Sequence[TrainedRelevance], right: Sequence[TrainedRelevance]) -> float:
    return float(max(np.abs(a.scores - b.scores).max() for a, b in zip(left, right, strict=True)))
