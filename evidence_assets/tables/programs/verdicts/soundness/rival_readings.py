"""Whether a verdict hangs on a reading that another, as well meant, contradicts.

A claim that does not say which it means is borne out, or not, only where all of them come to the same.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from evidence_assets.tables.programs.grammar.row_programs import Where
from evidence_assets.tables.programs.grammar.things import substituted
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.proposal import Proposal
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.tables.programs.verdicts.soundness import rival_columns, rival_rows
from evidence_assets.tables.table import Kind


def _hangs_on_a_column_of_times(outcome: Outcome) -> bool:
    """Return whether a time makes another verdict in one of the columns alone that it may be of.

    Of `six cats went in October` nobody knows, where one column tells when they came and one when they left.
    """
    claim, proposal, truth = outcome.claim, outcome.proposal, outcome.result.truth
    times = [
        part
        for part in proposal.parts
        if isinstance(part, Where) and len(part.link.places) > 1 and _are_times(claim.index, part.link)
    ]
    return any(
        _truth_of(claim.index, proposal, part, column) is not truth
        for part in times
        for column in _meant(claim, part)
    )


def _are_times(index: TableIndex, link: Link) -> bool:
    """Return whether cells of a link are of columns of times, or tell dates themselves."""
    rows = index.table.rows
    return link.places.keys() <= index.dates_and_years or all(
        rows[row][column].value.kind is Kind.DATE for column, linked in link.places.items() for row in linked
    )


def _meant(claim: GroundedClaim, part: Where) -> Collection[int]:
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
    Check(_takes_one_year_for_one_row, "the claim is of one year alone, and one row was read"),
    Check(_hangs_on_a_column_of_times, "the claim does not say which time it means"),
)
