"""Steps 2 to 4 on one question: the nodes that meet its readings, by document similarity, then reranked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# The most answers of a set that are kept.
MOST_RETURNED = 1_000
_DECIMALS = 9
_NEARNESS_SHARE = 1e-3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A node that may answer. `reading`: the place of the likeliest reading that it meets; None for none."""

    node: int
    reading: int | None
    nearness: float


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """A candidate with its final score. `returned`: in the set that answers the question."""

    candidate: Candidate
    score: float
    returned: bool


def candidates(
    readings: Sequence[NDArray[np.int32]],
    nearness: Callable[[NDArray[np.int32]], NDArray[np.float64]],
    nearest: Sequence[tuple[int, float]],
    most: int,
) -> list[Candidate]:
    """Return candidate answers, best first: the nodes of each reading by nearness, then the nearest others.

    `readings`: the nodes that meet each reading, the likeliest reading first. `nearness`: nodes (k,) to how
    near their documents are to the question (k,). `nearest`: the nodes whose documents are nearest, with how
    near they are, best first. `most`: with fewer nodes that meet a reading, others follow up to this number
    (the paper's k_max). Of the first reading all are kept, up to a thousand: they are the answer as a set.

    Equally near nodes are ordered by number.
    """
    chosen: list[Candidate] = []
    placed = np.empty(0, dtype=np.int32)
    for place, nodes in enumerate(readings):
        fresh = np.setdiff1d(nodes, placed)
        placed = np.union1d(placed, fresh)
        limit = MOST_RETURNED if place == 0 else max(most - len(chosen), 0)
        if limit and len(fresh):
            near = nearness(fresh)
            order = np.lexsort((fresh, -near))[:limit]
            chosen += [Candidate(int(fresh[at]), place, float(near[at])) for at in order]
    placed_nodes = set(placed.tolist())
    unsupported = [Candidate(node, None, near) for node, near in nearest if node not in placed_nodes]
    return chosen + unsupported[: max(most - len(chosen), 0)]


def rank_candidates(
    chosen: Sequence[Candidate], rerank_scores: Mapping[int, float] | None = None
) -> list[RankedCandidate]:
    """Return candidates by their final score (step 4).

    `rerank_scores`: of nodes, higher is better; a node without one follows those of its reading. None:
    nothing was reranked. Nodes of a likelier reading stand first, and those of none last, whatever they
    score: what the triplets support "remains ranked higher" (section 3 of the paper).

    Equal scores are a tie, ordered by node.
    """
    readings = [candidate.reading for candidate in chosen if candidate.reading is not None]
    least_likely = max(readings, default=0)
    # The answer set: the nodes that meet the likeliest reading, else the nearest candidate.
    likeliest = min(readings, default=None)
    meeting = [candidate for candidate in chosen if readings and candidate.reading == likeliest]
    returned = {candidate.node for candidate in meeting or chosen[:1]}
    scored = []
    for candidate in chosen:
        level = -1 if candidate.reading is None else least_likely - candidate.reading
        within = _squashed(candidate.nearness)
        if rerank_scores is not None:
            reranked = _squashed(rerank_scores[candidate.node]) if candidate.node in rerank_scores else 0.0
            within = (1 - _NEARNESS_SHARE) * reranked + _NEARNESS_SHARE * within
        score = round(level + within, _DECIMALS)
        scored.append(RankedCandidate(candidate, score, candidate.node in returned))
    return sorted(scored, key=lambda ranked: (-ranked.score, ranked.candidate.node))


def _squashed(value: float) -> float:
    """Map any number into (0, 1), in its order."""
    return 0.5 + float(np.arctan(value)) / np.pi
