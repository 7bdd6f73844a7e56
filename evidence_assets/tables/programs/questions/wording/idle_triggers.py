"""Words that ask for no operation where they stand: `last` as a verb, the `First` of a header."""

from __future__ import annotations

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative

# The ends of an order.
ENDS = frozenset({"first", "last", "top", "bottom", "final", "earliest", "latest"})
# Tokens are `do` of `does` and `did` too.
_DOING = frozenset({"do", "will"})


def asks_for_no_operation(claim: GroundedClaim, position: int, *, asks_how: bool) -> bool:
    """Return whether a word that may ask for an operation asks for none. `asks_how`: how long, how many."""
    return (
        _lasts(claim, position, asks_how=asks_how)
        or _compares(claim, position)
        or _is_of_its_header(claim, position)
    )


def _compares(claim: GroundedClaim, position: int) -> bool:
    """Return whether `above` and `below` are of numbers, and of no row: `below the regional figure`."""
    behind = position + 1 + (claim.texts[position + 1 : position + 2] == ("the",))
    of_rows = any(link.start == behind and link.number is None for link in claim.links)
    return claim.texts[position] in {"above", "below"} and not of_rows


def _is_of_its_header(claim: GroundedClaim, position: int) -> bool:
    """Return whether `first` is a word of a header's own: `First held`."""
    is_of_headers = claim.tokens[position].key in claim.index.header_postings
    return claim.texts[position] in ENDS and is_of_headers and claim.linked.in_header(position)


def _lasts(claim: GroundedClaim, position: int, *, asks_how: bool) -> bool:
    """Return whether `last` is a verb: `how long did it last`, `which last longer than`."""
    before, behind = claim.texts[:position], claim.texts[position + 1 : position + 2]
    if claim.texts[position] != "last" or not before or before[-1] == "the":
        return False
    if asks_how and not _DOING.isdisjoint(before):
        return True
    extremes = {extreme.start for extreme in claim.superlatives}
    return bool(behind) and (behind[0] == "for" or bool(comparative(behind[0])) or position + 1 in extremes)
