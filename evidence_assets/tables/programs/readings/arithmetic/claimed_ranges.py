"""Claims of the range that a column's numbers have: `caps range from 9 to 41`."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.number_programs import Aggregate, Literal
from evidence_assets.tables.programs.grammar.truth_programs import All, Compare
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    as_told,
    number_at,
    numeric_columns,
    proposed,
    restricted,
)
from evidence_assets.tables.programs.wording.thresholds import opens_a_range

# So many words stand between the verb, its two prepositions and their numbers.
_NEAR = 3


def range_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether the lowest number of some rows and their highest are the two that a claim tells."""
    verb = next((n for n in range(len(claim.texts)) if opens_a_range(claim.texts, n)), None)
    if verb is None or claim.linked.in_header(verb):
        return
    opening = _preposition(claim, verb + 1, ("from", "between"))
    closing = None if opening is None else _preposition(claim, opening + 2, ("to", "and"))
    if opening is None or closing is None:
        return
    ends = [opening + 1, closing + 1]
    if any(claim.tokens[n : n + 1] == () or claim.tokens[n].number is None for n in ends):
        return
    span = range(opening, closing + 2)
    links = [link for link in claim.links if link.end <= verb or link.start > span[-1]]
    heads = sorted(claim.linked.headers, key=lambda head: abs(head.start - verb))
    for column in numeric_columns(claim, heads):
        if any(column in link.places for link in links):
            continue
        rows = restricted(claim, links)
        parts = []
        words = [verb, opening, closing]
        for name, place in zip(("lowest", "highest"), ends, strict=True):
            number = number_at(claim, place)
            tolerance, about = as_told(claim, place, number)
            words += about
            parts.append(Compare(Aggregate(name, rows, column), "=", Literal(number), tolerance))
        units = [word for place in ends for word in claim.units.get(place, ((), ""))[0]]
        yield proposed(claim, "range", All(tuple(parts)), links, [column], [*words, *units], ends)
        return


def _preposition(claim: GroundedClaim, start: int, words: tuple[str, ...]) -> int | None:
    """Return where one of some prepositions stands, no further than a few words from a position."""
    near = range(start, min(start + _NEAR, len(claim.texts)))
    return next((n for n in near if claim.texts[n] in words), None)
