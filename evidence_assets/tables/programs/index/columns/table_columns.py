"""A table's columns: the words of their headers, and their cells as numbers, units and times."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from evidence_assets.tables.decimal_marks import has_decimal_commas
from evidence_assets.tables.programs.index.columns.column_times import (
    columns_of_clocks,
    columns_of_dates,
    columns_of_durations,
    columns_of_years,
    short_years,
    was_set_beforehand,
    with_ends_behind_midnight,
)
from evidence_assets.tables.programs.index.columns.column_units import cell_units, column_units
from evidence_assets.tables.programs.index.columns.column_values import (
    Band,
    Flags,
    are_numeric,
    bands_of,
    common_unit,
    flags_of,
    in_one_unit,
    is_best_first,
    letters_of,
    numbers_of,
    pairs_of,
    tells_codes_apart,
)
from evidence_assets.tables.programs.index.columns.half_open_cells import HalfOpen, half_open, rows_within
from evidence_assets.tables.programs.index.columns.inexact_cells import (
    Range,
    ranges_of_days,
    ranges_of_numbers,
)
from evidence_assets.tables.programs.index.columns.parts_of_times import parts_of_times
from evidence_assets.tables.programs.index.columns.signed_columns import columns_with_signs, words_of_signs
from evidence_assets.tables.programs.index.columns.standings_headers import spelt_out
from evidence_assets.tables.programs.index.columns.weekly_days import Days, weekly_days
from evidence_assets.tables.programs.index.content_words import content_keys, opening_words, without_powers
from evidence_assets.tables.programs.wording.decimal_commas import with_points
from evidence_assets.tables.programs.wording.quantities import Unit, converted, is_of_time, unit_name
from evidence_assets.tables.programs.wording.rates_of_time import times_reckoned_by
from evidence_assets.tables.programs.wording.words import Token, tokens, word_key, word_keys
from evidence_assets.tables.table import Kind, Table

_TIME = word_key("time")
# Words of captions of ranks.
_OF_RANKS = word_keys("rank ranking ranked place position")


@dataclass(eq=False)
class TableColumns:
    """A table's columns, with the words of its header and caption as keys."""

    table: Table
    against: int = 0
    """Which of a pair is a row's number: the first, or the second, 1."""
    of_losses: bool = False
    """Whether numbers of signed columns tell what was lost: 5 of -5."""
    headers: list[tuple[str, ...]] = field(init=False)
    named: list[tuple[str, ...]] = field(init=False)
    """Of each header the words before what stands in brackets: of `GDP (US$ billion)` the first."""
    openings: list[tuple[str, ...]] = field(init=False)
    """Of each header the words before those that carry content: the `very` of `very satisfied`."""
    closings: list[tuple[str, ...]] = field(init=False)
    """Of each header the words behind those that carry content: the `against` of `goals against`."""
    header_postings: dict[str, set[int]] = field(init=False)
    """The columns whose header has a key."""
    caption_words: tuple[str, ...] = field(init=False)
    caption: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        header = [self.tokens_of(name) for name in spelt_out(self.table.header)]
        self.headers = [content_keys(without_powers(name)) for name in header]
        self.named = [content_keys(without_powers(_before_brackets(name))) for name in header]
        self.openings = [opening_words(name) for name in header]
        self.closings = [opening_words(_before_brackets(name)[::-1]) for name in header]
        self.header_postings = {}
        for column, keys in enumerate(self.headers):
            for key in keys:
                self.header_postings.setdefault(key, set()).add(column)
        self.caption_words = content_keys(self.tokens_of(self.table.caption))
        self.caption = frozenset(self.caption_words)

    def tokens_of(self, text: str) -> tuple[Token, ...]:
        """Return the tokens of a text over the table, whose numbers may be told with decimal commas."""
        return tokens(with_points(text) if self.has_decimal_commas else text)

    @cached_property
    def has_decimal_commas(self) -> bool:
        """Whether the table's numbers are told with decimal commas."""
        return has_decimal_commas(self.table.rows)

    @cached_property
    def parts_of_times(self) -> dict[int, frozenset[int]]:
        """Of each column of a month or quarter all columns that tell the same of others of that time."""
        return parts_of_times(self.table.header)

    @cached_property
    def opposed(self) -> tuple[int, int] | None:
        """The columns of what rows have for them and against them: goals for, goals against; None without."""
        names = list(zip(self.headers, self.closings, strict=True))
        columns = {name: column for column, name in enumerate(names)}
        for (keys, closing), column in columns.items():
            other = columns.get((keys, ("against",)))
            if closing[:1] == ("for",) and other is not None:
                return column, other
        return None

    @cached_property
    def pairs(self) -> dict[int, dict[int, tuple[float, float]]]:
        """The two numbers of each row of the columns that tell them for and against: goals 512:430."""
        return pairs_of(self.table)

    @cached_property
    def bands(self) -> dict[int, dict[int, Band]]:
        """The ends of each row's band, by column, of the columns that part numbers into bands."""
        columns = range(self.table.columns)
        return {column: bands for column in columns if (bands := bands_of(self.table.column(column)))}

    @cached_property
    def flags(self) -> dict[int, Flags]:
        """The rows that say yes, and neither yes nor no, of each column that mostly says these."""
        return flags_of(self.table)

    @cached_property
    def series(self) -> list[dict[int, float]]:
        """Numbers of each column by row; rows without one are left out."""
        if not self.of_losses:
            return self._series_told
        return [
            {row: 0.0 - number for row, number in numbers.items()} if column in self.signed else numbers
            for column, numbers in enumerate(self._series_told)
        ]

    @cached_property
    def signed(self) -> tuple[int, ...]:
        """The columns with numbers below zero, and those of the same in other years: `Profit 2022`."""
        below = columns_with_signs(self._series_told)
        of_same = {self._but_year(column) for column in below if column in self.year_columns}
        others = {column for column in self.year_columns if self._but_year(column) in of_same}
        return tuple(sorted({*below, *others}))

    def _but_year(self, column: int) -> tuple[str, ...]:
        """Return the keys of a header but for its year."""
        return tuple(key for key in self.headers[column] if not key.isdigit())

    @cached_property
    def words_of_signs(self) -> dict[str, int]:
        """The roots of the words that say that a number is below zero, -1, or above it, 1."""
        return words_of_signs(self.table.caption, self.table.header) if self.signed else {}

    @cached_property
    def half_open(self) -> list[dict[int, HalfOpen]]:
        """Of each column of numbers the rows that tell but an end of theirs, `<5`: these are in no series.

        None of a column whose every cell does, or that parts numbers into bands.
        """
        return [
            {} if column in self.bands else half_open(self.table.column(column), numbers)
            for column, numbers in enumerate(self._numbers_told)
        ]

    def rows_within(self, column: int, relation: str, bound: float) -> tuple[frozenset[int], frozenset[int]]:
        """Return a column's rows within a bound, and those whose cells tell not whether they are."""
        return rows_within(self.series[column], self.half_open[column], self.ranges[column], relation, bound)

    @cached_property
    def ranges(self) -> list[dict[int, Range]]:
        """Of each column the ends of the rows that tell their number, or their day, inexactly.

        None of bands, of pairs and of years.
        """
        apart = {*self.bands, *self.years, *self.pairs}
        return [
            ranges_of_days(self.table.column(column), numbers)
            if column in self.dated
            else {}
            if column in apart
            else ranges_of_numbers(self.table.column(column), numbers)
            for column, numbers in enumerate(self._numbers_told)
        ]

    def told_in_part(self, column: int) -> frozenset[int]:
        """Return the rows of a column that tell but an end of their number, or between which ends it is."""
        return frozenset(self.half_open[column]).union(self.ranges[column])

    @cached_property
    def _series_told(self) -> list[dict[int, float]]:
        return [
            {row: number for row, number in numbers.items() if row not in ends} if ends else numbers
            for numbers, ends in zip(self._numbers_told, self.half_open, strict=True)
        ]

    @cached_property
    def _numbers_told(self) -> list[dict[int, float]]:
        numbers = [self._numbers_written(column) for column in range(self.table.columns)]
        if self.pair_of_clocks is not None:
            first, last = self.pair_of_clocks
            of_plans = any(was_set_beforehand(self.headers[column]) for column in self.clocks)
            ends = numbers[last]
            numbers[last] = with_ends_behind_midnight(numbers[first], ends, may_come_earlier=of_plans)
        return numbers

    def _numbers_written(self, column: int) -> dict[int, float]:
        cells = self.table.column(column)
        if column in self.pairs:
            return {row: pair[self.against] for row, pair in self.pairs[column].items()}
        if column in self.coded:
            return {}
        letters = letters_of(self.table.header[column], cells)
        return letters or in_one_unit(numbers_of(cells), self._told_units[column][1])

    @cached_property
    def years(self) -> dict[int, dict[int, float]]:
        """Years of each row, by column, of the columns that tell them."""
        return columns_of_years(self.table, self.headers)

    def last_years(self, column: int) -> dict[int, float]:
        """Return the last year of each row of a column of years that tells a range of them."""
        values = {row: self.table.rows[row][column].value for row in self.years.get(column, ())}
        return {
            row: value.high
            for row, value in values.items()
            if value.kind is Kind.RANGE and value.high is not None
        }

    @cached_property
    def year_columns(self) -> dict[int, int]:
        """The year of each numeric column whose header tells one, by column."""
        year_columns = {}
        for column, keys in enumerate(self.headers):
            years = [int(key) for key in keys if len(key) == 4 and key.isdigit()]
            years += short_years(self.table.header[column])
            if years and self.is_numeric(column):
                year_columns[column] = years[0]
        return year_columns

    @cached_property
    def years_of_columns(self) -> frozenset[int]:
        """The years that columns are of."""
        return frozenset(self.year_columns.values())

    def years_said(self, claim_tokens: Iterable[Token]) -> set[int]:
        """Return those of the years of columns that a claim says."""
        numbers = {token.number for token in claim_tokens}
        return {year for year in self.years_of_columns if year in numbers}

    @cached_property
    def units(self) -> list[tuple[Unit, dict[int, str]]]:
        """Each column's unit and scale by its header, and the unit of each of its rows that has one."""
        return [
            (unit, dict.fromkeys(rows, common) if (common := common_unit(rows)) else rows)
            for unit, rows in self._told_units
        ]

    @cached_property
    def told_units(self) -> list[frozenset[str]]:
        """The units that each column's header and cells tell, before any conversion."""
        return [frozenset(rows.values()) for _, rows in self._told_units]

    @cached_property
    def _told_units(self) -> list[tuple[Unit, dict[int, str]]]:
        headers = column_units(self.table)
        return [(unit, cell_units(self.table, column, unit)) for column, unit in enumerate(headers)]

    @cached_property
    def is_measured(self) -> bool:
        """Whether the table is one of measures: some column tells a unit, a scale, a year, or yes and no."""
        has_unit = any(unit != Unit() or rows for unit, rows in self.units)
        return has_unit or bool(self.flags) or bool(self.year_columns)

    def times_reckoned_by(self, columns: Iterable[int]) -> frozenset[str]:
        """Return the units of time that some columns' numbers are for each of: of `Rent per month`."""
        names = ([token.text for token in tokens(self.table.header[column])] for column in columns)
        return frozenset(unit for name in names for unit in times_reckoned_by(name).values())

    def factor(self, column: int, other: int) -> float | None:
        """Return what brings another column's numbers to a column's unit and scale; None where nothing can.

        Columns of which one tells no unit are taken to be told alike.
        """
        names = [next(iter(self.units[place][1].values()), "") for place in (column, other)]
        scales = [self.units[place][0].scale for place in (column, other)]
        ratio = converted(1.0, names[1], names[0]) if all(names) else 1.0
        return None if ratio is None else ratio * scales[1] / scales[0]

    def told_by_unit(self, unit: str) -> bool:
        """Return whether some column tells what can be converted to a unit."""
        name = unit_name(unit)
        return any(
            converted(1.0, column_unit, name) is not None
            for units in self.told_units
            for column_unit in units
        )

    @cached_property
    def coded(self) -> frozenset[int]:
        """The columns of codes in which a zero tells two apart: 06 and 6."""
        return frozenset(c for c in range(self.table.columns) if tells_codes_apart(self.table.column(c)))

    @cached_property
    def best_first(self) -> frozenset[int]:
        """Columns of grades in which 1 is the best: as the caption or the header says, else of 1 to 6."""
        return frozenset(
            column
            for column, name in enumerate(self.table.header)
            if self.series[column]
            and self.is_numeric(column)
            and is_best_first(self.series[column].values(), name, self.table.caption)
        )

    def is_of_codes(self, column: int) -> bool:
        """Return whether a column names rows by codes, `KV 240`, whose numbers measure nothing."""
        cells = self.table.column(column) if column == self.table.label_column else ()
        lettered = sum(any(letter.isalpha() for letter in cell.text) for cell in cells)
        return lettered > len(cells) / 2 and not self.told_units[column] and column not in self.dated

    def numbers_its_rows(self, column: int) -> bool:
        """Return whether a first column tells rows apart by numbers, as of lines, and measures nothing."""
        if column or not self.is_numeric(0) or 0 in self.dates_and_years or self.told_units[0]:
            return False
        numbers = [*self.series[0].values()]
        return len({*numbers}) == len(numbers) and all(map(float.is_integer, numbers))

    def tells_rows_apart(self, column: int) -> bool:
        """Return whether a column names or numbers the rows, and measures nothing of them."""
        return column == self.table.label_column or self.numbers_its_rows(column)

    def tells_amounts(self, column: int) -> bool:
        """Return whether a column's numbers are no ranks: amounts, times of day, dates, or a year's."""
        of_year = column in self.year_columns and _OF_RANKS.isdisjoint(self.caption)
        return bool(self.told_units[column]) or column in {*self.clocks, *self.dated} or of_year

    def is_numeric(self, column: int) -> bool:
        """Return whether most of a column's told cells have a number."""
        return self._are_numeric[column]

    @cached_property
    def _are_numeric(self) -> list[bool]:
        return [
            are_numeric(self.table.column(column), numbers)
            for column, numbers in enumerate(self._numbers_told)
        ]

    def numeric(self, columns: Iterable[int]) -> list[int]:
        """Return those of some columns that are numeric, ascending."""
        are_numeric = self._are_numeric
        return [column for column in sorted(columns) if are_numeric[column]]

    @cached_property
    def numeric_columns(self) -> tuple[int, ...]:
        """The numeric columns, ascending."""
        return tuple(self.numeric(range(self.table.columns)))

    @cached_property
    def dated(self) -> list[int]:
        """Columns of dates."""
        return columns_of_dates(self.table)

    @cached_property
    def durations(self) -> frozenset[int]:
        """Columns of the times that something took, told to parts of a second."""
        return columns_of_durations(self.table)

    def tells_how_long(self, column: int) -> bool:
        """Return whether a column tells how long something took."""
        return column in self.durations or any(map(is_of_time, self.told_units[column]))

    def takes_time(self, column: int) -> bool:
        """Return whether the fastest have the least of a column: it is headed a time, or tells how long."""
        return _TIME in self.headers[column] or self.tells_how_long(column)

    @cached_property
    def clocks(self) -> list[int]:
        """Columns of times of day, told in hours and minutes."""
        return columns_of_clocks(self.table)

    @cached_property
    def pair_of_clocks(self) -> tuple[int, int] | None:
        """The two columns of times of day, as of when something starts and ends; None of fewer or more."""
        return (self.clocks[0], self.clocks[1]) if len(self.clocks) == 2 else None

    @cached_property
    def dates_and_years(self) -> frozenset[int]:
        """The columns of dates and of years."""
        return frozenset((*self.dated, *self.years))

    @cached_property
    def times(self) -> frozenset[int]:
        """The columns of dates, of years and of times of day."""
        return frozenset((*self.dated, *self.years, *self.clocks))

    @cached_property
    def weekly_days(self) -> dict[int, dict[int, Days]]:
        """The days of the week of each row, by column, of the columns that tell on which something is so."""
        return weekly_days(self.table)


def _before_brackets(header: tuple[Token, ...]) -> tuple[Token, ...]:
    """Return a header's tokens up to the unit that stands in brackets behind them: `SBP before (mmHg)`."""
    brackets = (n for n, token in enumerate(header) if n and token.text in {"(", "["})
    return header[: next(brackets, len(header))]
