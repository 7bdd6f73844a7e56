"""Words behind a number that say that it is in percent, or in percentage points."""

from __future__ import annotations

from collections.abc import Sequence

PERCENT = frozenset({"%", "percent", "percentage", "pct"})
_POINTS = frozenset({"point", "points"})
OF_PERCENT = PERCENT | _POINTS


def is_in_percent(texts: Sequence[str], position: int) -> bool:
    """Return whether a number is told in percent: `5 %`, not `5 percentage points`."""
    following = [*texts[position + 1 : position + 3], "", ""]
    return following[0] in PERCENT and following[1] not in _POINTS


def words_of_percent(texts: Sequence[str], position: int) -> list[int]:
    """Return where the words of `percentage points` stand behind a number."""
    behind = range(position + 1, min(len(texts), position + 3))
    return [place for place in behind if texts[place] in OF_PERCENT]
