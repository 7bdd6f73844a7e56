"""Cutting a block of pairs into dense tiles for matrix products."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.retrieval.transport.bounds import Tile
from evidence_assets.retrieval.transport.packing import Packed, ranges_within

# Below this share of wanted pairs a tile is cut in two: the rest of its product would be wasted.
_DENSE = 0.5


@dataclass(frozen=True, slots=True)
class Cut:
    """Some pairs that make a dense tile: of some questions with chunks first to last.

    `pairs`: (p,) their positions among all. `group`: the questions. `question`, `chunk`: (p,) places in the
    group, and beyond the first chunk.
    """

    pairs: NDArray[np.int64]
    group: NDArray[np.int64]
    first: int
    last: int
    question: NDArray[np.int64]
    chunk: NDArray[np.int64]


def tiles_of(
    questions: Packed, chunks: Packed, question: NDArray[np.int64], chunk: NDArray[np.int64], most_words: int
) -> Iterator[tuple[NDArray[np.int64], Tile]]:
    """Yield the positions of some pairs and their tile, until every pair has been in one.

    `question`, `chunk`: (p,) places in the two packs. `most_words`: a tile holds the words of as many
    questions as stay below this, at least one.
    """
    for cut in cuts(questions.lengths, chunks.lengths, question, chunk, most_words):
        part = chunks.take(np.arange(cut.first, cut.last))
        yield cut.pairs, Tile(questions.take(cut.group), part, cut.question, cut.chunk)


def cuts(
    question_lengths: NDArray[np.int64],
    chunk_lengths: NDArray[np.int64],
    question: NDArray[np.int64],
    chunk: NDArray[np.int64],
    most_words: int,
    most_chunk_words: int | None = None,
    least_share: float = _DENSE,
) -> Iterator[Cut]:
    """Yield cuts of some pairs, as `tiles_of` does tiles; lengths are in words.

    `most_chunk_words`: what a cut holds of chunks at most, but for a longer one. `least_share`: of a cut's
    questions and chunks, those that are among the pairs.
    """
    order = np.argsort(chunk, kind="stable")
    starts = np.searchsorted(chunk[order], np.arange(len(chunk_lengths) + 1))
    holders = question[order]
    totals = np.cumsum(chunk_lengths)
    most = int(totals[-1]) if most_chunk_words is None else most_chunk_words
    ranges = (
        part
        for first, last in ranges_within(totals, most)
        for part in _ranges(question_lengths, chunk_lengths, holders, starts, first, last, least_share)
    )
    for first, last in ranges:
        pairs = order[starts[first] : starts[last]]
        held = np.unique(question[pairs])
        for start, end in ranges_within(np.cumsum(question_lengths[held]), most_words):
            group = held[start:end]
            chosen = pairs if len(group) == len(held) else pairs[np.isin(question[pairs], group)]
            local = np.searchsorted(group, question[chosen])
            yield Cut(chosen, group, first, last, local, chunk[chosen] - first)


def _ranges(
    question_lengths: NDArray[np.int64],
    chunk_lengths: NDArray[np.int64],
    question: NDArray[np.int64],
    starts: NDArray[np.int64],
    first: int,
    last: int,
    least_share: float,
) -> Iterator[tuple[int, int]]:
    held = question[starts[first] : starts[last]]
    if not len(held):
        return
    if last - first > 1:
        per_chunk = np.diff(starts[first : last + 1])
        words = np.repeat(chunk_lengths[first:last], per_chunk)
        group = float((words * question_lengths[held]).sum())
        distinct = np.unique(held)
        dense = float(chunk_lengths[first:last].sum()) * float(question_lengths[distinct].sum())
        if group < least_share * dense:
            middle = (first + last) // 2
            yield from _ranges(question_lengths, chunk_lengths, question, starts, first, middle, least_share)
            yield from _ranges(question_lengths, chunk_lengths, question, starts, middle, last, least_share)
            return
    yield first, last
