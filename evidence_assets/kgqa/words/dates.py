"""Days and months of a year as values: "2022-09-19", "19 September 2022", "May 19th, 2022", "May 2022"."""

from __future__ import annotations

import math
import re
from calendar import monthrange
from collections.abc import Sequence
from typing import NamedTuple

from evidence_assets.text.calendar_words import MONTHS

_ISO = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?(?:T.*)?")
_WORDS = re.compile(r"[^\W\d_]+|\d+")
_FOUR_DIGITS = re.compile(r"\d{4}")
_YEAR, _DAY = re.compile(r"[12]\d{3}"), re.compile(r"[0-3]?\d")
_MONTHS_A_YEAR, _DAYS_A_MONTH = 12, 31
# So far off may a share of a month be by the digits of its value.
_ROUNDED = 1e-6
ORDINAL_ENDINGS = frozenset(["st", "nd", "rd", "th"])


class Moment(float):
    """A value that is the beginning of a day, and is shown as that day: "2022-09-19"."""

    def __format__(self, specification: str) -> str:
        year = math.floor(self)
        months = (self - year) * _MONTHS_A_YEAR
        # What is a day by its digits may be off by one at the last.
        month = math.floor(months + _ROUNDED)
        day = round((months - month) * _DAYS_A_MONTH) + 1
        if day > monthrange(year, month + 1)[1]:
            year, month, day = year + (month + 1) // _MONTHS_A_YEAR, (month + 1) % _MONTHS_A_YEAR, 1
        return f"{year:04}-{month + 1:02}-{day:02}"


class Date(NamedTuple):
    """A day, or a month where `day` is 0, and the place behind its words."""

    year: int
    month: int
    day: int
    end: int

    @property
    def begin(self) -> Moment:
        """Its value: the year and the share of it that has passed, all months being of 31 days."""
        return self._moment(max(0, self.day - 1) / _DAYS_A_MONTH)

    @property
    def after(self) -> Moment:
        """The value of the day, or month, that follows."""
        return self._moment(self.day / _DAYS_A_MONTH if self.day else 1.0)

    def _moment(self, passed: float) -> Moment:
        """Return the value of when a share of the month has passed."""
        return Moment(self.year + (self.month - 1 + passed) / _MONTHS_A_YEAR)


def date_of(text: str) -> Date | None:
    """Return the date that a text is as a whole; None for any other text."""
    if not _FOUR_DIGITS.search(text):
        # Most labels of a large graph are none.
        return None
    stripped = text.strip()
    if match := _ISO.fullmatch(stripped):
        year, month, day = (int(part or 0) for part in match.groups())
        return Date(year, month, day, 0) if 0 < month <= _MONTHS_A_YEAR and day <= _DAYS_A_MONTH else None
    words = _WORDS.findall(stripped.lower())
    date = date_at(words, 0)
    return date if date is not None and date.end == len(words) else None


def date_at(lowered: Sequence[str], place: int) -> Date | None:
    """Return the date that begins at a word, with its year; None where none does."""
    day, after_day = _day_at(lowered, place)
    after_day += day > 0 and _word(lowered, after_day) == "of"
    month = MONTHS.get(_word(lowered, after_day), 0)
    if not month:
        return None
    end = after_day + 1
    if not day:
        day, end = _day_at(lowered, end)
    end += _word(lowered, end) == "of"
    year = _word(lowered, end)
    return Date(int(year), month, day, end + 1) if _YEAR.fullmatch(year) else None


def _day_at(lowered: Sequence[str], place: int) -> tuple[int, int]:
    """Return the day of a month that begins at a word, 0 for none, and the place behind it."""
    word = _word(lowered, place)
    if not _DAY.fullmatch(word) or not 0 < int(word) <= _DAYS_A_MONTH:
        return 0, place
    return int(word), place + 1 + (_word(lowered, place + 1) in ORDINAL_ENDINGS)


def _word(lowered: Sequence[str], place: int) -> str:
    return lowered[place] if place < len(lowered) else ""


def value_of_date(text: str) -> float:
    """Return the value of a text that is a date as a whole; nan for any other."""
    date = date_of(text)
    return math.nan if date is None else float(date.begin)
