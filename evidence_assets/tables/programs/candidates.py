"""Candidate programs of a claim, the most specific first."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.candidate import Candidate, candidate, cells_of, conditions
from evidence_assets.tables.programs.comparisons import (
    comparison_programs,
    difference_programs,
    order_programs,
    outdoing_programs,
    ratio_programs,
    sameness_programs,
)
from evidence_assets.tables.programs.cooccurrence import common_rows, find_cooccurrence
from evidence_assets.tables.programs.counts import count_programs
from evidence_assets.tables.programs.extrema import frequency_programs, superlative_programs
from evidence_assets.tables.programs.grounding import GroundedClaim, ground
from evidence_assets.tables.programs.quantifiers import quantifier_programs
from evidence_assets.tables.programs.trigger_lexicon import CLAUSE_MARKS, negation
from evidence_assets.tables.programs.words import word_set

_VERBS = word_set("be have do is are was were has had win lose score")


def programs(claim: GroundedClaim) -> list[Candidate]:
    """Return every candidate program, the most specific kind first."""
    return [*_conjunctions(claim), *simple_programs(claim)]


def simple_programs(claim: GroundedClaim) -> list[Candidate]:
    """Return every candidate program of the claim as a whole."""
    generators = (
        comparison_programs,
        outdoing_programs,
        ratio_programs,
        difference_programs,
        sameness_programs,
        order_programs,
        superlative_programs,
        frequency_programs,
        quantifier_programs,
        count_programs,
        _cooccurrence,
    )
    return [program for generate in generators for program in generate(claim)]


def _conjunctions(claim: GroundedClaim) -> Iterator[Candidate]:
    """Yield the conjunction of the claim's two halves, where each asks for an operation."""
    place = _joint(claim)
    if place is None:
        return
    first, second = claim.texts[:place], claim.texts[place + 1 :]
    if second[:1] == ("and",):
        second = second[1:]
    if second and second[0] in _VERBS and claim.links:
        subject = claim.links[0]
        second = (*claim.texts[subject.start : subject.end], *second)
    if not all(_VERBS.intersection(half) for half in (first, second)):
        return
    halves = [simple_programs(ground(" ".join(half), claim.index)) for half in (first, second)]
    if not all(halves) or all(half[0].kind in _PLAIN for half in halves):
        return
    if any(half[0].kind == "single value" for half in halves):
        return
    left, right = halves[0][0], halves[1][0]
    yield candidate(
        "conjunction",
        left.supported and right.supported,
        f"{left.program} and {right.program}",
        {cell for half in (left, right) for cell in half.cells if cell[0] >= 0},
        *left.trace,
        *right.trace,
    )


_PLAIN = frozenset({f"co-occurrence by {way}" for way in ("row", "list", "clause")}) | {
    "single value",
    "unmatched number",
}


def _joint(claim: GroundedClaim) -> int | None:
    """Return where a claim's two halves meet: at `while`, `but` and the like, else at `, and` or `and`."""
    texts = claim.texts
    for position, text in enumerate(texts):
        if text in CLAUSE_MARKS and position > 2 and not (text == "but" and texts[position - 1] == "all"):
            return position
    if len(claim.superlatives) > 1:
        left, right = claim.superlatives[:2]
        between = [position for position in range(left.end, right.start) if texts[position] == "and"]
        return between[-1] if between else None
    for position in range(3, len(texts) - 3):
        if texts[position] == "and" and (texts[position - 1] == "," or texts[position + 1] in _VERBS):
            return position
    return None


def _cooccurrence(claim: GroundedClaim) -> Iterator[Candidate]:
    denial = negation(claim.tokens)
    if denial is not None:
        yield from _denied(claim, denial)
        return
    outcome = find_cooccurrence(claim, claim.links)
    if outcome is None:
        return
    kind = f"co-occurrence by {outcome.way}" if len(claim.links) > 1 else "single value"
    if claim.numbers:
        kind = "unmatched number"
    yield candidate(
        kind,
        outcome.supported and not claim.numbers,
        f"some row({conditions(claim, claim.links)})",
        cells_of(claim.links, outcome.rows),
        f"rows {sorted(outcome.rows)}",
    )


def _denied(claim: GroundedClaim, denial: int) -> Iterator[Candidate]:
    """Yield whether no row holds both what stands before a negation and what stands after it."""
    affirmed = [link for link in claim.links if link.end <= denial]
    denied = [link for link in claim.links if link.start > denial]
    heads = [head for head in claim.linked.headers if head.start == denial + 1]
    rows = common_rows(tuple(affirmed)) if affirmed else claim.all_rows
    numeric = [c for head in heads for c in sorted(head.columns) if claim.index.is_numeric(c)]
    if numeric and affirmed and not denied:
        series = claim.index.series[numeric[0]]
        yield candidate(
            "none of a column",
            bool(rows) and all(not series.get(row) for row in rows),
            f"{claim.index.table.header[numeric[0]]}({conditions(claim, affirmed)}) = 0",
            {(row, numeric[0]) for row in rows},
        )
    elif denied:
        both = rows & common_rows(tuple(denied))
        yield candidate(
            "denied co-occurrence",
            bool(rows) and not both,
            f"no row({conditions(claim, [*affirmed, *denied])})",
            cells_of([*affirmed, *denied], both or rows),
            f"rows {sorted(both)}",
        )
