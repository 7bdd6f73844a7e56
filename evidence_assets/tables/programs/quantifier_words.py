"""Words of a claim that deny all rows, or say that some alone are meant."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_assets.tables.cell_dates import is_year
from evidence_assets.tables.programs.trigger_lexicon import EACH, NOBODY
from evidence_assets.tables.programs.words import AUXILIARIES, Token

# `You will not see a longer ferry`: there is none.
_FINDING = frozenset({"find", "see", "get"})
_OPENING_JOINTS = frozenset({",", "in", "on", "at"})
_MARKS = frozenset({".", "!", "?"})
# Words that join a clause, or a contrast, to what stands before it.
JOINTS = frozenset({"and", "but", ","})
# Before a number: no more and no fewer.
EXACTLY = frozenset({"exactly", "precisely", "just", "only"})
# Before what is denied of others: `and on no other`.
_PREPOSITIONS = frozenset({"on", "in", "at", "with", "for", "to", "by", "from", "of"})


def none_words(texts: Sequence[str]) -> list[int]:
    """Return the words that deny all rows: `none`, `no fund`, `not one`, `not a single`."""
    for position, text in enumerate(texts):
        before = texts[position - 1] if position else ""
        behind_a_time = texts[0] in _OPENING_JOINTS and position <= _BEHIND_A_TIME
        opens = not position or before in _OPENING_JOINTS or behind_a_time
        opens = opens or is_year(before) or tuple(texts[position - 2 : position]) == _THERE_BE
        if text in NOBODY and position and tuple(texts[position + 1 : position + 2]) == ("but",):
            # `Nothing but` says what all have, unless it opens a claim.
            continue
        if text in NOBODY or (opens and text in {"none", "no", "neither"}):
            pronoun = [position + 1] if texts[position + 1 : position + 2] in {("one",), ("other",)} else []
            return [position, *pronoun, *(n for n, text in enumerate(texts) if text == "nor")]
    for position in range(len(texts) - 2):
        following = list(texts[position + 1 : position + 3])
        if texts[position] in {"not", "never"} and following[0] in _FINDING:
            return [*range(max(0, position - 1), position + 2)]
        if texts[position] == "not" and (following[0] == "one" or following == ["a", "single"]):
            return [position, position + 1, *([position + 2] if following[0] == "a" else [])]
    return []


_THERE_BE = ("there", "be")
# `In 2022 no shop` opens with when it was.
_BEHIND_A_TIME = 3


def limitless(texts: Sequence[str], start: int) -> list[int]:
    """Return where behind a denial `any` stands, which says no more than it: `did not win any medals`."""
    return [n for n in range(start, len(texts)) if texts[n] == "any"]


def excepted_number(tokens: Sequence[Token]) -> range | None:
    """Return where `all but two` stands, up to the number of rows that are excepted; None without it."""
    for position in range(len(tokens) - 2):
        quantifier, but, number = tokens[position : position + 3]
        counts = number.number is not None and not number.ordinal and number.text.isalpha()
        if quantifier.text in EACH and but.text in {"but", "except"} and counts:
            return range(position, position + 3)
    return None


def sole_words(texts: Sequence[str]) -> range | None:
    """Return the end of a claim that denies others what it says: `and no other does`; None without it."""
    end = len(texts) - any(text in _MARKS for text in texts[-1:])
    for position in range(2, end - 1):
        before = position - 1 - (texts[position - 1] in _PREPOSITIONS)
        if texts[before] not in JOINTS:
            continue
        last = _last_of_others(texts, position)
        rest = texts[last + 1 : end] if last is not None else ()
        if last is not None and (len(rest) < _WIDEST_REST or (len(rest) == _WIDEST_REST and _ends(rest))):
            return range(position, end)
    return None


# So many words stand behind `no other`, the last of them an auxiliary: `no other boat is`.
_WIDEST_REST = 2


def _ends(rest: Sequence[str]) -> bool:
    return rest[-1] in AUXILIARIES


def _last_of_others(texts: Sequence[str], position: int) -> int | None:
    """Return where `no other`, `nobody else`, `no one else`, begun at a position, ends; None for others."""
    text, (second, third) = texts[position], [*texts[position + 1 : position + 3], "", ""][:2]
    if text in {"no", "none"} and second in {"other", "others"}:
        return position + 1
    if text in {*NOBODY, "none"} and second == "else":
        return position + 1
    return position + 2 if (text, second, third) == ("no", "one", "else") else None
