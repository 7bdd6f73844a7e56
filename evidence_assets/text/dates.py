"""Dates as people write them: `2011-07-04`, `4 July 2011`, `July 4th, 2011`, `04.07.2011`, `July 2011`."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from typing import NamedTuple

from evidence_assets.text.calendar_words import MONTH_NAMES, MONTHS

FIRST_YEAR, LAST_YEAR = 1500, 2100
# Its 29 February exists, and days without a year compare among themselves in it.
LEAP_YEAR = 2000

MONTH = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\.?"
_MONTH = rf"(?P<month>{MONTH})"
_ENDING = "(?:st|nd|rd|th)"
_DAY = rf"(?P<day>[0-9]{{1,2}})(?:\s?{_ENDING})?"
_YEAR = r"(?P<year>(?!0000)[0-9]{4})"
_TIME = r"(?:[t ][0-9]{2}:[0-9]{2}(?::[0-9.]{2,12})?(?:z|[+-][0-9]{2}:?[0-9]{2})?)?"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        rf"{_YEAR}(?:\s?-\s?|\s)(?P<month>[0-9]{{2}})(?:\s?-\s?|\s)(?P<day>[0-9]{{2}}){_TIME}",
        rf"{_YEAR}\s?[/.]\s?(?P<month>[0-9]{{1,2}})\s?[/.]\s?(?P<day>[0-9]{{1,2}})",
        rf"{_WEEKDAY}{_MONTH}\s*{_DAY}(?:,\s*|\s+)(?:of\s+)?{_YEAR}",
        rf"{_WEEKDAY}{_DAY}[\s-]*(?:of\s+)?{_MONTH}[\s,-]*(?:of\s+)?{_YEAR}",
        rf"{_MONTH},?[\s-]*(?:of\s+)?{_YEAR}",
        rf"{_YEAR}[\s-]+{_MONTH}(?:[\s-]+{_DAY})?",
        rf"{_WEEKDAY}{_MONTH}\s*{_DAY}",
        rf"{_WEEKDAY}{_DAY}[\s-]*(?:of\s+)?{_MONTH}",
    )
)
_NUMBERED = re.compile(r"([0-9]{1,2})\s?([/.-])\s?([0-9]{1,2})\s?\2\s?([0-9]{4})")
_LONE_YEAR = re.compile(r"[0-9]{4}")
# Sources that part every mark from its words: `may 10 , 2010`, `1970 - 09 - 19`.
_SPACED_MARKS = re.compile(
    r"\s+(?P<mark>,)|(?<=[0-9]{4})\s-\s(?=[0-9]{2}\s-\s)|(?<=[0-9]{4}\s-\s[0-9]{2})\s-\s(?=[0-9]{2}$)"
)
_YEAR_AND_MORE = re.compile(r"([0-9]{4})\s?([-–/])\s?([0-9]{2})")
_DAY_AND_TIME = re.compile(
    r"(.{6,}?),? (?:at )?(?:(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?::[0-5][0-9])?(?: ?[ap]\.?m\.?)?"
    r"|(?:[01][0-9]|2[0-4])[0-5][0-9](?: ?(?:hrs|hours|h)))",
    re.IGNORECASE,
)
# What a date among other words is made of, and how many of these the longest has: `the 4 th of July , 2011`.
_PART = re.compile(rf"{MONTH}|[0-9]{{1,4}}{_ENDING}?|{_ENDING}|of|[,/-]")
_LONGEST = 6


class Date(NamedTuple):
    """As much of a date as is told, 0 for each of year, month and day that is not."""

    year: int
    month: int = 0
    day: int = 0

    @property
    def iso(self) -> str:
        """The date as `2011`, `2011-07` or `2011-07-04`; without a year as `--07-04`."""
        year = f"{self.year:04d}" if self.year else "-"
        return "-".join([year, *(f"{part:02d}" for part in (self.month, self.day) if part)])

    @property
    def first_day(self) -> datetime.date:
        """Its day, or the first that it may be; without a year in a leap year."""
        return datetime.date(self.year or LEAP_YEAR, self.month or 1, self.day or 1)


def is_year(text: str) -> bool:
    """Whether four digits are more likely a year than an amount."""
    return _LONE_YEAR.fullmatch(text) is not None and FIRST_YEAR <= int(text) <= LAST_YEAR


def date_of(text: str) -> Date | None:
    """Return the date that a text is as a whole; None for any other.

    Of one whose day and month cannot be told apart, `4/7/2011`, the year alone is told.
    """
    if is_year(text):
        return Date(int(text))
    lowered = _SPACED_MARKS.sub(lambda match: match["mark"] or "-", text.lower())
    for shape in _SHAPES:
        match = shape.fullmatch(lowered)
        if match is not None:
            parts = match.groupdict()
            month = parts["month"]
            number = int(month) if month.isdigit() else MONTHS[month.rstrip(".")]
            return existing(int(parts.get("year") or 0), number, int(parts.get("day") or 0))
    return _numbered(text) or _year_and_month(text) or _before_a_time(text)


def date_at(words: Sequence[str], start: int) -> tuple[Date, int] | None:
    """Return the longest date with its month and year that begins at a word, and the place behind it.

    `words`: in lower case, with their marks or without. None where no such date begins.
    """
    if start >= len(words) or (words[start] not in MONTHS and not words[start][:1].isdigit()):
        return None
    longest = start
    while longest < min(len(words), start + _LONGEST) and _PART.fullmatch(words[longest]):
        longest += 1
    for end in range(longest, start, -1):
        date = date_of(" ".join(words[start:end]))
        if date is not None and date.year and date.month:
            return date, end
    return None


def existing(year: int, month: int, day: int) -> Date | None:
    """Return a date of a month, whose year and day may be 0; None where the calendar has no such day."""
    try:
        datetime.date(year or LEAP_YEAR, month, day or 1)
    except ValueError:
        return None
    return Date(year, month, day)


def ends_of_years(text: str) -> tuple[int, int] | None:
    """Return the ends of years whose second is shortened (`2007-11`, `1999/00`); None for others."""
    match = _YEAR_AND_MORE.fullmatch(text)
    if match is None or not is_year(match[1]):
        return None
    first, last = int(match[1]), int(match[3])
    if last > first % 100:
        return first, first - first % 100 + last
    return (first, first + 1) if last == 0 and first % 100 == 99 else None


def unordered_parts(text: str) -> tuple[int, int, int] | None:
    """Return the two numbers before a year and that, of dates in numbers (`4/7/2011`); None for others.

    None too where points stand between them: then the day comes first.
    """
    match = _NUMBERED.fullmatch(text)
    if match is None or match[2] == "." or not is_year(match[4]):
        return None
    return int(match[1]), int(match[3]), int(match[4])


def _numbered(text: str) -> Date | None:
    match = _NUMBERED.fullmatch(text)
    if match is None or not is_year(match[4]):
        return None
    first, second, year = int(match[1]), int(match[3]), int(match[4])
    # Points stand between day and month where the day comes first.
    if match[2] == "." or first > len(MONTH_NAMES) or first == second:
        return existing(year, second, first)
    if second > len(MONTH_NAMES):
        return existing(year, first, second)
    return Date(year) if first and second else None


def _year_and_month(text: str) -> Date | None:
    """`2011-07`: a range of years cannot end before it begins."""
    match = _YEAR_AND_MORE.fullmatch(text)
    if match is None or match[2] != "-" or not is_year(match[1]) or ends_of_years(text) is not None:
        return None
    return existing(int(match[1]), int(match[3]), 0)


def _before_a_time(text: str) -> Date | None:
    """Return the day of `19.10.1912 at 15:00`; None where no day stands before a time of day."""
    match = _DAY_AND_TIME.fullmatch(text)
    date = date_of(match[1]) if match is not None else None
    return date if date is not None and date.day else None
