"""Measured reliability: shares drawn to those of wider classes."""

from __future__ import annotations

import pytest

from evidence_assets.reading.reliability import Reliability


def test_much_measured_is_its_own_share_and_little_is_drawn_to_wider_classes() -> None:
    measured = Reliability(
        {
            ("nothing", "count", "true"): (1_000, 950),
            ("a word", "count", "true"): (600, 300),
            ("nothing", "sum", "true"): (1, 0),
        }
    )
    assert measured.confidence("count", "true", "nothing") == pytest.approx(0.95, abs=0.005)
    assert measured.confidence("count", "true", "a word") == pytest.approx(0.5, abs=0.01)
    assert 0.7 < measured.confidence("sum", "true", "nothing") < 0.95
    assert measured.confidence("unseen", "true", "nothing") == pytest.approx(0.95, abs=0.01)


def test_nothing_measured_says_nothing() -> None:
    assert Reliability({}).confidence("count", "true", "nothing") == 0.5
