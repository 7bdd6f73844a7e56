"""Whether a claim is of more, or of something narrower, than a program: of each, of what a word narrows."""

from __future__ import annotations

from collections.abc import Mapping

from evidence_assets.tables.programs.grammar.types import TruthResult
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink
from evidence_assets.tables.programs.readings.parts.proposal import Proposal
from evidence_assets.tables.programs.readings.rows.plural_subjects import opens_with_several
from evidence_assets.tables.programs.verdicts.leftovers import Left
from evidence_assets.tables.programs.wording.trigger_lexicon import comparative, row_nouns
from evidence_assets.text.words import word_set


def is_of_more_or_less(
    claim: GroundedClaim, proposal: Proposal, result: TruthResult, rest: Mapping[int, Left]
) -> bool:
    """Return whether a claim says something of each of several, or of what a word that is left narrows."""
    return (
        _shows_one_of_several(claim, proposal, result)
        or _is_most_of_what_is_untold(claim, proposal, rest)
        or _narrows_a_column(claim, proposal, rest)
        or _has_it_no_more(claim, proposal, rest)
    )


def _shows_one_of_several(claim: GroundedClaim, proposal: Proposal, result: TruthResult) -> bool:
    """Return whether one row bears out what is said of several: `huts with beds cost under 100`."""
    return bool(result.truth) and proposal.kind.startswith(_OF_SOME_ROW) and opens_with_several(claim)


_OF_SOME_ROW = ("condition of a row", "quantity of a row", "co-occurrence by row", "single value")


def _is_most_of_what_is_untold(claim: GroundedClaim, proposal: Proposal, rest: Mapping[int, Left]) -> bool:
    """Return whether nothing tells what there is most of: `had the most sunshine`, of a table of rain."""
    return any(
        item.word in _MOST
        and item.start in proposal.bound
        and rest.get(item.end) is Left.WORD
        and item.end not in claim.headed
        and claim.texts[item.end] not in _OF_ANYTHING
        and claim.tokens[item.end].key not in row_nouns()
        and not claim.texts[item.end].endswith(_OF_NO_NOUNS)
        and not any(
            head.start == item.end + 1 and head.start in proposal.bound for head in claim.linked.headers
        )
        for item in claim.superlatives
    )


_MOST = frozenset({"most", "fewest", "least", "highest", "lowest"})
# What adverbs, participles and adjectives end in.
_OF_NO_NOUNS = ("ly", "ed", "ous", "ive", "ful", "ble", "ant", "ent", "al", "ic")
# Nouns for numbers of anything.
_OF_ANYTHING = word_set("""
    number numbers amount value values figure figures total level rate count score result one ones all overall
    single ever recorded reading sum quantity proportion percentage share known final price summit
""")


def _narrows_a_column(claim: GroundedClaim, proposal: Proposal, rest: Mapping[int, Left]) -> bool:
    """Return whether a word that is left narrows what a column counts: `more female doctors`."""
    return any(
        head.start in proposal.bound
        and rest.get(head.start - 1) is Left.WORD
        and _opens_a_noun(claim, head.start - 1)
        and _counts(claim, head)
        for head in claim.linked.headers
    )


def _opens_a_noun(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word stands between what compares and a noun: `the fewest overtime losses`."""
    before, text = claim.texts[max(0, position - 1)], claim.texts[position]
    most = any(item.end == position for item in claim.superlatives)
    return text not in _OF_ANYTHING and text[-2:] != "ly" and (most or bool(comparative(before)))


def _counts(claim: GroundedClaim, head: HeaderLink) -> bool:
    return any(map(claim.index.is_numeric, head.columns))


def _has_it_no_more(claim: GroundedClaim, proposal: Proposal, rest: Mapping[int, Left]) -> bool:
    """Return whether what a column of yes and no tells is said to be wished or gone: `lost its lift`."""
    return any(
        link.start in proposal.bound
        and link.bound in _FLAGS
        and any(
            rest.get(n) is Left.WORD and claim.texts[n] in _NOT_HAVING
            for n in range(max(0, link.start - _NEAR), min(link.end + _NEAR, len(claim.texts)))
        )
        for link in claim.links
    )


_FLAGS = frozenset({"= yes", "= no"})
_NEAR = 4
# Forms of verbs by which something is had no more, or not yet.
_NOT_HAVING = word_set("""
    lose loses lost losing sell sells sold want wants wanted wish wishes wished apply applies applied refuse
    refuses refused scrap scrapped steal stole stolen remove removed rid gave given used request requested
    demand demanded seek sought hope hopes hoped plan plans planned going consider considered replace
    replaced repair repaired abolish abolished close closed destroyed broke broken cancelled
""")
