"""What came of a program that was run for a claim, and the checks of whether it tells of the claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from evidence_assets.tables.programs.grammar.types import TruthResult
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.readings.parts.proposal import Proposal
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left


@dataclass(frozen=True)
class Outcome:
    """A proposal that was run for a claim: its result, and what is left of the claim, by position."""

    claim: GroundedClaim
    proposal: Proposal
    result: TruthResult
    rest: Mapping[int, Left]


class Check(NamedTuple):
    """A way in which a program may miss what its claim says.

    `misses`: whether it does. `why`: what is said of it then, as a clause that follows `but`.
    """

    misses: Callable[[Outcome], bool]
    why: str


def decisive_words(outcome: Outcome) -> list[int]:
    """Return where words are left that decide what the claim says."""
    return [position for position, grade in outcome.rest.items() if grade is Left.DECISIVE]
