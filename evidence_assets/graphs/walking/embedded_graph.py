"""A graph with its adjacency, the vectors of its labels and its PageRank, for walks and relevance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.walking.adjacency import Adjacency, adjacency
from evidence_assets.graphs.walking.walks import prior
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.encoder import FloatArray

_DECIMALS = 6


@dataclass(frozen=True)
class EmbeddedGraph:
    """A graph, its adjacency, (n, d) unit vectors of its labels, and its (n,) global PageRank."""

    graph: Graph
    adjacency: Adjacency
    vectors: FloatArray
    prior: NDArray[np.float64]

    def cosines(self, questions: FloatArray) -> NDArray[np.float64]:
        """Return (n, b) the cosines of all nodes to b questions' unit vectors, to six decimals."""
        cosines: NDArray[np.float64] = (self.vectors @ questions.T).astype(np.float64).round(_DECIMALS)
        return cosines


def embed_graph(graph: Graph, encoder: CachedEncoder) -> EmbeddedGraph:
    """Return a graph with its adjacency, label vectors and PageRank; the encoder caches the vectors."""
    neighbours = adjacency(graph)
    vectors = encoder.encode(graph.labels.to_pylist())
    return EmbeddedGraph(graph, neighbours, vectors, prior(neighbours))
