"""Joint reranking: a question's chunks and triples scored against all of its query texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.lake.schemas import RERANKED_EVIDENCE
from evidence_assets.models.pair_scorer import PairScorer
from evidence_assets.progress import Progress, blocks
from evidence_assets.text.queries import NO_OPTION, Query

# Identifies a unit of evidence: its table and row key.
Unit = tuple[str, str]

_QUESTIONS_AT_ONCE = 64
_DECIMALS = 6


@dataclass(slots=True)
class _Pool:
    """A question's candidate units: the text of each, and its rank in each query's list."""

    queries: list[Query]
    texts: dict[Unit, str] = field(default_factory=dict)
    ranks: dict[tuple[int, Unit], int] = field(default_factory=dict)

    def add(self, candidate: int, unit: Unit, rank: int, text: str) -> None:
        """Add a unit of one query's list; a repeated one keeps its better rank."""
        self.texts[unit] = text
        self.ranks[candidate, unit] = min(rank, self.ranks.get((candidate, unit), rank))


def separation(scores: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return (u,) the verification signal of u units from their scores against n options, (n, u).

    The best option's score less the mean of all: evidence for one option stands out, evidence on the
    topic alone scores alike for all and gets about 0. With fewer than two options it is 0.
    """
    if not len(scores):
        return np.zeros(scores.shape[1])
    # In double precision: in single, the mean of equal logits is off by more than rounding removes.
    doubled = scores.astype(np.float64)
    result: NDArray[np.float64] = (doubled.max(axis=0) - doubled.mean(axis=0)).round(_DECIMALS)
    return result + 0.0  # no negative zero


def reranked_rows(
    queries: Sequence[Query],
    ranked_chunks: pa.Table,
    chunk_texts: Mapping[str, str],
    ranked_triples: pa.Table,
    scorer: PairScorer,
    benchmark: str,
    retrieval: str,
    depth: int,
    progress: Progress | None = None,
) -> Iterator[pa.Table]:
    """Yield `reranked_evidence` rows, block by block of questions.

    `ranked_chunks`, `ranked_triples`: rows of the tables of these names, for this benchmark (and retrieval).
    `depth`: chunks taken from each query's list; triples are taken as deep as they are ranked.

    Every unit retrieved for any query of a question is scored against all of the question's queries: what was
    retrieved for one option may support another, and the comparison shows what separates them.
    """
    pools = _pools(queries, ranked_chunks, chunk_texts, ranked_triples, depth)
    for block in blocks(list(pools.items()), _QUESTIONS_AT_ONCE, progress):
        yield _scored(block, scorer, benchmark, retrieval)


def _pools(
    queries: Sequence[Query],
    ranked_chunks: pa.Table,
    chunk_texts: Mapping[str, str],
    ranked_triples: pa.Table,
    depth: int,
) -> dict[str, _Pool]:
    pools: dict[str, _Pool] = {}
    for query in queries:
        pools.setdefault(query.question_id, _Pool([])).queries.append(query)
    columns = ["question_id", "candidate", "rank"]
    for row in ranked_chunks.select([*columns, "chunk_id"]).to_pylist():
        if row["rank"] <= depth:
            unit = ("chunks", row["chunk_id"])
            pools[row["question_id"]].add(row["candidate"], unit, row["rank"], chunk_texts[row["chunk_id"]])
    for row in ranked_triples.select([*columns, "triple_id", "text"]).to_pylist():
        unit = ("triples", row["triple_id"])
        pools[row["question_id"]].add(row["candidate"], unit, row["rank"], row["text"])
    return pools


def _scored(
    block: Sequence[tuple[str, _Pool]], scorer: PairScorer, benchmark: str, retrieval: str
) -> pa.Table:
    queries: list[str] = []
    texts: list[str] = []
    for _, pool in block:
        for query in pool.queries:
            queries += [query.text] * len(pool.texts)
            texts += pool.texts.values()
    scores = scorer.score(queries, texts)
    columns: dict[str, list[Any]] = {name: [] for name in RERANKED_EVIDENCE.schema.names}
    start = 0
    for question_id, pool in block:
        units = list(pool.texts)
        size = len(pool.queries) * len(units)
        matrix = scores[start : start + size].reshape(len(pool.queries), len(units))
        start += size
        is_option = [query.candidate != NO_OPTION for query in pool.queries]
        separations = separation(matrix[is_option]).tolist()
        for query, row in zip(pool.queries, matrix.tolist(), strict=True):
            columns["candidate"] += [query.candidate] * len(units)
            columns["found_rank"] += [pool.ranks.get((query.candidate, unit)) for unit in units]
            columns["score"] += row
            columns["separation"] += separations
        columns["source_table"] += [table for table, _ in units] * len(pool.queries)
        columns["source_key"] += [key for _, key in units] * len(pool.queries)
        columns["question_id"] += [question_id] * size
    total = len(columns["question_id"])
    columns |= {
        "benchmark": [benchmark] * total,
        "retrieval": [retrieval] * total,
        "scorer": [scorer.scorer_id] * total,
    }
    return pa.table(columns, schema=RERANKED_EVIDENCE.schema)
