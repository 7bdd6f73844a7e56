"""Measures weighed into scores: known blends, and what cannot be weighed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.reading.weighing.combination import Weights, combined, softmax

NEAR, FAR = np.array([1.0, 0.0]), np.array([0.0, 2.0])
WEIGHTS = Weights(NEAR, FAR, low=0.4, high=0.8)


@pytest.mark.parametrize(
    ("nearness", "expected"),
    [(-1.0, [0, 2]), (0.0, [0, 2]), (0.4, [0, 2]), (0.6, [0.5, 1]), (0.8, [1, 0]), (1.0, [1, 0])],
)
def test_between_far_and_near_the_weights_are_blended(nearness: float, expected: list[float]) -> None:
    assert WEIGHTS.at(nearness) == pytest.approx(expected)


def test_what_all_options_share_decides_nothing() -> None:
    measures = np.array([[1.0, 5.0], [3.0, 5.0]])
    assert combined(measures, WEIGHTS, 1.0).tolist() == [-1, 1]
    assert combined(measures + 7, WEIGHTS, 1.0).tolist() == [-1, 1]
    assert combined(measures, WEIGHTS, 0.0).tolist() == [0, 0]


def test_a_single_option_scores_nothing() -> None:
    assert combined(np.array([[4.0, -2.0]]), WEIGHTS, 0.5).tolist() == [0]


@given(st.integers(1, 6), st.floats(0, 1))
def test_equal_options_are_equal_to_the_last_bit(options: int, nearness: float) -> None:
    scores = combined(np.tile([0.123457, 9.876543], (options, 1)), WEIGHTS, nearness)
    assert set(scores.tolist()) == {0.0}
    assert softmax(scores).tolist() == [1 / options] * options


def test_probabilities_sum_to_one_whatever_the_scores() -> None:
    assert softmax(np.array([1e6, -1e6, 1e6])).tolist() == [0.5, 0, 0.5]


@pytest.mark.parametrize(
    ("measures", "problem"),
    [
        (np.empty((0, 2)), "a row for each of some options"),
        (np.zeros(2), "a row for each of some options"),
        (np.zeros((2, 3)), "give a weight for each measure"),
        (np.array([[np.nan, 0.0]]), "no finite number"),
    ],
)
def test_what_cannot_be_weighed_is_told(measures: np.ndarray, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        combined(measures, WEIGHTS, 0.5)
