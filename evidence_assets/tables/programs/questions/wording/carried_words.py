"""The words of a question that carry meaning: as a claim's, but for some that ask for nothing of a cell."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import is_weak
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left, carried
from evidence_assets.tables.programs.wording.words_of_time import TIMES

_PREPOSITIONS = frozenset({"over", "under", "above", "below"})
# So many words stand between a preposition and its noun.
_NEAR = 4


def carried_by(wording: Wording) -> dict[int, Left]:
    """Return the positions of a question's words that carry meaning, with how grave it is left unbound."""
    claim, of_rows = wording.claim, set(_words_of_rows(wording))
    return {
        n: left for n, left in carried(claim).items() if not (n in of_rows or _compares_nothing(claim, n))
    }


def _words_of_rows(wording: Wording) -> Iterator[int]:
    """Yield words of longer cells that say what the rows are: of the caption, or what is asked for.

    `The train to Tarn` may not be the `night train`, and `which bed` is no condition that a bed be raised.
    """
    claim = wording.claim
    for link in claim.links:
        if is_weak(link) and not link.bound:
            is_of_caption = claim.tokens[link.start].key in claim.index.caption
            if is_of_caption or link.start == wording.place_of_noun:
                yield link.start


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
