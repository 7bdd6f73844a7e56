"""Metrics and their 95 % intervals: pure functions on arrays of per-question values."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.estimates import Estimate

RECALL_DEPTHS = (1, 5, 15)
_RESAMPLES = 2_000
_DRAWN_AT_ONCE = 1 << 20
_SEED = 20_261_120
_CALIBRATION_BINS = 10

Values = NDArray[np.float64]


def mean(values: Sequence[float] | Values) -> Estimate:
    """Return a mean with its bootstrap percentile interval over questions (2,000 resamples, fixed seed).

    Raises:
        ValueError: there is no value.
    """
    data = np.asarray(values, dtype=np.float64)
    if not len(data):
        raise ValueError("a mean needs at least one question")
    generator = np.random.default_rng(_SEED)
    # In blocks: the same draws, without a call each.
    at_once = max(1, _DRAWN_AT_ONCE // len(data))
    means = [
        data[generator.integers(0, len(data), (min(at_once, _RESAMPLES - start), len(data)))].mean(axis=1)
        for start in range(0, _RESAMPLES, at_once)
    ]
    low, high = np.quantile(np.concatenate(means), [0.025, 0.975])
    return Estimate(float(data.mean()), float(low), float(high), len(data))


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
    if len(values) != len(baseline):
        raise ValueError(f"{len(values)} values do not pair with {len(baseline)}")
    return mean(values - baseline)


def recall_at(ranked: Sequence[str], gold: Sequence[Collection[str]], depth: int) -> float:
    """Return the share of gold items of which any chunk is among the first `depth` ranked.

    `gold` holds, for each gold item, the chunks that hold it; an item found in no chunk counts as missed.
    """
    top = set(ranked[:depth])
    return sum(bool(top.intersection(item)) for item in gold) / len(gold)


def reciprocal_rank(ranked: Sequence[str], gold: Sequence[Collection[str]]) -> float:
    """Return 1 / rank of the first chunk that holds any gold item; 0 where none is ranked."""
    gold_chunks = set().union(*gold)
    return next((1.0 / rank for rank, chunk in enumerate(ranked, start=1) if chunk in gold_chunks), 0.0)


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
