"""Figures as results write them."""

from __future__ import annotations

from evidence_assets.evidence.estimates import Estimate


def shown(estimate: Estimate) -> list[float]:
    """Return a value with its interval."""
    return [round(number, 4) for number in (estimate.value, estimate.low, estimate.high)]
