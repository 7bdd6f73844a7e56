"""Seeds of a question's walk: the concepts it names, and with less weight the nodes nearest in meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Measured best: four fifths of the restarts at the question's concepts, the rest at the ten nearest nodes.
CONCEPT_SHARE, NEAREST, TEMPERATURE = 0.8, 10, 0.05
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Seed:
    """A start node of a walk, its share of the restarts, and whether the question names it."""

    node: int
    weight: float
    is_concept: bool


def walk_seeds(concepts: Sequence[int], cosines: NDArray[np.floating]) -> list[Seed]:
    """Return a question's seeds, by node.

    `concepts`: the nodes that the question names; where there is none, only the nearest nodes are seeds.
    `cosines`: (n,) cosines of all nodes to the question.
    """
    concept_nodes = set(concepts)
    share = CONCEPT_SHARE if concept_nodes else 0.0
    weights = dict.fromkeys(sorted(concept_nodes), share / max(len(concept_nodes), 1))
    rounded = cosines.round(_DECIMALS)
    near = nearest(rounded, NEAREST)
    closeness = np.exp((rounded[near] - rounded[near].max(initial=-1.0)) / TEMPERATURE)
    for node, weight in zip(near.tolist(), (closeness / closeness.sum()).tolist(), strict=True):
        weights[node] = weights.get(node, 0.0) + (1.0 - share) * weight
    return [Seed(node, round(weight, 12), node in concept_nodes) for node, weight in sorted(weights.items())]


def nearest(cosines: NDArray[np.floating], count: int) -> NDArray[np.int64]:
    """Return at most `count` nodes of greatest cosine, best first, ties by number."""
    count = min(count, len(cosines))
    if not count:
        return np.empty(0, dtype=np.int64)
    least = np.partition(cosines, len(cosines) - count)[len(cosines) - count]
    at_least = np.flatnonzero(cosines >= least)
    return at_least[np.lexsort((at_least, -cosines[at_least]))][:count]
