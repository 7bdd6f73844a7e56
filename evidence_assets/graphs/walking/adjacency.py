"""Adjacency of a graph: undirected, without relations and self-loops, for walks and paths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph


@dataclass(frozen=True)
class Adjacency:
    """The distinct neighbours of n nodes, as compressed rows.

    The neighbours of node v are `neighbours[offsets[v]:offsets[v + 1]]`, ascending, v not among them. Every
    pair appears in both rows. `weights` holds the weight of the heaviest triple between each pair,
    1 where none has a weight; None where all are 1.
    """

    offsets: NDArray[np.int64]
    neighbours: NDArray[np.int32]
    weights: NDArray[np.float64] | None = None

    @property
    def size(self) -> int:
        """Number of nodes, n."""
        return len(self.offsets) - 1

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """(n,) number of distinct neighbours."""
        return np.diff(self.offsets)

    @cached_property
    def matrix(self) -> Any:
        """The (n, n) sparse matrix of the weights (scipy, compressed rows)."""
        from scipy.sparse import csr_array

        weights = np.ones(len(self.neighbours)) if self.weights is None else self.weights
        return csr_array((weights, self.neighbours, self.offsets), shape=(self.size, self.size))

    def of(self, node: int) -> NDArray[np.int32]:
        """Return the neighbours of a node, ascending."""
        return self.neighbours[self.offsets[node] : self.offsets[node + 1]]

    def within(self, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return (2, m) positions in `nodes` (ascending) of every pair of neighbours, the smaller first."""
        starts, counts = self.offsets[nodes], self.degrees[nodes]
        owner = np.repeat(np.arange(len(nodes)), counts)
        slots = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts) + starts[owner]
        place = np.searchsorted(nodes, self.neighbours[slots])
        inside = (place < len(nodes)) & (owner < place)
        inside[inside] = nodes[place[inside]] == self.neighbours[slots[inside]]
        return np.stack([owner[inside], place[inside]]).astype(np.int32)


def adjacency(graph: Graph) -> Adjacency:
    """Return the adjacency of a graph."""
    n = len(graph.labels)
    is_proper = graph.heads != graph.tails
    heads, tails = graph.heads[is_proper].astype(np.int64), graph.tails[is_proper].astype(np.int64)
    both_ways = np.concatenate([heads * n + tails, tails * n + heads])
    pairs = np.unique(both_ways)
    counts = np.bincount(pairs // n, minlength=n) if n else np.empty(0, dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    heaviest = None
    if not np.all(graph.weights == 1.0):
        heaviest = np.zeros(len(pairs))
        np.maximum.at(heaviest, np.searchsorted(pairs, both_ways), np.tile(graph.weights[is_proper], 2))
    return Adjacency(offsets, (pairs % n if n else pairs).astype(np.int32), heaviest)


def edges_between(graph: Graph, first: int, second: int) -> list[int]:
    """Return the edges between two nodes, heaviest first."""
    start, end = sorted((first, second), key=graph.degree)
    edges = graph.edges_of(start)
    reaches_end = (graph.heads[edges] == end) | (graph.tails[edges] == end)
    return [int(edge) for edge in edges[reaches_end]]
