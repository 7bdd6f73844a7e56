"""What a table's columns say: numbers in one unit, years, bands, grades, pairs of numbers, yes and no."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from evidence_assets.tables.bracketed_numbers import amount_in_brackets
from evidence_assets.tables.cell_dates import is_finer_than_a_year
from evidence_assets.tables.programs.index.columns.column_units import compound, contradictory
from evidence_assets.tables.programs.wording.quantities import converted
from evidence_assets.tables.programs.wording.words import tokens, word_key, word_keys
from evidence_assets.tables.table import Cell, Kind, Table
from evidence_assets.text.dates import FIRST_YEAR, LAST_YEAR

# The share of a column's cells that must have a number for it to be numeric.
NUMERIC_SHARE = 0.6
# A sum written out: 71 + 64 = 135.
_SUMMED = re.compile(r"= ?(\d+(?:\.\d+)?)$")
# One of so many: 4 / 11.
_PARTED = re.compile(r"\d+ ?/ ?\d+")
# Goals and behinds with the points that they make: 12.13 (85).
_POINTS = re.compile(r"(\d+)\.(\d+) ?\((\d+)\)")
_POINTS_OF_A_GOAL = 6
_DAYS_OF_A_LEAP_YEAR = 366
# Headers, as keys, of what a row's team or player has for and against, and such a cell.
_FOR_AND_AGAINST = word_keys("goals points sets frames legs runs baskets")
_PAIR = re.compile(r"(\d{1,4}) ?[:–-] ?(\d{1,4})")
_YES, _NO = frozenset({"yes", "y", "✓", "true"}), frozenset({"no", "n", "✗", "false"})

# Marks of notes behind them.
_NOTED = "*†‡ "
# Marks that say yes of a row; where others have none, that says no.
_TICKS = frozenset({"✓", "✔", "x", "X", "•", "●"})


def are_numeric(cells: Iterable[Cell], numbers: Collection[int]) -> bool:
    """Return whether most of the cells that say something have a number. `numbers`: the rows with one."""
    filled = sum(cell.value.kind is not Kind.EMPTY for cell in cells)
    return len(numbers) >= NUMERIC_SHARE * max(1, filled)


class Flags(NamedTuple):
    """The rows of a column that say yes, that say no, and that say neither."""

    yes: frozenset[int]
    no: frozenset[int]
    partly: frozenset[int]


def pairs_of(table: Table) -> dict[int, dict[int, tuple[float, float]]]:
    """Return the two numbers of each row of the columns that tell them for and against: goals 512:430."""
    pairs = {}
    for column in range(table.columns):
        if not _FOR_AND_AGAINST.isdisjoint(map(word_key, table.header[column].lower().split())):
            cells = enumerate(table.column(column))
            matches = {row: match for row, cell in cells if (match := _PAIR.fullmatch(cell.text.strip()))}
            if _are_clocks(table, column, matches.values()):
                # `Set down`, at 21:19.
                continue
            if len(matches) >= NUMERIC_SHARE * len(table.rows) and len(matches) > 1:
                pairs[column] = {row: (float(m[1]), float(m[2])) for row, m in matches.items()}
    return pairs


def _are_clocks(table: Table, column: int, matches: Iterable[re.Match[str]]) -> bool:
    """Return whether pairs are times of day, beside those of the column before or behind."""
    beside = [table.column(c) for c in (column - 1, column + 1) if 0 <= c < table.columns]
    filled = ([cell for cell in cells if cell.value.kind is not Kind.EMPTY] for cells in beside)
    alike = any(cells and all(CLOCK.fullmatch(cell.text.strip()) for cell in cells) for cells in filled)
    return alike and all(CLOCK.fullmatch(match[0]) for match in matches)


# A time of day, not one that took minutes and seconds: its hours have two digits.
CLOCK = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")


def flags_of(table: Table) -> dict[int, Flags]:
    """Return the rows that say yes, and neither yes nor no, of each column that mostly says these."""
    flags = {}
    for column in range(table.columns):
        ticked = _ticked(table, column)
        if ticked:
            flags[column] = Flags(ticked, frozenset(range(len(table.rows))) - ticked, frozenset())
            continue
        texts = {
            row: cell.text.rstrip(_NOTED).strip().lower()
            for row, cell in enumerate(table.column(column))
            if cell.value.kind is not Kind.EMPTY
        }
        decided = {row: text for row, text in texts.items() if text in _YES | _NO}
        if len(set(decided.values())) > 1 and len(decided) >= NUMERIC_SHARE * len(texts):
            yes = frozenset(row for row, text in decided.items() if text in _YES)
            flags[column] = Flags(
                yes, frozenset(decided.keys() - yes), frozenset(texts.keys() - decided.keys())
            )
    return flags


def _ticked(table: Table, column: int) -> frozenset[int]:
    """Return the rows with a tick, where a column holds nothing else and the other cells are empty."""
    texts = [cell.text.strip() for cell in table.column(column)]
    ticked = frozenset(row for row, text in enumerate(texts) if text in _TICKS)
    holds_ticks = len(ticked) < len(texts) and all(text in {*_TICKS, ""} for text in texts)
    return ticked if holds_ticks else frozenset()


def common_unit(rows: dict[int, str]) -> str:
    """Return the first of a column's units where all can be converted to it; empty where they cannot."""
    names = list(dict.fromkeys(rows.values()))
    if len(names) < 2 or any(converted(1.0, name, names[0]) is None for name in names[1:]):
        return ""
    return names[0]


def in_one_unit(numbers: dict[int, float], rows: dict[int, str]) -> dict[int, float]:
    """Return a column's numbers converted to its common unit; none where its units cannot be compared."""
    if contradictory({row: rows[row] for row in numbers.keys() & rows.keys()}):
        return {}
    common = common_unit(rows)
    if not common:
        return numbers
    return {row: converted(number, rows.get(row, common), common) or 0.0 for row, number in numbers.items()}


# Words of headers, as stems, that tell when something came to be.
OF_BEGINNINGS = word_keys("""
    built open opened founded established begun start started since born launch launched first introduced
    created made installed joined mentioned documented registered bought purchased acquired
""")
# Digits of a year before those that any number of four digits may be.
_EARLY_YEAR = re.compile(r"\d{3,4}")


def year_of(cell: Cell, *, is_of_beginnings: bool = False) -> float | None:
    """Return the year of a date, or of a range of years, which is the first.

    `is_of_beginnings`: the column tells when something began, where 1204 is a year too.
    """
    if is_of_beginnings and _EARLY_YEAR.fullmatch(cell.text.strip()) and int(cell.text) <= LAST_YEAR:
        return float(cell.text)
    if cell.value.kind is Kind.DATE and cell.value.date[:4].isdigit():
        return float(cell.value.date[:4])
    low = cell.value.low if cell.value.kind is Kind.RANGE else None
    return low if low is not None and FIRST_YEAR <= low <= LAST_YEAR else None


_QUARTER = re.compile(r"[Qq]([1-4])\s*[,/-]?\s*(\d{4})|(\d{4})\s*[,/-]?\s*[Qq]([1-4])")


def quarter_of(cell: Cell) -> tuple[int, int] | None:
    """Return the year and the number of the quarter that a cell tells, as `Q2 2021`; else None."""
    match = _QUARTER.fullmatch(cell.text.strip())
    return None if match is None else (int(match[2] or match[3]), int(match[1] or match[4]))


def is_dated(cell: Cell) -> bool:
    """Return whether a cell tells a date, or a quarter of a year."""
    return cell.value.kind is Kind.DATE or quarter_of(cell) is not None


def _points_of(text: str) -> float | None:
    """Return the points of goals and behinds; None of another number, as of a score with its rank."""
    match = _POINTS.fullmatch(text)
    numbers = [float(group) for group in match.groups()] if match else []
    makes = bool(numbers) and numbers[0] * _POINTS_OF_A_GOAL + numbers[1] == numbers[2]
    return numbers[2] if makes else None


def _is_one_number(cell: Cell) -> bool:
    """Return whether a mixed cell has one number, or one of so many; not in brackets: that may be a loss."""
    if len(cell.value.numbers) == 1:
        return amount_in_brackets(cell.text) is None
    return _PARTED.fullmatch(cell.text) is not None


def numbers_of(cells: list[Cell]) -> dict[int, float]:
    """Return a column's numbers by row. Days without a year that begin again are taken for the next year."""
    points = {row: number for row, cell in enumerate(cells) if (number := _points_of(cell.text)) is not None}
    if len(points) * 2 > len(cells):
        return points
    numbers = {}
    for row, cell in () if _are_lettered(cells) else enumerate(cells):
        value = cell.value
        number = value.number
        summed = _SUMMED.search(cell.text)
        two_units = compound(cell.text) if value.kind is Kind.MIXED else None
        quarter = quarter_of(cell) if value.kind is Kind.MIXED else None
        if summed:
            number = float(summed[1])
        elif quarter is not None:
            number = float(date(quarter[0], 3 * quarter[1] - 2, 1).toordinal())
        elif two_units is not None:
            number = two_units[0]
        elif number is None and value.numbers and _is_one_number(cell):
            number = value.numbers[0]
        if number is not None:
            numbers[row] = number
    if any(cell.value.kind is Kind.DATE and is_finer_than_a_year(cell.value.date) for cell in cells):
        # Beside days, a year is its middle.
        for row, cell in enumerate(cells):
            if cell.value.kind is Kind.DATE and not is_finer_than_a_year(cell.value.date):
                numbers[row] = float(date(int(cell.value.date), 7, 2).toordinal())
    if numbers and all(cell.value.date.startswith("--") for cell in cells):
        order = sorted(numbers)
        falls = [(before, row) for before, row in pairwise(order) if numbers[row] < numbers[before]]
        if len(falls) == 1 and _is_of_the_next_year(numbers, *falls[0], order[-1]):
            first = falls[0][1]
            numbers |= {row: numbers[row] + _DAYS_OF_A_LEAP_YEAR for row in order if row >= first}
    return numbers


def _is_of_the_next_year(days: Mapping[int, float], before: int, row: int, last: int) -> bool:
    """Return whether days begin again behind a new year, as of a season from October to March.

    Half a year lies before them, and a whole year before none of them; other days are in no order.
    """
    goes_back_far = days[before] - days[row] > _DAYS_OF_A_LEAP_YEAR / 2
    return goes_back_far and days[last] < days[min(days)]


def are_codes(texts: list[str]) -> bool:
    """Return whether texts are codes of letters and digits, none twice: `T-01`, `T-02`."""
    return bool(texts) and len({*texts}) == len(texts) and all(map(_CODE.fullmatch, texts))


_CODE = re.compile(r"[A-Z]{1,4}[-/ ]?\d+[a-z]?")


def _are_lettered(cells: list[Cell]) -> bool:
    """Return whether most cells are codes of figures and a letter, which differs: `7a`, `7b`."""
    letters = [match[1] for cell in cells if (match := _LETTERED.fullmatch(cell.text.strip()))]
    return len(letters) * 2 > len(cells) and len(set(letters)) > 1


_LETTERED = re.compile(r"[0-9]{1,3}([A-Za-z])")


def tells_codes_apart(cells: list[Cell]) -> bool:
    """Return whether some cells are digits that begin with a zero, and others are of one digit alone."""
    texts = {cell.text.strip() for cell in cells}
    digits = [text for text in texts if text.isdigit()]
    return any(text[0] == "0" and len(text) > 1 for text in digits) and any(
        len(text) == 1 and text != "0" for text in digits
    )


def letters_of(name: str, cells: list[Cell]) -> dict[int, float]:
    """Return the places of the letters of a column of grades, of A 1; none of any other column."""
    if _GRADES.isdisjoint(token.key for token in tokens(name)):
        return {}
    letters = {row: text for row, cell in enumerate(cells) if (text := cell.text.strip()) in _LETTERS}
    filled = sum(cell.value.kind is not Kind.EMPTY for cell in cells)
    return (
        {row: 1.0 + _LETTERS.index(text) for row, text in letters.items()} if len(letters) == filled else {}
    )


_LETTERS = tuple("ABCDEF")
Band = tuple[float, float]
_LEAST_BANDS, _MOST_BETWEEN_BANDS = 3, 1.0


def bands_of(cells: list[Cell]) -> dict[int, Band]:
    """Return the ends of each row's band, of a column that parts all numbers into bands: ages, weights.

    Of `up to 5 kg`, `5–10 kg`, `over 10 kg` the first and the last are open. None where ranges overlap or lie
    apart: those tell of each row how much it may be.
    """
    bands = {
        row: (-math.inf if value.low is None else value.low, math.inf if value.high is None else value.high)
        for row, cell in enumerate(cells)
        if (value := cell.value).kind is not Kind.DATE and (value.low is not None or value.high is not None)
    }
    ordered = sorted(bands.values())
    ranges = sum(cell.value.kind is Kind.RANGE for cell in cells)
    adjoin = all(
        0 <= after[0] - before[1] <= _MOST_BETWEEN_BANDS and before[0] < before[1] < after[1]
        for before, after in pairwise(ordered)
    )
    is_parted = len(bands) >= max(_LEAST_BANDS, len(cells) - 1) and ranges > 1 and adjoin
    return bands if is_parted else {}


# What says that the least number is the best, with the worst where that is told: `from 1, the best, to 6`.
_ONE_IS_BEST = re.compile(
    r"\b1\b[^.;\d]{0,20}\b(?:best|top|highest|most|excellent|very good)\b(?:[^.;\d]{0,12}\bto \d+)?",
    re.IGNORECASE,
)
# Headers of grades and marks, and the greatest grade and place where 1 is the best.
_GRADES = word_keys("grade mark")
_WORST_GRADE, _WORST_PLACE = 6, 20


def is_best_first(numbers: Collection[float], name: str, caption: str) -> bool:
    """Return whether 1 is the best of a column's grades: as caption or header say, else of 1 to 6."""
    if min(numbers) < 1:
        return False
    scale = _ONE_IS_BEST.search(caption)
    worst = max(map(float, re.findall(r"\d+", scale[0]))) if scale else 0.0
    by_caption = bool(scale) and max(numbers) <= (worst if worst > 1 else _WORST_PLACE)
    graded = not _GRADES.isdisjoint(token.key for token in tokens(name)) and max(numbers) <= _WORST_GRADE
    return graded or by_caption or bool(_ONE_IS_BEST.search(name))
