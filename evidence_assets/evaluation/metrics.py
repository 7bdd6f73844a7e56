"""Metrics and their 95 % intervals: pure functions on arrays of per-question values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.estimates import Estimate

RECALL_DEPTHS = (1, 5, 15)
_RESAMPLES = 2_000
_DRAWN_AT_ONCE = 1 << 20
_SEED = 20_261_120
_CALIBRATION_BINS = 10
_ROUNDING = 1e-12
MCNEMAR, BOOTSTRAP = "mcnemar", "paired bootstrap"
NDCG_DEPTH = 10

Values = NDArray[np.float64]


def mean(values: Sequence[float] | Values) -> Estimate:
    """Return a mean with its bootstrap percentile interval over questions (2,000 resamples, fixed seed).

    Raises:
        ValueError: there is no value.
    """
    data = np.asarray(values, dtype=np.float64)
    return _estimated(data, resampled_means(data))


def _estimated(data: Values, means: Values) -> Estimate:
    low, high = np.quantile(means, [0.025, 0.975])
    return Estimate(float(data.mean()), float(low), float(high), len(data))


def resampled_means(data: Values) -> Values:
    """Return the means of 2,000 resamples of questions, (2000,); the same draws for as many questions.

    Raises:
        ValueError: there is no value.
    """
    if not len(data):
        raise ValueError("a mean needs at least one question")
    generator = np.random.default_rng(_SEED)
    # In blocks: the same draws, without a call each.
    at_once = max(1, _DRAWN_AT_ONCE // len(data))
    means = [
        data[generator.integers(0, len(data), (min(at_once, _RESAMPLES - start), len(data)))].mean(axis=1)
        for start in range(0, _RESAMPLES, at_once)
    ]
    return np.concatenate(means)


def clustered_mean(values: Sequence[float] | Values, clusters: Sequence[str]) -> Estimate:
    """Return a mean with its bootstrap interval over clusters: questions to one table are no separate draws.

    Raises:
        ValueError: there is no value, or values and clusters do not pair.
    """
    data = np.asarray(values, dtype=np.float64)
    if len(data) != len(clusters) or not len(data):
        raise ValueError(f"{len(data)} values do not pair with {len(clusters)} clusters")
    _, owner = np.unique(np.asarray(clusters), return_inverse=True)
    sums, counts = np.bincount(owner, data), np.bincount(owner).astype(np.float64)
    generator = np.random.default_rng(_SEED)
    at_once = max(1, _DRAWN_AT_ONCE // len(sums))
    means = []
    for start in range(0, _RESAMPLES, at_once):
        drawn = generator.integers(0, len(sums), (min(at_once, _RESAMPLES - start), len(sums)))
        means.append(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1))
    low, high = np.quantile(np.concatenate(means), [0.025, 0.975])
    return Estimate(float(data.mean()), float(low), float(high), len(data))


def paired_difference(values: Values, baseline: Values) -> Estimate:
    """Return the mean of `values - baseline`, question by question, with its bootstrap interval.

    Raises:
        ValueError: the two do not pair, or are empty.
    """
    return paired_comparison(values, baseline).difference


@dataclass(frozen=True, slots=True)
class Comparison:
    """A paired difference with its interval, and the two-sided p-value of a test that there is none."""

    difference: Estimate
    test: str
    p_value: float


def paired_comparison(values: Values, baseline: Values) -> Comparison:
    """Return the mean of `values - baseline`, question by question, and whether chance explains it.

    Right and wrong: McNemar's exact test, a binomial test of the questions that one of the two gets right.
    Any other values: the paired bootstrap, its means moved to 0; its least p-value is 1 / 2,001. Resampled,
    a few questions that differ alike vary in nothing: no p-value is below the least that turning the signs
    of their differences can give (Fisher's randomisation test), 2 / 2^n where n of them differ.

    Raises:
        ValueError: the two do not pair, or are empty.
    """
    if len(values) != len(baseline):
        raise ValueError(f"{len(values)} values do not pair with {len(baseline)}")
    differences = np.asarray(values - baseline, dtype=np.float64)
    means = resampled_means(differences)
    estimate = _estimated(differences, means)
    if np.isin(values, (0.0, 1.0)).all() and np.isin(baseline, (0.0, 1.0)).all():
        return Comparison(
            estimate, MCNEMAR, mcnemar(int((differences > 0).sum()), int((differences < 0).sum()))
        )
    # Differences that are equal but for rounding are as far from 0.
    as_far = np.abs(means - estimate.value) >= abs(estimate.value) - _ROUNDING
    drawn = float((1 + as_far.sum()) / (1 + len(means)))
    differing = int(np.count_nonzero(np.abs(differences) > _ROUNDING))
    return Comparison(estimate, BOOTSTRAP, min(1.0, max(drawn, 2.0 ** (1 - differing))))


def mcnemar(only_first: int, only_second: int) -> float:
    """Return the exact two-sided p-value of McNemar's test (1947): of those that differ, half go either way.

    `only_first`, `only_second`: questions that only one of the two gets right.
    """
    from scipy.stats import binomtest

    differing = only_first + only_second
    return float(binomtest(only_first, differing).pvalue) if differing else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for how many they are (Holm 1979), in their order.

    The chance that any of them is below a level, where nothing is true, is at most that level.
    """
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = highest
    return corrected


def discounts(places: int) -> Values:
    """Return (places,) what a right answer at each place counts for: 1 / log2(1 + place)."""
    return 1.0 / np.log2(np.arange(2, places + 2, dtype=np.float64))


def expected_calibration_error(confidence: Values, correct: Values) -> float:
    """Return the mean gap between confidence and accuracy over ten equal-width bins (Guo et al. 2017).

    Raises:
        ValueError: there is no prediction.
    """
    if not len(confidence):
        raise ValueError("calibration needs at least one prediction")
    bins = np.minimum((confidence * _CALIBRATION_BINS).astype(int), _CALIBRATION_BINS - 1)
    gap = 0.0
    for number in np.unique(bins):
        inside = bins == number
        gap += inside.mean() * abs(confidence[inside].mean() - correct[inside].mean())
    return float(gap)
