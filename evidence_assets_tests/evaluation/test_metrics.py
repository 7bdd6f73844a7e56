"""Metrics against oracles: scipy, worked examples, simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evidence_assets.evaluation import metrics
from evidence_assets.evaluation.metrics import (
    expected_calibration_error,
    mean,
    paired_difference,
)
from evidence_assets.evidence.estimates import Estimate, proportion
from evidence_assets_tests.testing.profiles import examples


@examples(60)
@given(st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_proportions_have_scipys_wilson_interval(case: tuple[int, int]) -> None:
    successes, n = case
    estimate = proportion(successes, n)
    oracle = stats.binomtest(successes, n).proportion_ci(confidence_level=0.95, method="wilson")
    assert estimate.value == successes / n
    assert estimate.low == pytest.approx(oracle.low, abs=1e-12)
    assert estimate.high == pytest.approx(oracle.high, abs=1e-12)
    assert estimate.n == n
    assert 0 <= estimate.low <= estimate.value + 1e-12
    assert estimate.value - 1e-12 <= estimate.high <= 1


@pytest.mark.parametrize("n", [0, -1])
def test_a_share_of_nothing_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="at least one question"):
        proportion(0, n)


def test_a_mean_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one question"):
        mean([])


def test_the_bootstrap_is_the_same_every_time() -> None:
    values = np.random.default_rng(1).random(50)
    assert mean(values) == mean(values.copy()) == mean(list(values))


@pytest.mark.parametrize("count", [1, 3, 700])
def test_the_bootstrap_draws_one_resample_after_the_other(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many are drawn at once: scores that were written stay the scores that would be written."""
    values = np.random.default_rng(7).random(count)
    generator = np.random.default_rng(metrics._SEED)
    means = [values[generator.integers(0, count, count)].mean() for _ in range(2000)]
    low, high = np.quantile(means, [0.025, 0.975])
    for drawn in (1, 999, 50_000, 1 << 22):
        monkeypatch.setattr(metrics, "_DRAWN_AT_ONCE", drawn)
        assert mean(values) == Estimate(float(values.mean()), low, high, count)


def test_the_bootstrap_is_scipys_percentile_interval() -> None:
    values = np.random.default_rng(2).gamma(2.0, size=200)
    estimate = mean(values)
    oracle = stats.bootstrap(
        (values,), np.mean, n_resamples=2000, method="percentile", rng=np.random.default_rng(3)
    ).confidence_interval
    error = values.std() / math.sqrt(len(values))
    assert estimate.value == pytest.approx(values.mean())
    assert estimate.low == pytest.approx(oracle.low, abs=0.2 * error)
    assert estimate.high == pytest.approx(oracle.high, abs=0.2 * error)


def test_the_bootstrap_covers_the_truth_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(4)
    covered = 0
    for _ in range(60):
        estimate = mean(generator.beta(2, 3, size=80))
        covered += estimate.low <= 0.4 <= estimate.high
    assert covered >= 51  # 95 % of 60 is 57; fewer than 51 would happen once in 500 times


def test_equal_values_leave_no_doubt() -> None:
    assert mean([0.5] * 10) == Estimate(0.5, 0.5, 0.5, 10)
    assert mean([0.25]) == Estimate(0.25, 0.25, 0.25, 1)


def test_differences_are_taken_question_by_question() -> None:
    ours, theirs = np.array([1.0, 0.0, 1.0, 1.0]), np.array([0.0, 0.0, 1.0, 0.0])
    estimate = paired_difference(ours, theirs)
    assert (estimate.value, estimate.n) == (0.5, 4)
    assert (estimate.low, estimate.high) == (0.0, 1.0)
    opposite = paired_difference(theirs, ours)
    assert opposite.value == -0.5
    assert (opposite.low, opposite.high) == (-1.0, 0.0)


def test_pairing_is_narrower_than_two_means_apart() -> None:
    generator = np.random.default_rng(5)
    theirs = generator.random(200)
    ours = theirs + generator.normal(0.05, 0.01, 200)
    estimate = paired_difference(ours, theirs)
    assert estimate.low > 0.04
    assert estimate.high < 0.06


def test_what_does_not_pair_is_refused() -> None:
    with pytest.raises(ValueError, match="2 values do not pair with 3"):
        paired_difference(np.zeros(2), np.zeros(3))
    with pytest.raises(ValueError, match="at least one"):
        paired_difference(np.zeros(0), np.zeros(0))


def test_calibration_error_by_hand() -> None:
    confidence = np.array([0.95, 0.92, 0.35, 0.31, 0.38])
    correct = np.array([1.0, 0.0, 0.0, 1.0, 0.0])
    # Bin 0.9 to 1: mean confidence 0.935, accuracy 0.5. Bin 0.3 to 0.4: 0.34667 and 0.33333.
    expected = 2 / 5 * abs(0.935 - 0.5) + 3 / 5 * abs((0.35 + 0.31 + 0.38) / 3 - 1 / 3)
    assert expected_calibration_error(confidence, correct) == pytest.approx(expected)


def test_full_confidence_falls_into_the_last_bin() -> None:
    assert expected_calibration_error(np.array([1.0, 0.95]), np.array([1.0, 1.0])) == pytest.approx(0.025)
    assert expected_calibration_error(np.array([0.0]), np.array([1.0])) == 1.0


def test_calibration_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one prediction"):
        expected_calibration_error(np.array([]), np.array([]))


@pytest.mark.parametrize(("first", "second"), [(0, 0), (1, 0), (5, 5), (9, 2), (0, 12), (40, 60)])
def test_mcnemars_test_is_the_sum_of_what_is_as_unlikely(first: int, second: int) -> None:
    n = first + second
    tail = sum(math.comb(n, count) for count in range(min(first, second) + 1)) / 2**n
    assert metrics.mcnemar(first, second) == pytest.approx(min(1.0, 2 * tail))


def test_holms_correction_is_that_of_the_textbook() -> None:
    assert metrics.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert metrics.holm([0.6, 0.5]) == [1.0, 1.0]
    assert metrics.holm([]) == []


def test_the_paired_bootstrap_agrees_with_the_t_test_where_that_holds() -> None:
    generator = np.random.default_rng(7)
    baseline = generator.normal(0.5, 0.2, 400)
    for shift in (0.0, 0.01, 0.02):
        values = baseline + generator.normal(shift, 0.1, 400)
        compared = metrics.paired_comparison(values, baseline)
        assert compared.test == metrics.BOOTSTRAP
        assert compared.p_value == pytest.approx(stats.ttest_rel(values, baseline).pvalue, abs=0.03)


def test_a_difference_that_no_resample_reaches_has_the_least_p_value_and_equal_arms_the_most() -> None:
    values = np.linspace(0.1, 0.9, 50)
    assert metrics.paired_comparison(values + 1.5, values).p_value == pytest.approx(1 / 2001)
    assert metrics.paired_comparison(values * 2, values).p_value == pytest.approx(1 / 2001)
    assert metrics.paired_comparison(values, values).p_value == 1.0


@pytest.mark.parametrize("count", [2, 3, 5, 8])
def test_a_few_questions_that_differ_alike_are_no_surer_than_turning_their_signs_allows(count: int) -> None:
    # All right, where each has a chance of one in three: resamples of it are all the same.
    values, chance = np.ones(count), np.full(count, 1 / 3)
    turned = stats.permutation_test(
        (values, chance), lambda left, right: np.mean(left - right), permutation_type="samples"
    )
    assert metrics.paired_comparison(values, chance).p_value == pytest.approx(turned.pvalue)
    assert metrics.paired_comparison(values[:1], chance[:1]).p_value == 1.0
    equal_too = np.concatenate([values, [1 / 3] * 4]), np.full(count + 4, 1 / 3)
    assert metrics.paired_comparison(*equal_too).p_value >= 2.0 ** (1 - count)
