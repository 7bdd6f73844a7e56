"""Days and months of a year as values, in years and shares of them."""

from __future__ import annotations

import math
import re
from calendar import monthrange

from evidence_assets.text.dates import Date, date_of

_FOUR_DIGITS = re.compile(r"\d{4}")
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


def beginning(date: Date) -> Moment:
    """Return the value of a day or month: its year, and what share of it has passed, by months of 31 days."""
    return _moment(date, max(0, date.day - 1) / _DAYS_A_MONTH)


def end(date: Date) -> Moment:
    """Return the value of the day, or month, that follows."""
    return _moment(date, date.day / _DAYS_A_MONTH if date.day else 1.0)


def _moment(date: Date, passed: float) -> Moment:
    """Return the value of when a share of a date's month has passed."""
    return Moment(date.year + (date.month - 1 + passed) / _MONTHS_A_YEAR)


def date_of_label(text: str) -> Date | None:
    """Return the day or month of a year that a label is as a whole; None for any other."""
    if not _FOUR_DIGITS.search(text):
        # Most labels of a large graph are none.
        return None
    date = date_of(text.strip())
    return date if date is not None and date.year and date.month else None


def value_of_date(text: str) -> float:
    """Return the value of a text that is a day or month as a whole; nan for any other."""
    date = date_of_label(text)
    return math.nan if date is None else float(beginning(date))
