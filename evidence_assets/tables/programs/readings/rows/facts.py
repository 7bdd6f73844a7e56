"""Claims that rows hold values together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evidence_assets.tables.programs.grammar.row_programs import Either, meet
from evidence_assets.tables.programs.grammar.truth_programs import Some, all_of
from evidence_assets.tables.programs.grammar.types import Rows
from evidence_assets.tables.programs.index.derived.contests import ContestTable
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.times.periods import tells_a_year
from evidence_assets.tables.programs.readings.parts.cooccurrence import (
    common_rows,
    find_cooccurrence,
    rule_each_other_out,
)
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, binding, where
from evidence_assets.tables.programs.readings.times.throughout import time_columns
from evidence_assets.tables.programs.wording.quantifier_words import EXACTLY, said_again
from evidence_assets.tables.programs.wording.trigger_lexicon import EACH
from evidence_assets.tables.table import Kind
from evidence_assets.text.words import word_set

# Kinds of programs of a number that no cell holds: it may count rows, or be of no row or year.
UNMATCHED, UNMATCHED_COUNT = "unmatched number", "unmatched number that may count"
UNMATCHED_ROW = "unmatched row or year"
# Words of a list that hold of each of its items.
_LISTING = word_set("both all each also too")


def fact_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether the values of a claim without a negation stand together in rows."""
    if claim.negation is not None:
        return
    cooccurrence = find_cooccurrence(claim, claim.links)
    if cooccurrence is None or any(rule_each_other_out(case) for case in cooccurrence.cases):
        return
    parts = tuple(Some(_rows_of(claim, case)) for case in cooccurrence.cases)
    disjoined = [place for place, text in enumerate(claim.texts) if text in {"or", "either"}]
    program = all_of(parts)
    if cooccurrence.way == "list" and disjoined:
        program = Some(Either(tuple(part.rows for part in parts)))
    several = any(len(link.rows) > 1 for link in claim.names)
    # Of names of several rows each, `all of A and B` is every row, and not one of either.
    words = _LISTING - EACH if several else _LISTING
    listing = [place for place, text in enumerate(claim.texts) if text in words]
    # `And both` says something only where a value stands behind it.
    empty = {n for n in said_again(claim.texts) if all(link.end <= n for link in claim.links)}
    listing = sorted(set(listing) - empty)
    operators = [*listing, *disjoined] if cooccurrence.way == "list" else []
    links = {id(link): link for case in cooccurrence.cases for link in case}.values()
    kind = f"co-occurrence by {cooccurrence.way}" if len(claim.links) > 1 else "single value"
    if cooccurrence.way == "row" and any(link.start in claim.units for link in claim.links):
        kind = "quantity of a row"
    bound = binding(claim, links, operators=operators)
    for link in links:
        if _counts_something(claim, link):
            # A cell holds the number, but nothing says that it is one of what the claim counts.
            bound.pop(link.start, None)
            kind = "co-occurrence with a number of something else"
    measured = kind == "quantity of a row" and not program.run(claim.index).truth
    if (claim.numbers or measured) and _may_be_untold(claim):
        return
    if claim.numbers:
        yield from _absent_number(claim)
    else:
        yield Proposal(kind, program, bound)


def _rows_of(claim: GroundedClaim, case: Sequence[Link]) -> Rows:
    """Return the rows that all values of a case name; a bound alone may be met by the row of the whole."""
    if len(case) == 1:
        return replace(where(claim, case[0]), of_the_whole=True)
    return meet([where(claim, link) for link in case])


def _may_be_untold(claim: GroundedClaim) -> bool:
    """Return whether the row that a claim names lacks a number, of which the claim may tell.

    A claim that names a column in which the row has one speaks of that.
    """
    index, rows = claim.index, common_rows(tuple(claim.names))
    if len(rows) != 1:
        return False
    (row,) = rows
    numeric = [c for c in index.numeric_columns if c != index.table.label_column]
    named_columns = {column for head in claim.linked.headers for column in head.columns}
    lacking = [c for c in numeric if index.table.rows[row][c].value.kind is Kind.EMPTY]
    return bool(lacking) and not any(column in named_columns and column not in lacking for column in numeric)


def _absent_number(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield the co-occurrence of the claim's values with a number that no cell holds: there is none.

    A number that may be of anything, as no column of numbers is named, contradicts none.
    """
    absent = [
        Link(place, place + 1, {}, frozenset(), 1, claim.tokens[place].number) for place in claim.numbers
    ]
    if isinstance(claim.index.table, ContestTable) and len(common_rows(tuple(claim.links))) > 1:
        # What a side scored in several contests may be told together.
        return
    if any(claim.texts[place - 1] in EXACTLY for place in claim.numbers if place):
        # `Only one boat` says how many there are.
        return
    if any(claim.tokens[n].ordinal and claim.texts[n + 1 : n + 2] == ("to",) for n in claim.numbers):
        # `The first to be harvested` says which came before the others.
        return
    rows = meet([where(claim, link) for link in (*claim.links, *absent)])
    could_count = any(_could_count(claim, place) for place in claim.numbers)
    heads = (head for head in claim.linked.headers if claim.index.numeric(head.columns))
    if not could_count and next(heads, None) is None:
        return
    kind = UNMATCHED_COUNT if could_count else UNMATCHED
    if any(_is_of_no_row(claim, place) for place in claim.numbers):
        kind = UNMATCHED_ROW
    yield Proposal(kind, Some(rows), binding(claim, (*claim.links, *absent)))


def _is_of_no_row(claim: GroundedClaim, place: int) -> bool:
    """Return whether a number is of a row, as of `lot 112`, or of a year, and the table has none such.

    Where a column of times is named, a year is one that its cells contradict.
    """
    index, heads = claim.index, claim.linked.headers
    numbered = any(head.end == place and any(map(index.tells_rows_apart, head.columns)) for head in heads)
    behind_a_noun = place > 0 and claim.tokens[place - 1].key in index.words_of_rows
    is_of_a_time = any(head.columns & index.dates_and_years for head in heads)
    return numbered or behind_a_noun or (tells_a_year(claim.tokens[place]) and not is_of_a_time)


def _could_count(claim: GroundedClaim, place: int) -> bool:
    number = claim.tokens[place].number or 0.0
    return number == int(number) and 0 <= number <= len(claim.index.rows)


def _is_of_a_named_time(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a number is of the only column of a time, or of what has gains and losses, named."""
    index = claim.index
    alike = {*time_columns(index), *(index.signed if claim.signs else ())}
    named = {min(head.columns) for head in claim.linked.headers if len(head.columns) == 1} & alike
    return len(named) == 1 and link.places.keys() == named


def _counts_something(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a number of no named column stands before a noun that does not name its column."""
    if link.number is None or link.bound or link.end >= len(claim.tokens):
        return False
    if link.start in claim.anchors or link.start in claim.units:
        return False
    if not link.places.keys() - {*claim.index.clocks}:
        # A time of day counts nothing: of `the 08:30 bus`.
        return False
    if tells_a_year(claim.tokens[link.start]) and link.places.keys() <= {
        *claim.index.dated,
        *claim.index.years,
    }:
        # Nor does a year: of `the 2019 edition`.
        return False
    following = claim.tokens[link.end]
    if following.stop or following.mark or following.number is not None or claim.tokens[link.start].ordinal:
        return False
    heads = [head for head in claim.linked.headers if head.start == link.end]
    of_others = any(not head.columns & link.places.keys() for head in heads)
    # Of `four staff on Monday` the caption speaks of staff.
    of_caption = following.key in claim.index.caption and _is_of_a_named_time(claim, link)
    return of_others or (link.end not in claim.linked_positions and not of_caption)
