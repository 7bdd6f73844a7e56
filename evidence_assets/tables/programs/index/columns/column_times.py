"""Which columns tell times: years, dates, times of day, and how long something took."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from evidence_assets.tables.programs.index.columns.column_units import told_unit
from evidence_assets.tables.programs.index.columns.column_values import (
    CLOCK,
    NUMERIC_SHARE,
    OF_BEGINNINGS,
    is_dated,
    year_of,
)
from evidence_assets.tables.programs.wording.quantities import is_of_time
from evidence_assets.tables.programs.wording.words import word_keys
from evidence_assets.tables.table import Kind, Table
from evidence_assets.text.dates import FIRST_YEAR, LAST_YEAR
from evidence_assets.text.words import word_set, words

_ROUND_TIME = re.compile(r"(?:[01]?[0-9]|2[0-3]):[0-5][05]")
# What heads times of a day, and hardly a time that something took.
_OF_A_DAY = re.compile(
    r"\b(?:arriv(?:al|es?|ed)|depart(?:ure|s|ed)?|leaves?|starts?|begins?|opens?|opening|clos(?:es?|ing)|"
    r"sunrise|sunset|o'clock|from|until|at$)\b",
    re.IGNORECASE,
)
# A time that something took: 1:15.978.
_DURATION = re.compile(r"(?:\d+:)?\d+:\d\d\.\d+")


def columns_of_years(table: Table, headers: Sequence[Iterable[str]]) -> dict[int, dict[int, float]]:
    """Return the year of each row, by column, of the columns that tell them. `headers`: their keys.

    Among years `c. 120` is one too.
    """
    years_by_column = {}
    for column, keys in enumerate(headers):
        is_of_beginnings = not OF_BEGINNINGS.isdisjoint(keys)
        cells = table.column(column)
        years = {
            row: year
            for row, cell in enumerate(cells)
            if (year := year_of(cell, is_of_beginnings=is_of_beginnings)) is not None
        }
        is_of_years = bool(years) and len(years) >= NUMERIC_SHARE * len(cells)
        if is_of_years and not _tells_an_amount(table, column):
            early = {
                row: value.number
                for row, cell in enumerate(cells)
                if (value := cell.value).kind is Kind.NUMBER and not value.unit and value.number is not None
            }
            years_by_column[column] = years | {
                row: year for row, year in early.items() if 0 < year < FIRST_YEAR and year.is_integer()
            }
    return years_by_column


def short_years(header: str) -> list[int]:
    """Return the years that a header writes short: 2024 of `Rent '24`, 1998 of `Members ’98`."""
    written = (int(digits) for digits in _SHORT_YEAR.findall(header))
    return [_CENTURY * (19 + (year <= _LAST_SHORT)) + year for year in written]


_SHORT_YEAR = re.compile(r"(?:^|(?<=\s))['’](\d\d)(?!\w)")
_CENTURY, _LAST_SHORT = 100, 40


def columns_of_dates(table: Table) -> list[int]:
    """Return the columns that mostly tell dates."""
    return [
        column
        for column in range(table.columns)
        if _are_most(map(is_dated, table.column(column)), table) and not _tells_an_amount(table, column)
    ]


# Behind them brackets tell no unit: `Release date (UK)`.
_OF_TIMES = word_set("year date released opened founded built born died from until since start end")


def _tells_an_amount(table: Table, column: int) -> bool:
    """Return whether numbers like years are none, by their header's unit, or by others: 1900 beside 8400."""
    header = table.header[column]
    unit = told_unit(header).name
    if unit and not is_of_time(unit) and _OF_TIMES.isdisjoint(words(header.lower())):
        return True
    return any(
        cell.value.kind is Kind.NUMBER and not cell.value.unit and (cell.value.number or 0.0) > LAST_YEAR
        for cell in table.column(column)
    )


def columns_of_durations(table: Table) -> frozenset[int]:
    """Return the columns of the times that something took, told to parts of a second."""
    return frozenset(_columns_of(_DURATION, table))


def columns_of_clocks(table: Table) -> list[int]:
    """Return the columns of times of day, told in hours and minutes.

    Where one is, or its header says so, so is another whose times are mostly of five minutes, of 8:00 as well
    as 10:30.
    """
    clocks = _columns_of(CLOCK, table)
    of_a_day = _columns_of(_ROUND_TIME, table)
    named = [column for column in of_a_day if _OF_A_DAY.search(table.header[column])]
    columns = {*clocks, *(of_a_day if clocks else named)}
    return sorted(column for column in columns if not _tells_how_long(table, column))


def _tells_how_long(table: Table, column: int) -> bool:
    """Return whether hours and minutes are how long something took: by the header, or by a cell of `0:35`."""
    by_header = _HOW_LONG.search(table.header[column]) is not None
    by_cells = any(cell.text.strip().startswith("0:") for cell in table.column(column))
    return by_header or (by_cells and _OF_A_DAY.search(table.header[column]) is None)


_HOW_LONG = re.compile(r"\b(?:dur|duration|length|elapsed|took|taken|lap|pace|split)\b", re.IGNORECASE)


def with_ends_behind_midnight(
    numbers: Mapping[int, float], ends: Mapping[int, float], *, may_come_earlier: bool
) -> dict[int, float]:
    """Return the minutes of the ends of rows, those behind midnight a day later: 2:00 of a bar is 26:00.

    `numbers`: of the times that stand before them. An end is behind midnight that is earlier than its
    beginning, where most are later; of what `may_come_earlier` than it was due, by half a day and more.
    """
    both = numbers.keys() & ends.keys()
    least = _HALF_A_DAY if may_come_earlier else 0.0
    behind = {row for row in both if numbers[row] - ends[row] > least}
    if 2 * len(behind) >= len(both):
        return {**ends}
    return {row: minutes + 2 * _HALF_A_DAY if row in behind else minutes for row, minutes in ends.items()}


def was_set_beforehand(keys: Iterable[str]) -> bool:
    """Return whether the keys of a header are of a time that was set: when something was due."""
    return not _SET_BEFOREHAND.isdisjoint(keys)


_HALF_A_DAY = 720.0
_SET_BEFOREHAND = word_keys("scheduled schedule planned due expected timetabled deadline promised agreed")


def _columns_of(pattern: re.Pattern[str], table: Table) -> list[int]:
    """Return the columns whose cells mostly match a pattern."""
    return [
        column
        for column in range(table.columns)
        if _are_most((bool(pattern.fullmatch(cell.text.strip())) for cell in table.column(column)), table)
    ]


def _are_most(cells: Iterable[bool], table: Table) -> bool:
    return 2 * sum(cells) > len(table.rows)
