"""Lower bounds of what many chunks cost many questions, tile by tile, on a CPU or a GPU.

Ground costs come from one matrix product of features (`ground_costs`). On top of them

- relaxed objectives have closed forms, monotone in the costs;
- transport has its dual. For every f, D(f) = sum_i a_i f_i + sum_j b_j min_i (C_ij - f_i) <= OT(C), for
  (f, min_i (C_ij - f_i)) is dual feasible (Villani, Topics in Optimal Transportation, 1.1.3; any C below the
  true costs keeps it valid). With capacities the chunk's potentials may not exceed 0 and its masses are
  kappa b, so D(f) = sum_i a_i f_i + kappa sum_j b_j min(0, min_i (C_ij - f_i)).

D is concave with subgradient a_i - kappa sum of b_j over the j whose minimum is at i; Polyak's step aims 2 %
beyond the threshold that would rule the chunk out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from evidence_assets.retrieval.transport.ground_costs import GroundCost
from evidence_assets.retrieval.transport.packing import Packed

ASCENT_STEPS = 60
_UNIT_ROUNDOFF = 2.0**-24

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tile:
    """Some questions against some chunks: `pairs` p of them asked for, by place in the two packs."""

    questions: Packed
    chunks: Packed
    question: NDArray[np.int64]
    chunk: NDArray[np.int64]

    def only(self, chosen: NDArray[Any]) -> Tile:
        """Return the tile with some of its pairs."""
        return Tile(self.questions, self.chunks, self.question[chosen], self.chunk[chosen])


def squared_distance_margin(ground_width: int, questions: Packed, chunks: Packed) -> float:
    """Return what |x|^2 + |y|^2 - 2<x, y> may lose in single precision, whatever the order of the sum.

    The inner product is off by at most D u |x| |y| (Higham, Accuracy and Stability, 3.5), the rest by a few
    u.
    """
    left, right = float(questions.squared_norms.max()), float(chunks.squared_norms.max())
    product = 2.0 * (ground_width + 2) * np.sqrt(left * right)
    return float(1.01 * _UNIT_ROUNDOFF * (product + 8.0 * (left + right)))


def require_single_precision() -> None:
    """Raise ValueError if torch is set to multiply matrices in less: the margins do not allow for it."""
    import torch

    if torch.get_float32_matmul_precision() != "highest":
        raise ValueError(
            "torch multiplies float32 matrices in reduced precision, and no bound would hold; remedy: "
            "torch.set_float32_matmul_precision('highest')"
        )


class Bounds(Protocol):
    """Where the bounds of a tile are computed."""

    def words_at_once(self, few: int, width: int, memory_bytes: int) -> int:
        """Return how many words of chunks to bound together, `few` at least.

        `few`: as many as stay in a CPU's caches; `width`: numbers of a word's features.
        """

    def costs(self, tile: Tile, ground: GroundCost) -> Any:
        """Return lower bounds of ground costs, wherever this computes: (T, W), or wider by padding."""

    def closed_forms(self, costs: Any, tile: Tile) -> tuple[Values, Values]:
        """Return per pair sum_i a_i min_j C_ij and sum_j b_j min_i C_ij."""

    def duals(self, costs: Any, tile: Tile, potentials: Values, capacity: Values, is_partial: bool) -> Values:
        """Return per pair D(f); `potentials` (W,) side by side, `capacity` (p,) the kappas."""

    def ascents(
        self,
        costs: Any,
        tile: Tile,
        potentials: Values,
        capacity: Values,
        is_partial: bool,
        threshold: Values,
    ) -> Values:
        """Return per pair the best D(f) on the way to exceeding its threshold."""


def centroid_costs(tile: Tile, ground: GroundCost) -> Values:
    """Return per pair a lower bound of balanced transport: the cost between the texts' mean features.

    For any plan T, sum T_ij (phi_i - psi_j) is the difference of the means, so by convexity of the squared
    norm sum T_ij |phi_i - psi_j|^2 / 2 is at least half its square, and sum T_ij |phi_i - psi_j| its norm.
    As a bound it is weak, as an order excellent.
    """
    questions, chunks = tile.questions.centroids, tile.chunks.centroids
    left = np.einsum("qd,qd->q", questions, questions, dtype=np.float64)
    right = np.einsum("cd,cd->c", chunks, chunks, dtype=np.float64)
    pairs = (questions @ chunks.T)[tile.question, tile.chunk]
    squared = left[tile.question] + right[tile.chunk] - 2.0 * pairs
    squared -= squared_distance_margin(questions.shape[1], tile.questions, tile.chunks)
    errors = tile.questions.centroid_errors[tile.question] + tile.chunks.centroid_errors[tile.chunk]
    distance = np.maximum(0.0, np.sqrt(np.maximum(squared, 0.0)) - errors)
    result: Values = ground.scale * (distance if ground.is_root else 0.5 * distance**2)
    return result
