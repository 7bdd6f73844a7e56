"""Progress callback of long-running work: (done, total)."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
