"""A document for every node of a graph: what its sources say of it, then its triples, read out."""

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
    """Yield blocks of `node_documents` rows: one a node.

    Parameters
    ----------
    definitions
        What sources say of concepts, by label; those without are absent.
    templates
        Relation to a sentence with `{head}` and `{tail}`.
    """
    labels = graph.labels.to_pylist()
    for start in range(0, len(labels), _NODES_AT_ONCE):
        block = range(start, min(start + _NODES_AT_ONCE, len(labels)))
        texts, read = [], []
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
            told = [as_sentence(labels[node]), definitions.get(labels[node], ""), *sentences]
            texts.append(" ".join(part for part in told if part))
            read.append(len(edges))
        yield pa.table(
            {
                "document_id": [document_id(graph.name, labels[node]) for node in block],
                "kg": [graph.name] * len(block),
                "node": pa.array(block, pa.int32()),
                "label": [labels[node] for node in block],
                "text": texts,
                "triples": pa.array(read, pa.int32()),
                "dropped": pa.array(
                    [graph.degree(node) - count for node, count in zip(block, read, strict=True)], pa.int32()
                ),
            },
            schema=NODE_DOCUMENTS.schema,
        )
