"""Links of what rows are not, where that tells which rows a claim is of: `mills that are not lit`."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_assets.tables.programs.linking import Link
from evidence_assets.tables.programs.quantifier_words import relative_clause
from evidence_assets.tables.programs.table_index import TableIndex
from evidence_assets.tables.programs.trigger_lexicon import negations
from evidence_assets.tables.programs.words import Token

# The condition of a link to the rows that lack something begins so.
LACKING = "not "


def with_denied_modifiers(
    claim_tokens: tuple[Token, ...], links: Sequence[Link], index: TableIndex
) -> list[Link]:
    """Return links, each in a denied clause of what rows are turned to the rows without it."""
    texts = [token.text for token in claim_tokens]
    denied: dict[int, int] = {}
    for place in negations(claim_tokens):
        clause = relative_clause(texts, place)
        if clause is None or texts[max(0, clause.start - 1)] == ",":
            # `Una, who is not from Osen, won` says of which rows it is before that.
            continue
        inside = [link for link in links if place < link.start and link.end <= clause.stop]
        if len(inside) == 1 and len(inside[0].places) == 1:
            denied[inside[0].start] = place
    return [
        _lacking(link, denied[link.start], texts, index) if link.start in denied else link for link in links
    ]


def _lacking(link: Link, place: int, texts: Sequence[str], index: TableIndex) -> Link:
    """Return the link to the rows that have another value in its column."""
    column = min(link.places)
    told = {row for row in index.rows - index.summaries if index.keys[row, column]}
    condition = LACKING + (link.bound or " ".join(texts[link.start : link.end]))
    return Link.of_column(place, link.end, column, frozenset(told) - link.rows - link.undetermined, condition)
