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
    block = _Block(question_lengths, totals, holders, starts, least_share)
    place = np.empty(len(question_lengths), np.int64)
    parts = (part for ends in ranges_within(totals, most) for part in block.ranges(*ends))
    for first, last, held in parts:
        pairs = order[starts[first] : starts[last]]
        for start, end in ranges_within(np.cumsum(question_lengths[held]), most_words):
            group = held[start:end]
            place[held] = -1
            place[group] = np.arange(len(group))
            local = place[question[pairs]]
            inside = local >= 0
            chosen = pairs[inside]
            yield Cut(chosen, group, first, last, local[inside], chunk[chosen] - first)


class _Block:
    """The pairs of some chunks, in the order of these: the questions that hold each, and their words."""

    def __init__(
        self,
        question_lengths: NDArray[np.int64],
        totals: NDArray[np.int64],
        holders: NDArray[np.int64],
        starts: NDArray[np.int64],
        least_share: float,
    ) -> None:
        self._question_lengths, self._holders, self._starts = question_lengths, holders, starts
        self._least_share = least_share
        self._totals = np.concatenate([[0], totals])
        words = np.repeat(np.diff(self._totals), np.diff(starts)) * question_lengths[holders]
        self._products = np.concatenate([[0], np.cumsum(words)])
        self._is_held = np.zeros(len(question_lengths), bool)

    def ranges(self, first: int, last: int) -> Iterator[tuple[int, int, NDArray[np.int64]]]:
        """Yield dense ranges of chunks, each with the questions that hold some of them, ascending."""
        start, end = int(self._starts[first]), int(self._starts[last])
        if start == end:
            return
        held = self._held(start, end)
        if last - first > 1:
            dense = int(self._totals[last] - self._totals[first]) * int(self._question_lengths[held].sum())
            if self._products[end] - self._products[start] < self._least_share * dense:
                middle = (first + last) // 2
                yield from self.ranges(first, middle)
                yield from self.ranges(middle, last)
                return
        yield first, last, held

    def _held(self, start: int, end: int) -> NDArray[np.int64]:
        holders = self._holders[start:end]
        self._is_held[holders] = True
        held = np.flatnonzero(self._is_held)
        self._is_held[holders] = False
        return held
