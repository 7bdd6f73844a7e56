"""The order in which chunks are read, and the blocks of them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.retrieval.transport import cascade, scan_order
from evidence_assets.retrieval.transport.bounds import Bounds
from evidence_assets.retrieval.transport.cascade import Budget, rank
from evidence_assets.retrieval.transport.cpu_bounds import CpuBounds
from evidence_assets.retrieval.transport.device_bounds import DeviceBounds
from evidence_assets.retrieval.transport.ground_costs import Cosine, Euclidean, GroundCost
from evidence_assets.retrieval.transport.objectives import COVERAGE, Balanced, Objective
from evidence_assets.retrieval.transport.scan_order import blocks, by_chunk, promising
from evidence_assets.retrieval.transport.sources import PackedSource
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.transport_texts import all_pairs, pool

NOTHING = np.empty(0, np.int64)


@examples(200)
@given(st.lists(st.integers(1, 30), max_size=40), st.integers(1, 50), st.integers(1, 200))
def test_blocks_are_every_chunk_once_and_small_at_first(words: list[int], few: int, many: int) -> None:
    ranges = list(blocks(np.array(words, np.int64), few, many))
    assert [place for first, last in ranges for place in range(first, last)] == list(range(len(words)))
    for number, (first, last) in enumerate(ranges):
        most = many if number else few
        assert sum(words[first:last]) <= most or last - first == 1
        # The next chunk would not have fitted.
        assert last == len(words) or sum(words[first : last + 1]) > most


def test_of_each_question_some_times_its_depth_is_promising(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scan_order, "_PROMISING", 2)
    question, prior = np.array([1, 0, 1, 0, 1, 1]), np.array([0.4, 0.1, 0.3, 0.2, 0.9, 0.0])
    assert promising(question, prior, np.array([5, 1])).tolist() == [1, 3, 5, 2]


def test_chunks_of_one_question_stand_together_the_promising_first() -> None:
    question, chunk = np.array([1, 0, 0, 1, 0]), np.array([9, 4, 7, 7, 2])
    prior = np.array([0.5, 0.3, 0.1, 0.2, 0.9])
    pairs, starts, chunks = by_chunk(question, chunk, prior, np.array([2, 1]))
    assert chunks.tolist() == [7, 4, 2, 9]
    assert [pairs[first:last].tolist() for first, last in pairwise(starts.tolist())] == [
        [2, 3],
        [1],
        [4],
        [0],
    ]
    assert by_chunk(question, chunk, prior, NOTHING)[2].tolist() == [2, 4, 7, 9]


@pytest.mark.parametrize(
    ("bounds", "ground", "objective", "seconds", "are_large"),
    [
        (DeviceBounds("cpu"), Euclidean(), Balanced(), None, True),
        (CpuBounds(), Euclidean(), Balanced(), None, False),
        (DeviceBounds("cpu"), Euclidean(), Balanced(), 1e6, False),
        (DeviceBounds("cpu"), Cosine(), COVERAGE, None, False),
    ],
    ids=["a device", "a CPU", "where the clock is looked at", "where words are coded"],
)
def test_only_a_device_that_bounds_all_reads_large_blocks(
    bounds: Bounds,
    ground: GroundCost,
    objective: Objective,
    seconds: float | None,
    are_large: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cascade, "_BLOCK_WORDS", 40)
    question, *chunks = pool(np.random.default_rng(0), 61, 12)
    done: list[int] = []
    rank(
        [question],
        all_pairs(1, 60),
        PackedSource(chunks, ground),
        ground,
        objective,
        2,
        bounds,
        Budget(seconds=seconds),
        lambda count, _: done.append(count),
    )
    assert done[0] < 12
    assert (len(done) == 2) is are_large
