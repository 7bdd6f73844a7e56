"""Whether a verdict hangs on which column, or which rows, a superlative is of, where a claim does not say it.

`The last delivery went to Lehmann` of columns of when was ordered and when delivered; `the largest invoice`
of any amount; `the oldest listed mill` of all mills.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from evidence_assets.tables.programs.grammar.row_programs import AllRows, Extreme, Where
from evidence_assets.tables.programs.grammar.things import substituted
from evidence_assets.tables.programs.index.derived.spans_of_rows import SpannedTable
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.ranks.standings import is_of_ranks
from evidence_assets.tables.programs.readings.parts.extreme_columns import columns_of_age
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, where
from evidence_assets.tables.programs.readings.parts.unnamed_measures import columns_of_size
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.tables.programs.wording.quantities import UNITS_OF_TIME, converted
from evidence_assets.tables.programs.wording.superlative_words import Superlative
from evidence_assets.tables.programs.wording.trigger_lexicon import TEMPORAL, positive
from evidence_assets.tables.programs.wording.words import ARTICLES, AUXILIARIES, COPULAS


def _of_a_superlative(
    misses: Callable[[Outcome, Extreme, Sequence[Superlative]], bool],
) -> Callable[[Outcome], bool]:
    """Return a check of programs with one extreme, of it and of the claim's words for it."""

    def misses_in(outcome: Outcome) -> bool:
        if len(outcome.extremes) != 1:
            return False
        items = [item for item in outcome.claim.superlatives if item.start in outcome.proposal.bound]
        return misses(outcome, outcome.extremes[0], items)

    return misses_in


def _hangs_on_its_column(outcome: Outcome, extreme: Extreme, words: Sequence[Superlative]) -> bool:
    rivals = _of_other_columns(outcome.claim, outcome.proposal, extreme, words)
    return any(_comes_to_another(outcome, extreme, rival) for rival in rivals)


def _hangs_on_its_rows(outcome: Outcome, extreme: Extreme, words: Sequence[Superlative]) -> bool:
    rivals = _of_fewer_rows(outcome.claim, outcome.proposal, extreme, words)
    return any(_comes_to_another(outcome, extreme, rival) for rival in rivals)


def _comes_to_another(outcome: Outcome, extreme: Extreme, rival: Extreme) -> bool:
    """Return whether an extreme that may as well be meant makes another verdict."""
    of_rival = substituted(outcome.proposal.program, extreme, rival)
    return of_rival.run(outcome.claim.index).truth is not outcome.result.truth


def _is_of_no_time(outcome: Outcome, extreme: Extreme, words: Sequence[Superlative]) -> bool:
    """Return whether no order tells what comes first: `lost their last match` by most matches."""
    index = outcome.claim.index
    orders = index.times | {index.table.label_column}
    in_order = extreme.column in orders or is_of_ranks(index, extreme.column)
    in_order = in_order or index.numbers_its_rows(extreme.column)
    return any(item.word in _IN_ORDER for item in words) and not in_order and not index.year_columns


def _is_the_size_of_a_time(outcome: Outcome, extreme: Extreme, words: Sequence[Superlative]) -> bool:
    """Return whether the largest or highest is told by a date or a time of day: `the largest invoice`."""
    index = outcome.claim.index
    of_a_time = extreme.column in index.times and not index.told_units[extreme.column]
    return of_a_time and any(positive(item.word) in _OF_SIZES for item in words)


_OF_SIZES = frozenset(map(positive, ("larger", "bigger", "smaller", "greater", "higher", "lower")))
_LONG = positive("longer")
_IN_ORDER = frozenset({"first", "last", "latest", "earliest", "recent", "final"})


def _has_a_value_of_another_column(outcome: Outcome, extreme: Extreme, words: Sequence[Superlative]) -> bool:
    """Return whether what the extreme is told to be stands in another column: `the largest target is 455`."""
    claim = outcome.claim
    index = claim.index
    of_time = extreme.column in index.times
    return any(
        _stands_behind_a_copula(claim, link)
        and any(item.end <= link.start for item in words)
        and extreme.column not in link.places
        and not _is_in_another_unit(claim, link, extreme.column)
        and all(index.is_numeric(column) and (column in index.times) == of_time for column in link.places)
        for link in _values(claim, outcome.proposal)
    )


def _is_in_another_unit(claim: GroundedClaim, link: Link, column: int) -> bool:
    """Return whether a number is told in a unit that a column is not: of the heaviest, `is 45 cm long`."""
    _, unit = claim.units.get(link.start, ((), ""))
    units = claim.index.told_units[column]
    return bool(unit and units) and all(converted(1.0, unit, other) is None for other in units)


def _values(claim: GroundedClaim, proposal: Proposal) -> Iterator[Link]:
    """Yield the links by which rows of a program are told."""
    used = [part.link for part in proposal.parts if isinstance(part, Where)]
    return (link for link in claim.links if link.start in proposal.bound and link.places and link in used)


def _stands_behind_a_copula(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a value is what something is: `was 455`, `is on 2 August`, `is $130`."""
    before = list(claim.texts[max(0, link.start - _NEAR) : link.start])
    while before and before[-1] in _BETWEEN:
        before.pop()
    return bool(before) and before[-1] in COPULAS


_NEAR = 3
_BETWEEN = frozenset({"on", "at", "in", "the", "of", "$", "€", "£", "about"})


def _of_other_columns(
    claim: GroundedClaim, proposal: Proposal, extreme: Extreme, words: Collection[Superlative]
) -> Iterator[Extreme]:
    """Yield the extremes of the other columns that a superlative may as well be of; none of a named one."""
    index, column = claim.index, extreme.column
    heads = [head for head in claim.linked.headers if head.start in proposal.bound and column in head.columns]
    if any(len(head.columns) == 1 for head in heads) or _is_named_by_its_year(claim, column):
        return
    if is_of_ranks(index, column) or any(column in columns_of_age(claim, item.start) for item in words):
        return
    several = set[int]().union(*(head.columns for head in heads))
    measured = set[int]().union(*(index.columns_measured_by(positive(item.word)) for item in words))
    if several:
        rivals = {other for other in several if index.is_numeric(other)}
    elif column in measured:
        rivals = {*index.numeric(measured)}
        if any(positive(item.word) == _LONG and not _is_of_a_copula(claim, item) for item in words):
            # Who lives the longest need not have the greatest length.
            units = index.told_units
            of_times = {other for other in index.numeric_columns if units[other] & UNITS_OF_TIME}
            rivals |= of_times | index.durations
    elif any(index.is_told_as(positive(item.word), column) for item in words):
        # Of miles `the longest trip by distance`: how long it took no column tells.
        rivals = {other for other in range(_printed(index)) if _is_told_like(index, other, words)}
    elif any(item.word in TEMPORAL for item in words):
        rivals = set(index.times)
    elif any(columns_of_size(index, item.word) == [column] for item in words):
        return
    else:
        rivals = {*index.numeric_columns} - index.times
        rivals -= {other for other in rivals if is_of_ranks(index, other) or index.numbers_its_rows(other)}
    for other in sorted(rivals - {column, index.table.label_column}):
        yield replace(extreme, column=other)
    if not (several or column in measured) and any(positive(item.word) == _LONG for item in words):
        # Who has been there the longest came first.
        for time in sorted(index.dates_and_years - {index.table.label_column}):
            yield replace(extreme, column=time, highest=not extreme.highest)


def _is_of_a_copula(claim: GroundedClaim, item: Superlative) -> bool:
    """Return whether something is a superlative, or has a noun that it is of: `is the longest`."""
    before = [text for text in claim.texts[: item.start] if text not in ARTICLES]
    behind = claim.tokens[item.end : item.end + 1]
    return before[-1:] in ([word] for word in COPULAS) or any(not (t.stop or t.mark) for t in behind)


def _printed(index: TableIndex) -> int:
    """Return how many columns a table has but for one that is worked out."""
    return index.table.columns - isinstance(index.table, SpannedTable)


def _is_told_like(index: TableIndex, column: int, words: Collection[Superlative]) -> bool:
    return index.is_numeric(column) and any(index.is_told_as(positive(item.word), column) for item in words)


def _is_named_by_its_year(claim: GroundedClaim, column: int) -> bool:
    year = claim.index.year_columns.get(column)
    return year is not None and any(token.number == year for token in claim.tokens)


def _of_fewer_rows(
    claim: GroundedClaim, proposal: Proposal, extreme: Extreme, words: Collection[Superlative]
) -> Iterator[Extreme]:
    """Yield the extreme of the rows that a value behind a superlative tells: `the oldest listed mill`."""
    index = claim.index
    if not isinstance(extreme.rows, AllRows):
        return
    for link in _values(claim, proposal):
        within = any(item.end <= link.start and not _is_a_verb_between(claim, item, link) for item in words)
        of_a_kind = not link.bound and len(link.rows) > 1 and not any(map(index.is_numeric, link.places))
        if within and of_a_kind:
            yield replace(extreme, rows=where(claim, link))


def _is_a_verb_between(claim: GroundedClaim, item: Superlative, link: Link) -> bool:
    between = claim.texts[item.end : link.start]
    return any(text in AUXILIARIES or text in COPULAS or text in _OTHERS for text in between)


_OTHERS = frozenset({",", "and", "with", "by", "went", "had", "has"})


CHECKS = (
    Check(_of_a_superlative(_is_of_no_time), "no column tells which comes first"),
    Check(_of_a_superlative(_is_the_size_of_a_time), "a time is no size"),
    Check(
        _of_a_superlative(_has_a_value_of_another_column),
        "the value behind the superlative is of another column",
    ),
    Check(
        _of_a_superlative(_hangs_on_its_column), "the claim does not say of which column its superlative is"
    ),
    Check(_of_a_superlative(_hangs_on_its_rows), "the claim does not say of which rows its superlative is"),
)
