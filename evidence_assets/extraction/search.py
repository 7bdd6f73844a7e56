"""The search for pairs of entities that a model fills a relation's prompts with (thesis 5.3.4).

A pair's score is the least of its words' log-probabilities in the order of filling, averaged over the
prompts by weight. All pairs of a first entity that is less likely than their second have one score: the
likelier second is the better. Pairs of one and two words a side are searched apart, each shape with a list of
its own, or all with one, which is what the thesis says of BertNet (as published: `as_printed.bertnet`). A
prefix that falls under its list's threshold is not followed. Prefixes are run in batches: the result depends
neither on the batches nor on their order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.extraction.probing import SHAPES, Filling, Probe, Shape, WordIndices

BATCH_PREFIXES = 64
# Pairs that are searched one way for each that is kept both ways.
WIDER = 8
# Scores are kept to this many decimals: what differs by less is a tie, on any device and in any batch.
DECIMALS = 4

FloatArray = NDArray[np.float32]
IntArray = NDArray[np.int64]
Pair = tuple[WordIndices, WordIndices]
Progress = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """Limits of a search.

    `list_size`: pairs kept of each shape. `one_list`: of all shapes together, in one list. `bidirectional`:
    a pair's score is the lesser of log p(tail | head) and log p(head | tail); else the least over one order
    of filling, the head's own probability counted. `most_first`: first entities that are followed where their
    own probability does not count, the likeliest, 0 for all. `most_phrases`: the same where either entity has
    two words. `branch`: first words of a two-word entity that are followed after each prefix.
    `most_of_first`: pairs kept of one first entity. `most_of_word`: pairs that a word may stand in, where
    BertNet's own search is meant; else 0.
    """

    list_size: int = 1_000
    one_list: bool = False
    bidirectional: bool = True
    shapes: tuple[Shape, ...] = SHAPES
    most_first: int = 1_500
    most_phrases: int = 150
    branch: int = 8
    most_of_first: int = 10
    most_of_word: int = 0


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The pairs kept by a search, best first.

    `scores`: (n,) log-probabilities, rounded. `threshold`: a pair of first entities that were followed and
    that is not among them scores no more than this, unless `branch` or `most_of_first` kept it out; minus
    infinity where nothing was left out for its score.
    """

    pairs: tuple[Pair, ...]
    scores: FloatArray
    threshold: float


class PairList:
    """The best pairs seen: at most `size`, and at most `most_of_first` of one head, which is filled in first.

    Of equal scores the pair stays whose second entity is likelier after the first, then the one whose words
    come first in the vocabulary. So the list depends on what was offered, not on the order in which it was. A
    pair is a row of four words: two of the head, two of the tail, -1 where there is none.
    """

    def __init__(self, size: int, most_of_first: int, floor: float = -np.inf) -> None:
        self._size, self.most_of_first, self._floor = size, most_of_first, floor
        self.rows: IntArray = np.empty((0, 4), dtype=np.int64)
        self._scores = np.empty(0, dtype=np.float32)
        self._seconds = np.empty(0, dtype=np.float32)

    @property
    def threshold(self) -> float:
        """The score below which nothing is accepted: the last's of a full list, and `floor` at least."""
        full = len(self._scores) == self._size
        return max(float(self._scores[-1]), self._floor) if full else self._floor

    def offer(self, rows: IntArray, scores: FloatArray, seconds: FloatArray) -> None:
        """Take what is good enough of (n, 4) pairs that were never offered before, with their scores.

        `seconds`: (n,) log-probabilities of the second entities, given the first.
        """
        rows = np.concatenate([self.rows, rows])
        scores = np.concatenate([self._scores, scores])
        seconds = np.concatenate([self._seconds, seconds])
        order = np.lexsort((*rows.T[::-1], -seconds, -scores))
        kept = order[np.flatnonzero(_turns(rows[order, :2]) < self.most_of_first)[: self._size]]
        self.rows, self._scores, self._seconds = rows[kept], scores[kept], seconds[kept]

    def result(self) -> SearchResult:
        """Return the pairs kept."""
        pairs = tuple((_words(row[:2]), _words(row[2:])) for row in self.rows.tolist())
        return SearchResult(pairs, self._scores, self.threshold)


def _words(columns: list[int]) -> WordIndices:
    return tuple(word for word in columns if word >= 0)


def _turns(keys: IntArray) -> IntArray:
    """Return how often each row's key stood in an earlier row."""
    _, owner = np.unique(keys, axis=0, return_inverse=True)
    owner = owner.reshape(-1)
    order = np.argsort(owner, kind="stable")
    starts = np.flatnonzero(np.diff(owner[order], prepend=-1))
    turns = np.empty(len(owner), dtype=np.int64)
    turns[order] = np.arange(len(owner)) - np.repeat(starts, np.diff(np.append(starts, len(owner))))
    return turns


def search(
    probe: Probe,
    allowed: IntArray,
    alike: IntArray,
    settings: SearchSettings,
    progress: Progress | None = None,
) -> dict[Shape, SearchResult]:
    """Return the best pairs of each shape; with `one_list`, each list holds what it has of the common one.

    `allowed`: words that an entity may hold, as indices into the model's words. `alike`: (w,) a number for
    each of the model's words that those of one stem share: no pair holds two of them.
    """
    running = ShapeSearch(probe, np.sort(allowed), alike, settings, progress)
    if settings.one_list:
        shared = PairList(settings.list_size, settings.most_of_first)
        for shape in settings.shapes:
            running.one_way(Filling(shape, True), shared, counts_first=True)
        return by_shape(shared.result(), settings.shapes)
    of_shape = running.both_ways if settings.bidirectional else running.forward
    return {shape: of_shape(shape) for shape in settings.shapes}


def by_shape(best: SearchResult, shapes: Sequence[Shape]) -> dict[Shape, SearchResult]:
    """Return what a list of pairs of all shapes holds of each."""
    lengths = [Shape(len(head), len(tail)) for head, tail in best.pairs]
    return {
        shape: SearchResult(
            tuple(pair for pair, length in zip(best.pairs, lengths, strict=True) if length == shape),
            best.scores[[length == shape for length in lengths]],
            best.threshold,
        )
        for shape in shapes
    }


@dataclass(frozen=True, slots=True)
class _Prefixes:
    """Words filled in so far, with the least of all their log-probabilities, and of the last entity's."""

    words: Sequence[WordIndices]
    scores: FloatArray
    entities: FloatArray


@dataclass(frozen=True, slots=True)
class ShapeSearch:
    """One relation's search. `allowed`: what an entity may hold, indices of words, sorted."""

    probe: Probe
    allowed: IntArray
    alike: IntArray
    settings: SearchSettings
    progress: Progress | None

    def forward(self, shape: Shape) -> SearchResult:
        """Search one shape by the least log-probability over head then tail."""
        kept = PairList(self.settings.list_size, self.settings.most_of_first)
        self.one_way(Filling(shape, True), kept, counts_first=True)
        return kept.result()

    def both_ways(self, shape: Shape) -> SearchResult:
        """Search one shape by the lesser of log p(tail | head) and log p(head | tail).

        Tails are searched for the heads, `WIDER` times as many pairs as are wanted, and each pair is scored
        the other way. One that was not among those scores no more than their last: where the last pair that
        is kept scores as much, nothing is missing.
        """
        settings, backward = self.settings, Filling(shape, False)
        wider = PairList(WIDER * settings.list_size, max(settings.most_of_first, WIDER))
        self.one_way(Filling(shape, True), wider, counts_first=False)
        wide = wider.result()
        if not wide.pairs:
            return wide
        orders = [backward.order(*pair) for pair in wide.pairs]
        chains = np.tensordot(self.probe.weights, self.probe.chains(backward, orders, shape.tail), axes=1)
        backwards = np.round(chains.min(axis=1), DECIMALS).astype(np.float32)
        kept = PairList(settings.list_size, settings.most_of_first)
        kept.offer(wider.rows, np.minimum(wide.scores, backwards), np.zeros_like(backwards))
        best = kept.result()
        return SearchResult(best.pairs, best.scores, max(best.threshold, wide.threshold))

    def one_way(self, filling: Filling, kept: PairList, counts_first: bool) -> None:
        """Offer the pairs of one filling. `counts_first`: the first entity's own probability counts too."""
        firsts, bounds = self.first_entities(filling, counts_first)
        if not counts_first:
            bounds = np.zeros_like(bounds)
        for begin in range(0, len(firsts), BATCH_PREFIXES):
            batch = firsts[begin : begin + BATCH_PREFIXES]
            above = bounds[begin : begin + BATCH_PREFIXES]
            if counts_first:
                open_still = int((above >= kept.threshold).sum())
                if not open_still:
                    break
                batch, above = batch[:open_still], above[:open_still]
            self.complete(filling, kept, batch, above)
            if self.progress:
                self.progress(str(filling.shape), begin + len(batch))

    def first_entities(self, filling: Filling, counts_first: bool) -> tuple[list[WordIndices], FloatArray]:
        """Return the likeliest first entities, the best first, and their log-probabilities."""
        settings, allowed = self.settings, self.allowed
        alone = np.round(self.probe.continuations(filling, [()], allowed)[0], DECIMALS)
        order = np.lexsort((allowed, -alone))
        if filling.first == 1:
            most = settings.most_first if sum(filling.shape) == 2 else settings.most_phrases
            # Where their own probability counts, the threshold ends the search by itself.
            order = order if counts_first else order[: most or len(order)]
            return [(int(allowed[place]),) for place in order], alone[order]
        phrases = PairList(settings.most_phrases or len(alone) ** 2, len(alone))
        for begin in range(0, len(order), BATCH_PREFIXES):
            places = order[begin : begin + BATCH_PREFIXES]
            if alone[places[0]] < phrases.threshold:
                break
            starts = [(int(allowed[place]),) for place in places]
            prefixes = _Prefixes(starts, alone[places], alone[places])
            self._offer(filling, prefixes, phrases, settings.branch or len(alone))
        best = phrases.result()
        return [head for head, _ in best.pairs], best.scores

    def complete(
        self, filling: Filling, kept: PairList, firsts: Sequence[WordIndices], bounds: FloatArray
    ) -> None:
        """Offer each first entity with its likeliest second ones. `bounds`: the first ones' own scores."""
        started = _Prefixes(firsts, bounds, np.zeros_like(bounds))
        if filling.second == 1:
            self._offer(filling, started, kept, kept.most_of_first)
            return
        rows, scores, seconds = self._continued(filling, started, kept.threshold, self.settings.branch)
        order = np.argsort(-scores, kind="stable")
        for begin in range(0, len(order), BATCH_PREFIXES):
            batch = order[begin : begin + BATCH_PREFIXES]
            if scores[batch[0]] < kept.threshold:
                break
            prefixes = _Prefixes([tuple(row) for row in rows[batch].tolist()], scores[batch], seconds[batch])
            self._offer(filling, prefixes, kept, kept.most_of_first)

    def _offer(self, filling: Filling, prefixes: _Prefixes, kept: PairList, most: int) -> None:
        """Offer the `most` best completions of each prefix by one word."""
        rows, scores, seconds = self._continued(filling, prefixes, kept.threshold, most)
        kept.offer(_columns(filling, rows), scores, seconds)

    def _continued(
        self, filling: Filling, prefixes: _Prefixes, threshold: float, most: int
    ) -> tuple[IntArray, FloatArray, FloatArray]:
        """Return (n, s + 1) the best continuations of each prefix by one word; (n,) what they score.

        Their scores are the pairs' and the last entities'. Those under the threshold are left out, and those
        with two words of one stem; of each prefix the `most` best are returned, 0 for all.
        """
        before = np.array(prefixes.words, dtype=np.int64)
        likely = np.round(self.probe.continuations(filling, prefixes.words, self.allowed), DECIMALS)
        scores = np.minimum(likely, prefixes.scores[:, None])
        entities = np.minimum(likely, prefixes.entities[:, None])
        scores[(self.alike[before][:, :, None] == self.alike[self.allowed]).any(axis=1)] = -np.inf
        count = min(most or scores.shape[1], scores.shape[1])
        least = np.partition(scores, -count, axis=1)[:, -count]
        owner, column = np.nonzero((scores >= np.maximum(least, threshold)[:, None]) & np.isfinite(scores))
        chosen, scored, likelihoods = self.allowed[column], scores[owner, column], entities[owner, column]
        # The bound makes scores equal of what is likelier than it: then the likelier entity, then the word.
        order = np.lexsort((chosen, -likelihoods, -scored, owner))
        order = order[_turns(owner[order][:, None]) < count]
        return np.column_stack([before[owner[order]], chosen[order]]), scored[order], likelihoods[order]


def _columns(filling: Filling, rows: IntArray) -> IntArray:
    """Return (n, 4) pairs of rows of words in the order of filling; a phrase alone counts as a head."""
    columns = np.full((len(rows), 4), -1, dtype=np.int64)
    if rows.shape[1] <= filling.first:
        columns[:, : rows.shape[1]] = rows
        return columns
    first, second = rows[:, : filling.first], rows[:, filling.first :]
    head, tail = (first, second) if filling.head_first else (second, first)
    columns[:, : head.shape[1]] = head
    columns[:, 2 : 2 + tail.shape[1]] = tail
    return columns
