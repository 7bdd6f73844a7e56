"""Fits of what the readers measure: weights of candidates, words that carry nothing."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.fitting import (
    fitted,
    keep_empty_words,
    keep_weights,
    learn_empty_words,
)
from evidence_assets.reading.accounting import carries_nothing
from evidence_assets.reading.log_linear import probabilities


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


def test_a_word_that_lowers_nothing_is_learnt_to_carry_nothing(tmp_path: Path) -> None:
    outcomes: list[tuple[tuple[str, ...], bool]] = [((), right) for right in [True] * 90 + [False] * 10]
    outcomes += [(("game",), right) for right in [True] * 92 + [False] * 8]
    outcomes += [(("destroyed",), right) for right in [True] * 50 + [False] * 50]
    outcomes += [(("rare",), True)] * 3
    learnt = learn_empty_words(outcomes, least=20, margin=0.1)
    assert learnt == {"game": (100, 92)}
    keep_empty_words(tmp_path / "words.json", learnt, "made")
    assert '"learnt_on": "made"' in (tmp_path / "words.json").read_text(encoding="utf-8")
    assert carries_nothing("games", learnt)
    assert not carries_nothing("destroys", learnt)
