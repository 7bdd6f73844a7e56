"""Progress callback of long-running work, (done, total), and work cut into blocks that report it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Progress = Callable[[int, int], None]
_Item = TypeVar("_Item")


def blocks(items: Sequence[_Item], size: int, progress: Progress | None = None) -> Iterator[Sequence[_Item]]:
    """Yield items `size` at a time, and report those that are done when the next are asked for."""
    for start in range(0, len(items), size):
        block = items[start : start + size]
        yield block
        if progress is not None:
            progress(start + len(block), len(items))
