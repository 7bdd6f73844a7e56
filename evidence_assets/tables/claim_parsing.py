"""What the words and numbers of a claim or question tell of a table's columns and rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evidence_assets.tables.columns import HEADER_SHARE, Hints
from evidence_assets.tables.programs.linking import Link, link
from evidence_assets.tables.programs.table_index import TableIndex
from evidence_assets.tables.programs.trigger_lexicon import comparative, superlatives, thresholds
from evidence_assets.tables.programs.words import Token, tokens
from evidence_assets.tables.rows import RowHints

_COMPARED = frozenset(["than", "half", "double", "triple", "twice", "equal", "same", "differ"])
# Words for units, as claims write them, and as cells do.
_UNITS = {
    **dict.fromkeys(("percent", "percentag", "pct"), "%"),
    **dict.fromkeys(("dollar", "usd"), "$"),
    **dict.fromkeys(("euro", "eur"), "€"),
    **dict.fromkeys(("pound", "gbp"), "£"),
}


@dataclass(frozen=True, slots=True)
class ReadClaim:
    """What a claim tells of a table's columns and of its rows."""

    columns: Hints
    rows: RowHints


def read_claim(claim: str, index: TableIndex) -> ReadClaim:
    """Return what a claim tells of a table. An extreme or a bound needs every row."""
    said = tokens(claim)
    linked = link(said, index)
    worded = [one for one in linked.links if one.number is None]
    numbered = [one for one in linked.links if one.number is not None]
    headers = header_shares(said, index)
    named = {number for number, share in enumerate(headers) if share >= HEADER_SHARE}
    guarded = _columns(numbered) | _of_units(said, index)
    comparable = _comparable(index, worded) if _compares(said) else set()
    if not comparable & (named | guarded):
        guarded |= comparable
    rows: dict[int, int] = {}
    for one in worded:
        for row in one.rows:
            rows[row] = rows.get(row, 0) + one.words
    number_rows = frozenset[int]().union(*(one.rows for one in numbered))
    return ReadClaim(
        Hints(index.table.label_column, headers, sorted(_columns(worded)), sorted(guarded)),
        RowHints(rows, number_rows, bool(superlatives(said) or thresholds(said))),
    )


def header_shares(said: Iterable[Token], index: TableIndex) -> list[float]:
    """Return for each column the share of its header's content words that are said; 0 of a made-up header."""
    keys = {token.key for token in said if not token.stop}
    if not index.table.has_header:
        return [0.0] * index.table.columns
    wanted = [set(header) for header in index.headers]
    return [len(header & keys) / len(header) if header else 0.0 for header in wanted]


def _columns(links: Iterable[Link]) -> set[int]:
    """Return the columns of links: those whose cells a span says whole, where there are any."""
    return {column for one in links for column in one.full or one.places}


def _compares(said: tuple[Token, ...]) -> bool:
    return bool(superlatives(said)) or any(
        comparative(token.text) or token.key in _COMPARED or token.text in _COMPARED for token in said
    )


def _of_units(said: Iterable[Token], index: TableIndex) -> set[int]:
    """Return the columns of cells with a unit that is said."""
    wanted = {_UNITS.get(token.key, token.text) for token in said if token.number is None}
    return {number for number in range(index.table.columns) if wanted.intersection(_units(index, number))}


def _units(index: TableIndex, column: int) -> Iterator[str]:
    return (cell.value.unit.lower() for cell in index.table.column(column) if cell.value.unit)


def _comparable(index: TableIndex, links: Iterable[Link]) -> set[int]:
    """Return the columns of numbers that could be compared: with one in every row that the claim names.

    Where it names no row, all columns of numbers. A column named beside them may hold none there: figure 3.6.
    """
    label = index.table.label_column
    named = [one.places[label] for one in links if label is not None and label in one.places]
    rows = frozenset[int]().union(*named)
    others = [column for column in range(index.table.columns) if column != label]
    if not rows:
        return {column for column in others if index.is_numeric(column)}
    return {column for column in others if all(_has_number(index, row, column) for row in rows)}


def _has_number(index: TableIndex, row: int, column: int) -> bool:
    value = index.table.rows[row][column].value
    return value.number is not None or bool(value.numbers)
