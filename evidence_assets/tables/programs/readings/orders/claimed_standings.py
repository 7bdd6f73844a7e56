"""Claims of the place that a row has: ranked third by a column, won, came last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Literal
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Extreme, Meet
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Some, all_of
from evidence_assets.tables.programs.grammar.types import Truth
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.ranks.standings import ranked_columns, ranks_by_another_column
from evidence_assets.tables.programs.readings.orders.extreme_wording import margin_of
from evidence_assets.tables.programs.readings.parts.extreme_columns import (
    columns_of_points,
    is_first_the_highest,
)
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, numeric_columns, proposed, where
from evidence_assets.tables.programs.wording.trigger_lexicon import RANKING
from evidence_assets.tables.programs.wording.words import word_keys


def ranked_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A ranks third by C`, `by C, A comes third`: A's number is the third highest."""
    texts = claim.texts
    ranks = [n for n, token in enumerate(claim.tokens) if token.key in RANKING]
    place = next((n for n, token in enumerate(claim.tokens) if token.ordinal and token.text.isalpha()), None)
    if not ranks or place is None or claim.superlatives:
        return
    by = claim.position({"by"})
    heads = [head for head in claim.linked.headers if by is None or head.start > by]
    number = int(claim.tokens[place].number or 0)
    for column in dict.fromkeys(numeric_columns(claim, heads)):
        names = [link for link in claim.links if not link.start <= place < link.end and len(link.rows) == 1]
        after = [n for n in range(place, len(texts)) if texts[n] == "after"]
        subjects = [link for link in names if not after or link.start < after[0]]
        followers = [link for link in names if after and link.start > after[0]]
        highest = is_first_the_highest(claim.index, column)
        if not subjects or column in subjects[0].places or highest is None:
            continue
        rows = where(claim, subjects[0])
        parts: list[Truth] = [Some(Meet((Extreme(AllRows(), column, number, highest), rows)))]
        parts += [
            Some(Meet((Extreme(AllRows(), column, number - 1, highest), where(claim, link))))
            for link in followers[:1]
        ]
        operators = [place, *ranks, *([by] if by is not None else []), *after]
        yield proposed(claim, "ordinal", all_of(parts), [*subjects[:1], *followers[:1]], [column], operators)
        return


def standing_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A won`, `A were runners-up`, `A came last`: A's place in a column of ranks."""
    columns = ranked_columns(claim.index)
    standing = claimed_standing(claim)
    subject = next((link for link in claim.links if len(link.rows) == 1 and not link.bound), None)
    if not columns or standing is None or subject is None or columns[0] in subject.places:
        return
    words, place, is_from_last = standing
    if ranks_by_another_column(claim.tokens, words[-1], claim.index, columns[0]):
        return
    chosen = Extreme(AllRows(), columns[0], place, is_from_last)
    program = Some(Meet((chosen, where(claim, subject))))
    yield proposed(claim, "standing", program, [subject], columns[:1], words)
    margin = margin_of(claim, words[-1] + 1)
    if margin is None or is_from_last:
        return
    behind = [head for head in claim.linked.headers if head.start == max(margin.words) + 1]
    points = range(max(margin.words) + 1, max(margin.words) + 2)
    in_points = [] if behind else columns_of_points(claim)
    for column in (*numeric_columns(claim, behind), *in_points)[:1]:
        ahead, next_behind = (Cell(replace(chosen, place=rank), column) for rank in (place, place + 1))
        lead = Compare(
            Arithmetic("|-|", ahead, next_behind), margin.relation, Literal(margin.number), margin.tolerance
        )
        operators = [*words, *margin.words, *(points if in_points else ())]
        by_a_margin = All((program, lead))
        yield proposed(claim, "superlative by a margin", by_a_margin, [subject], [column], operators)


class Standing(NamedTuple):
    """A place, from 1, of the first or of the last, and the positions of the words that tell it."""

    words: list[int]
    place: int
    is_from_last: bool


def claimed_standing(claim: GroundedClaim) -> Standing | None:
    """Return the place that a claim tells without a column: `won`, `came last`; None without one."""
    for position, token in enumerate(claim.tokens):
        before = claim.tokens[position - 1].key if position else ""
        following = claim.texts[position + 1 : position + 3]
        if token.key in _FIRST_OF_ALL and (following[:1] in {("the",), (".",), ("by",), ()}):
            return Standing([position], 1, False)
        if token.text in {"runner", "runners"} and following == ("-", "up"):
            return Standing([position, position + 2], 2, False)
        if token.ordinal and following in _FROM_LAST and before in {*RANKING, "end", "be"}:
            return Standing([*range(position - 1, position + 3)], int(token.number or 1), True)
        if token.text in {"first", "top", "last", "bottom"} and before in {*RANKING, "end", "be"}:
            but_one = range(position + 1, position + 3) if following == ("but", "one") else ()
            words = [position - 1, position, *but_one]
            return Standing(words, 2 if but_one else 1, token.text in {"last", "bottom"})
    return None


_FROM_LAST = {("to", "last"), ("from", "last"), ("from", "bottom")}
_FIRST_OF_ALL = word_keys("win champion topped")
