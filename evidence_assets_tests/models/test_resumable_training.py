"""The schedule of a training; what stopping and going on gives is tested with each model that is trained."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from evidence_assets.models.resumable_training import Schedule, rate_factor

SCHEDULE = Schedule(steps=100, body_rate=1e-4, head_rate=1e-3, evaluations=1, warm_up=0.1)


def test_the_rate_rises_and_falls_to_nothing() -> None:
    rates = [rate_factor(step, SCHEDULE) for step in range(101)]
    assert rates[9] == rates[10] == max(rates) == 1
    assert np.diff(rates[:10]).min() > 0
    assert np.diff(rates[10:]).max() < 0
    assert rates[100] == 0
    assert rate_factor(0, replace(SCHEDULE, steps=1)) == 1
