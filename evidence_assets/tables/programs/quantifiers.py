"""Claims about all, only, none, most, and about sums and averages."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.candidate import Candidate, candidate, cells_of, conditions
from evidence_assets.tables.programs.cooccurrence import rows_of
from evidence_assets.tables.programs.linking import Link
from evidence_assets.tables.programs.reading import Reading
from evidence_assets.tables.programs.trigger_lexicon import EACH, is_negated


def quantifier_programs(reading: Reading) -> Iterator[Candidate]:
    """Yield programs of every quantifier that the claim has."""
    yield from _aggregate(reading)
    yield from _majority(reading)
    yield from _only(reading)
    yield from _every(reading)
    yield from _none(reading)


def _parts(reading: Reading, at: int) -> tuple[list[Link], list[Link]]:
    """Return the links from a word to the next copula, and those behind that."""
    texts = reading.texts
    copula = next((n for n in range(at + 1, len(texts)) if texts[n] in _VERBS), len(texts))
    inside = [link for link in reading.links if at < link.start < copula]
    return inside, [link for link in reading.links if link.start > copula]


_VERBS = frozenset({"be", "have", "is", "are", "was", "were", "had", "has", "take", "end", "come"})


def _majority(reading: Reading) -> Iterator[Candidate]:
    texts = reading.texts
    at = next((n for n, text in enumerate(texts) if text == "majority"), None)
    if at is None:
        at = next((n for n in range(len(texts) - 1) if texts[n] == "most" and texts[n + 1] == "of"), None)
    less = False
    if at is None and "half" in texts:
        at = texts.index("half")
        less = "less" in texts[:at] or "fewer" in texts[:at]
        if not less and "more" not in texts[:at] and "over" not in texts[:at]:
            return
    if at is None:
        return
    among, told = _parts(reading, at)
    if not told and among:
        among, told = [], among
    if not told:
        return
    scope = rows_of(among) if among else frozenset(range(len(reading.index.cells)))
    columns = {column for link in told for column in link.places}
    found = operations.majority(rows_of(told), scope, columns)
    if found.value is None:
        return
    yield candidate(
        "majority",
        bool(found.value) != (is_negated(reading.tokens) or less),
        f"{'less than half' if less else 'most'}({conditions(reading, among)}) "
        f"have {conditions(reading, told)}",
        found.cells,
        f"{len(found.rows)} of {len(scope)} rows",
    )


def _only(reading: Reading) -> Iterator[Candidate]:
    at = next((n for n, text in enumerate(reading.texts) if text == "only"), None)
    if at is None or any(token.number is not None for token in reading.tokens[at + 1 : at + 4]):
        return
    holders = [link for link in reading.links if link.end <= at]
    told = [link for link in reading.links if link.start > at]
    if not holders:
        told, holders = _parts(reading, at)
    if not holders or not told:
        return
    one, other = rows_of(holders), rows_of(told)
    yield candidate(
        "only",
        (bool(one & other) and other <= one) != is_negated(reading.tokens),
        f"only({conditions(reading, holders)}) have {conditions(reading, told)}",
        cells_of([*holders, *told], one | other),
        f"rows {sorted(one)} and {sorted(other)}",
    )


def _every(reading: Reading) -> Iterator[Candidate]:
    at = next((n for n, text in enumerate(reading.texts) if text in EACH), None)
    if at is None:
        return
    among, told = _parts(reading, at)
    if not told:
        return
    scope = rows_of(among) if among else frozenset(range(len(reading.index.cells)))
    inside = rows_of(told)
    if not scope:
        return
    yield candidate(
        "all",
        (scope <= inside) != is_negated(reading.tokens),
        f"all({conditions(reading, among)}) have {conditions(reading, told)}",
        cells_of([*among, *told], scope),
        f"{len(scope & inside)} of {len(scope)} rows",
    )


def _none(reading: Reading) -> Iterator[Candidate]:
    texts = reading.texts
    at = next((n for n, text in enumerate(texts[:6]) if text in {"no", "none"}), None)
    if at is None or not reading.links or (at and "there" not in texts[:at]):
        return
    links = [link for link in reading.links if link.start > at]
    if not links:
        return
    rows = rows_of(links)
    yield candidate(
        "none",
        not rows,
        f"count({conditions(reading, links)}) = 0",
        cells_of(links, rows),
        f"{len(rows)} rows",
    )


def _aggregate(reading: Reading) -> Iterator[Candidate]:
    texts, index = reading.texts, reading.index
    word = next(
        (n for n, text in enumerate(texts) if text in _AGGREGATES and not reading.linked.in_header(n)), None
    )
    if word is None:
        return
    numbers = [
        (at, token.number)
        for at, token in enumerate(reading.tokens)
        if token.number is not None
        and not token.ordinal
        and (
            at in reading.numbers
            or any(link.start == at and link.number is not None for link in reading.links)
        )
    ]
    if not numbers:
        return
    at, number = numbers[-1]
    heads = sorted(reading.linked.headers, key=lambda head: abs(head.start - word))
    column = next((c for head in heads for c in sorted(head.columns) if index.is_numeric(c)), None)
    if column is None:
        return
    links = [link for link in reading.links if not link.start <= at < link.end]
    rows = rows_of(links) if links else frozenset(range(len(index.cells)))
    series = {row: value for row, value in index.series[column].items() if row in rows}
    averaged = texts[word] in {"average", "mean", "averaged"}
    found = (operations.average if averaged else operations.total)(series, column)
    if found.value is None or not series or len(series) < 2:
        return
    written = reading.texts[at]
    decimals = len(written.partition(".")[2])
    right = operations.told(float(found.value), float(number or 0), decimals)
    name = "average" if averaged else "sum"
    yield candidate(
        name,
        right != is_negated(reading.tokens),
        f"{name}({index.table.header[column]} of {conditions(reading, links)}) = {number:g}",
        found.cells,
        f"{found.value:g}",
    )


_AGGREGATES = frozenset({"average", "mean", "averaged", "total", "sum", "combined", "combine", "altogether"})
