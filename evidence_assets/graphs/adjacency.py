"""Who neighbours whom: a graph without directions, relations and loops, for walks and paths."""

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

    The neighbours of node v are `neighbours[offsets[v]:offsets[v + 1]]`, ascending; v is none of them. Every
    pair stands in both rows.
    """

    offsets: NDArray[np.int64]
    neighbours: NDArray[np.int32]

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
        """The (n, n) sparse matrix of ones (scipy, compressed rows)."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.neighbours), dtype=np.float64)
        return csr_array((ones, self.neighbours, self.offsets), shape=(self.size, self.size))

    def of(self, node: int) -> NDArray[np.int32]:
        """Return the neighbours of a node, ascending."""
        return self.neighbours[self.offsets[node] : self.offsets[node + 1]]

    def within(self, nodes: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return (2, m) the places in `nodes` (ascending) of every pair of neighbours, the smaller first."""
        starts, counts = self.offsets[nodes], self.degrees[nodes]
        owner = np.repeat(np.arange(len(nodes)), counts)
        slots = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts) + starts[owner]
        place = np.searchsorted(nodes, self.neighbours[slots])
        inside = (place < len(nodes)) & (owner < place)
        inside[inside] = nodes[place[inside]] == self.neighbours[slots[inside]]
        return np.stack([owner[inside], place[inside]]).astype(np.int32)


def adjacency(graph: Graph) -> Adjacency:
    """Return who neighbours whom in a graph."""
    n = len(graph.labels)
    apart = graph.heads != graph.tails
    heads, tails = graph.heads[apart].astype(np.int64), graph.tails[apart].astype(np.int64)
    pairs = np.unique(np.concatenate([heads * n + tails, tails * n + heads]))
    counts = np.bincount(pairs // n, minlength=n) if n else np.empty(0, dtype=np.int64)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return Adjacency(offsets, (pairs % n if n else pairs).astype(np.int32))


def joining(graph: Graph, one: int, other: int) -> list[int]:
    """Return the edges that join two nodes, heaviest first: those at both."""
    near, far = sorted((one, other), key=graph.degree)
    edges = graph.edges_of(near)
    at_far = (graph.heads[edges] == far) | (graph.tails[edges] == far)
    return [int(edge) for edge in edges[at_far]]
