"""Claims that a number rose or fell from one row or column to another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Literal
from evidence_assets.tables.programs.grammar.row_programs import Where, meet
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare
from evidence_assets.tables.programs.grammar.types import Number, Truth
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.changes_over_time import claimed_change
from evidence_assets.tables.programs.readings.extreme_columns import only_numeric_column
from evidence_assets.tables.programs.readings.proposal import (
    Proposal,
    as_told,
    binding,
    denied,
    numeric_columns,
    proposed,
    where,
)
from evidence_assets.tables.programs.wording.claimed_shares import fraction
from evidence_assets.tables.programs.wording.percent_words import is_in_percent, words_of_percent
from evidence_assets.tables.programs.wording.tolerances import OF_SHARES, OF_WHOLE, told_about
from evidence_assets.tables.programs.wording.trigger_lexicon import direction, each_word
from evidence_assets.tables.programs.wording.words_of_time import OPENINGS_OF_SPANS, TIMES

_JOINS = frozenset({"to", "and"})


def change_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a number rose or fell between the two times, or the two rows, that the claim names."""
    trigger = next(((n, sign) for n, text in enumerate(claim.texts) if (sign := direction(text))), None)
    opening = claim.position(OPENINGS_OF_SPANS)
    if trigger is None or opening is None:
        return
    join = next((n for n in range(opening + 1, len(claim.texts)) if claim.texts[n] in _JOINS), None)
    if join is None:
        return
    operators = [trigger[0], opening, join]
    yield from _between_rows(claim, operators, trigger[1])
    yield from _between_columns(claim, operators, trigger[1])


def series_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `heating fell every month`: whether a column's numbers all rise, or fall, from row to row."""
    trigger, quantifier = claimed_change(claim), each_word(claim.texts)
    if trigger is None or trigger.relation == "=" or trigger.factor is not None:
        return
    if quantifier is None or claim.links or claim.index.year_columns:
        return
    if claim.tokens[quantifier + 1 : quantifier + 2] and claim.tokens[quantifier + 1].key not in TIMES:
        return
    times = {*claim.index.dated, *claim.index.years, claim.index.table.label_column}
    for column in numeric_columns(claim, claim.linked.headers):
        if column in times:
            continue
        numbers = [number for _, number in sorted(claim.index.series[column].items())]
        rows = frozenset(claim.index.series[column]) - claim.index.summaries
        if len(rows) == len(numbers) > 2:
            bound = binding(claim, (), [column], [*trigger.words, quantifier, quantifier + 1])
            program: Truth = All(
                tuple(
                    Compare(
                        Cell(_row(later, column), column),
                        trigger.relation,
                        Cell(_row(earlier, column), column),
                    )
                    for earlier, later in pairwise(sorted(rows))
                )
            )
            yield Proposal("series", denied(claim, program, bound), bound)
            return


def _row(row: int, column: int) -> Where:
    return Where(Link(0, 0, {column: frozenset({row})}, frozenset({column}), 0), f"row {row + 1}")


def _between_rows(claim: GroundedClaim, operators: list[int], relation: str) -> Iterator[Proposal]:
    _, opening, join = operators
    earlier = [link for link in claim.links if opening < link.start < join]
    later = [link for link in claim.links if link.start > join][:1]
    if len(earlier) != 1 or not later or earlier[0].bound or later[0].bound:
        return
    first, last = earlier[0], later[0]
    if not first.places.keys() & last.places.keys():
        return
    shared = [link for link in claim.links if link is not first and link is not last and link.number is None]
    scope = [where(claim, link) for link in shared]
    columns = [c for c in numeric_columns(claim, claim.linked.headers) if c not in first.places]
    only_column = only_numeric_column(claim)
    for column in columns or ([] if only_column is None else [only_column]):
        before = Cell(meet([where(claim, first), *scope]), column)
        after = Cell(meet([where(claim, last), *scope]), column)
        program, numbers = _changed(claim, relation, before, after, {first.start, last.start})
        if program.run(claim.index).truth is None:
            continue
        yield proposed(claim, "change", program, [first, last, *shared], [column], operators, numbers)
        return


def _between_columns(claim: GroundedClaim, operators: list[int], relation: str) -> Iterator[Proposal]:
    _, opening, join = operators
    earlier = [head for head in claim.linked.headers if opening < head.start < join]
    later = [head for head in claim.linked.headers if head.start > join][:1]
    links = [link for link in claim.links if link.number is None]
    if len(earlier) != 1 or not later or not links:
        return
    rows = meet([where(claim, link) for link in links])
    for first in numeric_columns(claim, earlier):
        for last in numeric_columns(claim, later):
            program, numbers = _changed(claim, relation, Cell(rows, first), Cell(rows, last), set())
            if first == last or program.run(claim.index).truth is None:
                continue
            yield proposed(claim, "change between columns", program, links, [first, last], operators, numbers)
            return


def _changed(
    claim: GroundedClaim, relation: str, before: Number, after: Number, ends: set[int]
) -> tuple[Truth, list[int]]:
    """Return the program of a change, by how much where `by 5` or `by 5 %` tells, and what that binds."""
    part = fraction(claim.tokens)
    if part is not None and "by" in claim.texts[max(0, part.words[0] - 1) : part.words[0]]:
        falls = relation == "<"
        beyond = operations.TURNED[part.relation] if falls else part.relation
        percent = Literal(100 * (-part.share if falls else part.share))
        tolerance, about = told_about(claim.texts, part.words[0], percent.number, OF_SHARES.times(100.0))
        tolerance = tolerance.times(-1 if falls else 1)
        program = Compare(Arithmetic("% above", after, before), beyond, percent, tolerance)
        return program, [part.words[0] - 1, *part.words, *about]
    by_word = next(
        (n for n, text in enumerate(claim.texts[:-1]) if text == "by" and claim.tokens[n + 1].number), None
    )
    if by_word is None or by_word + 1 in ends:
        return Compare(after, relation, before), []
    amount = claim.column_numbers.get(by_word + 1) or claim.tokens[by_word + 1].number or 0
    number = float(amount) * (-1 if relation == "<" else 1)
    if is_in_percent(claim.texts, by_word + 1):
        change = Arithmetic("% above", after, before)
        tolerance, _ = as_told(claim, by_word + 1, number, OF_WHOLE)
        return Compare(change, "=", Literal(number), tolerance), [by_word, by_word + 1, by_word + 2]
    points = words_of_percent(claim.texts, by_word + 1)
    change = Arithmetic("-", after, before)
    tolerance, _ = as_told(claim, by_word + 1, number)
    return Compare(change, "=", Literal(number), tolerance), [by_word, by_word + 1, *points]
