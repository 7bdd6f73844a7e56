"""Dates in cells as values, as much of them as is told."""

from __future__ import annotations

import re
from dataclasses import replace

from evidence_assets.tables.table import Kind, Value
from evidence_assets.text.calendar_words import MONTHS
from evidence_assets.text.dates import MONTH, Date, date_of, existing, is_year

# The first and the last day of what took several.
_DAYS = re.compile(
    rf"([0-9]{{1,2}})(?: ?({MONTH}))? ?(?:-|–|—|to) ?([0-9]{{1,2}}) ({MONTH})(?:,? ([0-9]{{4}}))?"
)
_MONTH_AND_YEAR = re.compile(r"(0[1-9]|1[0-2])/([0-9]{4})")
_MONTH_AND_SHORT_YEAR = re.compile(rf"({MONTH})[- '’]([0-9]{{2}})")
# Two digits from here on are a year of the last century, as spreadsheet programs read them.
_FIRST_OF_LAST_CENTURY = 30


def is_finer_than_a_year(iso_date: str) -> bool:
    """Whether a date tells more than a year; of one without a year, that it tells a month."""
    return len(iso_date) > len("2011") or iso_date.startswith("--")


def tells_a_day(iso_date: str) -> bool:
    """Whether a date tells its day, with a year or without one."""
    return _DAY_OF_DATE.search(iso_date) is not None


_DAY_OF_DATE = re.compile(r"-\d\d-\d\d$")


def parse_date(text: str) -> Value | None:
    """Return the value of a date; None where the text is none."""
    date = date_of(text)
    return None if date is None else value_of_date(date)


def value_of_date(date: Date) -> Value:
    """Return a date as a value.

    A day's `number` is its ordinal (that of the month's first day where no day is told), a lone year's the
    year itself, so that it can be reckoned with; a day without a year is counted in a leap year.
    """
    if not date.month:
        number = date.year
    else:
        number = date.first_day.toordinal() if date.year else date.first_day.timetuple().tm_yday
    return Value(Kind.DATE, number=float(number), date=date.iso)


def parse_days(text: str) -> Value | None:
    """Return the span of the days `12–20 May 2017`, `28 Feb – 5 Mar 2019`; None for others.

    Its `number` and `date` are those of the first day, its `low` and `high` of the first and the last.
    """
    match = _DAYS.fullmatch(text.lower())
    if match is None:
        return None
    first_day, first_month, last_day, last_month, year = match.groups()
    first = _day(year, first_month or last_month, first_day)
    last = _day(year, last_month, last_day)
    if first is None or last is None or first >= last:
        return None
    opening = value_of_date(first)
    return replace(opening, low=opening.number, high=value_of_date(last).number)


def _day(year: str | None, month: str, day: str) -> Date | None:
    return existing(int(year or 0), MONTHS[month.rstrip(".")], int(day))


def month_of_year(text: str) -> Date | None:
    """Return the month that a text may tell in short: `02/2024`, `Feb-24`, `Feb 24`; None for others.

    Either may tell something else, the second a day: what it is shows beside others.
    """
    numbered = _MONTH_AND_YEAR.fullmatch(text)
    if numbered is not None:
        return Date(int(numbered[2]), int(numbered[1])) if is_year(numbered[2]) else None
    named = _MONTH_AND_SHORT_YEAR.fullmatch(text.lower())
    if named is None:
        return None
    return Date(year_of_two_figures(int(named[2])), MONTHS[named[1].rstrip(".")])


def year_of_two_figures(short: int) -> int:
    """Return the year of which two figures are told."""
    return short + (2000 if short < _FIRST_OF_LAST_CENTURY else 1900)
