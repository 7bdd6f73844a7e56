"""Progress of long-running work: callbacks of (done, total), work cut into blocks, and who watches it all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar

Progress = Callable[[int, int], None]
_Item = TypeVar("_Item")


def blocks(items: Sequence[_Item], size: int, progress: Progress | None = None) -> Iterator[Sequence[_Item]]:
    """Yield items `size` at a time, and report those that are done when the next are asked for."""
    for start in range(0, len(items), size):
        block = items[start : start + size]
        yield block
        if progress is not None:
            progress(start + len(block), len(items))


class Watcher(Protocol):
    """What follows the work of this process from outside of it: a terminal."""

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


def told(what: str, progress: Progress | None) -> Progress:
    """Return a callback that tells who watches too."""

    def tell(done: int, total: int) -> None:
        if progress is not None:
            progress(done, total)
        for watcher in _watchers:
            watcher.counted(what, done, total)

    return tell
