"""Lines of progress: every ten seconds, with the rate and the time left."""

from __future__ import annotations

import threading
import time

import pytest

from evidence_assets import progress
from evidence_assets.progress import (
    Lines,
    duration,
    part_of,
    progress_line,
    run_begins,
    step_begins,
    told,
    watched,
)


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


def test_a_part_is_counted_on_from_what_was_done_ahead_of_it() -> None:
    counted: list[tuple[int, int]] = []
    part = part_of(lambda *step: counted.append(step), 30, 50)
    assert part is not None
    for done in (1, 20):
        part(done, 20)
    assert counted == [(31, 50), (50, 50)] and part_of(None, 30, 50) is None


def test_durations_are_read_by_people() -> None:
    assert [duration(seconds) for seconds in (0, 59, 60, 3599, 7260)] == [
        "0 s",
        "59 s",
        "1 min 0 s",
        "59 min 59 s",
        "2 h 1 min",
    ]


def test_a_line_tells_what_works_and_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    lines = Lines(lambda line: None)
    with watched(lines):
        run_begins("rank_chunks", "coverage|quiz", 1, 2)
        step_begins("ranked_chunks")
        now[0] = 40.0
        assert lines.line() == "run 1 of 2, rank_chunks coverage|quiz: ranked_chunks: 40 s so far"
        encoded, ranked = told("texts encoded"), told("questions")
        encoded(20, 80)
        assert lines.line().endswith(": ranked_chunks: 20 of 80 texts encoded, 30.0 a minute, 2 min 0 s left")
        encoded(80, 80)
        # What is counted next began when the last thing ended.
        now[0] = 50.0
        ranked(10, 100)
        assert lines.line().endswith(": ranked_chunks: 10 of 100 questions, 1.0 a second, 1 min 30 s left")
        step_begins("reranked_evidence")
        assert lines.line().endswith(": reranked_evidence: 0 s so far")


def test_a_line_comes_every_so_often_though_nothing_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.05)
    lines: list[str] = []
    waited = threading.Event()

    def say(line: str) -> None:
        lines.append(line)
        if len(lines) == 2:
            waited.set()

    with Lines(say).told():
        step_begins("chunks")
        assert waited.wait(30)
    assert set(lines) <= {"chunks: 0 s so far", "chunks: 1 s so far", "getting ready: 0 s so far"}
    ended = len(lines)
    step_begins("articles")
    time.sleep(0.2)
    assert len(lines) == ended
