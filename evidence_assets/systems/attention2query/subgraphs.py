"""Algorithm 3: the tokens' neighbourhoods as one subgraph, its nodes held against the whole question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph, Integers
from evidence_assets.models.encoder import FloatArray
from evidence_assets.systems.attention2query.neighbourhoods import Neighbourhood

_DECIMALS = 6

Scores = NDArray[np.float64]
Attention = Callable[[FloatArray, FloatArray], Scores]


@dataclass(frozen=True)
class Subgraph:
    """Nodes (m,) ascending, with their scores and hops, and the edges (e,) ascending between any two."""

    nodes: NDArray[np.int32]
    scores: Scores
    hops: NDArray[np.int8]
    edges: Integers

    def edge_scores(self, graph: Graph, edges: Integers) -> Scores:
        """Return (k,) the mean score of the ends of some of its edges."""
        ends = [np.searchsorted(self.nodes, side[edges]) for side in (graph.heads, graph.tails)]
        scores: Scores = ((self.scores[ends[0]] + self.scores[ends[1]]) / 2).round(_DECIMALS)
        return scores


def merged(
    graph: Graph,
    around: Sequence[Neighbourhood],
    tokens: FloatArray,
    vectors: FloatArray,
    attention: Attention,
    penalty: float,
    count: int,
) -> Subgraph:
    """Return the `count` nodes of all neighbourhoods with the most attention from the question (4.4).

    `tokens`: (1 + t, d): the whole question, then its tokens. `vectors`: (n, d) of all nodes. `attention`:
    how much the question and its tokens (1 + t, d) attend to each node (b, d): (b,) scores. `penalty`: what a
    node's score loses a hop from the nearest token's nodes.

    What the tokens themselves stand for stays, whatever its score: without it nothing joins.
    """
    met = np.concatenate([np.empty(0, np.int32), *(part.nodes for part in around)])
    far = np.concatenate([np.empty(0, np.int8), *(part.hops for part in around)])
    nodes, place = np.unique(met, return_inverse=True)
    hops = np.full(len(nodes), np.iinfo(np.int8).max, dtype=np.int8)
    np.minimum.at(hops, place, far)
    scores = (attention(tokens, vectors[nodes]) - penalty * hops).round(_DECIMALS)
    best = np.sort(np.lexsort((nodes, -scores, hops > 0))[:count])
    nodes, scores, hops = nodes[best].astype(np.int32), scores[best], hops[best]
    return Subgraph(nodes, scores, hops, edges_within(graph, nodes))


def cosine_attention(tokens: FloatArray, nodes: FloatArray) -> Scores:
    """Return (b,) the cosines of nodes (b, d) to the first token, the whole question: the default."""
    scores: Scores = (nodes @ tokens[0]).astype(np.float64).round(_DECIMALS)
    return scores


def edges_within(graph: Graph, nodes: NDArray[np.int32]) -> Integers:
    """Return the edges of which both ends are among `nodes`, ascending; no loops."""
    if not len(nodes):
        return np.empty(0, dtype=np.int32)
    incident = np.unique(np.concatenate([graph.edges_of(int(node)) for node in nodes]))
    inside = np.zeros(len(graph.labels), dtype=np.bool_)
    inside[nodes] = True
    heads, tails = graph.heads[incident], graph.tails[incident]
    edges: Integers = incident[inside[heads] & inside[tails] & (heads != tails)]
    return edges
