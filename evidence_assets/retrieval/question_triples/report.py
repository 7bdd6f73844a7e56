"""What linked questions and ranked triples show of themselves."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.graph import Graph
from evidence_assets.lake.previews import bars, histogram, table_preview


def of_links(links: pa.Table, questions: pa.Table) -> dict[str, Any]:
    """Return how phrases were linked, and which concepts have more triples than are looked at."""
    methods = links.column("method").value_counts()
    counts = {one["values"]: one["counts"] for one in methods.to_pylist()}
    capped = links.filter(pc.greater(links.column("dropped"), 0))
    asked = pc.unique(links.filter(pc.equal(links.column("candidate"), -1)).column("question_id"))
    distinct = capped.group_by(["label"]).aggregate([("triples", "max"), ("dropped", "max")])
    return {
        "methods": bars(counts, "How phrases were linked", "links"),
        "questions_without_concept": questions.num_rows - len(asked),
        "capped_concepts": len(distinct),
        "capped": table_preview(distinct.sort_by([("dropped_max", "descending")]), count=20),
    }


def of_triples(ranked: pa.Table, graph: Graph, scorer: str) -> dict[str, Any]:
    """Return whose concepts the kept triples stand at, and how they score."""
    touches = ranked.column("touches").value_counts()
    return {
        "scorer": scorer,
        "graph_bytes_in_memory": graph.nbytes,
        "touches": bars(
            {one["values"]: one["counts"] for one in touches.to_pylist()}, "Whose concepts", "triples"
        ),
        "scores": histogram(ranked.column("score").to_numpy(), "Scores of kept triples", "score"),
    }
