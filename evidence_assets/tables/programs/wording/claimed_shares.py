"""Shares of rows or of an amount, as a claim tells them: `most of`, `two thirds`, `less than half`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evidence_assets.tables.programs.wording.kept_for_claims import kept_for_claims
from evidence_assets.tables.programs.wording.percent_words import is_in_percent
from evidence_assets.tables.programs.wording.thresholds import thresholds
from evidence_assets.tables.programs.wording.trigger_lexicon import ALMOST, direction
from evidence_assets.tables.programs.wording.words import Token, singular


@dataclass(frozen=True, slots=True)
class ClaimedShare:
    """A share of rows that a claim tells: the positions of its words, its relation, the share."""

    words: tuple[int, ...]
    relation: str
    share: float


def claimed_share(tokens: tuple[Token, ...]) -> ClaimedShare | None:
    """Return the share of `most of`, `less than half`, `two thirds of`, `three in five`; None without one."""
    share = _first_share(tokens)
    return None if share is None or _is_of_a_change(tokens, share.words[0]) else share


def _is_of_a_change(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a share is by how much something changed: `lost half of it`, not `fell in half`."""
    before = {token.text for token in tokens[max(0, position - _BEFORE_SHARE) : position]}
    return any(map(direction, before)) and _IN.isdisjoint(before)


_BEFORE_SHARE = 2
_IN = frozenset({"in", "at", "on", "for", "and"})


def _first_share(tokens: tuple[Token, ...]) -> ClaimedShare | None:
    texts = tuple(token.text for token in tokens)
    for position, text in enumerate(texts):
        following = texts[position + 1 : position + 2]
        if text == "all" and position and texts[position - 1] in ALMOST:
            return ClaimedShare((position - 1, position), ">=", _ALMOST_ALL)
        if text == "minority":
            return ClaimedShare((position,), "<", FRACTIONS["half"])
        if text == "majority" or (text == "most" and (following == ("of",) or not position)):
            return ClaimedShare((position,), ">", FRACTIONS["half"])
        if text == "half" and not _is_other_half(tokens, position):
            relation, words = relation_before(texts, position)
            if words or following in {("of",), ("the",)} or not position:
                return ClaimedShare((*words, position), relation, FRACTIONS["half"])
        share = _parts_of(tokens, position) or _some_in(tokens, position)
        if share is not None:
            return _with_relation(texts, position, *share)
    return None


def fraction(tokens: tuple[Token, ...]) -> ClaimedShare | None:
    """Return the first fraction of a claim: `half`, `two thirds`, `a quarter`, `one in ten`; None without."""
    texts = tuple(token.text for token in tokens)
    for position, text in enumerate(texts):
        if (
            text == "half"
            and not _is_other_half(tokens, position)
            and texts[position - 1 : position] != ("a",)
        ):
            return _with_relation(texts, position, position, FRACTIONS["half"])
        share = _parts(tokens, position) or _some_in(tokens, position)
        if share is not None:
            return _with_relation(texts, position, *share)
    return None


@kept_for_claims
def percentage(tokens: tuple[Token, ...]) -> ClaimedShare | None:
    """Return the first share that a claim tells in percent: `40 percent`, `less than 20 %`; None without."""
    texts = tuple(token.text for token in tokens)
    for position, token in enumerate(tokens):
        if token.number is None or not is_in_percent(texts, position):
            continue
        limit = next((limit for limit in thresholds(tokens) if limit.position == position), None)
        if limit is None:
            return ClaimedShare((position, position + 1), "=", token.number / 100)
        words = (*range(limit.start, max(limit.end, position + 2)),)
        return ClaimedShare(words, limit.relation, token.number / 100)
    return None


def _is_other_half(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a half is of a unit or of time: `half an hour`, `the second half of 2022`."""
    return tokens[position].number is not None or (position > 0 and tokens[position - 1].ordinal)


def _with_relation(texts: Sequence[str], position: int, last: int, share: float) -> ClaimedShare:
    """Return a share of the words from a position to the last, with the relation told before them."""
    relation, words = relation_before(texts, position)
    return ClaimedShare((*words, *range(position, last + 1)), relation, share)


def _parts_of(tokens: tuple[Token, ...], position: int) -> tuple[int, float] | None:
    """Return where `two thirds`, `a quarter` ends, before `of`, and the share that it is."""
    before_of = position + 2 < len(tokens) and tokens[position + 2].text == "of"
    return _parts(tokens, position) if before_of else None


def _parts(tokens: tuple[Token, ...], position: int) -> tuple[int, float] | None:
    count = 1.0 if tokens[position].text == "a" else tokens[position].number
    # The third quarter is one of time.
    if not count or tokens[position].ordinal:
        return None
    following = [token.text for token in tokens[position + 1 : position + 4]]
    skipped = 1 if following[:1] == ["-"] or "".join(following[:1]) in _AMPLE else 0
    part, behind = [*following[skipped : skipped + 2], "", ""][:2]
    share = FRACTIONS.get(singular(part))
    if share is None and (part.endswith("s") or behind == "of"):
        # The sixth of a row is rarer said as a share than as a place.
        share = _SMALL_FRACTIONS.get(singular(part))
    return None if share is None else (position + 1 + skipped, count * share)


# What may stand between the article and a share.
_AMPLE = frozenset({"full", "good", "mere", "bare", "whole"})


def _some_in(tokens: tuple[Token, ...], position: int) -> tuple[int, float] | None:
    """Return where `three in five`, `one lamp in five`, `1 in 50` ends, and the share that it is."""
    part = tokens[position]
    if not part.number or part.ordinal:
        return None
    texts = [token.text for token in tokens[position + 1 : position + 5]]
    counted = 1 if texts[1:2] == ["in"] and tokens[position + 1].number is None else 0
    joint = 2 if texts[:2] == ["out", "of"] else counted + 1 if texts[counted : counted + 1] == ["in"] else 0
    each = bool(joint) and "".join(texts[joint : joint + 1]) in {"every", "each"}
    last = position + joint + each + 1
    if not joint or last >= len(tokens) or (counted and not (each or part.number == 1.0)):
        return None
    whole = tokens[last]
    # `1 in 50` is a share, `12 in 2005` none.
    of_digits = part.number == 1.0 and (whole.number or 0.0) < _YEARS_FROM
    is_share = (part.text.isalpha() and whole.text.isalpha()) or of_digits
    if not whole.number or whole.ordinal or not is_share:
        return None
    share = part.number / whole.number
    return None if share >= 1.0 else (last, share)


_YEARS_FROM = 1000


def relation_before(texts: Sequence[str], position: int) -> tuple[str, tuple[int, ...]]:
    """Return the relation of `more than half`, `over a third`, `at least twice`, and where its words stand.

    `position`: of the share or multiple. Equality, without words, where nothing is told.
    """
    for count in (2, 1):
        before = texts[position - count : position] if position >= count else ()
        relation = _RELATIONS_OF_SHARES.get(" ".join(before))
        if relation is not None:
            return relation, tuple(range(position - count, position))
    return "=", ()


# Of fewer rows nobody says that they are almost all.
_ALMOST_ALL = 0.75
FRACTIONS = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5}
_SMALL_FRACTIONS = {
    name: 1 / number for number, name in enumerate(("sixth", "seventh", "eighth", "ninth", "tenth"), start=6)
}
_RELATIONS_OF_SHARES = {
    "better than": ">",
    "more than": ">",
    "less than": "<",
    "fewer than": "<",
    "at least": ">=",
    "at most": "<=",
    "over": ">",
    "under": "<",
}
WORDS_OF_RELATIONS = frozenset(word for phrase in _RELATIONS_OF_SHARES for word in phrase.split())
