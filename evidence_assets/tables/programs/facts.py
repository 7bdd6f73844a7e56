"""Claims that rows hold values together, or do not."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.cooccurrence import common_rows, find_cooccurrence, rule_each_other_out
from evidence_assets.tables.programs.grammar import Truth
from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.linking import Link
from evidence_assets.tables.programs.number_programs import Aggregate, Literal
from evidence_assets.tables.programs.proposal import Proposal, binding, restricted, where
from evidence_assets.tables.programs.row_programs import Either, meet
from evidence_assets.tables.programs.truth_programs import All, Compare, Not, Some
from evidence_assets.tables.table import Kind
from evidence_assets.text.words import word_set

# Words of a list that hold of each of its items.
_LISTING = word_set("both all each also too")


def fact_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether the claim's values stand together in rows, with its negations."""
    place = claim.negation
    if place is not None:
        yield from _contrasts(claim, place)
        yield from _denials(claim, place)
        return
    yield from _together(claim)


def _together(claim: GroundedClaim) -> Iterator[Proposal]:
    cooccurrence = find_cooccurrence(claim, claim.links)
    if cooccurrence is None or any(rule_each_other_out(case) for case in cooccurrence.cases):
        return
    parts = tuple(Some(meet([where(claim, link) for link in case])) for case in cooccurrence.cases)
    disjoined = [place for place, text in enumerate(claim.texts) if text in {"or", "either"}]
    program: Truth = parts[0] if len(parts) == 1 else All(parts)
    if cooccurrence.way == "list" and disjoined:
        program = Some(Either(tuple(part.rows for part in parts)))
    listing = [place for place, text in enumerate(claim.texts) if text in _LISTING]
    operators = [*listing, *disjoined] if cooccurrence.way == "list" else []
    links = {id(link): link for case in cooccurrence.cases for link in case}.values()
    kind = f"co-occurrence by {cooccurrence.way}" if len(claim.links) > 1 else "single value"
    if cooccurrence.way == "row" and any(link.start in claim.units for link in claim.links):
        kind = "quantity of a row"
    bound = binding(claim, links, operators=operators)
    for link in links:
        if _counts_something(claim, link):
            # A cell holds the number, but nothing says that it is one of what the claim counts.
            del bound[link.start]
            kind = "co-occurrence with a number of something else"
    measured = kind == "quantity of a row" and not program.run(claim.index).truth
    if (claim.numbers or measured) and _may_be_untold(claim):
        return
    if claim.numbers:
        yield from _absent_number(claim)
    else:
        yield Proposal(kind, program, bound)


def _may_be_untold(claim: GroundedClaim) -> bool:
    """Return whether the row that a claim names lacks a number, of which the claim may tell.

    A claim that names a column in which the row has one speaks of that.
    """
    index, rows = claim.index, common_rows(tuple(claim.names))
    if len(rows) != 1:
        return False
    (row,) = rows
    numeric = [c for c in index.numeric(range(index.table.columns)) if c != index.table.label_column]
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
    rows = meet([where(claim, link) for link in (*claim.links, *absent)])
    could_count = any(_could_count(claim, place) for place in claim.numbers)
    heads = (head for head in claim.linked.headers if claim.index.numeric(head.columns))
    if not could_count and next(heads, None) is None:
        return
    kind = "unmatched number that may count" if could_count else "unmatched number"
    yield Proposal(kind, Some(rows), binding(claim, (*claim.links, *absent)))


def _could_count(claim: GroundedClaim, place: int) -> bool:
    number = claim.tokens[place].number or 0.0
    return number == int(number) and 0 <= number <= len(claim.index.rows)


def _counts_something(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a number of no named column stands before a noun that does not name its column."""
    if link.number is None or link.bound or link.end >= len(claim.tokens):
        return False
    if link.start in claim.anchors or link.start in claim.units:
        return False
    following = claim.tokens[link.end]
    if following.stop or following.mark or following.number is not None or claim.tokens[link.start].ordinal:
        return False
    heads = [head for head in claim.linked.headers if head.start == link.end]
    of_others = any(not head.columns & link.places.keys() for head in heads)
    return of_others or link.end not in claim.linked_positions


def _denials(claim: GroundedClaim, place: int) -> Iterator[Proposal]:
    """Yield whether no row holds both what stands before a negation and what stands after it."""
    affirmed = [link for link in claim.links if link.end <= place]
    refused = [link for link in claim.links if link.start > place]
    index, label = claim.index, claim.index.table.label_column
    behind = [head for head in claim.linked.headers if head.start > place]
    # `A is no country that won a medal` says what the rows are before what they have none of.
    heads = [head for head in behind if head.columns != {label}][:1]
    numeric = [
        column
        for head in heads
        for column in index.numeric(head.columns)
        if column not in index.years and ((affirmed and not refused) or 0.0 in index.series[column].values())
    ]
    at_once = bool(heads) and (not refused or heads[0].start < refused[0].start)
    names = [link for link in claim.links if link.number is None]
    if numeric and at_once and not claim.numbers:
        all_zero = Compare(Aggregate("highest", restricted(claim, names), numeric[0]), "=", Literal(0.0))
        unlimited = [n for n in range(place + 1, len(claim.texts)) if claim.texts[n] == "any"]
        bound = binding(claim, names, [numeric[0]], [place, *unlimited])
        yield Proposal("none of a column", all_zero, bound)
    if (
        refused
        and not rule_each_other_out(claim.links)
        and (len(claim.links) > 1 or refused[0].bound or "there" in claim.texts[:place])
    ):
        # That a value stands in the table denies nothing that is said of it.
        bound = binding(claim, claim.links, operators=[place])
        program: Truth = Not(Some(meet([where(claim, link) for link in (*affirmed, *refused)])))
        if affirmed:
            program = All((Some(meet([where(claim, link) for link in affirmed])), program))
        yield Proposal("denied co-occurrence", program, bound)


def _contrasts(claim: GroundedClaim, place: int) -> Iterator[Proposal]:
    """Yield `A, not B, has C`, `A has C, not D` and `A has not C but D`: one holds, the other does not."""
    sides = _sides(claim, place)
    if sides is not None:
        holds, fails = (Some(meet([where(claim, link) for link in links])) for links in sides)
        yield Proposal("contrast", All((holds, Not(fails))), binding(claim, claim.links, operators=[place]))


def _sides(claim: GroundedClaim, place: int) -> tuple[list[Link], list[Link]] | None:
    """Return the links that a contrast says to stand together, and those that it says not to."""
    texts = claim.texts
    before = [link for link in claim.links if link.end <= place]
    after = [link for link in claim.links if link.start > place]
    but = next((n for n in range(place + 1, len(texts)) if texts[n] == "but"), len(texts))
    denied, affirmed = [x for x in after if x.start < but], [x for x in after if x.start > but]
    if denied and affirmed and denied[0].places.keys() & affirmed[0].places.keys():
        return [*before, *affirmed], [*before, *denied]
    comma = place and texts[place - 1] in {",", "and", "but"}
    if not comma or not before or not after:
        return None
    left, right = before[-1], after[0]
    shared = [link for link in claim.links if link is not left and link is not right]
    alike = left.places.keys() & right.places.keys()
    return ([left, *shared], [right, *shared]) if alike and shared else None
