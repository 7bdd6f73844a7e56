"""What a claim says to be possible, due, to come, doubted or conditional: cells tell what is so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from evidence_assets.tables.cell_values import MONEY_SIGNS
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import positions_of
from evidence_assets.tables.programs.readings.parts.proposal import STATING, Bound
from evidence_assets.tables.programs.wording.kept_for_claims import kept_for_claims
from evidence_assets.tables.programs.wording.words import word_keys
from evidence_assets.text.roots import root, word_roots
from evidence_assets.text.words import word_set

_ABLE = word_keys("top max maximum minimum peak capacity limit range allowed permitted possible")
_DUE = word_keys("reference recommended required requirement limit minimum max maximum target due needed")
_TO_COME = word_keys("forecast planned expected target projected projection scheduled due estimate estimated")
# Modal verbs, with the words of headers that tell such.
_MODALS = {
    **dict.fromkeys(("can", "could"), _ABLE),
    **dict.fromkeys(("may", "might"), _ABLE | _TO_COME),
    **dict.fromkeys(("should", "must", "ought", "shall"), _DUE | _TO_COME),
    **dict.fromkeys(("will", "would"), _TO_COME | _ABLE),
}
# Adverbs that turn a verb, or leave open whether what it says is so.
_TURNING = word_set("""
    nearly almost hardly barely scarcely formerly previously allegedly reportedly supposedly possibly probably
    perhaps maybe
""")
# Roots of verbs that do not say that what they tell of is so: `plans to`, `is said to`, `denied having`.
_NOT_FACTUAL = word_roots("""
    plan want hope try tries tried refuse intend expect promise threaten aim attempt wish deny denied denies
    said reported believed supposed thought alleged rumoured claimed estimated predicted pretend forecast
    project schedule budget
""")
# Roots of verbs by which something ends, or is not had any more: what a column counts is another thing.
_ENDING = word_roots("""
    lose lost miss refund cancel cancelled dismiss reject waste abandon destroy forfeit withdraw withdrew
    delete remove sink sank quit discard burn burned sacked fired scrap steal stole stolen rid
""")
# Before these a modal is a noun, or May the month.
_BEFORE_NOUNS = word_set("the a an in of on by since until till from before after during and or to last next")
# `Almost all`, `nearly a third`, `almost twice`, `nearly $5`: the number or share is near, not the verb.
_BEFORE_NUMBERS = word_set("""
    a an all every each half twice double triple as always none no nothing the its their one
""").union(MONEY_SIGNS)
_AWAY = frozenset({"away", "up"})
_GIVING = word_set("give gives gave given throw throws threw thrown")
# Kinds of program that state what the cells of rows tell, without computing anything.
_STATED = (*STATING, "denied co-occurrence")


@kept_for_claims
def moods(claim: GroundedClaim) -> Mapping[int, frozenset[str]]:
    """Return where a claim's words of mood stand, each with the words of headers that tell such."""
    without_headers = dict.fromkeys([*_turning(claim), *_conditions(claim)], frozenset[str]())
    return {**dict(_modals(claim)), **without_headers}


def is_only_possible(
    claim: GroundedClaim, modal: Mapping[int, frozenset[str]], kind: str, bound: Bound
) -> bool:
    """Return whether a program states as so what its claim says to be possible, due, to come or doubted.

    `modal`: of the claim (`moods`). What is allowed or offered stands in columns of yes and no, and a header
    may tell what can or should be.
    """
    if not modal or not kind.startswith(_STATED):
        return False
    index = claim.index
    columns = {column for link in claim.links if link.start in bound for column in link.places if link.places}
    if not columns.isdisjoint(index.flags):
        modal = {position: telling for position, telling in modal.items() if not telling}
    keys = {key for column in columns for key in index.headers[column]} | index.caption
    return any(keys.isdisjoint(telling) for position, telling in modal.items() if position not in bound)


def _modals(claim: GroundedClaim) -> Iterator[tuple[int, frozenset[str]]]:
    linked = claim.linked_positions
    for position, token in enumerate(claim.tokens[:-1]):
        text, following = token.text, claim.tokens[position + 1]
        if text in {"use", "used"} and following.text == "to" and position not in linked:
            yield position, frozenset()
        elif text == "have" and following.text == "to":
            yield position, _DUE
        if text not in _MODALS or token.capital or position in linked:
            continue
        if following.number is not None or following.mark or following.text == "not":
            continue
        is_named = any(link.start == position + 1 and not link.bound for link in claim.links)
        is_noun = position and claim.texts[position - 1] in _BEFORE_NOUNS
        if not is_named and not is_noun:
            yield position, _MODALS[text]


def _turning(claim: GroundedClaim) -> Iterator[int]:
    linked = claim.linked_positions
    for position, text in enumerate(claim.texts[:-1]):
        following = claim.tokens[position + 1]
        if position in linked or claim.tokens[position].capital or not _may_turn(text):
            continue
        opens_a_verb = following.text in {"to", "that", "have"} or following.text.endswith("ing")
        ends = root(text) in _ENDING or (text in _GIVING and following.text in _AWAY)
        if ends and position and not _is_of_column(claim, position):
            yield position
            continue
        turns = following.number is None and following.text not in _BEFORE_NUMBERS
        not_factual = opens_a_verb and root(text) in _NOT_FACTUAL and not _is_of_column(claim, position)
        if (text in _TURNING and turns) or not_factual:
            yield position


@lru_cache(maxsize=1 << 12)
def _may_turn(text: str) -> bool:
    stem = root(text)
    return stem in _ENDING or stem in _NOT_FACTUAL or text in _GIVING or text in _TURNING


def _is_of_column(claim: GroundedClaim, position: int) -> bool:
    """Return whether a word stands in the caption or, in any form, in a header."""
    index = claim.index
    return claim.tokens[position].key in index.caption | index.header_postings.keys()


def _conditions(claim: GroundedClaim) -> Iterator[int]:
    """Yield an `if` or `unless` whose clause names a row: what would be so if something else were."""
    label = claim.index.table.label_column
    named = positions_of(link for link in claim.names if label is not None and label in link.places)
    for position, text in enumerate(claim.texts):
        if text in {"if", "unless"} and position not in claim.linked_positions:
            comma = next((n for n in range(position, len(claim.texts)) if claim.texts[n] == ","), None)
            if not named.isdisjoint(range(position, comma or len(claim.texts))):
                yield position
