"""Thresholds without labels: two groups are found where there are two, and none where there are none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.systems.kaping.adaptive import (
    LEAST_SEPARATION,
    Nearness,
    Rule,
    Threshold,
    learnt_rule,
    otsu,
)


def test_two_groups_are_told_apart() -> None:
    low = [0.1, 0.12, 0.11, 0.13]
    threshold = otsu([*low, 0.8, 0.82, 0.79], fallback=-1.0)
    assert threshold.value == pytest.approx((0.13 + 0.79) / 2)
    assert threshold.separation > 0.99


@pytest.mark.parametrize("values", [[], [0.5], [0.5, 0.5, 0.5]])
def test_scores_that_do_not_differ_have_no_threshold(values: list[float]) -> None:
    assert otsu(values, fallback=0.25) == Threshold(0.25, 0.0)


@pytest.mark.parametrize("seed", range(5))
def test_one_hump_is_no_two_groups(seed: int) -> None:
    generator = np.random.default_rng(seed)
    assert otsu(generator.normal(0, 1, 500).tolist(), 9.0).value == 9.0
    assert otsu(generator.uniform(0, 1, 2_000).tolist(), 9.0).value == 9.0


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=30).filter(lambda values: len(set(values)) > 1))
def test_no_other_cut_separates_better(values: list[int]) -> None:
    scores = sorted(value / 10 for value in values)
    threshold = otsu(scores, fallback=99.0)

    def within(cut: float) -> float:
        groups = [[score for score in scores if score <= cut], [score for score in scores if score > cut]]
        return sum(float(np.var(group)) * len(group) for group in groups if group) / len(scores)

    total = float(np.var(scores))
    best = 1 - min(within(cut) for cut in set(scores)) / total
    assert threshold.separation == pytest.approx(best, abs=1e-5)
    if threshold.value != 99.0:
        assert 1 - within(threshold.value) / total == pytest.approx(best, abs=1e-5)
        assert threshold.separation >= LEAST_SEPARATION


def test_the_second_hop_is_walked_where_it_gains_and_background_asked_for_where_nothing_is_near() -> None:
    near = [Nearness(0.8, 0.5)] * 6 + [Nearness(0.5, 0.8)] * 6
    rule = learnt_rule([*near, Nearness(-1.0, -1.0)])
    assert [rule.hops(nearness) for nearness in near] == [1] * 6 + [2] * 6
    assert rule.nearness.separation < LEAST_SEPARATION <= rule.gain.separation
    assert rule.needs_background(Nearness(-1.0, -1.0))
    assert not any(map(rule.needs_background, near))


def test_where_nearness_forms_two_groups_the_far_one_asks_for_background() -> None:
    rule = learnt_rule([*[Nearness(0.8, 0.5)] * 5, *[Nearness(0.2, 0.1)] * 5])
    assert rule.needs_background(Nearness(0.2, 0.1))
    assert not rule.needs_background(Nearness(0.2, 0.8))


def test_without_questions_any_gain_is_followed() -> None:
    rule = learnt_rule([])
    assert rule == Rule(Threshold(0.0, 0.0), Threshold(-1.0, 0.0))
    assert (rule.hops(Nearness(0.5, 0.6)), rule.hops(Nearness(0.5, 0.5))) == (2, 1)
