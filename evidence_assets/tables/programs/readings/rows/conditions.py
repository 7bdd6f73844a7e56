"""What claims say of rows as conditions: bounds, yes or no, a change, what they are compared with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evidence_assets.tables.programs.links.cells.denied_modifiers import LACKING
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.readings.orders.comparisons_with_others import comparisons_with_rows
from evidence_assets.tables.programs.readings.parts.counters import OF_THE, Counter, counters_of
from evidence_assets.tables.programs.readings.parts.plans import comparisons_with_plans
from evidence_assets.tables.programs.readings.times.changes_over_time import changes
from evidence_assets.tables.programs.wording.quantifier_words import EXACTLY


@dataclass(frozen=True)
class Conditions:
    """What a claim says of rows: the conditions in order, the names of rows, what these are compared with."""

    links: tuple[Link, ...]
    names: tuple[Link, ...]
    columns: tuple[int, ...]
    operators: tuple[int, ...]
    compared: tuple[Link, ...] = ()


def conditions_of(claim: GroundedClaim) -> Iterator[Conditions]:
    """Yield what a claim says of rows: with each change or comparison that it tells, then by bounds alone."""
    lacking = [link for link in claim.links if link.bound.startswith(LACKING)]
    bounds = tuple(link for link in claim.links if link.bound and link not in lacking)
    spans = positions_of(bounds)
    for condition in (*changes(claim), *comparisons_with_rows(claim), *comparisons_with_plans(claim)):
        used = {*condition.operators, *spans}
        names = tuple(
            link
            for link in (*claim.names, *lacking)
            if link.start not in used and link not in condition.compared
        )
        other_bounds = tuple(link for link in bounds if link.start not in condition.operators)
        yield Conditions(
            (*other_bounds, condition.link), names, condition.columns, condition.operators, condition.compared
        )
    if bounds:
        counter = counter_of_rows(claim)
        names = tuple(
            link
            for link in claim.links
            if link not in bounds
            and link.start != claim.row_total
            and (counter is None or link.start not in (*counter.words, counter.whole))
        )
        columns = tuple(
            c for head in claim.linked.headers for c in head.columns if c in claim.index.year_columns
        )
        yield Conditions(bounds, names, columns, ())


def counter_of_rows(claim: GroundedClaim) -> Counter | None:
    """Return the number of rows that a claim opens with, or tells a part by: `two of the five`."""
    counters = (c for c in counters_of(claim) if c.number <= len(claim.index.rows))
    return next((c for c in counters if _counts_rows(claim, c.position)), None)


def _counts_rows(claim: GroundedClaim, position: int) -> bool:
    """Return whether a number opens a claim or its clause, or tells a part: `in three of the six`."""
    partitive = claim.texts[position + 1 : position + 3] in OF_THE
    if partitive and (claim.tokens[position].number != 1 or claim.texts[position - 1] == "in"):
        return True
    before = [text for text in claim.texts[:position] if text not in _OPENINGS]
    return not before or claim.texts[position - 1 : position] in {(",",)} or before == ["there", "be"]


_OPENINGS = EXACTLY | {"at", "least", "most", "in", "more", "fewer", "than", "the"}
