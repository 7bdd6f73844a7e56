"""What a quantifier of a claim speaks of, and what the claim says of that."""

from __future__ import annotations

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.cooccurrence import common_rows
from evidence_assets.tables.programs.wording.words import AUXILIARIES


def scope_and_predicates(claim: GroundedClaim, position: int) -> tuple[list[Link], list[Link]]:
    """Return what stands between a quantifier and the next verb, and what stands behind the verb.

    The oaks of `most of the oaks are protected` are the scope, protected is said of them.
    """
    texts = claim.texts
    verb = next((n for n in range(position + 1, len(texts)) if texts[n] in _VERBS), len(texts))
    inside = [link for link in claim.links if position < link.start < verb]
    return inside, [link for link in claim.links if link.start > verb]


# Verbs that open what a claim says of the rows that a quantifier speaks of.
_VERBS = frozenset({"be", "have", "take", "end", "come"})


def but_behind(texts: tuple[str, ...], position: int) -> int | None:
    """Return where `but` excepts from what a quantifier speaks of, before the verb: `every van but one`."""
    verb = next((n for n, text in enumerate(texts) if n > position and text in _VERBS), None)
    end = min(len(texts), position + _NEAR_BUT) if verb is None else verb
    return next((n for n in range(position, end) if texts[n] == "but" and texts[n - 1] != ","), None)


# So far behind a quantifier `but` excepts, where no verb ends what it speaks of.
_NEAR_BUT = 4


def stands_behind_its_scope(claim: GroundedClaim, position: int, before: list[Link]) -> bool:
    """Return whether a quantifier speaks of what stands before it: `the vans of Osen were all sold`."""
    several = bool(before) and len(common_rows(tuple(before))) > 1
    label = frozenset({claim.index.table.label_column})
    heads = [head for head in claim.linked.headers if head.start == position + 1 and head.columns == label]
    opens = bool(heads) or claim.texts[position + 1 : position + 2] in _PARTITIVE
    stands = claim.texts[position - 1] in AUXILIARIES or claim.texts[position] == "without"
    return several and (stands or before[-1].end == position) and not opens


_PARTITIVE = {("of",), ("the",), ("these",), ("those",)}
