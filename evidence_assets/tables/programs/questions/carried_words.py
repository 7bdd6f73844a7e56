"""The words of a question that carry meaning: as a claim's, but for prepositions that compare nothing."""

from __future__ import annotations

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.verdicts.leftovers import Left, carried
from evidence_assets.tables.programs.wording.words_of_time import TIMES

_PREPOSITIONS = frozenset({"over", "under", "above", "below"})
# So many words stand between a preposition and its noun.
_NEAR = 4


def carried_by(claim: GroundedClaim) -> dict[int, Left]:
    """Return the positions of a question's words that carry meaning, with how grave it is left unbound."""
    return {n: left for n, left in carried(claim).items() if not _compares_nothing(claim, n)}


def _compares_nothing(claim: GroundedClaim, position: int) -> bool:
    """Return whether a preposition is one of place or time: `under general anaesthetic`, `over the year`."""
    if claim.texts[position] not in _PREPOSITIONS or claim.in_condition(position):
        return False
    for place in range(position + 1, min(len(claim.tokens), position + _NEAR)):
        token = claim.tokens[place]
        if token.number is not None and not token.ordinal:
            return False
        if token.key in TIMES or any(link.start == place and link.number is None for link in claim.names):
            return True
    return False
