"""Ranking a benchmark's pools, or its corpus, by transport: `ranked_chunks` and `ranking_certificates`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evidence_assets.lake.schemas import RANKED_CHUNKS, RANKING_CERTIFICATES
from evidence_assets.models.encoder import Encoder
from evidence_assets.progress import Progress, blocks
from evidence_assets.retrieval.rankings import depth_of
from evidence_assets.retrieval.transport.cascade import UNLIMITED, Budget, Candidates, Ranking, rank
from evidence_assets.retrieval.transport.corpus_scan import rank_corpus
from evidence_assets.retrieval.transport.device_bounds import best_bounds
from evidence_assets.retrieval.transport.ground_costs import Cosine
from evidence_assets.retrieval.transport.methods import Method
from evidence_assets.retrieval.transport.objectives import ClosedForm
from evidence_assets.retrieval.transport.sources import EncodedSource
from evidence_assets.retrieval.transport.token_sets import TokenSet
from evidence_assets.text.queries import Query
from evidence_assets.text.term_statistics import TermStatistics
from evidence_assets.text.words import words

# Each rank of an arm that solves linear programs costs one: no recall is reported below this.
SOLVED_QUESTION_DEPTH = 30
# A pair's numbers and bounds; a query word's features, in single and double precision.
_PAIR_BYTES = 128
_FEATURE_BYTES = 16
_QUERIES_AT_ONCE = 2000


@dataclass(frozen=True, slots=True)
class Pools:
    """First-stage candidates by number: pair p asks query `query[p]` about chunk `chunk[p]`.

    `place` is the pair's rank in its pool. `chunk_ids` and `chunk_texts` are the union of the pools, in one
    order; `query` is sorted.
    """

    queries: Sequence[Query]
    query: NDArray[np.int64]
    chunk: NDArray[np.int64]
    place: NDArray[np.int64]
    chunk_ids: Sequence[str]
    chunk_texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class RankedPools:
    """Rows of `ranked_chunks` and of `ranking_certificates`."""

    ranked: pa.Table
    certificates: pa.Table


def pools_of(pool: pa.Table, queries: Sequence[Query], texts: Mapping[str, str]) -> Pools:
    """Number the queries and chunks of `chunk_pools` rows.

    Raises:
        KeyError: a row names a chunk that `texts` lacks: the pools are older than the chunks.
    """
    number_of = {(query.question_id, query.candidate): number for number, query in enumerate(queries)}
    chunk_ids = sorted(pool.column("chunk_id").unique().to_pylist())
    chunk = pc.index_in(pool.column("chunk_id"), value_set=pa.array(chunk_ids, pa.string())).to_numpy()
    chunk = chunk.astype(np.int64)
    # Numbers in place of text: a pool has millions of rows.
    question_codes = pool.column("question_id").combine_chunks().dictionary_encode()
    candidates = pool.column("candidate").to_numpy().astype(np.int64)
    keys = np.stack([question_codes.indices.to_numpy(zero_copy_only=False), candidates], axis=1)
    distinct, of_row = np.unique(keys, axis=0, return_inverse=True)
    names = question_codes.dictionary.to_pylist()
    numbers = [number_of[names[place], candidate] for place, candidate in distinct.tolist()]
    query = np.array(numbers, dtype=np.int64)[of_row.reshape(-1)]
    rank_in_pool = pool.column("rank").to_numpy().astype(np.int64)
    order = np.argsort(query, kind="stable")
    chunk_texts = [texts[key] for key in chunk_ids]
    return Pools(queries, query[order], chunk[order], rank_in_pool[order], chunk_ids, chunk_texts)


def unproved(ranked: pa.Table) -> RankedPools:
    """Return rows of a ranking that has no certificates: it keeps an order, and solves nothing."""
    return RankedPools(ranked, _no_certificates())


def _no_certificates() -> pa.Table:
    return RANKING_CERTIFICATES.schema.empty_table()


def transport_ranking(
    pools: Pools,
    encoder: Encoder,
    statistics: TermStatistics,
    method: Method,
    benchmark: str,
    retrieval: str,
    budget: Budget = UNLIMITED,
    progress: Progress | None = None,
) -> RankedPools:
    """Rank every pool exactly, chunk by chunk for all queries that hold it.

    Queries go in groups that fit the budget's memory; `progress` gets (chunks bounded, chunks in all) of
    the current group.
    """
    source = _source(pools, encoder, statistics, method)
    bounds = best_bounds()
    parts: list[RankedPools] = []
    for first, last in _groups(pools, budget, method.ground.width(encoder.dimension)):
        queries = pools.queries[first:last]
        questions = _questions(queries, encoder, statistics, method)
        pairs = slice(*np.searchsorted(pools.query, [first, last]).tolist())
        candidates = Candidates(pools.query[pairs] - first, pools.chunk[pairs], pools.place[pairs])
        rankings = rank(
            questions,
            candidates,
            source,
            method.ground,
            method.objective,
            [_depth(query, method) for query in queries],
            bounds,
            budget,
            progress,
            _names(queries),
        )
        parts.append(_rows(queries, rankings, pools.chunk_ids, benchmark, retrieval))
    return _together(parts)


def corpus_ranking(
    corpus: Pools,
    encoder: Encoder,
    statistics: TermStatistics,
    method: Method,
    benchmark: str,
    retrieval: str,
    budget: Budget = UNLIMITED,
    progress: Progress | None = None,
) -> RankedPools:
    """Rank every chunk for every query, by a method of cosine cost and closed form.

    `corpus`: as `whole` makes it. Queries go in groups, each of which reads the corpus once; `progress` gets
    (chunks scanned, chunks in all) of the current group.

    Raises:
        ValueError: the method has no closed form of the cosine cost.
    """
    if not isinstance(method.objective, ClosedForm) or method.ground != Cosine():
        raise ValueError(f"retrieval {retrieval} is no closed form of the cosine cost: it needs a pool")
    source = _source(corpus, encoder, statistics, method)
    parts: list[RankedPools] = []
    for queries in blocks(list(corpus.queries), _QUERIES_AT_ONCE):
        rankings = rank_corpus(
            _questions(queries, encoder, statistics, method),
            source,
            method.objective,
            [_depth(query, method) for query in queries],
            budget,
            progress,
            _names(queries),
        )
        parts.append(_rows(queries, rankings, corpus.chunk_ids, benchmark, retrieval))
    return _together(parts)


def whole(texts: Mapping[str, str], queries: Sequence[Query]) -> Pools:
    """Number the queries, and the chunks of a whole corpus by their ids; pair none."""
    nothing, chunk_ids = np.empty(0, np.int64), sorted(texts)
    chunk_texts = [texts[chunk_id] for chunk_id in chunk_ids]
    return Pools(queries, nothing, nothing, nothing, chunk_ids, chunk_texts)


def _source(pools: Pools, encoder: Encoder, statistics: TermStatistics, method: Method) -> EncodedSource:
    return EncodedSource(
        pools.chunk_texts,
        [f"chunk {chunk_id}" for chunk_id in pools.chunk_ids],
        encoder,
        lambda encoded: method.token_set(encoded, statistics),
    )


def _questions(
    queries: Sequence[Query], encoder: Encoder, statistics: TermStatistics, method: Method
) -> list[TokenSet]:
    encoded = encoder.encode_words([query.text for query in queries])
    return [method.token_set(text, statistics) for text in encoded]


def _names(queries: Sequence[Query]) -> list[str]:
    return [f"query {query.question_id}/{query.candidate}" for query in queries]


def _together(parts: Sequence[RankedPools]) -> RankedPools:
    ranked = [RANKED_CHUNKS.schema.empty_table(), *(part.ranked for part in parts)]
    certificates = [_no_certificates(), *(part.certificates for part in parts)]
    return RankedPools(pa.concat_tables(ranked), pa.concat_tables(certificates))


def _depth(query: Query, method: Method) -> int:
    depth = depth_of(query.candidate)
    return min(depth, SOLVED_QUESTION_DEPTH) if method.solves else depth


def _groups(pools: Pools, budget: Budget, width: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of queries whose pairs and words fit half the memory; the other half is for chunks."""
    pairs = np.searchsorted(pools.query, np.arange(1, len(pools.queries) + 1))
    lengths = np.cumsum([len(words(query.text)) for query in pools.queries])
    memory = pairs * _PAIR_BYTES + lengths * width * _FEATURE_BYTES
    first = 0
    while first < len(pools.queries):
        seen = memory[first - 1] if first else 0
        last = int(np.searchsorted(memory, seen + budget.memory_bytes // 2, side="right"))
        last = max(first + 1, min(last, first + _QUERIES_AT_ONCE))
        yield first, last
        first = last


def _rows(
    queries: Sequence[Query],
    rankings: Sequence[Ranking],
    chunk_ids: Sequence[str],
    benchmark: str,
    retrieval: str,
) -> RankedPools:
    ranked: list[dict[str, object]] = []
    certificates: list[dict[str, object]] = []
    for query, ranking in zip(queries, rankings, strict=True):
        key = {
            "benchmark": benchmark,
            "retrieval": retrieval,
            "question_id": query.question_id,
            "candidate": query.candidate,
        }
        numbered = enumerate(zip(ranking.chunks.tolist(), ranking.solutions, strict=True), start=1)
        for place, (chunk, solution) in numbered:
            score_parts = [{"name": name, "value": value} for name, value in solution.parts.items()]
            ranked_chunk = {"rank": place, "chunk_id": chunk_ids[chunk], "score": -solution.cost}
            ranked.append(key | ranked_chunk | {"score_parts": score_parts})
        certificates.append(key | _certificate(ranking))
    return RankedPools(
        pa.Table.from_pylist(ranked, schema=RANKED_CHUNKS.schema),
        pa.Table.from_pylist(certificates, schema=RANKING_CERTIFICATES.schema),
    )


def _certificate(ranking: Ranking) -> dict[str, object]:
    certificate = ranking.certificate
    return {
        "status": certificate.status,
        "pool": certificate.pool,
        "solved": certificate.solved,
        "ruled_out_by_centroid": certificate.centroid,
        "ruled_out_by_bound": certificate.bound,
        "ruled_out_by_ascent": certificate.ascent,
        "open": certificate.open,
        "refused": certificate.refused,
        "threshold": certificate.threshold if ranking.solutions else None,
        "margin": certificate.margin,
        "refusal": ranking.refusal or None,
    }
