"""Claims of a number that several columns of one row make: their sum, the time between dates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Literal, sum_of
from evidence_assets.tables.programs.grammar.truth_programs import Compare
from evidence_assets.tables.programs.grammar.types import Number, Rows
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.readings.parts.cooccurrence import common_rows
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    as_told,
    numeric_columns,
    proposed,
    restricted,
)
from evidence_assets.tables.programs.wording.tolerances import EXACT, Tolerance
from evidence_assets.tables.programs.wording.words_of_time import DAYS_IN, MINUTES_IN
from evidence_assets.tables.programs.wording.words_of_wholes import adding_words


@dataclass(frozen=True, slots=True)
class _Derived:
    """A number made of columns. `unit`: of one of what the claim counts, in the number's own."""

    kind: str
    number: Number
    columns: tuple[int, ...]
    operators: tuple[int, ...]
    unit: float = 1.0


@dataclass(frozen=True, slots=True)
class _ClaimedNumber:
    """A number of the claim, its relation, and the positions of both."""

    number: float
    relation: str
    positions: tuple[int, ...]
    tolerance: Tolerance = EXACT


def derived_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a number made of a row's columns is the claimed one."""
    names = claim.names
    if len(common_rows(tuple(names))) != 1:
        return
    rows = restricted(claim, names)
    for derived in (*_sums(claim, rows), *_goal_difference(claim, rows), *_spans(claim, rows)):
        claimed = _claimed_number(claim, derived, names)
        if claimed is None or derived.number.run(claim.index).number is None:
            continue
        number = Literal(claimed.number * derived.unit)
        program = Compare(derived.number, claimed.relation, number, claimed.tolerance.times(derived.unit))
        yield proposed(
            claim, derived.kind, program, names, derived.columns, derived.operators, claimed.positions
        )


def _claimed_number(claim: GroundedClaim, derived: _Derived, names: list[Link]) -> _ClaimedNumber | None:
    """Return the last number of the claim that is neither a year, a name's, nor an operator's."""
    used = positions_of(names).union(derived.operators)
    scales = {claim.index.units[column][0].scale for column in derived.columns}
    scale = scales.pop() if len(scales) == 1 else 1.0
    years = claim.index.years_of_columns
    for limit in claim.linked.thresholds:
        if limit.position not in used:
            in_full = claim.tokens[limit.position].scale > 1.0 or limit.start in claim.units
            number = limit.bound / scale if in_full else limit.bound
            return _ClaimedNumber(number, limit.relation, tuple(range(limit.start, limit.end)))
    for position in reversed(range(len(claim.tokens))):
        token = claim.tokens[position]
        if token.number is None or token.ordinal or position in used or token.number in years:
            continue
        in_full = token.scale > 1.0 or position in claim.units
        number = token.number / scale if in_full else token.number
        tolerance, about = as_told(claim, position, number)
        return _ClaimedNumber(number, "=", (*about, position), tolerance)
    return None


def _sums(claim: GroundedClaim, rows: Rows) -> Iterator[_Derived]:
    """Yield the sum of the columns that a claim names, or of its years."""
    words = adding_words(claim.texts, range(len(claim.texts)))
    if not words:
        return
    columns = list(dict.fromkeys(numeric_columns(claim, claim.linked.headers)))
    years = {float(year): column for column, year in claim.index.year_columns.items()}
    ends = sorted(
        number for token in claim.tokens if (number := token.number) is not None and number in years
    )
    if len(ends) == 2:
        columns = [column for year, column in sorted(years.items()) if ends[0] <= year <= ends[1]]
    elif not columns and any(token.key == "year" for token in claim.tokens):
        columns = list(years.values())
    if len(columns) < 2:
        return
    factors = [claim.index.factor(columns[0], column) for column in columns]
    cells: list[Number] = [
        Cell(rows, column, factor)
        for column, factor in zip(columns, factors, strict=True)
        if factor is not None
    ]
    if len(cells) < len(columns):
        return
    total = sum_of(cells)
    yield _Derived("sum of columns", total, tuple(columns), tuple(words))


def _goal_difference(claim: GroundedClaim, rows: Rows) -> Iterator[_Derived]:
    """Yield what a row has for it less what it has against it: a goal difference of 22."""
    word, columns = claim.position({"difference"}), claim.index.opposed
    if word is not None and columns is not None and not claim.linked.in_header(word):
        difference = Arithmetic("-", Cell(rows, columns[0]), Cell(rows, columns[1]))
        yield _Derived("difference of columns", difference, columns, (word,))


def _spans(claim: GroundedClaim, rows: Rows) -> Iterator[_Derived]:
    """Yield the days, years or minutes between a row's two dates, years or times of day."""
    index = claim.index
    for position, token in enumerate(claim.tokens[:-1]):
        if claim.tokens[position + 1].key in MINUTES_IN and token.number is not None:
            for first, last in combinations(index.clocks, 2):
                span = Arithmetic("-", Cell(rows, last), Cell(rows, first))
                unit = MINUTES_IN[claim.tokens[position + 1].key]
                yield _Derived("time between clocks", span, (first, last), (position + 1,), unit)
        following = claim.tokens[position + 1].key
        if token.number is None or token.ordinal:
            continue
        if following in DAYS_IN:
            pairs, unit = combinations(index.dated, 2), DAYS_IN[following]
        elif following == "year":
            pairs, unit = combinations([c for c in sorted(index.years) if c not in index.dated], 2), 1.0
        else:
            continue
        for first, last in pairs:
            span = Arithmetic("|-|", Cell(rows, last), Cell(rows, first))
            yield _Derived("time between dates", span, (first, last), (position + 1,), unit)
