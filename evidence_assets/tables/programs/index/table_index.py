"""A table's words with their places, and its columns as numbers and years."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from evidence_assets.tables.programs.index.column_readings import (
    NUMERIC_SHARE,
    Band,
    Flags,
    bands_of,
    common_unit,
    flags_of,
    in_one_unit,
    is_best_first,
    letters_of,
    numbers_of,
    pairs_of,
)
from evidence_assets.tables.programs.index.column_times import (
    columns_of_clocks,
    columns_of_dates,
    columns_of_durations,
    columns_of_years,
)
from evidence_assets.tables.programs.index.column_units import cell_units, column_units, told_unit
from evidence_assets.tables.programs.index.content_words import (
    content_keys,
    month_keys,
    opening_words,
    without_powers,
)
from evidence_assets.tables.programs.index.kept import kept_for_tables
from evidence_assets.tables.programs.index.signed_columns import columns_with_signs, words_of_signs
from evidence_assets.tables.programs.index.standings_headers import spelt_out
from evidence_assets.tables.programs.index.summary_rows import summaries_of
from evidence_assets.tables.programs.index.weekly_days import Days, weekly_days
from evidence_assets.tables.programs.wording.implied_words import implied_words, outcome_columns
from evidence_assets.tables.programs.wording.measures import (
    OF_MONEY,
    UNITS_MEASURED,
    headers_measured,
    names_a_dimension,
)
from evidence_assets.tables.programs.wording.quantities import (
    CURRENCIES,
    Unit,
    converted,
    unit_name,
)
from evidence_assets.tables.programs.wording.trigger_lexicon import NEGATIONS
from evidence_assets.tables.programs.wording.words import Token, number_key, tokens, word_key
from evidence_assets.tables.programs.wording.words_of_time import PARTS_OF_TIMES, WHOLE_TIMES
from evidence_assets.tables.table import Kind, Table

# Headers that name one idea, as stems: a claim may say one for the other.
_SYNONYMS = (
    ("attend", "crowd"),
    ("venu", "locat", "stadium", "place", "site", "ground", "citi"),
    ("nation", "countri", "national"),
    ("opponent", "oppon", "against", "team"),
    ("visitor", "away"),
    ("score", "result"),
    ("date", "day"),
    ("year", "season"),
    ("titl", "name"),
    ("pct", "percentag", "percent", "%"),
    ("rank", "posit", "place"),
)
# Two years that make a season: 2010 - 11.
_SEASON = re.compile(r"\b(\d{4}) ?[-–/] ?(\d{4}|\d\d)\b")
# Words of captions of ranks.
_OF_RANKS = frozenset(map(word_key, ("rank", "ranking", "ranked", "place", "position")))
# The fewest letters of a word that a misspelt one is matched to.
_LONG = 5


@dataclass(eq=False)
class TableIndex:
    """A table's words with their places, and its columns as numbers."""

    table: Table
    against: int = 0
    """Which of a pair is a row's number: the first, or the second, 1."""
    of_losses: bool = False
    """Whether numbers of signed columns tell what was lost: 5 of -5."""
    cells: list[list[tuple[Token, ...]]] = field(init=False)
    keys: dict[tuple[int, int], tuple[str, ...]] = field(init=False)
    postings: dict[str, set[tuple[int, int]]] = field(init=False)
    headers: list[tuple[str, ...]] = field(init=False)
    openings: list[tuple[str, ...]] = field(init=False)
    """Of each header the words before those that carry content: the `very` of `very satisfied`."""
    closings: list[tuple[str, ...]] = field(init=False)
    """Of each header the words behind those that carry content: the `against` of `goals against`."""
    header_postings: dict[str, set[int]] = field(init=False)
    caption: frozenset[str] = field(init=False)
    caption_words: tuple[str, ...] = field(init=False)
    outcomes: set[int] = field(init=False)
    rows: frozenset[int] = field(init=False)
    """The rows but those that repeat the header."""
    _measured: dict[str, frozenset[int]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        names = [name.lower() for name in self.table.header]
        self.rows = frozenset(
            number
            for number, row in enumerate(self.table.rows)
            if [cell.text.lower() for cell in row] != names
        )
        self.cells = [
            [tokens(cell.text) if number in self.rows else () for cell in row]
            for number, row in enumerate(self.table.rows)
        ]
        self.keys, self.postings = {}, {}
        for row, cells in enumerate(self.cells):
            for column, cell_tokens in enumerate(cells):
                # A cell of nothing but such words is a name: zone A.
                keys = content_keys(cell_tokens) or tuple(t.key for t in cell_tokens if not t.mark)
                self.keys[row, column] = keys
                value = self.table.rows[row][column].value
                months = month_keys(value.date) if value.kind is Kind.DATE else ()
                for key in (*keys, *months):
                    self.postings.setdefault(key, set()).add((row, column))
        self.outcomes = outcome_columns(self.cells)
        for key, place in implied_words(self.table, self.cells, self.outcomes):
            self.postings.setdefault(key, set()).add(place)
        for column, by_row in self.pairs.items():
            for row, pair in by_row.items():
                self.postings.setdefault(number_key(pair[self.against]), set()).add((row, column))
        if self.of_losses:
            for column in self.signed:
                for row, number in self.series[column].items():
                    self.postings.get(number_key(-number), set()).discard((row, column))
                    self.postings.setdefault(number_key(number), set()).add((row, column))
        header = [tokens(name) for name in spelt_out(self.table.header)]
        self.headers = [content_keys(without_powers(name)) for name in header]
        self.openings = [opening_words(name) for name in header]
        self.closings = [opening_words(name[::-1]) for name in header]
        self.header_postings = {}
        for column, keys in enumerate(self.headers):
            for key in keys:
                self.header_postings.setdefault(key, set()).add(column)
        self.caption_words = content_keys(tokens(self.table.caption))
        self.caption = frozenset(self.caption_words)

    @cached_property
    def caption_years(self) -> frozenset[float]:
        """Second years of the caption's seasons that no cell tells: 2011 of 2010 - 11."""
        seasons = _SEASON.findall(self.table.caption)
        years = {float(first[: 4 - len(last)] + last) for first, last in seasons}
        return frozenset(year for year in years if number_key(year) not in self.postings)

    @cached_property
    def vocabulary(self) -> list[str]:
        """Words of cells and headers long enough to be misspelt."""
        keys = self.postings.keys() | self.header_postings.keys()
        return sorted(key for key in keys if len(key) >= _LONG and key.isalpha())

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
        """The columns with numbers below zero."""
        return columns_with_signs(self._series_told)

    @cached_property
    def words_of_signs(self) -> dict[str, int]:
        """The roots of the words that say that a number is below zero, -1, or above it, 1."""
        return words_of_signs(self.table.caption, self.table.header) if self.signed else {}

    @cached_property
    def losses(self) -> TableIndex:
        """The index in which signed columns tell what was lost."""
        return self if self.of_losses else TableIndex(self.table, self.against, of_losses=True)

    @cached_property
    def as_told(self) -> TableIndex:
        """The index in which signed columns tell what was gained."""
        return TableIndex(self.table, self.against) if self.of_losses else self

    @cached_property
    def _series_told(self) -> list[dict[int, float]]:
        return [
            {row: pair[self.against] for row, pair in self.pairs[column].items()}
            if column in self.pairs
            else letters_of(self.table.header[column], self.table.column(column))
            or in_one_unit(numbers_of(self.table.column(column)), self._told_units[column][1])
            for column in range(self.table.columns)
        ]

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
    def denials(self) -> frozenset[tuple[str, str]]:
        """Each negation that a cell holds, with the key of the word behind it: of `not awarded`."""
        pairs = (pair for cells in self.cells for cell in cells for pair in pairwise(cell))
        return frozenset((word.key, behind.key) for word, behind in pairs if word.text in NEGATIONS)

    @cached_property
    def conceding(self) -> TableIndex:
        """The index in which a column of pairs tells the second of each: what was conceded."""
        return TableIndex(self.table, against=1) if self.pairs else self

    @cached_property
    def numbered(self) -> dict[str, set[tuple[int, int]]]:
        """Places of each number."""
        places: dict[str, set[tuple[int, int]]] = {}
        for column, numbers in enumerate(self.series):
            for row, number in numbers.items():
                places.setdefault(number_key(number), set()).add((row, column))
        return places

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
    def units(self) -> list[tuple[Unit, dict[int, str]]]:
        """Each column's unit and scale by its header, and the unit of each of its rows that has one."""
        return [
            (unit, dict.fromkeys(rows, common) if (common := common_unit(rows)) else rows)
            for unit, rows in self._told_units
        ]

    @cached_property
    def is_measured(self) -> bool:
        """Whether the table is one of measures: some column tells a unit, a scale, a year, or yes and no."""
        has_unit = any(unit != Unit() or rows for unit, rows in self.units)
        return has_unit or bool(self.flags) or bool(self.year_columns)

    @cached_property
    def year_columns(self) -> dict[int, int]:
        """The year of each numeric column whose header tells one, by column."""
        year_columns = {}
        for column, keys in enumerate(self.headers):
            years = [int(key) for key in keys if len(key) == 4 and key.isdigit()]
            if years and self.is_numeric(column):
                year_columns[column] = years[0]
        return year_columns

    @cached_property
    def flags(self) -> dict[int, Flags]:
        """The rows that say yes, and neither yes nor no, of each column that mostly says these."""
        return flags_of(self.table)

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

    @cached_property
    def told_units(self) -> list[frozenset[str]]:
        """The units that each column's header and cells tell, before any conversion."""
        return [frozenset(rows.values()) for _, rows in self._told_units]

    @cached_property
    def _told_units(self) -> list[tuple[Unit, dict[int, str]]]:
        headers = column_units(self.table)
        return [(unit, cell_units(self.table, column, unit)) for column, unit in enumerate(headers)]

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

    def is_of_codes(self, column: int) -> bool:
        """Return whether a column names rows by codes, `KV 240`, whose numbers measure nothing."""
        cells = self.table.column(column) if column == self.table.label_column else ()
        lettered = sum(any(letter.isalpha() for letter in cell.text) for cell in cells)
        return lettered > len(cells) / 2 and not self.told_units[column] and column not in self.dated

    def tells_amounts(self, column: int) -> bool:
        """Return whether a column's numbers are no ranks: amounts, times of day, dates, or a year's."""
        of_year = column in self.year_columns and _OF_RANKS.isdisjoint(self.caption)
        return bool(self.told_units[column]) or column in {*self.clocks, *self.dated} or of_year

    def is_numeric(self, column: int) -> bool:
        """Return whether most of a column's told cells have a number."""
        return self._are_numeric[column]

    @cached_property
    def _are_numeric(self) -> list[bool]:
        filled = (
            sum(cell.value.kind is not Kind.EMPTY for cell in self.table.column(column))
            for column in range(self.table.columns)
        )
        return [
            len(numbers) >= NUMERIC_SHARE * max(1, count)
            for numbers, count in zip(self.series, filled, strict=True)
        ]

    def numeric(self, columns: Iterable[int]) -> list[int]:
        """Return those of some columns that are numeric, ascending."""
        return [column for column in sorted(columns) if self.is_numeric(column)]

    @cached_property
    def dated(self) -> list[int]:
        """Columns of dates."""
        return columns_of_dates(self.table)

    @cached_property
    def durations(self) -> frozenset[int]:
        """Columns of the times that something took, told to parts of a second."""
        return columns_of_durations(self.table)

    @cached_property
    def clocks(self) -> list[int]:
        """Columns of times of day, told in hours and minutes."""
        return columns_of_clocks(self.table)

    @cached_property
    def weekly_days(self) -> dict[int, dict[int, Days]]:
        """The days of the week of each row, by column, of the columns that tell on which something is so."""
        return weekly_days(self.table)

    @cached_property
    def summaries(self) -> frozenset[int]:
        """The rows that sum up the others: totals and means, by their numbers, and by their name or place."""
        names = [self._naming_keys(row) for row in range(len(self.table.rows))]
        label = self.table.label_column
        last = max(self.rows, default=None)
        title = self.cells[last][label] if last is not None and label is not None else ()
        opening = title[0].text if title else ""
        of_caption = bool(title) and self.caption >= {token.key for token in title if not token.stop}
        of_parts = label is not None and not PARTS_OF_TIMES.isdisjoint(self.headers[label])
        return summaries_of(
            self.rows,
            names,
            self.series,
            opening,
            is_of_the_caption=of_caption,
            is_of_all_times=of_parts and any(token.key in WHOLE_TIMES for token in title),
        )

    def _naming_keys(self, row: int) -> list[tuple[str, ...]]:
        """Return the keys of the cells that may name a row: of the first that says something, the label's."""
        label = self.table.label_column
        names = [self.keys[row, column] for column in range(self.table.columns) if self.keys[row, column]]
        return [*names[:1], *([self.keys[row, label]] if label is not None else [])]

    @cached_property
    def words_of_dates(self) -> frozenset[str]:
        """The keys of the words that head columns of dates, years or times of day."""
        columns = {*self.dated, *self.years, *self.clocks}
        return frozenset(key for column in columns for key in self.headers[column])

    @cached_property
    def words_of_rows(self) -> frozenset[str]:
        """The keys of the nouns that this table calls its rows: of its caption and of what names them."""
        label = self.table.label_column
        return self.caption | frozenset(self.headers[label] if label is not None else ())

    def says(self, key: str) -> bool:
        """Return whether a cell, a header or the caption says a word."""
        return key in self.postings or key in self.header_postings or key in self.caption

    def columns_like(self, key: str) -> Set[int]:
        """Return the columns whose header says the word or one that means the same."""
        columns = set(self.header_postings.get(key, ()))
        if not columns:
            for names in _SYNONYMS:
                if key in names:
                    columns |= {c for name in names for c in self.header_postings.get(name, ())}
        # A number measures nothing, though `11` begins as a header's 1.
        return columns or (frozenset() if key[:1].isdigit() else self.columns_measured_by(key))

    def columns_measured_by(self, key: str) -> frozenset[int]:
        """Return the columns of the dimension that an adjective measures: of `long` the lengths."""
        if key not in self._measured:
            columns = self._columns_measured(key)
            # What began at a time of day is no longer for that, where something else tells how long it was.
            self._measured[key] = frozenset(columns - {*self.clocks} or columns)
        return self._measured[key]

    def caption_measures(self, key: str) -> bool:
        """Return whether the caption tells what an adjective measures: `prices in euros` what is cheap."""
        unit = told_unit(self.table.caption).name
        return bool(headers_measured(key, self.caption)) or (key in OF_MONEY and unit in CURRENCIES)

    def _columns_measured(self, key: str) -> set[int]:
        names = headers_measured(key, self.header_postings)
        columns = {column for name in names for column in self.header_postings[name]}
        if key in UNITS_MEASURED:
            # `Trains on time (%)` tells no time.
            columns = {column for column in columns if self.told_units[column] != {"%"}}
        if columns or key in OF_MONEY:
            return columns or self._told_in(CURRENCIES)
        units = ((unit,) for unit in UNITS_MEASURED.get(key, ()))
        return next(filter(None, map(self._told_in, units)), set())

    def _told_in(self, units: Collection[str]) -> set[int]:
        """Return the columns told in one of some units, or in another of its dimension, that name none."""
        return {
            column
            for column, told in enumerate(self.told_units)
            if not names_a_dimension(self.headers[column])
            and any(converted(1.0, name, unit) is not None for name in told for unit in units)
        }


@kept_for_tables
def index_of(table: Table) -> TableIndex:
    """Return a table's index, made once for the tables that were used last."""
    return TableIndex(table)
