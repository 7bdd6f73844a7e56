"""First-stage pools as rows of `chunk_pools`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evidence_assets.corpus.search import Ranked
from evidence_assets.lake.schemas import CHUNK_POOLS
from evidence_assets.retrieval.retrievals import BM25, DENSE
from evidence_assets.text.queries import Query

# BM25 is a separate arm, never reranked: it need not be deeper than a ranking.
BM25_DEPTH = 100
# Rows of pools that are ranked at once: their chunks' texts are in memory.
BLOCK_ROWS = 1 << 19


def in_key_order(queries: Iterable[Query]) -> list[Query]:
    """Return queries in the order of their rows in `chunk_pools`, so that these need not be sorted."""
    return sorted(queries, key=lambda query: (query.question_id, query.candidate))


def pool_blocks(
    batches: Iterable[pa.RecordBatch], retriever: str, limit: int | None = None, rows: int = BLOCK_ROWS
) -> Iterator[pa.Table]:
    """Yield one retriever's rows of `chunk_pools`, whole questions at a time; at least one table.

    `batches`: rows in the order of the table's key. `limit`: rows kept of each pool; default: all. A block
    has about `rows` rows, or one question.
    """
    kept: list[pa.Table] = []
    for batch in batches:
        table = pa.Table.from_batches([batch])
        chosen = pc.equal(table.column("retriever"), retriever)
        if limit is not None:
            chosen = pc.and_(chosen, pc.less_equal(table.column("rank"), limit))
        if not (table := table.filter(chosen)).num_rows:
            continue
        kept.append(table)
        if sum(part.num_rows for part in kept) >= rows:
            block = pa.concat_tables(kept)
            ids = block.column("question_id")
            unfinished = pc.sum(pc.equal(ids, ids[-1])).as_py()
            if unfinished < block.num_rows:
                yield block.slice(0, block.num_rows - unfinished)
                block = block.slice(block.num_rows - unfinished)
            kept = [block]
    yield pa.concat_tables([CHUNK_POOLS.schema.empty_table(), *kept])


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


def bm25_pool_rows(
    benchmark: str, queries: Sequence[Query], results: Sequence[Ranked], chunk_ids: pa.Array
) -> pa.Table:
    """Return the rows of a BM25 search: `results` in the order of `queries`."""
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
