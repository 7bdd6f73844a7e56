"""The bounds of `bounds` on a CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.retrieval.transport import kernels
from evidence_assets.retrieval.transport.bounds import (
    ASCENT_STEPS,
    Tile,
    Values,
    require_single_precision,
    squared_distance_margin,
)
from evidence_assets.retrieval.transport.ground_costs import GroundCost
from evidence_assets.retrieval.transport.packing import Rows

# Narrow products of other widths run at a third of the speed.
_COLUMNS = 8
# Words converted at a time: their features stay in a core's cache until they are multiplied.
_BLOCK_WORDS = 1024


class CpuBounds:
    """Matrix products by torch, ragged loops by numba.

    One object a thread: it keeps its buffers, for fresh pages cost as much as the product.
    """

    def __init__(self) -> None:
        require_single_precision()
        self._gram = np.empty(0, np.float32)
        self._block = np.empty((0, 0), np.float32)

    def words_at_once(self, few: int, width: int, memory_bytes: int) -> int:
        """Return how many words of chunks to bound together: as many as stay in the caches."""
        return few

    def costs(self, tile: Tile, ground: GroundCost) -> NDArray[np.float32]:
        """Return lower bounds of ground costs, padded, valid until the next call."""
        import torch

        words, width = len(tile.chunks.features), tile.chunks.features.width
        stacked = tile.questions.features.stacked()
        questions = torch.zeros((-(-len(stacked) // _COLUMNS) * _COLUMNS, width))
        questions[: len(stacked)] = torch.from_numpy(stacked)
        size = words * len(questions)
        if len(self._gram) < size:
            self._gram = np.empty(size, np.float32)
        gram = self._gram[:size].reshape(words, len(questions))
        self._multiply(tile.chunks.features, questions.T, torch.from_numpy(gram))
        kernels.lower_costs(
            gram,
            tile.questions.squared_norms,
            tile.questions.errors,
            tile.chunks.squared_norms,
            tile.chunks.errors,
            squared_distance_margin(width, tile.questions, tile.chunks),
            ground.scale,
            ground.is_root,
        )
        return gram

    def _multiply(self, features: Rows, questions: Any, out: Any) -> None:
        """Fill `out` with features times questions, converting to single precision while in the cache."""
        import torch

        if self._block.shape[1] != features.width:
            self._block = np.empty((_BLOCK_WORDS, features.width), np.float32)
        block = torch.from_numpy(self._block)
        done = filled = 0

        def flush() -> None:
            nonlocal done, filled
            if not filled:
                return
            torch.mm(block[:filled], questions, out=out[done : done + filled])
            done, filled = done + filled, 0

        for piece in features.pieces:
            stored = torch.from_numpy(piece)
            if stored.dtype == torch.float32 and len(stored) >= _BLOCK_WORDS:
                flush()
                torch.mm(stored, questions, out=out[done : done + len(stored)])
                done += len(stored)
                continue
            first = 0
            while first < len(stored):
                count = min(len(stored) - first, _BLOCK_WORDS - filled)
                block[filled : filled + count].copy_(stored[first : first + count])
                first, filled = first + count, filled + count
                if filled == _BLOCK_WORDS:
                    flush()
        flush()

    def closed_forms(self, costs: NDArray[np.float32], tile: Tile) -> tuple[Values, Values]:
        """Return per pair sum_i a_i min_j C_ij and sum_j b_j min_i C_ij."""
        covering, saying = np.empty(len(tile.question)), np.empty(len(tile.question))
        kernels.closed_forms(costs, *_pairs(tile), covering, saying)
        return covering, saying

    def duals(
        self, costs: NDArray[np.float32], tile: Tile, potentials: Values, capacity: Values, is_partial: bool
    ) -> Values:
        """Return per pair D(f)."""
        bound = np.empty(len(tile.question))
        kernels.duals(costs, *_pairs(tile), potentials, capacity, is_partial, bound)
        return bound

    def ascents(
        self,
        costs: NDArray[np.float32],
        tile: Tile,
        potentials: Values,
        capacity: Values,
        is_partial: bool,
        threshold: Values,
    ) -> Values:
        """Return per pair the best D(f) on the way to exceeding its threshold."""
        bound = np.empty(len(tile.question))
        kernels.ascents(
            costs, *_pairs(tile), potentials, capacity, is_partial, threshold, ASCENT_STEPS, bound
        )
        return bound


_Places = NDArray[np.int64]


def _pairs(tile: Tile) -> tuple[_Places, _Places, _Places, _Places, Values, Values]:
    """Return the arguments that every kernel takes of a tile's pairs, in order."""
    questions, chunks = tile.questions, tile.chunks
    marginals = questions.marginals, chunks.marginals
    return tile.question, tile.chunk, questions.offsets, chunks.offsets, *marginals
