"""The ragged loops of transport on a CPU, compiled by numba; `device_bounds` has the same on a GPU.

Everywhere `costs` is (T, W), or wider by padding: lower bounds of the ground cost between T words of chunks
and W words of questions; chunk c's words are rows chunk_offsets[c] to chunk_offsets[c + 1], a question's
likewise columns.
A pair p is a question and a chunk of the tile. `best_products` alone takes all pairs, questions in rows.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

# No NaN or infinity reaches these loops (token sets are checked), so minima may be taken in any order.
_ORDERLESS = {"nnan", "ninf", "nsz", "reassoc", "contract", "arcp"}
# Single precision's roundings in `lower_costs`, after the margin: a few parts in 2^24.
_DOWN = np.float32(1.0 - 1e-6)
# Of a number's 32 bits: the shift that spreads its sign, those of its magnitude, and the lowest integer.
_SIGN, _MAGNITUDE, _LOWEST = np.int32(31), np.int32(0x7FFFFFFF), np.int32(-0x80000000)
_STEP_BEYOND = 1.02
_STEP_SHRINK = 0.7

Kernel = TypeVar("Kernel", bound=Callable[..., None])


def _compiled(fastmath: Set[str] = frozenset()) -> Callable[[Kernel], Kernel]:
    """Return numba's decorator, typed: compiled at first use, kept on disk, run without the GIL."""
    return cast(Callable[[Kernel], Kernel], njit(cache=True, nogil=True, fastmath=set(fastmath) or False))


@_compiled(_ORDERLESS)
def lower_costs(
    gram: NDArray[np.float32],
    question_norms: NDArray[np.float32],
    question_errors: NDArray[np.float32],
    chunk_norms: NDArray[np.float32],
    chunk_errors: NDArray[np.float32],
    margin: float,
    scale: float,
    is_root: bool,
) -> None:
    """Turn inner products of features into lower bounds of costs, in place.

    |phi - psi| of the true features is at least that of the stored ones less both storage errors (triangle
    inequality); `margin` is what single precision may have lost of the squared distance.
    """
    margin32, half, zero = np.float32(margin), np.float32(0.5 * scale), np.float32(0.0)
    whole = np.float32(scale)
    for row in range(gram.shape[0]):
        base = chunk_norms[row] - margin32
        error = chunk_errors[row]
        for column in range(len(question_norms)):
            squared = base + question_norms[column] - np.float32(2.0) * gram[row, column]
            distance = np.sqrt(max(squared, zero)) - error - question_errors[column]
            distance = max(distance, zero) * _DOWN
            gram[row, column] = whole * distance if is_root else half * distance * distance


@_compiled(_ORDERLESS)
def closed_forms(
    costs: NDArray[np.float32],
    question: NDArray[np.int64],
    chunk: NDArray[np.int64],
    question_offsets: NDArray[np.int64],
    chunk_offsets: NDArray[np.int64],
    question_marginal: NDArray[np.float64],
    chunk_marginal: NDArray[np.float64],
    covering: NDArray[np.float64],
    saying: NDArray[np.float64],
) -> None:
    """Fill, per pair, sum_i a_i min_j C_ij (`covering`) and sum_j b_j min_i C_ij (`saying`)."""
    for pair in range(len(question)):
        first, last = question_offsets[question[pair]], question_offsets[question[pair] + 1]
        cheapest = np.full(last - first, np.float32(3e38), np.float32)
        total = 0.0
        for row in range(chunk_offsets[chunk[pair]], chunk_offsets[chunk[pair] + 1]):
            least = np.float32(3e38)
            for place in range(last - first):
                cost = costs[row, first + place]
                least = min(least, cost)
                cheapest[place] = min(cheapest[place], cost)
            total += chunk_marginal[row] * least
        saying[pair] = total
        total = 0.0
        for place in range(last - first):
            total += question_marginal[first + place] * cheapest[place]
        covering[pair] = total


@_compiled(_ORDERLESS)
def best_products(
    products: NDArray[np.int32] | NDArray[np.float32],
    question_steps: NDArray[np.float32],
    chunk_steps: NDArray[np.float32],
    question_offsets: NDArray[np.int64],
    chunk_offsets: NDArray[np.int64],
    question_marginal: NDArray[np.float64],
    chunk_marginal: NDArray[np.float64],
    covering: NDArray[np.float64],
    saying: NDArray[np.float64],
) -> None:
    """Fill, per question and chunk, sum_i a_i max_j P_ij (`covering`) and sum_j b_j max_i P_ij (`saying`).

    P_ij is a product of integers times both words' steps. `products` is (W, T): rows are words of questions,
    columns words of chunks, so that the long runs lie together. Unlike `closed_forms` it takes every question
    against every chunk, and inner products, no costs.
    """
    width = products.shape[1]
    best, scaled, most = np.empty(width, np.float32), np.empty(width, np.float32), np.empty(1, np.int32)
    # The same bits as integers, negative ones turned over, are in the same order, and of many integers the
    # largest is found six times as fast.
    ordered, largest = scaled.view(np.int32), most.view(np.float32)
    for question in range(len(question_offsets) - 1):
        best[:] = np.float32(-3e38)
        covering[question, :] = 0.0
        for row in range(question_offsets[question], question_offsets[question + 1]):
            step, line = question_steps[row], products[row]
            for column in range(width):
                value = step * (chunk_steps[column] * np.float32(line[column]))
                scaled[column] = value
                best[column] = max(best[column], value)
            for column in range(width):
                ordered[column] ^= (ordered[column] >> _SIGN) & _MAGNITUDE
            for chunk in range(len(chunk_offsets) - 1):
                highest = _LOWEST
                for column in range(chunk_offsets[chunk], chunk_offsets[chunk + 1]):
                    highest = max(highest, ordered[column])
                most[0] = highest ^ ((highest >> _SIGN) & _MAGNITUDE)
                covering[question, chunk] += question_marginal[row] * largest[0]
        for chunk in range(len(chunk_offsets) - 1):
            total = 0.0
            for column in range(chunk_offsets[chunk], chunk_offsets[chunk + 1]):
                total += chunk_marginal[column] * best[column]
            saying[question, chunk] = total


@_compiled(_ORDERLESS)
def duals(
    costs: NDArray[np.float32],
    question: NDArray[np.int64],
    chunk: NDArray[np.int64],
    question_offsets: NDArray[np.int64],
    chunk_offsets: NDArray[np.int64],
    question_marginal: NDArray[np.float64],
    chunk_marginal: NDArray[np.float64],
    potentials: NDArray[np.float64],
    capacity: NDArray[np.float64],
    is_partial: bool,
    bound: NDArray[np.float64],
) -> None:
    """Fill, per pair, D(f) for given potentials (W,): see `bounds`."""
    for pair in range(len(question)):
        first, last = question_offsets[question[pair]], question_offsets[question[pair] + 1]
        value = 0.0
        for column in range(first, last):
            value += question_marginal[column] * potentials[column]
        total = 0.0
        for row in range(chunk_offsets[chunk[pair]], chunk_offsets[chunk[pair] + 1]):
            least = 0.0 if is_partial else 1e300
            for column in range(first, last):
                least = min(least, costs[row, column] - potentials[column])
            total += chunk_marginal[row] * least
        bound[pair] = value + capacity[pair] * total


@_compiled()
def ascents(  # noqa: PLR0912 - one loop nest, compiled whole
    costs: NDArray[np.float32],
    question: NDArray[np.int64],
    chunk: NDArray[np.int64],
    question_offsets: NDArray[np.int64],
    chunk_offsets: NDArray[np.int64],
    question_marginal: NDArray[np.float64],
    chunk_marginal: NDArray[np.float64],
    potentials: NDArray[np.float64],
    capacity: NDArray[np.float64],
    is_partial: bool,
    threshold: NDArray[np.float64],
    steps: int,
    bound: NDArray[np.float64],
) -> None:
    """Fill, per pair, the best D(f) that Polyak's ascent from the given potentials finds.

    It stops when D exceeds the pair's threshold: that is all that is asked.
    """
    for pair in range(len(question)):
        first, last = question_offsets[question[pair]], question_offsets[question[pair] + 1]
        marginal = question_marginal[first:last]
        point = potentials[first:last].copy()
        slope = np.empty(last - first)
        best, relaxation = -1e300, 1.0
        for step in range(steps + 1):
            value = 0.0
            for place in range(last - first):
                value += marginal[place] * point[place]
                slope[place] = marginal[place]
            for row in range(chunk_offsets[chunk[pair]], chunk_offsets[chunk[pair] + 1]):
                least, where = 1e300, 0
                for place in range(last - first):
                    reduced = costs[row, first + place] - point[place]
                    if reduced < least:
                        least, where = reduced, place
                if is_partial and least > 0.0:
                    continue
                mass = capacity[pair] * chunk_marginal[row]
                value += mass * least
                slope[where] -= mass
            if value > best:
                best = value
            else:
                relaxation *= _STEP_SHRINK
            if best > threshold[pair] or step == steps:
                break
            length = 0.0
            for place in range(last - first):
                length += slope[place] * slope[place]
            if length < 1e-18:
                break
            stride = relaxation * (_STEP_BEYOND * threshold[pair] - value) / length
            for place in range(last - first):
                point[place] += stride * slope[place]
        bound[pair] = best
