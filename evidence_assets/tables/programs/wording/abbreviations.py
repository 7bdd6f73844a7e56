"""What headers write short: `Pt` of patients, `Emp.` of employees, `SBP` of three words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from evidence_assets.tables.programs.wording.words import plain, word_key

_VOWELS = frozenset("aeiou")
_SHORTEST, _LONGEST = 2, 5
# How many letters a word has more than what is short for it.
_LEFT_OUT = 3
_POINTED = re.compile(r"([^\W\d_]{2,})\.(?=\W|$)")
_INITIALS = re.compile(r"\b[A-Z]{3,5}\b")


def pointed(header: str) -> frozenset[str]:
    """Return the keys of a header's words that end in a point: `Emp. ID`."""
    return frozenset(word_key(plain(word)) for word in _POINTED.findall(header))


def initials(headers: Iterable[str]) -> frozenset[str]:
    """Return the words of headers that may be the initials of others, in lower case: `SBP (mmHg)`."""
    return frozenset(found.lower() for header in headers for found in _INITIALS.findall(header))


def is_short_for(short: str, word: str, *, has_a_point: bool) -> bool:
    """Return whether a header's word abbreviates a word, both as keys.

    With a point it may be the word's beginning. Else it has no vowel behind its first letter and leaves out
    letters of the word, but neither the first nor the last.
    """
    if not (_SHORTEST <= len(short) <= _LONGEST and len(word) >= len(short) + _LEFT_OUT and short.isalpha()):
        return False
    if has_a_point and word.startswith(short):
        return True
    if not has_a_point and not _VOWELS.isdisjoint(short[1:]):
        return False
    letters = iter(word)
    return short[0] == word[0] and short[-1] in word[-2:] and all(letter in letters for letter in short)
