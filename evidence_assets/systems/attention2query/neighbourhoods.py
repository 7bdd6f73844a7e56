"""Algorithm 2: a token's neighbourhood, the best node expanded first, distance penalised."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.walking.adjacency import Adjacency
from evidence_assets.graphs.walking.walk_seeds import nearest
from evidence_assets.models.encoder import FloatArray
from evidence_assets.systems.attention2query.arms import Reach

# Vectors of a hub's neighbours gathered at a time.
_AT_ONCE = 16_384
_DECIMALS = 6


@dataclass(frozen=True)
class Neighbourhood:
    """Nodes (m,), best first, their penalised scores, and how many hops each is from the token's nodes."""

    nodes: NDArray[np.int32]
    scores: NDArray[np.float64]
    hops: NDArray[np.int8]


def neighbourhood(
    adjacency: Adjacency, starts: Sequence[int], token: FloatArray, vectors: FloatArray, reach: Reach
) -> Neighbourhood:
    """Return the nodes around a token's, scored by s = attention - lambda x distance (4.3, steps 2 to 4).

    `starts`: the nodes that the token stands for: at distance 0. `token`: (d,) the token's vector. `vectors`:
    (n, d) of all nodes. Attention is the product of two vectors.

    All start nodes are expanded; then, repeatedly, the best node not yet expanded. A node is as far as it was
    first met. Of equal scores the lower number counts as better.
    """
    reached: dict[int, tuple[float, int]] = {}
    waiting: list[tuple[float, int]] = []
    seen = np.zeros(adjacency.size, dtype=np.bool_)
    distinct = np.unique(np.asarray(starts, dtype=np.int64))

    def meet(nodes: NDArray[np.integer], distance: int) -> None:
        fresh = nodes[~seen[nodes]]
        seen[fresh] = True
        scores = (products(vectors, fresh, token) - reach.penalty * distance).round(_DECIMALS)
        # A hub's neighbours beyond this number could be neither kept nor expanded.
        best = np.lexsort((fresh, -scores))[: max(reach.kept, reach.expanded)]
        for node, score in zip(fresh[best].tolist(), scores[best].tolist(), strict=True):
            reached[node] = (score, distance)
            if distance < reach.hops:
                heapq.heappush(waiting, (-score, node))

    meet(distinct, 0)
    expansions_left = reach.expanded + len(distinct)
    waiting = [(-np.inf, node) for node in distinct.tolist() if reach.hops > 0]
    while waiting and expansions_left:
        _, node = heapq.heappop(waiting)
        expansions_left -= 1
        meet(adjacency.of(node), reached[node][1] + 1)
    order = sorted(reached, key=lambda node: (-reached[node][0], node))[: reach.kept]
    return Neighbourhood(
        np.array(order, dtype=np.int32),
        np.array([reached[node][0] for node in order], dtype=np.float64),
        np.array([reached[node][1] for node in order], dtype=np.int8),
    )


def products(vectors: FloatArray, nodes: NDArray[np.integer], token: FloatArray) -> NDArray[np.float64]:
    """Return (k,) the products of some nodes' vectors with a token's, gathered piece by piece."""
    pieces = [
        (vectors[nodes[start : start + _AT_ONCE]] @ token).astype(np.float64)
        for start in range(0, len(nodes), _AT_ONCE)
    ]
    return np.concatenate([np.empty(0), *pieces])


def nearest_nodes(token: FloatArray, vectors: FloatArray, count: int) -> NDArray[np.int32]:
    """Return the nodes nearest to a token that names none (4.3, step 6), equal ones by number.

    `token` (d,) and `vectors` (n, d) in the same space, that of graph and text.
    """
    cosines = (vectors @ token).astype(np.float64).round(_DECIMALS)
    return nearest(cosines, count).astype(np.int32)
