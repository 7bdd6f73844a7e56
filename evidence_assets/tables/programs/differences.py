"""Programs that relate two numbers or dates: ratios, differences, sameness, time between, order."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

from evidence_assets.tables.programs.amounts_of_change import FACTORS
from evidence_assets.tables.programs.claimed_shares import relation_before
from evidence_assets.tables.programs.compared_rows import rivals, single_rows
from evidence_assets.tables.programs.extreme_columns import named_or_only_columns, ranked_columns
from evidence_assets.tables.programs.grammar import Number, Truth
from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.number_programs import Arithmetic, Cell, Count, Literal, Mean, YearOf
from evidence_assets.tables.programs.proposal import (
    Proposal,
    as_told,
    binding,
    numeric_columns,
    proposed,
    where,
)
from evidence_assets.tables.programs.thresholds import thresholds
from evidence_assets.tables.programs.tolerances import Tolerance, rounded_to, told_about
from evidence_assets.tables.programs.trigger_lexicon import RANKING
from evidence_assets.tables.programs.truth_programs import Compare, Not, Same
from evidence_assets.tables.programs.words import word_key
from evidence_assets.tables.programs.words_of_time import DAYS_IN

_MULTIPLES = {**FACTORS, "half": 0.5}
_WIDEST = 10
_OF_RATIOS = rounded_to(1)


def ratio_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a number equals another, or is the claimed multiple of it, of rows or columns."""
    marks = _as_and_as(claim)
    if marks is None:
        return
    first, second = marks
    multiple = _times(claim, first)
    operators = [*multiple.words, first, first + 1, second]
    links = [link for link in claim.links if not link.bound and link.start not in operators]
    before, after = [x for x in links if x.end <= second], [x for x in links if x.start > second]
    heads = sorted(claim.linked.headers, key=lambda head: not first < head.start < second)
    sides = [(head, behind) for head in heads for behind in heads if head.end <= second < behind.start]
    for head, behind in sides:
        for above, below in product(numeric_columns(claim, [head]), numeric_columns(claim, [behind])):
            rows = single_rows(claim, links, above)
            names_rows = claim.index.table.label_column in {above, below}
            if above != below and rows is not None and not names_rows:
                ratio = Arithmetic("/", Cell(rows[0], above), Cell(rows[0], below))
                yield proposed(
                    claim, "ratio of columns", multiple.program(ratio), rows[1], [above, below], operators
                )
                return
    for column, is_named in named_or_only_columns(claim, heads, first + 1):
        top, bottom = single_rows(claim, before, column), single_rows(claim, after, column)
        if top is None or bottom is None or top[0].run(claim.index).rows == bottom[0].run(claim.index).rows:
            continue
        ratio = Arithmetic("/", Cell(top[0], column), Cell(bottom[0], column))
        program = multiple.program(ratio)
        if program.run(claim.index).truth is None:
            continue
        kind = "ratio" if is_named else "ratio in the only column"
        yield proposed(claim, kind, program, [*top[1], *bottom[1]], [column], operators)
        return
    for left, right in product(before, after):
        for column in sorted(left.places.keys() & right.places.keys()):
            if max(len(left.places[column]), len(right.places[column])) < 2:
                continue
            counts = [Count(where(claim, link.within([column]))) for link in (left, right)]
            bound = binding(claim, [left, right], (), operators)
            yield Proposal("ratio of counts", multiple.program(Arithmetic("/", *counts)), bound)
            return


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


def _as_and_as(claim: GroundedClaim) -> tuple[int, int] | None:
    """Return where `as` and `as` of a comparison stand; None without one."""
    marks = [position for position, text in enumerate(claim.texts) if text == "as"]
    pairs = [(first, second) for first, second in pairwise(marks) if 2 <= second - first <= _WIDEST]
    return pairs[-1] if pairs else None


@dataclass(frozen=True, slots=True)
class _Times:
    """By how much a claim multiplies, 1 where it tells none, and the positions of the words that say so."""

    number: float
    relation: str
    words: tuple[int, ...]
    tolerance: Tolerance = _OF_RATIOS

    def program(self, ratio: Number) -> Truth:
        """Return whether a ratio is as the claim says."""
        return Compare(ratio, self.relation, Literal(self.number), self.tolerance)


def _times(claim: GroundedClaim, end: int) -> _Times:
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
    exactly = (start - 1,) if texts[start - 1 : start] == ("exactly",) else ()
    words = [*opening, *exactly, *range(start, end)]
    or_more = next((n for n in range(end, len(texts) - 1) if texts[n : n + 2] == ("or", "more")), None)
    if or_more is not None:
        relation, words = ">=", [*words, or_more, or_more + 1]
    tolerance, about = told_about(texts, start, number, _multiple(number))
    if about and tolerance.below == tolerance.above:
        # About five times are more than four and a half, and less than five and a half.
        tolerance = tolerance.times(2.0)
    return _Times(number, relation, (*words, *about), tolerance)


def _multiple(number: float) -> Tolerance:
    """Return how far off a multiple may be by itself: who says three times as many, rounds to a whole."""
    is_round = number >= _ROUNDED_FROM and number == int(number)
    return Tolerance(number * _ROUNDED_BY, number * _ROUNDED_BY) if is_round else _OF_RATIOS


_ROUNDED_FROM, _ROUNDED_BY = 3, 0.05


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


def gap_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A came three days after B`, `two weeks lie between A and B`: the time between rows' dates."""
    texts, index = claim.texts, claim.index
    place = next((n for n in range(len(texts)) if _tells_days(claim, n)), None)
    word = claim.position(_BESIDE)
    names = [link for link in claim.links if not link.bound and link.start != place and len(link.rows) == 1]
    if place is None or word is None or len(names) < 2:
        return
    (first, second), unit = names[:2], DAYS_IN[claim.tokens[place + 1].key]
    rows = first.rows | second.rows
    named_columns = [column for head in claim.linked.headers for column in head.columns]
    for column in sorted(index.dated, key=lambda dated: dated not in named_columns):
        dates = [index.table.rows[row][column].value.date for row in rows]
        if len(rows) < 2 or not all(map(_DAY.search, dates)):
            continue
        sides = Cell(where(claim, first), column), Cell(where(claim, second), column)
        operation = "|-|" if texts[word] in {"between", "apart"} else "-"
        count = 1.0 if texts[place] == "a" else claim.tokens[place].number or 0.0
        days = count * unit * _BESIDE[texts[word]]
        program = Compare(Arithmetic(operation, *sides), "=", Literal(days))
        yield proposed(claim, "time between rows", program, names[:2], [column], [word], [place, place + 1])
        return


def years_between_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A opened 86 years after B`, `more than ten years before B`: years between what rows tell."""
    texts, index = claim.texts, claim.index
    place = next((n for n in range(len(texts) - 2) if _tells_years(claim, n)), None)
    if place is None or texts[place + 2] not in _BESIDE:
        return
    beside = place + 2
    before = [link for link in claim.names if link.end <= place and link.start != place]
    after = [link for link in claim.names if link.start > beside]
    limit = next((limit for limit in thresholds(claim.tokens) if limit.position == place), None)
    relation = "=" if limit is None else limit.relation
    words = range(place, place + 2) if limit is None else range(limit.start, place + 2)
    named_columns = [column for head in claim.linked.headers for column in head.columns]
    told_columns = [column for column in named_columns if column in index.years]
    for column in told_columns or (list(index.years) if len(index.years) == 1 else []):
        first, second = single_rows(claim, before, column), single_rows(claim, after, column)
        if first is None or second is None:
            continue
        sides = [YearOf(first[0], column), YearOf(second[0], column)]
        earlier, later = sides if _BESIDE[texts[beside]] < 0 else reversed(sides)
        number = 1.0 if texts[place] == "a" else claim.tokens[place].number or 0.0
        program = Compare(Arithmetic("-", later, earlier), relation, Literal(number))
        if program.run(index).truth is not None:
            links = [*first[1], *second[1]]
            yield proposed(claim, "years between rows", program, links, [column], [beside], words)
            return


def _tells_years(claim: GroundedClaim, position: int) -> bool:
    """Return whether years follow a number, or an article, which counts one of them."""
    counts = claim.tokens[position].number is not None or claim.texts[position] == "a"
    return counts and claim.tokens[position + 1].key == "year"


# Words that tell that one date is beside another, and the sign of their difference.
_BESIDE = {"after": 1, "later": 1, "before": -1, "earlier": -1, "between": 1, "apart": 1}
# The end of a date that tells its day.
_DAY = re.compile(r"-\d\d-\d\d$")


def _tells_days(claim: GroundedClaim, position: int) -> bool:
    """Return whether days or weeks follow a number, or an article, which counts one of them."""
    counts = claim.tokens[position].number is not None or claim.texts[position] == "a"
    return counts and any(token.key in DAYS_IN for token in claim.tokens[position + 1 : position + 2])


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


def order_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether one value of a column comes before or after another in the table's dates."""
    position = claim.position({"before", "after"})
    if position is None:
        return
    for before in (link for link in reversed(claim.links) if link.end <= position):
        for after in (link for link in claim.links if link.start > position):
            shared = sorted(before.places.keys() & after.places.keys())
            if not shared or before.bound or after.bound or before.rows & after.rows:
                continue
            dated = next(iter(claim.index.dated), None)
            first, second = (Mean(where(claim, link.within(shared[:1])), dated) for link in (before, after))
            relation = "<" if claim.texts[position] == "before" else ">="
            program = Compare(first, relation, second)
            yield proposed(claim, "order", program, [before, after], (), [position])
            return
