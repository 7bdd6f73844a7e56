"""Links of what rows are not, where that tells which rows a claim is of: `mills that are not lit`.

So does `outside`: of `clubs outside the top three`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.wording.quantifier_words import relative_clause
from evidence_assets.tables.programs.wording.trigger_lexicon import negations
from evidence_assets.tables.programs.wording.words import ARTICLES, Token

# The condition of a link to the rows that lack something begins so.
LACKING = "not "


def with_denied_modifiers(
    claim_tokens: tuple[Token, ...], links: Sequence[Link], headers: Sequence[HeaderLink], index: TableIndex
) -> list[Link]:
    """Return links, each in a denied clause of what rows are, or behind `outside`, turned to the other rows.

    A header there is linked to the rows that have nothing in its column: of `two that have no quota`.
    """
    texts = [token.text for token in claim_tokens]
    kept = list(links)
    for place, clause in _denied_clauses(claim_tokens, texts):
        inside = [link for link in links if place < link.start and link.end <= clause.stop]
        heads = [head for head in headers if place < head.start and head.end <= clause.stop]
        if len(inside) == 1 and len(inside[0].places) == 1:
            kept = [_lacking(link, place, texts, index) if link is inside[0] else link for link in kept]
        elif not inside and len(heads) == 1 and texts[place] in HAVING_NOTHING:
            kept += _without_anything(heads[0], place, index)
    if OUTSIDE in texts:
        kept = list(_outside(kept, texts, headers, index))
    return kept


OUTSIDE = "outside"


def _outside(
    links: Sequence[Link], texts: Sequence[str], headers: Sequence[HeaderLink], index: TableIndex
) -> Iterator[Link]:
    """Yield links, those listed behind `outside`, `outside of the` turned to the rows that are not so."""
    end = None
    for link in sorted(links, key=lambda link: link.start):
        place = link.start - 1
        while place > 0 and texts[place] in _BETWEEN:
            place -= 1
        is_listed = end is not None and texts[end : link.start] in _JOINTS
        is_outside = place >= 0 and texts[place] == OUTSIDE
        is_outside = is_outside and not any(head.start <= place < head.end for head in headers)
        if (is_outside or is_listed) and len(link.places) == 1:
            yield _lacking(link, place if is_outside else link.start, texts, index)
            end = link.end
        else:
            yield link
            end = None


_BETWEEN = ARTICLES | {"of"}
_JOINTS = (["and"], ["or"], [","], [",", "and"], [",", "or"], ["and", "the"], ["or", "the"])


HAVING_NOTHING = frozenset({"no", "without"})


def _denied_clauses(claim_tokens: tuple[Token, ...], texts: Sequence[str]) -> Iterator[tuple[int, range]]:
    """Yield where a clause that says of which rows a claim is denies something, and that clause."""
    for place in negations(claim_tokens):
        clause = relative_clause(texts, place)
        # `Una, who is not from Osen, won` says of which rows it is before that.
        if clause is not None and texts[max(0, clause.start - 1)] != ",":
            yield place, clause


def _lacking(link: Link, place: int, texts: Sequence[str], index: TableIndex) -> Link:
    """Return the link to the rows that have another value in its column."""
    column = min(link.places)
    filled = frozenset(row for row in index.rows - index.summaries if index.keys[row, column])
    condition = LACKING + (link.bound or " ".join(texts[link.start : link.end]))
    rows = filled - link.rows - link.undetermined
    return Link.of_column(place, link.end, column, rows, condition, undetermined=link.undetermined)


def _without_anything(head: HeaderLink, place: int, index: TableIndex) -> Iterator[Link]:
    """Yield the link to the rows with nothing, or zero, in the only column of a header that some have."""
    column = min(head.columns)
    rows = index.rows - index.summaries
    empty = frozenset(
        row for row in rows if not index.keys[row, column] or index.series[column].get(row) == 0
    )
    if len(head.columns) == 1 and column != index.table.label_column and empty and empty != rows:
        yield Link.of_column(place, head.end, column, empty, f"{LACKING}told")
