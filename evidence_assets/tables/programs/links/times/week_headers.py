"""Columns of days of the week, and of several in a row, by the words that tell these."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from evidence_assets.tables.programs.index.columns.weekly_days import day_of, named_day
from evidence_assets.tables.programs.index.kept import kept_for_indexes
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import HeaderLink
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.tables.programs.wording.words_of_time import JOINS_OF_TIMES, OPENINGS_OF_SPANS
from evidence_assets.text.calendar_words import DAY_NAMES

# `Mon`, `Fridays`, `Mon–Thu`.
_HEADER = re.compile(r"([a-z]+)\.?(?: ?(?:-|–|to) ?([a-z]+)\.?)?")
# `Monday-to-Thursday` has three tokens between its days.
_WIDEST_JOIN = 3
_LEAST_DAYS = 2


@kept_for_indexes
def days_of_columns(index: TableIndex) -> dict[int, tuple[int, int]]:
    """Return the first and the last day of each column of days, from 0 for Monday; none of a single one."""
    days = {}
    for column, name in enumerate(index.table.header):
        match = _HEADER.fullmatch(name.strip().lower())
        first = day_of(match[1]) if match else None
        last = day_of(match[2]) if match and match[2] else first
        if first is not None and last is not None and index.is_numeric(column):
            days[column] = DAY_NAMES.index(first), DAY_NAMES.index(last)
    return days if len(days) >= _LEAST_DAYS else {}


def day_heads(tokens: tuple[Token, ...], days: Mapping[int, tuple[int, int]]) -> Iterator[HeaderLink]:
    """Yield `on Wednesday` and `from Monday to Thursday` as the column of those days.

    The days of a span that is no column's stand each for its own.
    """
    columns = {span: column for column, span in days.items()}
    position = 0
    while days and position < len(tokens):
        first = _day(tokens, position)
        if first is None:
            position += 1
            continue
        last, end = _end_of_span(tokens, position)
        if last is not None and (first, last) in columns:
            opens = position and tokens[position - 1].text in OPENINGS_OF_SPANS
            yield HeaderLink(position - bool(opens), end, frozenset({columns[first, last]}), 1.0)
            position = end
            continue
        within = [column for (start, stop), column in columns.items() if start <= first <= stop]
        if within:
            yield HeaderLink(position, position + 1, frozenset(within[:1]), 1.0)
        position += 1


def _end_of_span(tokens: tuple[Token, ...], position: int) -> tuple[int | None, int]:
    """Return the last day of `Monday to Thursday`, and where it ends; None where a day stands alone."""
    end = position + 1
    while end - position <= _WIDEST_JOIN and end < len(tokens) and tokens[end].text in JOINS_OF_TIMES:
        end += 1
    last = _day(tokens, end) if end > position + 1 else None
    return last, end + 1


def _day(tokens: tuple[Token, ...], position: int) -> int | None:
    name = named_day(tokens[position].text) if position < len(tokens) else None
    return None if name is None else DAY_NAMES.index(name)
