"""Whether a program reads a date as when something was, where a claim sets it as an end or a beginning."""

from __future__ import annotations

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.proposal import Bound
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.text.words import words


def _leaves_an_opening_of_a_time(outcome: Outcome) -> bool:
    """Return whether a program binds a date, and not what sets it as an end: `by the end of May`.

    What had been so by May is more than what was so in May.
    """
    claim, bound = outcome.claim, outcome.proposal.bound
    times = claim.index.dates_and_years
    return any(
        _is_opened(claim, link, bound)
        for link in claim.links
        if link.start in bound and link.places and link.places.keys() <= times
    )


def _is_opened(claim: GroundedClaim, link: Link, bound: Bound) -> bool:
    place = link.start - 1
    while place >= 0 and claim.texts[place] in _BETWEEN:
        if claim.texts[place] in _ENDS and place not in bound and len(link.rows) > 1:
            # `At the end of May` is of the last of several days in May.
            return True
        place -= 1
    if place < 0 or claim.texts[place] not in _OPENINGS or place in bound:
        return False
    return not any(claim.texts[place] in words(claim.index.table.header[c].lower()) for c in link.places)


_OPENINGS = frozenset({"by", "until", "till", "since"})
_ENDS = frozenset({"end", "start", "beginning", "middle"})
_BETWEEN = _ENDS | {"the", "of"}


CHECKS = (Check(_leaves_an_opening_of_a_time, "the claim sets the time as an end or a beginning"),)
