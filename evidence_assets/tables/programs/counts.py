"""Claims that count rows or distinct values."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.candidate import Candidate, candidate, conditions
from evidence_assets.tables.programs.cooccurrence import common_rows, enumerations, rows_of
from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.linking import Link
from evidence_assets.tables.programs.trigger_lexicon import CLAUSE_MARKS, row_nouns
from evidence_assets.tables.programs.words import MONTHS

_WINDOW = 3
# A number that exceeds the table's rows by more than this does not count rows.
_BEYOND_ROWS = 5
# Words of claims that are no plain counts of distinct values.
_UNCOUNTED = frozenset({"than", "same", "no", "never", "not", "through", "last"})
_SLICES = frozenset({"first", "last", "final", "top", "next", "bottom"})


def count_programs(claim: GroundedClaim) -> Iterator[Candidate]:
    """Yield, for each count in the claim, whether that many rows meet its other conditions."""
    counters = list(_counters(claim))
    counted = {position for position, _, _ in counters}
    for position, relation, number in counters:
        links = [
            link
            for link in claim.links
            if not any(link.start <= counter < link.end for counter in counted)
            and _same_clause(claim, position, link.start)
        ]
        if _is_value(claim, position, links) or _counts_listed(claim, position, number):
            continue
        one_of = _partitive_start(claim, position)
        links = [link for link in links if link.start >= one_of]
        if not links or _asks_distinct(claim, position):
            if not links and not _UNCOUNTED.isdisjoint(claim.texts):
                continue
            program = _distinct(claim, position, relation, number, links)
            if program is not None:
                yield program
            continue
        yield from _counted(claim, relation, number, links)


def _counted(claim: GroundedClaim, relation: str, number: float, links: list[Link]) -> Iterator[Candidate]:
    columns = {column for link in links for column in link.places}
    cases = [links]
    groups = enumerations(claim, tuple(links))
    if groups and "each" in claim.texts:
        listed = set(groups[0])
        unlisted = [link for place, link in enumerate(links) if place not in listed]
        cases = [[links[place], *unlisted] for place in groups[0]]
    outcomes = [operations.count(rows_of(case), columns) for case in cases]
    right = all(operations.compare(float(outcome.value or 0), relation, number) for outcome in outcomes)
    yield candidate(
        "count",
        right,
        f"count({conditions(claim, links)}) {relation} {number:g}",
        {cell for outcome in outcomes for cell in outcome.cells},
        f"rows {[list(outcome.rows) for outcome in outcomes]}",
    )


def _counts_listed(claim: GroundedClaim, position: int, number: float) -> bool:
    """Return whether a number counts what the claim lists: `A, B and C are 3 of the teams in Asia`."""
    texts = claim.texts
    partitive = texts[position + 1 : position + 2] == ("of",) and texts[position - 1 : position] in {
        ("be",),
        ("are",),
        ("all",),
    }
    return partitive and sum(link.end <= position for link in claim.links) >= min(2, number)


def _partitive_start(claim: GroundedClaim, position: int) -> int:
    """Return the position of `one of` shortly before a count; 0 where there is none.

    What is named before it is one of the counted rows, not a condition on them.
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
    named = {column for head in claim.linked.headers for column in head.columns}
    restricted = number_link.within(column for column in number_link.places if column in named)
    return bool(links) and bool(restricted.places) and bool(common_rows((*links, restricted)))


def _same_clause(claim: GroundedClaim, left: int, right: int) -> bool:
    return not any(text in CLAUSE_MARKS for text in claim.texts[min(left, right) : max(left, right)])


def _counters(claim: GroundedClaim) -> Iterator[tuple[int, str, float]]:
    """Yield each number that counts rows: its position, the relation to it, the number."""
    for limit in claim.bounds:
        yield limit.position, limit.relation, limit.bound
    bounded = {limit.position for limit in claim.bounds} | {
        position for link in claim.links if link.bound for position in range(link.start, link.end)
    }
    most = len(claim.index.cells) + _BEYOND_ROWS
    for position, token in enumerate(claim.tokens):
        number = token.number
        if number is None or token.ordinal or position in bounded or position in claim.linked.inside_names:
            continue
        if 0 <= number <= most and number == int(number) and _counts(claim, position):
            yield position, "=", number


def _counts(claim: GroundedClaim, position: int) -> bool:
    texts, tokens = claim.texts, claim.tokens
    around = {*texts[max(0, position - 1) : position], *texts[position + 1 : position + 2]}
    if not around.isdisjoint(MONTHS) or not around.isdisjoint("-%:/+"):
        return False
    before = texts[max(0, position - _WINDOW) : position]
    if texts[position - 1 : position] and texts[position - 1] in _SLICES:
        return False
    after = tokens[position + 1 : position + 1 + _WINDOW]
    opening = "there" in before or list(before[-2:]) == ["total", "of"]
    anchor = claim.anchors.get(position)
    headed = anchor is not None and anchor.end <= position
    skipped = {"different"} if headed else {"different", "of", "the"}
    first = next((token for token in after if token.text not in skipped), None)
    noun = first is not None and (
        first.key in row_nouns() or (first.key in claim.index.caption and first.number is None)
    )
    if headed and not noun:
        return False
    header = any(
        head.start - position in {1, 2} and not any(claim.index.is_numeric(c) for c in head.columns)
        for head in claim.linked.headers
    )
    partitive = bool(after) and after[0].text == "of"
    unlinked = (
        position in claim.numbers
        and bool(after)
        and not after[0].stop
        and position + 1 not in claim.linked_positions
    )
    return opening or noun or header or partitive or unlinked


def _asks_distinct(claim: GroundedClaim, position: int) -> bool:
    return any(text in {"different", "unique", "distinct"} for text in claim.texts[position : position + 3])


def _distinct(
    claim: GroundedClaim, position: int, relation: str, number: float, links: list[Link]
) -> Candidate | None:
    heads = [head for head in claim.linked.headers if 0 < head.start - position <= _WINDOW]
    if not heads:
        return None
    column = min(heads[0].columns)
    rows = common_rows(tuple(links)) if links else claim.all_rows
    values = {row: claim.index.keys[row, column] for row in rows if claim.index.keys[row, column]}
    outcome = operations.distinct(values, column)
    return candidate(
        "distinct",
        operations.compare(float(outcome.value or 0), relation, number),
        f"count distinct({claim.index.table.header[column]} of {conditions(claim, links)}) "
        f"{relation} {number:g}",
        outcome.cells,
        f"{outcome.value:g} different",
    )
