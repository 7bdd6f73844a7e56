"""BertNet as published: its score by hand, its prompts' weights, its heap, its search prefix by prefix."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.extraction import search as searching
from evidence_assets.extraction.as_printed import bertnet
from evidence_assets.extraction.as_printed.bertnet import (
    WordHeap,
    compatibilities,
    compatibility,
    contrast,
    contrastive_weights,
    search_one_heap,
)
from evidence_assets.extraction.probing import SHAPES, Filling, Probe, word_indices
from evidence_assets.extraction.search import SearchSettings
from evidence_assets.models.masked_lm import FloatArray, Rows
from evidence_assets_tests.testing.masked_lm_samples import (
    PROMPTS,
    WORDS,
    HashedModel,
    Literal,
    Pair,
    by_rule,
    probe_of,
    tiny_bert,
    words_of,
)
from evidence_assets_tests.testing.profiles import examples

EVERY = SearchSettings(one_list=True, most_first=0, most_phrases=0, branch=0)


# The score


def test_compatibility_by_hand() -> None:
    """Two words: mean -2, entities' mean -2, least -3. Three: -7/3, -7/2 and -4."""
    assert compatibility(np.array([-1.0, -3.0])) == pytest.approx(-7 / 3)
    assert compatibility(np.array([-1.0, -2.0, -4.0])) == pytest.approx((-7 / 3 - 7 / 2 - 4) / 3)
    # Two words of an entity weigh as one in the second term: a long pair is not excused by its mean.
    assert compatibility(np.array([-1.0] * 4)) == pytest.approx((-1 - 2 - 1) / 3)


def test_compatibility_is_taken_under_each_prompt_and_then_averaged() -> None:
    probe, numbers = probe_of(), word_indices(probe_of().model)
    pairs = [
        ("apple", "bread"),
        ("drum", "eagle goat"),
        ("cheese drum", "apple"),
        ("eagle apple", "flute goat"),
    ]
    expected = []
    for head, tail in pairs:
        ends = words_of((head, tail), numbers)
        under = [
            compatibility(np.array(Literal(Probe(probe.model, [prompt], [1])).chain(*ends, True)))
            for prompt in PROMPTS
        ]
        expected.append((under[0] + 3 * under[1]) / 4)
    np.testing.assert_allclose(compatibilities(probe, pairs), expected, rtol=1e-6)
    assert compatibilities(probe, []).shape == (0,)


# Prompts


class ScriptedModel(HashedModel):
    """Log-probabilities of a head in front of masks, and of each tail after its head, as they are told."""

    HEADS: ClassVar = {"apple": -1.0, "bread": -2.0}
    TAILS: ClassVar = {
        ("apple", "drum"): -1.0,
        ("apple", "goat"): -5.0,
        ("bread", "goat"): -2.0,
        ("bread", "drum"): -4.0,
    }

    def predictions(self, rows: Rows, places: Sequence[int]) -> FloatArray:
        logits = np.full((len(rows), len(self.vocabulary)), -99.0, dtype=np.float32)
        for number, (row, place) in enumerate(zip(rows, places, strict=True)):
            words = [self.vocabulary[token] for token in row]
            first = list(row).index(self.mask_id) == place and words.count("[MASK]") == 2
            word_logits = self.HEADS if first else {t: v for (h, t), v in self.TAILS.items() if h in words}
            for word, value in word_logits.items():
                logits[number, self.vocabulary.index(word)] = value
        return logits


def test_contrast_by_hand() -> None:
    """Seeds -1 and -2; tails swapped, (-1, -5): -11/3 and (-2, -4): -10/3; half of their mean is -7/4."""
    seeds = [("apple", "drum"), ("bread", "goat")]
    assert contrast(ScriptedModel(WORDS), PROMPTS[0], seeds) == pytest.approx(-1.5 - 0.5 * -3.5)


def test_one_seed_has_no_negative() -> None:
    assert contrast(ScriptedModel(WORDS), PROMPTS[0], [("bread", "goat")]) == pytest.approx(-2.0)


def test_contrast_is_of_words_that_are_spelled_too(tmp_path: Path) -> None:
    model = tiny_bert(tmp_path, ["the", *WORDS[:4]])
    seeds = [("apple", "zebra"), ("bread", "drum cheese")]
    value = contrast(model, PROMPTS[1], seeds)
    assert math.isfinite(value)
    assert contrast(model, PROMPTS[1], seeds[::-1]) == pytest.approx(value, rel=1e-5)


def test_weights_are_the_softmax_without_the_least_by_hand() -> None:
    assert contrastive_weights([0.0, math.log(3)]) == pytest.approx([0.25, 0.75])
    # One of 1 + 1 + 98 hundredths is dropped, and so is the other.
    assert contrastive_weights([0.0, 0.0, math.log(98)]) == pytest.approx([0, 0, 1])
    assert contrastive_weights([math.log(4), math.log(90), math.log(6)]) == pytest.approx([0, 0.9375, 0.0625])
    # More contrast is more weight, however unlikely the seeds are in themselves.
    assert contrastive_weights([-30.0, -31.0])[0] > 0.7


@pytest.mark.parametrize("count", [1, 3, 20])
def test_of_equal_prompts_none_is_dropped(count: int) -> None:
    for value in (0.0, -7.3, 0.1 + 0.2):
        assert contrastive_weights([value] * count) == pytest.approx([1 / count] * count)


# The heap


def test_the_heap_by_hand() -> None:
    """A word stands in two pairs at most, as a head's or as a tail's; who leaves frees its words."""
    heap = WordHeap(3, 2)
    assert heap.threshold == -np.inf
    heap.push(((0,), (1,)), -3.0)
    heap.push(((1,), (2,)), -2.0)
    heap.push(((3,), (1,)), -1.0)  # word 1 is taken twice: once as a tail, once as a head
    assert heap.result().pairs == (((1,), (2,)), ((0,), (1,)))
    heap.push(((4, 5), (6,)), -4.0)
    assert heap.threshold == -4.0
    heap.push(((4,), (7,)), -2.5)  # the last leaves
    heap.push(((7,), (8,)), -2.2)  # the first leaves: word 1 is free again
    heap.push(((1,), (9,)), -1.5)
    assert heap.result().pairs == (((1,), (9,)), ((1,), (2,)), ((7,), (8,)))
    assert heap.result().scores.tolist() == pytest.approx([-1.5, -2.0, -2.2])


def test_of_equal_scores_the_words_that_come_first_stay() -> None:
    pairs: list[Pair] = [((1,), (0,)), ((0,), (2,)), ((0, 1), (2,)), ((0,), (1,))]
    heap = WordHeap(2, 9)
    for pair in pairs:
        heap.push(pair, -1.0)
    assert list(heap.result().pairs) == sorted(pairs, key=by_rule)[:2]


# The search


def one_at_a_time(probe: Probe, count: int, size: int, most: int) -> list[tuple[Pair, float]]:
    """As it is published: shape by shape, entity by entity, a heap that counts the words it holds."""
    heap: list[tuple[float, tuple[int, ...], Pair]] = []
    times: Counter[int] = Counter()
    for shape in SHAPES:
        filling = Filling(shape, True)

        def entities(
            prefix: tuple[int, ...], length: int, filling: Filling = filling
        ) -> list[tuple[float, tuple[int, ...]]]:
            grown: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
            for _ in range(length):
                grown = [
                    (min(score, round(float(likely[word]), 4)), (*entity, word))
                    for score, entity in grown
                    for likely in [probe.continuations(filling, [(*prefix, *entity)])[0]]
                    for word in range(count)
                    if word not in (*prefix, *entity)
                ]
            return sorted(grown, key=lambda scored: (-scored[0], scored[1]))

        for bound, head in entities((), shape.head)[:size]:
            for tail_score, tail in entities(head, shape.tail)[:most]:
                score, words = min(bound, tail_score), head + tail
                if any(times[word] == most for word in words):
                    continue
                order = tuple(-word for word in by_rule((head, tail)))
                heapq.heappush(heap, (score, order, (head, tail)))
                times.update(words)
                if len(heap) > size:
                    times.subtract(sum(heapq.heappop(heap)[2], ()))
    return [(pair, score) for score, _, pair in sorted(heap, reverse=True)]


@examples(20)
@given(
    seed=st.integers(0, 999),
    grain=st.sampled_from([0.25, 1.0, 4.0]),
    size=st.integers(1, 40),
    most=st.integers(1, 5),
    batch=st.sampled_from([1, 3, 64]),
)
def test_it_is_the_search_of_one_prefix_at_a_time(
    seed: int, grain: float, size: int, most: int, batch: int
) -> None:
    probe, indices = probe_of(seed, 5, grain), np.arange(5)
    settings = replace(EVERY, list_size=size, most_of_word=most)
    with pytest.MonkeyPatch.context() as patch:
        for module in (searching, bertnet):
            patch.setattr(module, "BATCH_PREFIXES", batch)
        results = search_one_heap(probe, indices, indices, settings)
    assert tuple(results) == SHAPES
    scored_pairs = [
        (pair, score)
        for result in results.values()
        for pair, score in zip(result.pairs, result.scores.tolist(), strict=True)
    ]
    expected = one_at_a_time(probe, 5, size, most)
    assert sorted(scored_pairs) == sorted(expected)
    times = Counter(word for head, tail in dict(scored_pairs) for word in head + tail)
    assert max(times.values()) <= most


def test_five_a_word_are_five_over_both_slots() -> None:
    probe, indices = probe_of(3, grain=0.0), np.arange(len(WORDS))
    results = search_one_heap(probe, indices, indices, SearchSettings(60, one_list=True, most_of_word=5))
    times = Counter(
        word for result in results.values() for head, tail in result.pairs for word in head + tail
    )
    assert max(times.values()) == 5
    # A list that counts heads alone has words in many more pairs.
    plain = searching.search(probe, indices, indices, SearchSettings(60, one_list=True, most_of_first=5))
    held = Counter(word for result in plain.values() for head, tail in result.pairs for word in head + tail)
    assert max(held.values()) > 10


def test_progress_tells_the_shape_and_how_many_were_followed() -> None:
    heard: list[str] = []
    indices = np.arange(len(WORDS))
    settings = SearchSettings(500, one_list=True, most_of_word=500, most_phrases=5)
    search_one_heap(
        probe_of(), indices, indices, settings, lambda shape, count: heard.append(f"{shape} {count}")
    )
    assert heard == ["1-1 9", "1-2 9", "2-1 5", "2-2 5"]
