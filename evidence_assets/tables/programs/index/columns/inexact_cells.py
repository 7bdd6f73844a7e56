"""Cells that tell their number inexactly, by two ends: ranges, `2–6`, and months and years beside days."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping, Sequence
from datetime import date

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.table import Cell, Kind
from evidence_assets.text.dates import LEAP_YEAR

Range = tuple[float, float]
_DECEMBER = 12


def ranges_of_numbers(cells: Sequence[Cell], numbers: Mapping[int, float]) -> dict[int, Range]:
    """Return the ends of the cells, by row, that tell a range of numbers, in the column's unit.

    None of a column with other pairs, which are scores. `numbers`: what cells tell, in that unit; of a range
    its middle.
    """
    ends: dict[int, Range] = {}
    if any(cell.value.kind is Kind.MIXED and len(cell.value.numbers) > 1 for cell in cells):
        return ends
    for row, number in numbers.items():
        value = cells[row].value
        if value.kind is Kind.RANGE and value.number and value.low is not None and value.high is not None:
            scale = number / value.number
            ends[row] = (value.low * scale, value.high * scale)
    return ends


def ranges_of_days(cells: Sequence[Cell], numbers: Mapping[int, float]) -> dict[int, Range]:
    """Return the first and the last day of the cells, by row, that tell a month or a year beside days.

    None of a column whose dates are all as exact. `numbers`: of days, as the column's cells tell them.
    """
    dates = {row: cells[row].value.date for row in numbers if cells[row].value.kind is Kind.DATE}
    exact = max(map(_parts_told, dates.values()), default=0)
    ends = {}
    for row, iso_date in dates.items():
        if _parts_told(iso_date) < exact and exact > 1:
            first, last = days_of(iso_date)
            # Of days without a year those of the next year stand behind this one's.
            later = numbers[row] - first if iso_date.startswith("--") else 0.0
            ends[row] = (first + later, last + later)
    return ends


def _parts_told(iso_date: str) -> int:
    """Return how exact a date is: 1 of a year, 2 of a month, 3 of a day."""
    return len(iso_date.replace("--", "0-", 1).split("-"))


def days_of(iso_date: str) -> Range:
    """Return the first and the last day of a date, as ordinals; without a year, as days of a leap year."""
    year, *parts = iso_date.replace("--", f"{LEAP_YEAR}-", 1).split("-")
    first, last = (int(parts[0]), int(parts[0])) if parts else (1, _DECEMBER)
    days = (int(parts[1]),) * 2 if len(parts) > 1 else (1, monthrange(int(year), last)[1])
    ends = date(int(year), first, days[0]), date(int(year), last, days[1])
    if iso_date.startswith("--"):
        return float(ends[0].timetuple().tm_yday), float(ends[1].timetuple().tm_yday)
    return float(ends[0].toordinal()), float(ends[1].toordinal())


def stands(left: Range, relation: str, right: Range) -> bool | None:
    """Return whether a range stands in an order to another, by both its ends; None where they disagree.

    So usual values are ordered: what weighs 5 to 8 kg weighs more than what weighs 4 to 6.
    """
    ends = {operations.compare(one, relation, other) for one, other in zip(left, right, strict=True)}
    return ends.pop() if len(ends) == 1 else None


def possible_place(
    numbers: Mapping[int, float], ranges: Mapping[int, Range], place: int, *, highest: bool
) -> operations.Place:
    """Return the rows at a place, from 1, of an order by both ends; where these disagree, of either order."""
    low, high = (
        operations.place_of(
            {row: ranges.get(row, (number, number))[end] for row, number in numbers.items()},
            place,
            highest=highest,
        )
        for end in (0, 1)
    )
    rows = low.rows & high.rows or low.rows | high.rows
    levels = {numbers[row] for row in rows}
    return operations.Place(levels.pop() if len(levels) == 1 else None, rows)
