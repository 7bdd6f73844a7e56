"""Figures as results write them, and the seconds that work takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from evidence_assets.evaluation.metrics import paired_difference
from evidence_assets.evidence.estimates import Estimate


def seconds(work: Callable[[], object]) -> float:
    """Return the seconds of the clock that some work takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def shown(estimate: Estimate) -> list[float]:
    """Return a value with its interval."""
    return [round(number, 4) for number in (estimate.value, estimate.low, estimate.high)]


def percent(estimate: Estimate) -> list[float]:
    """Return a value with its interval, in percent to one digit."""
    return [round(100 * number, 1) for number in (estimate.value, estimate.low, estimate.high)]


def rounded_row(estimate: Estimate) -> dict[str, float]:
    """Return a value by name, with its interval and over how many it was taken, to four digits."""
    return {name: round(number, 4) for name, number in estimate_row(estimate).items()}


def estimate_row(estimate: Estimate) -> dict[str, float]:
    """Return a value by name, with its interval and over how many it was taken."""
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "n": estimate.n}


def difference_row(ours: Any, theirs: Any) -> dict[str, float]:
    """Return the mean of paired differences by name, with its interval."""
    estimate = paired_difference(ours, theirs)
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}
