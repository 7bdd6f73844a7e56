"""The bounds of `bounds` as torch tensor operations: on a GPU, and checked against the CPU's on any machine.

Ragged without padding: minima and sums go by index. Sums are in double precision, as on the CPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import best_device
from evidence_assets.retrieval.transport.bounds import (
    ASCENT_STEPS,
    Bounds,
    Tile,
    Values,
    require_single_precision,
    squared_distance_margin,
)
from evidence_assets.retrieval.transport.ground_costs import GroundCost

_DOWN = 1.0 - 1e-6
_STEP_BEYOND = 1.02
_STEP_SHRINK = 0.7
# Chunks leave the ascent's batch when their certificate is found; copying the rest pays from this share on.
_COMPACT_BELOW = 0.8


def best_bounds() -> Bounds:
    """Return `DeviceBounds` where PyTorch sees a GPU, else `CpuBounds`."""
    from evidence_assets.retrieval.transport.cpu_bounds import CpuBounds

    device = best_device()
    return CpuBounds() if device == "cpu" else DeviceBounds(device)


class DeviceBounds:
    """Bounds on a torch device.

    Raises:
        ValueError: torch is set to multiply matrices in less than single precision, which the margins do not
            allow for.
    """

    def __init__(self, device: str) -> None:
        import torch

        require_single_precision()
        self._device = torch.device(device)

    def words_at_once(self, few: int, width: int, memory_bytes: int) -> int:
        """Return how many words of chunks to bound together: as many as memory holds, in few steps."""
        # A word's features here and there.
        return max(few, memory_bytes // (8 * width))

    def _put(self, array: NDArray[Any]) -> Any:
        import torch

        return torch.from_numpy(np.ascontiguousarray(array)).to(self._device)

    def costs(self, tile: Tile, ground: GroundCost) -> Any:
        """Return (T, W) lower bounds of ground costs."""
        # Half precision becomes single there: half of the bytes go over, and no core is busy with it.
        chunks = self._put(tile.chunks.features.joined()).float()
        gram = chunks @ self._put(tile.questions.features.stacked()).T
        margin = squared_distance_margin(chunks.shape[1], tile.questions, tile.chunks)
        squared = gram.mul_(-2.0).add_(self._put(tile.questions.squared_norms))
        squared.add_((self._put(tile.chunks.squared_norms) - margin)[:, None])
        distance = squared.clamp_(min=0.0).sqrt_().sub_(self._put(tile.chunks.errors)[:, None])
        distance = distance.sub_(self._put(tile.questions.errors)).clamp_(min=0.0).mul_(_DOWN)
        if ground.is_root:
            return distance.mul_(ground.scale)
        return distance.square_().mul_(0.5 * ground.scale)

    def _owners(self, tile: Tile) -> tuple[Any, Any]:
        """Return of each row its chunk, of each column its question."""
        rows = self._put(np.repeat(np.arange(len(tile.chunks)), tile.chunks.lengths))
        columns = self._put(np.repeat(np.arange(len(tile.questions)), tile.questions.lengths))
        return rows, columns

    def closed_forms(self, costs: Any, tile: Tile) -> tuple[Values, Values]:
        """Return per pair sum_i a_i min_j C_ij and sum_j b_j min_i C_ij."""
        import torch

        rows, columns = self._owners(tile)
        chunks, questions = len(tile.chunks), len(tile.questions)
        cheapest = torch.full((chunks, costs.shape[1]), torch.inf, device=self._device)
        cheapest.scatter_reduce_(0, rows[:, None].expand_as(costs), costs, "amin")
        weighted = cheapest.double() * self._put(tile.questions.marginals)
        covering = torch.zeros((chunks, questions), dtype=torch.float64, device=self._device)
        covering.index_add_(1, columns, weighted)
        saying = self._row_minima(costs, tile, rows, columns)
        place = (tile.chunk, tile.question)
        return covering.cpu().numpy()[place], saying.cpu().numpy()[place]

    def _row_minima(self, costs: Any, tile: Tile, rows: Any, columns: Any, partial: bool = False) -> Any:
        """Return (chunks, questions): sum_j b_j min_i C_ij, each minimum at most 0 if `partial`."""
        import torch

        shape = (costs.shape[0], len(tile.questions))
        least = torch.full(shape, torch.inf, dtype=costs.dtype, device=self._device)
        least.scatter_reduce_(1, columns.expand_as(costs), costs, "amin")
        if partial:
            least.clamp_(max=0.0)
        weighted = least.double() * self._put(tile.chunks.marginals)[:, None]
        total = torch.zeros((len(tile.chunks), shape[1]), dtype=torch.float64, device=self._device)
        return total.index_add_(0, rows, weighted)

    def duals(self, costs: Any, tile: Tile, potentials: Values, capacity: Values, is_partial: bool) -> Values:
        """Return per pair D(f)."""
        rows, columns = self._owners(tile)
        total = self._row_minima(costs.double() - self._put(potentials), tile, rows, columns, is_partial)
        fixed = np.add.reduceat(tile.questions.marginals * potentials, tile.questions.offsets[:-1])
        minima: Values = total.cpu().numpy()[tile.chunk, tile.question]
        return fixed[tile.question] + capacity * minima

    def ascents(
        self,
        costs: Any,
        tile: Tile,
        potentials: Values,
        capacity: Values,
        is_partial: bool,
        threshold: Values,
    ) -> Values:
        """Return per pair the best D(f) on the way to exceeding its threshold, a question at a time."""
        bound = np.empty(len(tile.question))
        for question in np.unique(tile.question).tolist():
            pairs = np.flatnonzero(tile.question == question)
            chunks = tile.chunk[pairs]
            first, last = tile.questions.offsets[question : question + 2].tolist()
            rows = tile.chunks.rows(chunks)
            owners = np.repeat(np.arange(len(pairs)), tile.chunks.lengths[chunks])
            mass = tile.chunks.marginals[rows] * capacity[pairs][owners]
            bound[pairs] = self._ascend(
                costs[self._put(rows), first:last].double(),
                self._put(mass),
                self._put(owners),
                self._put(tile.questions.marginals[first:last]),
                self._put(potentials[first:last]),
                self._put(threshold[pairs]),
                is_partial,
            )
        return bound

    def _ascend(
        self, costs: Any, mass: Any, owner: Any, marginal: Any, start: Any, threshold: Any, partial: bool
    ) -> Values:
        """Return the best D(f) of every chunk: Polyak's ascent of all at once, the proved ones leaving."""
        import torch

        count, words = len(threshold), len(marginal)
        best = torch.full((count,), -torch.inf, dtype=torch.float64, device=self._device)
        relaxation, alive = torch.ones_like(best), torch.arange(count, device=self._device)
        points = start.expand(count, -1).clone()
        for step in range(ASCENT_STEPS + 1):
            least, where = (costs - points[owner]).min(dim=1)
            carried = torch.where(least > 0, 0.0, mass) if partial else mass
            value = (points @ marginal).index_add(0, owner, carried * least)
            better = value > best[alive]
            relaxation[alive] = torch.where(better, relaxation[alive], _STEP_SHRINK * relaxation[alive])
            best[alive] = torch.maximum(best[alive], value)
            open_ = best[alive] <= threshold[alive]
            if step == ASCENT_STEPS or not open_.any():
                break
            slope = marginal.expand(len(alive), -1).reshape(-1).clone()
            slope = slope.index_add_(0, owner * words + where, -carried).view(len(alive), words)
            length = slope.square().sum(1)
            stride = relaxation[alive] * (_STEP_BEYOND * threshold[alive] - value)
            stride = torch.where(length < 1e-18, 0.0, stride / length.clamp(min=1e-18))
            points = points + stride[:, None] * slope
            if open_.double().mean() < _COMPACT_BELOW:
                rows = open_[owner]
                owner = (torch.cumsum(open_, 0) - 1)[owner[rows]]
                costs, mass, points, alive = costs[rows], mass[rows], points[open_], alive[open_]
        result: Values = best.cpu().numpy()
        return result
