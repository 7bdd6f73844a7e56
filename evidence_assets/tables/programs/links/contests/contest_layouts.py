"""Which layout of a table of contests a claim is read against."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from evidence_assets.tables.programs.index.derived.contests import ContestTable, contests_of
from evidence_assets.tables.programs.index.table_index import index_of
from evidence_assets.tables.programs.wording.contest_words import (
    scoring_words,
    tells_both_scores,
    tells_contests,
)
from evidence_assets.tables.programs.wording.trigger_lexicon import HIGHEST, LOWEST
from evidence_assets.tables.programs.wording.words import ARTICLES, Token
from evidence_assets.tables.programs.wording.words_of_wholes import AGGREGATING
from evidence_assets.tables.table import Table


def contest_layout(tokens: Sequence[Token], table: Table) -> ContestTable | None:
    """Return the layout of a table for a claim of how contests ended, its words those of `outcome_words`.

    The sides of contests are rows where the claim names one, or says what one scored; else the contests are.
    None where it speaks of a side's contests by their place among all.
    """
    ended = tells_contests(tokens)
    scored = any(_is_a_verb(tokens, n) for n in scoring_words(tokens))
    both = tells_both_scores(tokens) and not ended
    layouts = contests_of(table) if ended or scored or both else ()
    sides = next((layout for layout in layouts if layout.of_sides), None)
    if not layouts:
        return None
    if both and len(layouts) > 1:
        return layouts[0]
    if sides is None:
        return layouts[0] if ended or _is_of_the_caption(tokens, layouts[0]) else None
    if not _names(tokens, sides, {sides.team, sides.side}):
        return layouts[0] if ended else None
    of_a_team = ended or _names(tokens, sides, {sides.team})
    return sides if of_a_team and not _places_rows(tokens) else None


def _is_of_the_caption(tokens: Sequence[Token], layout: ContestTable) -> bool:
    """Return whether what a claim says to have scored may be what rows are of: nobody whom a cell names.

    What was scored against it, or by both, it did not score.
    """
    index = index_of(layout)
    for position in scoring_words(tokens):
        behind = [token.text for token in tokens[position + 1 : position + 3]]
        if behind[:1] == ["against"] or "both" in behind:
            return False
        scorers = [
            *tokens[max(0, position - 2) : position],
            *(tokens[position + 2 :][:2] if "by" in behind else ()),
        ]
        named = {token.key for token in scorers if not token.stop and token.number is None} - index.caption
        if any(not index.is_numeric(column) for key in named for _, column in index.postings.get(key, ())):
            return False
    return True


def _is_a_verb(tokens: Sequence[Token], position: int) -> bool:
    """Return whether a word says that somebody scored, and is no noun: `the score`, `highest score`."""
    before = tokens[position - 1] if position else None
    noun = ARTICLES | AGGREGATING | HIGHEST | LOWEST | {"same", "of", "final"}
    return before is not None and before.text not in noun


def _names(tokens: Sequence[Token], layout: ContestTable, columns: Collection[int | None]) -> bool:
    postings = index_of(layout).postings
    keys = {token.key for token in tokens if not token.stop and not token.mark and token.number is None}
    return any(column in columns for key in keys for _, column in postings.get(key, ()))


def _places_rows(tokens: Sequence[Token]) -> bool:
    """Return whether a claim speaks of so many rows by their place: `the first 3 games`."""
    return any(
        before.text in {"first", "last"} and token.number is not None for before, token in pairwise(tokens)
    )
