"""Dates as spans of days: a claim's quarters, halves, months and decades, and cells of any precision."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from datetime import date

from evidence_assets.tables.cell_dates import MONTHS
from evidence_assets.tables.programs.linking import Link
from evidence_assets.tables.programs.periods import is_of_a_state, tells_a_year
from evidence_assets.tables.programs.table_index import TableIndex
from evidence_assets.tables.programs.words import Token, word_key
from evidence_assets.tables.table import Cell, Kind

Span = tuple[int, int]
_QUARTER = re.compile(r"[Qq]([1-4])\s*[,/-]?\s*(\d{4})|(\d{4})\s*[,/-]?\s*[Qq]([1-4])")
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
    match = _QUARTER.fullmatch(cell.text.strip())
    if match:
        return _part(int(match[2] or match[3]), int(match[1] or match[4]), 4)
    date = cell.value.date
    if cell.value.kind is not Kind.DATE or date.startswith("--"):
        return None
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
    for start, end, span, words in _spans(tokens):
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
        matched = {column: rows for column, rows in places.items() if rows} or places
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


def _beside(tokens: tuple[Token, ...], start: int, span: Span) -> tuple[int, Span]:
    """Return where `before the 19th century` begins and the days that it tells; a span alone as it is."""
    place = start - 1 - (start > 0 and tokens[start - 1].text == "the")
    word = tokens[place].text if place >= 0 else ""
    first, last = span
    spans = {"before": (0, first - 1), "after": (last + 1, _LAST_DAY), "since": (first, _LAST_DAY)}
    is_bound = word in spans and not is_of_a_state(tokens, place)
    return (place, spans[word]) if is_bound else (start, span)


_LAST_DAY = date.max.toordinal()


def _spans(tokens: tuple[Token, ...]) -> Iterator[tuple[int, int, Span, str]]:
    """Yield each `second half of 2017`, `May 2014`, `1920s`, `19th century`: its tokens, days and words."""
    for position, token in enumerate(tokens):
        following = tokens[position + 1 : position + 4]
        texts = [word.text for word in following]
        if token.text in MONTHS and following and tells_a_year(following[0]):
            without_day = not position or tokens[position - 1].number is None
            span = _of(int(following[0].number or 0), MONTHS[token.text])
            if span is not None and without_day:
                yield position, position + 2, span, f"{token.text} {texts[0]}"
        elif texts[:1] and texts[0] in _PARTS and len(following) > 1:
            year = next((word for word in following[1:] if tells_a_year(word)), None)
            parts = _PARTS[texts[0]]
            number = (
                parts if token.text in {"last", "final"} else int(token.number or 0) if token.ordinal else 0
            )
            between = texts[1:2] == ["of"] or (year is not None and year is following[1])
            if year is not None and between and 1 <= number <= parts:
                span = _part(int(year.number or 0), number, parts)
                if span is not None:
                    yield position, tokens.index(year, position) + 1, span, f"{token.text} {texts[0]}"
        elif token.ordinal and following and following[0].key == _CENTURY:
            last = 100 * int(token.number or 0)
            opening, closing = _of(last - 99), _of(last)
            if opening is not None and closing is not None:
                yield position, position + 2, (opening[0], closing[1]), f"the {token.text} century"
        elif token.text in _DECADES and position and tokens[position - 1].text == "the":
            opening, closing = _of(_DECADES[token.text]), _of(_DECADES[token.text] + 9)
            if opening is not None and closing is not None:
                yield position, position + 1, (opening[0], closing[1]), f"the {token.text}"
        elif tells_a_year(token) and texts[:1] == ["s"] and int(token.number or 0) % 10 == 0:
            opening, closing = _of(int(token.number or 0)), _of(int(token.number or 0) + 9)
            if opening is not None and closing is not None:
                yield position, position + 2, (opening[0], closing[1]), f"the {token.text}s"
