"""Whether a node relevance discriminates between nodes: the loss of eq. 6.5 alone does not require it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Below this spread, or above this share, a filter filters nothing.
LEAST_SPREAD = 0.01
MOST_KEPT = 0.95

Values = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class RelevanceDiagnostics:
    """How one question's scores lie; all 0 where there is no node.

    `spread`: standard deviation of the scores; `kept_share`: of the nodes; `cosine_correlation`: Pearson's
    with the plain cosine of node and question; `mean_score`.
    """

    spread: float
    kept_share: float
    cosine_correlation: float
    mean_score: float


def relevance_diagnostics(scores: Values, cosines: Values, kept: NDArray[np.bool_]) -> RelevanceDiagnostics:
    """Return the diagnostics of (n,) scores, plain cosines, and which nodes are kept.

    Raises:
        ValueError: the three differ in length.
    """
    if not scores.shape == cosines.shape == kept.shape:
        raise ValueError(
            f"scores {scores.shape}, cosines {cosines.shape}, kept {kept.shape}: not of one length"
        )
    if not len(scores):
        return RelevanceDiagnostics(0.0, 0.0, 0.0, 0.0)
    return RelevanceDiagnostics(
        spread=float(scores.std()),
        kept_share=float(kept.mean()),
        cosine_correlation=_correlation(scores, cosines),
        mean_score=float(scores.mean()),
    )


def is_collapsed(diagnostics: RelevanceDiagnostics) -> bool:
    """Return whether the scores are nearly constant, or the filter keeps nearly all nodes.

    A question without nodes counts as collapsed: its spread is 0, and nothing was filtered.
    """
    return diagnostics.spread < LEAST_SPREAD or diagnostics.kept_share > MOST_KEPT


def seed_correlation(a: Values, b: Values) -> float:
    """Return Pearson's correlation of the scores that two seeds gave the same nodes, 0 where one is constant.

    Raises:
        ValueError: the two differ in length.
    """
    if a.shape != b.shape:
        raise ValueError(f"scores of {a.shape} and {b.shape} nodes: not of one length")
    return _correlation(a, b)


def _correlation(a: Values, b: Values) -> float:
    # Compared with the first value: the mean of equal numbers may differ from them by rounding.
    if not len(a) or (a == a[0]).all() or (b == b[0]).all():
        return 0.0
    centred_a, centred_b = (np.asarray(centred, dtype=np.float64) for centred in (a - a.mean(), b - b.mean()))
    norm = float(np.linalg.norm(centred_a) * np.linalg.norm(centred_b))
    return float(np.clip(centred_a @ centred_b / norm, -1.0, 1.0)) if norm > 0 else 0.0
