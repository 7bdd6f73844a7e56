"""Lines of progress: every ten seconds, with the rate and the time left."""

from __future__ import annotations

import logging
import time
from types import SimpleNamespace

import pytest

from evidence_assets.orchestration.progress_log import duration, logged, progress_line


@pytest.mark.parametrize(
    ("done", "total", "seconds", "line"),
    [
        (0, 500, 9.0, "0 of 500 questions"),
        (50, 500, 10.0, "50 of 500 questions, 5.0 a second, 1 min 30 s left"),
        (2, 500, 60.0, "2 of 500 questions, 2.0 a minute, 4 h 9 min left"),
        (500, 500, 100.0, "500 of 500 questions, 5.0 a second"),
        (500, 500, 0.1, "500 of 500 questions"),
        (12_000, 24_000, 6.0, "12,000 of 24,000 questions, 2,000.0 a second, 6 s left"),
    ],
)
def test_a_line_tells_how_much_how_fast_and_how_long(
    done: int, total: int, seconds: float, line: str
) -> None:
    assert progress_line(done, total, "questions", seconds) == line


def test_durations_are_read_by_people() -> None:
    assert [duration(seconds) for seconds in (0, 59, 60, 3599, 7260)] == [
        "0 s",
        "59 s",
        "1 min 0 s",
        "59 min 59 s",
        "2 h 1 min",
    ]


def test_a_line_comes_every_ten_seconds_and_at_the_end(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    caplog.set_level(logging.INFO)
    progress = logged(SimpleNamespace(log=logging.getLogger("run")), "quiz", "questions")
    for done in range(1, 101):
        now[0] = done / 4
        progress(done, 100)
    assert [record.getMessage() for record in caplog.records] == [
        "quiz: 40 of 100 questions, 4.0 a second, 15 s left",
        "quiz: 80 of 100 questions, 4.0 a second, 5 s left",
        "quiz: 100 of 100 questions, 4.0 a second",
    ]
