"""Words of a claim that would decide elsewhere, and carry nothing where they stand: `at all`, `about 5`."""

from __future__ import annotations

from collections.abc import Callable

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import positions_of
from evidence_assets.tables.programs.links.quantities.claim_numbers import is_of_compared
from evidence_assets.tables.programs.readings.parts.scopes import joins_two_properties
from evidence_assets.tables.programs.wording.quantities import CURRENCIES
from evidence_assets.tables.programs.wording.tolerances import APPROXIMATE
from evidence_assets.tables.programs.wording.trigger_lexicon import NEGATIONS, is_how_often, is_unbroken
from evidence_assets.tables.programs.wording.words import ARTICLES, word_keys
from evidence_assets.tables.programs.wording.words_of_time import TIMES, WHOLE
from evidence_assets.text.words import word_set


def carries_nothing(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word carries nothing where it stands."""
    of_numbers = (are_those_named,) if claim.tokens[position].number is not None else ()
    rules = (*_RULES.get(claim.texts[position], ()), *of_numbers)
    return any(is_idle(claim, position) for is_idle in rules)


def _denies_nothing(claim: GroundedClaim, position: int) -> bool:
    """Return whether a negation is of a name, or says that a change went on: `without a break`."""
    return claim.is_of_a_name(position) or is_unbroken(claim.tokens, position)


def _belongs_to_a_cell(claim: GroundedClaim, position: int) -> bool:
    """Return whether a preposition is of a name, or of what a column tells by yes and no: `under cover`."""
    return any(
        link.start == position + 1
        and link.number is None
        and (link.bound == "= yes" or claim.is_of_a_name(position))
        for link in claim.links
    )


_PLACING = frozenset({"under", "over", "above", "below"})


def _is_of_a_duration(claim: GroundedClaim, position: int) -> bool:
    """Return whether `over` means during: `over the whole season`."""
    following = claim.tokens[position + 1 : position + 4]
    if not following or following[0].text not in ARTICLES | {"these", "those", "all"}:
        return False
    return any(token.key in TIMES for token in following[1:] if token.text not in WHOLE)


def _is_of_a_phrase(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word is that of `at all`, `together with`."""
    before, text, behind = ("", *claim.texts, "")[position : position + 3]
    return (before, text) == ("at", "all") or (text, behind) == ("together", "with")


def _is_of_all(claim: GroundedClaim, position: int) -> bool:
    """Return whether an `any` says that an extreme is of all: `the greatest rise of any lock`."""
    if claim.texts[max(0, position - 1) : position] not in _OF:
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


def are_those_named(claim: GroundedClaim, position: int) -> bool:
    """Return whether a two stands for two rows named before: `A beat B, and is the younger of the two`."""
    if not is_of_compared(claim.texts, position):
        return False
    label = claim.index.table.label_column
    named = [link for link in claim.names if link.end < position and label in link.full]
    rows = {row for link in named for row in link.places[label]} if label is not None else set[int]()
    return len(named) == len(rows) == claim.tokens[position].number


def _tells_a_rate(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word says how often, not of all: `every ten minutes`, `each day` of `per day`."""
    following = "".join(claim.texts[position + 1 : position + 2])
    rate = f"per {following}"
    return is_how_often(claim.texts, position) or any(
        name.lower().endswith(rate) for name in claim.index.table.header if following
    )


def _is_about_a_number(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word says that a number behind it is rounded: `about 5`."""
    following = claim.tokens[position + 1 : position + 4]
    return any(token.number is not None for token in following)


def _is_of_money(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word says that what a column tells in money was paid: `spent`, of `Rent (€)`."""
    is_somebody = claim.texts[position] in _NAMESAKES and claim.tokens[position].cased
    if is_somebody or position in claim.headed or position in positions_of(claim.links):
        return False
    named_columns = {column for head in claim.linked.headers for column in head.columns}
    return any(not CURRENCIES.isdisjoint(claim.index.told_units[column]) for column in named_columns)


def _is_whom_rows_are_of(claim: GroundedClaim, position: int) -> bool:
    """Return whether a noun for people is of a table whose rows are theirs: `employees`, of `Name`."""
    label = claim.index.table.label_column
    headers = claim.index.headers[label] if label is not None else ()
    # Whom somebody hired are no rows; what somebody is may be.
    is_object = any(link.end <= position for link in claim.names) and "be" not in claim.texts[:position]
    return position not in claim.headed and not is_object and not OF_PEOPLE.isdisjoint(headers)


def _is_now(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word says that something is so now, as a table tells it whose rows are no times."""
    index, texts = claim.index, claim.texts
    if index.year_columns or index.table.label_column in index.times:
        return False
    return any(
        texts[start : start + len(phrase)] == phrase
        for phrase in _NOW
        for start in range(max(0, position + 1 - len(phrase)), position + 1)
    )


_PHRASES = "currently, presently, nowadays, right now, at present, at the moment, these days"
_NOW = [tuple(phrase.split()) for phrase in _PHRASES.split(", ")]
_WORDS_OF_NOW = {word for phrase in _NOW for word in phrase} - {"at", "the", "these"}
# Words that say that money was paid.
_PAYING = word_set("spend spent spending pay pays paid paying cost costs bill bills payment payments charged")
_NAMESAKES = frozenset({"bill", "bills"})
# People, and the keys of what heads a column of them.
_PEOPLE = word_set("people person persons employee employees staff worker workers colleague colleagues")
OF_PEOPLE = word_keys("name person employee staff worker member colleague surname")

# What is asked of a word, by the words that each rule is of.
_RULES: dict[str, tuple[Callable[[GroundedClaim, int], bool], ...]] = {
    **dict.fromkeys(NEGATIONS, (_denies_nothing,)),
    **dict.fromkeys(APPROXIMATE, (_is_about_a_number,)),
    **dict.fromkeys(_PLACING, (_belongs_to_a_cell,)),
    **dict.fromkeys(("every", "each"), (_tells_a_rate,)),
    **dict.fromkeys(("all", "together"), (_is_of_a_phrase,)),
    "over": (_belongs_to_a_cell, _is_of_a_duration),
    "any": (_is_of_all,),
    "both": (joins_two_properties,),
    "time": (_is_of_an_end,),
    **dict.fromkeys(_WORDS_OF_NOW, (_is_now,)),
    **dict.fromkeys(_PAYING, (_is_of_money,)),
    **dict.fromkeys(_PEOPLE, (_is_whom_rows_are_of,)),
}
