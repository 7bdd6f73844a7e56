"""Metadata of linked questions and ranked triples."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.graph import Graph
from evidence_assets.lake.previews import bars, histogram, table_preview


def of_links(links: pa.Table, questions: pa.Table) -> dict[str, Any]:
    """Return the linking methods, and the concepts whose triples were capped."""

    capped = links.filter(pc.greater(links.column("dropped"), 0))
    linked = pc.unique(links.filter(pc.equal(links.column("candidate"), -1)).column("question_id"))
    distinct = capped.group_by(["label"]).aggregate([("triples", "max"), ("dropped", "max")])
    return {
        "methods": bars(_counts(links, "method"), "How phrases were linked", "links"),
        "questions_without_concept": questions.num_rows - len(linked),
        "capped_concepts": len(distinct),
        "capped": table_preview(distinct.sort_by([("dropped_max", "descending")]), count=20),
    }


def _counts(rows: pa.Table, column: str) -> dict[str, int]:
    return {row["values"]: row["counts"] for row in rows.column(column).value_counts().to_pylist()}


def of_triples(ranked: pa.Table, graph: Graph, scorer: str) -> dict[str, Any]:
    """Return whose concepts the kept triples touch, and their scores."""

    return {
        "scorer": scorer,
        "graph_bytes_in_memory": graph.nbytes,
        "touches": bars(_counts(ranked, "touches"), "Whose concepts", "triples"),
        "scores": histogram(ranked.column("score").to_numpy(), "Scores of kept triples", "score"),
    }
