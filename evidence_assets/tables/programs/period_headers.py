"""Columns of quarters and halves of years, by the words that a claim tells these with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from evidence_assets.tables.cell_dates import MIDDLES_OF_SEASONS, MONTHS
from evidence_assets.tables.programs.linking import HeaderLink
from evidence_assets.tables.programs.quantities import PART_OF_ANY_YEAR
from evidence_assets.tables.programs.table_index import TableIndex
from evidence_assets.tables.programs.words import Token

_HEADER = re.compile(r"\b([QH])\s?([1-4])\b.*?\b(\d{4})\b|\b(\d{4})\b.*?\b([QH])\s?([1-4])\b", re.IGNORECASE)
_PARTS = {"quarter": "q", "half": "h"}
_JOINS = frozenset({"and", "to", "the", "or"})
# Quarters of any year, as the months that they are.
_QUARTERS = {number: (3 * number - 2, 3 * number) for number in (1, 2, 3, 4)}
_LEAST_PARTS = 2
_OPENINGS, _ENDS = frozenset({"between", "from"}), frozenset({"to", "and", "-"})
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
    yield from _heads_of_any_year(tokens, parts_of_any_year(index))
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


def _heads_of_any_year(
    tokens: tuple[Token, ...], parts: Mapping[int, tuple[int, int]]
) -> Iterator[HeaderLink]:
    """Yield `between July and September`, `the third quarter` and `summer` as the column of that part."""
    columns = {months: column for column, months in parts.items()}
    position = 0
    while parts and position < len(tokens):
        end, months = _told_part(tokens, position)
        if months is not None and months[0] == months[1]:
            months = next((part for part in columns if part[0] <= months[0] <= part[1]), None)
        if months in columns:
            yield HeaderLink(position, end, frozenset({columns[months]}), 1.0)
        position = max(end, position + 1)


def _told_part(tokens: tuple[Token, ...], position: int) -> tuple[int, tuple[int, int] | None]:
    """Return where a part of a year ends that begins at a token, and its months: of a season the middle."""
    opens = tokens[position].text in _OPENINGS
    first, *following = [token.text for token in tokens[position + opens : position + opens + 3]] or [""]
    end = position + opens
    if not opens and first in MIDDLES_OF_SEASONS:
        return end + 1, (MIDDLES_OF_SEASONS[first], MIDDLES_OF_SEASONS[first])
    if not opens and tokens[position].ordinal and following[:1] == ["quarter"]:
        return end + 2, _QUARTERS.get(int(tokens[position].number or 0))
    if first in MONTHS and len(following) > 1 and following[0] in _ENDS and following[1] in MONTHS:
        return end + 3, (MONTHS[first], MONTHS[following[1]])
    return end, None
