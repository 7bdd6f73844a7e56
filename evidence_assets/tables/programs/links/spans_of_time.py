"""Dates as spans of days: a claim's quarters, halves, months and decades, and cells of any precision."""

from __future__ import annotations

import calendar
from collections.abc import Collection, Iterator
from datetime import date

from evidence_assets.tables.cell_dates import MIDDLES_OF_SEASONS, MONTHS
from evidence_assets.tables.programs.index.column_readings import quarter_of
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.date_links import date_at, meant_places
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.periods import is_of_a_state, tells_a_year
from evidence_assets.tables.programs.wording.words import Token, word_key
from evidence_assets.tables.table import Cell, Kind

Span = tuple[int, int]
_PARTS = {"quarter": 4, "half": 2}
_CENTURY = word_key("century")
_LEAST_DATED = 0.5
# Decades that are told without their century.
_DECADES = {
    name: 1930 + 10 * place
    for place, name in enumerate(
        ("thirties", "forties", "fifties", "sixties", "seventies", "eighties", "nineties")
    )
}


def cell_span(cell: Cell) -> Span | None:
    """Return the first and last day that a cell's date may be, as ordinals; None where it tells no date."""
    quarter = quarter_of(cell)
    if quarter is not None:
        return _part(*quarter, 4)
    date = cell.value.date
    if cell.value.kind is not Kind.DATE or date.startswith("--"):
        return None
    if cell.value.low is not None and cell.value.high is not None:
        return int(cell.value.low), int(cell.value.high)
    year, *month_and_day = (int(part) for part in date.split("-"))
    return _of(year, *month_and_day[:2])


def _of(year: int, month: int = 0, day: int = 0) -> Span | None:
    try:
        first = date(year, month or 1, day or 1)
        last_month = month or 12
        last = date(year, last_month, day or calendar.monthrange(year, last_month)[1])
    except ValueError:
        return None
    return first.toordinal(), last.toordinal()


def _part(year: int, number: int, parts: int) -> Span | None:
    """Return the span of one of the equal parts of a year, counted from 1."""
    months = 12 // parts
    opening, closing = _of(year, (number - 1) * months + 1), _of(year, number * months)
    return None if opening is None or closing is None else (opening[0], closing[1])


def span_links(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield links of a claim's spans of time to the rows whose date lies in them.

    Rows whose date may lie in a span or not, being less precise, are the link's undetermined ones.
    """
    dated = {}
    for column in range(index.table.columns):
        cells = enumerate(index.table.column(column))
        spans = {row: span for row, cell in cells if row in index.rows and (span := cell_span(cell))}
        if spans and column in index.dated and len(spans) > _LEAST_DATED * len(index.rows):
            dated[column] = spans
    if not dated:
        return
    coarse = any(high > low for spans in dated.values() for low, high in spans.values())
    for start, end, span, words in (*_spans(tokens), *(_days(tokens) if coarse else ())):
        opening, (first, last) = _beside(tokens, start, span)
        places, unsure = {}, set()
        for column, spans in dated.items():
            inside = {row for row, (low, high) in spans.items() if first <= low and high <= last}
            unsure |= {
                row
                for row, (low, high) in spans.items()
                if row not in inside and low <= last and first <= high
            }
            places[column] = frozenset(inside)
        unsure |= _missing(index, dated) - set().union(*places.values())
        matched = meant_places(places, tokens, opening, index)
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


def _missing(index: TableIndex, columns: Collection[int]) -> set[int]:
    """Return the rows that lack a date in one of several columns, any of which may be meant."""
    return {
        row
        for column in (columns if len(columns) > 1 else ())
        for row in index.rows
        if index.table.rows[row][column].value.kind is Kind.EMPTY
    }


def _beside(tokens: tuple[Token, ...], start: int, span: Span) -> tuple[int, Span]:
    """Return where `before the 19th century` begins and the days that it tells; a span alone as it is."""
    texts = tuple(token.text for token in tokens[max(0, start - _LONGEST_OPENING) : start])
    first, last = span
    for count in range(len(texts), 0, -1):
        words = [text for text in texts[-count:] if text != "the"]
        place = start - count
        if texts[-count] == "the" or is_of_a_state(tokens, place):
            continue
        days = {
            "before": (0, first - 1),
            "after": (last + 1, _LAST_DAY),
            "since": (first, _LAST_DAY),
            "by": (0, last),
            "by end of": (0, last),
            "by start of": (0, first - 1),
            "by beginning of": (0, first - 1),
        }.get(" ".join(words))
        if days is not None:
            return place, days
    return start, span


_LONGEST_OPENING = 4
_AT_ENDS = [[end, "of"] for end in ("end", "start", "beginning")]
# The first month of each season that lies in one calendar's year; winter lies in two.
_SEASONS = {season: middle - 1 for season, middle in MIDDLES_OF_SEASONS.items() if middle > 1}
_LAST_DAY = date.max.toordinal()


def _days(tokens: tuple[Token, ...]) -> Iterator[tuple[int, int, Span, str]]:
    """Yield each `15 January 2003`, which a cell of a month or year neither bears out nor contradicts."""
    position = 0
    while position < len(tokens):
        end, iso_date = date_at(tokens, position)
        span = _of(*(int(part) for part in iso_date.split("-"))) if len(iso_date) == _WHOLE_DATE else None
        if span is not None:
            yield position, end, span, iso_date
        position = max(end, position + 1)


# A year, month and day.
_WHOLE_DATE = 10


# Where a span of time ends, its days, and what it is called.
_Told = tuple[int, Span, str]


def _spans(tokens: tuple[Token, ...]) -> Iterator[tuple[int, int, Span, str]]:
    """Yield each `second half of 2017`, `May 2014`, `1920s`, `19th century`: its tokens, days and words."""
    for position in range(len(tokens)):
        readings = (read(tokens, position) for read in _READERS)
        reading = next(filter(None, readings), None)
        if reading is not None:
            yield position, *reading


def _month(tokens: tuple[Token, ...], position: int) -> _Told | None:
    token, following = tokens[position], tokens[position + 1 : position + 2]
    if token.text not in MONTHS or not following or not tells_a_year(following[0]):
        return None
    without_day = not position or tokens[position - 1].number is None
    span = _of(int(following[0].number or 0), MONTHS[token.text]) if without_day else None
    return None if span is None else (position + 2, span, f"{token.text} {following[0].text}")


def _part_of_a_year(tokens: tuple[Token, ...], position: int) -> _Told | None:
    token, following = tokens[position], tokens[position + 1 : position + 4]
    if len(following) < _SHORTEST_PART or following[0].text not in _PARTS:
        return None
    year = next((word for word in following[1:] if tells_a_year(word)), None)
    parts = _PARTS[following[0].text]
    number = parts if token.text in {"last", "final"} else int(token.number or 0) if token.ordinal else 0
    if year is None or not (following[1].text == "of" or year is following[1]) or not 1 <= number <= parts:
        return None
    span = _part(int(year.number or 0), number, parts)
    end = tokens.index(year, position) + 1
    return None if span is None else (end, span, f"{token.text} {following[0].text}")


_SHORTEST_PART = 2


def _season(tokens: tuple[Token, ...], position: int) -> _Told | None:
    """Return `spring of 1956`, `summer 2001`."""
    token, following = tokens[position], tokens[position + 1 : position + 3]
    year = next((word for word in following[:2] if tells_a_year(word)), None)
    if token.text not in _SEASONS or year is None or not (year is following[0] or following[0].text == "of"):
        return None
    number, month = int(year.number or 0), _SEASONS[token.text]
    opening, closing = _of(number, month), _of(number, month + 2)
    if opening is None or closing is None:
        return None
    return tokens.index(year, position) + 1, (opening[0], closing[1]), f"{token.text} {year.text}"


def _year_at_an_end(tokens: tuple[Token, ...], position: int) -> _Told | None:
    """Return the year of `by the end of 2010`."""
    before = [token.text for token in tokens[max(0, position - 2) : position]]
    if before not in _AT_ENDS or not tells_a_year(tokens[position]):
        return None
    span = _of(int(tokens[position].number or 0))
    return None if span is None else (position + 1, span, tokens[position].text)


def _century(tokens: tuple[Token, ...], position: int) -> _Told | None:
    token, following = tokens[position], tokens[position + 1 : position + 2]
    if not token.ordinal or not following or following[0].key != _CENTURY:
        return None
    last = 100 * int(token.number or 0)
    opening, closing = _of(last - 99), _of(last)
    if opening is None or closing is None:
        return None
    return position + 2, (opening[0], closing[1]), f"the {token.text} century"


def _decade(tokens: tuple[Token, ...], position: int) -> _Told | None:
    """Return `the sixties`, `1920s`."""
    token, following = tokens[position], [word.text for word in tokens[position + 1 : position + 2]]
    if token.text in _DECADES and position and tokens[position - 1].text == "the":
        first, end, words = _DECADES[token.text], position + 1, f"the {token.text}"
    elif tells_a_year(token) and following == ["s"] and int(token.number or 0) % 10 == 0:
        first, end, words = int(token.number or 0), position + 2, f"the {token.text}s"
    else:
        return None
    opening, closing = _of(first), _of(first + 9)
    return None if opening is None or closing is None else (end, (opening[0], closing[1]), words)


_READERS = (_month, _part_of_a_year, _season, _year_at_an_end, _century, _decade)
