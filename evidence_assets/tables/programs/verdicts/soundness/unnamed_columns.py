"""Whether a verdict hangs on which of several columns of times a claim means, where it names none of them."""

from __future__ import annotations

from dataclasses import replace

from evidence_assets.tables.programs.grammar.row_programs import Where
from evidence_assets.tables.programs.grammar.things import substituted
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.parts.proposal import Proposal


def hangs_on_an_unnamed_column(index: TableIndex, proposal: Proposal, truth: bool | None) -> bool:
    """Return whether a time of several columns makes another verdict in one of them alone.

    Of `six cats went in October` nobody knows, where one column tells when they came and one when they left.
    """
    return any(
        _truths(index, proposal, part) != {truth}
        for part in proposal.parts
        if isinstance(part, Where)
        and len(part.link.places) > 1
        and part.link.places.keys() <= index.dates_and_years
    )


def takes_the_year_of_a_column_for_a_cell(claim: GroundedClaim, proposal: Proposal) -> bool:
    """Return whether a year that heads a column is read as what a cell tells: of sales in 2022, opened then.

    Not where the claim names the column of that cell.
    """
    named = {column for head in claim.linked.headers for column in head.columns}
    used = [part.link for part in proposal.parts if isinstance(part, Where) and not part.link.bound]
    return any(
        claim.tokens[link.start].number in claim.index.years_of_columns and link.end == link.start + 1
        for link in claim.links
        if link.start in proposal.bound and link.places and named.isdisjoint(link.places) and link in used
    )


def _truths(index: TableIndex, proposal: Proposal, part: Where) -> set[bool | None]:
    """Return what a program comes to, a part being of each of its columns alone."""
    of_columns = (replace(part, link=part.link.within([column])) for column in part.link.places)
    return {substituted(proposal.program, part, of_one).run(index).truth for of_one in of_columns}
