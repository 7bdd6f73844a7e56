"""Cheapest paths of bounded length, by a hub penalty or by hop count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.choices import COSTS, HOP_COUNT, HUB_PENALTY
from evidence_assets.graphs.walking.adjacency import Adjacency

# Cost of a step beside its hubs, so that of two paths through nodes of degree 1 the shorter is cheaper.
_STEP = 0.05


@dataclass(frozen=True, slots=True)
class Path:
    """Nodes from a source to a target, each a neighbour of the next, and the path's cost."""

    nodes: tuple[int, ...]
    cost: float


def step_costs(adjacency: Adjacency, measure: str) -> NDArray[np.float64]:
    """Return the cost of each step, aligned with `adjacency.neighbours`.

    By hub penalty it is half the logarithms of both ends' degrees, plus .05; a step of weight
    w < 1 costs -ln w more. By hop count it is 1.

    Raises:
        ValueError: there is no such measure.
    """
    if measure == HOP_COUNT:
        return np.ones(len(adjacency.neighbours))
    if measure != HUB_PENALTY:
        raise ValueError(f"no cost {measure!r}: choose one of {', '.join(COSTS)}")
    halves = 0.5 * np.log(np.maximum(adjacency.degrees, 1))
    costs: NDArray[np.float64] = np.repeat(halves, adjacency.degrees) + halves[adjacency.neighbours] + _STEP
    if adjacency.weights is not None:
        with np.errstate(divide="ignore"):
            costs -= np.log(np.minimum(adjacency.weights, 1.0))
    return costs


class PathFinder:
    """Finds the cheapest path of bounded length from any node to a target.

    `adjacency`, `costs`: a graph, and `step_costs` of it: positive, and the same both ways. `longest`:
    maximum steps of a path.
    """

    def __init__(self, adjacency: Adjacency, costs: NDArray[np.float64], longest: int) -> None:
        self._adjacency, self._costs, self._longest = adjacency, costs, longest
        self._to = lru_cache(maxsize=64)(self._costs_to)

    def costs_to(self, target: int) -> NDArray[np.float64]:
        """Return (n,) the cost of the cheapest path from each node; infinite where there is none."""
        costs: NDArray[np.float64] = self._to(target)[-1]
        return costs

    def path(self, source: int, target: int) -> Path | None:
        """Return the cheapest path; ties go to the shortest, then to the lowest node numbers."""
        costs = self._to(target)
        if np.isinf(costs[-1][source]):
            return None
        level = int(np.argmax(costs[:, source] == costs[-1][source]))
        nodes = [source]
        while nodes[-1] != target:
            nodes.append(self._following(nodes[-1], level, costs))
            level -= 1
        return Path(tuple(nodes), float(costs[-1][source]))

    def _following(self, node: int, level: int, costs: NDArray[np.float64]) -> int:
        row = slice(self._adjacency.offsets[node], self._adjacency.offsets[node + 1])
        neighbours = self._adjacency.neighbours[row]
        # The same sum that `_relax` compared, so equality is exact.
        onward = costs[level - 1][neighbours] + self._costs[row]
        return int(neighbours[np.argmax(onward == costs[level][node])])

    def _costs_to(self, target: int) -> NDArray[np.float64]:
        """Return (longest + 1, n) the cheapest cost to the target in at most 0, 1, … steps."""
        costs = np.full((self._longest + 1, self._adjacency.size), np.inf)
        costs[0, target] = 0.0
        _relax(self._adjacency.offsets, self._adjacency.neighbours, self._costs, target, costs)
        return costs


Kernel = TypeVar("Kernel", bound=Callable[..., None])


def _compiled(kernel: Kernel) -> Kernel:
    """Compile a function at its first call, so that importing this module does not import numba."""

    @lru_cache(maxsize=1)
    def ready() -> Kernel:
        from numba import njit

        return cast(Kernel, njit(cache=True, nogil=True)(kernel))

    def call(*arguments: object) -> None:
        ready()(*arguments)

    return cast(Kernel, call)


@_compiled
def _relax(
    offsets: NDArray[np.int64],
    neighbours: NDArray[np.int32],
    step_costs: NDArray[np.float64],
    target: int,
    costs: NDArray[np.float64],
) -> None:
    """Bellman-Ford, a step a level, relaxing only nodes improved in the last step."""
    n = costs.shape[1]
    frontier = np.empty(n, dtype=np.int64)
    fresh = np.empty(n, dtype=np.int64)
    marked = np.full(n, -1, dtype=np.int64)
    frontier[0] = target
    size = 1
    for level in range(1, costs.shape[0]):
        costs[level] = costs[level - 1]
        count = 0
        for place in range(size):
            node = frontier[place]
            for slot in range(offsets[node], offsets[node + 1]):
                neighbour = neighbours[slot]
                # The step is taken from the neighbour to the node: costs are the same both ways.
                cost = costs[level - 1, node] + step_costs[slot]
                if cost < costs[level, neighbour]:
                    costs[level, neighbour] = cost
                    if marked[neighbour] != level:
                        marked[neighbour] = level
                        fresh[count] = neighbour
                        count += 1
        frontier, fresh = fresh, frontier
        size = count
