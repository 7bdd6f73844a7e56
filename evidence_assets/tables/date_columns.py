"""Dates of a whole column: 01/09/2015 is of September beside 25/11/1994, Jan-24 a month beside Feb-24."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evidence_assets.tables.cell_dates import month_of_year, value_of_date
from evidence_assets.tables.table import Cell, Kind, Rows, Value
from evidence_assets.text.calendar_words import MONTH_NAMES, MONTHS
from evidence_assets.text.dates import Date, existing, unordered_parts


def clear_dates(rows: Rows) -> dict[tuple[int, int], Value]:
    """Return, by row and column, the dates of a table that are clear from the others of their columns.

    Days stand before months where one of a column's can only be a day, and behind them likewise. Where all
    cells may tell a month and a year, as `02/2024` and `Feb-24`, they do, the latter where there are more
    months than years: else they are days. Beside days of months without a year, `September` is a date too.
    """
    dates: dict[tuple[int, int], Value] = {}
    for column, cells in enumerate(zip(*rows, strict=True)):
        of_column = _ordered_dates(cells) or _months(cells) or _months_beside_days(cells)
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
