"""Programs that were run for a claim, each with what it leaves of the claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from evidence_assets.tables.programs.grammar.types import TruthResult
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.parts.proposal import Bound, Proposal
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import GRAVITY, Left, gravest_left
from evidence_assets.tables.programs.verdicts.outcomes import Outcome
from evidence_assets.tables.programs.verdicts.soundness.doubts import doubt


@dataclass(frozen=True)
class Run(Outcome):
    """An outcome with how much it leaves of the claim.

    `left`: the gravest that is left. `lacks_predicate`: nothing tells what the claim says of its values.
    """

    left: Left
    lacks_predicate: bool = False

    @cached_property
    def doubt(self) -> str:
        """Why the result may not tell of the claim, as a clause that follows `but`; empty where it does."""
        return doubt(self)

    @property
    def bears(self) -> bool:
        """Whether the result says something of the claim; else it is only a doubt of the others."""
        return not self.doubt

    @property
    def accounts(self) -> bool:
        """Whether nothing decisive is left, and something tells what the claim says."""
        return self.left is not Left.DECISIVE and not self.lacks_predicate


# What no program at all would leave, the most.
LEAVES_ALL = (1, 0)
# What a program leaves that binds the whole claim, the least.
LEAVES_NOTHING = (GRAVITY[Left.NOTHING], 0)


def leaves(run: Run) -> tuple[int, int]:
    """Return how much a program leaves, as what can be compared."""
    return GRAVITY[run.left], len(run.rest)


def run_of(
    claim: GroundedClaim,
    proposal: Proposal,
    result: TruthResult,
    carrying: Mapping[int, Left],
    bound: Bound,
    *,
    lacks: bool = False,
) -> Run:
    """Return a program's run. `carrying`: the claim's words that carry something. `bound`: of them, by it."""
    remaining = {position: grade for position, grade in carrying.items() if position not in bound}
    return Run(claim, proposal, result, remaining, gravest_left(remaining), lacks)
