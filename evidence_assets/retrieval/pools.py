"""First-stage pools as rows of `chunk_pools`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.corpus.search import Bm25, Ranked
from evidence_assets.lake.schemas import CHUNK_POOLS
from evidence_assets.retrieval.retrievals import BM25, DENSE
from evidence_assets.text.queries import Query

# BM25 is a separate arm, never reranked: it need not be deeper than a ranking.
BM25_DEPTH = 100


def dense_pool_rows(
    benchmark: str, queries: Sequence[Query], results: Iterable[Ranked], chunk_ids: pa.Array
) -> Iterator[pa.Table]:
    """Yield the rows of a vector search: `results` in the order of `queries`, rows indexing `chunk_ids`."""
    start = 0
    for scores, rows in results:
        part = queries[start : start + len(scores)]
        start += len(part)
        filled = rows >= 0
        yield _rows(benchmark, DENSE, part, filled.sum(axis=1), scores[filled], rows[filled], chunk_ids)


def bm25_pool_rows(benchmark: str, queries: Sequence[Query], index: Bm25, chunk_ids: pa.Array) -> pa.Table:
    """Return the rows of a BM25 search."""
    results = [index.top(query.text, BM25_DEPTH) for query in queries]
    counts = np.array([len(rows) for _, rows in results], dtype=np.int64)
    scores = np.concatenate([np.empty(0, np.float32), *(scores for scores, _ in results)])
    rows = np.concatenate([np.empty(0, np.int64), *(rows for _, rows in results)])
    return _rows(benchmark, BM25, queries, counts, scores, rows, chunk_ids)


def _rows(
    benchmark: str,
    retriever: str,
    queries: Sequence[Query],
    counts: NDArray[np.int64],
    scores: NDArray[np.floating],
    rows: NDArray[np.int64],
    chunk_ids: pa.Array,
) -> pa.Table:
    starts = np.repeat(np.cumsum(counts) - counts, counts)
    owner = pa.array(np.repeat(np.arange(len(queries)), counts))
    total = int(counts.sum())
    columns = {
        "benchmark": pa.array([benchmark] * total, pa.string()),
        "retriever": pa.array([retriever] * total, pa.string()),
        "question_id": pa.array([query.question_id for query in queries], pa.string()).take(owner),
        "candidate": pa.array([query.candidate for query in queries], pa.int32()).take(owner),
        "rank": pa.array(np.arange(total) - starts + 1, pa.int32()),
        "chunk_id": chunk_ids.take(pa.array(rows)),
        "score": pa.array(scores.astype(np.float64)),
    }
    return pa.table(columns, schema=CHUNK_POOLS.schema)
