"""What is told of how questions of several steps are answered."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.text.several_steps import NOT_TOLD, ONE_STEP, TWO_STEPS, figures


def answer(subject: str, given: bool, right: bool, confidence: float) -> dict[str, Any]:
    return {"question": {"subject": subject}, "given": given, "right": right, "confidence": confidence}


def test_shares_by_kind_and_the_area() -> None:
    shown = figures(
        [
            answer(TWO_STEPS, True, True, 0.9),
            answer(TWO_STEPS, True, False, 0.6),
            answer(TWO_STEPS, False, False, 0.1),
            answer(TWO_STEPS, False, False, 0.1),
            answer(ONE_STEP, True, True, 0.8),
            answer(NOT_TOLD[0], True, False, 0.7),
            answer(NOT_TOLD[1], False, False, 0.2),
            answer(NOT_TOLD[2], False, False, 0.05),
        ]
    )
    names = ("right, two steps", "wrong, two steps", "right, one step", "right_of_all_given")
    assert [shown[name][0] for name in names] == [0.25, 0.25, 1.0, 0.5]
    assert [shown[f"answered, {kind}"][0] for kind in NOT_TOLD[:2]] == [1.0, 0.0]
    assert shown["area"] == pytest.approx(10 / 15, abs=1e-4)
    assert shown["counts"][TWO_STEPS] == 4
