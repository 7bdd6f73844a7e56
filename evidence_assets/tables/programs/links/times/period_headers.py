"""Columns of parts of years and weeks, and of the first and last time, by the words that tell these."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from evidence_assets.tables.programs.index.columns.column_units import PART_OF_ANY_YEAR
from evidence_assets.tables.programs.index.kept import kept_for_indexes
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import HeaderLink
from evidence_assets.tables.programs.links.times.week_headers import day_heads, days_of_columns
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.tables.programs.wording.words_of_time import (
    FIRST,
    JOINS_OF_TIMES,
    LAST,
    OPENINGS_OF_SPANS,
)
from evidence_assets.text.calendar_words import DAYS_AND_MONTHS, MIDDLES_OF_SEASONS, MONTHS

_HEADER = re.compile(r"\b([QH])\s?([1-4])\b.*?\b(\d{4})\b|\b(\d{4})\b.*?\b([QH])\s?([1-4])\b", re.IGNORECASE)
_PARTS = {"quarter": "q", "half": "h"}
_JOINS = frozenset({"and", "to", "the", "or"})
# Quarters of any year, as the months that they are.
_QUARTERS = {number: (3 * number - 2, 3 * number) for number in (1, 2, 3, 4)}
_LEAST_PARTS = 2
# A part of a year, which part, the year.
_Period = tuple[str, int, int]


def period_heads(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[HeaderLink]:
    """Yield `the third quarter of 2023` as the columns of a header `Q3 2023`.

    Of `the first and the third quarter of 2022` both.
    """
    columns = parts_of_years(index)
    parts = parts_of_any_year(index)
    yield from _heads_of_any_year(tokens, parts)
    yield from day_heads(tokens, days_of_columns(index))
    yield from _ends_of_a_series(tokens, index, parts)
    if not columns:
        return
    for position in range(1, len(tokens) - 2):
        part, (of, year) = _PARTS.get(tokens[position].text), tokens[position + 1 : position + 3]
        if part is None or of.text != "of" or year.number is None:
            continue
        for start, end in _ordinals(tokens, position):
            period = (part, int(tokens[start].number or 0), int(year.number))
            if period in columns:
                last = position + 3 if end == position else end
                yield HeaderLink(start, last, frozenset(columns[period]), 1.0)


@kept_for_indexes
def parts_of_years(index: TableIndex) -> dict[_Period, set[int]]:
    """Return the columns of each quarter and half of a year: of `Q3 2023`."""
    columns: dict[_Period, set[int]] = {}
    for column, name in enumerate(index.table.header):
        if (match := _HEADER.search(name)) is not None:
            part, number, year = match[1] or match[5], match[2] or match[6], match[3] or match[4]
            columns.setdefault((part.lower(), int(number), int(year)), set()).add(column)
    return columns


def _ordinals(tokens: tuple[Token, ...], position: int) -> Iterator[tuple[int, int]]:
    """Yield the span of each ordinal listed before a noun, the last up to the noun."""
    place = position - 1
    if not tokens[place].ordinal:
        return
    yield place, position
    while place and (tokens[place - 1].text in _JOINS or tokens[place - 1].ordinal):
        place -= 1
        if tokens[place].ordinal:
            yield place, place + 1


@kept_for_indexes
def parts_of_any_year(index: TableIndex) -> dict[int, tuple[int, int]]:
    """Return the first and last month of each column of a part of any year: `Q3`, `Jul–Sep`, `Summer`."""
    months = {}
    for column, name in enumerate(index.table.header):
        text = name.strip().lower()
        match = PART_OF_ANY_YEAR.fullmatch(text)
        if text in MIDDLES_OF_SEASONS:
            months[column] = MIDDLES_OF_SEASONS[text], MIDDLES_OF_SEASONS[text] + 2
        elif match is not None and match[1]:
            months[column] = _QUARTERS[int(match[1])]
        elif match is not None:
            months[column] = MONTHS[match[2]], MONTHS[match[3] or match[2]]
    return months if len(months) >= _LEAST_PARTS and all(map(index.is_numeric, months)) else {}


def recurring_parts(index: TableIndex) -> dict[int, tuple[int, int]]:
    """Return the first and last month of each column of a part of any year, else the days of any week."""
    return parts_of_any_year(index) or days_of_columns(index)


@kept_for_indexes
def columns_of_periods(index: TableIndex) -> frozenset[int]:
    """Return the columns of parts of any year or week, of numbers or not: the `Thursday` of a timetable."""
    named = {
        column for column, name in enumerate(index.table.header) if name.strip().lower() in DAYS_AND_MONTHS
    }
    return frozenset(named | recurring_parts(index).keys())


def _heads_of_any_year(
    tokens: tuple[Token, ...], parts: Mapping[int, tuple[int, int]]
) -> Iterator[HeaderLink]:
    """Yield `between July and September`, `the third quarter` and `summer` as the column of that part."""
    columns = {months: column for column, months in parts.items()}
    position = 0
    while parts and position < len(tokens):
        end, months = _told_part(tokens, position)
        if months is not None and months[0] == months[1]:
            # The middle month alone is no season.
            of_several = (part for part in columns if part[0] < part[1])
            months = next((part for part in of_several if part[0] <= months[0] <= part[1]), None)
        if months in columns:
            yield HeaderLink(position, end, frozenset({columns[months]}), 1.0)
        position = max(end, position + 1)


def _ends_of_a_series(
    tokens: tuple[Token, ...], index: TableIndex, parts: Mapping[int, tuple[int, int]]
) -> Iterator[HeaderLink]:
    """Yield the two columns of `between the first count and the last`, of a table with a column a time."""
    of_parts = sorted(parts, key=lambda column: parts[column])
    of_years = _longest_series(index)
    if not of_parts and not of_years:
        return
    for position, token in enumerate(tokens):
        if token.text not in _FIRST or position == 0 or tokens[position - 1].text not in _BEFORE_FIRST:
            continue
        further = range(position + 1, len(tokens))
        join = next((n for n in further if tokens[n].text in JOINS_OF_TIMES), len(tokens))
        behind = join + 1 + [word.text for word in tokens[join + 1 : join + 2]].count("the")
        if join - position <= _LONGEST_END and behind < len(tokens) and tokens[behind].text in _LAST:
            of_a_part = bool(of_parts) and "quarter" in {word.text for word in tokens[position:]}
            series = of_parts if of_a_part or not of_years else of_years
            # `The first quarter` may have been read already.
            if not of_a_part or tokens[position + 1].text != "quarter":
                yield HeaderLink(position, position + 1, frozenset({series[0]}), 1.0)
            yield HeaderLink(behind, behind + 1, frozenset({series[-1]}), 1.0)


def series_of_years(index: TableIndex) -> dict[tuple[str, ...], list[tuple[int, int]]]:
    """Return the years and columns, in time, of each thing that columns tell of several years, by its name.

    Of `Sales 2020`, `Sales 2021` and `Staff 2021` those of the sales, and that of the staff.
    """
    series: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for column, year in index.year_columns.items():
        # Of `2019/20` neither year is of the name.
        years = {str(year), str(year + 1), f"{(year + 1) % 100:02d}"}
        name = tuple(key for key in index.headers[column] if key not in years)
        series.setdefault(name, []).append((year, column))
    return {name: sorted(years) for name, years in series.items()}


def year_series(index: TableIndex) -> tuple[int, ...]:
    """Return the columns of a table's years, in order; none where these tell several things."""
    return tuple(index.year_columns) if len(index.year_columns) > 1 == len(series_of_years(index)) else ()


def _longest_series(index: TableIndex) -> list[int]:
    """Return the columns of the thing told of most years; none where two are told of as many."""
    series = sorted(series_of_years(index).values(), key=len, reverse=True)
    lengths = [*map(len, series)]
    if not lengths or lengths[0] < _LEAST_PARTS or lengths[:1] == lengths[1:2]:
        return []
    return [column for _, column in series[0]]


_FIRST, _LAST = FIRST | {"earliest"}, LAST | {"latest", "closing"}
_BEFORE_FIRST = frozenset({"the", "its", "their"})
_LONGEST_END = 3


def _told_part(tokens: tuple[Token, ...], position: int) -> tuple[int, tuple[int, int] | None]:
    """Return where a part of a year ends that begins at a token, and its months: of a season the middle."""
    opens = tokens[position].text in OPENINGS_OF_SPANS
    first, *following = [token.text for token in tokens[position + opens : position + opens + 3]] or [""]
    end = position + opens
    if not opens and first in MIDDLES_OF_SEASONS:
        return end + 1, (MIDDLES_OF_SEASONS[first], MIDDLES_OF_SEASONS[first])
    if not opens and first == "q" and following[:1] and following[0] in {"1", "2", "3", "4"}:
        return end + 2, _QUARTERS[int(following[0])]
    if not opens and tokens[position].ordinal and following[:1] == ["quarter"]:
        return end + 2, _QUARTERS.get(int(tokens[position].number or 0))
    if first in MONTHS and len(following) > 1 and following[0] in JOINS_OF_TIMES and following[1] in MONTHS:
        return end + 3, (MONTHS[first], MONTHS[following[1]])
    return end, None
