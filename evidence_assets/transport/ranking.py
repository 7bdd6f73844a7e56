"""Ranking a benchmark's pools: what each retrieval arm keeps, as rows of `ranked_chunks`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evidence_assets.corpus.queries import QUESTION_ALONE, Query
from evidence_assets.corpus.term_statistics import TermStatistics
from evidence_assets.lake.schemas import RANKED_CHUNKS
from evidence_assets.models.encoder import EncodedWords, Encoder
from evidence_assets.transport.coverage import TokenSet, check_token_set, coverage_costs
from evidence_assets.transport.marginals import bm25_marginal

# k of thesis 7.4 for what an option is argued from; the question alone is ranked deeper, to measure recall.
OPTION_DEPTH = 15
QUESTION_DEPTH = 100
_CHUNKS_AT_ONCE = 512
_DECIMALS = 7

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Pools:
    """First-stage candidates by number: pair p asks query `query[p]` about chunk `chunk[p]`.

    `chunk_ids` and `chunk_texts` are the union of the pools, in one order; `query` is sorted.
    """

    queries: Sequence[Query]
    query: NDArray[np.int64]
    chunk: NDArray[np.int64]
    chunk_ids: Sequence[str]
    chunk_texts: Sequence[str]


def first_stage_ranking(pool: pa.Table, benchmark: str, retrieval: str) -> pa.Table:
    """Return the arm that ranks as the first stage did: its best rows, with its score as the only part."""
    depth = pc.if_else(pc.equal(pool.column("candidate"), QUESTION_ALONE), QUESTION_DEPTH, OPTION_DEPTH)
    kept = pool.filter(pc.less_equal(pool.column("rank"), depth))
    parts = [[{"name": retrieval, "value": score}] for score in kept.column("score").to_pylist()]
    return _table(benchmark, retrieval, kept, parts)


def _table(benchmark: str, retrieval: str, rows: pa.Table, parts: list[list[dict[str, object]]]) -> pa.Table:
    columns = {name: rows.column(name) for name in ("question_id", "candidate", "rank", "chunk_id", "score")}
    constant = {"benchmark": benchmark, "retrieval": retrieval}
    arrays = {name: pa.array([value] * rows.num_rows, pa.string()) for name, value in constant.items()}
    score_parts = pa.array(parts, RANKED_CHUNKS.schema.field("score_parts").type)
    return pa.table({**arrays, **columns, "score_parts": score_parts}).select(RANKED_CHUNKS.schema.names)


def token_set(encoded: EncodedWords, statistics: TermStatistics, name: str) -> TokenSet:
    """Return a text's words with their BM25 weights.

    Raises:
        InvalidTokenSetError: a vector is not finite.
    """
    tokens = TokenSet(encoded.vectors, bm25_marginal(encoded.words, statistics), encoded.sentence)
    check_token_set(tokens, name)
    return tokens


def coverage_ranking(
    pools: Pools,
    encoder: Encoder,
    statistics: TermStatistics,
    benchmark: str,
    retrieval: str,
    progress: Progress | None = None,
) -> pa.Table:
    """Rank every pool by coverage. Each chunk is encoded once, whatever the number of queries that hold it.

    Memory holds the queries' words and `_CHUNKS_AT_ONCE` chunks' words, whatever the size of the pools.
    """
    asked = [
        token_set(encoded, statistics, f"query {query.question_id}/{query.candidate}")
        for query, encoded in zip(
            pools.queries, encoder.encode_words([query.text for query in pools.queries]), strict=True
        )
    ]
    costs = np.empty((len(pools.query), 4))
    by_chunk: NDArray[np.int64] = np.argsort(pools.chunk, kind="stable")
    bounds = np.searchsorted(pools.chunk[by_chunk], np.arange(len(pools.chunk_ids) + 1))
    for number, chunk in _encoded_chunks(pools, encoder, statistics, progress):
        pairs = by_chunk[bounds[number] : bounds[number + 1]]
        result = coverage_costs([asked[query] for query in pools.query[pairs].tolist()], chunk)
        columns = [result.total, result.question, result.chunk, result.sentence]
        # Rounded to what single precision knows: a cost must not depend on the queries beside it.
        costs[pairs] = np.round(np.stack(columns, axis=1), _DECIMALS)
    return _best(pools, costs, benchmark, retrieval)


def _encoded_chunks(
    pools: Pools, encoder: Encoder, statistics: TermStatistics, progress: Progress | None
) -> Iterator[tuple[int, TokenSet]]:
    total = len(pools.chunk_texts)
    # Chunks of like length side by side: the encoder pads less.
    order = sorted(range(total), key=lambda number: (-len(pools.chunk_texts[number]), number))
    for start in range(0, total, _CHUNKS_AT_ONCE):
        part = order[start : start + _CHUNKS_AT_ONCE]
        encoded = encoder.encode_words([pools.chunk_texts[number] for number in part])
        for number, words in zip(part, encoded, strict=True):
            yield number, token_set(words, statistics, f"chunk {pools.chunk_ids[number]}")
        if progress is not None:
            progress(start + len(part), total)


def _best(pools: Pools, costs: NDArray[np.float64], benchmark: str, retrieval: str) -> pa.Table:
    """Keep each query's cheapest chunks; equal costs are ordered by chunk id."""
    rows: dict[str, list[object]] = {
        name: [] for name in ("question_id", "candidate", "rank", "chunk_id", "score")
    }
    parts: list[list[dict[str, object]]] = []
    bounds = np.searchsorted(pools.query, np.arange(len(pools.queries) + 1))
    for number, query in enumerate(pools.queries):
        pairs = range(int(bounds[number]), int(bounds[number + 1]))
        depth = QUESTION_DEPTH if query.candidate == QUESTION_ALONE else OPTION_DEPTH
        best = sorted(pairs, key=lambda pair: (costs[pair, 0], pools.chunk_ids[int(pools.chunk[pair])]))[
            :depth
        ]
        for rank, pair in enumerate(best, start=1):
            rows["question_id"].append(query.question_id)
            rows["candidate"].append(query.candidate)
            rows["rank"].append(rank)
            rows["chunk_id"].append(pools.chunk_ids[int(pools.chunk[pair])])
            rows["score"].append(-float(costs[pair, 0]))
            names = ("question_cost", "chunk_cost", "sentence_cost")
            parts.append(
                [
                    {"name": name, "value": float(cost)}
                    for name, cost in zip(names, costs[pair, 1:], strict=True)
                ]
            )
    types = {name: RANKED_CHUNKS.schema.field(name).type for name in rows}
    table = pa.table({name: pa.array(values, types[name]) for name, values in rows.items()})
    return _table(benchmark, retrieval, table, parts)


def pools_of(pool: pa.Table, asked: Sequence[Query], texts: Mapping[str, str]) -> Pools:
    """Number the queries and chunks of `chunk_pools` rows.

    Raises:
        KeyError: a row names a chunk that `texts` lacks: the pools are older than the chunks.
    """
    number_of = {(query.question_id, query.candidate): number for number, query in enumerate(asked)}
    chunk_ids = sorted(pool.column("chunk_id").unique().to_pylist())
    place = {chunk_id: number for number, chunk_id in enumerate(chunk_ids)}
    query = np.array(
        [
            number_of[key]
            for key in zip(
                pool.column("question_id").to_pylist(), pool.column("candidate").to_pylist(), strict=True
            )
        ],
        dtype=np.int64,
    )
    chunk = np.array([place[key] for key in pool.column("chunk_id").to_pylist()], dtype=np.int64)
    order = np.argsort(query, kind="stable")
    return Pools(asked, query[order], chunk[order], chunk_ids, [texts[key] for key in chunk_ids])
