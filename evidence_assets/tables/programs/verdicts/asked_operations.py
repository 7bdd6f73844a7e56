"""What each word of a claim asks for: that something is counted, compared, denied, ordered or summed up."""

from __future__ import annotations

from functools import lru_cache

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import positions_of
from evidence_assets.tables.programs.wording.trigger_lexicon import NEGATIONS, comparative, direction
from evidence_assets.tables.programs.wording.words_of_wholes import AGGREGATING
from evidence_assets.text.words import word_set

_ONLY = word_set("only just alone sole exactly")
_EACH = word_set("all every each both entire always")
_ORDER = word_set("before after first last between since until")


def asked_operation(claim: GroundedClaim, position: int) -> str:
    """Return what the word at a position asks for; empty where it asks for nothing."""
    token = claim.tokens[position]
    if token.number is not None:
        return "number"
    if position in positions_of(claim.superlatives):
        return "superlative"
    return _operation_of(token.text)


@lru_cache(maxsize=1 << 12)
def _operation_of(text: str) -> str:
    words = (
        (text in NEGATIONS, "negation"),
        (bool(comparative(text)), "comparative"),
        (text in AGGREGATING, "aggregate"),
        (text in _ONLY, "only"),
        (text in _EACH, "each"),
        (text in _ORDER, "order"),
        (bool(direction(text)), "change"),
    )
    return next((operation for is_asked, operation in words if is_asked), "")


def asked_operations(claim: GroundedClaim) -> frozenset[str]:
    """Return all that a claim asks for in words that belong to no header, and what of it the table lacks."""
    outside = (n for n in range(len(claim.tokens)) if n not in claim.headed)
    operations = {operation for position in outside if (operation := asked_operation(claim, position))}
    if claim.numbers:
        operations.add("a number that is not in the table")
    if not claim.links:
        operations.add("no value of the table")
    return frozenset(operations)
