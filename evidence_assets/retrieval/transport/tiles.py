"""Cutting a block of pairs into dense tiles for matrix products."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evidence_assets.retrieval.transport.bounds import Tile
from evidence_assets.retrieval.transport.packing import Packed

# Below this share of wanted pairs a tile is cut in two: the rest of its product would be wasted.
_DENSE = 0.5


def tiles_of(
    questions: Packed, chunks: Packed, question: NDArray[np.int64], chunk: NDArray[np.int64], most_words: int
) -> Iterator[tuple[NDArray[np.int64], Tile]]:
    """Yield the positions of some pairs and their tile, until every pair has been in one.

    `question`, `chunk`: (p,) places in the two packs. `most_words`: a tile holds the words of as many
    questions as stay below this, at least one.
    """
    order = np.argsort(chunk, kind="stable")
    starts = np.searchsorted(chunk[order], np.arange(len(chunks) + 1))
    for first, last in _ranges(questions, chunks, question[order], starts, 0, len(chunks)):
        pairs = order[starts[first] : starts[last]]
        held = np.unique(question[pairs])
        part = chunks.take(np.arange(first, last))
        for start, end in ranges_within(np.cumsum(questions.lengths[held]), most_words):
            group = held[start:end]
            chosen = pairs if len(group) == len(held) else pairs[np.isin(question[pairs], group)]
            local = np.searchsorted(group, question[chosen])
            yield chosen, Tile(questions.take(group), part, local, chunk[chosen] - first)


def _ranges(
    questions: Packed,
    chunks: Packed,
    question: NDArray[np.int64],
    starts: NDArray[np.int64],
    first: int,
    last: int,
) -> Iterator[tuple[int, int]]:
    held = question[starts[first] : starts[last]]
    if not len(held):
        return
    if last - first > 1:
        per_chunk = np.diff(starts[first : last + 1])
        words = np.repeat(chunks.lengths[first:last], per_chunk)
        group = float((words * questions.lengths[held]).sum())
        distinct = np.unique(held)
        dense = float(chunks.lengths[first:last].sum()) * float(questions.lengths[distinct].sum())
        if group < _DENSE * dense:
            middle = (first + last) // 2
            yield from _ranges(questions, chunks, question, starts, first, middle)
            yield from _ranges(questions, chunks, question, starts, middle, last)
            return
    yield first, last


def ranges_within(totals: NDArray[np.integer], most: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of things whose sizes sum to at most `most`, or of one that is larger.

    `totals`: (n,) cumulative sizes.
    """
    first = 0
    while first < len(totals):
        seen = totals[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(totals, seen + most, side="right")))
        yield first, last
        first = last
