"""Rows of `document_pools`: the documents nearest to each open question, by vectors and by BM25."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.kgqa.answers.baselines import BM25, DENSE
from evidence_assets.lake.schemas import DOCUMENT_POOLS
from evidence_assets.models.encoder import Encode
from evidence_assets.progress import Progress

# Five times the length of a ranking, so that documents that the graph supports can be taken out.
POOL_DEPTH = 100
_DECIMALS = 6


def open_questions(questions: pa.Table) -> pa.Table:
    """Return the `questions` rows without options: open questions to a graph."""
    return questions.filter(pc.equal(pc.list_value_length(questions.column("options")), 0))


def document_pools(
    questions: pa.Table,
    documents: pa.Table,
    encode: Encode,
    benchmark: str,
    progress: Progress | None = None,
) -> pa.Table:
    """Return `document_pools` rows of the open ones among `questions` rows, over `node_documents` rows.

    `encode`: (n, d) unit vectors of texts; of a question that is too long, of what is kept of it.
    """
    from evidence_assets.corpus.search import Bm25, exact_top

    open_rows = open_questions(questions)
    if not open_rows.num_rows or not documents.num_rows:
        return DOCUMENT_POOLS.schema.empty_table()
    texts, question_texts = documents.column("text").to_pylist(), open_rows.column("question").to_pylist()
    scores, rows = exact_top([encode(texts)], encode(question_texts), POOL_DEPTH)
    rankings = [(DENSE, place, scores[place], rows[place]) for place in range(len(question_texts))]
    index = Bm25(texts)
    for place, text in enumerate(question_texts):
        rankings.append((BM25, place, *index.top(text, POOL_DEPTH)))
        if progress is not None:
            progress(place + 1, len(question_texts))
    return pa.concat_tables([_rows(open_rows, documents, benchmark, *ranking) for ranking in rankings])


def _rows(
    open_rows: pa.Table,
    documents: pa.Table,
    benchmark: str,
    retriever: str,
    place: int,
    scores: np.ndarray[tuple[int], np.dtype[np.float32]],
    rows: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> pa.Table:
    nearest = documents.take(pa.array(rows))
    count = len(rows)
    return pa.table(
        {
            "benchmark": [benchmark] * count,
            "retriever": [retriever] * count,
            "question_id": [open_rows.column("question_id")[place].as_py()] * count,
            "rank": pa.array(range(1, count + 1), pa.int32()),
            "document_id": nearest.column("document_id"),
            "kg": nearest.column("kg"),
            "node": nearest.column("node"),
            "score": scores.astype(np.float64).round(_DECIMALS),
        },
        schema=DOCUMENT_POOLS.schema,
    )


def pools_of(rows: pa.Table, retriever: str) -> dict[str, Sequence[tuple[int, float]]]:
    """Return each question's nearest nodes out of `document_pools` rows, best first, with their scores."""
    nearest = rows.filter(pc.equal(rows.column("retriever"), retriever))
    nearest = nearest.sort_by([("question_id", "ascending"), ("rank", "ascending")])
    pools: dict[str, list[tuple[int, float]]] = {}
    columns = (nearest.column(name).to_pylist() for name in ("question_id", "node", "score"))
    for question_id, node, score in zip(*columns, strict=True):
        pools.setdefault(question_id, []).append((node, score))
    return dict(pools)
