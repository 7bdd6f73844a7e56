"""Claim parsing: the columns and rows of a table that a claim or question mentions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evidence_assets.tables.columns import HEADER_SHARE, ColumnMentions
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.cells.word_linking import link
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.wording.superlative_words import superlatives
from evidence_assets.tables.programs.wording.thresholds import thresholds
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative
from evidence_assets.tables.programs.wording.words import Token, tokens
from evidence_assets.tables.rows import RowMentions

_COMPARED = frozenset(["than", "half", "double", "triple", "twice", "equal", "same", "differ"])
# Words for units, as claims write them, and as cells do.
_UNITS = {
    **dict.fromkeys(("percent", "percentag", "pct"), "%"),
    **dict.fromkeys(("dollar", "usd"), "$"),
    **dict.fromkeys(("euro", "eur"), "€"),
    **dict.fromkeys(("pound", "gbp"), "£"),
}


@dataclass(frozen=True, slots=True)
class ClaimMentions:
    """The columns and the rows of a table that a claim mentions."""

    columns: ColumnMentions
    rows: RowMentions


def parse_mentions(claim: str, index: TableIndex) -> ClaimMentions:
    """Return the columns and rows that a claim mentions. A superlative or a threshold needs every row."""
    claim_tokens = tokens(claim)
    linked = link(claim_tokens, index)
    word_links = [item for item in linked.links if item.number is None]
    number_links = [item for item in linked.links if item.number is not None]
    headers = header_shares(claim_tokens, index)
    named_columns = {number for number, share in enumerate(headers) if share >= HEADER_SHARE}
    guarded = _columns(number_links) | _unit_columns(claim_tokens, index)
    comparable = _comparable(index, word_links) if _compares(claim_tokens) else set()
    if not comparable & (named_columns | guarded):
        guarded |= comparable
    rows: dict[int, int] = {}
    for item in word_links:
        for row in item.rows:
            rows[row] = rows.get(row, 0) + item.words
    number_rows = frozenset[int]().union(*(item.rows for item in number_links))
    return ClaimMentions(
        ColumnMentions(index.table.label_column, headers, sorted(_columns(word_links)), sorted(guarded)),
        RowMentions(rows, number_rows, bool(superlatives(claim_tokens) or thresholds(claim_tokens))),
    )


def header_shares(claim_tokens: Iterable[Token], index: TableIndex) -> list[float]:
    """Return for each column the share of its header's content words in the claim; 0 for a made-up header."""
    keys = {token.key for token in claim_tokens if not token.stop}
    if not index.table.has_header:
        return [0.0] * index.table.columns
    header_keys = [set(header) for header in index.headers]
    return [len(header & keys) / len(header) if header else 0.0 for header in header_keys]


def _columns(links: Iterable[Link]) -> set[int]:
    """Return the columns of links: those where the link is a whole cell, where there are any."""
    return {column for link in links for column in link.full or link.places}


def _compares(claim_tokens: tuple[Token, ...]) -> bool:
    return bool(superlatives(claim_tokens)) or any(
        comparative(token.text) or token.key in _COMPARED or token.text in _COMPARED for token in claim_tokens
    )


def _unit_columns(claim_tokens: Iterable[Token], index: TableIndex) -> set[int]:
    """Return the columns that hold a unit of the claim."""
    units = {_UNITS.get(token.key, token.text) for token in claim_tokens if token.number is None}
    return {number for number in range(index.table.columns) if units.intersection(_units(index, number))}


def _units(index: TableIndex, column: int) -> Iterator[str]:
    return (cell.value.unit.lower() for cell in index.table.column(column) if cell.value.unit)


def _comparable(index: TableIndex, links: Iterable[Link]) -> set[int]:
    """Return the columns that could be compared: those with a number in every row that the claim names.

    Where it names no row, all numeric columns. A named column may lack a number there: figure 3.6.
    """
    label = index.table.label_column
    labelled = [link.places[label] for link in links if label is not None and label in link.places]
    rows = frozenset[int]().union(*labelled)
    candidates = [column for column in range(index.table.columns) if column != label]
    if not rows:
        return {column for column in candidates if index.is_numeric(column)}
    return {column for column in candidates if all(_has_number(index, row, column) for row in rows)}


def _has_number(index: TableIndex, row: int, column: int) -> bool:
    value = index.table.rows[row][column].value
    return value.number is not None or bool(value.numbers)
