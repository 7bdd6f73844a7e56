"""Rows of `graph_embeddings`: node vectors as stored in the lake."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from evidence_assets.graphs.embeddings import GraphEmbeddings
from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.loaders import check_numbers
from evidence_assets.lake.lake import TableReader
from evidence_assets.lake.schemas import GRAPH_EMBEDDINGS


def embedding_rows(graph: Graph, embeddings: GraphEmbeddings) -> pa.Table:
    """Return `graph_embeddings` rows."""
    n = len(graph.labels)
    return pa.table(
        {
            "kg": pa.array([graph.name] * n, pa.string()),
            "node": pa.array(np.arange(n), pa.int32()),
            "label": graph.labels,
            "method": pa.array([embeddings.method] * n, pa.string()),
            "known": pa.array(embeddings.known),
            "vector": pa.array(list(embeddings.vectors), pa.list_(pa.float32())),
        },
        schema=GRAPH_EMBEDDINGS.schema,
    )


def open_embeddings(lake: TableReader, graph: Graph) -> GraphEmbeddings:
    """Return a graph's vectors from the lake.

    Raises:
        MissingPartitionError: they were never computed.
        BrokenGraphError: the graph was rebuilt since.
    """
    rows = lake.read(GRAPH_EMBEDDINGS, {"kg": graph.name})
    check_numbers(graph, rows, GRAPH_EMBEDDINGS.name)
    values = rows.column("vector").combine_chunks()
    vectors = values.flatten().to_numpy().reshape(rows.num_rows, -1)
    known = rows.column("known").to_numpy(zero_copy_only=False)
    method = rows.column("method")[0].as_py() if rows.num_rows else ""
    return GraphEmbeddings(vectors.astype(np.float32), known.astype(np.bool_), method)
