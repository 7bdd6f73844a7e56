"""Every chunk of a pool evaluated exactly: the oracle that the cascade is held against."""

from __future__ import annotations

from collections.abc import Iterable

from evidence_assets.retrieval.transport.ground_costs import GroundCost
from evidence_assets.retrieval.transport.objectives import Objective, Solution, prepare_side
from evidence_assets.retrieval.transport.token_sets import TokenSet


def evaluate(
    question: TokenSet, chunks: Iterable[TokenSet], ground: GroundCost, objective: Objective
) -> list[Solution]:
    """Return each chunk's exact solution.

    Raises:
        InvalidTokenSetError: a text cannot be compared.
    """
    side = prepare_side(question, ground, "question")
    return [
        objective.solve(ground, side, prepare_side(chunk, ground, f"chunk {number}"))
        for number, chunk in enumerate(chunks)
    ]
