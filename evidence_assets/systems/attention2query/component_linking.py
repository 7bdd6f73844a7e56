"""Algorithm 4: chosen triples that fall apart are joined by shortest paths, weak links pruned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from evidence_assets.graphs.walking.paths import PathFinder


@dataclass(frozen=True, slots=True)
class ConnectingPath:
    """A path from one component of the chosen triples to the first, and how relevant it is."""

    nodes: tuple[int, ...]
    score: float


def components(heads: NDArray[np.integer], tails: NDArray[np.integer]) -> list[NDArray[np.int64]]:
    """Return the nodes of every connected component of edges, in the order in which the edges meet them.

    `heads`, `tails`: (k,) the edges' ends. Each component is ascending.
    """
    nodes, places = np.unique(np.stack([heads, tails]).astype(np.int64), return_inverse=True)
    if not len(nodes):
        return []
    size = len(nodes)
    edges = coo_array((np.ones(len(heads)), places.reshape(2, -1)), shape=(size, size))
    _, component_of = connected_components(edges, directed=False)
    met = dict.fromkeys(component_of[places.reshape(2, -1)[0]].tolist())
    return [nodes[component_of == component] for component in met]


def connecting_paths(
    heads: NDArray[np.integer], tails: NDArray[np.integer], finder: PathFinder
) -> list[tuple[int, ...]]:
    """Return, for every component but the first edge's, a shortest path from it to that edge (4.6).

    `heads`, `tails`: (k,) the ends of the chosen triples, best first. `finder`: shortest paths of some steps
    at most. It is asked for the ways to two nodes alone, however many components there are: the time does not
    grow with their number.

    A component out of reach has none.
    """
    apart = components(heads, tails)
    if len(apart) < 2:
        return []
    goals = list(dict.fromkeys([int(heads[0]), int(tails[0])]))
    return [path for part in apart[1:] if (path := _shortest(part, goals, finder)) is not None]


def needed_paths(
    heads: NDArray[np.integer],
    tails: NDArray[np.integer],
    paths: Sequence[tuple[int, ...]],
    scores: Sequence[float],
    least: float,
) -> list[ConnectingPath]:
    """Return the paths that are needed, best first; those that score less than `least` are pruned.

    A path through another component joins that one too, and what is joined needs none of its own.
    """
    apart = components(heads, tails)
    owner = {int(node): place for place, component in enumerate(apart) for node in component}
    joined = set(apart[0].tolist()) if apart else set()
    ordered = sorted(
        (
            ConnectingPath(nodes, float(score))
            for nodes, score in zip(paths, scores, strict=True)
            if score >= least
        ),
        key=lambda path: (-path.score, len(path.nodes), path.nodes),
    )
    needed: list[ConnectingPath] = []
    for path in ordered:
        if path.nodes[0] in joined:
            continue
        needed.append(path)
        for node in path.nodes:
            joined.add(node)
            if node in owner:
                joined.update(apart[owner[node]].tolist())
    return needed


def _shortest(
    component: NDArray[np.int64], goals: Sequence[int], finder: PathFinder
) -> tuple[int, ...] | None:
    costs = np.stack([finder.costs_to(goal)[component] for goal in goals])
    if not np.isfinite(costs).any():
        return None
    goal, place = np.unravel_index(int(costs.argmin()), costs.shape)
    path = finder.path(int(component[place]), goals[int(goal)])
    return None if path is None else path.nodes
