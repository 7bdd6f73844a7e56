"""Claims that a number rose or fell from one row or column to another."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Literal
from evidence_assets.tables.programs.grammar.row_programs import Where, meet
from evidence_assets.tables.programs.grammar.truth_programs import Compare, all_of
from evidence_assets.tables.programs.grammar.types import Number, Truth
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.links.ranks.row_ranges import of_the_year_behind
from evidence_assets.tables.programs.readings.parts.extreme_columns import only_numeric_column
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, numeric_columns, proposed, where
from evidence_assets.tables.programs.readings.times.amounts_of_change import Change, amount_of
from evidence_assets.tables.programs.readings.times.changes_over_time import claimed_change
from evidence_assets.tables.programs.readings.times.steps_of_changes import words_unbroken
from evidence_assets.tables.programs.readings.times.times_of_changes import ends_told, times_told
from evidence_assets.tables.programs.wording.quantities import unit_after
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    BETTERED,
    changes,
    direction,
    direction_at,
    each_word,
)
from evidence_assets.tables.programs.wording.words_of_time import OPENINGS_OF_SPANS, TIMES
from evidence_assets.text.roots import root

_JOINS = frozenset({"to", "and"})


def change_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a number rose or fell between the two times, or the two rows, that the claim names."""
    yield from _of_totals(claim)
    opening = claim.position(OPENINGS_OF_SPANS)
    change = None if opening is None else _multiple_or_sign(claim)
    if opening is None or change is None:
        return
    join = next((n for n in range(opening + 1, len(claim.texts)) if claim.texts[n] in _JOINS), None)
    if join is None:
        return
    operators = [change.position, opening, join]
    yield from _between_rows(claim, operators, change)
    if direction(claim.texts[change.position]):
        yield from _between_columns(claim, operators, change)


def _multiple_or_sign(claim: GroundedClaim) -> Change | None:
    """Return by what a number is said to be multiplied, or the first word for a rise or a fall; else None."""
    change = claimed_change(claim)
    if change is not None and change.factor is not None:
        return change
    texts = claim.texts
    signs = ((n, direction_at(texts, n) or BETTERED.get(root(text), "")) for n, text in enumerate(texts))
    return next((Change(n, sign, (n,)) for n, sign in signs if sign), None)


def _of_totals(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `in 2020, 5 fewer were found than in the year before`: of the row of totals, none being named."""
    index, change = claim.index, claimed_change(claim)
    if change is None or len(index.summaries) != 1 or claim.names or claim.superlatives:
        return
    ends = ends_told(claim, change, times_told(claim)) if len(times_told(claim)) > 1 else None
    if (
        ends is None
        or not _speaks_of_all(claim, change)
        or each_word(claim.texts) is not None
        or words_unbroken(claim) is not None
    ):
        return
    earlier, later, words = ends
    rows = Where(Link.of_column(0, 0, index.table.label_column or 0, index.summaries, ""), "total")
    program, amount = _changed(claim, change, Cell(rows, earlier), Cell(rows, later))
    counted = {n for n, token in enumerate(claim.tokens) if token.number is not None and not token.ordinal}
    years = {n for n in counted if claim.tokens[n].number in index.years_of_columns}
    if counted <= {*years, *words, *amount} and program.run(index).truth is not None:
        operators = [*change.words, *words]
        yield proposed(claim, "change of totals", program, [], [earlier, later], operators, amount)


def _speaks_of_all(claim: GroundedClaim, change: Change) -> bool:
    """Return whether a claim says what the table is of, and of what its change is no more than that.

    `There were more wasps`, `the number of cellists rose` are of a part that no row tells.
    """
    index = claim.index
    of_all = index.caption | {*index.headers[index.table.label_column or 0]}
    of_a_part = any(
        n <= change.position + 1 and claim.texts[n] not in _OCCASIONS
        for n in claim.linked.unknown
        if n != change.position and claim.tokens[n].number is None
    )
    return not of_a_part and any(token.key in of_all for token in claim.tokens if not token.stop)


_OCCASIONS = frozenset({"occasions", "times", "cases", "number", "numbers"})


def step_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `sales fell in 2020`, `stalls doubled in March`: a change from the row of the time before.

    Of `rose in June and July` the change of each.
    """
    change = claimed_change(claim)
    if change is None or each_word(claim.texts) is not None or words_unbroken(claim) is not None:
        return
    if sum(changes(text) for text in claim.texts) > 1:
        # Each change is of a time of its own.
        return
    amount = amount_of(claim, change)
    amount_words = set() if amount is None else set(amount.words)
    if any(unit_after(claim.tokens, n)[0] not in {"", "%"} and n not in claim.units for n in amount_words):
        # `By ten cents` of what is told in euros.
        return
    times = [link for link in claim.links if amount_words.isdisjoint(range(link.start, link.end))]
    before = [row for time in times if (row := row_before(claim, time)) is not None]
    if not times or len(before) < len(times) or not _are_listed(claim, times):
        return
    of_times = {*times[0].places, *claim.index.year_columns}
    columns = [c for c in numeric_columns(claim, claim.linked.headers) if c not in of_times]
    ends = {time.start for time in times}
    for column in columns or _unnamed(claim):
        steps = [
            _changed(
                claim, change, Cell(Where.of_row(row, column), column), Cell(where(claim, time), column), ends
            )
            for row, time in zip(before, times, strict=True)
        ]
        program = all_of(step for step, _ in steps)
        if program.run(claim.index).truth is None:
            continue
        kind, numbers = "change from the row before", steps[0][1]
        yield proposed(claim, kind, program, times, [column], change.words, numbers)
        return


def _are_listed(claim: GroundedClaim, times: Sequence[Link]) -> bool:
    """Return whether times stand behind `in`, those of several joined by `and`: `in June and July`."""
    texts = claim.texts
    first, last = times[0], times[-1]
    opening = [text for text in texts[max(0, first.start - 3) : first.start] if text not in {"the", "both"}]
    inside = positions_of(times)
    joins = {texts[n] for n in range(first.start, last.end) if n not in inside}
    return (
        opening[-1:] == ["in"] and joins <= {"and", ",", "in", "the"} and ("and" in joins) == (len(times) > 1)
    )


def row_before(claim: GroundedClaim, time: Link) -> int | None:
    """Return the row of the time right before that of a link; None where they are no series."""
    index, rows = claim.index, time.rows
    columns = {*index.dates_and_years}
    label = index.table.label_column
    if label is not None and not TIMES.isdisjoint(index.headers[label]):
        columns.add(label)
    if len(rows) != 1 or not time.places.keys() <= columns or len(time.places) != 1:
        return None
    (row,), (column,) = rows, time.places
    if not (time.bound or column in time.full):
        # Of `Q1 2021` the year is not all.
        return None
    without_summaries = sorted(index.rows - index.summaries)
    moments = index.series[column]
    if not moments:
        is_series = len({index.keys[n, column] for n in without_summaries}) == len(without_summaries)
        return row - 1 if is_series and row - 1 in without_summaries else None
    order = sorted(moments.keys() & set(without_summaries), key=moments.__getitem__)
    gaps = [moments[later] - moments[earlier] for earlier, later in pairwise(order)]
    place = order.index(row) if row in order else 0
    usual = min(gaps, default=0.0)
    # Of a year that is not in the table nothing is told.
    follows = place and 0 < gaps[place - 1] <= usual * _NEARLY_EVEN
    return order[place - 1] if follows and usual > 0 else None


# Months are of 28 to 31 days.
_NEARLY_EVEN = 1.2


def _between_rows(claim: GroundedClaim, operators: list[int], change: Change) -> Iterator[Proposal]:
    _, opening, join = operators
    links = [part for link in claim.links for part in _ends(claim, link, join)]
    earlier = [link for link in links if opening < link.start < join]
    later = [link for link in links if link.start > join][:1]
    if len(earlier) != 1 or not later or earlier[0].bound or later[0].bound:
        return
    last = later[0]
    first = of_the_year_behind(claim.index, claim.tokens, earlier[0], last)
    if not first.places.keys() & last.places.keys():
        return
    shared = [link for link in links if link not in (earlier[0], last) and link.number is None]
    scope = [where(claim, link) for link in shared]
    columns = [c for c in numeric_columns(claim, claim.linked.headers) if c not in first.places]
    said = {token.number for token in claim.tokens}
    columns = [c for c in columns if claim.index.year_columns.get(c) in said] or columns
    bettered = root(claim.texts[operators[0]]) in BETTERED
    for column in columns or _unnamed(claim):
        is_turned = bettered and column in claim.index.best_first
        if not is_turned and not (change.factor or direction(claim.texts[operators[0]])):
            continue
        graded = replace(change, relation=operations.TURNED[change.relation]) if is_turned else change
        before = Cell(meet([where(claim, first), *scope]), column)
        after = Cell(meet([where(claim, last), *scope]), column)
        program, numbers = _changed(claim, graded, before, after, {first.start, last.start})
        if program.run(claim.index).truth is None:
            continue
        yield proposed(claim, "change", program, [first, last, *shared], [column], operators, numbers)
        return


def _unnamed(claim: GroundedClaim) -> list[int]:
    """Return the only column of numbers, where a claim names no column that says something else."""
    index, only = claim.index, only_numeric_column(claim)
    of_rows = {*index.dates_and_years, index.table.label_column, only}
    named = any(not head.columns & of_rows for head in claim.linked.headers)
    return [] if only is None or named else [only]


def _ends(claim: GroundedClaim, link: Link, join: int) -> Iterator[Link]:
    """Yield the rows of the two ends of a span around a position; a link of anything else as it is."""
    index, column = claim.index, next(iter(link.places), None)
    if column is None or not (link.bound and link.start < join < link.end):
        yield link
        return
    years = index.years.get(column, {})
    opening = link.start + (claim.texts[link.start] in OPENINGS_OF_SPANS)
    for start, end in ((opening, join), (join + 1, link.end)):
        number, keys = claim.tokens[start].number, tuple(token.key for token in claim.tokens[start:end])
        rows = {
            row
            for row in link.rows
            if (years[row] == number if row in years else index.keys[row, column] == keys)
        }
        # Of `between Q2 and Q3 2022` the year is of both.
        rows = rows or {row for row in link.rows if index.keys[row, column][: len(keys)] == keys}
        yield Link(start, end, {column: frozenset(rows)}, frozenset({column}), 1, claim.tokens[start].number)


def _between_columns(claim: GroundedClaim, operators: list[int], change: Change) -> Iterator[Proposal]:
    _, opening, join = operators
    earlier = [head for head in claim.linked.headers if opening < head.start < join]
    later = [head for head in claim.linked.headers if head.start > join][:1]
    links = [link for link in claim.links if link.number is None]
    if len(earlier) != 1 or not later or not links:
        return
    rows = meet([where(claim, link) for link in links])
    for first in numeric_columns(claim, earlier):
        for last in numeric_columns(claim, later):
            program, numbers = _changed(claim, change, Cell(rows, first), Cell(rows, last))
            if first == last or program.run(claim.index).truth is None:
                continue
            yield proposed(claim, "change between columns", program, links, [first, last], operators, numbers)
            return


def _changed(
    claim: GroundedClaim, change: Change, before: Number, after: Number, ends: Collection[int] = ()
) -> tuple[Truth, Sequence[int]]:
    """Return the program of a change, by how much where the claim tells an amount, and what that binds.

    `ends`: where the two times are told, which are no amounts.
    """
    amount = amount_of(claim, change)
    if amount is None or not set(amount.words[:1]).isdisjoint(ends):
        return Compare(after, change.relation, before), []
    if amount.is_factor:
        left: Number = Arithmetic("/", after, before)
    else:
        first, second = (before, after) if change.relation == "<" else (after, before)
        left = Arithmetic("-", first, second)
    return Compare(left, amount.relation, Literal(amount.number), amount.tolerance), amount.words
