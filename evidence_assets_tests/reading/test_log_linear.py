"""Log-linear models of candidates: probabilities, and weights fitted where several may be right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evidence_assets.reading.log_linear import fitted, keep_weights, probabilities

WEIGHTS = {"plain": 1.0, "odd": -1.0}


def test_probabilities_sum_to_one_and_follow_the_weights() -> None:
    shares = probabilities([{"plain": 1.0}, {"odd": 1.0}, {"unknown": 5.0}], WEIGHTS)
    assert sum(shares) == pytest.approx(1.0)
    assert shares[0] > shares[2] > shares[1]


def test_no_candidate_has_no_probability() -> None:
    assert probabilities([], WEIGHTS) == []


def test_large_scores_stay_finite() -> None:
    assert probabilities([{"plain": 5_000.0}, {"plain": -5_000.0}], WEIGHTS) == [1.0, 0.0]


def test_weights_prefer_what_right_candidates_have() -> None:
    groups = [[({"plain": 1.0}, True), ({"odd": 1.0}, False)]] * 20
    weights = fitted(groups, penalty=1.0)
    assert weights["plain"] > 0 > weights["odd"]


def test_of_several_right_candidates_the_one_that_is_right_elsewhere_is_meant() -> None:
    chance = [({"count": 1.0}, True), ({"sum": 1.0}, True), ({"none": 1.0}, False)]
    elsewhere = [({"count": 1.0}, True), ({"sum": 1.0}, False), ({"none": 1.0}, False)]
    weights = fitted([chance] * 5 + [elsewhere] * 20, penalty=1.0)
    shares = probabilities([features for features, _ in chance], weights)
    assert shares[0] > 2 * shares[1] and shares[1] > shares[2]


def test_groups_that_are_all_right_or_all_wrong_tell_nothing() -> None:
    assert fitted([[({"a": 1.0}, True)], [({"b": 1.0}, False), ({"a": 1.0}, False)]], penalty=1.0) == {}


def test_a_larger_penalty_keeps_weights_smaller() -> None:
    groups = [[({"plain": 1.0}, True), ({"odd": 1.0}, False)]] * 20
    assert fitted(groups, penalty=50.0)["plain"] < fitted(groups, penalty=1.0)["plain"]


def test_kept_weights_name_what_they_were_fitted_on(tmp_path: Path) -> None:
    path = tmp_path / "ranking_made.json"
    keep_weights(path, {"plain": 1.23456, "nothing": 0.0}, "made groups")
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "fitted_on": "made groups",
        "weights": {"plain": 1.235},
    }
