"""Attention2Query: options on CommonsenseQA beside the cosine, open questions on MetaQA, time against K.

Needs the data sets (EVIDENCE_REAL_DATA): CommonsenseQA's development questions, ConceptNet100k, MetaQA.
Vectors are kept under build/bench_cache: the first run encodes some 200,000 texts.
`python -m benchmarks.attention2query` measures options, or open questions, alone by that name, and prints.
"""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from benchmarks.attention2query.cases import AskedGraph, Case, commonsense
from benchmarks.attention2query.open_questions import open_measured
from benchmarks.attention2query.options import options_measured
from benchmarks.real_texts import cached_encoder, real_data
from evidence_assets.systems.attention2query.arms import RETRIEVALS

# What `python -m benchmarks.attention2query PART` measures alone.
PARTS = ("options", "open")
CONCEPTS = "conceptnet100k"
_TIMED, _DEPTHS = 60, (2, 5, 10, 20, 50)


def run() -> dict[str, Any]:
    """Measure options, open questions and time."""
    data = real_data()
    encoder = cached_encoder()
    concepts, cases = AskedGraph(CONCEPTS, encoder), commonsense(data)
    timing = timed(concepts, cases[:_TIMED])
    print(json.dumps(timing), flush=True)
    return {
        "embedding_seconds": concepts.embedding_seconds,
        "time": timing,
        **options_measured(concepts, cases),
        "open": open_measured(encoder),
        "within_bound": timing["ratio"] <= timing["linear_ratio"],
    }


def timed(concepts: AskedGraph, cases: Sequence[Case]) -> dict[str, Any]:
    """Return seconds a question against K, and the most memory that one block takes beside the graph."""
    questions = concepts.link(cases)
    list(concepts.finder(RETRIEVALS["full"]).find(questions))
    seconds = {}
    for depth in _DEPTHS:
        finder = concepts.finder(replace(RETRIEVALS["full"], facts=depth))
        started = time.perf_counter()
        list(finder.find(questions))
        seconds[depth] = (time.perf_counter() - started) / len(questions)
    finder = concepts.finder(RETRIEVALS["full"])
    tracemalloc.start()
    list(finder.find(questions))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    space = concepts.space(RETRIEVALS["full"].graph_share)
    return {
        "questions": len(questions),
        "seconds_a_question": {str(depth): round(value, 4) for depth, value in seconds.items()},
        "ratio": round(seconds[_DEPTHS[-1]] / seconds[_DEPTHS[0]], 2),
        "linear_ratio": _DEPTHS[-1] / _DEPTHS[0],
        "megabytes_a_block": round(most / 1e6, 1),
        "megabytes_of_vectors": round(space.vectors.nbytes / 1e6, 1),
    }
