"""How long work tells how far it is."""

from __future__ import annotations

from collections.abc import Callable

# Called with how many of how many are done.
Progress = Callable[[int, int], None]
