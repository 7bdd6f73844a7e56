"""How well confidence separates right answers from wrong ones: risk and coverage, calibration.

An answerer that may stay silent is judged by its error over the questions it is surest of (El-Yaniv and
Wiener 2010). Abstentions are silence at every threshold: they count as questions, never as errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evaluation.metrics import expected_calibration_error
from evidence_assets.evidence.estimates import Estimate

# In percent of all questions.
COVERAGES = (80, 50)
_RESAMPLES = 500
_SEED = 20_261_121
_BINS = 10

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Answered:
    """The answered questions of an experiment, and how many questions there were in all.

    `confidence`, `correct`: (n,), of those answered. `total`: answered or not, at least n.
    """

    confidence: Values
    correct: Values
    total: int


def risk_coverage(answered: Answered) -> tuple[Values, Values]:
    """Return coverage and risk, (n,) each: the error among the k surest answers, over k / all questions.

    Equally sure answers take their mean correctness: the expectation over every order of ties.
    """
    order = np.argsort(-answered.confidence, kind="stable")
    _, group = np.unique(-answered.confidence[order], return_inverse=True)
    correct = answered.correct[order]
    smoothed = (np.bincount(group, correct) / np.bincount(group))[group]
    counts = np.arange(1, len(order) + 1)
    risk: Values = 1.0 - np.cumsum(smoothed) / counts
    return counts / answered.total, risk


def reliability_bins(answered: Answered) -> tuple[Values, Values, NDArray[np.int64]]:
    """Return mean confidence, accuracy and number of answers of each non-empty tenth of confidence."""
    bins = np.minimum((answered.confidence * _BINS).astype(int), _BINS - 1)
    numbers = np.unique(bins)
    inside = [bins == number for number in numbers]
    return (
        np.array([answered.confidence[mask].mean() for mask in inside]),
        np.array([answered.correct[mask].mean() for mask in inside]),
        np.array([mask.sum() for mask in inside]),
    )


def selective_values(answered: Answered) -> dict[str, float]:
    """Return the area under the risk-coverage curve, calibration error, and accuracy at 80 and 50 % coverage.

    `risk_coverage_area`: the mean risk over every number of answers kept, the surest first (AURC, Geifman et
    al. 2019); lower is better. `accuracy@80`: of the surest 80 % of all questions; left out where fewer were
    answered.
    """
    risk = risk_coverage(answered)[1]
    values = {
        "risk_coverage_area": float(risk.mean()),
        "calibration_error": expected_calibration_error(answered.confidence, answered.correct),
    }
    for percent in COVERAGES:
        kept = -(-percent * answered.total // 100)
        if kept <= len(risk):
            values[f"accuracy@{percent}"] = float(1.0 - risk[kept - 1])
    return values


def selective_estimates(answered: Answered) -> dict[str, Estimate]:
    """Return `selective_values` with their intervals; nothing where no question was answered.

    Intervals: bootstrap over all questions, the unanswered among them, 500 resamples, fixed seed.
    """
    if not len(answered.confidence):
        return {}
    drawn: dict[str, list[float]] = {}
    for resample in _resamples(answered):
        for name, value in selective_values(resample).items():
            drawn.setdefault(name, []).append(value)
    estimates = {}
    for name, value in selective_values(answered).items():
        low, high = np.quantile(drawn.get(name, [value]), [0.025, 0.975])
        n = len(answered.confidence) if name == "calibration_error" else answered.total
        estimates[name] = Estimate(value, float(low), float(high), n)
    return estimates


def _resamples(answered: Answered) -> Iterator[Answered]:
    """Yield resamples of the questions, those that hold an answer."""
    generator = np.random.default_rng(_SEED)
    for _ in range(_RESAMPLES):
        places = generator.integers(0, answered.total, answered.total)
        places = places[places < len(answered.confidence)]
        if len(places):
            yield Answered(answered.confidence[places], answered.correct[places], answered.total)
