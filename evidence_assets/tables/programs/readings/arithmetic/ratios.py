"""Programs of how many times a number is another: `twice as many as`, `as long as`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Count, Literal
from evidence_assets.tables.programs.grammar.row_programs import meet
from evidence_assets.tables.programs.grammar.truth_programs import Compare
from evidence_assets.tables.programs.grammar.types import Number, Truth
from evidence_assets.tables.programs.links.contests.contest_links import is_an_outcome
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink, Link, positions_of
from evidence_assets.tables.programs.readings.parts.compared_rows import single_rows
from evidence_assets.tables.programs.readings.parts.extreme_columns import (
    kind_by_column,
    named_or_only_columns,
)
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    binding,
    numeric_columns,
    proposed,
    where,
)
from evidence_assets.tables.programs.readings.times.amounts_of_change import FACTORS
from evidence_assets.tables.programs.wording.claimed_shares import relation_before
from evidence_assets.tables.programs.wording.contest_words import OUTCOMES
from evidence_assets.tables.programs.wording.tolerances import (
    Tolerance,
    around,
    rounded_to,
    told_about,
    words_of_exactness,
)

_MULTIPLES = {**FACTORS, "half": 0.5}
_WIDEST = 10
_OF_RATIOS = rounded_to(1)


def ratio_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a number equals another, or is the claimed multiple of it, of rows or columns."""
    marks, of_noun = _as_and_as(claim), False
    if marks is None:
        marks, of_noun = _times_the(claim), True
    if marks is None:
        return
    multiple = _times(claim, *marks, of_noun=of_noun)
    for read in (_of_columns, _of_rows, _of_counts):
        if (proposal := read(claim, multiple)) is not None:
            yield proposal
            return


def _of_columns(claim: GroundedClaim, multiple: _Times) -> Proposal | None:
    """Return `A has twice as many boats as moorings`: of one row's numbers in two columns."""
    second, heads, index = multiple.marks[1], multiple.heads(claim), claim.index
    compared = [[link for link in side if len(link.rows) == 1] for side in multiple.sides(claim)]
    if any(left.places.keys() & right.places.keys() for left, right in product(*compared)):
        # `A costs twice as much as B in 2020` is of two rows.
        return None
    sides = [(head, behind) for head in heads for behind in heads if head.end <= second < behind.start]
    for head, behind in sides:
        for above, below in product(numeric_columns(claim, [head]), numeric_columns(claim, [behind])):
            rows = single_rows(claim, multiple.links(claim), above)
            if above == below or rows is None or index.table.label_column in {above, below}:
                continue
            program = multiple.program(Arithmetic("/", Cell(rows[0], above), Cell(rows[0], below)))
            return proposed(claim, "ratio of columns", program, rows[1], [above, below], multiple.words)
    return None


def _of_rows(claim: GroundedClaim, multiple: _Times) -> Proposal | None:
    """Return `A has twice as many boats as B`: of two rows' numbers in one column."""
    before, after = multiple.sides(claim)
    of_outcomes = any(claim.tokens[link.start].key in OUTCOMES for link in (*before, *after))
    for column, is_named in multiple.columns(claim):
        if of_outcomes and not is_named:
            # `Won as many games`: contests are counted.
            continue
        top, bottom = single_rows(claim, before, column), single_rows(claim, after, column)
        if top is None or bottom is None or top[0].run(claim.index).rows == bottom[0].run(claim.index).rows:
            continue
        program = multiple.program(Arithmetic("/", Cell(top[0], column), Cell(bottom[0], column)))
        if program.run(claim.index).truth is None:
            continue
        kind = kind_by_column("ratio", is_named=is_named)
        return proposed(claim, kind, program, [*top[1], *bottom[1]], [column], multiple.words)
    return None


def _of_counts(claim: GroundedClaim, multiple: _Times) -> Proposal | None:
    """Return `twice as many boats are red as blue`: of how many rows there are of either.

    What is said of the first and of no such thing of the second is of both: `won as often in May as in June`.
    """
    before, after = multiple.sides(claim)
    for left, right in product(before, after):
        for column in sorted(left.places.keys() & right.places.keys()):
            if max(len(left.places[column]), len(right.places[column])) < 2:
                continue
            of_right = [link for link in after if link is not right]
            said = {place for link in after for place in link.places}
            of_left = [link for link in before if link is not left]
            shared = [link for link in of_left if said.isdisjoint(link.places)]
            sides = [[left.within([column]), *of_left], [right.within([column]), *of_right, *shared]]
            counts = [Count(meet(where(claim, link) for link in side)) for side in sides]
            beside = positions_of([*of_left, *of_right])
            if not beside.isdisjoint(multiple.words) or not any(n.run(claim.index).number for n in counts):
                continue
            bound = binding(claim, [left, right, *of_left, *of_right], (), multiple.words)
            return Proposal("ratio of counts", multiple.program(Arithmetic("/", *counts)), bound)
    return None


def _as_and_as(claim: GroundedClaim) -> tuple[int, int] | None:
    """Return where `as` and `as` of a comparison stand; None without one."""
    marks = [position for position, text in enumerate(claim.texts) if text == "as"]
    pairs = [(first, second) for first, second in pairwise(marks) if 2 <= second - first <= _WIDEST]
    return pairs[-1] if pairs else None


def _times_the(claim: GroundedClaim) -> tuple[int, int] | None:
    """Return where `the` and `of` stand of `twice the power of B`, `three times that for B`; None without."""
    for end in range(1, len(claim.texts)):
        multiplied = claim.texts[end - 1] in {*_MULTIPLES, "time", "times"}
        if not multiplied or claim.texts[end] not in _ITS_NOUN:
            continue
        following = range(end + 1, min(len(claim.texts), end + _WIDEST))
        second = next((n for n in following if claim.texts[n] in _OF_THE_OTHER), None)
        if second is not None:
            return end, second
    return None


_ITS_NOUN, _OF_THE_OTHER = frozenset({"the", "that", "those"}), frozenset({"of", "for", "in", "at", "on"})


@dataclass(frozen=True, slots=True)
class _Times:
    """By how much a claim multiplies, 1 where it tells none, and the positions of the words that say so.

    `marks`: where `as` and `as` stand, or `the` and `of`. `of_noun`: the latter.
    """

    number: float
    relation: str
    marks: tuple[int, int]
    words: tuple[int, ...]
    tolerance: Tolerance
    of_noun: bool = False

    def columns(self, claim: GroundedClaim) -> Iterator[tuple[int, bool]]:
        """Yield the columns that rows may be compared in, and whether the claim names them."""
        heads = self.heads(claim)
        if self.of_noun:
            return ((column, True) for column in numeric_columns(claim, heads))
        return named_or_only_columns(claim, heads, self.marks[0] + 1)

    def links(self, claim: GroundedClaim) -> list[Link]:
        """Return the links of what is compared."""
        links = (link for link in claim.links if link.start not in self.words)
        return [link for link in links if not link.bound or is_an_outcome(claim.index, link)]

    def sides(self, claim: GroundedClaim) -> tuple[list[Link], list[Link]]:
        """Return the links before the second `as`, and behind it."""
        links, second = self.links(claim), self.marks[1]
        return [link for link in links if link.end <= second], [link for link in links if link.start > second]

    def heads(self, claim: GroundedClaim) -> list[HeaderLink]:
        """Return the claim's headers, first those between the marks."""
        first, second = self.marks
        return sorted(claim.linked.headers, key=lambda head: not first < head.start < second)

    def program(self, ratio: Number) -> Truth:
        """Return whether a ratio is as the claim says."""
        return Compare(ratio, self.relation, Literal(self.number), self.tolerance)


def _times(claim: GroundedClaim, end: int, second: int, *, of_noun: bool) -> _Times:
    """Return the multiple told before the first mark, at `end`, of `at least twice as many as`."""
    texts = claim.texts
    number, start = 1.0, end
    for position in range(end - 1, max(-1, end - 4), -1):
        factor = claim.tokens[position].number
        if texts[position] in _MULTIPLES:
            number, start = _MULTIPLES[texts[position]], position
            break
        if factor is not None and texts[position + 1] in {"time", "times"}:
            number, start = factor, position
            break
    relation, opening = relation_before(texts, start)
    denial = claim.negation
    if number == 1.0 and relation == "=" and denial is not None and denial < start:
        # What is not as long as another is shorter.
        relation = ">="
    words = [*opening, *words_of_exactness(texts, start), *range(start, end)]
    or_more = next((n for n in range(end, len(texts) - 1) if texts[n : n + 2] == ("or", "more")), None)
    if or_more is not None:
        relation, words = ">=", [*words, or_more, or_more + 1]
    tolerance, about = told_about(texts, start, number, _multiple(number))
    if about and tolerance.below == tolerance.above:
        # About five times are more than four and a half, and less than five and a half.
        tolerance = tolerance.times(2.0)
    marks = (end, second) if of_noun else (end, end + 1, second)
    return _Times(number, relation, (end, second), (*words, *about, *marks), tolerance, of_noun)


def _multiple(number: float) -> Tolerance:
    """Return how far off a multiple may be by itself: who says three times as many, rounds to a whole."""
    is_round = number >= _ROUNDED_FROM and number == int(number)
    return around(number * _ROUNDED_BY) if is_round else _OF_RATIOS


_ROUNDED_FROM, _ROUNDED_BY = 3, 0.05
