"""What words for its relations bring a graph that has none of its own: `authored/graph_wordings`.

    python -m benchmarks graph_wordings

Each graph is asked by the names of its types and relations alone; by the schema that `evidence-assets
draft-schema` makes of them, as it is; and by that draft as somebody reworded it who knew the graph and none
of its questions. A third of the questions has no answer. The baseline is the best path by names, which
answers always. Dog shows, milliners and watermills are held out; those of the six sets before them were, each
until it was opened, and are development data since.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.graphs.graph_questions import SchemaMaker, opened, own_schema
from benchmarks.graphs.schema_graphs import AUTHORED, Answering, answers, by_best_path, by_default, figures
from benchmarks.texts import starter_encoder
from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.graph.schema import Schema, load_schema
from evidence_assets.kgqa.graph.schema_draft import schema_draft

PARTS = ("held_out", "development")
WORDINGS = "wordings.yaml"


def run() -> dict[str, Any]:
    """Return what is answered and what of it rightly, by part, way and graph."""
    encoder = starter_encoder()
    by_words, by_path = (partial(answering, encoder=encoder) for answering in (by_default, by_best_path))
    ways: dict[str, tuple[SchemaMaker, Answering]] = {
        "names": (own_schema, by_words),
        "draft": (_drafted, by_words),
        "reworded": (_reworded, by_words),
        "best_path": (own_schema, by_path),
    }
    result: dict[str, Any] = {}
    for part in PARTS:
        folders = sorted(path.parent for path in (AUTHORED / "graph_wordings" / part).glob(f"*/*/{WORDINGS}"))
        result[part] = {"graphs": [path.name for path in folders]}
        for way, (schema_of, answering) in ways.items():
            of_graphs = {path.name: answers(opened(path, schema_of), answering, encoder) for path in folders}
            result[part][way] = {
                **figures([row for rows in of_graphs.values() for row in rows]),
                "by_graph": {name: figures(rows) for name, rows in of_graphs.items()},
            }
    return result


def _drafted(folder: Path, graph: Graph, kinds: Sequence[str | None]) -> Schema:
    return load_schema(schema_draft(graph, kinds, {}), f"draft of {folder.name}")


def _reworded(folder: Path, graph: Graph, kinds: Sequence[str | None]) -> Schema:
    file = folder / WORDINGS
    return load_schema(file.read_text(encoding="utf-8"), str(file))
