"""What is told of how near misses are answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from benchmarks.text.near_misses import ANOTHER_PROPERTY, ANSWERABLE, EXCHANGED, figures, kind_of


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ({"answerable": None, "subject": "answerable"}, ANSWERABLE),
        ({"answerable": False, "subject": "other season"}, EXCHANGED),
        ({"answerable": False, "subject": "price"}, ANOTHER_PROPERTY),
    ],
)
def test_the_kind_of_a_question(row: Mapping[str, Any], kind: str) -> None:
    assert kind_of(row) == kind


def answer(kind: str, given: bool, right: bool, confidence: float) -> dict[str, Any]:
    subject = {EXCHANGED: "other pump", ANOTHER_PROPERTY: "price"}.get(kind, kind)
    return {
        "question": {"subject": subject, "answerable": None if kind == ANSWERABLE else False},
        "given": given,
        "right": right,
        "confidence": confidence,
        "measures": {"nearness": 0.5},
    }


def test_shares_and_area_of_a_few_answers() -> None:
    shown = figures(
        [
            answer(ANSWERABLE, True, True, 0.9),
            answer(ANSWERABLE, True, False, 0.6),
            answer(ANSWERABLE, False, False, 0.2),
            answer(ANSWERABLE, True, True, 0.8),
            answer(EXCHANGED, True, False, 0.7),
            answer(ANOTHER_PROPERTY, False, False, 0.1),
        ]
    )
    shares = ("right", "right_of_given", "answered_near_misses", "answered, exchanged", "right_of_all_given")
    assert [shown[name][0] for name in shares] == [0.5, pytest.approx(2 / 3, abs=1e-4), 0.5, 1.0, 0.5]
    assert shown["area"] == pytest.approx(6 / 8)
    assert shown["area of nearness alone"] == 0.5
    assert "area of said alone" not in shown
