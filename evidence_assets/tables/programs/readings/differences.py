"""Programs that relate two rows: the difference of their numbers, their ranks, what is the same of them."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Literal
from evidence_assets.tables.programs.grammar.truth_programs import Compare, Not, Same
from evidence_assets.tables.programs.grammar.types import Truth
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.compared_rows import rivals, single_rows
from evidence_assets.tables.programs.readings.extreme_columns import ranked_columns
from evidence_assets.tables.programs.readings.proposal import (
    Proposal,
    as_told,
    numeric_columns,
    proposed,
    where,
)
from evidence_assets.tables.programs.wording.trigger_lexicon import RANKING
from evidence_assets.tables.programs.wording.words import word_key


def outranking_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A outranks B`, `A finished above B`: A's rank is before B's."""
    for column in ranked_columns(claim.index)[:1]:
        for position, text in enumerate(claim.texts):
            words = _outranking(claim, position)
            if not words:
                continue
            before = [link for link in claim.links if link.end <= position]
            after = [link for link in claim.links if link.start > position]
            first, second = single_rows(claim, before, column), single_rows(claim, after, column)
            if first is None or second is None:
                continue
            relation = ">" if text in _BEHIND else "<"
            program = Compare(Cell(first[0], column), relation, Cell(second[0], column))
            yield proposed(claim, "comparison", program, [*first[1], *second[1]], [column], words)


def _outranking(claim: GroundedClaim, position: int) -> list[int]:
    """Return the words that say that one row is ranked before or behind another, from a position."""
    text, following = claim.texts[position], claim.texts[position + 1 : position + 2]
    before = claim.tokens[position - 1].key if position else ""
    if text == "out" and following and word_key(following[0]) == "rank":
        return [position, position + 1]
    placed = text in _BEHIND | _AHEAD and before in {*RANKING, "be"}
    return [position] if placed or word_key(text) == _OUTRANK else []


_OUTRANK = word_key("outrank")
_AHEAD, _BEHIND = frozenset({"above", "ahead", "over"}), frozenset({"below", "behind"})


def difference_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether the difference between two rows' numbers is the claimed one."""
    word = claim.position({"difference"})
    if word is None:
        return
    links = rivals(claim)
    numbers = [
        (position, token.number)
        for position, token in enumerate(claim.tokens)
        if token.number is not None and not any(link.start <= position < link.end for link in links)
    ]
    if len(links) < 2 or not numbers:
        return
    position, number = numbers[-1]
    number = claim.column_numbers.get(position) or number
    tolerance, about = as_told(claim, position, float(number))
    measured = [link for link in claim.links if link.start == position and position in claim.units]
    columns = [column for link in measured for column in sorted(link.full)]
    for column in dict.fromkeys([*numeric_columns(claim, claim.linked.headers), *columns]):
        first, second = single_rows(claim, links[:1], column), single_rows(claim, links[1:2], column)
        if (
            first is None
            or second is None
            or first[0].run(claim.index).rows == second[0].run(claim.index).rows
        ):
            continue
        gap = Arithmetic("-", Cell(first[0], column), Cell(second[0], column))
        value = gap.run(claim.index).number or 0.0
        sign = 1 if value >= 0 else -1
        program = Compare(gap, "=", Literal(sign * number), tolerance.times(sign))
        yield proposed(claim, "difference", program, links[:2], [column], [word, *about], [position])
        return


def sameness_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether the listed rows have the same value in the column that the claim names."""
    same = claim.position({"same", "different", "equal", "identical"})
    if same is None:
        return
    links = [link for link in rivals(claim) if link.rows]
    if any(len(link.rows) != 1 for link in links):
        return
    groups = [link for link in claim.names if len(link.rows) > 1]
    if not links and not {"both", "all"}.isdisjoint(claim.texts):
        links = groups[:1]
    if not links:
        return
    rows = frozenset[int]().union(*(link.rows for link in links))
    heads = [head for head in claim.linked.headers if head.start > same]
    for head in heads or list(reversed(claim.linked.headers)):
        column = min(head.columns)
        if len(rows) < 2 or any(column in link.places for link in links):
            continue
        program: Truth = Same(tuple(where(claim, link) for link in links), column)
        listing = [n for n, text in enumerate(claim.texts) if text in {"both", "all"}]
        program = Not(program) if claim.texts[same] == "different" else program
        yield proposed(claim, "sameness", program, links, [column], [same, *listing])
        return
