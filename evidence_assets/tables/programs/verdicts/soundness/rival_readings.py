"""Whether a verdict hangs on a reading that another, as well meant, contradicts.

A claim that does not say which it means is borne out, or not, only where all of them come to the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from evidence_assets.tables.programs.grammar.row_programs import Where
from evidence_assets.tables.programs.grammar.things import columns_of, substituted
from evidence_assets.tables.programs.index.columns.parts_of_times import is_one_of_several
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.proposal import Proposal
from evidence_assets.tables.programs.readings.rows.facts import UNMATCHED_COUNT
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.tables.programs.verdicts.soundness import rival_columns, rival_rows
from evidence_assets.tables.table import Kind


def _hangs_on_a_column_of_times(outcome: Outcome) -> bool:
    """Return whether a time makes another verdict in one of the columns alone that it may be of.

    Of `six cats went in October` nobody knows, where one column tells when they came and one when they left.
    """
    claim, proposal, truth = outcome.claim, outcome.proposal, outcome.result.truth
    times = times_of_several_columns(claim.index, proposal.parts)
    if proposal.kind == UNMATCHED_COUNT and times:
        # How many rows there are hangs on it too.
        return True
    return any(
        _truth_of(claim.index, proposal, part, column) is not truth
        for part in times
        for column in columns_meant(claim, part)
    )


def times_of_several_columns(index: TableIndex, parts: Iterable[object]) -> list[Where]:
    """Return the parts of a program that are of times that stand in several columns."""
    return [
        part
        for part in parts
        if isinstance(part, Where) and len(part.link.places) > 1 and _are_times(index, part.link)
    ]


def _are_times(index: TableIndex, link: Link) -> bool:
    """Return whether cells of a link are of columns of times, or tell dates themselves."""
    rows = index.table.rows
    return link.places.keys() <= index.dates_and_years or all(
        rows[row][column].value.kind is Kind.DATE for column, linked in link.places.items() for row in linked
    )


def columns_meant(claim: GroundedClaim, part: Where) -> Collection[int]:
    """Return the columns that a time may be of: those whose header the claim says, if it says any."""
    columns, index = part.link.places.keys(), claim.index
    said = {token.key for token in claim.tokens if not token.stop}
    named = {column for column in columns if said.intersection(index.headers[column])}
    named |= {column for head in claim.linked.headers for column in head.columns & columns}
    return named or columns


def _truth_of(index: TableIndex, proposal: Proposal, part: Where, column: int) -> bool | None:
    """Return what a program comes to, a time being of one of its columns alone."""
    of_one = replace(part, link=part.link.within([column]))
    return substituted(proposal.program, part, of_one).run(index).truth


def _takes_one_part_of_a_time(outcome: Outcome) -> bool:
    """Return whether the number of one month is taken, and the claim tells none: of `the most in 2022`."""
    index = outcome.claim.index
    return is_one_of_several(columns_of(outcome.proposal.parts), index.parts_of_times, outcome.claim.tokens)


def _takes_the_year_of_a_column_for_a_cell(outcome: Outcome) -> bool:
    """Return whether a year that heads a column is read as what a cell tells: of sales in 2022, opened then.

    Not where the claim names the column of that cell.
    """
    claim, proposal = outcome.claim, outcome.proposal
    named = {column for head in claim.linked.headers for column in head.columns}
    used = [part.link for part in proposal.parts if isinstance(part, Where) and not part.link.bound]
    return any(
        claim.tokens[link.start].number in claim.index.years_of_columns and link.end == link.start + 1
        for link in claim.links
        if link.start in proposal.bound and link.places and named.isdisjoint(link.places) and link in used
    )


def _takes_one_year_for_one_row(outcome: Outcome) -> bool:
    """Return whether what is so in one year alone is read as so of one row alone: `above 10 only in 2011`."""
    claim, proposal = outcome.claim, outcome.proposal
    years = claim.index.years_of_columns
    return proposal.kind.startswith("only") and any(
        text == "only" and behind == "in" and year.number in years
        for text, behind, year in zip(claim.texts, claim.texts[1:], claim.tokens[2:], strict=False)
    )


CHECKS = (
    *rival_columns.CHECKS,
    *rival_rows.CHECKS,
    Check(_takes_the_year_of_a_column_for_a_cell, "the year heads a column of its own"),
    Check(_takes_one_part_of_a_time, "several columns tell parts of that time"),
    Check(_takes_one_year_for_one_row, "the claim is of one year alone, and one row was read"),
    Check(_hangs_on_a_column_of_times, "the claim does not say which time it means"),
)
