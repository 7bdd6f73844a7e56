"""Claims that some things alone, or not they alone, are so: `A is the only van that floats`."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.cooccurrence import enumerations
from evidence_assets.tables.programs.readings.parts.things import (
    NAME,
    QuantifiedClaim,
    number_of_all,
    things_named_by,
    things_of,
)
from evidence_assets.tables.programs.wording.contest_words import OUTCOMES, is_beating
from evidence_assets.tables.programs.wording.quantifier_words import fronted_scope, only_word
from evidence_assets.tables.programs.wording.trigger_lexicon import RELATIVE_PRONOUNS
from evidence_assets.tables.programs.wording.words import ARTICLES


def sole_claims(claim: GroundedClaim) -> Iterator[QuantifiedClaim]:
    """Yield `A is the only N that C`, and `only A does C`, as C said of A and of no other."""
    only = only_word(claim.texts)
    if only is None:
        return
    if claim.texts[max(0, only - 1) : only] == ("the",):
        yield from _the_only(claim, only)
    else:
        yield from _only_names(claim, only)


def _the_only(claim: GroundedClaim, only: int) -> Iterator[QuantifiedClaim]:
    """Yield `A is the only N that C`, `A is not the only N to C`."""
    texts = claim.texts
    denied = texts[only - 2 : only - 1] == ("not",)
    verb = only - 2 - denied
    holders = _listed_last(claim, range(max(0, verb)))
    gap = _gap_of_an_object(claim, only)
    if gap is not None:
        opening: int | None = _clause_without_mark(claim, only)
    else:
        opening = next((n for n in range(only + 1, len(texts)) if texts[n] in _OPENING_WHICH), None)
    if verb < 1 or texts[verb] != "be" or not holders or opening is None:
        return
    phrase = range(only + 1, opening)
    scope = tuple(link for link in claim.links if link.start in phrase)
    things = things_of(claim, phrase, scope)
    things = things if things is None or things.column in holders[0].places else things_named_by(holders[0])
    if things is None:
        return
    rest = opening + 1 if texts[opening] in _LEFT_OUT else opening
    before = range(min(holder.start for holder in holders))
    words = (only, *([verb + 1] if denied else []))
    said = (*before, NAME, *range(rest, len(texts)))
    if gap is not None:
        said = (*before, *range(rest, gap), NAME, *range(gap, len(texts)))
    yield QuantifiedClaim("not only" if denied else "only", words, things, scope, tuple(holders), said)


def _gap_of_an_object(claim: GroundedClaim, only: int) -> int | None:
    """Return where whom somebody won or lost to is left out: `the only team they failed to beat in May`."""
    texts, subject = claim.texts, _clause_without_mark(claim, only)
    if subject is None or texts[subject + 1 : subject + 2] == ("to",):
        return None
    for position in range(subject + 1, len(texts)):
        is_verb = claim.tokens[position].key in OUTCOMES
        end = position + 1 + (texts[position + 1 : position + 2] in {("to",), ("with",)})
        goes_on = any(link.start == end for link in claim.links) or texts[end : end + 1] in {("the",), ("a",)}
        if is_verb and (end > position + 1 or is_beating(claim.tokens[position])):
            return None if goes_on else end
    return None


def _clause_without_mark(claim: GroundedClaim, only: int) -> int | None:
    """Return where a relative clause with a subject starts, or its pronoun: `the only team they beat`."""
    for position in range(only + 2, len(claim.texts)):
        text, following = claim.texts[position], claim.texts[position + 1 : position + 2]
        if text in RELATIVE_PRONOUNS:
            is_subject = bool(following) and (following[0] in _SUBJECTS or claim.tokens[position + 1].capital)
            return position if is_subject else None
        if text in _SUBJECTS:
            return position
    return None


_SUBJECTS = ARTICLES | {"they", "he", "she", "it", "we"}
_LEFT_OUT = RELATIVE_PRONOUNS | {"to"}
_OPENING_WHICH = _LEFT_OUT | {"with", "without"}


def _only_names(claim: GroundedClaim, only: int) -> Iterator[QuantifiedClaim]:
    """Yield `only A and B did C`, `A alone did C`."""
    texts = claim.texts
    behind = [link for link in claim.links if link.start > only]
    if texts[only] == "alone":
        holders = _listed_last(claim, range(only))
        before, rest = range(min((h.start for h in holders), default=0)), only + 1
    elif (
        (not only or claim.texts[only - 1] == ",")
        and behind
        and _opens_names(texts[only + 1 : behind[0].start])
    ):
        groups = enumerations(claim, tuple(behind))
        holders = [behind[n] for n in (groups[0] if groups and 0 in groups[0] else (0,))]
        before, rest = range(only), holders[-1].end
    else:
        return
    things = things_named_by(holders[0]) if holders else None
    if things is None or rest >= len(texts):
        return
    scope: tuple[Link, ...] = ()
    whole = None
    fronted = fronted_scope(texts)
    if fronted is not None and before == range(fronted.stop + 1):
        # `Of the five vans with a ramp, only A is lit` says of which things A alone is so.
        scope = tuple(link for link in claim.links if link.start in fronted)
        whole = number_of_all(claim, 0)
        fronted_things = things_of(claim, [n for n in fronted if n != whole], scope)
        if fronted_things is None or fronted_things.column != things.column:
            return
        scope, before = tuple(link for link in scope if link.start != whole), range(0)
    said = (*before, NAME, *range(rest, len(texts)))
    opening = (0,) if scope else ()
    yield QuantifiedClaim("only", (*opening, only), things, scope, tuple(holders), said, whole)


def _opens_names(texts: tuple[str, ...]) -> bool:
    """Return whether names stand behind some words alone: `only the A`, `only that of A`."""
    return ARTICLES.issuperset(texts) or texts in {("that", "of"), ("those", "of")}


def _listed_last(claim: GroundedClaim, among: range) -> list[Link]:
    """Return the names that are listed last among some words: A and B of `A and B are the only vans`."""
    links = [link for link in claim.links if link.start in among and not link.bound]
    groups = enumerations(claim, tuple(links))
    last = len(links) - 1
    listed = next((group for group in groups if last in group), [last] if links else [])
    return [links[n] for n in listed]
