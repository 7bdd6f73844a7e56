"""Claims about all, only, none, most, and about sums and averages."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.candidate import Candidate, candidate, cells_of, conditions
from evidence_assets.tables.programs.cooccurrence import rows_of
from evidence_assets.tables.programs.grounding import GroundedClaim
from evidence_assets.tables.programs.linking import Link
from evidence_assets.tables.programs.trigger_lexicon import EACH, is_negated


def quantifier_programs(claim: GroundedClaim) -> Iterator[Candidate]:
    """Yield the programs of the claim's quantifiers and aggregates."""
    yield from _aggregate(claim)
    yield from _majority(claim)
    yield from _only(claim)
    yield from _every(claim)
    yield from _none(claim)


def _parts(claim: GroundedClaim, position: int) -> tuple[list[Link], list[Link]]:
    """Return the links between a word and the next copula, and the links after that copula."""
    texts = claim.texts
    copula = next((n for n in range(position + 1, len(texts)) if texts[n] in _VERBS), len(texts))
    inside = [link for link in claim.links if position < link.start < copula]
    return inside, [link for link in claim.links if link.start > copula]


_VERBS = frozenset({"be", "have", "is", "are", "was", "were", "had", "has", "take", "end", "come"})


def _majority(claim: GroundedClaim) -> Iterator[Candidate]:
    texts = claim.texts
    position = claim.position({"majority"})
    if position is None:
        position = next(
            (n for n in range(len(texts) - 1) if texts[n] == "most" and texts[n + 1] == "of"), None
        )
    less = False
    if position is None and "half" in texts:
        position = texts.index("half")
        less = "less" in texts[:position] or "fewer" in texts[:position]
        if not less and "more" not in texts[:position] and "over" not in texts[:position]:
            return
    if position is None:
        return
    scope_links, predicates = _parts(claim, position)
    if not predicates and scope_links:
        scope_links, predicates = [], scope_links
    if not predicates:
        return
    scope = rows_of(scope_links) if scope_links else claim.all_rows
    columns = {column for link in predicates for column in link.places}
    outcome = operations.majority(rows_of(predicates), scope, columns)
    if outcome.value is None:
        return
    yield candidate(
        "majority",
        bool(outcome.value) != (is_negated(claim.tokens) or less),
        f"{'less than half' if less else 'most'}({conditions(claim, scope_links)}) "
        f"have {conditions(claim, predicates)}",
        outcome.cells,
        f"{len(outcome.rows)} of {len(scope)} rows",
    )


def _only(claim: GroundedClaim) -> Iterator[Candidate]:
    position = claim.position({"only"})
    if position is None or any(
        token.number is not None for token in claim.tokens[position + 1 : position + 4]
    ):
        return
    holders = [link for link in claim.links if link.end <= position]
    predicates = [link for link in claim.links if link.start > position]
    if not holders:
        predicates, holders = _parts(claim, position)
    if not holders or not predicates:
        return
    holding_rows, predicate_rows = rows_of(holders), rows_of(predicates)
    yield candidate(
        "only",
        (bool(holding_rows & predicate_rows) and predicate_rows <= holding_rows) != is_negated(claim.tokens),
        f"only({conditions(claim, holders)}) have {conditions(claim, predicates)}",
        cells_of([*holders, *predicates], holding_rows | predicate_rows),
        f"rows {sorted(holding_rows)} and {sorted(predicate_rows)}",
    )


def _every(claim: GroundedClaim) -> Iterator[Candidate]:
    position = claim.position(EACH)
    if position is None:
        return
    scope_links, predicates = _parts(claim, position)
    if not predicates:
        return
    scope = rows_of(scope_links) if scope_links else claim.all_rows
    inside = rows_of(predicates)
    if not scope:
        return
    yield candidate(
        "all",
        (scope <= inside) != is_negated(claim.tokens),
        f"all({conditions(claim, scope_links)}) have {conditions(claim, predicates)}",
        cells_of([*scope_links, *predicates], scope),
        f"{len(scope & inside)} of {len(scope)} rows",
    )


def _none(claim: GroundedClaim) -> Iterator[Candidate]:
    texts = claim.texts
    position = next((n for n, text in enumerate(texts[:6]) if text in {"no", "none"}), None)
    if position is None or not claim.links or (position and "there" not in texts[:position]):
        return
    links = [link for link in claim.links if link.start > position]
    if not links:
        return
    rows = rows_of(links)
    yield candidate(
        "none",
        not rows,
        f"count({conditions(claim, links)}) = 0",
        cells_of(links, rows),
        f"{len(rows)} rows",
    )


def _aggregate(claim: GroundedClaim) -> Iterator[Candidate]:
    texts, index = claim.texts, claim.index
    word = next(
        (n for n, text in enumerate(texts) if text in _AGGREGATES and not claim.linked.in_header(n)), None
    )
    if word is None:
        return
    numbers = [
        (position, token.number)
        for position, token in enumerate(claim.tokens)
        if token.number is not None
        and not token.ordinal
        and (
            position in claim.numbers
            or any(link.start == position and link.number is not None for link in claim.links)
        )
    ]
    if not numbers:
        return
    position, number = numbers[-1]
    heads = sorted(claim.linked.headers, key=lambda head: abs(head.start - word))
    column = next((c for head in heads for c in sorted(head.columns) if index.is_numeric(c)), None)
    if column is None:
        return
    links = [link for link in claim.links if not link.start <= position < link.end]
    rows = rows_of(links) if links else claim.all_rows
    series = {row: value for row, value in index.series[column].items() if row in rows}
    averaged = texts[word] in {"average", "mean", "averaged"}
    outcome = (operations.average if averaged else operations.total)(series, column)
    if outcome.value is None or not series or len(series) < 2:
        return
    written = claim.texts[position]
    decimals = len(written.partition(".")[2])
    right = operations.rounds_to(float(outcome.value), float(number or 0), decimals)
    name = "average" if averaged else "sum"
    yield candidate(
        name,
        right != is_negated(claim.tokens),
        f"{name}({index.table.header[column]} of {conditions(claim, links)}) = {number:g}",
        outcome.cells,
        f"{outcome.value:g}",
    )


_AGGREGATES = frozenset({"average", "mean", "averaged", "total", "sum", "combined", "combine", "altogether"})
