"""Columns of hours, `17:30–23:00`: a table with when each row starts, and when it ends, apart."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evidence_assets.tables.programs.index.derived.derived_tables import cell_of, values_of
from evidence_assets.tables.programs.index.derived.parted_columns import PartedTable
from evidence_assets.tables.programs.index.kept import kept_for_tables
from evidence_assets.tables.table import Kind, Table

_TIME = r"((?:[01]?\d|2[0-4])[:.][0-5]\d)"
_HOURS = re.compile(rf"{_TIME}\s?(?:-|–|—|to)\s?{_TIME}(?: ?h)?")
_BEGINS = re.compile(rf"{_TIME}\s?(?:-|–|—|to)\s?\S")
START, END = "Start", "End"
_DAY, _HOUR = 1440, 60
# With points between hours and minutes only a header tells that these are no decimals.
_OF_A_DAY = re.compile(r"\b(?:open(?:s|ing)?|hours|times?)\b", re.IGNORECASE)
# Before this hour nothing tells that times are no durations.
_SURELY_OF_A_DAY = 10


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
    start, end = (_HOUR * int(time[:-3]) + int(time[-2:]) for time in match.groups())
    return start, end if end > start else end + _DAY


def rows_open_at(table: HoursTable, minutes: float) -> frozenset[int]:
    """Return the rows whose hours hold a time of day; what is open until then no longer is."""
    base = table.base or table
    hours_by_row = {row: hours_told(cell.text) for row, cell in enumerate(base.column(table.start))}
    return frozenset(
        row
        for row, hours in hours_by_row.items()
        if hours and any(hours[0] <= time < hours[1] for time in (minutes, minutes + _DAY))
    )


@kept_for_tables
def columns_with_hours(table: Table) -> frozenset[int]:
    """Return the columns whose cells mostly tell hours: which end of them a time is, says a verb."""
    return frozenset(
        column
        for column in range(table.columns)
        if 2 * sum(_BEGINS.match(cell.text.strip()) is not None for cell in table.column(column))
        > len(table.rows)
    )


def _are_hours(table: Table, column: int) -> bool:
    """Return whether all cells of a column that tell something tell hours.

    Of a cell with several of them, or `by appointment`, nobody could count what is open.
    """
    cells = [cell.text for cell in table.column(column) if cell.value.kind is not Kind.EMPTY]
    hours = [told for text in cells if (told := hours_told(text)) is not None]
    in_points = any("." in text for text in cells) and not _OF_A_DAY.search(table.header[column])
    late = sum(max(times) >= _SURELY_OF_A_DAY * _HOUR for times in hours)
    return len(hours) == len(cells) > 1 and 2 * late > len(hours) and not in_points


def with_hours(table: Table) -> HoursTable | None:
    """Return a table with its only column of hours in two; None where it has none, or several.

    What ends behind midnight does so at 26:00.
    """
    columns = [column for column in columns_with_hours(table) if _are_hours(table, column)]
    if len(columns) != 1 or not {START, END}.isdisjoint(table.header) or table.label_column in columns:
        return None
    (column,) = columns
    values = values_of(table)
    values["header"] = (*table.header[:column], START, END, *table.header[column + 1 :])
    values["rows"] = tuple(
        (*row[:column], *map(cell_of, _ends(row[column].text)), *row[column + 1 :]) for row in table.rows
    )
    if table.label_column is not None and table.label_column > column:
        values["label_column"] = table.label_column + 1
    sources = (*range(column + 1), *range(column, table.columns))
    return HoursTable(**values, base=table, sources=sources, start=column, end=column + 1)


def _ends(text: str) -> tuple[str, str]:
    """Return when hours start and end, as times; empty where none are told."""
    hours = hours_told(text)
    if hours is None:
        return "", ""
    start, end = (f"{minutes // _HOUR:02d}:{minutes % _HOUR:02d}" for minutes in hours)
    return start, end
