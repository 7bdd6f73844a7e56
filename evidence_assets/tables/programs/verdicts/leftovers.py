"""What a program leaves of its claim: words and numbers that carry something and that it does not bind."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from enum import StrEnum
from functools import lru_cache

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.reading.accounting import account, empty_words, is_decisive
from evidence_assets.tables.cell_dates import MONTHS
from evidence_assets.tables.programs.index.contests import ContestTable
from evidence_assets.tables.programs.index.quotients import OF_EACH
from evidence_assets.tables.programs.index.weekly_days import ALL_DAYS
from evidence_assets.tables.programs.links.claim_numbers import (
    ends_a_name,
    is_of_compared,
    numbers_of_row_nouns,
)
from evidence_assets.tables.programs.links.denied_modifiers import OUTSIDE
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import positions_of
from evidence_assets.tables.programs.readings.parts.proposal import Bound
from evidence_assets.tables.programs.verdicts.moods import moods
from evidence_assets.tables.programs.verdicts.narrowing import narrowing
from evidence_assets.tables.programs.wording.claimed_shares import FRACTIONS
from evidence_assets.tables.programs.wording.contest_words import streak_words
from evidence_assets.tables.programs.wording.percent_words import is_in_percent
from evidence_assets.tables.programs.wording.quantifier_words import ALONE, condition_of_all, is_the_one
from evidence_assets.tables.programs.wording.thresholds import opens_a_range
from evidence_assets.tables.programs.wording.tolerances import APPROXIMATE
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    EACH,
    NEGATIONS,
    comparative,
    direction,
    exceeding,
    is_how_often,
    is_unbroken,
)
from evidence_assets.tables.programs.wording.words import ARTICLES, OF_COMPOUNDS, POSSESSIVES, Token
from evidence_assets.tables.programs.wording.words_of_time import OPENINGS_OF_SPANS, TIMES, WHOLE
from evidence_assets.tables.programs.wording.words_of_wholes import AGGREGATING, AS_A_WHOLE
from evidence_assets.text.function_words import function_words
from evidence_assets.text.roots import root
from evidence_assets.text.words import word_set

DOMAIN = "claims"


class Left(StrEnum):
    """What is left of a claim, the gravest first."""

    DECISIVE = "something decisive"
    """A negation, quantifier, comparative, superlative, number or name."""
    VALUE = "a value of the table"
    WORDS = "several words"
    WORD = "a word"
    HEADER = "a column"
    NOTHING = "nothing"


# How grave it is that something is left: the more, the graver.
GRAVITY = {grade: -place for place, grade in enumerate(Left)}
# What a program leaves that accounts for a whole claim.
ALL_BOUND = frozenset({Left.NOTHING, Left.HEADER})


# A claim and its clauses, each of whose programs, and what ranks them, ask what it carries.
_CLAIMS_AT_ONCE = 16


@lru_cache(maxsize=_CLAIMS_AT_ONCE)
def carried(claim: GroundedClaim) -> Mapping[int, Left]:
    """Return the positions of a claim's words that carry meaning, each with how grave it is left unbound."""
    modal, values = moods(claim), _values(claim)
    decisive = _decisive_words(claim, modal)
    superlatives, empty = positions_of(claim.superlatives), empty_words(DOMAIN)
    numbers = {*claim.numbers, *claim.parts, *claim.refused, *positions_of(claim.bounds), *superlatives}
    numbers |= _counts_and_shares(claim)
    carrying: dict[int, Left] = {}
    for position, token in enumerate(claim.tokens):
        if position in decisive:
            carrying[position] = Left.DECISIVE
        elif position in modal:
            carrying[position] = Left.WORD
        elif token.mark or _tells_a_rate(claim, position) or _carries_nothing_here(claim, position):
            continue
        elif position in values:
            carrying[position] = values[position]
        elif position in claim.headed:
            carrying[position] = _in_a_header(claim, position)
        elif token.number is not None:
            if position in numbers or ends_a_name(claim.tokens, position) or quantifies(claim, position):
                carrying[position] = Left.DECISIVE
        elif position in superlatives or _decides(claim, position):
            carrying[position] = Left.DECISIVE
        elif not _is_empty(claim, token, empty):
            # A name that nothing of the table bears may be all that the claim is about.
            carrying[position] = Left.DECISIVE if token.capital else Left.WORD
    words = {position for position, grade in carrying.items() if grade is Left.WORD}
    return carrying | dict.fromkeys(narrowing(claim, words - modal.keys()), Left.DECISIVE)


def _counts_and_shares(claim: GroundedClaim) -> set[int]:
    """Return where numbers stand that are linked to no cell, as they say how many rows, or what share.

    Not of `the two ships`, `Una's two ships`, which takes there to be two.
    """
    counting = {*numbers_of_row_nouns(claim.tokens, claim.index)} - {claim.row_total, *claim.pronouns}
    given = {link.end for link in claim.links}
    counting = {n for n in counting - given if n == 0 or claim.texts[n - 1] not in _DEFINITE}
    numbers = (n for n, token in enumerate(claim.tokens) if token.number is not None)
    return counting | {n for n in numbers if is_in_percent(claim.texts, n)}


_DEFINITE = POSSESSIVES | {"the", "these", "those", "all"}


def _values(claim: GroundedClaim) -> dict[int, Left]:
    """Return where the words stand that are linked to cells, each with how grave it is left unbound."""
    places = positions_of(claim.links)
    decisive = {link.start for link in claim.links if link.number is not None and not link.bound}
    if isinstance(claim.index.table, ContestTable):
        # Of a contest all that is told of it says which it was, and how it ended.
        decisive |= {n for n in places if claim.tokens[n].key not in claim.index.caption}
    return {n: Left.DECISIVE if n in decisive else Left.VALUE for n in places}


def _decisive_words(claim: GroundedClaim, modal: Container[int]) -> set[int]:
    """Return where words stand that are decisive whatever they are linked to.

    That contests ended alike on end is, words of gains and losses, and `per`: what there is for each of
    something is not what there is. `modal`: where words of mood stand, which tell no sign.
    """
    on_end = streak_words(claim.texts) if isinstance(claim.index.table, ContestTable) else ()
    per = [n for n, text in enumerate(claim.texts) if text == "per" and n not in claim.headed]
    if per:
        units = {word for words, _ in claim.units.values() for word in words}
        per = [] if _tells_rates(claim) else [n for n in per if n not in units]
    of_several = (
        n
        for n, token in enumerate(claim.tokens)
        if token.number is not None
        and n != claim.row_total
        and is_of_compared(claim.texts, n)
        and not _are_those_named(claim, n)
    )
    return {*on_end, *of_several, *(n for n in (*claim.signs, *per) if n not in modal)}


def _in_a_header(claim: GroundedClaim, position: int) -> Left:
    """Return how grave a word is left that names a column: a year is a condition, `more` compares."""
    token = claim.tokens[position]
    of_year = token.number is not None and token.number in claim.index.year_columns.values()
    compares = token.key not in claim.index.header_postings and _operates(claim, position)
    return Left.DECISIVE if of_year or compares else Left.HEADER


def _is_empty(claim: GroundedClaim, token: Token, empty: Container[str]) -> bool:
    """Return whether a word says nothing more than the caption. `empty`: roots of words that never do."""
    is_grammatical = token.stop or token.text in function_words()
    return is_grammatical or token.key in claim.index.caption or root(token.text) in empty


def _tells_rates(claim: GroundedClaim) -> bool:
    """Return whether a table tells what there is for each of something: `ct/kWh`, `monthly pay`."""
    table = claim.index.table
    texts = (*table.header, table.caption, *(cell.text for row in table.rows[:1] for cell in row))
    return any(OF_EACH.search(text) or _OF_A_TIME.search(text) for text in texts)


_OF_A_TIME = re.compile(
    r"\b(?:hourly|daily|weekly|monthly|quarterly|yearly|annual|annually)\b", re.IGNORECASE
)


def _decides(claim: GroundedClaim, position: int) -> bool:
    text = claim.texts[position]
    return is_decisive(text) or _operates(claim, position) or _opens_a_condition(claim, position)


def _carries_nothing_here(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word carries nothing where it stands: `at all`, `together with`, `about 5`."""
    text, following = claim.texts[position], claim.tokens[position + 1 : position + 4]
    if text in NEGATIONS:
        return claim.is_of_a_name(position) or is_unbroken(claim.tokens, position)
    if text in {"under", "over", "above", "below"} and any(
        link.start == position + 1
        and link.number is None
        # `Under cover` is told by a column of yes and no.
        and (link.bound == "= yes" or claim.is_of_a_name(position))
        for link in claim.links
    ):
        return True
    if text == "over" and following[:1] and following[0].text in ARTICLES | {"these", "those", "all"}:
        # `Over the whole season` is during it.
        return any(token.key in TIMES for token in following[1:] if token.text not in WHOLE)
    if text == "all":
        return claim.texts[position - 1 : position] == ("at",)
    if text == "together":
        return claim.texts[position + 1 : position + 2] == ("with",)
    is_told = _is_of_an_end(claim, position) or _are_those_named(claim, position)
    is_told = is_told or _is_of_all(claim, position)
    return is_told or (text in APPROXIMATE and any(token.number is not None for token in following))


def _is_of_all(claim: GroundedClaim, position: int) -> bool:
    """Return whether an `any` says that an extreme is of all: `the greatest rise of any lock`."""
    if claim.texts[position] != "any" or claim.texts[max(0, position - 1) : position] not in _OF:
        return False
    return any(extreme.end <= position for extreme in claim.superlatives)


_OF = frozenset({("of",), ("among",), ("in",)})


def _is_of_an_end(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is the time of what was shown `for the last time`, which a header tells.

    Not where a cell tells less of the time than the claim.
    """
    phrase = claim.texts[max(0, position - 3) : position + 1]
    is_told = phrase in _FOR_AN_END and position - 1 in claim.headed
    return is_told and not any(link.undetermined for link in claim.links)


_FOR_AN_END = frozenset({("for", "the", "first", "time"), ("for", "the", "last", "time")})


def _are_those_named(claim: GroundedClaim, position: int) -> bool:
    """Return whether a two stands for two rows named before: `A beat B, and is the younger of the two`."""
    if not is_of_compared(claim.texts, position):
        return False
    label = claim.index.table.label_column
    named = [link for link in claim.names if link.end < position and label in link.full]
    rows = {row for link in named for row in link.places[label]} if label is not None else set[int]()
    return len(named) == len(rows) == claim.tokens[position].number


def _tells_a_rate(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word says how often, not of all: `every ten minutes`, `each day` of `per day`."""
    if claim.texts[position] not in {"every", "each"}:
        return False
    following = "".join(claim.texts[position + 1 : position + 2])
    rate = f"per {following}"
    return is_how_often(claim.texts, position) or any(
        name.lower().endswith(rate) for name in claim.index.table.header if following
    )


def quantifies(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word says of how many rows its claim is: of all, both, no others, or none."""
    texts, following = claim.texts, claim.tokens[position + 1 : position + 2]
    # `All 22 laps` are of no rows.
    of_a_number = any(token.number is not None for token in following) and position + 1 not in claim.pronouns
    is_word = (texts[position] in _QUANTIFIERS and not of_a_number) or is_the_one(texts, position)
    return is_word or _opens_a_condition(claim, position)


def _opens_a_condition(claim: GroundedClaim, position: int) -> bool:
    condition = condition_of_all(claim.texts)
    return condition is not None and position == condition.start


_QUANTIFIERS = EACH | ALONE | {"both", "neither", "none", "any"}


# Words that say whether something is so of a whole thing.
_IN_PART = word_set(
    "entirely wholly completely exclusively solely purely partly partially largely mainly mostly"
)
# Words that order, aggregate or quantify, besides those that are decisive in any text.
_OPERATORS = AGGREGATING | {"before", "after", "ahead", "behind", "majority", "unlike", OUTSIDE}


def _operates(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word compares, orders, or tells a change between two ends."""
    text = claim.texts[position]
    if text in {"before", "after"} and not claim.index.dated and not claim.index.years:
        # `After September` is not September, though the column has no more of a date than this.
        return any(
            token.text in MONTHS or token.text in ALL_DAYS or token.number is not None
            for token in claim.tokens[position + 1 : position + 2]
        )
    changes = bool(direction(text)) and not OPENINGS_OF_SPANS.isdisjoint(claim.texts)
    # What is said of all as a whole is of their sum.
    adds_up = text == "whole" and claim.texts[max(0, position - 2) : position + 1] == AS_A_WHOLE
    operates = text in _OPERATORS or adds_up or opens_a_range(claim.texts, position)
    # What is so `entirely below 50` is so below 50.
    of_a_part = text in _IN_PART and not any(
        link.bound and link.start == position + 1 for link in claim.links
    )
    operates = operates or of_a_part or _is_a_share(claim, position)
    return changes or bool(comparative(text)) or bool(exceeding(text)) or operates


def _is_a_share(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is what a number before it counts the parts of a whole in: `two thirds`."""
    before = claim.tokens[max(0, position - 1) : position]
    counts = any(token.number is not None and not token.ordinal for token in before)
    return counts and claim.texts[position].removesuffix("s") in FRACTIONS


def gravest_left(carrying: Mapping[int, Left], bound: Bound) -> Left:
    """Return the gravest that a program leaves."""
    remaining = [grade for position, grade in carrying.items() if position not in bound]
    for grade in (Left.DECISIVE, Left.VALUE):
        if grade in remaining:
            return grade
    words = remaining.count(Left.WORD)
    if words:
        return Left.WORDS if words > 1 else Left.WORD
    return Left.HEADER if remaining else Left.NOTHING


def accounting(text: str, claim: GroundedClaim, bound: Bound) -> Accounting:
    """Return every word of a claim with what a program bound it to."""

    def binding(start: int, end: int, role: Role, target: str = "") -> Binding:
        return Binding(start, end, text[start:end], role, target)

    bindings: list[Binding] = []
    # The `all` of `all-weather` is bound as what it is joined to.
    joined = {
        n: bound[n + 2] for n, text in enumerate(claim.texts) if text == OF_COMPOUNDS and n + 2 in bound
    }
    bound = {**bound, **joined, **{n + 1: target for n, target in joined.items()}}
    for position in sorted(bound):
        token, target = claim.tokens[position], bound[position]
        if bindings and bound.get(position - 1) == target:
            bindings[-1] = binding(bindings[-1].start, token.end, *target)
        else:
            bindings.append(binding(token.start, token.end, *target))
    for position, token in enumerate(claim.tokens):
        if position not in bound and token.key in claim.index.caption and not token.stop:
            bindings.append(binding(token.start, token.end, Role.SCOPE, "caption"))
    for position in moods(claim).keys() - bound.keys():
        token = claim.tokens[position]
        bindings.append(binding(token.start, token.end, Role.UNACCOUNTED))
    return account(text, bindings, empty_words(DOMAIN))
