"""Whether a claim is of something that a named row has, which no column tells: `the sequel of Comet`."""

from __future__ import annotations

from collections.abc import Mapping

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.tables.programs.wording.words import ARTICLES, AUXILIARIES


def opens_with_what_a_row_has(claim: GroundedClaim) -> bool:
    """Return whether a claim opens with what a named row has: `the sequel of Comet` is not Comet."""
    texts, label = claim.texts, claim.index.table.label_column
    if texts[:1] != ("the",) or texts[2:3] != ("of",):
        return False
    start = 4 if texts[3:4] == ("the",) else 3
    cased = any(token.cased for token in claim.tokens[start : start + 1])
    return cased and any(
        link.start == start and label is not None and label in link.full for link in claim.names
    )


def is_of_what_a_row_has(claim: GroundedClaim, rest: Mapping[int, Left]) -> bool:
    """Return whether a claim is of something of a named row that no column tells: `the Comet's sequel`."""
    label = claim.index.table.label_column
    for link in claim.names:
        ends_in_s = label in link.full and _is_possessive(claim, link.end)
        end = link.end
        while ends_in_s and rest.get(end) is Left.WORD:
            end += 1
        if end > link.end and (end == len(claim.tokens) or claim.tokens[end].stop):
            return True
    return rest.get(1) is Left.WORD and opens_with_what_a_row_has(claim)


def _is_of_what_a_subject_has(outcome: Outcome) -> bool:
    """Return whether a claim opens with what a row has and nothing tells: `Una's profit was highest`."""
    claim, rest = outcome.claim, outcome.rest
    label = claim.index.table.label_column
    subject = next(iter(claim.names), None)
    if subject is None or label not in subject.full or not ARTICLES.issuperset(claim.texts[: subject.start]):
        return False
    end = subject.end
    while rest.get(end) is Left.WORD:
        end += 1
    behind = "".join(claim.texts[end : end + 1])
    return end > subject.end and behind in AUXILIARIES and _is_possessive(claim, subject.end)


def _is_possessive(claim: GroundedClaim, end: int) -> bool:
    """Return whether an `'s` stands between a word and the next, which no token is made of."""
    following = claim.tokens[end : end + 1]
    return any(token.start - claim.tokens[end - 1].end == len("'s ") for token in following)


CHECKS = (Check(_is_of_what_a_subject_has, "no column tells what the claim says that it has"),)
