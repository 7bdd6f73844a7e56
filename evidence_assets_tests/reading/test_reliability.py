"""Measured reliability: shares drawn to those of wider classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.reading import reliability as module
from evidence_assets.reading.reliability import Outcome, Reliability, keep_reliability, measure


def many(kind: str, verdict: str, unaccounted: str, right: int, wrong: int) -> list[Outcome]:
    return [Outcome(kind, verdict, unaccounted, number < right) for number in range(right + wrong)]


def test_much_measured_is_its_own_share_and_little_is_drawn_to_wider_classes() -> None:
    measured = measure(
        [
            *many("count", "true", "nothing", 950, 50),
            *many("count", "true", "a word", 300, 300),
            *many("sum", "true", "nothing", 0, 1),
        ]
    )
    assert measured.confidence("count", "true", "nothing") == pytest.approx(0.95, abs=0.005)
    assert measured.confidence("count", "true", "a word") == pytest.approx(0.5, abs=0.01)
    assert 0.7 < measured.confidence("sum", "true", "nothing") < 0.95
    assert measured.confidence("unseen", "true", "nothing") == pytest.approx(0.95, abs=0.01)


def test_nothing_measured_says_nothing() -> None:
    assert Reliability({}).confidence("count", "true", "nothing") == 0.5


def test_what_is_kept_is_what_was_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = measure([*many("count", "true", "nothing", 3, 1), *many("sum", "false", "a word", 1, 2)])
    keep_reliability(tmp_path / "reliability_made.json", measured, "made answers")
    monkeypatch.setattr(module, "files", lambda _: tmp_path)
    module.reliability.cache_clear()
    assert module.reliability("made") == measured
