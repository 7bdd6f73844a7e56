"""Columns of quarters and halves of years, by the words that a claim tells these with."""

from __future__ import annotations

import re
from collections.abc import Iterator

from evidence_assets.tables.programs.linking import HeaderLink
from evidence_assets.tables.programs.table_index import TableIndex
from evidence_assets.tables.programs.words import Token

_HEADER = re.compile(r"\b([QH])\s?([1-4])\b.*?\b(\d{4})\b|\b(\d{4})\b.*?\b([QH])\s?([1-4])\b", re.IGNORECASE)
_PARTS = {"quarter": "q", "half": "h"}
_JOINS = frozenset({"and", "to", "the", "or"})
# A part of a year, which part, the year.
_Period = tuple[str, int, int]


def period_heads(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[HeaderLink]:
    """Yield `the third quarter of 2023` as the columns of a header `Q3 2023`.

    Of `the first and the third quarter of 2022` both.
    """
    columns: dict[_Period, set[int]] = {}
    for column, name in enumerate(index.table.header):
        if (match := _HEADER.search(name)) is not None:
            part, number, year = match[1] or match[5], match[2] or match[6], match[3] or match[4]
            columns.setdefault((part.lower(), int(number), int(year)), set()).add(column)
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
