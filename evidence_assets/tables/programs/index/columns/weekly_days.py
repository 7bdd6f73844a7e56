"""Days of the week on which something is so, where a column tells several of each row: `Tue–Sun`, `daily`."""

from __future__ import annotations

import re

from evidence_assets.tables.programs.wording.words import plain, singular
from evidence_assets.tables.table import Kind, Table
from evidence_assets.text.calendar_words import DAY_NAMES, WEEKDAYS

Days = frozenset[str]
ALL_DAYS = frozenset(DAY_NAMES)
_SATURDAY = 5
WEEKEND = frozenset(DAY_NAMES[_SATURDAY:])
_GROUPS: dict[str, Days] = {
    **dict.fromkeys(("daily", "every day", "all days", "all week"), ALL_DAYS),
    **dict.fromkeys(("weekdays", "working days"), ALL_DAYS - WEEKEND),
    **dict.fromkeys(("weekends", "weekend"), WEEKEND),
}
_RANGE = re.compile(r"([a-z]+)\.? ?(?:-|to) ?([a-z]+)\.?")
_JOINTS = re.compile(r"\s*(?:,|;|/|&|\+|\band\b)\s*")
_EXCEPT = re.compile(r"\s*\(?\b(?:except|excluding|but not|not)\b\s*(?:on )?")


def weekly_days(table: Table) -> dict[int, dict[int, Days]]:
    """Return the days of each row, by column, of the columns that tell nothing but days, some of several."""
    columns = {}
    for column in range(table.columns):
        cells = enumerate(table.column(column))
        texts = {row: cell.text for row, cell in cells if cell.value.kind is not Kind.EMPTY}
        days_by_row = {}
        for row, text in texts.items():
            days = days_told(text)
            if days is None:
                break
            days_by_row[row] = days
        if days_by_row.keys() == texts.keys() and any(len(days) > 1 for days in days_by_row.values()):
            columns[column] = days_by_row
    return columns


def days_told(text: str) -> Days | None:
    """Return the days that a cell tells: of `Tue–Sun`, `Sat, Sun`, `daily except Mon`; None of other text."""
    base, *excepted = _EXCEPT.split(plain(text).strip(" ."), maxsplit=1)
    days = _listed(base)
    if days is None or not excepted:
        return days
    without = _listed(excepted[0].rstrip(")"))
    return None if without is None else days - without


def _listed(text: str) -> Days | None:
    days: Days = frozenset()
    for part in _JOINTS.split(text):
        part_days = _part(part.strip())
        if part_days is None:
            return None
        days |= part_days
    return days


def _part(text: str) -> Days | None:
    ends = _RANGE.fullmatch(text)
    if ends is None:
        day = day_of(text)
        return _GROUPS.get(text) if day is None else frozenset({day})
    first, last = day_of(ends[1]), day_of(ends[2])
    if first is None or last is None:
        return None
    start, end = DAY_NAMES.index(first), DAY_NAMES.index(last)
    return frozenset(
        DAY_NAMES[start : end + 1] if start <= end else (*DAY_NAMES[start:], *DAY_NAMES[: end + 1])
    )


def day_of(text: str) -> str | None:
    """Return the day that a word names, long or short, or in the plural; None of other words."""
    word = text.rstrip(".")
    return word if word in ALL_DAYS else WEEKDAYS.get(word) or named_day(word)


def named_day(word: str) -> str | None:
    """Return the day that a word names in full: `monday`, `mondays`."""
    day = singular(word)
    return day if day in ALL_DAYS else None
