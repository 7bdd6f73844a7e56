"""Random walks on a graph: PageRank, personalised PageRank, and walks guided by a question.

Walks run for many questions at once: a column is a question. Everywhere `adjacency` has n nodes and there are
b questions; seeds are (n, b), each column a distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.walking.adjacency import Adjacency

Columns = NDArray[np.float64]

# Measured plateau: temperatures of .12 to .3, restarts of .15 to .7 and three steps or more rank alike.
TEMPERATURE, RESTART, STEPS = 0.15, 0.3, 8
PRIOR_RESTART = 0.15
_CONVERGED, _MOST_STEPS = 1e-10, 200


def guided_weights(cosines: NDArray[np.floating], temperature: float = TEMPERATURE) -> Columns:
    """Return (n, b) how attractive each node is to each question: exp(cosine / temperature).

    One head of question-conditioned graph attention with fixed keys: the softmax of equation 6.2 of the
    thesis over a node's neighbours, with the question in the place of the node itself in 6.1.
    """
    weights: Columns = np.exp(cosines.astype(np.float64) / temperature)
    return weights


def walk(
    adjacency: Adjacency,
    seeds: Columns,
    weights: Columns | None = None,
    restart: float = RESTART,
    steps: int = STEPS,
) -> Columns:
    """Return (n, b) the mass of a walk with restarts at its seeds: pi <- r s + (1 - r) P' pi.

    From u it goes to neighbour v with probability proportional to `weights[v]` ((n, b); None: all equal) and
    to the weight of the step in `adjacency`. A node of weight 0 is never entered, which confines a walk
    to a subgraph. The mass of a dangling node goes back to the seeds, so that every column's sum
    stays 1.
    """
    step = _stepping(adjacency, seeds, weights, restart)
    mass = seeds
    for _ in range(steps):
        mass = step(mass)
    return mass


def _stepping(
    adjacency: Adjacency, seeds: Columns, weights: Columns | None, restart: float
) -> Callable[[Columns], Columns]:
    matrix = adjacency.matrix
    attraction = np.ones((adjacency.size, 1)) if weights is None else weights
    out = matrix @ attraction
    inverse = np.divide(1.0, out, out=np.zeros_like(out), where=out > 0)
    dangling = out <= 0

    def step(mass: Columns) -> Columns:
        lost = (mass * dangling).sum(axis=0)
        moved: Columns = restart * seeds + (1 - restart) * (
            attraction * (matrix @ (mass * inverse)) + lost * seeds
        )
        return moved

    return step


def step_probabilities(
    adjacency: Adjacency, path: Sequence[int], weights: NDArray[np.floating]
) -> list[float]:
    """Return the probability of each step of a path, given that the walk does not restart.

    `path`: nodes, each a neighbour of the next. `weights`: (n,) of one question, as in `walk`, each
    times the weight of the step. It is the attention of equation 6.2 from a node to its neighbour.
    """
    probabilities = []
    for node, neighbour in pairwise(path):
        row = slice(int(adjacency.offsets[node]), int(adjacency.offsets[node + 1]))
        attraction = weights[adjacency.neighbours[row]].astype(np.float64)
        if adjacency.weights is not None:
            attraction = attraction * adjacency.weights[row]
        total = float(attraction.sum())
        place = int(np.searchsorted(adjacency.neighbours[row], neighbour))
        probabilities.append(float(attraction[place]) / total if total > 0 else 0.0)
    return probabilities


def prior(adjacency: Adjacency) -> NDArray[np.float64]:
    """Return (n,) the mass of the unguided walk that restarts anywhere: global PageRank."""
    uniform = np.full((adjacency.size, 1), 1.0 / max(adjacency.size, 1))
    step = _stepping(adjacency, uniform, None, PRIOR_RESTART)
    mass = uniform
    for _ in range(_MOST_STEPS):
        before, mass = mass, step(mass)
        if np.abs(mass - before).sum() < _CONVERGED:
            break
    return mass[:, 0]


def lift(mass: Columns, prior_mass: NDArray[np.float64]) -> Columns:
    """Return log pi - log p0, a node's lift by a question; -inf where the walk never comes."""
    with np.errstate(divide="ignore"):
        raised: Columns = np.log(mass) - np.log(prior_mass)[:, None]
    return raised
