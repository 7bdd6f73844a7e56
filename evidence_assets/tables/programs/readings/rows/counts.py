"""Claims that count rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.number_programs import Count, GroupsOf, Literal
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Without, meet
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare, Not, all_of
from evidence_assets.tables.programs.grammar.types import Rows, Truth
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.links.contests.contest_links import tells_an_outcome
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.readings.parts.cooccurrence import common_rows, enumerations
from evidence_assets.tables.programs.readings.parts.counters import (
    BEYOND_ROWS,
    WINDOW,
    Counter,
    counters_of,
    counts_no_rows,
    has_its_whole,
)
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    binding,
    numeric_columns,
    proposed,
    restricted,
    where,
)
from evidence_assets.tables.programs.readings.rows.counts_of_values import (
    NO_MORE,
    asks_distinct,
    distinct_values,
    groups_of_rows,
)
from evidence_assets.tables.programs.readings.rows.parts_of_counts import counts_of_parts
from evidence_assets.tables.programs.wording.quantifier_words import ALONE, EXACTLY, limitless
from evidence_assets.tables.programs.wording.trigger_lexicon import CLAUSE_MARKS, comparative

# Words that no plain count of distinct values contains.
_UNCOUNTED = frozenset({"than", "same", "no", "never", "not", "through", "last"})


def count_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield, for each count in the claim, whether that many rows meet its other conditions."""
    total = claim.row_total
    counters = [
        counter if counter.whole is None else replace(counter, words=(*counter.words, counter.whole))
        for counter in counters_of(claim)
        if counter.position != total
    ]
    counter_positions = {counter.position for counter in counters}
    if total is not None:
        counters = [replace(counter, words=(*counter.words, total)) for counter in counters]
        counter_positions.add(total)
    for counter in counters:
        position = counter.position
        taken = counter_positions | ({counter.whole} if counter.whole is not None else set())
        links = [
            link
            for link in claim.links
            if not any(link.start <= place < link.end for place in taken)
            and _same_clause(claim, position, link.start)
        ]
        if not has_its_whole(claim, counter) or _is_value(claim, position, links):
            continue
        if _counts_listed(claim, position, counter.number):
            continue
        partitive = _partitive_start(claim, position)
        links = [link for link in links if link.start >= partitive]
        yield from _counted_others(claim, counter, links)
        opens = position == 1 and claim.texts[0] in EXACTLY
        if not opens and _counts_named_rows(claim, counter.number, links):
            continue
        if not links or asks_distinct(claim, position):
            if not links and (claim.strangers or not _UNCOUNTED.isdisjoint(claim.texts)):
                # All values are counted: a name that the table lacks says that only some are meant.
                continue
            yield from distinct_values(claim, counter, links)
            continue
        yield _denied_where_denied(claim, counter, _counted(claim, counter, links))
        yield from _only_counted(claim, counter, links)
    yield from _loose_counts(claim, counter_positions)
    yield from _counts_of_some(claim)
    yield from groups_of_rows(claim, counters)
    yield from _counts_in_turn(claim, counters)
    yield from counts_of_parts(claim, counters)


def _denied_where_denied(claim: GroundedClaim, counter: Counter, counted: Proposal) -> Proposal:
    """Return a count, denied of `A does not have more than four`: the denial stands right before the verb."""
    place = claim.negation
    between = () if place is None else range(place + 1, min(counter.words))
    near, said = WINDOW, claim.linked_positions
    if counter.relation != "=":
        # `Is not the home of more than one`.
        near, said = _FAR, positions_of(claim.links)
    is_denied = place is not None and claim.texts[place] in {"not", "never"} and 0 < len(between) < near
    if place is None or not is_denied or not said.isdisjoint(between):
        return counted
    bound = {**counted.bound, place: (Role.OPERATOR, claim.texts[place])}
    return replace(counted, program=Not(counted.program), bound=bound)


# So many words may stand between a denial and the bound on a count.
_FAR = 9


def _loose_counts(claim: GroundedClaim, counter_positions: set[int]) -> Iterator[Proposal]:
    """Yield counts by numbers that no word marks as one."""
    for position in _may_be_counts(claim, len(claim.index.rows) + BEYOND_ROWS):
        number = float(claim.tokens[position].number or 0)
        links = [link for link in claim.links if not link.start <= position < link.end]
        if position in counter_positions or not links or _counts_named_rows(claim, number, links):
            continue
        counter = Counter(position, "=", number, (position,))
        yield replace(_counted(claim, counter, links), kind="loose count")


def _counts_of_some(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a number counts the rows of some of the claim's values.

    These are all but the numbers, all but one value, and each value alone.
    """
    limits = {limit.position: limit for limit in claim.bounds}
    for position in _may_be_counts(claim, len(claim.index.rows)):
        number = float(claim.tokens[position].number or 0)
        links = [link for link in claim.links if not link.start <= position < link.end]
        limit = limits.get(position)
        relation = "=" if limit is None else limit.relation
        words = [position] if limit is None else range(limit.start, limit.end)
        for some in _some_of(links):
            if not _counts_named_rows(claim, number, some):
                # What a claim denies is hardly a number that it tells.
                program = Compare(Count(restricted(claim, some)), relation, Literal(number))
                yield Proposal("count of some", program, binding(claim, some, operators=words))


def _may_be_counts(claim: GroundedClaim, most: int) -> Iterator[int]:
    """Yield the positions of whole numbers up to a bound that may count rows: of no name and no condition."""
    of_names = claim.linked.inside_names
    for position, token in enumerate(claim.tokens):
        number = token.number
        if number is None or token.ordinal or number != int(number) or not 0 <= number <= most:
            continue
        if not (position in of_names or counts_no_rows(claim, position) or claim.in_condition(position)):
            yield position


def _some_of(links: list[Link]) -> Iterator[list[Link]]:
    """Yield some of several links, each choice once."""
    choices = [
        [link for link in links if link.number is None],
        *([link for link in links if link is not excluded] for excluded in links),
        *([link] for link in links),
    ]
    seen: set[tuple[int, ...]] = set()
    for some in choices:
        key = tuple(link.start for link in some)
        if 0 < len(some) < len(links) and key not in seen:
            seen.add(key)
            yield some


def _counts_named_rows(claim: GroundedClaim, number: float, links: list[Link]) -> bool:
    """Return whether a number cannot count rows: the claim names fewer, each by itself, or only these.

    `The Merle carries ten passengers` counts no boats.
    """
    label = claim.index.table.label_column
    names = [
        link
        for link in links
        if link.number is None and not link.bound and len(link.rows) == 1 and link.places.keys() == {label}
    ]
    listed = len(names) == len(links) and (number != 1 or claim.position({"time", "once"}) is None)
    return bool(names) and (number > len(names) or listed)


def _counts_in_turn(claim: GroundedClaim, counters: list[Counter]) -> Iterator[Proposal]:
    """Yield `2 games in May and 3 in June`: each count of what stands between it and the next."""
    if len(counters) < 2:
        return
    of_outcomes = [next((link for link in claim.links if link.end == c.position), None) for c in counters]
    if all(link is not None and tells_an_outcome(claim.index, link) for link in of_outcomes):
        yield _counted_by_outcome(claim, counters, [link for link in of_outcomes if link is not None])
        return
    ends = [*(counter.position for counter in counters[1:]), len(claim.tokens)]
    opening = [link for link in claim.links if link.end <= counters[0].position]
    parts: list[Truth] = []
    links = list(opening)
    for counter, end in zip(counters, ends, strict=True):
        part_links = [link for link in claim.links if counter.position < link.start < end]
        if not part_links:
            return
        links += part_links
        rows = meet([where(claim, link) for link in (*opening, *part_links)])
        parts.append(Compare(Count(rows), counter.relation, Literal(counter.number)))
    words = [word for counter in counters for word in counter.words]
    only = [n for n, text in enumerate(claim.texts) if text in NO_MORE]
    yield Proposal("counts in turn", All(tuple(parts)), binding(claim, links, operators=[*words, *only]))


def _counted_by_outcome(
    claim: GroundedClaim, counters: Sequence[Counter], outcomes: Sequence[Link]
) -> Proposal:
    """Return `won nine games and lost seven`: of the same contests, how many ended so."""
    others = [where(claim, link) for link in claim.links if link not in outcomes]
    parts = tuple(
        Compare(Count(meet([*others, where(claim, link)])), counter.relation, Literal(counter.number))
        for counter, link in zip(counters, outcomes, strict=True)
    )
    words = [word for counter in counters for word in counter.words]
    return Proposal("counts in turn", All(parts), binding(claim, claim.links, operators=words))


def _counted(claim: GroundedClaim, counter: Counter, links: list[Link]) -> Proposal:
    cases, operators = [links], list(counter.words)
    groups = enumerations(claim, tuple(links))
    each_position = claim.position({"each"})
    if groups and each_position is not None:
        listed = set(groups[0])
        unlisted = [link for place, link in enumerate(links) if place not in listed]
        cases = [[links[place], *unlisted] for place in groups[0]]
        operators.append(each_position)
    program = all_of(
        Compare(Count(restricted(claim, case)), counter.relation, Literal(counter.number)) for case in cases
    )
    opening = range(max(0, counter.words[0] - WINDOW), counter.words[0])
    # `Only A came twice` says it of A alone.
    named = positions_of(claim.names)
    operators += [
        n for n in opening if claim.texts[n] in NO_MORE and named.isdisjoint(range(n, counter.words[0]))
    ]
    operators += [n for n in range(1, counter.position) if claim.texts[n - 1 : n + 1] == ("of", "all")]
    counted_columns = {
        column
        for head in claim.linked.headers
        if 0 < head.start - counter.position <= WINDOW and not comparative(claim.texts[head.start])
        for column in head.columns
    }
    return Proposal("count", program, binding(claim, links, counted_columns, operators))


def _only_counted(claim: GroundedClaim, counter: Counter, links: list[Link]) -> Iterator[Proposal]:
    """Yield `A is the only one with 2 B`: A stands in so many rows, and no other of its column does."""
    only = claim.position(ALONE)
    if only is None or not links or links[0].end > only or counter.words[0] < only + 2:
        return
    holder, *scope_links = links
    if not holder.places:
        return
    column = min(holder.places)
    holder_rows = where(claim, holder.within([column]))
    scope = [where(claim, link) for link in scope_links]
    others = meet([*scope, Without(AllRows(), holder_rows)])
    groups = GroupsOf(others, column, counter.relation, counter.number)
    holder_count = Compare(Count(meet([*scope, holder_rows])), counter.relation, Literal(counter.number))
    program = All((holder_count, Compare(groups, "=", Literal(0.0))))
    yield proposed(claim, "only so many", program, links, operators=[only, *counter.words])


def _counted_others(claim: GroundedClaim, counter: Counter, links: list[Link]) -> Iterator[Proposal]:
    """Yield `3 of the A have no B`: how many rows of those named before a negation lack what it denies."""
    place = claim.negation
    if place is None or place < counter.position:
        return
    scoped = [link for link in links if link.end <= place]
    denied_links = [link for link in links if link.start > place]
    scope = restricted(claim, scoped)
    heads = [head for head in claim.linked.headers if head.start > place]
    numeric = list(numeric_columns(claim, heads[:1]))
    rows: Rows
    columns: list[int] = []
    if denied_links:
        rows = Without(scope, restricted(claim, denied_links))
    elif numeric:
        zeros = operations.rows_within(claim.index.series[numeric[0]], "=", 0.0)
        zero_link = Link.of_column(place, place + 1, numeric[0], zeros, "= 0")
        rows, columns = meet([scope, where(claim, zero_link)]), numeric[:1]
    else:
        return
    program = Compare(Count(rows), counter.relation, Literal(counter.number))
    operators = [*counter.words, place, *limitless(claim.texts, place)]
    bound = binding(claim, [*scoped, *denied_links], columns, operators)
    yield Proposal("count of the others", program, bound)


def _counts_listed(claim: GroundedClaim, position: int, number: float) -> bool:
    """Return whether a number counts what the claim lists: `A, B and C are 3 of the teams in Asia`."""
    texts = claim.texts
    listed_before = texts[position - 1 : position] in {("be",), ("all",)}
    partitive = listed_before and texts[position + 1 : position + 2] == ("of",)
    return partitive and sum(link.end <= position for link in claim.links) >= min(2, number)


def _partitive_start(claim: GroundedClaim, position: int) -> int:
    """Return the position of `one of` shortly before a count; 0 without it.

    What the claim names before it is one of the counted rows, not a condition on them.
    """
    for place in range(max(0, position - 4), position):
        if claim.tokens[place].key == "1" and claim.texts[place + 1] == "of":
            return place
    return 0


def _is_value(claim: GroundedClaim, position: int, links: list[Link]) -> bool:
    """Return whether a number is a cell in the row of the claim's other cells rather than a count."""
    number_link = next(
        (link for link in claim.links if link.start == position and link.number is not None), None
    )
    if number_link is None or not number_link.places:
        return False
    named_columns = {column for head in claim.linked.headers for column in head.columns}
    in_named_columns = number_link.within(column for column in number_link.places if column in named_columns)
    return bool(links) and bool(in_named_columns.places) and bool(common_rows((*links, in_named_columns)))


def _same_clause(claim: GroundedClaim, left: int, right: int) -> bool:
    return not any(text in CLAUSE_MARKS for text in claim.texts[min(left, right) : max(left, right)])
