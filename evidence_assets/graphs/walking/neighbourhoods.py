"""The neighbourhood of a question's concepts: D hops, capped by personalised PageRank."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.walking.adjacency import Adjacency
from evidence_assets.graphs.walking.walks import walk

UNREACHED = -1


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The nodes within some hops of seeds, ascending, with distances; `reached`: their number uncapped."""

    nodes: NDArray[np.int32]
    distances: NDArray[np.int8]
    reached: int

    @property
    def dropped(self) -> int:
        """Nodes within reach that the cap left out."""
        return self.reached - len(self.nodes)


def distances(adjacency: Adjacency, seeds: Sequence[int], hops: int) -> NDArray[np.int8]:
    """Return (n,) the number of hops from the nearest seed, or -1 past `hops`."""
    hops_from_seed = np.full(adjacency.size, UNREACHED, dtype=np.int8)
    frontier = np.unique(np.asarray(seeds, dtype=np.int32))
    hops_from_seed[frontier] = 0
    for hop in range(1, hops + 1):
        starts, counts = adjacency.offsets[frontier], adjacency.degrees[frontier]
        ends = np.cumsum(counts)
        slots = np.arange(int(counts.sum())) + np.repeat(starts - (ends - counts), counts)
        visited = adjacency.neighbours[slots]
        fresh = np.zeros(adjacency.size, dtype=np.bool_)
        fresh[visited] = True
        fresh &= hops_from_seed == UNREACHED
        frontier = np.flatnonzero(fresh).astype(np.int32)
        if not len(frontier):
            break
        hops_from_seed[frontier] = hop
    return hops_from_seed


def neighbourhood(
    adjacency: Adjacency, seeds: Sequence[int], hops: int, limit: int | None = None
) -> Neighbourhood:
    """Return the nodes within `hops` of the seeds (thesis 6.4.2), at most `limit`.

    Of more, those with the greatest mass of a walk that restarts at the seeds are kept, seeds first, ties
    by number. Without a seed it is empty.
    """
    hops_from_seed = distances(adjacency, seeds, hops)
    nodes = np.flatnonzero(hops_from_seed != UNREACHED).astype(np.int32)
    reached = len(nodes)
    if limit is not None and reached > limit:
        mass = walk(adjacency, _uniform(adjacency.size, seeds))[nodes, 0].round(12)
        best = np.lexsort((nodes, -mass, hops_from_seed[nodes] > 0))[:limit]
        nodes = np.sort(nodes[best])
    return Neighbourhood(nodes, hops_from_seed[nodes], reached)


def _uniform(size: int, seeds: Sequence[int]) -> NDArray[np.float64]:
    column = np.zeros((size, 1))
    distinct = np.unique(np.asarray(seeds, dtype=np.int64))
    column[distinct] = 1.0 / len(distinct)
    return column
