"""Claims that deny: what is denied of which values, and what is said of them besides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from evidence_assets.tables.programs.grammar.number_programs import Aggregate, Literal
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Without, meet
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Not, Some, all_of
from evidence_assets.tables.programs.grammar.types import Truth
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.rows_in_time import column_of_time
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.readings.parts.cooccurrence import enumerations, rule_each_other_out
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, binding, restricted, where
from evidence_assets.tables.programs.readings.rows.exceptions import denied_but_programs
from evidence_assets.tables.programs.readings.rows.memberships import one_of_programs
from evidence_assets.tables.programs.wording.quantifier_words import JOINTS, is_no_longer, limitless
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    CLAUSE_MARKS,
    RELATIVE_PRONOUNS,
    exception,
)
from evidence_assets.tables.programs.wording.words_of_time import UNTIL


def denial_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield what a claim with a negation denies of its values."""
    place = claim.negation
    if place is None:
        return
    if claim.texts[place] in {"no", "none"} and "but" in claim.texts[place + 1 : place + _NEAR_BUT]:
        # `No shop but A has C` says of A that it has it.
        return
    excepted = exception(claim.texts, range(len(claim.texts)))
    if excepted is not None and claim.texts[place] in {"not", "never"}:
        denied_but = [*denied_but_programs(claim, place, excepted)]
        yield from denied_but
        if denied_but:
            return
    contrasts = [*_contrasts(claim, place)]
    yield from contrasts
    if contrasts and "but" in claim.texts[place:]:
        # What stands behind `but` is not denied.
        return
    if excepted is None:
        yield from _none_of_a_column(claim, place)
    yield from _denied_in_a_clause(claim, place)
    narrower = [*_not_until(claim, place), *one_of_programs(claim)]
    # What was not so until then was so then, so that it is not denied of that time.
    yield from narrower or (() if UNTIL.intersection(claim.texts[place:]) else _denied(claim, place))


_NEAR_BUT = 4


def _none_of_a_column(claim: GroundedClaim, place: int) -> Iterator[Proposal]:
    """Yield `A has no B`, `neither of the A has B`: the highest of A's numbers of a column is zero."""
    if is_no_longer(claim.texts, place):
        return
    affirmed, refused = _sides(claim, place)
    index, label = claim.index, claim.index.table.label_column
    behind = [head for head in claim.linked.headers if head.start > place]
    # `A is no country that won a medal` says what the rows are before what they have none of.
    heads = [head for head in behind if head.columns != {label}]
    numeric = [
        (head, column)
        for head in heads
        for column in index.numeric(head.columns)
        if column not in index.years and ((affirmed and not refused) or 0.0 in index.series[column].values())
    ]
    names = [link for link in claim.links if link.number is None]
    if not numeric or claim.numbers:
        return
    head, column = numeric[0]
    joined = _denied_besides(claim, place, [head for head, _ in numeric])
    columns = [column, *(other for head, other in numeric[1:] if head in joined)]
    # What is denied tells of no rows: `no kayaks` is of the column that is to be zero.
    names = [link for link in names if not (link.bound and link.places.keys() == {column})]
    if not refused or head.start < refused[0].start or (not place and refused[-1].end <= head.start):
        rows = restricted(claim, names)
        zeros = (Compare(Aggregate("highest", rows, column), "=", Literal(0.0)) for column in columns)
        joints = [n for n, text in enumerate(claim.texts) if text == "nor" and joined]
        bound = binding(claim, names, columns, [place, *joints, *limitless(claim.texts, place)])
        yield Proposal("none of a column", all_of(zeros), bound)


def _denied_besides(claim: GroundedClaim, place: int, heads: Sequence[HeaderLink]) -> list[HeaderLink]:
    """Return the headers that `neither A nor B`, `no A nor B` deny beside the first of some."""
    joined: list[HeaderLink] = []
    for before, head in pairwise(heads):
        between = claim.texts[before.end : head.start]
        if not between or not _JOINING_DENIED.issuperset(between):
            break
        joined.append(head)
    return joined if "nor" in claim.texts else []


_JOINING_DENIED = frozenset({"nor", "or", "and", ",", "no", "any", "the", "a"})


def _sides(claim: GroundedClaim, place: int) -> tuple[list[Link], list[Link]]:
    """Return the links before a negation and those behind it."""
    return (
        [link for link in claim.links if link.end <= place],
        [link for link in claim.links if link.start > place],
    )


def _denied(claim: GroundedClaim, place: int) -> Iterator[Proposal]:
    """Yield whether no row holds both what stands before a negation and what stands after it.

    What is listed before it is each denied the same: `A and B have no C`.
    """
    affirmed, refused = _sides(claim, place)
    if not refused:
        affirmed, refused = _denied_of_their_columns(claim, place, affirmed)
    stranger = any(position < place for position in claim.strangers)
    if not refused or (stranger and not affirmed):
        return
    of_a_column = refused[0].end <= place
    says_more = refused[0].bound or of_a_column or "there" in claim.texts[:place]
    denies_nothing = len(claim.links) == 1 and not says_more
    if denies_nothing or any(rule_each_other_out([*case, *refused]) for case in _cases(claim, affirmed)):
        # That a value stands in the table denies nothing that is said of it.
        return
    parts: list[Truth] = []
    for case in _cases(claim, affirmed):
        if case and all(link.rows for link in case):
            parts.append(Some(meet([where(claim, link) for link in case])))
        parts.append(Not(Some(meet([where(claim, link) for link in (*case, *refused)]))))
    bound = binding(claim, claim.links, operators=[place, *limitless(claim.texts, place)])
    yield Proposal("denied co-occurrence", all_of(parts), bound)


def _denied_of_their_columns(
    claim: GroundedClaim, place: int, links: list[Link]
) -> tuple[list[Link], list[Link]]:
    """Return links before a negation, those last that it denies a column: `A is not a home team`."""
    last = [head for head in claim.linked.headers if all(token.mark for token in claim.tokens[head.end :])]
    closing = [head for head in last if head.start > place]
    among = [
        head for head in closing if "among" in claim.texts[max(0, head.start - _NEAR_AMONG) : head.start]
    ]
    if among and len(links) == 1 and not links[0].bound and len(among[0].columns) == 1:
        # `A was never among the finalists`, wherever else A stands.
        column = min(among[0].columns)
        rows = links[0].places.get(column, frozenset())
        return [], [replace(links[0], places={column: rows}, full=frozenset({column}))]
    denied = [
        link
        for link in links
        if not link.bound
        and (
            any(link.places.keys() == head.columns for head in closing)
            or (link.start in claim.anchors and claim.anchors[link.start].start > place)
        )
    ]
    return [link for link in links if link not in denied], denied


# `Among the other finalists`.
_NEAR_AMONG = 3


def _cases(claim: GroundedClaim, links: Sequence[Link]) -> list[list[Link]]:
    """Return links as they are, but for what they list: each of it by itself, with the others."""
    groups = enumerations(claim, tuple(links))
    if len(groups) != 1:
        return [list(links)]
    others = [link for number, link in enumerate(links) if number not in groups[0]]
    return [[links[number], *others] for number in groups[0]]


_FINITE = frozenset({"be", "have", "do", "win", "score", "play"})


def _denied_in_a_clause(claim: GroundedClaim, place: int) -> Iterator[Proposal]:
    """Yield `A, who is not B, has C`: a row of A and C is not of B."""
    texts = claim.texts
    opening = next((n for n in range(max(0, place - 3), place) if texts[n] in RELATIVE_PRONOUNS), None)
    if opening is None:
        return
    affirmed, refused = _sides(claim, place)
    verb = next((n for n in range(place + 2, len(texts)) if texts[n] in _FINITE or texts[n] == ","), None)
    inside = [link for link in refused if verb is not None and link.end <= verb]
    said = [*affirmed, *(link for link in refused if link not in inside)]
    if not inside or len(said) == len(affirmed):
        return
    rows = meet([*(where(claim, link) for link in said), Without(AllRows(), restricted(claim, inside))])
    bound = binding(claim, claim.links, operators=[place])
    yield Proposal("denied in a clause", Some(rows), bound)


def _not_until(claim: GroundedClaim, place: int) -> Iterator[Proposal]:
    """Yield `A did not win until week 9`: it did then, and in no row before it in that column."""
    until = next((n for n in range(place + 1, len(claim.texts)) if claim.texts[n] in UNTIL), None)
    ends = [link for link in claim.links if until is not None and link.start >= until and link.places]
    said = [link for link in claim.links if until is not None and link.end <= until]
    if until is None or len(ends) != 1 or not said:
        return
    column = min(ends[0].places)
    numbers = claim.index.series[column]
    if column not in claim.index.dates_and_years and not numbers:
        # `Until the Skyscrape trial`: until when that was.
        column = column_of_time(claim.index) or column
        numbers = claim.index.series[column]
        ends = [replace(ends[0], places={column: ends[0].rows}, full=frozenset({column}))]
    moments = [numbers[row] for row in ends[0].places[column] if row in numbers]
    # `Until 22 June` is linked to all that was by then.
    first = (max if ends[0].bound.startswith("<=") else min)(moments, default=None)
    if first is None:
        return
    before = Link.of_column(
        until, ends[0].end, column, operations.rows_within(numbers, "<", first), f"< {first:g}"
    )
    rows = [where(claim, link) for link in said]
    then = frozenset(row for row, number in numbers.items() if number == first)
    if not ends[0].bound.startswith("<="):
        # It was so at some time of a month or a year.
        then |= ends[0].places[column]
    last = Link.of_column(until, ends[0].end, column, then, claim.phrase(until + 1, ends[0].end))
    program = All((Some(meet([*rows, where(claim, last)])), Not(Some(meet([*rows, where(claim, before)])))))
    yield Proposal("denied co-occurrence", program, binding(claim, claim.links, [column], [place, until]))


def _contrasts(claim: GroundedClaim, place: int) -> Iterator[Proposal]:
    """Yield `A, not B, has C`, `A has C, not D` and `A has not C but D`: one holds, the other does not."""
    sides = _contrasted(claim, place)
    if sides is not None:
        holds, fails = (Some(meet([where(claim, link) for link in links])) for links in sides)
        yield Proposal("contrast", All((holds, Not(fails))), binding(claim, claim.links, operators=[place]))


def _contrasted(claim: GroundedClaim, place: int) -> tuple[list[Link], list[Link]] | None:
    """Return the links that a contrast says to stand together, and those that it says not to."""
    texts = claim.texts
    before, after = _sides(claim, place)
    but = next((n for n in range(place + 1, len(texts)) if texts[n] == "but"), len(texts))
    denied, affirmed = [x for x in after if x.start < but], [x for x in after if x.start > but]
    if denied and affirmed and (before or denied[0].places.keys() & affirmed[0].places.keys()):
        return [*before, *affirmed], [*before, *denied]
    if "".join(texts[place + 1 : place + 2]) in _ENDS and not after:
        return _denied_of_another(claim, place)
    joined = place and texts[place - 1] in JOINTS
    if not joined or not before or not after:
        return None
    left, right = before[-1], after[0]
    shared = [link for link in claim.links if link is not left and link is not right]
    alike = left.places.keys() & right.places.keys() and not rule_each_other_out([left, *shared])
    return ([left, *shared], [right, *shared]) if alike and shared else None


_ENDS = frozenset({"", ".", "!"})


def _denied_of_another(claim: GroundedClaim, place: int) -> tuple[list[Link], list[Link]] | None:
    """Return what `A has C, but B has not` says to stand together, and what it says not to."""
    joint = next((n for n in range(place - 1, 0, -1) if claim.texts[n] in CLAUSE_MARKS | {"and", ","}), place)
    first, second = [x for x in claim.links if x.end <= joint], [x for x in claim.links if x.start > joint]
    if len(second) != 1:
        return None
    alike = [link for link in first if link.places.keys() & second[0].places.keys() and not link.bound]
    shared = [link for link in first if link not in alike]
    return ([alike[0], *shared], [second[0], *shared]) if len(alike) == 1 and shared else None
