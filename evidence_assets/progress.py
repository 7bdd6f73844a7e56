"""Progress of long-running work: callbacks of (done, total), work cut into blocks, and who watches it all."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar

# So often a line says how far the work is.
SECONDS_BETWEEN_LINES = 10.0
Progress = Callable[[int, int], None]
_Item = TypeVar("_Item")


def blocks(items: Sequence[_Item], size: int, progress: Progress | None = None) -> Iterator[Sequence[_Item]]:
    """Yield items `size` at a time, and report those that are done when the next are asked for."""
    for start in range(0, len(items), size):
        block = items[start : start + size]
        yield block
        if progress is not None:
            progress(start + len(block), len(items))


def part_of(progress: Progress | None, before: int, total: int) -> Progress | None:
    """Return what a part of longer work reports to. `before`: how much of `total` was done ahead of it."""
    if progress is None:
        return None
    return lambda done, _: progress(before + done, total)


class Watcher(Protocol):
    """What follows the work of this process from outside of it: a terminal, a run's log."""

    def run_begins(self, name: str, partition: str, number: int, total: int) -> None:
        """Take note of a run, the `number`-th from 1 of `total`."""

    def step_begins(self, name: str) -> None:
        """Take note of a step of the run."""

    def counted(self, what: str, done: int, total: int) -> None:
        """Take note of how far the step is with what it counts."""


_watchers: list[Watcher] = []


@contextmanager
def watched(watcher: Watcher) -> Iterator[None]:
    """Tell a watcher of the work that is done in this process until the block ends."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def run_begins(name: str, partition: str, number: int, total: int) -> None:
    """Tell who watches that a run begins."""
    for watcher in _watchers:
        watcher.run_begins(name, partition, number, total)


def step_begins(name: str) -> None:
    """Tell who watches that a step begins."""
    for watcher in _watchers:
        watcher.step_begins(name)


def told(what: str) -> Progress:
    """Return a progress callback, (done, total), that tells who watches."""

    def tell(done: int, total: int) -> None:
        for watcher in _watchers:
            watcher.counted(what, done, total)

    return tell


class Lines:
    """A watcher that says, every ten seconds, what works, how far it is, how fast, and the time left.

    A thread of its own says it: a step that counts nothing is heard of too. `say` takes the lines.
    """

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say, self._ended = say, threading.Event()
        self._run, self._step, self._counted = "", "", ("", 0, 0)
        self._began = self._at = time.monotonic()

    @contextmanager
    def told(self) -> Iterator[None]:
        """Say lines while the block works."""
        thread = threading.Thread(target=self._tell, daemon=True)
        thread.start()
        try:
            with watched(self):
                yield
        finally:
            self._ended.set()
            thread.join()

    def run_begins(self, name: str, partition: str, number: int, total: int) -> None:
        """See `Watcher`."""
        self._run = f"run {number} of {total}, {name} {partition}"
        self.step_begins("")

    def step_begins(self, name: str) -> None:
        """See `Watcher`."""
        self._step, self._counted, self._began = name, ("", 0, 0), time.monotonic()

    def counted(self, what: str, done: int, total: int) -> None:
        """See `Watcher`."""
        before, done_before, _ = self._counted
        # Another thing is counted, or the same from the beginning: its time begins where the last one ended.
        if before and (what != before or done < done_before):
            self._began = self._at
        self._counted, self._at = (what, done, total), time.monotonic()

    def _tell(self) -> None:
        while not self._ended.wait(SECONDS_BETWEEN_LINES):
            self._say(self.line())

    def line(self) -> str:
        """Return what there is to say now."""
        what, done, total = self._counted
        seconds = time.monotonic() - self._began
        reached = progress_line(done, total, what, seconds) if what else f"{duration(round(seconds))} so far"
        works = [part for part in (self._run, self._step) if part]
        return ": ".join([*(works or ["getting ready"]), reached])


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
