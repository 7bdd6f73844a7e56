"""The column that `on the same day`, `in the same month` or `in different years` is of."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.wording.words import word_key
from evidence_assets.tables.programs.wording.words_of_time import CALENDAR_TIMES


class SameTime(NamedTuple):
    """A part of times, `day`, `month` or `year`, and the column that tells them; None where none does."""

    part: str
    column: int | None


_PARTS = {word_key(word): word for word in ("day", "month", "year")} | {word_key("date"): "day"}


def same_time(claim: GroundedClaim, word: int, clause: Collection[int]) -> SameTime | None:
    """Return the time behind `same` or `different`, which stands at `word`; None where it is of no time.

    Nor of one that a header names: the same day in a column `Day`, the same weeks of `Weeks on top`. The
    column is the one that the clause names, `were admitted`, else the only one of dates.
    """
    behind = claim.tokens[word + 1 : word + 3]
    if not behind or behind[0].key not in CALENDAR_TIMES | _PARTS.keys():
        return None
    index, label = claim.index, claim.index.table.label_column
    behind_it = [head for head in claim.linked.headers if head.start == word + 1]
    if any(head.share == 1.0 or head.end > word + 2 for head in behind_it):
        return None
    part = _PARTS.get(behind[0].key, "")
    if not part or behind[-1].text == "of":
        # No column tells weeks, nor days of the week.
        return SameTime(part, None)
    heads = [head for head in claim.linked.headers if head.start in clause and head not in behind_it]
    named = set[int]().union(*(head.columns for head in heads)) - {label}
    if not named:
        times = sorted(index.dates_and_years - {label})
        return SameTime(part, times[0] if len(times) == 1 else None)
    # A year that some rows lack is a number.
    columns = sorted(named & index.dates_and_years) or sorted(named if part == "year" else ())
    return SameTime(part, columns[0] if columns else None)
