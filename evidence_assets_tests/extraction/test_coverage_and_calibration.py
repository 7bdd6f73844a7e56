"""How much of a relation a harvest covers, and how far its confidences hold: known answers, simulation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from sklearn.metrics import brier_score_loss, roc_auc_score

from evidence_assets.extraction.quality import calibration, captures_coverage, equal_masses
from evidence_assets_tests.testing.profiles import examples

# Coverage


def incidence(times: Sequence[int], prompts: int) -> NDArray[np.bool_]:
    return np.array([[prompt < count for prompt in range(prompts)] for count in times])


def test_coverage_is_that_worked_out_by_hand() -> None:
    """Four pairs once, one twice, three thrice, by four prompts: 8 + 3/4 * 4 * 3 / (2 * 2) = 10.25."""
    estimate = captures_coverage(incidence([1, 1, 1, 1, 2, 3, 3, 3], 4))
    variance = 2.25 + 9 / 16 * 4 * 49 / 16 + 9 / 16 * 16 * 9 / 64
    spread = math.exp(1.959963984540054 * math.sqrt(math.log(1 + variance / 2.25**2)))
    assert (estimate.observed, estimate.total) == (8, 10.25)
    assert estimate.low == pytest.approx(8 + 2.25 / spread)
    assert estimate.high == pytest.approx(8 + 2.25 * spread)
    assert estimate.coverage == 8 / 10.25


@pytest.mark.parametrize("times", [[2, 3, 3, 4], [1, 3, 3, 4]])
def test_nothing_is_estimated_unseen_where_at_most_one_pair_is_found_once(times: list[int]) -> None:
    estimate = captures_coverage(incidence(times, 4))
    missed = math.exp(-sum(times) / 4)
    assert (estimate.observed, estimate.total, estimate.low, estimate.coverage) == (4, 4, 4, 1)
    assert estimate.high == pytest.approx(
        4 / (1 - missed) + 1.959963984540054 * math.sqrt(4 * missed / (1 - missed))
    )


@pytest.mark.parametrize(
    ("found_by", "observed"),
    [(np.ones((5, 1), bool), 5), (np.zeros((5, 0), bool), 0), (np.zeros((0, 4), bool), 0)],
)
def test_one_prompt_or_no_pair_gives_no_estimate(found_by: NDArray[np.bool_], observed: int) -> None:
    estimate = captures_coverage(found_by)
    assert estimate.observed == observed
    assert all(
        math.isnan(value) for value in (estimate.total, estimate.low, estimate.high, estimate.coverage)
    )


def test_the_interval_holds_what_there_is_where_all_are_found_as_easily() -> None:
    """400 pairs, six prompts, each finding a quarter: no bias, and an interval that is about right."""
    generator = np.random.default_rng(11)
    estimates = [captures_coverage(generator.random((400, 6)) < 0.25) for _ in range(400)]
    totals = np.array([estimate.total for estimate in estimates])
    assert totals.mean() == pytest.approx(400, rel=0.03)
    assert 0.9 <= np.mean([estimate.low <= 400 <= estimate.high for estimate in estimates]) <= 0.99


def test_the_estimate_is_a_lower_bound_where_some_are_hard_to_find() -> None:
    generator = np.random.default_rng(12)
    ease = np.where(np.arange(1000) < 500, 0.5, 0.03)[:, None]
    totals = [captures_coverage(generator.random((1000, 6)) < ease).total for _ in range(50)]
    assert 600 < np.mean(totals) < 1000


@examples(100)
@given(
    arrays.arrays(np.bool_, st.tuples(st.integers(0, 15), st.integers(2, 6))),
    st.randoms(use_true_random=False),
)
def test_coverage_is_bounded_and_does_not_depend_on_the_order(
    found_by: NDArray[np.bool_], chance: object
) -> None:
    estimate = captures_coverage(found_by)
    assert estimate.observed == found_by.any(axis=1).sum()
    # What no prompt found changes nothing.
    more = np.vstack([found_by, np.zeros((3, found_by.shape[1]), bool)])
    if not estimate.observed:
        assert math.isnan(estimate.total)
        return
    assert captures_coverage(more) == estimate
    rows, columns = list(range(len(found_by))), list(range(found_by.shape[1]))
    chance.shuffle(rows)  # type: ignore[attr-defined]
    chance.shuffle(columns)  # type: ignore[attr-defined]
    assert captures_coverage(found_by[rows][:, columns]) == estimate
    assert estimate.observed <= estimate.low <= estimate.total + 1e-9
    assert estimate.total <= estimate.high + 1e-9
    assert 0 < estimate.coverage <= 1


def test_a_list_of_flags_is_no_table_of_prompts() -> None:
    with pytest.raises(ValueError, match=r"found_by \(3,\) is not \(n, p\)"):
        captures_coverage(np.ones(3, dtype=bool))


# Calibration


def test_calibration_is_that_worked_out_by_hand() -> None:
    result = calibration([0.9, 0.1, 0.8, 0.2, 0.2], [True, False, False, True, False])
    assert result.brier == pytest.approx((0.01 + 0.01 + 0.64 + 0.64 + 0.04) / 5)
    assert result.expected_calibration_error == pytest.approx((0.1 + 0.1 + 0.8 + 2 * 0.3) / 5)
    assert result.area_under_curve == pytest.approx(4.5 / 6)
    assert result.n == 5


def test_equal_values_share_a_bin() -> None:
    assert equal_masses(np.array([0.5] * 9 + [0.7]), 5) == [(0, 9), (9, 10)]
    assert equal_masses(np.array([0.1, 0.2, 0.3]), 10) == [(0, 1), (1, 2), (2, 3)]


@pytest.mark.parametrize("right", [[True, True], [False, False]])
def test_one_class_has_no_curve(right: list[bool]) -> None:
    result = calibration([0.2, 0.6], right)
    assert math.isnan(result.area_under_curve)
    assert 0 <= result.brier <= 1


@examples(150)
@given(
    st.lists(
        st.tuples(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.25, 0.5, 1.0])), st.booleans()),
        min_size=1,
        max_size=50,
    )
)
def test_calibration_against_scikit_learn(predictions: list[tuple[float, bool]]) -> None:
    confidence, right = map(np.array, zip(*predictions, strict=True))
    result = calibration(confidence, right)
    both = np.unique(right).size == 2
    assert result.brier == pytest.approx(np.mean((confidence - right) ** 2), abs=1e-12)
    if both:
        assert result.brier == pytest.approx(brier_score_loss(right, confidence), abs=1e-12)
        assert result.area_under_curve == pytest.approx(roc_auc_score(right, confidence), abs=1e-12)
    # The gap of the means at least, the mean gap at most.
    low = abs(confidence.mean() - right.mean())
    assert low - 1e-12 <= result.expected_calibration_error <= np.abs(confidence - right).mean() + 1e-12
    turned = calibration(confidence[::-1], right[::-1])
    assert turned.expected_calibration_error == result.expected_calibration_error
    assert turned.brier == pytest.approx(result.brier, abs=1e-12)


@given(st.integers(1, 200), st.integers(1, 12))
def test_bins_of_different_values_have_equal_mass(n: int, bins: int) -> None:
    sizes = [end - begin for begin, end in equal_masses(np.arange(n) / n, bins)]
    assert len(sizes) == min(n, bins)
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(
    ("confidence", "right", "message"),
    [
        ([0.5], [True, False], r"confidence \(1,\) does not pair with right \(2,\)"),
        ([[0.5]], [True], r"confidence \(1, 1\)"),
        ([], [], "right"),
        ([1.5], [True], r"not in \[0, 1\]"),
        ([math.nan], [True], r"not in \[0, 1\]"),
    ],
)
def test_predictions_that_do_not_fit_are_refused(
    confidence: list[float], right: list[bool], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        calibration(confidence, right)
