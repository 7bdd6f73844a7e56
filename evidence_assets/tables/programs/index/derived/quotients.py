"""What a claim tells for each of something, `income per visitor`: columns that two others imply."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evidence_assets.tables.programs.index.derived.derived_tables import (
    DerivedTable,
    unit_in_brackets,
    with_columns,
)
from evidence_assets.tables.programs.index.table_index import TableIndex, index_of
from evidence_assets.tables.programs.wording.quantities import converted, unit_after
from evidence_assets.tables.programs.wording.words import Token, number_key
from evidence_assets.tables.table import Table

# A column of what there is for each of something already.
OF_EACH = re.compile(r"/|\bper\b", re.IGNORECASE)
_PER = "per"


def with_quotients(claim_tokens: Sequence[Token], table: Table) -> DerivedTable | None:
    """Return a table with the quotients that a claim speaks of; None where it speaks of none.

    Of `speakers per village` those of each year whose speakers a column tells.
    """
    texts = [token.text for token in claim_tokens]
    place = texts.index(_PER) if _PER in texts[1:-1] else 0
    if not place or any(map(OF_EACH.search, table.header)):
        return None
    index = index_of(table)
    above, start = _named_before(index, claim_tokens, place)
    below, end = _named_behind(index, claim_tokens, place)
    if below is None:
        return None
    ends = tuple((column, below) for column in above if column != below)
    name = " ".join(texts[start:end])
    names = [_name(index, name, column) for column, _ in ends]
    return with_columns(table, names, ends, [_quotients(index, *pair) for pair in ends]) if ends else None


def _name(index: TableIndex, said: str, above: int) -> str:
    """Return the name of a quotient, as it is said, with the year and the unit of what is divided."""
    unit = unit_in_brackets(index.table.header[above])
    return " ".join(filter(None, (said, str(index.year_columns.get(above, "")), unit)))


def _named_before(index: TableIndex, tokens: Sequence[Token], place: int) -> tuple[list[int], int]:
    """Return the columns of numbers that the words right before a position name, and where these begin."""
    columns = set(index.numeric(index.header_postings.get(tokens[place - 1].key, ())))
    start = place - 1
    while start and columns & index.header_postings.get(tokens[start - 1].key, set()):
        start -= 1
        columns &= index.header_postings.get(tokens[start].key, set())
    return sorted(columns - index.dates_and_years), start


def _named_behind(index: TableIndex, tokens: Sequence[Token], place: int) -> tuple[int | None, int]:
    """Return the only column that the words behind a position name, or their unit, and where these end."""
    start = place + 1
    columns = set(index.numeric(index.header_postings.get(tokens[start].key, ())))
    end = start + 1
    while end < len(tokens) and columns & index.header_postings.get(tokens[end].key, set()):
        columns &= index.header_postings.get(tokens[end].key, set())
        end += 1
    if not columns:
        unit, words = unit_after(tuple(tokens), place)
        numeric = index.numeric_columns if unit else []
        columns = {c for c in numeric if any(converted(1.0, unit, u) == 1 for u in index.told_units[c])}
        end = words.stop
    columns -= index.dates_and_years
    return (min(columns), end) if len(columns) == 1 else (None, end)


def _quotients(index: TableIndex, above: int, below: int) -> dict[int, str]:
    """Return each row's quotient, as a text, where both numbers are told."""
    numbers, of_each = index.series[above], index.series[below]
    return {row: number_key(number / of_each[row]) for row, number in numbers.items() if of_each.get(row)}
