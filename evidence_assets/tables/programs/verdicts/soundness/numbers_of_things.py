"""Whether a number that counts things, a share or a margin is read as what a cell holds."""

from __future__ import annotations

from collections.abc import Callable

from evidence_assets.tables.programs.grammar.number_programs import LongestRun
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.ranks.standings import is_of_ranks
from evidence_assets.tables.programs.readings.rows.facts import UNMATCHED
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.tables.programs.wording.percent_words import PERCENT, is_in_percent
from evidence_assets.tables.programs.wording.words import COPULAS, POSSESSIVES, is_plural
from evidence_assets.tables.programs.wording.words_of_time import CALENDAR_TIMES
from evidence_assets.text.words import word_set, words


def _of_a_number(misses: Callable[[GroundedClaim, Link], bool]) -> Callable[[Outcome], bool]:
    """Return whether any number by which a program tells rows misses what the claim says by it."""
    return lambda outcome: any(misses(outcome.claim, link) for link in outcome.numbers)


def _place(claim: GroundedClaim, link: Link) -> int | None:
    """Return where the number of a link stands; None of a link without one."""
    places = (n for n in range(link.start, link.end) if claim.tokens[n].number is not None)
    return next(places, None)


def _counts_things(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a number says how many things there are: behind `there are`, or before their plural.

    Where the claim names no column of it, as `there are 5 in stock` names a stock.
    """
    if link.bound or claim.tokens[link.start].ordinal or link.end - link.start > 1:
        return False
    index, behind = claim.index, claim.tokens[link.end : link.end + 1]
    if any(index.numbers_its_rows(column) for column in link.places):
        # `Three dental visits`, of a column that numbers visits; not `on route 5`.
        is_a_number = link.start > 0 and (
            claim.texts[link.start - 1] in _NUMBERS or claim.linked.in_header(link.start - 1)
        )
        near = claim.tokens[link.end : link.end + _NEAR]
        return not is_a_number and any(is_plural(token.text) for token in near)
    named = claim.anchors.get(link.start)
    is_named = named is not None or any(head.columns & link.places.keys() for head in claim.linked.headers)
    if is_named or link.start in claim.units or not behind:
        return False
    before = claim.texts[max(0, link.start - 2) : link.start]
    there_are = before[:1] == ("there",) and not COPULAS.isdisjoint(before[1:])
    opens = not link.start or claim.texts[link.start - 1] == ","
    return there_are or (opens and is_plural(behind[0].text))


_NUMBERS = frozenset({"number", "no", "#"})
# An adjective may stand between a number and what it counts.
_NEAR = 3


def _is_a_share(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a number in percent is compared with a column's that is in none."""
    place = _place(claim, link)
    if place is None or not is_in_percent(claim.texts, place):
        return False
    index = claim.index
    caption = words(index.table.caption.lower())
    if not PERCENT.isdisjoint(caption) or "%" in index.table.caption:
        return False
    return all(
        "%" not in index.told_units[column]
        and "%" not in index.table.header[column]
        and PERCENT.isdisjoint(words(index.table.header[column].lower()))
        and not any("%" in cell.text for cell in index.table.column(column))
        and any(number > 1.0 for number in index.series[column].values())
        for column in link.places
    )


def _is_a_margin(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a number tells how far something is off, and is read as its amount: `missed by 10`."""
    before = claim.texts[max(0, link.start - _FAR) : link.start]
    is_bound = bool(link.bound) and link.bound[0] in "<>"
    return is_bound and before[-1:] == ("by",) and not _OFF.isdisjoint(before)


# Words of what is missed or exceeded, so near before `by`.
_OFF = word_set(
    "missed misses miss beat beats exceeded exceeds overran undershot short ahead behind late early"
)
_FAR = 6


def _is_of_the_verb_behind(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a number is read as the next verb's that has its own: of `drew 13 and won 3`."""
    headers_before = [head for head in claim.linked.headers if head.end == link.start]
    headers_behind = [
        head
        for head in claim.linked.headers
        if head.start >= link.end
        and head.end < len(claim.tokens)
        and claim.tokens[head.end].number is not None
        and head.columns & link.places.keys()
    ]
    is_before = any(head.columns & link.places.keys() for head in headers_before)
    return bool(headers_before) and bool(headers_behind) and not is_before


def _is_the_first_of_some(outcome: Outcome) -> bool:
    """Return whether an ordinal is read as a row's number, and some rows are told: `first dental visit`.

    Not of what the column is headed by: `the second week`.
    """
    return any(_is_first_of_some(outcome, link) for link in outcome.numbers)


def _is_first_of_some(outcome: Outcome, link: Link) -> bool:
    claim, proposal = outcome.claim, outcome.proposal
    token, index = claim.tokens[link.start], claim.index
    in_order = any(index.numbers_its_rows(n) and not is_of_ranks(index, n) for n in link.places)
    if not (token.ordinal and token.text.isalpha() and in_order) or claim.linked.in_header(link.end):
        return False
    others = (other for other in claim.links if other is not link and other.start in proposal.bound)
    return any(other.number is None and not other.bound for other in others)


def _is_of_the_year_before(claim: GroundedClaim, link: Link) -> bool:
    """Return whether an amount is a year's that no claim says, where another column tells it of none."""
    index = claim.index
    if index.years_said(claim.tokens) or len(link.places) != 1:
        return False
    (column,) = link.places
    year = index.year_columns.get(column)
    if year is None:
        return False
    plain = tuple(key for key in index.headers[column] if key != str(year))
    return any(index.headers[other] == plain for other in index.numeric_columns if other != column)


def _is_of_a_change(outcome: Outcome) -> bool:
    """Return whether two numbers that something went from and to are looked up, in whatever order."""
    claim = outcome.claim
    amounts = (link for link in outcome.numbers if all(map(claim.index.is_numeric, link.places)))
    of_rows = claim.index.dates_and_years | {claim.index.table.label_column}
    starts = {link.start for link in amounts if of_rows.isdisjoint(link.places)}
    return any(
        text == "from" and {n + 1, n + 2} & starts and _goes_to(claim, n) & starts
        for n, text in enumerate(claim.texts)
        if n and claim.texts[n - 1] in _GOING
    )


def _goes_to(claim: GroundedClaim, place: int) -> set[int]:
    to = next(
        (n for n in range(place + 1, min(len(claim.texts), place + _FAR)) if claim.texts[n] == "to"), None
    )
    return set() if to is None else {to + 1, to + 2}


_GOING = word_set("went go goes moved rose fell grew dropped changed climbed increased decreased declined")


def _is_of_a_run(outcome: Outcome) -> bool:
    """Return whether so many in a row, or a row's first or last few, are read as any: `won three in a row`.

    Not where years stand in a row, of which a table of years has one each.
    """
    claim, proposal = outcome.claim, outcome.proposal
    texts, label = claim.texts, claim.index.table.label_column
    runs = [n for n in range(1, len(texts) - 2) if texts[n : n + 3] == ("in", "a", "row")]
    in_a_row = any(claim.tokens[n - 1].key not in CALENDAR_TIMES for n in runs)
    is_a_run = any(isinstance(part, LongestRun) for part in proposal.parts)
    bound = [link for link in claim.links if link.start in proposal.bound]
    names_a_row = any(label in link.full and not link.bound for link in bound)
    of_theirs = any(
        link.bound.startswith("in the ") and label in link.places and texts[link.start - 1] in POSSESSIVES
        for link in bound
        if link.start
    )
    return (in_a_row and not is_a_run) or (of_theirs and names_a_row)


def _guesses_how_many_there_are(outcome: Outcome) -> bool:
    """Return whether a number of `there is one driver` is refuted as no cell's."""
    claim, proposal = outcome.claim, outcome.proposal
    return claim.texts[:1] == ("there",) and proposal.kind.startswith(UNMATCHED)


CHECKS = (
    Check(_of_a_number(_counts_things), "the number counts things, and was read as a cell's"),
    Check(_of_a_number(_is_a_share), "the number is a share, and the column tells none"),
    Check(_of_a_number(_is_a_margin), "the number is a margin"),
    Check(_of_a_number(_is_of_the_verb_behind), "the number belongs to another verb"),
    Check(_is_the_first_of_some, "the claim is of the first of some rows"),
    Check(_of_a_number(_is_of_the_year_before), "the claim does not say of which year it is"),
    Check(_is_of_a_change, "the claim tells what something went from and to"),
    Check(_is_of_a_run, "the claim is of several in a row"),
    Check(_guesses_how_many_there_are, "the number counts what there is"),
)
