"""Figures as the results page shows them: with intervals, the strongest of several, differences.

An estimate is a number, a list of value, low and high, or a mapping with these (a `difference` stands for the
value of one); None is no figure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from evidence_assets.evidence.estimates import proportion

NOTHING = "–"
Bounded = tuple[float, float | None, float | None]


def bounded(estimate: Any) -> Bounded:
    """Return an estimate's value, low and high; without an interval the last two are None."""
    if isinstance(estimate, Mapping):
        value = "difference" if "difference" in estimate and "value" not in estimate else "value"
        estimate = [estimate[name] for name in (value, "low", "high")]
    if not isinstance(estimate, Sequence):
        estimate = [estimate, None, None]
    value, low, high = estimate
    return value, low, high


def figure(
    estimate: Any, digits: int = 1, signed: bool = False, scale: float = 100, interval: bool = True
) -> str:
    """Return a value, in percent unless another scale is given, with its interval if it has one.

    None gives a dash. A negative scale turns a difference round.
    """
    if estimate is None:
        return NOTHING
    shape = f"{{:{'+' if signed else ''},.{digits}f}}"
    value, *bounds = (
        None if number is None else shape.format(scale * number) for number in bounded(estimate)
    )
    if not interval or None in bounds:
        return str(value)
    low, high = bounds if scale > 0 else reversed(bounds)
    return f"{value} [{low}, {high}]"


def number(value: float | None, digits: int = 0) -> str:
    """Return a number with separators of thousands; None gives a dash."""
    return NOTHING if value is None else f"{value:,.{digits}f}"


def share(value: float | None, n: int) -> list[float] | None:
    """Return a share of n with its Wilson interval; None stays None."""
    if value is None:
        return None
    estimate = proportion(round(value * n), n)
    return [value, estimate.low, estimate.high]


def turned(estimate: Any) -> list[float | None]:
    """Return a difference the other way round."""
    value, low, high = bounded(estimate)
    return [-value, None if high is None else -high, None if low is None else -low]


def percent(estimate: Any) -> list[float | None]:
    """Return what is written in percent as a share."""
    return [None if number is None else number / 100 for number in bounded(estimate)]


def best(candidates: Mapping[str, Any]) -> str:
    """Return the name of the highest estimate; what is None does not count.

    Raises:
        ValueError: there is none.
    """
    values = {name: bounded(estimate)[0] for name, estimate in candidates.items() if estimate is not None}
    if not values:
        raise ValueError(f"none of {', '.join(candidates) or 'no candidates'} has a figure")
    return max(values, key=values.__getitem__)


def strongest(candidates: Mapping[str, Any]) -> str:
    """Return the name and figure of the strongest of some baselines."""
    name = best(candidates)
    return f"{name} {figure(candidates[name])}"


def unpaired(ours: Any, theirs: Any) -> list[float | None]:
    """Return a difference of two estimates that are not paired question by question.

    Its interval is made of the two estimates' own (Newcombe 1998, method 10), as of independent samples:
    wider than a paired one where the two agree on many questions. What is subtracted counts as exact where it
    has none, as chance has none; without ours there is none.
    """
    (value, low, high), (other, other_low, other_high) = bounded(ours), bounded(theirs)
    if low is None or high is None:
        return [value - other, None, None]
    below = math.hypot(value - low, (other if other_high is None else other_high) - other)
    above = math.hypot(high - value, other - (other if other_low is None else other_low))
    return [value - other, value - other - below, value - other + above]
