"""Programs that relate two rows: the difference of their numbers, their ranks, what is the same of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Literal, OrderedNumber
from evidence_assets.tables.programs.grammar.row_programs import Meet
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Not, Same, Some
from evidence_assets.tables.programs.grammar.types import Number, Truth
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.links.ranks.standings import ranked_columns
from evidence_assets.tables.programs.readings.parts.compared_rows import rivals, single_rows
from evidence_assets.tables.programs.readings.parts.extreme_columns import columns_of_points, is_highest
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    as_told,
    number_at,
    numeric_columns,
    proposed,
    restricted,
    where,
)
from evidence_assets.tables.programs.readings.parts.told_differences import relation_at
from evidence_assets.tables.programs.readings.times.same_times import same_time
from evidence_assets.tables.programs.wording.trigger_lexicon import CLAUSE_MARKS, CONCEDING, RANKING
from evidence_assets.tables.programs.wording.words import word_key, word_keys


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
            upper, lower = Cell(first[0], column), Cell(second[0], column)
            if text in _BEHIND:
                upper, lower = lower, upper
            so_many = claim.tokens[words[0]].number
            program = Compare(upper, "<", lower)
            if so_many is not None:
                program = Compare(Arithmetic("-", lower, upper), "=", Literal(so_many))
            yield proposed(claim, "comparison", program, [*first[1], *second[1]], [column], words)


def _outranking(claim: GroundedClaim, position: int) -> list[int]:
    """Return the words that say that one row is ranked before or behind another, from a position."""
    text, following = claim.texts[position], claim.texts[position + 1 : position + 2]
    before = claim.tokens[position - 1].key if position else ""
    if text == "out" and following and word_key(following[0]) == "rank":
        return [position, position + 1]
    so_many = claim.tokens[position - 2].number if position > 1 else None
    if text in _BEHIND | _AHEAD and before in _PLACES and so_many is not None:
        # `Two places above`.
        return [position - 2, position - 1, position]
    placed = text in _BEHIND | _AHEAD and before in {*RANKING, "be"}
    return [position] if placed or word_key(text) == _OUTRANK else []


_OUTRANK = word_key("outrank")
_PLACES = word_keys("place spot position rank")
_AHEAD, _BEHIND = frozenset({"above", "ahead", "over"}), frozenset({"below", "behind"})


def difference_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether the difference between two rows' numbers, or two extremes', is the claimed one."""
    word = claim.position({"difference", "gap"})
    if word is None or claim.linked.in_header(word):
        return
    links = rivals(claim)
    taken = positions_of(links)
    places = [n for n, token in enumerate(claim.tokens) if token.number is not None and n not in taken]
    places = [n for n in places if not claim.tokens[n].ordinal]
    if not places:
        return
    place = places[-1]
    number = number_at(claim, place)
    relation, bounding = relation_at(claim, place)
    tolerance, about = as_told(claim, place, number)
    is_measured = not claim.units.keys().isdisjoint({place, bounding.start})
    measured = [link for link in claim.links if link.start in bounding and is_measured]
    columns = [column for link in measured for column in sorted(link.places)]
    for column in dict.fromkeys([*numeric_columns(claim, claim.linked.headers), *columns]):
        sides = _sides(claim, links, column)
        if sides is None or sides.gap.run(claim.index).number is None:
            continue
        program = Compare(sides.gap, relation, Literal(number), tolerance)
        operators = [word, *bounding, *about, *sides.words]
        units = [n for n in (place, bounding.start) for n in claim.units.get(n, ((), ""))[0]]
        yield proposed(claim, "difference", program, sides.links, [column], [*operators, *units], [place])
        return


class _Sides(NamedTuple):
    """The difference between two numbers, and the links and words that tell them."""

    gap: Number
    links: Sequence[Link]
    words: Sequence[int]


def _sides(claim: GroundedClaim, links: Sequence[Link], column: int) -> _Sides | None:
    """Return the difference of two rows' numbers, else of two extremes of the rows that the claim names."""
    rows = [single_rows(claim, [link], column) for link in links[:2]]
    if len(rows) == 2 and rows[0] is not None and rows[1] is not None:
        first, second = rows[0][0], rows[1][0]
        if first.run(claim.index).rows == second.run(claim.index).rows:
            return None
        return _Sides(Arithmetic("|-|", Cell(first, column), Cell(second, column)), links[:2], ())
    if len(claim.superlatives) != 2 or links:
        return None
    names = [link for link in claim.names if column not in link.places]
    ends = [
        OrderedNumber(restricted(claim, names), column, extreme.place, is_highest(claim, extreme, column))
        for extreme in claim.superlatives
    ]
    words = sorted(positions_of(claim.superlatives))
    return _Sides(Arithmetic("|-|", *ends), names, words)


def _clause_of(claim: GroundedClaim, position: int) -> range:
    """Return the clause that a word stands in: the same weight of `weighs the same, but is wider`."""
    joints = [n for n, text in enumerate(claim.texts) if text in CLAUSE_MARKS | CONCEDING]
    before, behind = ([n for n in joints if (n > position) is later] for later in (False, True))
    return range(before[-1] + 1 if before else 0, behind[0] if behind else len(claim.texts))


def _sharing(claim: GroundedClaim) -> int | None:
    """Return where it is said that rows share what a column tells: `A and B share a port`; not of a share."""
    return next(
        (
            n
            for n, text in enumerate(claim.texts[:-2])
            if text in {"share", "shared"}
            and claim.texts[n + 1] in {"a", "an", "one"}
            and any(head.start == n + 2 for head in claim.linked.headers)
        ),
        None,
    )


def sameness_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether the listed rows have the same value in the column that the claim names."""
    same = claim.position({"same", "different", "equal", "identical", "level", "tied"})
    same = _sharing(claim) if same is None else same
    if same is None or claim.linked.in_header(same):
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
    clause = _clause_of(claim, same)
    headers = [head for head in claim.linked.headers if head.start in clause]
    heads = [head for head in headers if head.start > same]
    columns = [min(head.columns) for head in heads or list(reversed(headers))] or columns_of_points(claim)
    time = same_time(claim, same, clause)
    if time is not None:
        columns = [] if time.column is None else [time.column]
    for column in columns:
        if len(rows) < 2 or any(column in link.places for link in links):
            continue
        alike = Same(tuple(where(claim, link) for link in links), column, time.part if time else "")
        program: Truth = Not(alike) if claim.texts[same] == "different" else alike
        numbers = (link for link in claim.links if link.number is not None and link.start > same)
        values = [link for link in numbers if column in link.places]
        if values and program == alike:
            # `Level on 25 points`.
            value = values[0].within([column])
            program = All((alike, Some(Meet((where(claim, links[0]), where(claim, value))))))
        listing = [n for n, text in enumerate(claim.texts) if text in {"both", "all"}]
        placing = [n for n in range(same - 1, same) if claim.tokens[n].key in RANKING]
        operators = [same, *listing, *placing, *([same + 1] if time else ())]
        yield proposed(claim, "sameness", program, [*links, *values[:1]], [column], operators)
        return
