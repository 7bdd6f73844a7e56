"""Claims about the highest, the lowest, the first, the last or the k-th."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Count, Literal, OrderedNumber
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Extreme, Meet, Without
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Not, Some, all_of
from evidence_assets.tables.programs.grammar.types import Rows, Truth
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.derived.contests import ContestTable
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.ranks.standings import ranked_columns
from evidence_assets.tables.programs.links.times.period_headers import recurring_parts
from evidence_assets.tables.programs.readings.orders.claimed_standings import claimed_standing
from evidence_assets.tables.programs.readings.orders.extreme_wording import (
    counts_of_rows,
    denied_then_told,
    followed_by,
    is_among_years,
    is_so_among_all_alone,
    margin_of,
    passed_over,
    split_scope,
    tied_words,
)
from evidence_assets.tables.programs.readings.parts.extreme_columns import (
    OF_NUMBERS,
    OF_QUALITY,
    column_of_totals,
    column_of_year,
    head_of_what_is_sized,
    is_highest,
    lacks_measure,
    named_or_only_columns,
)
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    are_so_many,
    proposed,
    restricted,
    where,
)
from evidence_assets.tables.programs.readings.parts.target_columns import is_a_number_of_rows, target_column
from evidence_assets.tables.programs.readings.parts.unnamed_measures import (
    columns_of_size,
    is_of_no_quality,
    is_of_no_size,
)
from evidence_assets.tables.programs.wording.measures import is_of_size
from evidence_assets.tables.programs.wording.superlative_words import Superlative
from evidence_assets.tables.programs.wording.trigger_lexicon import positive, row_nouns
from evidence_assets.tables.programs.wording.words import AUXILIARIES

# At most this many columns are tried for an extreme where the claim names none.
_MOST_UNNAMED = 6


def superlative_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield, for each superlative of the claim, whether its row or number is the claimed one; and for two."""
    if not claim.superlatives or (len(claim.superlatives) > 1 and claim.says_any(("difference", "gap"))):
        return
    extremes = [
        superlative for superlative in claim.superlatives if "than" not in claim.texts[: superlative.start]
    ]
    by_column: list[tuple[int, Proposal]] = []
    times = claim.index.year_columns.keys() | recurring_parts(claim.index).keys()
    for extreme in extremes:
        column = target_column(claim, extreme)
        is_named = column is not None
        totals = extreme.word in OF_NUMBERS and column_of_totals(claim.index) is not None
        of_the_table = totals or column_of_year(claim) is not None
        if column is None and not of_the_table and _is_of_something_else(claim, extreme.end):
            continue
        if column is None and head_of_what_is_sized(claim, extreme.end - 1) is not None:
            continue
        if column is None and not extreme.temporal:
            column, is_named = next(named_or_only_columns(claim, [], extreme.end - 1), (None, False))
        if column is None:
            yield from _in_some_column(claim, extreme)
            continue
        among_times = is_among_years(claim, extreme) and column in times
        if among_times or is_so_among_all_alone(claim, extreme, column):
            continue
        program = _extreme(claim, extreme, column, "" if is_named else " in the only column")
        if program is not None:
            by_column.append((column, program))
    yield from (program for _, program in by_column)
    yield from _extremes_at_once(claim, extremes)
    for (column, left), (other, right) in combinations(by_column, 2):
        if column == other:
            # Of a column's two ends, each is of what its clause says: lowest in A and highest in B.
            continue
        both = {n: (Role.OPERATOR, text) for n, text in enumerate(claim.texts) if text == "both"}
        bound = {**left.bound, **right.bound, **both}
        yield Proposal("superlatives", All((left.program, right.program)), bound)


def _extremes_at_once(claim: GroundedClaim, extremes: list[Superlative]) -> Iterator[Proposal]:
    """Yield `the newest is also the shortest`, `the youngest came last`: one row is both.

    Of several such clauses each is said of a row of its own.
    """
    if claim.links or claim.numbers:
        return
    chosen: list[tuple[Extreme, Sequence[int]]] = []
    for extreme in extremes:
        target = target_column(claim, extreme)
        measured = next(named_or_only_columns(claim, [], extreme.end - 1), (None, False))[0]
        column = measured if target is None else target
        if column is not None:
            rows = Extreme(AllRows(), column, extreme.place, is_highest(claim, extreme, column))
            chosen.append((rows, range(extreme.start, extreme.end)))
    standing, ranked = claimed_standing(claim), ranked_columns(claim.index)
    if standing is not None and ranked:
        of_ranks = Extreme(AllRows(), ranked[0], standing.place, standing.is_from_last)
        chosen.append((of_ranks, standing.words))
    pairs = list(zip(chosen[::2], chosen[1::2], strict=False))
    if not pairs or len(chosen) % 2 or any(first[0].column == second[0].column for first, second in pairs):
        return
    columns, operators = [rows.column for rows, _ in chosen], [n for _, words in chosen for n in words]
    program = all_of(Some(Meet((first[0], second[0]))) for first, second in pairs)
    yield proposed(claim, "extremes at once", program, (), columns, operators)


def _is_of_something_else(claim: GroundedClaim, position: int) -> bool:
    """Return whether what a superlative is of stands behind it and nothing of the table tells it.

    `The strongest scent`, `the most beautiful`.
    """
    if position >= len(claim.tokens) or position in claim.linked_positions:
        return False
    if claim.index.columns_measured_by(positive(claim.texts[position - 1])):
        return False
    token = claim.tokens[position]
    of_rows = token.key in claim.index.caption or token.key in row_nouns()
    return not (token.stop or token.mark or of_rows or token.number is not None or token.key in AUXILIARIES)


def _in_some_column(claim: GroundedClaim, extreme: Superlative) -> Iterator[Proposal]:
    """Yield whether a row has the extreme of a column that the claim does not name, for each it may be of."""
    index = claim.index
    beside = (c for head in claim.linked.headers if head.start == extreme.end for c in head.columns)
    of_numbers = is_of_size(positive(extreme.word)) and any(is_a_number_of_rows(index, c) for c in beside)
    if of_numbers or lacks_measure(claim, extreme.end - 1):
        return
    ranked = ranked_columns(index)
    columns = [
        column
        for column in index.numeric_columns
        if column != index.table.label_column
        and (column not in ranked or positive(extreme.word) in OF_QUALITY)
        and not is_of_no_quality(index, extreme.word, column)
        and not is_of_no_size(index, extreme.word, column)
    ]
    sizes = columns_of_size(index, extreme.word)
    programs = (
        _extreme(claim, extreme, column, " in some column") for column in (sizes or columns)[:_MOST_UNNAMED]
    )
    candidates = [program for program in programs if program is not None]
    # What is the largest by one of several numbers, and not by another, is so by nothing that is told.
    if len({program.program.run(index).truth for program in candidates if sizes}) <= 1:
        yield from candidates


def _extreme(claim: GroundedClaim, extreme: Superlative, column: int, column_note: str) -> Proposal | None:
    """Return whether the extreme of a column is what a claim says it is; None where nothing is said of it.

    `column_note`: behind the kind of program, how the claim tells the column.
    """
    margin = margin_of(claim, extreme.end)
    claim = claim if margin is None else replace(claim, links=margin.links, numbers=margin.numbers)
    passed, follower = passed_over(claim, extreme), followed_by(claim, extreme)
    beside = [item for item in (passed, follower) if item is not None]
    apart = (*(link for item in beside for link in item.links), *_of_all_rows(claim))
    others = tuple(link for link in claim.links if link not in apart)
    scope, answers = split_scope(replace(claim, links=others), extreme, column)
    all_rows = restricted(claim, scope)
    rows = all_rows if passed is None else Without(all_rows, restricted(claim, passed.links))
    highest = is_highest(claim, extreme, column)
    place = extreme.place - (passed is not None and passed.counts)
    number = OrderedNumber(rows, column, place, highest)
    value, chosen = number.run(claim.index).number, Extreme(rows, column, place, highest)
    if not chosen.run(claim.index).rows or (not answers and not claim.numbers):
        return None
    parts: list[Truth] = []
    counted = counts_of_rows(claim)
    if scope:
        parts += [are_so_many(claim, rows, position) for position in counted]
    if passed is not None and passed.is_next:
        chosen_before = Extreme(all_rows, column, place, highest)
        parts.append(Some(Meet((chosen_before, restricted(claim, passed.links)))))
    parts += _is_answered(claim, chosen, column, answers)
    if follower is not None:
        chosen_behind = Extreme(rows, column, extreme.place + 1, highest)
        parts.append(Some(Meet((chosen_behind, restricted(claim, follower.links)))))
    claimed = [float(claim.tokens[n].number or 0) for n in claim.numbers if n not in counted]
    leads = follower is not None or margin is not None or (passed is not None and passed.is_next)
    if not (answers or claimed or leads):
        # Of `the two oldest vans` so far only how many there are is told.
        return None
    parts += [Compare(number, "=", Literal(_at_scale_of(value or 0.0, other))) for other in claimed]
    if margin is not None:
        lead = Arithmetic("|-|", number, OrderedNumber(rows, column, place + 1, highest))
        parts.append(Compare(lead, margin.relation, Literal(margin.number), margin.tolerance))
    tied = tied_words(claim) if answers else []
    if tied:
        parts.append(Compare(Count(chosen), ">", Literal(1.0)))
    operators = [*range(extreme.start, extreme.end), *(_among_all(claim) if not scope else ()), *tied]
    operators += [position for position in denied_then_told(claim) if position]
    operators += margin.words if margin is not None else ()
    operators += [word for item in beside for word in item.words]
    kind = f"{_kind_of(extreme, by_a_margin=margin is not None)}{column_note}"
    links = [*scope, *answers, *apart]
    return proposed(claim, kind, all_of(parts), links, [column], operators, claim.numbers)


def _of_all_rows(claim: GroundedClaim) -> tuple[Link, ...]:
    """Return the links of rows that sum up others where these are meant: `June was the best of the year`."""
    wholes = tuple(link for link in claim.links if link.rows and link.rows <= claim.index.summaries)
    others = any(link.rows and link not in wholes for link in claim.names)
    behind = all(claim.texts[max(0, link.start - 2)] in {"of", "in", "over", "on"} for link in wholes)
    return wholes if others and behind else ()


def _is_answered(
    claim: GroundedClaim, chosen: Extreme, column: int, answers: Sequence[Link]
) -> Iterator[Truth]:
    """Yield whether the extreme is what each link says, or is not: of `is not A but B` no A."""
    denial, but = denied_then_told(claim)
    table = claim.index.table
    if isinstance(table, ContestTable) and table.of_sides and denial >= but:
        # Of a contest's two sides one must be all that is said.
        yield Some(Meet((chosen, restricted(claim, answers))))
        return
    for link in answers:
        within = link.within([column]) if column in link.places and link.number is not None else link
        part = Some(Meet((chosen, where(claim, within))))
        yield Not(part) if denial < link.start < but else part


def _among_all(claim: GroundedClaim) -> list[int]:
    """Return where `all` of `the largest of all` stands."""
    texts = claim.texts
    return [n for n, text in enumerate(texts) if text == "all" and n and texts[n - 1] in {"of", "among"}]


def _kind_of(extreme: Superlative, *, by_a_margin: bool) -> str:
    if by_a_margin:
        return "superlative by a margin"
    if extreme.place > 1:
        return "ordinal"
    return "temporal" if extreme.temporal else "superlative"


def _at_scale_of(value: float, claimed: float) -> float:
    """Return a claimed number in thousands or millions, or fractions of them, where that equals the value."""
    scales = (1.0, 1e3, 1e-3, 1e6, 1e-6)
    return value if any(operations.close(value * scale, claimed) for scale in scales) else claimed


def extreme_rows(claim: GroundedClaim, extreme: Superlative) -> Rows | None:
    """Return the only row of the table that has the extreme; None where there is none, or several."""
    column = target_column(claim, extreme)
    if column is None:
        return None
    rows = Extreme(AllRows(), column, extreme.place, is_highest(claim, extreme, column))
    return rows if len(rows.run(claim.index).rows) == 1 else None
