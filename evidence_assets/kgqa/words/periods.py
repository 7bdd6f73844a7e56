"""Decades and centuries as spans of years: "the 1960s", "the sixties", "the 19th century"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evidence_assets.text.words import TENS

_YEAR, _TENS = re.compile(r"[12]\d\d0"), re.compile(r"[2-9]0")
_ORDINAL_ENDINGS = frozenset(["st", "nd", "rd", "th"])
_CENTURY, _LATEST = 100, 21
# The hundred years that decades are counted in which nobody says: "the sixties".
_USUAL = 1900
_DECADES = {f"{word.removesuffix('y')}ies": 10 * place for place, word in enumerate(TENS, 2)}


def period_at(lowered: Sequence[str], place: int) -> tuple[float, float, int] | None:
    """Return the first year of the period that begins at a word, the first after it, and the place behind it.

    None where no period begins there. "The 1900s" are a hundred years, "the 2000s" ten.
    """
    word, following, last = (*lowered[place : place + 3], "", "", "")[:3]
    definite = lowered[max(0, place - 1) : place] == ["the"]
    if definite and word in _DECADES:
        return _span(_USUAL + _DECADES[word], 10, place + 1)
    if definite and following == "s" and _TENS.fullmatch(word):
        return _span(_USUAL + int(word), 10, place + 2)
    if following == "s" and _YEAR.fullmatch(word):
        begin = int(word)
        hundred = begin % _CENTURY == 0 and begin <= _USUAL
        return _span(begin, _CENTURY if hundred else 10, place + 2)
    if following in _ORDINAL_ENDINGS and last == "century" and word.isdigit() and int(word) <= _LATEST:
        return _span(_CENTURY * (int(word) - 1) + 1, _CENTURY, place + 3)
    return None


def _span(begin: int, length: int, end: int) -> tuple[float, float, int]:
    return float(begin), float(begin + length), end
