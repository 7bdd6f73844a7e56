"""Links of a claim's spans of time to the rows whose dates, of any precision, lie in them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from datetime import date

from evidence_assets.tables.programs.index.columns.column_values import quarter_of, year_of
from evidence_assets.tables.programs.index.columns.untold_cells import tells_of_nothing
from evidence_assets.tables.programs.index.kept import kept_for_indexes
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.times.date_links import (
    is_of_the_caption,
    meant_places,
    named_before,
)
from evidence_assets.tables.programs.links.times.periods import is_of_a_state
from evidence_assets.tables.programs.links.times.told_spans import (
    Span,
    YearlyPart,
    century,
    days_of,
    part_of_year,
    told_spans,
    years_of,
)
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.tables.table import Cell, Kind, Value
from evidence_assets.text.dates import LEAP_YEAR, date_at

_LEAST_DATED = 0.5
_CENTURY = re.compile(r"([1-9]|1\d|2[01])(?:st|nd|rd|th) century", re.IGNORECASE)


def cell_span(cell: Cell) -> Span | None:
    """Return the first and last day that a cell's date may be, as ordinals; None where it tells no date."""
    quarter = quarter_of(cell)
    if quarter is not None:
        return part_of_year(*quarter, 4)
    match = _CENTURY.fullmatch(cell.text.strip())
    if match is not None:
        return century(int(match[1]))
    iso_date = cell.value.date
    if cell.value.kind is Kind.RANGE and year_of(cell) is not None:
        return years_of(int(cell.value.low or 0), int(cell.value.high or 0))
    if cell.value.kind is not Kind.DATE or iso_date.startswith("--"):
        return None
    if cell.value.low is not None and cell.value.high is not None:
        return int(cell.value.low), int(cell.value.high)
    year, *month_and_day = (int(part) for part in iso_date.split("-"))
    return days_of(year, *month_and_day[:2])


def _in_its_year(span: Span | YearlyPart, cell: Span) -> Span | None:
    """Return the days of a span, of a part of any year those in the year of a cell's date."""
    return span.in_year(date.fromordinal(cell[0]).year) if isinstance(span, YearlyPart) else span


def span_links(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield links of a claim's spans of time to the rows whose date lies in them.

    Rows whose date may lie in a span or not, being less precise, are the link's undetermined ones.
    """
    dated, sparse = _dated_columns(index)
    coarse = any(high > low for spans in dated.values() for low, high in spans.values())
    for start, end, span, words in (*told_spans(tokens), *(_days(tokens) if coarse else ())):
        opening, within = _beside(tokens, start, span, index)
        of_any_year = _days_of_any_year(index) if isinstance(span, YearlyPart) else {}
        columns = _columns_of(tokens, start, index, {**dated, **of_any_year}, sparse)
        if not columns or _is_of_a_column_of_years(tokens, opening, index, columns):
            continue
        named = named_before(tokens, opening, index, columns)
        columns = columns if named is None else {named: columns[named]}
        rows = {column: _rows_within(spans, within) for column, spans in columns.items()}
        places = {column: inside for column, (inside, _) in rows.items()}
        matched = meant_places(places, tokens, opening, index)
        missing = _missing(index, columns).difference(*places.values())
        is_told = any(matched.values()) or named is not None
        if not is_told and opening == start and is_of_the_caption(tokens, range(start, end), index):
            continue
        unsure = missing.union(*(uncertain for _, uncertain in rows.values()))
        bound = f"in {words}" if opening == start else f"{tokens[opening].text} {words}"
        yield Link(
            opening,
            end,
            matched,
            frozenset(matched),
            end - start,
            bound=bound,
            undetermined=frozenset(unsure),
        )


def _is_of_a_column_of_years(
    tokens: tuple[Token, ...], opening: int, index: TableIndex, columns: Collection[int]
) -> bool:
    """Return whether the word before a span is of columns of years alone: of `acquired after 2010`."""
    before = next((token.key for token in reversed(tokens[:opening]) if not token.stop), "")
    named = index.header_postings.get(before, set())
    return bool(named) and named <= {*index.years} and named.isdisjoint(columns)


def _rows_within(cells: Mapping[int, Span], span: Span | YearlyPart) -> tuple[frozenset[int], frozenset[int]]:
    """Return the rows whose date lies in a span of time, and those whose date may lie in it or not."""
    inside, uncertain = set(), set()
    for row, cell in cells.items():
        days = _in_its_year(span, cell)
        if days is not None and days[0] <= cell[0] and cell[1] <= days[1]:
            inside.add(row)
        elif days is not None and cell[0] <= days[1] and days[0] <= cell[1]:
            uncertain.add(row)
    return frozenset(inside), frozenset(uncertain)


_Columns = dict[int, dict[int, Span]]


@kept_for_indexes
def _dated_columns(index: TableIndex) -> tuple[_Columns, _Columns]:
    """Return the days that each row's date may be, of columns of dates, and of those that few rows have."""
    dated: _Columns = {}
    sparse: _Columns = {}
    for column in range(index.table.columns):
        cells = [cell for cell in enumerate(index.table.column(column)) if cell[0] in index.rows]
        years = index.years.get(column, {})
        spans = {row: span for row, cell in cells if (span := cell_span(cell) or _year_span(years.get(row)))}
        is_dated = column in index.dates_and_years or _tells_centuries(index, column)
        if spans and is_dated and len(spans) > _LEAST_DATED * len(index.rows):
            dated[column] = spans
        elif spans and all(row in spans or tells_of_nothing(cell) for row, cell in cells):
            sparse[column] = spans
    return dated, sparse


def _year_span(year: float | None) -> Span | None:
    """Return the days of a year of old, which is one by its column alone."""
    return None if year is None else days_of(int(year))


def _tells_centuries(index: TableIndex, column: int) -> bool:
    return any(_CENTURY.fullmatch(cell.text.strip()) for cell in index.table.column(column))


def _days_of_any_year(index: TableIndex) -> _Columns:
    """Return the days that each row's date may be, as of a leap year, of columns of dates that tell none."""
    columns: _Columns = {}
    for column in index.dated:
        values = {row: index.table.rows[row][column].value for row in index.rows}
        dates = {row: value for row, value in values.items() if value.kind is Kind.DATE}
        if all(value.date.startswith("--") for value in dates.values()):
            spans = {row: _in_a_leap_year(value) for row, value in dates.items()}
            columns[column] = {row: span for row, span in spans.items() if span is not None}
    return columns


def _in_a_leap_year(value: Value) -> Span | None:
    """Return the first and last day of a date that tells no year, and whose ends count its days."""
    if value.low is not None and value.high is not None:
        before = date(LEAP_YEAR, 1, 1).toordinal() - 1
        return before + int(value.low), before + int(value.high)
    return days_of(LEAP_YEAR, *(int(part) for part in value.date.removeprefix("--").split("-")))


def _columns_of(
    tokens: tuple[Token, ...], start: int, index: TableIndex, dated: _Columns, sparse: _Columns
) -> _Columns:
    """Return the columns that a span of time may be of: one that few rows have only where it is named."""
    said = {token.key for token in tokens[:start]}
    named = [column for column in sparse if not said.isdisjoint(index.headers[column])]
    others = any(not said.isdisjoint(index.headers[column]) for column in dated)
    return {named[0]: sparse[named[0]]} if len(named) == 1 and not others else dated


def _missing(index: TableIndex, columns: Collection[int]) -> set[int]:
    """Return the rows that lack a date in one of several columns, any of which may be meant."""
    return {
        row
        for column in (columns if len(columns) > 1 else ())
        for row in index.rows
        if index.table.rows[row][column].value.kind is Kind.EMPTY
    }


def _beside(
    tokens: tuple[Token, ...], start: int, span: Span | YearlyPart, index: TableIndex
) -> tuple[int, Span | YearlyPart]:
    """Return where `before the 19th century` begins and the days that it tells; a span alone as it is."""
    if isinstance(span, YearlyPart):
        return start, span
    texts = tuple(token.text for token in tokens[max(0, start - _LONGEST_OPENING) : start])
    first, last = span
    for count in range(len(texts), 0, -1):
        words = [text for text in texts[-count:] if text != "the"]
        place = start - count
        if texts[-count] == "the" or is_of_a_state(tokens, place, index):
            continue
        days = {
            "before": (0, first - 1),
            "after": (last + 1, _LAST_DAY),
            "since": (first, _LAST_DAY),
            "by": (0, last),
            **dict.fromkeys(("by end of", "before end of", "until end of"), (0, last)),
            "after end of": (last + 1, _LAST_DAY),
            **dict.fromkeys(_UP_TO_STARTS, (0, first - 1)),
        }.get(" ".join(words))
        if days is not None:
            return place, days
    return start, span


_LONGEST_OPENING = 4
_UP_TO_STARTS = tuple(f"{word} {end} of" for word in ("by", "before") for end in ("start", "beginning"))
_LAST_DAY = date.max.toordinal()


def _days(tokens: tuple[Token, ...]) -> Iterator[tuple[int, int, Span, str]]:
    """Yield each `15 January 2003`, which a cell of a month or year neither bears out nor contradicts."""
    texts = [token.text for token in tokens]
    position = 0
    while position < len(tokens):
        told, end = date_at(texts, position) or (None, position)
        span = days_of(*told) if told is not None and told.day else None
        if told is not None and span is not None:
            yield position, end, span, told.iso
        position = max(end, position + 1)
