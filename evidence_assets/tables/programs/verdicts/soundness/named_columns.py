"""Whether a claim names another column than the one whose number a program takes."""

from __future__ import annotations

from collections.abc import Set

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink
from evidence_assets.tables.programs.readings.parts.proposal import Proposal
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.tables.programs.wording.words import ARTICLES
from evidence_assets.text.words import words


def _leaves_a_named_column(outcome: Outcome) -> bool:
    """Return whether a number is one column's, where the claim names another by words that are left.

    `Its undersea section is 40 km long` is of no total length.
    """
    claim, proposal, result = outcome.claim, outcome.proposal, outcome.result
    if proposal.kind not in _OF_A_NUMBER:
        return False
    columns = {column for _, column in result.cells}
    return any(
        _is_of_another_participle(claim, proposal, head)
        if len(head.columns) == 1 and head.columns <= columns
        else _is_left(claim, proposal, head, columns)
        for head in claim.linked.headers
    )


def _is_left(claim: GroundedClaim, proposal: Proposal, head: HeaderLink, columns: Set[int]) -> bool:
    """Return whether a program of some columns leaves a header of others that a claim names in full."""
    return (
        (head.end - head.start > 1 or _opens_in_full(claim, head, columns))
        and head.columns.isdisjoint(columns)
        and all(position not in proposal.bound for position in range(head.start, head.end))
        and not _is_a_frame(claim, head)
    )


def _opens_in_full(claim: GroundedClaim, head: HeaderLink, columns: Set[int]) -> bool:
    """Return whether a claim opens with a column's very name, and says those of a program in other forms.

    `The temperature at the start was higher` is of no starters.
    """
    if claim.texts[: head.start] not in {(), ("the",)} or not claim.index.is_numeric(min(head.columns)):
        return False
    others = [other for other in claim.linked.headers if not other.columns.isdisjoint(columns)]
    return _is_said(claim, head) and bool(others) and not any(_is_said(claim, other) for other in others)


def _is_said(claim: GroundedClaim, head: HeaderLink) -> bool:
    """Return whether the words of a header are said as it writes them."""
    names = " ".join(claim.index.table.header[column] for column in head.columns).lower()
    return {*claim.texts[head.start : head.end]} <= {*words(names)}


def _is_a_frame(claim: GroundedClaim, head: HeaderLink) -> bool:
    """Return whether words tell in what something was so, as the caption does: `in the Miss World`."""
    before = [text for text in claim.texts[max(0, head.start - 2) : head.start] if text not in ARTICLES]
    of_caption = all(token.key in claim.index.caption for token in claim.tokens[head.start : head.end])
    return of_caption and before[-1:] == ["in"]


def _is_of_another_participle(claim: GroundedClaim, proposal: Proposal, head: HeaderLink) -> bool:
    """Return whether a noun is of what was done to it otherwise: no `planned length` is an excavated one."""
    before = head.start - 1
    header = claim.index.table.header[min(head.columns)].lower().split()
    participles = [word for word in header if word.endswith("ed") and word not in claim.texts]
    return (
        before >= 0
        and bool(participles)
        and before not in proposal.bound
        and claim.texts[before].endswith("ed")
        and claim.texts[before] not in header
    )


_OF_A_NUMBER = frozenset({"condition of a row", "quantity of a row", "superlative", "comparison"})


CHECKS = (Check(_leaves_a_named_column, "the claim names another column"),)
