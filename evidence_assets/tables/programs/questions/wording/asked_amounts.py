"""The amount that a free question asks for: its unit, what is counted, the columns that tell it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from evidence_assets.tables.programs.index.derived.turned_tables import TurnedTable
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.times.period_headers import parts_of_any_year
from evidence_assets.tables.programs.questions.wording.asked_nouns import PEOPLE, kind_of_persons
from evidence_assets.tables.programs.wording.quantities import (
    CALENDAR_UNITS,
    CLOCK_UNITS,
    CURRENCIES,
    converted,
    is_of_time,
    unit_name,
)
from evidence_assets.tables.programs.wording.words import Token, word_key, word_keys
from evidence_assets.text.words import word_set, words

_NIGHTS = frozenset({"night", "nights"})
# What is said of how long something took.
_LASTING = word_set("last lasts lasted take takes took taken stay stays stayed go run runs ran")
_PLURALS = word_set("people men women children staff")
_PEOPLE = frozenset({"people", "persons"})
# What people are called whom a column counts.
_AS_PEOPLE = word_set("""
    students pupils learners visitors guests passengers members respondents patients employees staff workers
    inhabitants residents population spectators viewers listeners readers subscribers users participants
    customers tenants volunteers players singers deaths injured killed casualties attendance attendees
    audience voters children adults
""")
_NUMBERS_OF = word_keys("number count")
_PHYSICAL, _MAY_BE_MONEY = ("meter", "gram", "liter"), frozenset({"pound"})
_BEFORE_UNITS = {("a",), ("an",), ("per",), ("/",)}
_MORE = {("more",), ("fewer",), ("less",)}
# Words of headers that tell how many there are of a thing.
_QUANTITIES = word_set("number quantity qty count amount pieces units in stock")
_PRICES = word_set("price prices cost costs fee fees fare fares charge charges rate rates rent rents tariff")
COSTING = frozenset({"cost", "costs"})
_OF_PERCENT = frozenset({"percent", "percentage", "point", "points", "%", "share", "proportion"})
_HOW_LONG = ("how", "long")


@dataclass(frozen=True)
class AskedAmount:
    """The amount that a question asks for.

    `claim`: the question, grounded. `counting`: the positions of `how many`; `asking`: of the words that ask.
    """

    claim: GroundedClaim
    counting: tuple[int, ...]
    asking: tuple[int, ...]

    @cached_property
    def _place_of_unit(self) -> int | None:
        """The position of a unit that is asked for: of `how many minutes`, `what is its power in watts`."""
        claim_tokens = self.claim.tokens
        behind = self.counting[-1] + 1 if self.counting else len(claim_tokens)
        behind += self.claim.texts[behind : behind + 1] in _MORE
        words = [n for n, token in enumerate(claim_tokens) if not token.mark]
        ends_in_a_unit = len(words) > 1 and claim_tokens[words[-1] - 1].text == "in"
        last = words[-1] if ends_in_a_unit else behind
        return next((n for n in (behind, last) if n < len(claim_tokens) and self._unit_at(n)), None)

    def _unit_at(self, position: int) -> str:
        """Return the unit that a word tells; what heads a column in other units tells none: fat, in grams."""
        text, index = self.claim.tokens[position].text, self.claim.index
        name = unit_name("day" if text in _NIGHTS else text)
        if text.endswith("s"):
            return name
        headed = [head.columns for head in self.claim.linked.headers_at(position)]
        units = (unit for columns in headed for column in columns for unit in index.told_units[column])
        return "" if name and any(converted(1.0, unit, name) is None for unit in units) else name

    @cached_property
    def unit(self) -> str:
        """The unit that is asked for; empty where none is."""
        return "" if self._place_of_unit is None else self._unit_at(self._place_of_unit)

    @cached_property
    def in_unit(self) -> frozenset[int]:
        """The columns told in the unit that is asked for, or in one comparable: of `how many minutes`."""
        return frozenset(
            column
            for column, units in enumerate(self.claim.index.told_units)
            if self.unit and any(converted(1.0, unit, self.unit) is not None for unit in units)
        )

    @property
    def is_how_much(self) -> bool:
        """Whether it asks `how much`."""
        return bool(self.counting) and self.claim.texts[self.counting[-1]] == "much"

    @cached_property
    def in_money(self) -> frozenset[int]:
        """The columns of money, where it is asked how much something is."""
        if not self.is_how_much:
            return frozenset()
        units = enumerate(self.claim.index.told_units)
        return frozenset(c for c, names in units if not CURRENCIES.isdisjoint(names))

    @cached_property
    def prices(self) -> frozenset[int]:
        """The columns of money, or headed by a word for a price."""
        index = self.claim.index
        return frozenset(
            column
            for column, header in enumerate(index.table.header)
            if not CURRENCIES.isdisjoint(index.told_units[column])
            or not _PRICES.isdisjoint(words(header.lower()))
        )

    @cached_property
    def shares(self) -> frozenset[int]:
        """The columns of per cent, where it asks how many there are of something else."""
        if not self.counting or self.is_how_much or not _OF_PERCENT.isdisjoint(self.claim.texts):
            return frozenset()
        return frozenset(c for c, names in enumerate(self.claim.index.told_units) if "%" in names)

    @cached_property
    def _counts_people(self) -> bool:
        """Whether people are counted and rows are none, or a column tells how many."""
        label = self.claim.index.table.label_column
        are_rows = label is None or kind_of_persons(self.claim.index, label) == PEOPLE
        noun = self.claim.texts[self.counting[-1] + 1 :][:1]
        return not _PEOPLE.isdisjoint(noun) and (bool(self.amounts) or not are_rows)

    @cached_property
    def counts_rows(self) -> bool:
        """Whether rows may be what is counted: not of `how much`, nor of a unit that a column is told in."""
        if not self.counting or self.is_how_much or self._counts_people:
            return False
        if self._place_of_unit is None:
            return True
        token = self.claim.tokens[self._place_of_unit]
        if is_of_time(self.unit):
            # Rows may be as many years, or days, and are no nights.
            return token.text not in _NIGHTS and self.unit not in CLOCK_UNITS
        return not self.in_unit and token.key not in self.claim.index.caption

    def is_in_another_unit(self, column: int) -> bool:
        """Return whether a column is told in units of which none can be brought to that asked for.

        Only columns of times tell how many years lie between two things, and these tell no weight.
        """
        if not self.unit or self._is_rate or column in self.in_unit:
            return False
        index = self.claim.index
        times = index.times | index.durations
        if self.unit in CALENDAR_UNITS:
            return column not in times and not self._is_headed(column)
        if column in times:
            return not is_of_time(self.unit)
        return bool(index.told_units[column]) or self._is_untold

    @property
    def _is_untold(self) -> bool:
        """Whether it asks for lengths, weights or volumes, and neither a column nor the caption tells any."""
        place = self._place_of_unit
        is_physical = any(converted(1.0, self.unit, unit) is not None for unit in _PHYSICAL)
        said = place is not None and self.claim.tokens[place].key in self.claim.index.caption
        return is_physical and not self.in_unit and not said and self.unit not in _MAY_BE_MONEY

    def _is_headed(self, column: int) -> bool:
        """Return whether a column is headed by the unit, as `Years`; not `Castings per year`."""
        index = self.claim.index
        return word_key(self.unit) in index.headers[column] and "per " not in index.table.header[column]

    @property
    def _is_rate(self) -> bool:
        """Whether it asks how many litres a minute."""
        behind = self._place_of_unit
        return behind is not None and self.claim.texts[behind + 1 : behind + 2] in _BEFORE_UNITS

    def factor(self, column: int) -> float:
        """Return what brings a column's numbers to the unit that is asked for; 1 where nothing has to."""
        unit, units = self.claim.index.units[column]
        names = set(units.values())
        if column not in self.in_unit or len(names) != 1:
            return 1.0
        return converted(unit.scale, names.pop(), self.unit) or 1.0

    def is_told_otherwise(self, column: int, rows: Collection[int]) -> bool:
        """Return whether a row's cell tells its number in other units than that asked for: `1 h 45 min`."""
        if column not in self.in_unit or len(rows) != 1:
            return False
        row = next(iter(rows))
        number = self.claim.index.series[column].get(row)
        cell = self.claim.index.table.rows[row][column]
        return number is not None and (number != cell.value.number or ":" in cell.text)

    @cached_property
    def lasting(self) -> frozenset[int]:
        """The columns that tell how long something took, where that is asked: how long, how many days."""
        index = self.claim.index
        of_time = {
            column for column, units in enumerate(index.told_units) if any(is_of_time(unit) for unit in units)
        }
        asks = (
            is_of_time(self.unit)
            if self.counting or len(self.asking) != len(_HOW_LONG)
            else self.claim.texts[self.asking[-1]] == _HOW_LONG[-1]
        )
        return frozenset(of_time | index.durations if asks else ())

    def _is_number_of(self, column: int) -> bool:
        """Return whether a header is of the number of what the question says: `Number built`."""
        opening, *rest = self.claim.index.headers[column] or ("",)
        said = {token.key for token in self.claim.tokens}
        return opening in _NUMBERS_OF and bool(rest) and said.issuperset(rest)

    def words_of_number(self, column: int) -> Iterator[int]:
        """Yield what is said of a column's numbers: their unit, the noun counted, what took so long."""
        if column in self.amounts:
            start = self.counting[-1] + 1
            yield from (n for n in (start, start + 1) if self.claim.tokens[n : n + 1] and self._is_counted(n))
        if column not in self.in_unit:
            return
        if self._place_of_unit is not None:
            yield self._place_of_unit
            yield from (n for n in (self._place_of_unit - 1,) if self.claim.texts[n] == "in")
        if is_of_time(self.unit):
            yield from (n for n, text in enumerate(self.claim.texts) if text in _LASTING)

    @cached_property
    def amounts(self) -> frozenset[int]:
        """The columns of numbers that tell how many there are of the noun that is counted.

        Headed by the very noun, in the plural; of people, by what people are, as `Visitors`; of what the
        caption says alone, the columns of times: of `parcels given out` those of each year.
        """
        if not self.counting:
            return frozenset()
        nouns = [token for token in self.claim.tokens[self.counting[-1] + 1 :][:2] if not token.stop]
        return frozenset(next(filter(None, self._columns_of(nouns)), ()))

    def _columns_of(self, nouns: Sequence[Token]) -> Iterator[list[int]]:
        """Yield the columns that may tell how many of some nouns there are, the surest first."""
        index = self.claim.index
        plural = {noun.text for noun in nouns if noun.text.endswith("s") or noun.text in _PLURALS}
        headers = [set(re.findall(r"[a-z]+", header.lower())) for header in index.table.header]
        yield index.numeric(c for c, words in enumerate(headers) if words & plural)
        yield index.numeric(c for c in range(index.table.columns) if self._is_number_of(c))
        quantities = (c for c, words in enumerate(headers) if words and words <= _QUANTITIES)
        yield index.numeric(c for c in quantities if self._names(nouns, {c - 1, index.table.label_column}))
        if plural & _PEOPLE:
            yield index.numeric(c for c, words in enumerate(headers) if words & _AS_PEOPLE)
        if nouns and nouns[0].key in index.caption and nouns[0].key not in index.header_postings:
            yield index.numeric(index.year_columns or parts_of_any_year(index))
            if isinstance(index.table, TurnedTable):
                yield index.numeric(range(1, index.table.columns))

    def _names(self, nouns: Sequence[Token], columns: Collection[int | None]) -> bool:
        """Return whether some nouns are columns' headers or values, as of `how many foxes` the species."""
        linked, starts = self.claim.linked, {noun.start for noun in nouns}
        places = [n for n, token in enumerate(self.claim.tokens) if token.start in starts]
        spans = [(head.start, head.end) for head in linked.headers if not head.columns.isdisjoint(columns)]
        links = (link for link in self.claim.links if not link.places.keys().isdisjoint(columns))
        spans += [(link.start, link.end) for link in links]
        return any(start <= place < end for start, end in spans for place in places)

    def _is_counted(self, position: int) -> bool:
        """Return whether a word is the noun in the plural of which is asked how many."""
        token = self.claim.tokens[position]
        return not token.stop and (token.text.endswith("s") or token.text in _PLURALS)


def names_by_number(index: TableIndex, column: int) -> bool:
    """Return whether a column's numbers say which row it is, and not how much: `No.`, `ID`, `T-01`."""
    heading = words(index.table.header[column].lower())
    return bool(heading and heading[-1] in _NAMING) or column in index.columns_of_codes


def names_rows(index: TableIndex, column: int) -> bool:
    """Return whether a column tells which row it is: by a name, or by a number."""
    return column == index.table.label_column or names_by_number(index, column)


_NAMING = frozenset({"no", "nr", "id", "code", "rank", "#"})
