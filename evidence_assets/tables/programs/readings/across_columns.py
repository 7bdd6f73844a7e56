"""Claims about the highest or lowest of one row's numbers, in columns that tell the same of other times."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from evidence_assets.tables.programs.grammar.number_programs import Across, Aggregate, Arithmetic, Cell
from evidence_assets.tables.programs.grammar.row_programs import AllRows, meet
from evidence_assets.tables.programs.grammar.truth_programs import Compare
from evidence_assets.tables.programs.grammar.types import Number
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.period_headers import parts_of_any_year, year_series
from evidence_assets.tables.programs.readings.extreme_columns import is_highest, lacks_measure
from evidence_assets.tables.programs.readings.extreme_wording import is_among_years
from evidence_assets.tables.programs.readings.proposal import Proposal, proposed, where
from evidence_assets.tables.programs.readings.shares import near_share
from evidence_assets.tables.programs.wording.claimed_shares import fraction
from evidence_assets.tables.programs.wording.words_of_time import TIMES


def across_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A had its best year in 2020`: A's number of that year is the highest of all of the columns'."""
    yield from _share_of_a_year(claim)
    index = claim.index
    times = [n for n, token in enumerate(claim.tokens) if token.key in TIMES]
    columns = year_series(index)
    year_of = {column: index.year_columns[column] for column in columns}
    years = [n for n, token in enumerate(claim.tokens) if token.number in year_of.values()]
    names = [link for link in claim.names if link.places]
    if len(years) != 1 or len(claim.superlatives) != 1 or not names or claim.numbers:
        return
    extreme = claim.superlatives[0]
    if not times and not is_among_years(claim, extreme):
        return
    column = next(c for c in columns if year_of[c] == claim.tokens[years[0]].number)
    if extreme.place > 1 or lacks_measure(claim, extreme.end - 1):
        return
    rows = meet([where(claim, link) for link in names])
    name = "highest" if is_highest(claim, extreme, column) else "lowest"
    program = Compare(Cell(rows, column), "=", Across(name, rows, columns))
    operators = [*range(extreme.start, extreme.end), *times, *years]
    yield proposed(claim, "superlative of years", program, names, [column], operators)


def _share_of_a_year(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `half of A's sales fell in summer`: of a part's column in the parts of the row together.

    Of all rows where the claim names none.
    """
    part, parts = fraction(claim.tokens), parts_of_any_year(claim.index)
    heads = [head for head in claim.linked.headers if head.columns <= parts.keys() and len(head.columns) == 1]
    if part is None or len(heads) != 1:
        return
    column = min(heads[0].columns)
    if "%" in claim.index.told_units[column]:
        return
    names = [link for link in claim.names if link.places]
    rows = meet([where(claim, link) for link in names])
    if names:
        if len(rows.run(claim.index).rows) != 1:
            return
        numbers: list[Number] = [Cell(rows, other) for other in parts]
    else:
        numbers = [Aggregate("sum", AllRows(), other) for other in parts]
    total = reduce(lambda left, right: Arithmetic("+", left, right), numbers)
    share = Arithmetic("% of", numbers[list(parts).index(column)], total)
    program, words = near_share(claim, part, share)
    of_time = [n for n, token in enumerate(claim.tokens) if token.key in TIMES]
    yield proposed(claim, "share of a year", program, names, [column], [*words, *of_time])
