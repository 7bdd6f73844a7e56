"""Words of a claim that decide what it says, whatever the table calls its rows and columns."""

from __future__ import annotations

import re
from collections.abc import Container

from evidence_assets.reading.accounting import is_decisive
from evidence_assets.tables.cell_values import MONEY_SIGNS
from evidence_assets.tables.programs.index.columns.weekly_days import ALL_DAYS
from evidence_assets.tables.programs.index.derived.contests import ContestTable
from evidence_assets.tables.programs.index.derived.quotients import OF_EACH
from evidence_assets.tables.programs.links.cells.denied_modifiers import OUTSIDE
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.quantities.claim_numbers import is_of_compared
from evidence_assets.tables.programs.verdicts.leftovers.idle_words import are_those_named
from evidence_assets.tables.programs.wording.claimed_shares import FRACTIONS
from evidence_assets.tables.programs.wording.contest_words import streak_words
from evidence_assets.tables.programs.wording.quantifier_words import ALONE, condition_of_all, is_the_one
from evidence_assets.tables.programs.wording.thresholds import opens_a_range
from evidence_assets.tables.programs.wording.trigger_lexicon import EACH, comparative, direction, exceeding
from evidence_assets.tables.programs.wording.words import singular
from evidence_assets.tables.programs.wording.words_of_time import DIRECTLY, OPENINGS_OF_SPANS
from evidence_assets.tables.programs.wording.words_of_wholes import AGGREGATING, AS_A_WHOLE
from evidence_assets.text.calendar_words import MONTHS
from evidence_assets.text.words import word_set


def decisive_though_linked(claim: GroundedClaim, modal: Container[int]) -> set[int]:
    """Return where words stand that are decisive whatever they are linked to.

    That contests ended alike on end is, of how many one is the better, and words of gains, losses and rates.
    `modal`: where words of mood stand, which tell no sign.
    """
    on_end = streak_words(claim.texts) if isinstance(claim.index.table, ContestTable) else ()
    of_several = (
        n
        for n, token in enumerate(claim.tokens)
        if token.number is not None
        and n != claim.row_total
        and is_of_compared(claim.texts, n)
        and not are_those_named(claim, n)
    )
    signs = (n for n in (*claim.signs, *_untold_rates(claim)) if n not in modal)
    return {*on_end, *of_several, *signs}


def _untold_rates(claim: GroundedClaim) -> list[int]:
    """Return where `per` stands, unless the table tells it: what there is for each is not what there is."""
    per = [n for n, text in enumerate(claim.texts) if text == "per" and n not in claim.headed]
    if not per or _tells_rates(claim):
        return []
    units = {word for words, _ in claim.units.values() for word in words}
    return [n for n in per if n not in units]


def _tells_rates(claim: GroundedClaim) -> bool:
    """Return whether a table tells what there is for each of something: `ct/kWh`, `monthly pay`."""
    table = claim.index.table
    texts = (*table.header, table.caption, *(cell.text for row in table.rows[:1] for cell in row))
    return any(OF_EACH.search(text) or _OF_A_TIME.search(text) for text in texts)


_OF_A_TIME = re.compile(
    r"\b(?:hourly|daily|weekly|monthly|quarterly|yearly|annual|annually)\b", re.IGNORECASE
)


def decides(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word that is linked to nothing decides what its claim says."""
    text = claim.texts[position]
    return is_decisive(text) or operates(claim, position) or _opens_a_condition(claim, position)


def quantifies(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word says of how many rows its claim is: of all, both, no others, or none."""
    texts, following = claim.texts, claim.tokens[position + 1 : position + 2]
    # `All 22 laps` are of no rows.
    of_a_number = any(token.number is not None for token in following) and position + 1 not in claim.pronouns
    is_word = (texts[position] in _QUANTIFIERS and not of_a_number) or is_the_one(texts, position)
    return is_word or _opens_a_condition(claim, position)


_QUANTIFIERS = EACH | ALONE | {"both", "neither", "none", "any"}


def _opens_a_condition(claim: GroundedClaim, position: int) -> bool:
    condition = condition_of_all(claim.texts)
    return condition is not None and position == condition.start


def operates(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word compares, orders, adds up, or tells a change between two ends."""
    texts, text = claim.texts, claim.texts[position]
    if text in {"before", "after"} and not claim.index.dated and not claim.index.years:
        # `After September` is not September, though the column has no more of a date than this.
        return any(
            token.text in MONTHS or token.text in ALL_DAYS or token.number is not None
            for token in claim.tokens[position + 1 : position + 2]
        )
    return (
        text in _OPERATORS
        or bool(comparative(text))
        or bool(exceeding(text))
        or (bool(direction(text)) and (not OPENINGS_OF_SPANS.isdisjoint(texts) or _leads_to(claim, position)))
        # What came next came after nothing else; nor did what came right after.
        or (text in DIRECTLY and texts[position + 1 : position + 2] in _BESIDE)
        or (text == "next" and texts[position - 1 : position] == ("the",) and "after" in texts[position:])
        # What is said of all as a whole is of their sum.
        or (text == "whole" and texts[max(0, position - 2) : position + 1] == AS_A_WHOLE)
        or opens_a_range(texts, position)
        # What is so `entirely below 50` is so below 50.
        or (text in _IN_PART and not any(x.bound and x.start == position + 1 for x in claim.links))
        or _is_a_share(claim, position)
    )


def _leads_to(claim: GroundedClaim, position: int) -> bool:
    """Return whether a change leads to a number: what `rose to 28` was another before."""
    following = claim.tokens[position + 1 : position + 3]
    return [token.text for token in following[:1]] == ["to"] and any(
        token.number is not None or token.text in MONEY_SIGNS for token in following[1:]
    )


_BESIDE = {("before",), ("after",)}
# Words that order, aggregate or quantify, besides those that are decisive in any text.
_OPERATORS = AGGREGATING | {"before", "after", "ahead", "behind", "majority", "unlike", OUTSIDE}
# Words that say whether something is so of a whole thing.
_IN_PART = word_set(
    "entirely wholly completely exclusively solely purely partly partially largely mainly mostly"
)


def _is_a_share(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is what a number before it counts the parts of a whole in: `two thirds`."""
    if position == 0 or singular(claim.texts[position]) not in FRACTIONS:
        return False
    before = claim.tokens[position - 1]
    return before.number is not None and not before.ordinal
