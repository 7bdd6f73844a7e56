"""The search for pairs, against every pair there is and against a search of one prefix at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict, Unpack

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.extraction import probing
from evidence_assets.extraction import search as searching
from evidence_assets.extraction.probing import SHAPES, Filling, Probe, Shape
from evidence_assets.extraction.search import PairList, SearchResult, SearchSettings, search
from evidence_assets_tests.testing.masked_lm_samples import (
    PROMPTS,
    QUARTERS,
    WEIGHTS,
    WORDS,
    HashedModel,
    Literal,
    Pair,
    best_of,
    by_rule,
    pairs_of,
    probe_of,
    tiny_bert,
)
from evidence_assets_tests.testing.profiles import examples

EVERY_PAIR = 100_000


class Limits(TypedDict, total=False):
    """Numbers of `SearchSettings`."""

    list_size: int
    most_of_first: int
    most_first: int
    most_phrases: int
    branch: int


UNLIMITED: Limits = {"most_first": 0, "most_phrases": 0, "branch": 0}
WAYS = [pytest.param(False, id="one way"), pytest.param(True, id="both ways")]


def searched(
    probe: Probe,
    shape: Shape,
    bidirectional: bool,
    allowed: Sequence[int],
    alike: Sequence[int],
    **limits: Unpack[Limits],
) -> SearchResult:
    every: Limits = {"list_size": EVERY_PAIR, "most_of_first": EVERY_PAIR, **UNLIMITED, **limits}
    settings = SearchSettings(bidirectional=bidirectional, shapes=(shape,), **every)
    return search(probe, np.array(allowed), np.array(alike), settings)[shape]


def every_score(
    probe: Probe, shape: Shape, bidirectional: bool, allowed: Sequence[int], alike: Sequence[int]
) -> dict[Pair, float]:
    literal = Literal(probe)
    return {pair: literal.score(*pair, bidirectional) for pair in pairs_of(allowed, alike, shape)}


def every_tail(probe: Probe, shape: Shape, allowed: Sequence[int], alike: Sequence[int]) -> dict[Pair, float]:
    """What decides between pairs of equal scores where one order of filling is searched."""
    literal = Literal(probe)
    return {pair: literal.tail(*pair) for pair in pairs_of(allowed, alike, shape)}


def scored_pairs(result: SearchResult) -> list[tuple[Pair, float]]:
    return list(zip(result.pairs, result.scores.tolist(), strict=True))


@st.composite
def vocabularies(draw: st.DrawFn, most: int) -> tuple[list[int], list[int]]:
    """Which of `most` words are allowed, in any order, and which are alike."""
    allowed = draw(st.lists(st.integers(0, most - 1), min_size=2, max_size=most, unique=True))
    return allowed, draw(st.lists(st.integers(0, most - 1), min_size=most, max_size=most))


@pytest.mark.parametrize("bidirectional", WAYS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@examples(12)
@given(seed=st.integers(0, 999), drawn=vocabularies(6))
def test_without_limits_every_pair_is_found_with_its_score(
    shape: Shape, bidirectional: bool, seed: int, drawn: tuple[list[int], list[int]]
) -> None:
    probe = probe_of(seed, 6)
    result = searched(probe, shape, bidirectional, *drawn)
    tails = None if bidirectional else every_tail(probe, shape, *drawn)
    scores = every_score(probe, shape, bidirectional, *drawn)
    assert scored_pairs(result) == best_of(scores, EVERY_PAIR, EVERY_PAIR, tails)
    assert result.threshold == -np.inf


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@examples(25)
@given(
    seed=st.integers(0, 999),
    grain=st.sampled_from([QUARTERS, 1.0, 4.0]),
    drawn=vocabularies(6),
    size=st.integers(1, 30),
    most_of_first=st.sampled_from([1, 2, 3, EVERY_PAIR]),
    batch=st.sampled_from([1, 2, 64]),
)
def test_one_way_a_short_list_holds_the_best_at_most_so_many_of_a_head(
    shape: Shape,
    seed: int,
    grain: float,
    drawn: tuple[list[int], list[int]],
    size: int,
    most_of_first: int,
    batch: int,
) -> None:
    """The coarser the grain the more scores are equal, the list's last among them."""
    probe = probe_of(seed, 6, grain)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "BATCH_PREFIXES", batch)
        result = searched(probe, shape, False, *drawn, list_size=size, most_of_first=most_of_first)
    tails = every_tail(probe, shape, *drawn)
    expected = best_of(every_score(probe, shape, False, *drawn), size, most_of_first, tails)
    assert scored_pairs(result) == expected
    assert result.threshold == (expected[-1][1] if len(expected) == size else -np.inf)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@examples(20)
@given(seed=st.integers(0, 999), size=st.integers(1, 30), wider=st.sampled_from([1, 2, 8]))
def test_both_ways_no_pair_that_was_left_out_scores_more_than_the_threshold(
    shape: Shape, seed: int, size: int, wider: int
) -> None:
    probe, allowed = probe_of(seed, 5), range(5)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "WIDER", wider)
        result = searched(probe, shape, True, allowed, allowed, list_size=size)
    scores = every_score(probe, shape, True, allowed, allowed)
    assert result.scores.tolist() == [scores[pair] for pair in result.pairs]
    assert list(result.pairs) == sorted(result.pairs, key=lambda pair: (-scores[pair], by_rule(pair)))
    assert len(set(result.pairs)) == len(result.pairs) == min(size, len(scores))
    assert {pair for pair, score in scores.items() if score > result.threshold} <= set(result.pairs)
    # Where the list's own end is the threshold, its scores are the best there are.
    if result.scores[-1] == result.threshold:
        assert result.scores.tolist() == sorted(scores.values(), reverse=True)[:size]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@examples(15)
@given(seed=st.integers(0, 999), most_of_first=st.integers(1, 4))
def test_both_ways_the_best_tails_of_each_head_are_kept(shape: Shape, seed: int, most_of_first: int) -> None:
    """Eight tails of each head are looked at: with few words, all that there are."""
    count = 8 if shape.tail == 1 and shape.head == 1 else 4
    probe, allowed = probe_of(seed, count), range(count)
    result = searched(probe, shape, True, allowed, allowed, most_of_first=most_of_first)
    assert scored_pairs(result) == best_of(
        every_score(probe, shape, True, allowed, allowed), EVERY_PAIR, most_of_first
    )


@examples(15)
@given(
    seed=st.integers(0, 999),
    drawn=vocabularies(5),
    size=st.integers(1, 60),
    most_of_first=st.sampled_from([1, 4, EVERY_PAIR]),
)
def test_one_list_holds_the_best_of_all_shapes(
    seed: int, drawn: tuple[list[int], list[int]], size: int, most_of_first: int
) -> None:
    probe, (allowed, alike) = probe_of(seed, 5), drawn
    limits: Limits = {**UNLIMITED, "list_size": size, "most_of_first": most_of_first}
    settings = SearchSettings(one_list=True, **limits)
    results = search(probe, np.array(allowed), np.array(alike), settings)
    scores = {
        pair: score for shape in SHAPES for pair, score in every_score(probe, shape, False, *drawn).items()
    }
    tails = {
        pair: tail_score for shape in SHAPES for pair, tail_score in every_tail(probe, shape, *drawn).items()
    }
    expected = best_of(scores, size, most_of_first, tails)
    assert tuple(results) == SHAPES
    for shape, result in results.items():
        assert scored_pairs(result) == [
            (pair, score) for pair, score in expected if Shape(len(pair[0]), len(pair[1])) == shape
        ]
        assert result.threshold == (expected[-1][1] if len(expected) == size else -np.inf)


def test_one_list_is_one_way_whatever_else_is_asked() -> None:
    probe, indices = probe_of(), np.arange(6)
    settings = SearchSettings(20, one_list=True, bidirectional=True)
    both = search(probe, indices, indices, settings)
    one_way = search(probe, indices, indices, SearchSettings(20, one_list=True, bidirectional=False))
    assert {shape: scored_pairs(result) for shape, result in both.items()} == {
        shape: scored_pairs(result) for shape, result in one_way.items()
    }


class Indifferent(HashedModel):
    """Every word is as likely as any other."""

    def logits(self, row: tuple[int, ...], place: int) -> np.ndarray:
        return np.zeros(len(self.vocabulary))


@pytest.mark.parametrize("bidirectional", WAYS)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_of_equal_scores_the_words_that_come_first_in_the_vocabulary_are_kept(
    shape: Shape, bidirectional: bool
) -> None:
    probe, indices = Probe(Indifferent(WORDS), PROMPTS, WEIGHTS), range(6)
    result = searched(probe, shape, bidirectional, [5, 3, 4, 1, 0, 2], indices, list_size=7, most_of_first=3)
    assert len(set(result.scores.tolist())) == 1
    expected = best_of(dict.fromkeys(pairs_of(indices, indices, shape), 0.0), 7, 3)
    assert list(result.pairs) == [pair for pair, _ in expected]


class Unlikely(HashedModel):
    """The first word that is filled in is a surprise, whichever it is: every pair of it scores the same."""

    def logits(self, row: tuple[int, ...], place: int) -> np.ndarray:
        if row.count(self.mask_id) == 1:
            return super().logits(row, place)
        logits = np.zeros(len(self.vocabulary))
        logits[self.word_ids] = -20
        return logits


def test_an_unlikely_head_is_kept_with_its_likeliest_tails() -> None:
    """Every tail is likelier than the head, so all scores are the head's: not the alphabet decides."""
    probe = Probe(Unlikely(WORDS), PROMPTS, WEIGHTS)
    indices = range(len(WORDS))
    result = searched(probe, Shape(1, 1), False, indices, indices, most_of_first=2)
    literal = Literal(probe)
    for head in indices:
        tails = [tail for (first,), (tail,) in result.pairs if first == head]
        likeliest = sorted(set(indices) - {head}, key=lambda tail: -literal.chain((head,), (tail,), True)[1])
        alone = literal.chain((head,), (likeliest[1],), True)
        assert alone[1] > alone[0], "the tail is the likelier of the two"
        assert set(tails) == set(likeliest[:2])
    alphabet = [min(set(indices) - {head}) for head in indices]
    assert [tail for _, (tail,) in result.pairs[::2]] != alphabet


def one_at_a_time(
    probe: Probe, allowed: Sequence[int], shape: Shape, settings: SearchSettings
) -> list[tuple[Pair, float]]:
    """The same search as it may be read in a paper: prefix by prefix, a list that is pruned as it fills.

    What is kept of a prefix: its score, the least log-probability of its last entity, its words.
    """
    filling = Filling(shape, True)
    Prefix = tuple[float, float, tuple[int, ...]]

    def rank(prefix: Prefix) -> tuple[float, float, tuple[int, ...]]:
        return -prefix[0], -prefix[1], prefix[2]

    def after(prefix: Prefix, most: int) -> list[Prefix]:
        bound, entity, words = prefix
        likely = probe.continuations(filling, [words])[0]
        continued = [
            (min(likelihood, bound), min(likelihood, entity), (*words, word))
            for word in allowed
            if word not in words
            for likelihood in [round(float(likely[word]), 4)]
        ]
        return sorted(continued, key=rank)[: most or None]

    firsts = after((0.0, 0.0, ()), 0)
    if shape.head == 2:
        longer = [phrase for prefix in firsts for phrase in after(prefix, settings.branch)]
        firsts = sorted(longer, key=rank)[: settings.most_phrases]
    best: list[Prefix] = []
    for bound, _, first in firsts:
        started = (bound, 0.0, first)
        for prefix in [started] if shape.tail == 1 else after(started, settings.branch):
            if len(best) == settings.list_size and prefix[0] < best[-1][0]:
                continue
            best = sorted([*best, *after(prefix, 0)], key=rank)
            best = [
                entry
                for place, entry in enumerate(best)
                if sum(earlier[2][: shape.head] == entry[2][: shape.head] for earlier in best[:place])
                < settings.most_of_first
            ][: settings.list_size]
    return [((words[: shape.head], words[shape.head :]), score) for score, _, words in best]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@examples(25)
@given(
    seed=st.integers(0, 999),
    grain=st.sampled_from([QUARTERS, 4.0]),
    size=st.integers(1, 20),
    most_phrases=st.integers(1, 12),
    branch=st.integers(1, 4),
    batch=st.sampled_from([1, 2, 64]),
)
def test_with_limits_it_is_the_search_of_one_prefix_at_a_time(
    shape: Shape, seed: int, grain: float, size: int, most_phrases: int, branch: int, batch: int
) -> None:
    probe = probe_of(seed, grain=grain)
    indices = np.arange(len(WORDS))
    settings = SearchSettings(
        size, bidirectional=False, most_phrases=most_phrases, branch=branch, most_of_first=2
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searching, "BATCH_PREFIXES", batch)
        result = search(probe, indices, indices, settings)[shape]
    assert scored_pairs(result) == one_at_a_time(probe, range(len(WORDS)), shape, settings)


@pytest.mark.parametrize("one_list", [False, True], ids=["lists", "one list"])
@pytest.mark.parametrize("bidirectional", WAYS)
def test_what_is_found_does_not_depend_on_the_batches(
    bidirectional: bool, one_list: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    indices = np.arange(len(WORDS))
    settings = SearchSettings(15, one_list, bidirectional, most_phrases=20, branch=4, most_of_first=3)
    expected: dict[Shape, tuple[list[tuple[Pair, float]], float]] = {}
    for size in (64, 1, 3, 7, 1_000):
        monkeypatch.setattr(searching, "BATCH_PREFIXES", size)
        monkeypatch.setattr(probing, "_TOGETHER", size)
        results = {
            shape: (scored_pairs(result), result.threshold)
            for shape, result in search(probe_of(7), indices, indices, settings).items()
        }
        expected = expected or results
        assert results == expected
    assert sum(len(pairs) for pairs, _ in expected.values()) == (15 if one_list else 60)


def test_where_pairs_are_found_does_not_depend_on_the_order_of_the_allowed_words() -> None:
    alike = np.arange(len(WORDS))
    for bidirectional in (False, True):
        settings = SearchSettings(15, bidirectional=bidirectional, most_phrases=20, branch=4, most_of_first=3)
        ways = [search(probe_of(3), allowed, alike, settings) for allowed in (alike, alike[::-1].copy())]
        assert [scored_pairs(result) for result in ways[0].values()] == [
            scored_pairs(result) for result in ways[1].values()
        ]


def test_first_entities_beyond_the_likeliest_are_not_followed() -> None:
    probe, indices = probe_of(5), range(len(WORDS))
    alone = probe.continuations(Filling(Shape(1, 1), True), [()])[0]
    likeliest = sorted(indices, key=lambda word: (-alone[word], word))[:3]
    result = searched(probe, Shape(1, 1), True, indices, indices, most_first=3)
    assert {head for head, _ in result.pairs} == {(word,) for word in likeliest}
    # Shapes with a phrase have a number of their own.
    result = searched(probe, Shape(1, 2), True, indices, indices, most_first=9, most_phrases=2)
    assert len({head for head, _ in result.pairs}) == 2
    result = searched(probe, Shape(2, 1), True, indices, indices, most_first=1, most_phrases=4)
    assert len({head for head, _ in result.pairs}) == 4


def test_a_short_list_saves_runs_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "BATCH_PREFIXES", 2)
    indices = range(len(WORDS))
    runs = {}
    for size in (2, EVERY_PAIR):
        probe = probe_of(2)
        searched(probe, Shape(2, 2), False, indices, indices, list_size=size)
        runs[size] = probe.passes
    # One prefix of each length but the last, under each prompt.
    every = 1 + 9 + 9 * 8 + 9 * 8 * 7
    assert runs[EVERY_PAIR] == every * len(PROMPTS)
    assert runs[2] < runs[EVERY_PAIR] / 3


@pytest.mark.parametrize("one_list", [False, True], ids=["lists", "one list"])
@pytest.mark.parametrize("bidirectional", WAYS)
def test_too_few_words_make_no_pair(bidirectional: bool, one_list: bool) -> None:
    settings = SearchSettings(one_list=one_list, bidirectional=bidirectional)
    alike = np.arange(len(WORDS))
    lone = search(probe_of(), np.array([4]), alike, settings)
    assert [result.pairs for result in lone.values()] == [()] * 4
    # Two words that are alike are no pair either.
    twins = search(probe_of(), np.array([1, 2]), np.zeros(len(WORDS), dtype=np.int64), settings)
    assert [len(twin.pairs) for twin in twins.values()] == [0] * 4
    two = search(probe_of(), np.array([1, 2]), alike, settings)
    assert [len(result.pairs) for result in two.values()] == [2, 0, 0, 0]


def test_progress_tells_the_shape_and_how_many_were_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "BATCH_PREFIXES", 4)
    heard: list[tuple[str, int]] = []
    indices = np.arange(len(WORDS))
    settings = SearchSettings(shapes=(Shape(1, 1), Shape(1, 2)), most_phrases=5)
    search(probe_of(), indices, indices, settings, lambda shape, count: heard.append((shape, count)))
    assert heard == [("1-1", 4), ("1-1", 8), ("1-1", 9), ("1-2", 4), ("1-2", 5)]


@pytest.mark.parametrize("bidirectional", WAYS)
def test_under_a_real_model_the_pairs_found_are_the_best_there_are(
    bidirectional: bool, tmp_path: Path
) -> None:
    """Its sums are rounded differently in different batches: scores are equal to within the rounding."""
    model = tiny_bert(tmp_path, ["the", *WORDS[:5]])
    allowed = [number for number, word in enumerate(model.words) if word != "the"]
    alike = range(len(model.words))
    probe = Probe(model, PROMPTS, (0.3, 0.7))
    for shape in SHAPES:
        result = searched(probe, shape, bidirectional, allowed, alike, list_size=10)
        scores = every_score(probe, shape, bidirectional, allowed, alike)
        exact = [scores[pair] for pair in result.pairs]
        np.testing.assert_allclose(result.scores, exact, atol=2e-4)
        assert result.scores.tolist() == np.round(result.scores, searching.DECIMALS).tolist()
        left_out = max(score for pair, score in scores.items() if pair not in result.pairs)
        assert len(result.pairs) == 10
        assert left_out <= result.threshold + 2e-4
        assert np.ptp(list(scores.values())) > 1


# The list


@st.composite
def offers(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Pairs, each once, of few words and few scores, with their second entities'."""
    words = st.integers(-1, 2)
    rows = draw(st.lists(st.tuples(words, words, words, words), max_size=40, unique=True))
    few = st.lists(st.sampled_from([-1.0, -1.5, -2.0]), min_size=len(rows), max_size=len(rows))
    scores, seconds = (np.array(draw(few), dtype=np.float32) for _ in range(2))
    return np.array(rows, dtype=np.int64).reshape(-1, 4), scores, seconds


@examples(200)
@given(offered=offers(), size=st.integers(1, 12), most=st.integers(1, 4), data=st.data())
def test_a_list_keeps_the_best_in_whatever_order_they_are_offered(
    offered: tuple[np.ndarray, np.ndarray, np.ndarray], size: int, most: int, data: st.DataObject
) -> None:
    rows, scores, seconds = offered
    expected: list[tuple[float, tuple[int, ...]]] = []
    costs = zip((-scores).tolist(), (-seconds).tolist(), map(tuple, rows.tolist()), strict=True)
    for cost, _, row in sorted(costs):
        if len(expected) < size and sum(earlier[:2] == row[:2] for _, earlier in expected) < most:
            expected.append((-cost, row))
    pair_list = PairList(size, most)
    order = data.draw(st.permutations(range(len(rows))))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=4)))
    for begin, end in zip([0, *cuts], [*cuts, len(rows)], strict=True):
        places = order[begin:end]
        pair_list.offer(rows[places].reshape(-1, 4), scores[places], seconds[places])
    result = pair_list.result()
    without = [
        (tuple(word for word in row[:2] if word >= 0), tuple(word for word in row[2:] if word >= 0))
        for _, row in expected
    ]
    assert list(result.pairs) == without
    assert result.scores.tolist() == [score for score, _ in expected]
    assert result.threshold == pair_list.threshold == (expected[-1][0] if len(expected) == size else -np.inf)
