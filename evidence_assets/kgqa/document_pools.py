"""Rows of `document_pools`: the documents nearest to each open question, by vectors and by BM25."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.lake.schemas import DOCUMENT_POOLS
from evidence_assets.models.encoder import Encoder
from evidence_assets.progress import Progress

DENSE, BM25 = "dense", "bm25"
# Five times what is ranked, so that what the graph backs may be taken out.
POOL_DEPTH = 100
_DECIMALS = 6


def open_questions(questions: pa.Table) -> pa.Table:
    """Return the `questions` rows that offer no options: what is asked of a graph as it is."""
    return questions.filter(pc.equal(pc.list_value_length(questions.column("options")), 0))


def document_pools(
    questions: pa.Table,
    documents: pa.Table,
    encoder: Encoder,
    benchmark: str,
    progress: Progress | None = None,
) -> pa.Table:
    """Return `document_pools` rows of the open ones among `questions` rows, over `node_documents` rows."""
    from evidence_assets.corpus.search import Bm25, exact_top

    asked = open_questions(questions)
    if not asked.num_rows or not documents.num_rows:
        return DOCUMENT_POOLS.schema.empty_table()
    texts, wanted = documents.column("text").to_pylist(), asked.column("question").to_pylist()
    scores, rows = exact_top([encoder.encode(texts)], encoder.encode(wanted), POOL_DEPTH)
    found = [(DENSE, place, scores[place], rows[place]) for place in range(len(wanted))]
    index = Bm25(texts)
    for place, text in enumerate(wanted):
        found.append((BM25, place, *index.top(text, POOL_DEPTH)))
        if progress is not None:
            progress(place + 1, len(wanted))
    return pa.concat_tables(
        [_rows(asked, documents, benchmark, *one) for one in found] or [DOCUMENT_POOLS.schema.empty_table()]
    )


def _rows(
    asked: pa.Table,
    documents: pa.Table,
    benchmark: str,
    retriever: str,
    place: int,
    scores: np.ndarray[tuple[int], np.dtype[np.float32]],
    rows: np.ndarray[tuple[int], np.dtype[np.int64]],
) -> pa.Table:
    taken = documents.take(pa.array(rows))
    count = len(rows)
    return pa.table(
        {
            "benchmark": [benchmark] * count,
            "retriever": [retriever] * count,
            "question_id": [asked.column("question_id")[place].as_py()] * count,
            "rank": pa.array(range(1, count + 1), pa.int32()),
            "document_id": taken.column("document_id"),
            "kg": taken.column("kg"),
            "node": taken.column("node"),
            "score": scores.astype(np.float64).round(_DECIMALS),
        },
        schema=DOCUMENT_POOLS.schema,
    )


def pools_of(rows: pa.Table, retriever: str) -> dict[str, Sequence[tuple[int, float]]]:
    """Return each question's nearest nodes out of `document_pools` rows, best first, with their scores."""
    own = rows.filter(pc.equal(rows.column("retriever"), retriever))
    own = own.sort_by([("question_id", "ascending"), ("rank", "ascending")])
    found: dict[str, list[tuple[int, float]]] = {}
    columns = (own.column(name).to_pylist() for name in ("question_id", "node", "score"))
    for question_id, node, score in zip(*columns, strict=True):
        found.setdefault(question_id, []).append((node, score))
    return dict(found)
