"""What came of a program that was run for a claim, and the checks of whether it tells of the claim."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from evidence_assets.tables.programs.grammar.row_programs import Extreme, Where
from evidence_assets.tables.programs.grammar.types import TruthResult
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.proposal import Proposal
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left


@dataclass(frozen=True)
class Outcome:
    """A proposal that was run for a claim: its result, and what is left of the claim, by position."""

    claim: GroundedClaim
    proposal: Proposal
    result: TruthResult
    rest: Mapping[int, Left]

    @cached_property
    def extremes(self) -> tuple[Extreme, ...]:
        """The different extremes in the program."""
        extremes = [part for part in self.proposal.parts if isinstance(part, Extreme)]
        # A program is made of equal parts more than once, whose links cannot be hashed.
        return tuple(part for place, part in enumerate(extremes) if part not in extremes[:place])

    @cached_property
    def numbers(self) -> tuple[Link, ...]:
        """The links of numbers, and of bounds on them, that rows of the program are told by."""
        used = [part.link for part in self.proposal.parts if isinstance(part, Where)]
        tokens = self.claim.tokens
        return tuple(
            link
            for link in self.claim.links
            if link.start in self.proposal.bound
            and any(tokens[place].number is not None for place in range(link.start, link.end))
            and link in used
        )


class Check(NamedTuple):
    """A way in which a program may miss what its claim says.

    `misses`: whether it does. `why`: what is said of it then, as a clause that follows `but`.
    """

    misses: Callable[[Outcome], bool]
    why: str


def decisive_words(outcome: Outcome) -> list[int]:
    """Return where words are left that decide what the claim says."""
    return [position for position, grade in outcome.rest.items() if grade is Left.DECISIVE]
