"""Columns of hours, `17:30–23:00`: a table with when each row starts, and when it ends, apart."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evidence_assets.tables.programs.index.derived_tables import cell_of, values_of
from evidence_assets.tables.programs.index.kept import kept_for_tables
from evidence_assets.tables.programs.index.parted_columns import PartedTable
from evidence_assets.tables.table import Table

_TIME = r"((?:[01]?\d|2[0-4])[:.][0-5]\d)"
_HOURS = re.compile(rf"{_TIME}\s?(?:-|–|—|to)\s?{_TIME}(?: ?h)?")
# The end may be a word: `18:00–late`.
_ENDS = re.compile(rf"{_HOURS.pattern}|{_TIME}\s?(?:-|–|—|to)\s?[a-z ]+", re.IGNORECASE)
START, END = "Start", "End"


@dataclass(frozen=True, slots=True)
class HoursTable(PartedTable):
    """A table whose only column of hours is taken apart. `start`, `end`: the columns of their ends."""

    start: int = 0
    end: int = 0


def hours_told(text: str) -> tuple[int, int] | None:
    """Return the minutes of a day at which hours start and end, these the later; None of other texts."""
    match = _HOURS.fullmatch(text.strip())
    if match is None:
        return None
    start, end = (60 * int(time[:-3]) + int(time[-2:]) for time in match.groups())
    return start, end if end > start else end + _DAY


_DAY = 1440


def rows_open_at(table: HoursTable, minutes: float) -> frozenset[int]:
    """Return the rows whose hours hold a time of day."""
    if table.base is None:
        return frozenset()
    told = {row: hours_told(cell.text) for row, cell in enumerate(table.base.column(table.start))}
    return frozenset(row for row, hours in told.items() if hours and is_within(hours, minutes))


def is_within(hours: tuple[int, int], minutes: float) -> bool:
    """Return whether a time of day is within hours, whose end is not."""
    return any(hours[0] <= time < hours[1] for time in (minutes, minutes + _DAY))


@kept_for_tables
def columns_of_hours(table: Table) -> frozenset[int]:
    """Return the columns that mostly tell hours, and those of their ends: which end a time is says a verb."""
    if isinstance(table, HoursTable):
        return frozenset({table.start, table.end})
    return frozenset(
        column
        for column in range(table.columns)
        if 2 * sum(hours_told(cell.text) is not None for cell in table.column(column)) > len(table.rows)
    )


def with_hours(table: Table) -> HoursTable | None:
    """Return a table with its only column of hours in two; None where it has none, or several."""
    columns = columns_of_hours(table)
    if len(columns) != 1 or not {START, END}.isdisjoint(table.header) or table.label_column in columns:
        return None
    (column,) = columns
    found = [_ENDS.fullmatch(cell.text.strip()) for cell in table.column(column)]
    values = values_of(table)
    values["header"] = (*table.header[:column], START, END, *table.header[column + 1 :])
    values["rows"] = tuple(
        (*row[:column], *map(cell_of, _ends_in(match)), *row[column + 1 :])
        for row, match in zip(table.rows, found, strict=True)
    )
    if table.label_column is not None and table.label_column > column:
        values["label_column"] = table.label_column + 1
    sources = (*range(column + 1), *range(column, table.columns))
    return HoursTable(**values, base=table, sources=sources, start=column, end=column + 1)


def _ends_in(match: re.Match[str] | None) -> tuple[str, str]:
    """Return when hours start and end, empty where that is not told."""
    return ("", "") if match is None else (match[1] or match[3], match[2] or "")
