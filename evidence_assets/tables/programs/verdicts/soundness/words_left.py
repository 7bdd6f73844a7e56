"""Whether a word that a program leaves decides: a name, a season, a month, how well something was done."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_assets.tables.programs.index.columns.weekly_days import ALL_DAYS
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.quantities.claim_numbers import is_day_of_a_month
from evidence_assets.tables.programs.readings.parts.extreme_columns import column_of_year
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import Left
from evidence_assets.tables.programs.verdicts.outcomes import Check, Outcome, decisive_words
from evidence_assets.tables.programs.wording.words import singular
from evidence_assets.text.calendar_words import MIDDLES_OF_SEASONS, MONTHS
from evidence_assets.text.roots import root, word_roots


def _is_a_name(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word that is left is a name, or a day of the week: Pilar of `was flown by Pilar`."""
    token = claim.tokens[position]
    return token.capital and token.number is None and token.text not in MONTHS


def _is_a_season(texts: Sequence[str], position: int) -> bool:
    """Return whether a word is a season: `in the fall`, but not of `prices fall`."""
    if texts[position] == "fall":
        return "".join(texts[position - 1 : position]) in _BEFORE_SEASONS
    return texts[position] in MIDDLES_OF_SEASONS


def _is_a_part_of_a_day(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word tells a day more finely than its cell does: `Wednesday evenings`."""
    before = "".join(claim.texts[position - 1 : position])
    is_part = singular(claim.texts[position]) in _PARTS_OF_DAYS
    return is_part and (before in ALL_DAYS or before in _BEFORE_SEASONS)


_PARTS_OF_DAYS = frozenset({"morning", "afternoon", "evening", "night"})
_BEFORE_SEASONS = frozenset({"in", "the", "this", "that", "last", "every", "each"})


def _grades_a_verb(outcome: Outcome) -> bool:
    """Return whether a program compares by how well, or how much, something did what nothing tells.

    `Sang better than in 2016`, `the best attended`, and `costs more than` where no column is of a price.
    """
    claim, proposal, rest = outcome.claim, outcome.proposal, outcome.rest
    texts = claim.texts
    for position in range(1, len(texts) - 1):
        if texts[position] not in _GRADING:
            continue
        verb = root(texts[position - 1])
        how_well = texts[position] in _HOW_WELL and verb not in _DOING
        of_a_number = any(token.number is not None for token in claim.tokens[position + 2 : position + 3])
        how_much = verb in _MEASURING and texts[position : position + 2] in _MORE_THAN and not of_a_number
        if (how_well or how_much) and position in proposal.bound and position - 1 in rest:
            return True
    # Of a year that is named, its column tells what the caption says.
    return column_of_year(claim) is None and any(
        item.word in _MOST
        and item.start in proposal.bound
        and item.end in rest
        and texts[item.end].endswith(("ed", "ing"))
        for item in claim.superlatives
    )


# What is `best attended`, `most visited` is an extreme of no other column.
_MOST = frozenset({"best", "worst", "most", "least"})
_MORE_THAN = frozenset({("more", "than"), ("less", "than")})
_MEASURING = word_roots("cost costs weigh weighs weighed last lasts lasted")
_HOW_WELL = frozenset({"better", "worse"})
_GRADING = _HOW_WELL | {"more", "less"}
_DOING = word_roots("do did done fare fared perform performed score scored")


def _is_an_untold_month(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is a month that nothing of the table tells: `August was its busiest month`."""
    return _is_a_month(claim, position) and not claim.index.says(claim.tokens[position].key)


def _is_a_month(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is a month, that another date does not tell: `borrowed in May`, due in June."""
    return claim.tokens[position].text in MONTHS and claim.tokens[position].cased


# What says the contrary of a claim that leaves it.
_DENIALS = frozenset({"not", "never"})


def _leaves_a_name(outcome: Outcome) -> bool:
    return any(_is_a_name(outcome.claim, position) for position in decisive_words(outcome))


def _leaves_a_part_of_a_time(outcome: Outcome) -> bool:
    """Return whether a season or a part of a day is left, which no year and no month bears out."""
    claim = outcome.claim
    return any(
        _is_a_season(claim.texts, position) or _is_a_part_of_a_day(claim, position)
        for position in outcome.rest
    )


def _leaves_a_denial(outcome: Outcome) -> bool:
    """Return whether what is borne out is said to be not so."""
    texts = outcome.claim.texts
    return bool(outcome.result.truth) and any(texts[n] in _DENIALS for n in decisive_words(outcome))


def _leaves_a_day_or_month(outcome: Outcome) -> bool:
    """Return whether what is borne out is said of a day or a month: `on 9 May` is more than `May` tells.

    Nor do years and sums tell anything of one month.
    """
    claim, bound = outcome.claim, outcome.proposal.bound
    return bool(outcome.result.truth) and (
        any(is_day_of_a_month(claim.tokens, n) for n in range(len(claim.texts)) if n not in bound)
        or any(_is_an_untold_month(claim, position) for position in decisive_words(outcome))
        or any(
            grade is Left.VALUE and _is_a_month(claim, position) for position, grade in outcome.rest.items()
        )
    )


CHECKS = (
    Check(_leaves_a_name, "a name is left that nothing tells of"),
    Check(_leaves_a_part_of_a_time, "no column tells of seasons or parts of a day"),
    Check(_grades_a_verb, "no column tells how well or how much it was done"),
    Check(_leaves_a_denial, "the claim says that it is not so"),
    Check(_leaves_a_day_or_month, "a day or a month is left that nothing tells of"),
)
