"""Dates of a whole column: 01/09/2015 is of September beside 25/11/1994, Jan-24 a month beside Feb-24.

So are 5.3.24 beside 01.03.2024, and 17/05 or 01.03. where all cells are written so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from evidence_assets.tables.cell_dates import month_of_year, value_of_date, year_of_two_figures
from evidence_assets.tables.table import Cell, Kind, Rows, Value
from evidence_assets.text.calendar_words import MONTH_NAMES, MONTHS
from evidence_assets.text.dates import Date, existing, unordered_parts


def clear_dates(rows: Rows) -> dict[tuple[int, int], Value]:
    """Return, by row and column, the dates of a table that are clear from the others of their columns.

    Days stand before months where one of a column's can only be a day, and behind them likewise. Where all
    cells may tell a month and a year, as `02/2024` and `Feb-24`, they do, the latter where there are more
    months than years: else they are days. Beside days of months without a year, `September` is a date too.
    Days with short years are dates where all cells are days; those of no year where all are written alike.
    """
    dates: dict[tuple[int, int], Value] = {}
    for column, cells in enumerate(zip(*rows, strict=True)):
        of_column = next(filter(None, (read(cells) for read in _READERS)), {})
        dates |= {(row, column): value for row, value in of_column.items()}
    return dates


def _ordered_dates(cells: Sequence[Cell]) -> Mapping[int, Value]:
    """Return the dates, by row, of cells whose day and month are told apart by other cells."""
    dates = {
        row: numbers
        for row, cell in enumerate(cells)
        if cell.value.kind is Kind.DATE and (numbers := unordered_parts(cell.text)) is not None
    }
    day_first = any(first > len(MONTH_NAMES) for first, _, _ in dates.values())
    month_first = any(second > len(MONTH_NAMES) for _, second, _ in dates.values())
    if day_first == month_first:
        return {}
    unclear = {
        row: numbers
        for row, numbers in dates.items()
        if max(numbers[:2]) <= len(MONTH_NAMES) and numbers[0] != numbers[1]
    }
    dates_by_order = {
        row: existing(year, *((second, first) if day_first else (first, second)))
        for row, (first, second, year) in unclear.items()
    }
    return {row: value_of_date(date) for row, date in dates_by_order.items() if date is not None}


def _months(cells: Sequence[Cell]) -> Mapping[int, Value]:
    """Return the months, by row, of cells that all may tell a month and a year."""
    months_by_row: dict[int, Date] = {}
    for row, cell in enumerate(cells):
        if cell.value.kind is not Kind.EMPTY:
            month = month_of_year(cell.text)
            if month is None:
                return {}
            months_by_row[row] = month
    in_numbers = all(cells[row].text[0].isdigit() for row in months_by_row)
    years = {date.year for date in months_by_row.values()}
    months = {date.month for date in months_by_row.values()}
    if not in_numbers and len(months) <= len(years):
        return {}
    return {row: value_of_date(date) for row, date in months_by_row.items()}


def _months_beside_days(cells: Sequence[Cell]) -> Mapping[int, Value]:
    """Return the months without a day or a year, by row, where other cells tell days without a year."""
    if not any(cell.value.date.startswith("--") for cell in cells):
        return {}
    names = {row: MONTHS.get(cell.text.strip().lower()) for row, cell in enumerate(cells)}
    return {row: value_of_date(Date(0, month)) for row, month in names.items() if month is not None}


def _days_of_short_years(cells: Sequence[Cell]) -> Mapping[int, Value]:
    """Return the days, by row, that tell two figures of their year, where all cells tell days."""
    parts: dict[int, tuple[int, int, int]] = {}
    with_points = True
    for row, cell in enumerate(cells):
        match = _SHORT_YEAR.fullmatch(cell.text.strip())
        if match is not None:
            parts[row] = int(match[1]), int(match[3]), year_of_two_figures(int(match[4]))
            with_points = with_points and match[2] == "."
        elif cell.value.kind not in {Kind.EMPTY, Kind.DATE}:
            return {}
    ordered = _in_one_order(parts, day_first=with_points)
    # Of a day or a month first the year alone is told.
    return {row: value_of_date(ordered.get(row) or Date(year)) for row, (_, _, year) in parts.items()}


def _days_of_no_year(cells: Sequence[Cell]) -> Mapping[int, Value]:
    """Return the days, by row, of cells all written `01.03.`, or `17/05` with some beyond the 12th."""
    parts: dict[int, tuple[int, int, int]] = {}
    with_points = True
    for row, cell in enumerate(cells):
        match = _NO_YEAR.fullmatch(cell.text.strip())
        if match is not None:
            parts[row] = int(match[1] or match[3]), int(match[2] or match[4]), 0
            with_points = with_points and match[1] is not None
        elif cell.value.kind is not Kind.EMPTY:
            return {}
    ordered = _in_one_order(parts, day_first=with_points)
    return {row: value_of_date(day) for row, day in ordered.items()} if ordered.keys() == parts.keys() else {}


def _months_of_short_years(cells: Sequence[Cell]) -> Mapping[int, Value]:
    """Return the months, by row, of cells that are all written `09/23`, of more months than years."""
    months: dict[int, Date] = {}
    for row, cell in enumerate(cells):
        match = _NO_YEAR.fullmatch(cell.text.strip())
        month, year = (int(match[3] or 0), int(match[4] or 0)) if match is not None else (0, 0)
        if 0 < month <= len(MONTH_NAMES) < year:
            months[row] = Date(year_of_two_figures(year), month)
        elif cell.value.kind is not Kind.EMPTY:
            return {}
    are_months = len({date.month for date in months.values()}) > len({date.year for date in months.values()})
    return {row: value_of_date(date) for row, date in months.items()} if are_months else {}


def _in_one_order(parts: Mapping[int, tuple[int, int, int]], *, day_first: bool) -> dict[int, Date]:
    """Return days whose day and month stand in one order, which some of them show or is known."""
    months = len(MONTH_NAMES)
    leads, follows = (any(part[place] > months for part in parts.values()) for place in (0, 1))
    if not day_first and leads == follows:
        return {}
    days_lead = day_first or leads
    dates = {
        row: existing(year, *((second, first) if days_lead else (first, second)))
        for row, (first, second, year) in parts.items()
    }
    return {row: date for row, date in dates.items() if date is not None}


_SHORT_YEAR = re.compile(r"([0-9]{1,2})([./])([0-9]{1,2})\2([0-9]{2})")
_NO_YEAR = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})\.|([0-9]{1,2})/([0-9]{1,2})")
# The readers of a column's dates, each of which reads all that it can or nothing.
_READERS = (
    _ordered_dates,
    _months,
    _months_beside_days,
    _days_of_short_years,
    _months_of_short_years,
    _days_of_no_year,
)
