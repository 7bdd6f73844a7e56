"""Whether a claim is of more, or of something narrower, than a program: of each, of what a word narrows."""

from __future__ import annotations

from evidence_assets.tables.programs.index.columns.column_units import PART_OF_ANY_YEAR
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink
from evidence_assets.tables.programs.readings.parts.proposal import STATING, Proposal
from evidence_assets.tables.programs.readings.rows.plural_subjects import opens_with_several
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome
from evidence_assets.tables.programs.wording.measures import names_a_dimension
from evidence_assets.tables.programs.wording.superlative_words import Superlative
from evidence_assets.tables.programs.wording.trigger_lexicon import MOST_OR_FEWEST, comparative, row_nouns
from evidence_assets.tables.programs.wording.words import is_plural
from evidence_assets.text.words import word_set


def _shows_one_of_several(outcome: Outcome) -> bool:
    """Return whether one row bears out what is said of several: `huts with beds cost under 100`."""
    claim, proposal, result = outcome.claim, outcome.proposal, outcome.result
    return bool(result.truth) and proposal.kind.startswith(STATING) and opens_with_several(claim)


def _is_most_of_what_is_untold(outcome: Outcome) -> bool:
    """Return whether nothing tells what there is most of: `had the most sunshine`, of a table of rain.

    Where the claim names the column, but by no time, that tells it: `sold the most loaves`, of `Sold`.
    """
    claim, proposal, rest = outcome.claim, outcome.proposal, outcome.rest
    return proposal.kind.startswith(_OF_EXTREMES) and any(
        _is_of_an_amount(claim, item)
        and not _names_a_column_of_numbers(claim, proposal, item.start)
        and item.start in proposal.bound
        and rest.get(item.end) is Left.WORD
        and item.end not in claim.headed
        and claim.texts[item.end] not in _OF_ANYTHING
        and claim.tokens[item.end].key not in row_nouns()
        and not claim.texts[item.end].endswith(_OF_NO_NOUNS)
        for item in claim.superlatives
    )


_OF_EXTREMES = ("superlative", "ordinal")


def _is_of_an_amount(claim: GroundedClaim, item: Superlative) -> bool:
    """Return whether a superlative is of how much of something a row has, not of what the row is."""
    before = claim.texts[max(0, item.start - 2) : item.start]
    return item.word in MOST_OR_FEWEST or (item.word in _EXTREMES and not _HAVING.isdisjoint(before))


def _names_a_column_of_numbers(claim: GroundedClaim, proposal: Proposal, end: int) -> bool:
    """Return whether a program takes a column of numbers by its header before a place, which is no time."""
    index = claim.index
    return any(
        head.start in proposal.bound
        and head.end <= end
        and index.is_numeric(column)
        and column not in index.year_columns
        and not PART_OF_ANY_YEAR.fullmatch(index.table.header[column].strip())
        for head in claim.linked.headers
        for column in head.columns
    )


_EXTREMES = frozenset({"highest", "lowest"})
_HAVING = word_set("have had get got make made record recorded show showed see saw")
# What adverbs, participles and adjectives end in.
_OF_NO_NOUNS = ("ly", "ed", "ous", "ive", "ful", "ble", "ant", "ent")
# Nouns for numbers of anything.
_OF_ANYTHING = word_set("""
    number numbers amount value values figure figures total level rate count score result one ones all overall
    single ever recorded reading sum quantity proportion percentage share known final price
""")


def _narrows_a_column(outcome: Outcome) -> bool:
    """Return whether a word that is left narrows what a column counts: `more female doctors`."""
    claim, proposal, rest = outcome.claim, outcome.proposal, outcome.rest
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
    narrows_nothing = text in _OF_ANYTHING | _OF_TIMES or text.endswith("ly")
    return not narrows_nothing and (most or bool(comparative(before)))


_OF_TIMES = frozenset({"annual", "total", "average", "mean", "combined"})


def _counts(claim: GroundedClaim, head: HeaderLink) -> bool:
    """Return whether a plural that names a column of numbers is of what it counts, and measures nothing."""
    of_numbers = [column for column in head.columns if claim.index.is_numeric(column)]
    names_many = is_plural(claim.texts[head.end - 1])
    return names_many and any(not names_a_dimension(claim.index.headers[column]) for column in of_numbers)


CHECKS = (
    Check(_shows_one_of_several, "one row bears out what the claim says of several"),
    Check(_is_most_of_what_is_untold, "nothing tells what there is most of"),
    Check(_narrows_a_column, "the claim is of a part of what the column tells"),
)
