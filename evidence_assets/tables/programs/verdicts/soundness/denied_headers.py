"""Whether a claim affirms what a header denies, or denies what a program leaves out of it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from evidence_assets.tables.programs.grammar.row_programs import Extreme
from evidence_assets.tables.programs.grammar.truth_programs import Not, Some
from evidence_assets.tables.programs.index.columns.untold_cells import tells_that_there_is_none
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.parts.proposal import Proposal
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.wording.trigger_lexicon import NEGATIONS


def misses_a_denial(claim: GroundedClaim, proposal: Proposal, rest: Mapping[int, Left]) -> bool:
    """Return whether a header's denial is lost, or taken for the claim's, or what is denied is left out.

    `The stop is lit` of a column `Not lit`; `no warning on 1 March` read as no row of that day.
    """
    return _affirms_a_denying_header(claim, proposal) or _leaves_what_is_denied(claim, proposal, rest)


def _affirms_a_denying_header(claim: GroundedClaim, proposal: Proposal) -> bool:
    header = claim.index.table.header
    columns = {column for link in claim.links if link.start in proposal.bound for column in link.places}
    columns |= {part.column for part in proposal.parts if isinstance(part, Extreme)}
    is_denying = any(_DENYING.match(header[column]) for column in columns)
    denies = not NEGATIONS.isdisjoint(claim.texts)
    return is_denying and (not denies or any(isinstance(part, Not) for part in proposal.parts))


# What a header denies: `Not lit`, `No shelter`, `Don't know`; not `No. of lamps`, `No in series`.
_DENYING = re.compile(
    r"(?:not|without|never|don['’]?t|didn['’]?t|no (?!of\b|in\b|for\b|and\b|per\b)[a-z]{3,})\b", re.IGNORECASE
)


def _leaves_what_is_denied(claim: GroundedClaim, proposal: Proposal, rest: Mapping[int, Left]) -> bool:
    """Return whether the noun behind `no` is left, where no row at all is what a program denies."""
    program = proposal.program
    if not isinstance(program, Not) or not isinstance(program.part, Some):
        return False
    return any(
        text == "no" and rest.get(n + 1) is Left.HEADER and _tells_of_none(claim, n + 1)
        for n, text in enumerate(claim.texts)
    )


def _tells_of_none(claim: GroundedClaim, position: int) -> bool:
    """Return whether a cell of the column that a word names says that there is none."""
    columns = {column for head in claim.linked.headers_at(position) for column in head.columns}
    cells = (cell for column in columns for cell in claim.index.table.column(column))
    return any(map(tells_that_there_is_none, cells))
