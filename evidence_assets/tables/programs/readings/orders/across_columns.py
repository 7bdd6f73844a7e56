"""Claims about the highest or lowest of one row's numbers, in columns that tell the same of other times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from evidence_assets.tables.programs.grammar.number_programs import (
    Aggregate,
    Arithmetic,
    Cell,
    HowMany,
    Literal,
    sum_of,
)
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Where, meet
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare
from evidence_assets.tables.programs.grammar.types import Number, Truth
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.links.times.period_headers import recurring_parts, year_series
from evidence_assets.tables.programs.readings.arithmetic.shares_of_wholes import near_share
from evidence_assets.tables.programs.readings.orders.comparisons_with_others import ALL_OTHERS
from evidence_assets.tables.programs.readings.orders.extreme_wording import (
    is_among_years,
    is_so_among_all_alone,
    may_be_among_its_times,
)
from evidence_assets.tables.programs.readings.parts.extreme_columns import is_highest, lacks_measure
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, proposed, where
from evidence_assets.tables.programs.wording.superlative_words import Superlative
from evidence_assets.tables.programs.wording.trigger_lexicon import EACH, comparative, row_nouns
from evidence_assets.tables.programs.wording.words_of_time import PARTS_OF_YEARS, TIMES
from evidence_assets.tables.programs.wording.words_of_wholes import AS_A_WHOLE, OVERALL, words_of_phrases


def across_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `A had its best year in 2020`: A's number of that year is the highest of all of the columns'.

    Of what all rows have together where the claim names none: `summer was the best season as a whole`.
    """
    yield from _share_of_a_year(claim)
    index = claim.index
    series = year_series(index) or tuple(recurring_parts(index))
    if not series:
        return
    # `Most expensive` is of all of the columns.
    measured = positions_of(claim.superlatives) | {extreme.end for extreme in claim.superlatives}
    heads = [head for head in claim.linked.headers if head.columns & {*series} and head.start not in measured]
    if len(heads) != 1 or len(heads[0].columns) > 1:
        return
    names = [link for link in claim.names if link.places]
    counts = [n for n in claim.numbers if claim.tokens[n].number == len(index.rows - index.summaries)]
    if len(counts) < len(claim.numbers):
        return
    column = min(heads[0].columns)
    ranked = _ranked(claim, column)
    if ranked is not None and not names:
        yield from _of_each_row(claim, ranked, column, series)
    if ranked is None or not (names or _adds_up(claim, series)):
        return
    numbers = {other: _number(claim, names, other) for other in series}
    program = _stands(ranked, column, numbers)
    whole = [] if names else words_of_phrases(claim.texts, _AS_A_WHOLE)
    operators = [*ranked.words, *whole, *counts]
    yield proposed(claim, "superlative of years", program, names, [column], operators)


def _stands(ranked: _Ranked, column: int, numbers: Mapping[int, Number]) -> Truth:
    """Return whether a column's number has the place among those of all times that a claim tells."""
    better = ">" if ranked.highest else "<"
    relation = f"{better}=" if ranked.alone else better
    rivals = (Compare(other, relation, numbers[column]) for time, other in numbers.items() if time != column)
    return Compare(HowMany(tuple(rivals)), "=", Literal(ranked.place - 1.0))


def _of_each_row(
    claim: GroundedClaim, ranked: _Ranked, column: int, series: Sequence[int]
) -> Iterator[Proposal]:
    """Yield `Friday was the busiest day for every shop`: of each row; of the only one that leads, alone."""
    index, label = claim.index, claim.index.table.label_column or 0
    nouns = {*index.headers[label]}
    quantifiers = [
        n
        for n, text in enumerate(claim.texts)
        if text in EACH and any(t.key in nouns or t.key in row_nouns() for t in claim.tokens[n + 1 : n + 3])
    ]
    if len(quantifiers) != 1:
        return
    rows = sorted(index.rows - index.summaries)
    # Where one is best of all, no other may be as good.
    alone = replace(ranked, alone=ranked.place == 1)
    parts = tuple(
        _stands(alone, column, {time: Cell(Where.of_row(row, label), time) for time in series})
        for row in rows
    )
    words = [*ranked.words, *quantifiers]
    yield proposed(claim, "superlative of years", All(parts), [], [column, label], words)


@dataclass(frozen=True, slots=True)
class _Ranked:
    """Which place of the times a claim tells, and the words that say so. `alone`: before all others."""

    place: int
    highest: bool
    alone: bool
    words: tuple[int, ...]


def _ranked(claim: GroundedClaim, column: int) -> _Ranked | None:
    """Return the place of `its best year`, or of `more in 2020 than in any other year`; None without one."""
    said = positions_of(head for head in claim.linked.headers if column in head.columns)
    times = [n for n, token in enumerate(claim.tokens) if token.key in TIMES and n not in said]
    if column in claim.index.year_columns and any(claim.tokens[n].key in PARTS_OF_YEARS for n in times):
        # `August was the busiest month of 2023` is of no whole year.
        return None
    if len(claim.superlatives) == 1:
        extreme = claim.superlatives[0]
        if not _is_of_times(claim, extreme, column, told=bool(times)):
            return None
        words = (*range(extreme.start, extreme.end), *times)
        return _Ranked(extreme.place, is_highest(claim, extreme, column), False, words)
    than = claim.position({"than"})
    words = () if than is None else tuple(n for n in range(than) if comparative(claim.texts[n]))
    others = range(0) if than is None else range(than + 1, min(len(claim.texts), than + 1 + _NEAR_THAN))
    any_other = [n for n in others if claim.texts[n] in ALL_OTHERS]
    if than is None or len(words) != 1 or not any_other or not any(n > any_other[0] for n in times):
        return None
    if lacks_measure(claim, words[0]):
        return None
    sign = comparative(claim.texts[words[0]])
    return _Ranked(1, sign > 0, True, (*words, than, *any_other, *times))


def _is_of_times(claim: GroundedClaim, extreme: Superlative, column: int, *, told: bool) -> bool:
    """Return whether an extreme is among a row's times, and of what they tell. `told`: a word for them is."""
    if is_so_among_all_alone(claim, extreme, column):
        return False
    is_told = (told or is_among_years(claim, extreme)) and not lacks_measure(claim, extreme.end - 1)
    # What is lowest in a column among all rows, whatever it measures, may be so among its own.
    return is_told or may_be_among_its_times(claim, extreme)


_NEAR_THAN = 3


def _number(claim: GroundedClaim, names: list[Link], column: int) -> Number:
    """Return the number of the rows that a claim names, of all together where it names none."""
    if not names:
        return Aggregate("sum", AllRows(), column)
    return Cell(meet([where(claim, link) for link in names]), column)


def _adds_up(claim: GroundedClaim, columns: tuple[int, ...]) -> bool:
    """Return whether all rows have something together: the table sums them up, or the claim says so."""
    index = claim.index
    units = {unit for column in columns for unit in index.told_units[column]}
    if any(unit == "%" or unit.startswith("degree") for unit in units):
        return False
    summed = any(row in index.series[column] for row in index.summaries for column in columns)
    return summed or bool(words_of_phrases(claim.texts, _AS_A_WHOLE))


_AS_A_WHOLE = (AS_A_WHOLE, *OVERALL)


def _share_of_a_year(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield `half of A's sales fell in summer`: of a part's column in the parts of the row together.

    Of all rows where the claim names none.
    """
    part = claim.linked.fraction
    if part is None:
        return
    parts = recurring_parts(claim.index)
    heads = [head for head in claim.linked.headers if head.columns <= parts.keys() and len(head.columns) == 1]
    if len(heads) != 1:
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
    total = sum_of(numbers)
    share = Arithmetic("% of", numbers[list(parts).index(column)], total)
    program, words = near_share(claim, part, share)
    of_time = [n for n, token in enumerate(claim.tokens) if token.key in TIMES]
    yield proposed(claim, "share of a year", program, names, [column], [*words, *of_time])
