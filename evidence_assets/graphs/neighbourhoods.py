"""The part of a graph around a question's concepts: D hops, capped by personalised PageRank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.adjacency import Adjacency
from evidence_assets.graphs.walks import walk

UNREACHED = -1


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The nodes within some hops of seeds, ascending, and how far each is; `reached` before the cap."""

    nodes: NDArray[np.int32]
    distances: NDArray[np.int8]
    reached: int

    @property
    def dropped(self) -> int:
        """Nodes within reach that the cap left out."""
        return self.reached - len(self.nodes)


def distances(adjacency: Adjacency, seeds: Sequence[int], hops: int) -> NDArray[np.int8]:
    """Return (n,) the number of hops from the nearest seed, or -1 past `hops`."""
    found = np.full(adjacency.size, UNREACHED, dtype=np.int8)
    frontier = np.unique(np.asarray(seeds, dtype=np.int32))
    found[frontier] = 0
    for hop in range(1, hops + 1):
        starts, counts = adjacency.offsets[frontier], adjacency.degrees[frontier]
        ends = np.cumsum(counts)
        slots = np.arange(int(counts.sum())) + np.repeat(starts - (ends - counts), counts)
        met = adjacency.neighbours[slots]
        fresh = np.zeros(adjacency.size, dtype=np.bool_)
        fresh[met] = True
        fresh &= found == UNREACHED
        frontier = np.flatnonzero(fresh).astype(np.int32)
        if not len(frontier):
            break
        found[frontier] = hop
    return found


def neighbourhood(adjacency: Adjacency, seeds: Sequence[int], hops: int, limit: int) -> Neighbourhood:
    """Return the nodes within `hops` of the seeds (thesis 6.4.2), at most `limit`.

    Of more, those with the most mass of a walk that restarts at the seeds are kept, seeds first, equal ones
    by number. Without a seed it is empty.
    """
    found = distances(adjacency, seeds, hops)
    nodes = np.flatnonzero(found != UNREACHED).astype(np.int32)
    reached = len(nodes)
    if reached > limit:
        mass = walk(adjacency, _uniform(adjacency.size, seeds))[nodes, 0].round(12)
        best = np.lexsort((nodes, -mass, found[nodes] > 0))[:limit]
        nodes = np.sort(nodes[best])
    return Neighbourhood(nodes, found[nodes], reached)


def _uniform(size: int, seeds: Sequence[int]) -> NDArray[np.float64]:
    column = np.zeros((size, 1))
    distinct = np.unique(np.asarray(seeds, dtype=np.int64))
    column[distinct] = 1.0 / len(distinct)
    return column
