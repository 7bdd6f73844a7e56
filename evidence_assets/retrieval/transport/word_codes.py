"""Unit vectors as small integers, whose products are exact: what bounds cosines four times as fast.

A vector x is kept as q times a step s, q integers that fit a byte, with the distance |x - s q| beside it.
Products of two q are sums of integers up to 2^24, so a processor that multiplies bytes and one that
multiplies single precision come to the same numbers, in whatever order they add. With x' = s q, y' likewise,

    |<x, y> - <x', y'>| <= |x - x'| + |y - y'| + |x - x'| |y - y'|.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Most that a byte holds, and below which integers are exact in single precision.
_BYTE, _EXACT = 127, 1 << 24
# Words of questions and of chunks that the product of bytes is tried with.
_TRIED_SHAPES = ((1, 1), (1, 9), (7, 1), (12, 70), (33, 200))
# Distances are measured in double precision and rounded up when kept in single.
_UP = 1.0 + 1e-6


@dataclass(frozen=True, slots=True)
class WordCodes:
    """Words as integers: (n, d) `values`, in the type that is multiplied fastest here, and (n,) `steps`.

    `errors`: (n,) how far the integers times their steps are from the true unit vectors, rounded up.
    """

    values: NDArray[np.int8] | NDArray[np.float32]
    steps: NDArray[np.float32]
    errors: NDArray[np.float32]

    def take(self, rows: slice | NDArray[np.int64]) -> WordCodes:
        """Return some words; of a slice, views."""
        return WordCodes(self.values[rows], self.steps[rows], self.errors[rows])


def coded(points: NDArray[np.float64]) -> WordCodes:
    """Return (n, d) vectors, none zero, as integers."""
    levels = min(_BYTE, int((_EXACT / points.shape[1]) ** 0.5))
    largest = np.maximum(points.max(axis=1, initial=0.0), -points.min(axis=1, initial=0.0))
    steps = (largest / levels).astype(np.float32)
    # A step that was rounded down may put the largest beyond the last level.
    exact_steps = steps.astype(np.float64)[:, None]
    values = np.clip(np.rint(points / exact_steps), -levels, levels)
    off = points - exact_steps * values
    errors = np.sqrt(np.einsum("nd,nd->n", off, off)) * _UP
    kept = values.astype(np.int8 if multiplies_bytes(points.shape[1]) else np.float32)
    return WordCodes(kept, steps, errors.astype(np.float32))


def together(parts: Sequence[WordCodes]) -> WordCodes:
    """Return one or more texts' words side by side."""
    return WordCodes(
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.steps for part in parts]),
        np.concatenate([part.errors for part in parts]),
    )


def products(left: WordCodes, right: WordCodes) -> NDArray[np.int32] | NDArray[np.float32]:
    """Return (m, n) the inner products of two texts' integers, exactly."""
    import torch

    first, second = torch.from_numpy(left.values), torch.from_numpy(right.values).T
    multiplied: Any = torch.mm if first.dtype == torch.float32 else torch._int_mm
    result: NDArray[np.int32] | NDArray[np.float32] = multiplied(first, second).numpy()
    return result


@cache
def multiplies_bytes(width: int) -> bool:
    """Tell whether vectors of a width are multiplied as bytes here: exactly, and fast.

    Without instructions for it a processor is slow at it, and sums may overflow. For shapes that the library
    below PyTorch refuses, such as vectors of one number, what was in memory comes back. So it is tried.
    """
    import torch

    capabilities = torch.cpu.get_capabilities()
    if not any(capabilities.get(name) for name in ("avx512_vnni", "avx_vnni", "amx_int8")):
        return False
    random = np.random.default_rng(0)
    for left, right in _TRIED_SHAPES:
        sides = [
            np.where(random.random((words, width)) < 0.5, _BYTE, -_BYTE).astype(np.int8)
            for words in (left, right)
        ]
        sides[0][0] = sides[1][0] = _BYTE
        first, second = map(torch.from_numpy, sides)
        if not torch.equal(torch._int_mm(first, second.T), torch.mm(first.int(), second.int().T)):
            return False
    return True
