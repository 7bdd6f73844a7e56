"""Peak memory of the first stage at the printed settings: a million chunks, pools of R = 20,000.

    python -m benchmarks retrieval_memory

Vectors of 384 numbers and texts of 60 words are drawn at random: what is measured is memory, not what is
found. Each stage runs in a process of its own, whose peak resident memory the operating system reports.
`pools`: the exact index searched and the pools written as they come; `words`: BM25 over texts that stream by;
`blocks`: the pools read back in blocks of whole questions, numbered, with the texts of each block's chunks.
Bound: 6 GB.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.peak_memory import measured, run_stage
from evidence_assets.corpus.index import build_index
from evidence_assets.corpus.search import bm25_top, index_top
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import CHUNK_POOLS
from evidence_assets.retrieval.pools import dense_pool_rows, in_key_order, pool_blocks
from evidence_assets.retrieval.retrievals import DENSE
from evidence_assets.retrieval.transport.ranking import pools_of
from evidence_assets.text.queries import Query
from evidence_assets.text.term_statistics import TermStatistics

VECTORS, WIDTH, DEPTH, QUESTIONS, OPTIONS = 1_000_000, 384, 20_000, 500, 4
WORDS, VOCABULARY, TEXTS_AT_ONCE = 60, 50_000, 4_096
BOUND_BYTES = 6_000_000_000
PLACE = {"benchmark": "b"}


def _asked() -> list[Query]:
    return in_key_order(
        Query(f"q{number:05}", candidate, f"w{number} w{number * 7} w{candidate + 1}")
        for number in range(QUESTIONS)
        for candidate in range(-1, OPTIONS)
    )


def _unit(rows: int, seed: int) -> np.ndarray:
    drawn = np.random.default_rng(seed).standard_normal((rows, WIDTH), dtype=np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    return drawn


def _ids(rows: int) -> list[str]:
    return [f"{number:032x}" for number in range(rows)]


def pools(folder: Path) -> int:
    """Search the index for every query and write the pools; return their rows."""
    index = build_index(_unit(VECTORS, 0)).index
    queries, ids = _asked(), pa.array(_ids(VECTORS))
    results = index_top(index, _unit(len(queries), 1), DEPTH)
    rows = dense_pool_rows("b", queries, results, ids)
    return Lake(str(folder)).write(CHUNK_POOLS, PLACE, rows).rows


def words(folder: Path) -> int:
    """Search every text by its words; return the rows found."""
    drawn = np.random.default_rng(2).zipf(1.3, size=(TEXTS_AT_ONCE, WORDS)) % VOCABULARY
    block = [" ".join(f"w{word}" for word in row) for row in drawn.tolist()]

    def texts() -> Iterator[list[str]]:
        for start in range(0, VECTORS, TEXTS_AT_ONCE):
            yield block[: VECTORS - start]

    frequencies = {f"w{word}": 1 + VECTORS // (1 + word) for word in range(VOCABULARY)}
    statistics = TermStatistics(frequencies, VECTORS, float(WORDS))
    tops = bm25_top([query.text for query in _asked()], texts(), statistics, 100)
    return sum(len(rows) for _, rows in tops)


def blocks(folder: Path) -> int:
    """Read the pools back, some questions at a time, with the texts of their chunks; return their rows."""
    queries, rows = _asked(), 0
    batches = Lake(str(folder)).scan(CHUNK_POOLS, PLACE, rows=65_536)
    for block in pool_blocks(batches, DENSE):
        named = set(block.column("question_id").unique().to_pylist())
        text = "word " * WORDS
        texts = {chunk_id: f"{text}{chunk_id}" for chunk_id in block.column("chunk_id").unique().to_pylist()}
        numbered = pools_of(block, [query for query in queries if query.question_id in named], texts)
        rows += len(numbered.chunk)
    return rows


STAGES = {"pools": pools, "words": words, "blocks": blocks}


def run() -> dict[str, Any]:
    """Return what each stage took."""
    with tempfile.TemporaryDirectory() as folder:
        stages = measured("benchmarks.retrieval_memory", STAGES, folder)
    return {
        "vectors": VECTORS,
        "width": WIDTH,
        "pool": DEPTH,
        "questions": QUESTIONS,
        "queries": QUESTIONS * (OPTIONS + 1),
        "stages": stages,
        "bound_bytes": BOUND_BYTES,
        "within_bound": all(stage["peak_bytes"] < BOUND_BYTES for stage in stages.values()),
    }


if __name__ == "__main__":
    run_stage(STAGES)
