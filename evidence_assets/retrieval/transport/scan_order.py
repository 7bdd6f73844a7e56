"""In which order a ranking reads chunks, and how many at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from evidence_assets.retrieval.transport.packing import ranges_within

Numbers = NDArray[np.int64]
Priors = NDArray[np.floating] | NDArray[np.integer]

# Multiple of k that is promising; the rest come in storage order.
_PROMISING = 8


def promising(question: Numbers, prior: Priors, depths: Numbers) -> Numbers:
    """Return the places of each question's most promising pairs.

    `question`, `prior`: (p,) of pairs, a low prior is promising; `depths`: k of every question.
    """
    order = np.lexsort((prior, question))
    ordered = question[order]
    rank_in_pool = np.arange(len(order)) - np.searchsorted(ordered, ordered)
    result: Numbers = order[rank_in_pool < _PROMISING * depths[ordered]]
    return result


def by_chunk(
    question: Numbers,
    chunk: Numbers,
    prior: Priors,
    first: Numbers,
) -> tuple[Numbers, Numbers, Numbers]:
    """Return pairs sorted by chunk, where each chunk's begin, and the chunks in the order to read them.

    Chunks that the same question holds stand together: their pairs share tiles. Of these the ones that the
    pairs at the places `first` name come first, most promising first; the others as they are stored.
    """
    chunks, number = np.unique(chunk, return_inverse=True)
    holder = np.full(len(chunks), np.iinfo(np.int64).max)
    np.minimum.at(holder, number, question)
    promise = np.full(len(chunks), np.inf)
    np.minimum.at(promise, number[first], prior[first])
    order = np.lexsort((chunks, promise, holder))
    position = np.empty(len(chunks), np.int64)
    position[order] = np.arange(len(chunks))
    pairs = np.argsort(position[number], kind="stable")
    starts = np.searchsorted(position[number][pairs], np.arange(len(chunks) + 1))
    return pairs, starts, chunks[order]


def blocks(words: Numbers, few: int, many: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of chunks of about `few` words, and of about `many` after the first.

    `words`: (c,) of each chunk, in the order in which they are read. What the first block's chunks cost tells
    what can be left out of the others.
    """
    totals = np.cumsum(words)
    end = next((end for _, end in ranges_within(totals, few)), 0)
    if end:
        yield 0, end
        for start, last in ranges_within(totals[end:] - totals[end - 1], many):
            yield end + start, end + last
