"""Times that amounts are reckoned by: the month of `per month`, `a month`, `monthly`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from evidence_assets.tables.programs.wording.quantities import UNITS_OF_TIME, unit_name
from evidence_assets.text.words import word_set

_PER = frozenset({"per", "/"})
_EACH = frozenset({"a", "an", "each", "every"})
# Behind these a time is one that something took, or in which it was: `in a week`.
_BEFORE_SPANS = word_set("""
    in for after within of during over such once twice be on at by from since about around before half and
""")
_ADVERBS = {
    "hourly": "hour",
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
    "annual": "year",
    "annually": "year",
}


def times_reckoned_by(texts: Sequence[str]) -> Mapping[int, str]:
    """Return the units of time that a text reckons by, by where they stand. `texts`: small letters."""
    return {place: unit for place in range(len(texts)) if (unit := _time_at(texts, place))}


def _time_at(texts: Sequence[str], place: int) -> str:
    if texts[place] in _ADVERBS:
        return _ADVERBS[texts[place]]
    before = texts[place - 1] if place else ""
    is_each = before in _EACH and (place < _SECOND or texts[place - 2] not in _BEFORE_SPANS)
    unit = unit_name(texts[place]) if before in _PER or is_each else ""
    return unit if unit in UNITS_OF_TIME else ""


_SECOND = 2


def reckons_by_another_time(said: Iterable[str], told: Iterable[str]) -> bool:
    """Return whether what is said is reckoned by another time than what is told: per week of `per month`."""
    times_told = {*told}
    return bool(times_told) and not times_told.issuperset(said)
