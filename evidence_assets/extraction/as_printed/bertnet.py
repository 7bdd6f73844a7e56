"""BertNet as published: its prompt weights, its search and its ranking (Hao et al. 2023, Findings of ACL).

What their paper leaves open is as in their published code: the mean of three terms, the weight at which a
prompt is dropped, the order in which words are counted. Two things differ. Log-probabilities, not logits, are
averaged over the prompts, and entities are lower-case words: spellings with capitals are not tried.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evidence_assets.extraction.probing import (
    Filling,
    Probe,
    Shape,
    WordIndices,
    cloze,
    places_by_shape,
    word_indices,
)
from evidence_assets.extraction.search import (
    BATCH_PREFIXES,
    Pair,
    PairList,
    Progress,
    SearchResult,
    SearchSettings,
    ShapeSearch,
    by_shape,
)
from evidence_assets.models.masked_lm import MaskedLanguageModel
from evidence_assets.reading.weighing.combination import softmax

# What the negatives' mean counts for, and the weight under which a prompt is dropped.
NEGATIVES_COUNT, LEAST_WEIGHT = 0.5, 0.05

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


def compatibility(log_probabilities: NDArray[np.floating]) -> FloatArray:
    """Return (...,) how well pairs fit a prompt, from (..., s) log-probabilities of their tokens.

    Three terms, averaged: the tokens' mean, the entities' mean (each the sum of its tokens'), and the least.
    Tokens are filled in head first, each conditional on those before it.
    """
    values = np.asarray(log_probabilities, dtype=np.float64)
    by_entity = values.sum(axis=-1) / 2
    result: FloatArray = (values.mean(axis=-1) + by_entity + values.min(axis=-1)) / 3
    return result


def compatibilities(probe: Probe, pairs: Sequence[tuple[str, str]]) -> FloatArray:
    """Return (n,) the compatibility of pairs of known words, averaged over the prompts by weight."""
    numbers = word_indices(probe.model)
    scores = np.empty(len(pairs))
    for shape, places in places_by_shape(pairs).items():
        filling = Filling(shape, True)
        orders = [tuple(numbers[word] for side in pairs[place] for word in side.split()) for place in places]
        scores[places] = probe.weights @ compatibility(probe.chains(filling, orders))
    return scores


def contrast(model: MaskedLanguageModel, prompt: str, seeds: Sequence[tuple[str, str]]) -> float:
    """Return a prompt's score: the seeds' mean compatibility less half of that of their negatives.

    Negatives: each seed with its head, or its tail, taken from another seed. Without any, the seeds' mean.
    """
    negatives = [(swapped, tail) for head, tail in seeds for swapped, _ in seeds if swapped != head]
    negatives += [(head, swapped) for head, tail in seeds for _, swapped in seeds if swapped != tail]
    values = _fit(model, prompt, sorted({*seeds, *negatives}))
    positive = float(np.mean([values[pair] for pair in seeds]))
    if not negatives:
        return positive
    return positive - NEGATIVES_COUNT * float(np.mean([values[pair] for pair in negatives]))


def _fit(
    model: MaskedLanguageModel, prompt: str, pairs: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], float]:
    """Return the compatibility of pairs of any words: one that is no token is as many as it needs."""
    rows: list[list[int]] = []
    places: list[int] = []
    tokens: list[int] = []
    ends = [0]
    for head, tail in pairs:
        first, second = model.entity_tokens(head), model.entity_tokens(tail)
        masked = cloze(model, prompt, len(first), len(second))
        row = list(masked.tokens)
        for place, token in zip(masked.head + masked.tail, first + second, strict=True):
            rows.append(list(row))
            places.append(place)
            tokens.append(token)
            row[place] = token
        ends.append(len(tokens))
    likely = model.token_log_probabilities(rows, places, tokens)
    return {
        pair: float(compatibility(likely[start:end]))
        for pair, start, end in zip(pairs, ends, ends[1:], strict=False)
    }


def contrastive_weights(contrasts: Sequence[float]) -> FloatArray:
    """Return (n,) weights of prompts, of a sum of 1: the softmax of their contrasts, 0 for the least of them.

    A prompt whose share is under `LEAST_WEIGHT` is dropped, and the others' shares are scaled.
    """
    shares = softmax(np.asarray(contrasts, dtype=np.float64))
    # Of twenty equal shares rounding may leave each a little less.
    shares[shares < min(LEAST_WEIGHT, shares.max())] = 0.0
    result: FloatArray = shares / shares.sum()
    return result


class WordHeap:
    """The best pairs seen of those that came while their words were free: at most `size`.

    A word is free while fewer than `most_of_word` pairs of the heap hold it, as a head's or as a tail's. So
    what is kept depends on the order in which pairs come. Of equal scores the pair whose words come first in
    the vocabulary stays.
    """

    def __init__(self, size: int, most_of_word: int) -> None:
        self._size, self._most_of_word = size, most_of_word
        self._heap: list[tuple[float, tuple[int, ...], Pair]] = []
        self._times: Counter[int] = Counter()

    @property
    def threshold(self) -> float:
        """The score below which nothing is accepted."""
        return self._heap[0][0] if len(self._heap) == self._size else -np.inf

    def push(self, pair: Pair, score: float) -> None:
        """Take a pair that was never pushed before, if its words are free and it is good enough."""
        words = pair[0] + pair[1]
        if any(self._times[word] >= self._most_of_word for word in words):
            return
        order = tuple(-word for side in pair for word in (*side, -1)[:2])
        heapq.heappush(self._heap, (score, order, pair))
        self._times.update(words)
        if len(self._heap) > self._size:
            _, _, (head, tail) = heapq.heappop(self._heap)
            self._times.subtract(head + tail)

    def result(self) -> SearchResult:
        """Return the pairs kept, best first."""
        kept = sorted(self._heap, reverse=True)
        scores = np.array([score for score, _, _ in kept], dtype=np.float32)
        return SearchResult(tuple(pair for _, _, pair in kept), scores, self.threshold)


def search_one_heap(
    probe: Probe,
    allowed: IntArray,
    alike: IntArray,
    settings: SearchSettings,
    progress: Progress | None = None,
) -> dict[Shape, SearchResult]:
    """Return the pairs of one heap for all shapes, by shape; `allowed` and `alike` as in `search`.

    Shape by shape, first entities from the likeliest on, at most as many as the heap holds; after each, its
    `most_of_word` likeliest second ones. A pair's score is the least of its words' log-probabilities.
    """
    running = ShapeSearch(probe, np.sort(allowed), alike, settings, progress)
    heap = WordHeap(settings.list_size, settings.most_of_word)
    for shape in settings.shapes:
        filling = Filling(shape, True)
        firsts, bounds = running.first_entities(filling, counts_first=True)
        firsts = firsts[: settings.list_size]
        for begin in range(0, len(firsts), BATCH_PREFIXES):
            if bounds[begin] < heap.threshold:
                break
            batch = firsts[begin : begin + BATCH_PREFIXES]
            _push_in_order(running, filling, heap, batch, bounds[begin : begin + len(batch)])
            if progress:
                progress(str(shape), begin + len(batch))
    return by_shape(heap.result(), settings.shapes)


def _push_in_order(
    running: ShapeSearch,
    filling: Filling,
    heap: WordHeap,
    firsts: Sequence[WordIndices],
    bounds: NDArray[np.float32],
) -> None:
    """Push each first entity's likeliest pairs, the best first: as if prefixes were run one at a time."""
    most = running.settings.most_of_word
    likeliest = PairList(len(firsts) * most, most, floor=heap.threshold)
    # Second entities are chosen by their own log-probabilities: less likely firsts bound many alike.
    running.complete(filling, likeliest, firsts, np.zeros_like(bounds))
    best = likeliest.result()
    turn = {first: place for place, first in enumerate(firsts)}
    second = dict(zip(best.pairs, best.scores.tolist(), strict=True))
    for pair in sorted(best.pairs, key=lambda pair: turn[pair[0]]):
        heap.push(pair, min(second[pair], float(bounds[turn[pair[0]]])))
