"""Log-linear models of candidates: probabilities by weights."""

from __future__ import annotations

import pytest

from evidence_assets.reading.log_linear import probabilities

WEIGHTS = {"plain": 1.0, "odd": -1.0}


def test_probabilities_sum_to_one_and_follow_the_weights() -> None:
    shares = probabilities([{"plain": 1.0}, {"odd": 1.0}, {"unknown": 5.0}], WEIGHTS)
    assert sum(shares) == pytest.approx(1.0)
    assert shares[0] > shares[2] > shares[1]


def test_no_candidate_has_no_probability() -> None:
    assert probabilities([], WEIGHTS) == []


def test_large_scores_stay_finite() -> None:
    assert probabilities([{"plain": 5_000.0}, {"plain": -5_000.0}], WEIGHTS) == [1.0, 0.0]
