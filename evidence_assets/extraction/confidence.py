"""Confidence of harvested triples: log-probabilities calibrated on the relation's seeds (Platt scaling)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evidence_assets.extraction.filters import pair_stems
from evidence_assets.extraction.probing import Probe, entity_log_probabilities

_EQUAL = 1e-9

FloatArray = NDArray[np.float64]


def calibrated(probe: Probe, seeds: Sequence[tuple[str, str]], log_probabilities: FloatArray) -> FloatArray:
    """Return (n,) the probability that a pair is true rather than mismatched, from this relation alone.

    `log_probabilities`: (n,) the lesser of both conditionals, averaged over the prompts by weight. A logistic
    curve (Platt 1999, with his smoothed targets) goes through those of the seeds, of seeds' heads with other
    seeds' tails, and of the reversed seeds. No other relation enters: what changes there changes
    nothing here. With one seed the only mismatch is its reverse. Beyond the seeds' range the curve is
    constant: a pair likelier than every seed is no more certain than they are.
    """
    from scipy.special import expit

    wrong = mismatched(seeds)
    scores = np.concatenate([_scores(probe, seeds), _scores(probe, wrong)])
    right = np.concatenate([np.ones(len(seeds)), np.zeros(len(wrong))])
    slope, offset = platt(scores, right)
    confidences: FloatArray = expit(slope * np.clip(log_probabilities, scores.min(), scores.max()) + offset)
    return confidences


def mismatched(seeds: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the seeds' heads with other seeds' tails, and the reversed seeds, without seeds or repeats."""
    known = set(map(pair_stems, seeds))
    pairs = [(head, tail) for head, _ in seeds for _, tail in seeds] + [(tail, head) for head, tail in seeds]
    mismatches = []
    for pair in pairs:
        key = pair_stems(pair)
        if key not in known and key[0] != key[1]:
            known.add(key)
            mismatches.append(pair)
    return mismatches


def _scores(probe: Probe, pairs: Sequence[tuple[str, str]]) -> FloatArray:
    """Return (n,) the lesser of both conditionals, averaged over the prompts by weight."""
    total: FloatArray = np.zeros(len(pairs))
    for prompt, weight in zip(probe.prompts, probe.weights.tolist(), strict=True):
        total += weight * entity_log_probabilities(probe.model, prompt, pairs).min(axis=1)
    return total


def platt(values: FloatArray, right: FloatArray) -> tuple[float, float]:
    """Return slope, never negative, and offset of the logistic curve that fits smoothed targets best.

    Targets: (n1 + 1) / (n1 + 2) of right values, 1 / (n0 + 2) of wrong ones (Platt 1999), so that few and
    cleanly parted values give no certainty.
    """
    from scipy.optimize import minimize

    ones, zeros = float(right.sum()), float((1 - right).sum())
    targets = np.where(right > 0, (ones + 1) / (ones + 2), 1 / (zeros + 2))
    centre, spread = float(values.mean()), float(values.std())
    # Equal values differ from their mean by rounding alone: no curve is to be drawn through that.
    spread = spread if spread > _EQUAL * max(1.0, abs(centre)) else 1.0
    scaled = (values - centre) / spread

    def loss(parameters: FloatArray) -> tuple[float, FloatArray]:
        logits = parameters[0] * scaled + parameters[1]
        value = float(np.sum(np.logaddexp(0, logits) - targets * logits))
        error = 1 / (1 + np.exp(-logits)) - targets
        return value, np.array([error @ scaled, error.sum()])

    optimum = minimize(loss, np.zeros(2), jac=True, method="L-BFGS-B", bounds=[(0, None), (None, None)])
    slope = float(optimum.x[0]) / spread
    return slope, float(optimum.x[1]) - slope * centre
