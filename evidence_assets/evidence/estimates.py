"""Proportions and means with their 95 % intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# The standard normal's 97.5 % quantile.
_Z = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over n questions with its 95 % interval."""

    value: float
    low: float
    high: float
    n: int


def proportion(successes: int, n: int) -> Estimate:
    """Return a share with its Wilson score interval (Wilson 1927).

    Raises:
        ValueError: n is 0: a share of nothing is no number.
    """
    if n <= 0:
        raise ValueError("a proportion needs at least one question")
    share = successes / n
    scale = 1 + _Z**2 / n
    centre = (share + _Z**2 / (2 * n)) / scale
    half = _Z * np.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2)) / scale
    return Estimate(share, float(max(0.0, centre - half)), float(min(1.0, centre + half)), n)
