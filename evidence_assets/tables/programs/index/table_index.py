"""A table's words with their places: of its cells, by their keys, and of the headers that mean them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from evidence_assets.tables.bracketed_numbers import text_as_read
from evidence_assets.tables.programs.index.columns.column_units import told_unit
from evidence_assets.tables.programs.index.columns.column_values import are_codes
from evidence_assets.tables.programs.index.columns.short_headers import columns_written_short
from evidence_assets.tables.programs.index.columns.table_columns import TableColumns
from evidence_assets.tables.programs.index.content_words import content_keys, month_keys
from evidence_assets.tables.programs.index.kept import kept_for_tables
from evidence_assets.tables.programs.index.summary_rows import OPENING_ALL, SUMMARIES, summaries_of
from evidence_assets.tables.programs.wording.implied_words import implied_words, outcome_columns
from evidence_assets.tables.programs.wording.initials import INITIALS
from evidence_assets.tables.programs.wording.measures import (
    OF_MONEY,
    OF_SPEED,
    UNITS_MEASURED,
    headers_measured,
    names_a_dimension,
)
from evidence_assets.tables.programs.wording.quantities import CALENDAR_UNITS, CURRENCIES, converted
from evidence_assets.tables.programs.wording.trigger_lexicon import NEGATIONS
from evidence_assets.tables.programs.wording.words import Token, number_key, word_keys
from evidence_assets.tables.programs.wording.words_of_time import PARTS_OF_TIMES, WHOLE_TIMES
from evidence_assets.tables.table import Kind, Table

# The stem of a rating is that of a rate, which may be a price.
_RATING = re.compile(r"\bratings?\b", re.IGNORECASE)
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
    ("birth", "born"),
)
# Verbs of claims, as keys, and the headers that tell of them: who joined was hired; who hires did not join.
_TOLD_UNDER = {"join": "hire", "leav": "left"}
# Two years that make a season: 2010 - 11.
_SEASON = re.compile(r"\b(\d{4}) ?[-–/] ?(\d{4}|\d\d)\b")
# The fewest letters of a word that a misspelt one is matched to.
_LONG = 5


@dataclass(eq=False)
class TableIndex(TableColumns):
    """A table's words with their places, and its columns."""

    cells: list[list[tuple[Token, ...]]] = field(init=False)
    keys: dict[tuple[int, int], tuple[str, ...]] = field(init=False)
    postings: dict[str, set[tuple[int, int]]] = field(init=False)
    """The cells, by row and column, that have a key."""
    outcomes: set[int] = field(init=False)
    rows: frozenset[int] = field(init=False)
    """The rows but those that repeat the header."""
    _like: dict[str, Set[int]] = field(init=False, default_factory=dict)
    _measured: dict[str, frozenset[int]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        names = [name.lower() for name in self.table.header]
        self.rows = frozenset(
            number
            for number, row in enumerate(self.table.rows)
            if [cell.text.lower() for cell in row] != names
        )
        self.cells = [
            [self.tokens_of(text_as_read(cell)) if number in self.rows else () for cell in row]
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
                for key in (*keys, *months, *self._as_numbers(cell_tokens, column)):
                    self._post(key, (row, column))
        self.outcomes = outcome_columns(self.cells)
        for key, place in implied_words(self.table, self.cells, self.outcomes):
            self._post(key, place)
        self._post_told_numbers()

    def _as_numbers(self, cell_tokens: Iterable[Token], column: int) -> Iterator[str]:
        """Yield the keys of the numbers that codes are, `06` a 6, of a column that tells no such apart."""
        if column not in self.coded:
            codes = (token for token in cell_tokens if token.number is not None and token.key.startswith("0"))
            yield from (number_key(token.number or 0.0) for token in codes)

    def _post(self, key: str, place: tuple[int, int]) -> None:
        self.postings.setdefault(key, set()).add(place)

    def _post_told_numbers(self) -> None:
        """Post the numbers that cells tell and do not print: one of a pair, and what was lost."""
        for column, by_row in self.pairs.items():
            for row, pair in by_row.items():
                self._post(number_key(pair[self.against]), (row, column))
        for column, ends in enumerate(self.half_open):
            # The 5 of `<5` is no number of its row.
            for row in ends:
                for token in self.cells[row][column]:
                    if token.number is not None:
                        self.postings.get(token.key, set()).discard((row, column))
        for column in self.signed if self.of_losses else ():
            for row, number in self.series[column].items():
                self.postings.get(number_key(-number), set()).discard((row, column))
                self._post(number_key(number), (row, column))

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
    def numbered(self) -> dict[str, set[tuple[int, int]]]:
        """Places of each number."""
        places: dict[str, set[tuple[int, int]]] = {}
        for column, numbers in enumerate(self.series):
            for row, number in numbers.items():
                places.setdefault(number_key(number), set()).add((row, column))
        return places

    @cached_property
    def denials(self) -> frozenset[tuple[str, str]]:
        """Each negation that a cell holds, with the key of the word behind it: of `not awarded`."""
        pairs = (pair for cells in self.cells for cell in cells for pair in pairwise(cell))
        return frozenset((word.key, behind.key) for word, behind in pairs if word.text in NEGATIONS)

    @cached_property
    def words_of_rows(self) -> frozenset[str]:
        """The keys of the nouns that this table calls its rows: of its caption and of what names them."""
        label = self.table.label_column
        return self.caption | frozenset(self.headers[label] if label is not None else ())

    @cached_property
    def words_of_dates(self) -> frozenset[str]:
        """The keys of the words that head columns of dates, years or times of day."""
        columns = self.times
        return frozenset(key for column in columns for key in self.headers[column])

    def says(self, key: str) -> bool:
        """Return whether a cell, a header or the caption says a word."""
        return key in self.postings or key in self.header_postings or key in self.caption

    def columns_like(self, key: str) -> Set[int]:
        """Return the columns whose header says the word or one that means the same."""
        if key not in self._like:
            self._like[key] = self._columns_like(key)
        return self._like[key]

    def _columns_like(self, key: str) -> Set[int]:
        columns = set(
            self.header_postings.get(key, ()) or self.header_postings.get(_TOLD_UNDER.get(key, ""), ())
        )
        if not columns:
            for names in _SYNONYMS:
                if key in names:
                    columns |= {c for name in names for c in self.header_postings.get(name, ())}
        # A number measures nothing, though `11` begins as a header's 1.
        if columns or key[:1].isdigit():
            return columns
        return columns_written_short(self.table.header, key) or self._columns_named(key)

    def _columns_named(self, key: str) -> Set[int]:
        """Return the columns that any word may name by what it measures, or by what is made of it."""
        names = headers_measured(key, self.header_postings, is_adjective=False)
        return self._but_times(self._columns_measured(key, names))

    @cached_property
    def initials(self) -> dict[tuple[str, ...], str]:
        """The words that headers of this table write by their initials, with these: `sbp`."""
        return {words: short for words, short in INITIALS.items() if short in self.header_postings}

    def columns_measured_by(self, key: str) -> frozenset[int]:
        """Return the columns of the dimension that an adjective measures: of `long` the lengths."""
        if key not in self._measured:
            names = headers_measured(key, self.header_postings)
            self._measured[key] = self._but_times(self._columns_measured(key, names))
        return self._measured[key]

    def _but_times(self, columns: Set[int]) -> frozenset[int]:
        """Return columns but those of times and dates, where another tells: what began later is no longer."""
        return frozenset(columns - {*self.clocks, *self.dated} or columns - {*self.clocks} or columns)

    def _columns_measured(self, key: str, names: Iterable[str]) -> set[int]:
        """Return the columns of a word's dimension, `names` being the words of headers that name it."""
        columns = {column for name in names for column in self.header_postings[name]}
        if key in UNITS_MEASURED:
            # `Trains on time (%)` tells no time.
            columns = {column for column in columns if self.told_units[column] != {"%"}}
        if key in OF_MONEY:
            # Nor does a success rate tell what is cheap, where something else does; a rating never does.
            columns = {column for column in columns if not _RATING.search(self.table.header[column])}
            columns = {column for column in columns if self.told_units[column] != {"%"}} or columns
        if key in OF_MONEY:
            return columns or self._told_in(CURRENCIES)
        if columns - {*self.clocks, *self.dated}:
            return columns
        units = ((unit,) for unit in UNITS_MEASURED.get(key, ()))
        measured = next(filter(None, map(self._told_in, units)), columns)
        if key in OF_SPEED:
            # What takes days tells not how fast anything is.
            measured = {n for n in measured if self.told_units[n].isdisjoint(CALENDAR_UNITS)}
        return measured

    def is_told_as(self, key: str, column: int) -> bool:
        """Return whether a column is told in units of what an adjective measures: of `heavy` in tonnes."""
        units = CURRENCIES if key in OF_MONEY else UNITS_MEASURED.get(key, ())
        return any(
            converted(1.0, name, unit) is not None for name in self.told_units[column] for unit in units
        )

    def _told_in(self, units: Collection[str]) -> set[int]:
        """Return the columns told in one of some units, or in another of its dimension, that name none."""
        return {
            column
            for column, names in enumerate(self.told_units)
            if not names_a_dimension(self.headers[column])
            and any(converted(1.0, name, unit) is not None for name in names for unit in units)
        }

    def caption_measures(self, key: str) -> bool:
        """Return whether the caption tells what an adjective measures: `prices in euros` what is cheap."""
        unit = told_unit(self.table.caption).name
        return bool(headers_measured(key, self.caption)) or (key in OF_MONEY and unit in CURRENCIES)

    @cached_property
    def whole_cells(self) -> dict[str, frozenset[int]]:
        """The columns that have a cell of one word, by the word's key."""
        columns: dict[str, set[int]] = {}
        for (row, column), keys in self.keys.items():
            if len(keys) == 1 and row in self.rows:
                columns.setdefault(keys[0], set()).add(column)
        return {key: frozenset(places) for key, places in columns.items()}

    @cached_property
    def names_tell_rows_apart(self) -> bool:
        """Whether the column that names the rows has no name twice."""
        label = self.table.label_column
        names = [self.keys[row, label] for row in self.rows] if label is not None else []
        return label is not None and len({*names}) == len(names)

    @cached_property
    def columns_of_codes(self) -> frozenset[int]:
        """The columns that tell rows apart by codes of letters and digits: `T-01`."""
        rows = self.rows - self.summaries
        return frozenset(
            column
            for column in range(self.table.columns)
            if are_codes([self.table.rows[row][column].text.strip() for row in rows])
        )

    @cached_property
    def conceding(self) -> TableIndex:
        """The index in which a column of pairs tells the second of each: what was conceded."""
        return TableIndex(self.table, against=1) if self.pairs else self

    @cached_property
    def losses(self) -> TableIndex:
        """The index in which signed columns tell what was lost."""
        return self if self.of_losses else TableIndex(self.table, self.against, of_losses=True)

    @cached_property
    def as_told(self) -> TableIndex:
        """The index in which signed columns tell what was gained."""
        return TableIndex(self.table, self.against) if self.of_losses else self

    @cached_property
    def summaries(self) -> frozenset[int]:
        """The rows that sum up the others: totals and means, by their numbers, and by their name or place."""
        names = [self._naming_keys(row) for row in range(len(self.table.rows))]
        label = self.table.label_column
        last = max(self.rows, default=None)
        cells = self.cells[last] if last is not None else ()
        title = (cells[label] if cells and label is not None else ()) or next(filter(None, cells), ())
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
            is_of_all=self._names_all(title),
        )

    def _names_all(self, title: Sequence[Token]) -> bool:
        """Return whether a row's name is of all that the rows are: `All regions`, `Country total`."""
        nouns = {*self.headers[self.table.label_column or 0], *self.caption, *_WHOLES}
        of_all = [token.text in OPENING_ALL or token.key in SUMMARIES for token in title]
        said = [token.key for token, is_all in zip(title, of_all, strict=True) if not (token.stop or is_all)]
        return any(of_all[:1] + of_all[-1:]) and nouns.issuperset(said)

    def _naming_keys(self, row: int) -> list[tuple[str, ...]]:
        """Return the keys of the cells that may name a row: of the first that says something, the label's."""
        label = self.table.label_column
        names = [self.keys[row, column] for column in range(self.table.columns) if self.keys[row, column]]
        return [*names[:1], *([self.keys[row, label]] if label is not None else [])]


_WHOLES = word_keys("country nation area")


@kept_for_tables
def index_of(table: Table) -> TableIndex:
    """Return a table's index, made once for the tables that were used last."""
    return TableIndex(table)
