"""Spans of years: decades and centuries ("the 1960s", "the 19th century"), days and months of a year."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from evidence_assets.kgqa.words import dates
from evidence_assets.kgqa.words.dates import ORDINAL_ENDINGS
from evidence_assets.text.dates import date_at
from evidence_assets.text.words import ORDINALS, TENS

_YEAR, _TENS = re.compile(r"[12]\d\d0"), re.compile(r"[2-9]0")
_CENTURIES = frozenset(["century", "centuries"])
_CENTURY, _LATEST = 100, 21
# The hundred years that decades are counted in which nobody says: "the sixties".
_USUAL = 1900
_DECADES = {f"{word.removesuffix('y')}ies": 10 * place for place, word in enumerate(TENS, 2)}
# What joins one period to another, and what may stand before the second.
_JOINTS, _BEFORE = frozenset(["and", "or"]), frozenset(["in", "the"])


class Period(NamedTuple):
    """When a period begins, and the next, in years and shares of them, and the place behind its words."""

    begin: float
    after: float
    end: int


def period_at(lowered: Sequence[str], place: int, joined: bool = False) -> Period | None:
    """Return the period that begins at a word, None where none does.

    "The 1900s" are a hundred years, "the 2000s" ten. `joined`: another period is before it, whose article may
    be that of both: "the sixties and seventies".
    """
    if dated := date_at(lowered, place):
        date, end = dated
        return Period(dates.beginning(date), dates.end(date), end)
    word, following = (*lowered[place : place + 2], "", "")[:2]
    definite = joined or lowered[max(0, place - 1) : place] == ["the"]
    if definite and word in _DECADES:
        return _period(_USUAL + _DECADES[word], 10, place + 1)
    if definite and following == "s" and _TENS.fullmatch(word):
        return _period(_USUAL + int(word), 10, place + 2)
    if following == "s" and _YEAR.fullmatch(word):
        begin = int(word)
        hundred = begin % _CENTURY == 0 and begin <= _USUAL
        return _period(begin, _CENTURY if hundred else 10, place + 2)
    return _century_at(lowered, place)


def periods_at(lowered: Sequence[str], place: int) -> list[Period]:
    """Return the periods that begin at a word and are joined to each other: "the 1960s and 1970s"."""
    periods: list[Period] = []
    while period := period_at(lowered, place, joined=bool(periods)):
        periods.append(period)
        place = period.end + (lowered[period.end : period.end + 1] in (["and"], ["or"]))
        while place > period.end and lowered[place : place + 1] and lowered[place] in _BEFORE:
            place += 1
    return periods


def _century_at(lowered: Sequence[str], place: int) -> Period | None:
    """Return the century that begins at a word, whose noun may be that of several: "18th and 19th"."""
    number, end = _ordinal_at(lowered, place)
    if not 0 < number <= _LATEST:
        return None
    begin = _CENTURY * (number - 1) + 1
    behind = end
    while lowered[behind : behind + 1] and lowered[behind] in _JOINTS | _BEFORE:
        behind += 1
    if behind > end and _century_at(lowered, behind):
        return _period(begin, _CENTURY, end)
    is_said = behind == end and _CENTURIES.intersection(lowered[end : end + 1])
    return _period(begin, _CENTURY, end + 1) if is_said else None


def _ordinal_at(lowered: Sequence[str], place: int) -> tuple[int, int]:
    """Return the ordinal number that begins at a word, 0 for none, and the place behind it."""
    word, following = (*lowered[place : place + 2], "", "")[:2]
    if word.isdigit() and following in ORDINAL_ENDINGS:
        return int(word), place + 2
    if word == TENS[0] and following in ORDINALS[:9]:
        return 20 + ORDINALS.index(following) + 1, place + 2
    return (ORDINALS.index(word) + 1 if word in ORDINALS else 0), place + 1


def _period(begin: int, length: int, end: int) -> Period:
    return Period(float(begin), float(begin + length), end)
