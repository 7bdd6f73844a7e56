"""Progress as lines of a run's log: how much is done, how fast, how much time is left."""

from __future__ import annotations

import time
from typing import Any

from evidence_assets.progress import Progress

SECONDS_BETWEEN_LINES = 10.0


def logged(context: Any, partition: str, what: str) -> Progress:
    """Return a progress callback, (done, total), that logs a line every ten seconds, and the last one."""
    started = time.monotonic()
    told = started
    first: int | None = None

    def progress(done: int, total: int) -> None:
        nonlocal told, first
        now = time.monotonic()
        first = done if first is None else first
        if done < total and now - told < SECONDS_BETWEEN_LINES:
            return
        told = now
        context.log.info(f"{partition}: {progress_line(done, total, what, now - started)}")

    return progress


def progress_line(done: int, total: int, what: str, seconds: float) -> str:
    """Return `done of total what`, with the rate and the time left once something can be said of them."""
    line = f"{done:,} of {total:,} {what}"
    if done <= 0 or seconds < 1.0:
        return line
    rate = done / seconds
    shown = f"{rate:,.1f} a second" if rate >= 1 else f"{60 * rate:,.1f} a minute"
    return f"{line}, {shown}" + (f", {duration(round((total - done) / rate))} left" if done < total else "")


def duration(seconds: int) -> str:
    """Return seconds as a person reads them: `40 s`, `3 min 20 s`, `2 h 5 min`."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
