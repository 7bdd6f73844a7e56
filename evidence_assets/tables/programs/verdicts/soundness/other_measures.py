"""Whether a claim measures something else than a program does: an amount, no rate; or at another time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.number_programs import Aggregate
from evidence_assets.tables.programs.grammar.row_programs import AllRows
from evidence_assets.tables.programs.index.derived.derived_tables import DerivedTable
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink
from evidence_assets.tables.programs.readings.parts.proposal import Bound
from evidence_assets.tables.programs.readings.parts.target_columns import is_a_number_of_rows
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.tables.programs.verdicts.soundness.times_of_events import (
    is_at_the_time_of_another_event,
    is_told_of_another_event,
)
from evidence_assets.tables.programs.wording.measures import names_a_dimension
from evidence_assets.tables.programs.wording.trigger_lexicon import EACH, comparative, row_nouns
from evidence_assets.tables.programs.wording.words import ARTICLES, is_plural, word_key
from evidence_assets.text.words import word_set, words


def _counted(outcome: Outcome) -> Iterator[HeaderLink]:
    """Yield the headers that a number, or `more`, counts, each of the columns that a program takes of it."""
    columns = {column for _, column in outcome.result.cells}
    for head in outcome.claim.linked.headers:
        if head.start in outcome.proposal.bound and _is_counted(outcome.claim, head):
            yield replace(head, columns=head.columns & columns or head.columns)


def _counts_for_each(outcome: Outcome) -> bool:
    return outcome.proposal.kind.startswith(_STATED) and any(
        _counts_what_is_told_for_each(outcome.claim, head) for head in _counted(outcome)
    )


def _counts_otherwise(outcome: Outcome) -> bool:
    return any(_counts_another_noun(outcome.claim, head) for head in _counted(outcome))


def _is_of_another_event(outcome: Outcome) -> bool:
    """Return whether an amount is told at the time of another event: `cost £12 in 2018`, let since 2018."""
    claim, proposal, result = outcome.claim, outcome.proposal, outcome.result
    index = claim.index
    amounts = {column for _, column in result.cells if index.is_numeric(column)} - index.times
    links = [link for link in claim.links if link.start in proposal.bound]
    if is_told_of_another_event(claim, links):
        return True
    return bool(amounts) and is_at_the_time_of_another_event(claim, links)


# Kinds of program that state what the cells of rows hold, and work nothing out of a rate.
_STATED = ("co-occurrence", "condition of a row", "quantity of a row", "conjunction", "comparison")


def _counts_what_is_told_for_each(claim: GroundedClaim, head: HeaderLink) -> bool:
    """Return whether a claim counts what a column tells for each of something that it does not say.

    `Fewer than 2,500 trees stand at Thornhill` is of no trees per hectare.
    """
    if not _FOR_EACH.isdisjoint(claim.texts):
        return False
    return all(_leaves_its_divisor(claim, head, _counted_name(claim, column)) for column in head.columns)


_FOR_EACH = EACH | {"per", "average", "mean", "rate", "density", "typical", "typically"}


def _counted_name(claim: GroundedClaim, column: int) -> str:
    """Return a header but for a unit in brackets, which no claim counts: `1 mg` of `Intake (mg per day)`."""
    return claim.index.table.header[column].lower().split("(")[0]


def _leaves_its_divisor(claim: GroundedClaim, head: HeaderLink, name: str) -> bool:
    """Return whether a header is of one thing per another, and a claim says no more than one of the two.

    Of `Fruit per jar` neither fruit is counted nor jars.
    """
    dividend, per, divisor = name.partition(" per ")
    counted = {token.key for token in claim.tokens[head.start : head.end]}
    said = {token.key for token in claim.tokens}
    says_both = counted & {*map(word_key, words(dividend))} and said & {*map(word_key, words(divisor))}
    return bool(per) and not says_both


def _is_counted(claim: GroundedClaim, head: HeaderLink) -> bool:
    """Return whether a header's word stands right behind a number or `more`, which counts it."""
    before = claim.tokens[head.start - 1 : head.start] if head.start else ()
    return any(
        (token.number is not None and not token.ordinal) or token.text in _MORE_OR_FEWER for token in before
    )


_MORE_OR_FEWER = frozenset({"more", "fewer", "less"})


def _counts_another_noun(claim: GroundedClaim, head: HeaderLink) -> bool:
    """Return whether a claim counts what a column's noun is only told by: no `skaters` are `Skating days`."""
    if head.end - head.start > 1:
        return False
    names = [words(_counted_name(claim, column)) for column in head.columns]
    said = claim.texts[head.start]
    return all(
        len(name) == _MODIFIED
        and said not in name
        and is_plural(said)
        and (is_plural(name[1]) or names_a_dimension([word_key(name[1])]))
        and not is_plural(name[0])
        and word_key(name[0]) == claim.tokens[head.start].key
        and name[1] not in _NUMBERS
        and word_key(name[1]) not in {token.key for token in claim.tokens}
        for name in names
    )


# A noun and what modifies it.
_MODIFIED = 2
_NUMBERS = frozenset({"numbers", "figures", "totals", "units", "counts", "journeys", "trips"})


def _counts_what_has_numbers(outcome: Outcome) -> bool:
    """Return whether a claim counts what rows go by the numbers of: `3 stalls` are not stall 3."""
    claim, bound = outcome.claim, outcome.proposal.bound
    return any(
        head.start == link.end
        and link.start in bound
        and claim.tokens[link.start].number is not None
        and not claim.tokens[link.start].ordinal
        and head.columns == link.places.keys()
        and all(is_a_number_of_rows(claim.index, column) for column in head.columns)
        for link in claim.links
        for head in claim.linked.headers
    )


def _says_only_for_each_of_what(outcome: Outcome) -> bool:
    """Return whether nothing tells what there is more of for each of something: `earns more per month`."""
    claim, bound, rest = outcome.claim, outcome.proposal.bound, outcome.rest
    texts, index = claim.texts, claim.index
    places = [n for n in range(1, len(texts) - 1) if texts[n] == "per" and comparative(texts[n - 1])]
    columns = {column for _, column in outcome.result.cells}
    if not places or isinstance(index.table, DerivedTable):
        return False
    if any(_OPENS_WITH_PER.match(index.table.header[column]) for column in columns):
        # A column headed `Per mile` tells by its money what of.
        return False
    return any(
        n - 1 in bound
        and rest.get(n - 2) in _UNTOLD
        and columns.isdisjoint(index.columns_measured_by(claim.tokens[n - 2].key))
        for n in places
    )


_OPENS_WITH_PER = re.compile(r"per\b", re.IGNORECASE)
_UNREAD = frozenset({Left.WORD, Left.VALUE})
_UNTOLD = _UNREAD | {Left.HEADER}


def _counts_rows_for_another_noun(outcome: Outcome) -> bool:
    """Return whether rows are counted where more of something else is told: `against more diseases than`."""
    claim, proposal, rest = outcome.claim, outcome.proposal, outcome.rest
    return proposal.kind.startswith("count comparison") and any(
        position in proposal.bound
        and comparative(text)
        and (rest.get(position + 1) in _UNREAD or _is_left_as_a_number(claim, rest, position + 1))
        and claim.texts[position + 1] not in _OF_ROWS | row_nouns()
        for position, text in enumerate(claim.texts)
    )


def _is_left_as_a_number(claim: GroundedClaim, rest: Mapping[int, Left], position: int) -> bool:
    """Return whether a word that a program leaves heads a column of numbers: `more ships than`."""
    return rest.get(position) is Left.HEADER and any(
        head.start <= position < head.end and bool(claim.index.numeric(head.columns))
        for head in claim.linked.headers
    )


# What counts rows, whatever they are.
_OF_ROWS = word_set("time times often frequently entry entries record records row rows")


def _takes_a_limit_for_a_value(outcome: Outcome) -> bool:
    """Return whether a number is read as a cell's that a claim sets as a limit: `before the age of 3 months`.

    Dates and years are ordered by readings of their own, and bind the word.
    """
    claim, bound = outcome.claim, outcome.proposal.bound
    return any(
        link.number is not None
        and not link.bound
        and link.start in bound
        and link.start in claim.units
        and _stands_behind_a_limit(claim, link.start, bound)
        for link in claim.links
    )


def _stands_behind_a_limit(claim: GroundedClaim, position: int, bound: Bound) -> bool:
    """Return whether a preposition that a program leaves sets a number as a limit."""
    before = position - 1
    while (
        before >= 0
        and position - before <= _FAR
        and (claim.texts[before] in _BETWEEN or before in claim.headed)
    ):
        before -= 1
    return before >= 0 and claim.texts[before] in _LIMITS and before not in bound


_LIMITS = frozenset({"before", "after", "under", "over", "above", "below", "past", "until", "beyond"})
_BETWEEN = ARTICLES | {"of", "age"}
# So many words stand between a limit and its preposition: `before the age of`.
_FAR = 4


def _takes_a_total_for_a_place(outcome: Outcome) -> bool:
    """Return whether an ordinal is read as how many there are in all: the third dose as `2 of 3`."""
    claim, bound = outcome.claim, outcome.proposal.bound
    rows = claim.index.table.rows
    return any(
        (place := _PLACE_OF.fullmatch(rows[row][column].text.strip())) is not None
        and float(place[1]) != claim.tokens[link.start].number
        for link in claim.links
        if claim.tokens[link.start].ordinal and link.start in bound and link.end - link.start == 1
        for column, linked in link.places.items()
        for row in linked
    )


_PLACE_OF = re.compile(r"(\d+) (?:of|/) \d+")


def _is_of_all_for_a_named_row(outcome: Outcome) -> bool:
    """Return whether a program is of all rows, and leaves the row that a claim names: `trams on line E`."""
    claim, proposal = outcome.claim, outcome.proposal
    if proposal.kind != "all":
        return False
    label, caption = claim.index.table.label_column, claim.index.caption
    names = [
        range(link.start, link.end)
        for link in claim.names
        if len(link.rows) == 1 and (label in link.full or link.start in claim.anchors)
    ]
    # `All Tornholm beers` are those of the caption, whatever one is called.
    return len(names) == 1 and not any(
        position in proposal.bound or claim.tokens[position].key in caption for position in names[0]
    )


def _takes_a_share_of_itself(outcome: Outcome) -> bool:
    """Return whether a share is of all rows, where the claim names one row behind it: `80 % of the soup`."""
    claim, bound = outcome.claim, outcome.proposal.bound
    sums = [part for part in outcome.proposal.parts if isinstance(part, Aggregate)]
    of_all = outcome.proposal.kind == "share of a total" and any(isinstance(p.rows, AllRows) for p in sums)
    if not (of_all or outcome.proposal.kind == "majority"):
        return False
    for link in claim.names:
        place = link.start - 1
        while place > 0 and claim.texts[place] in ARTICLES:
            place -= 1
        shares = place > 0 and bound.get(place - 1, (None,))[0] is Role.OPERATOR
        is_one = len(link.rows) == 1 and not link.rows & claim.index.summaries
        if shares and claim.texts[place] == "of" and is_one and link.start in bound:
            return True
    return False


def _takes_a_side_for_a_difference(outcome: Outcome) -> bool:
    """Return whether one of two columns is read where a difference is compared: `best goal difference`."""
    claim = outcome.claim
    words = (n for n, text in enumerate(claim.texts) if text == "difference" and n)
    return outcome.proposal.kind.startswith(("comparison", "superlative")) and any(
        not claim.linked.in_header(n) and claim.linked.in_header(n - 1) for n in words
    )


CHECKS = (
    Check(_takes_a_side_for_a_difference, "no column tells the difference that the claim compares"),
    Check(_takes_a_share_of_itself, "the share is of what the row itself has"),
    Check(_counts_for_each, "the column tells how many there are for each of something"),
    Check(_counts_otherwise, "the column tells something else of what the claim counts"),
    Check(_counts_what_has_numbers, "the number is one that rows go by, and the claim counts"),
    Check(_says_only_for_each_of_what, "no column tells for each of what the claim reckons"),
    Check(_counts_rows_for_another_noun, "rows were counted, and the claim is of more of something else"),
    Check(_takes_a_limit_for_a_value, "the claim sets the number as a limit"),
    Check(_takes_a_total_for_a_place, "the number is how many there are in all"),
    Check(_is_of_all_for_a_named_row, "all rows were read, and the claim names one"),
    Check(_is_of_another_event, "the time is that of another event"),
)
