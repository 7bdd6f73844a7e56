"""Rankings by the chunks' own vectors: the first stage's order, Euclidean distance, contrast of options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evidence_assets.lake.schemas import RANKED_CHUNKS
from evidence_assets.models.encoder import Encoder
from evidence_assets.progress import blocks
from evidence_assets.reading.selection import CONTRAST
from evidence_assets.text.queries import NO_OPTION, Query

# Chunks kept for each option: the largest k of thesis 7.4.1 (default 15). The question alone is
# ranked deeper, to measure recall.
OPTION_DEPTH = 20
QUESTION_DEPTH = 100
_QUESTIONS_AT_ONCE = 64
_DECIMALS = 6


def depth_of(candidate: int) -> int:
    """Return the number of chunks kept for a query."""
    return QUESTION_DEPTH if candidate == NO_OPTION else OPTION_DEPTH


def first_stage_ranking(pool: pa.Table, benchmark: str, retrieval: str) -> pa.Table:
    """Return `ranked_chunks` rows in the first stage's order; its score is the only part."""
    depth = pc.if_else(pc.equal(pool.column("candidate"), NO_OPTION), QUESTION_DEPTH, OPTION_DEPTH)
    kept = pool.filter(pc.less_equal(pool.column("rank"), depth))
    return _rows(kept, kept.column("score").to_numpy(), retrieval, benchmark, retrieval)


def euclidean_ranking(pool: pa.Table, benchmark: str, retrieval: str) -> pa.Table:
    """Return `ranked_chunks` rows by the distance between unit vectors.

    `pool`: dense `chunk_pools` rows, whose score is the cosine c. The distance is sqrt(2 - 2 c), so the order
    is the cosine's: the two arms differ in their scores alone. Tables 7.5 and 7.6 have different figures for
    the two, and the thesis does not say which vectors' distance its is: it is not this one, and no arm is
    published under its figures.
    """
    ranked = first_stage_ranking(pool, benchmark, retrieval)
    distances = np.sqrt(np.maximum(0.0, 2.0 - 2.0 * ranked.column("score").to_numpy()))
    return _rows(ranked, -distances, "negative_distance", benchmark, retrieval)


def _rows(
    ranked: pa.Table, scores: NDArray[np.floating], part: str, benchmark: str, retrieval: str
) -> pa.Table:
    values = scores.astype(np.float64).tolist()
    columns = {name: ranked.column(name) for name in ("question_id", "candidate", "rank", "chunk_id")}
    columns |= {
        "benchmark": pa.array([benchmark] * len(values), pa.string()),
        "retrieval": pa.array([retrieval] * len(values), pa.string()),
        "score": pa.array(values, pa.float64()),
        "score_parts": pa.array(
            [[{"name": part, "value": value}] for value in values],
            RANKED_CHUNKS.schema.field("score_parts").type,
        ),
    }
    return pa.table(columns, schema=RANKED_CHUNKS.schema)


def contrastive_ranking(
    pool: pa.Table,
    queries_to_rank: Sequence[Query],
    texts: Mapping[str, str],
    encoder: Encoder,
    benchmark: str,
    retrieval: str,
) -> pa.Table:
    """Return `ranked_chunks` rows by how much more a chunk supports one option than the others.

    Every option of an abstract question has the question's own nearest chunks; thesis 7.6 asks for retrieval
    that tells options apart. Over the union of a question's pools, with s_i the cosine of a chunk to question
    + option i, option i is given the chunks of greatest s_i + (s_i - mean of s_j over the other options). The
    question alone, and a question with fewer than two options, keep the cosine's order.

    `pool`: dense `chunk_pools` rows. `texts`: the pooled chunks' texts, by id.
    """
    by_question: dict[str, list[Query]] = {}
    for query in queries_to_rank:
        by_question.setdefault(query.question_id, []).append(query)
    pooled: dict[str, dict[str, None]] = {}
    for question_id, chunk_id in zip(
        pool.column("question_id").to_pylist(), pool.column("chunk_id").to_pylist(), strict=True
    ):
        pooled.setdefault(question_id, {})[chunk_id] = None
    rows: list[dict[str, object]] = []
    questions = [(key, queries) for key, queries in by_question.items() if key in pooled]
    for block in blocks(questions, _QUESTIONS_AT_ONCE):
        chunk_ids = sorted({chunk_id for key, _ in block for chunk_id in pooled[key]})
        place = {chunk_id: number for number, chunk_id in enumerate(chunk_ids)}
        chunks = encoder.encode([texts[chunk_id] for chunk_id in chunk_ids])
        for key, queries in block:
            columns_of_pool = np.array([place[chunk_id] for chunk_id in sorted(pooled[key])], dtype=np.int64)
            products = encoder.encode([query.text for query in queries]) @ chunks[columns_of_pool].T
            # Rounded as doubles: a contrast of nothing is 0, not the last bit of single precision.
            cosines = products.astype(np.float64).round(_DECIMALS)
            scores = contrasted(cosines, [query.candidate for query in queries]).round(_DECIMALS)
            contrasts = (scores - cosines).round(_DECIMALS)
            for query, score, cosine, contrast in zip(queries, scores, cosines, contrasts, strict=True):
                best = np.lexsort((columns_of_pool, -score))[: depth_of(query.candidate)]
                rows += [
                    {
                        "benchmark": benchmark,
                        "retrieval": retrieval,
                        "question_id": key,
                        "candidate": query.candidate,
                        "rank": rank,
                        "chunk_id": chunk_ids[columns_of_pool[number]],
                        "score": float(score[number]),
                        "score_parts": [
                            {"name": "cosine", "value": float(cosine[number])},
                            {"name": "contrast", "value": float(contrast[number])},
                        ],
                    }
                    for rank, number in enumerate(best.tolist(), start=1)
                ]
    return pa.Table.from_pylist(rows, schema=RANKED_CHUNKS.schema)


def contrasted(cosines: NDArray[np.floating], candidates: Sequence[int]) -> NDArray[np.float64]:
    """Return (q, u) scores from (q, u) cosines of q queries, of which some are options."""
    scores: NDArray[np.float64] = cosines.astype(np.float64)
    options = np.array([candidate != NO_OPTION for candidate in candidates])
    count = int(options.sum())
    if count > 1:
        of_options = scores[options]
        others = (of_options.sum(axis=0) - of_options) / (count - 1)
        scores[options] = of_options + CONTRAST * (of_options - others)
    return scores
