"""When to retrieve more: thresholds learnt from a benchmark's scores, without labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

# Otsu's share of the variance that two groups explain: .64 of a normal distribution, .75 of an even one.
LEAST_SEPARATION = 0.76
_DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where scores fall into two groups. `separation`: the share of their variance that lies between these.

    Below `LEAST_SEPARATION` there are no two groups, and `value` is the fallback.
    """

    value: float
    separation: float


def otsu(values: Sequence[float], fallback: float) -> Threshold:
    """Return the threshold that separates scores best: two groups of least variance within (Otsu 1979).

    Every midpoint between neighbouring values is tried; of equal ones the lowest is taken.
    """
    scores = np.sort(np.asarray(values, dtype=np.float64))
    cuts = np.flatnonzero(np.diff(scores) > 0) + 1
    if not len(cuts):
        return Threshold(fallback, 0.0)
    sums = np.cumsum(scores)
    below, n = cuts.astype(np.float64), len(scores)
    low = sums[cuts - 1] / below
    high = (sums[-1] - sums[cuts - 1]) / (n - below)
    between = (below / n) * (1 - below / n) * (high - low) ** 2
    best = int(np.argmax(between.round(12)))
    separation = round(float(between[best] / scores.var()), _DECIMALS)
    cut = int(cuts[best])
    value = round(float((scores[cut - 1] + scores[cut]) / 2), _DECIMALS)
    return Threshold(fallback if separation < LEAST_SEPARATION else value, separation)


@dataclass(frozen=True, slots=True)
class Nearness:
    """How near the nearest walk of one triple is to a question, and that of two: -1 where there is none."""

    one_hop: float
    two_hops: float

    @property
    def gain(self) -> float:
        """How much nearer the second hop comes."""
        return round(self.two_hops - self.one_hop, _DECIMALS)


@dataclass(frozen=True, slots=True)
class Rule:
    """When to walk further, and when to use the model's triples: thresholds on gain, and on nearness."""

    gain: Threshold
    nearness: Threshold

    def hops(self, nearness: Nearness) -> int:
        """Return 2 where the second hop brings more than the threshold, else 1."""
        return 2 if nearness.gain > self.gain.value else 1

    def needs_background(self, nearness: Nearness) -> bool:
        """Tell whether the graph has nothing near: below the threshold, or nothing at all."""
        return max(nearness.one_hop, nearness.two_hops) <= self.nearness.value


def learnt_rule(nearnesses: Sequence[Nearness]) -> Rule:
    """Return the rule learnt from a benchmark's questions.

    Where gains form no two groups, any gain is followed; where nearnesses form none, background is asked for
    only where there is no walk at all.
    """
    reached = [nearness for nearness in nearnesses if nearness.one_hop > -1]
    gains = [nearness.gain for nearness in reached if nearness.two_hops > -1]
    return Rule(
        otsu(gains, 0.0), otsu([max(nearness.one_hop, nearness.two_hops) for nearness in reached], -1.0)
    )
