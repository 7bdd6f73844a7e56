"""Dates in cells, as much of them as is told: `2011`, `2011-07`, `2011-07-04`, without a year `--07-04`."""

from __future__ import annotations

import datetime
import re
from dataclasses import replace

from evidence_assets.tables.table import Kind, Value
from evidence_assets.text.calendar_words import MONTH_NAMES, MONTHS

FIRST_YEAR, LAST_YEAR = 1500, 2100
# Its 29 February exists, and days without a year compare among themselves in it.
LEAP_YEAR = 2000

_MONTH = r"(?P<month>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\.?"
_DAY = r"(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?"
_LONG_YEAR = r"(?P<year>[0-9]{4})"
_TIME = r"(?:[t ][0-9]{2}:[0-9]{2}(?::[0-9.]{2,12})?z?)?"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        rf"{_LONG_YEAR}\s?-\s?(?P<month>[0-9]{{2}})\s?-\s?(?P<day>[0-9]{{2}}){_TIME}",
        rf"{_LONG_YEAR}\s?[/.]\s?(?P<month>[0-9]{{1,2}})\s?[/.]\s?(?P<day>[0-9]{{1,2}})",
        rf"{_WEEKDAY}{_MONTH}\s*{_DAY}(?:,\s*|\s+){_LONG_YEAR}",
        rf"{_WEEKDAY}{_DAY}[\s-]*(?:of\s+)?{_MONTH}[\s,-]*{_LONG_YEAR}",
        rf"{_MONTH},?[\s-]*{_LONG_YEAR}",
        rf"{_LONG_YEAR}[\s-]+{_MONTH}(?:[\s-]+{_DAY})?",
        rf"{_WEEKDAY}{_MONTH}\s*{_DAY}",
        rf"{_WEEKDAY}{_DAY}[\s-]*(?:of\s+)?{_MONTH}",
    )
)
_MONTH_NAME = _MONTH.replace("?P<month>", "")
# The first and the last day of what took several.
_DAYS = re.compile(
    rf"([0-9]{{1,2}})(?: ?{_MONTH_NAME})? ?(?:-|–|—|to) ?([0-9]{{1,2}}) {_MONTH_NAME}(?:,? ([0-9]{{4}}))?"
)
_NUMBERED = re.compile(r"([0-9]{1,2})\s?([/.-])\s?([0-9]{1,2})\s?\2\s?([0-9]{4})")
_MONTH_AND_YEAR = re.compile(r"(0[1-9]|1[0-2])/([0-9]{4})")
_MONTH_AND_SHORT_YEAR = re.compile(rf"{_MONTH}[-'’](?P<year>[0-9]{{2}})")
# Two digits from here on are a year of the last century, as spreadsheet programs read them.
_FIRST_OF_LAST_CENTURY = 30
_YEAR = re.compile(r"[0-9]{4}")
# Sources that part every mark from its words: `may 10 , 2010`, `1970 - 09 - 19`.
_SPACED_MARKS = re.compile(
    r"\s+(?P<mark>,)|(?<=[0-9]{4})\s-\s(?=[0-9]{2}\s-\s)|(?<=[0-9]{4}\s-\s[0-9]{2})\s-\s(?=[0-9]{2}$)"
)
_YEAR_AND_MORE = re.compile(r"([0-9]{4})\s?([-–/])\s?([0-9]{2})")


def is_year(text: str) -> bool:
    """Whether four digits are more likely a year than an amount."""
    return _YEAR.fullmatch(text) is not None and FIRST_YEAR <= int(text) <= LAST_YEAR


def is_finer_than_a_year(iso_date: str) -> bool:
    """Whether a date tells more than a year; of one without a year, that it tells a month."""
    return len(iso_date) > len("2011") or iso_date.startswith("--")


def tells_a_day(iso_date: str) -> bool:
    """Whether a date tells its day, with a year or without one."""
    return _DAY_OF_DATE.search(iso_date) is not None


_DAY_OF_DATE = re.compile(r"-\d\d-\d\d$")


def parse_date(text: str) -> Value | None:
    """Return a date; None where the text is none.

    A day's `number` is its ordinal (that of the month's first day where no day is told), a lone year's the
    year itself, so that it can be reckoned with; a day without a year is counted in a leap year. Where day
    and month cannot be told apart (4/7/2011), only the year is taken.
    """
    if is_year(text):
        return Value(Kind.DATE, number=float(text), date=text)
    lowered = _SPACED_MARKS.sub(lambda match: match["mark"] or "-", text.lower())
    for shape in _SHAPES:
        match = shape.fullmatch(lowered)
        if match is not None:
            parts = match.groupdict()
            month = parts["month"]
            number = int(month) if month.isdigit() else MONTHS[month]
            return date_of(parts.get("year") or "", number, int(parts.get("day") or 0))
    return _numbered_date(text) or _year_month(text) or _with_time(text)


def _with_time(text: str) -> Value | None:
    """Return the day of `19.10.1912 at 15:00`; None where no day stands before a time of day."""
    match = _DAY_AND_TIME.fullmatch(text)
    day = parse_date(match[1]) if match is not None else None
    return day if day is not None and tells_a_day(day.date) else None


_DAY_AND_TIME = re.compile(
    r"(.{6,}?),? (?:at )?(?:(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?::[0-5][0-9])?(?: ?[ap]\.?m\.?)?"
    r"|(?:[01][0-9]|2[0-4])[0-5][0-9](?: ?(?:hrs|hours|h)))",
    re.IGNORECASE,
)


def parse_days(text: str) -> Value | None:
    """Return the span of the days `12–20 May 2017`, `28 Feb – 5 Mar 2019`; None for others.

    Its `number` and `date` are those of the first day, its `low` and `high` of the first and the last.
    """
    match = _DAYS.fullmatch(text.lower())
    if match is None:
        return None
    first_day, first_month, last_day, last_month, year = match.groups()
    opening, closing = (
        date_of(year or "", MONTHS[month], int(day))
        for day, month in ((first_day, first_month or last_month), (last_day, last_month))
    )
    if opening is None or closing is None or (opening.number or 0.0) >= (closing.number or 0.0):
        return None
    return replace(opening, low=opening.number, high=closing.number)


def parse_years(text: str) -> tuple[int, int] | None:
    """Return the ends of years whose second is shortened (`2007-11`, `1999/00`); None for others."""
    match = _YEAR_AND_MORE.fullmatch(text)
    if match is None or not is_year(match[1]):
        return None
    first, last = int(match[1]), int(match[3])
    if last > first % 100:
        return first, first - first % 100 + last
    return (first, first + 1) if last == 0 and first % 100 == 99 else None


def _year_month(text: str) -> Value | None:
    """`2011-07`: a range of years cannot end before it begins."""
    match = _YEAR_AND_MORE.fullmatch(text)
    if match is None or match[2] != "-" or not is_year(match[1]) or parse_years(text) is not None:
        return None
    return date_of(match[1], int(match[3]), 0)


def numbers_of_date(text: str) -> tuple[int, int, str] | None:
    """Return the two numbers before a year and that, of dates in numbers (`4/7/2011`); None for others.

    None too where points stand between them: then the day comes first.
    """
    match = _NUMBERED.fullmatch(text)
    if match is None or match[2] == "." or not is_year(match[4]):
        return None
    return int(match[1]), int(match[3]), match[4]


def _numbered_date(text: str) -> Value | None:
    match = _NUMBERED.fullmatch(text)
    if match is None or not is_year(match[4]):
        return None
    first, second = int(match[1]), int(match[3])
    # Points stand between day and month where the day comes first.
    if match[2] == "." or first > len(MONTH_NAMES) or first == second:
        return date_of(match[4], second, first)
    if second > len(MONTH_NAMES):
        return date_of(match[4], first, second)
    return Value(Kind.DATE, number=float(match[4]), date=match[4]) if first and second else None


def month_of_year(text: str) -> tuple[str, int] | None:
    """Return year and month where a text may tell these in short: `02/2024`, `Feb-24`; None for others.

    Either may tell something else, the second a day: what it is shows beside others.
    """
    numbered = _MONTH_AND_YEAR.fullmatch(text)
    if numbered is not None:
        return (numbered[2], int(numbered[1])) if is_year(numbered[2]) else None
    named = _MONTH_AND_SHORT_YEAR.fullmatch(text.lower())
    if named is None:
        return None
    century = 20 if int(named["year"]) < _FIRST_OF_LAST_CENTURY else 19
    return f"{century}{named['year']}", MONTHS[named["month"]]


def date_of(year: str, month: int, day: int) -> Value | None:
    """Return a date of a year, which may be empty, a month and a day, which may be 0; None where none is."""
    try:
        moment = datetime.date(int(year or LEAP_YEAR), month, day or 1)
    except ValueError:
        return None
    iso_date = "-".join([year or "-", f"{month:02d}", *([f"{day:02d}"] if day else [])])
    ordinal = moment.toordinal() if year else moment.timetuple().tm_yday
    return Value(Kind.DATE, number=float(ordinal), date=iso_date)
