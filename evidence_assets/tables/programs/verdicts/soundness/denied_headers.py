"""Whether a claim affirms what a header denies, or denies what a program leaves out of it."""

from __future__ import annotations

import re

from evidence_assets.tables.programs.grammar.row_programs import Extreme
from evidence_assets.tables.programs.grammar.truth_programs import Not, Some
from evidence_assets.tables.programs.index.columns.untold_cells import tells_that_there_is_none
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.tables.programs.wording.trigger_lexicon import NEGATIONS


def _affirms_a_denying_header(outcome: Outcome) -> bool:
    claim, proposal = outcome.claim, outcome.proposal
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


def _leaves_what_is_denied(outcome: Outcome) -> bool:
    """Return whether the noun behind `no` is left, where no row at all is what a program denies."""
    claim, proposal, rest = outcome.claim, outcome.proposal, outcome.rest
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


CHECKS = (
    Check(_affirms_a_denying_header, "the column denies what the claim says"),
    Check(_leaves_what_is_denied, "what the claim denies was passed over"),
)
