"""Claims about how many rows, or how many different values, there are."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.candidate import Candidate, candidate, conditions
from evidence_assets.tables.programs.cooccurrence import common_rows, lists, rows_of
from evidence_assets.tables.programs.linking import Link
from evidence_assets.tables.programs.reading import Reading
from evidence_assets.tables.programs.trigger_lexicon import row_nouns
from evidence_assets.tables.programs.words import MONTHS

_WINDOW = 3
# A count beyond the table's rows by more than this is of something else.
_BEYOND_ROWS = 5
# Words that ask for more than a count of values.
_UNCOUNTED = frozenset({"than", "same", "no", "never", "not", "through", "last"})
_SLICES = frozenset({"first", "last", "final", "top", "next", "bottom"})
_CLAUSE_MARKS = frozenset({"while", "but", "whereas", ";"})


def count_programs(reading: Reading) -> Iterator[Candidate]:
    """Yield whether as many rows as told meet the claim's other conditions."""
    counters = list(_counters(reading))
    counted = {at for at, _, _ in counters}
    for at, relation, number in counters:
        links = [
            link
            for link in reading.links
            if not any(link.start <= other < link.end for other in counted)
            and _one_clause(reading, at, link.start)
        ]
        if _is_value(reading, at, links) or _lists_them(reading, at, number):
            continue
        one_of = _one_of(reading, at)
        links = [link for link in links if link.start >= one_of]
        if not links or _said_different(reading, at):
            if not links and not _UNCOUNTED.isdisjoint(reading.texts):
                continue
            made = _distinct(reading, at, relation, number, links)
            if made is not None:
                yield made
            continue
        yield from _counted(reading, relation, number, links)


def _counted(reading: Reading, relation: str, number: float, links: list[Link]) -> Iterator[Candidate]:
    columns = {column for link in links for column in link.places}
    cases = [links]
    groups = lists(reading, tuple(links))
    if groups and "each" in reading.texts:
        inside = set(groups[0])
        rest = [link for at, link in enumerate(links) if at not in inside]
        cases = [[links[at], *rest] for at in groups[0]]
    found = [operations.count(rows_of(case), columns) for case in cases]
    right = all(operations.compare(float(one.value or 0), relation, number) for one in found)
    yield candidate(
        "count",
        right,
        f"count({conditions(reading, links)}) {relation} {number:g}",
        {cell for one in found for cell in one.cells},
        f"rows {[list(one.rows) for one in found]}",
    )


def _lists_them(reading: Reading, at: int, number: float) -> bool:
    """Return whether a number tells of how many the claim names: `A, B and C are 3 of the teams in Asia`."""
    texts = reading.texts
    partitive = texts[at + 1 : at + 2] == ("of",) and texts[at - 1 : at] in {("be",), ("are",), ("all",)}
    return partitive and sum(link.end <= at for link in reading.links) >= min(2, number)


def _one_of(reading: Reading, at: int) -> int:
    """Return where `one of` stands shortly before a count; 0 where it does not.

    What is named before it is one of the rows, and no condition on them.
    """
    for place in range(max(0, at - 4), at):
        if reading.tokens[place].key == "1" and reading.texts[place + 1] == "of":
            return place
    return 0


def _is_value(reading: Reading, at: int, links: list[Link]) -> bool:
    """Return whether a number is better read as a cell that stands with the claim's other cells."""
    own = next((link for link in reading.links if link.start == at and link.number is not None), None)
    if own is None or not own.places:
        return False
    named = {column for head in reading.linked.headers for column in head.columns}
    kept = own.within(column for column in own.places if column in named)
    return bool(links) and bool(kept.places) and bool(common_rows((*links, kept)))


def _one_clause(reading: Reading, one: int, other: int) -> bool:
    return not any(text in _CLAUSE_MARKS for text in reading.texts[min(one, other) : max(one, other)])


def _counters(reading: Reading) -> Iterator[tuple[int, str, float]]:
    """Yield the numbers that count rows: where, the relation to them, and the number."""
    for limit in reading.bounds:
        yield limit.at, limit.relation, limit.bound
    bounded = {limit.at for limit in reading.bounds} | {
        at for link in reading.links if link.bound for at in range(link.start, link.end)
    }
    most = len(reading.index.cells) + _BEYOND_ROWS
    for at, token in enumerate(reading.tokens):
        number = token.number
        if number is None or token.ordinal or at in bounded or at in reading.linked.inside_names:
            continue
        if 0 <= number <= most and number == int(number) and _counts(reading, at):
            yield at, "=", number


def _counts(reading: Reading, at: int) -> bool:
    texts, tokens = reading.texts, reading.tokens
    around = {*texts[max(0, at - 1) : at], *texts[at + 1 : at + 2]}
    if not around.isdisjoint(MONTHS) or not around.isdisjoint("-%:/+"):
        return False
    before = texts[max(0, at - _WINDOW) : at]
    if texts[at - 1 : at] and texts[at - 1] in _SLICES:
        return False
    after = tokens[at + 1 : at + 1 + _WINDOW]
    opening = "there" in before or list(before[-2:]) == ["total", "of"]
    anchor = reading.anchors.get(at)
    headed = anchor is not None and anchor.end <= at
    skipped = {"different"} if headed else {"different", "of", "the"}
    first = next((token for token in after if token.text not in skipped), None)
    noun = first is not None and (
        first.key in row_nouns() or (first.key in reading.index.caption and first.number is None)
    )
    if headed and not noun:
        return False
    header = any(
        head.start - at in {1, 2} and not any(reading.index.is_numeric(c) for c in head.columns)
        for head in reading.linked.headers
    )
    partitive = bool(after) and after[0].text == "of"
    unlinked = (
        at in reading.numbers and bool(after) and not after[0].stop and at + 1 not in reading.linked_places
    )
    return opening or noun or header or partitive or unlinked


def _said_different(reading: Reading, at: int) -> bool:
    return any(text in {"different", "unique", "distinct"} for text in reading.texts[at : at + 3])


def _distinct(reading: Reading, at: int, relation: str, number: float, links: list[Link]) -> Candidate | None:
    heads = [head for head in reading.linked.headers if 0 < head.start - at <= _WINDOW]
    if not heads:
        return None
    column = min(heads[0].columns)
    rows = common_rows(tuple(links)) if links else frozenset(range(len(reading.index.cells)))
    values = {row: reading.index.keys[row, column] for row in rows if reading.index.keys[row, column]}
    found = operations.distinct(values, column)
    return candidate(
        "distinct",
        operations.compare(float(found.value or 0), relation, number),
        f"count distinct({reading.index.table.header[column]} of {conditions(reading, links)}) "
        f"{relation} {number:g}",
        found.cells,
        f"{found.value:g} different",
    )
