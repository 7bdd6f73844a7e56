"""Claims of a row that the table lacks, whose name shares words with the names of others."""

from __future__ import annotations

from itertools import pairwise

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.wording.kept_for_claims import kept_for_claims
from evidence_assets.tables.programs.wording.trigger_lexicon import row_nouns
from evidence_assets.text.calendar_words import MONTHS


@kept_for_claims
def names_no_row(claim: GroundedClaim) -> bool:
    """Return whether a claim is of a row that the table lacks, whose name shares words with others'."""
    return _numbers_no_row(claim) or _opens_with_a_stranger(claim) or _mixes_two_names(claim)


def _numbers_no_row(claim: GroundedClaim) -> bool:
    """Return whether a name is that of others but for a number: of `Vega 6`, where there are Vega 1 and 2."""
    label, index = claim.index.table.label_column, claim.index
    return label is not None and any(
        link.number is None
        and is_part_of_labels(link, label)
        and claim.tokens[link.start].cased
        and link.end in claim.numbers
        and all(any(key.isdigit() for key in index.keys[row, label]) for row in link.rows)
        for link in claim.links
    )


def is_part_of_labels(link: Link, label: int | None) -> bool:
    """Return whether a link is to words of longer names in the column of names, and to nothing else."""
    return label is not None and link.places.keys() == {label} and label not in link.full


def _is_part_of_a_name(claim: GroundedClaim, link: Link) -> bool:
    """Return whether a link is to words of longer names alone."""
    in_capitals = claim.tokens[link.start].cased
    return in_capitals and link.number is None and not link.bound and bool(link.places) and not link.full


def _opens_with_a_stranger(claim: GroundedClaim) -> bool:
    """Return whether a claim opens with a word of no name before a word of one: `Nether Dale` of Upper Dale.

    Elsewhere in a claim the capital tells that the word is a name's.
    """
    opening = 1 if claim.texts[:1] == ("the",) else 0
    token = claim.tokens[opening]
    is_a_word = token.cased and not token.stop and token.number is None and token.text not in MONTHS
    if not is_a_word or token.key in row_nouns() or claim.index.says(token.key):
        return False
    return any(link.start == opening + 1 and _is_part_of_a_name(claim, link) for link in claim.links)


def _mixes_two_names(claim: GroundedClaim) -> bool:
    """Return whether a name is made of several rows' names: `East Lane` of East Mill and North Lane."""
    names = [link for link in claim.links if claim.tokens[link.start].cased and link.number is None]
    names = sorted((link for link in names if not link.bound), key=lambda link: link.start)
    return any(
        left.end == right.start
        and bool(_columns_in_part(left) & _columns_in_part(right))
        and left.rows.isdisjoint(right.rows)
        for left, right in pairwise(names)
    )


def _columns_in_part(link: Link) -> frozenset[int]:
    """Return the columns in which a link is to a part of cells alone."""
    return frozenset(link.places.keys() - link.full)
