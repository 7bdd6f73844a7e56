"""A document for every node of a graph: its label and definition, then its verbalised triples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pyarrow as pa

from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.passages import as_sentence
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.schemas import NODE_DOCUMENTS
from evidence_assets.text.verbalisation import verbalise

# What an encoder of 256 tokens reads, and a few more for a language model.
TRIPLES_PER_DOCUMENT = 40
_NODES_AT_ONCE = 50_000


def document_id(kg: str, label: str) -> str:
    """Return the id of a node's document."""
    return content_id("document", kg, label)


def document_rows(
    graph: Graph, definitions: Mapping[str, str], templates: Mapping[str, str]
) -> Iterator[pa.Table]:
    """Yield blocks of `node_documents` rows, one row a node.

    `definitions`: definitions of concepts by label; concepts without one are absent. `templates`: relation to
    a sentence with `{head}` and `{tail}`.
    """
    labels = graph.labels.to_pylist()
    for start in range(0, len(labels), _NODES_AT_ONCE):
        block = range(start, min(start + _NODES_AT_ONCE, len(labels)))
        texts, starts, triple_counts = [], [], []
        for node in block:
            edges = graph.edges_of(node, TRIPLES_PER_DOCUMENT).tolist()
            sentences = [
                as_sentence(
                    verbalise(
                        templates[graph.relation_names[graph.relations[edge]]],
                        labels[graph.heads[edge]],
                        labels[graph.tails[edge]],
                    )
                )
                for edge in edges
            ]
            opening = [
                part for part in (as_sentence(labels[node]), definitions.get(labels[node], "")) if part
            ]
            texts.append(" ".join([*opening, *sentences]))
            starts.append(len(" ".join(opening)))
            triple_counts.append(len(edges))
        yield pa.table(
            {
                "document_id": [document_id(graph.name, labels[node]) for node in block],
                "kg": [graph.name] * len(block),
                "node": pa.array(block, pa.int32()),
                "label": [labels[node] for node in block],
                "text": texts,
                "triples": pa.array(triple_counts, pa.int32()),
                "dropped": pa.array(
                    [graph.degree(node) - count for node, count in zip(block, triple_counts, strict=True)],
                    pa.int32(),
                ),
                "triples_start": pa.array(starts, pa.int32()),
            },
            schema=NODE_DOCUMENTS.schema,
        )
