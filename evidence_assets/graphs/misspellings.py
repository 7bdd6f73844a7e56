"""What a misspelling never changes: two names that differ there are two things, however near in spelling."""

from __future__ import annotations

import re

_WORD = re.compile(r"\d+|[^\W\d_]+")
# Numerals of I to XX, that types, factors and stages are counted by, and Greek letters.
_EXACT = re.compile(
    "i{1,3}|i?v|vi{1,3}|ix|x(?:i{1,3}|i?v|vi{1,3}|i?x)?|"
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|omicron|pi|rho|sigma|tau|"
    "upsilon|phi|chi|psi|omega"
)
# Members of pairs that turn the meaning and begin with one letter; the others their first letter tells apart.
_OPPOSITE = re.compile(
    "hyper|hypo|intra|inter|infra|pre|post|peri|ante|anti|macro|micro|mono|multi|endo|exo|ecto|epi|sub|supra|"
    "homo|hetero|tri|tetra|hexa|hepta|abduct|adduct|without|with"
)
# What makes a condition of a thing ("eosinophil", "eosinophilia"), and the endings that the thing may have.
_CONDITIONS = ("itis", "osis", "iasis", "oma", "emia", "uria", "ia", "olysis", "esis")
_THINGS = ("", "s", "e", "is")
# Words that a name has or lacks and stays the same; "NOS" is not otherwise specified.
_EMPTY = re.compile("an|the|of|in|into|to|for|on|at|by|is|are|was|were|and|nos")
# What a word must share with the word it is taken for, of 100; a joined one, which may hide a word, more.
_RATIO_OF_WORDS, _RATIO_OF_JOINED = 70.0, 90.0


def may_be_misspelt(phrase: str, name: str) -> bool:
    """Tell whether a phrase can be a misspelling of a name near it in spelling, or the other way round.

    Both are normal forms. A misspelling keeps every number, in digits or as a Roman numeral of I to XX; every
    lone letter and Greek letter; the first letter of every word; of "hypo" and "hyper" and the like, the one
    that a word begins with; of "-itis" and "-osis" and the like, the one behind a stem that both have; and
    the words themselves, none more and none less. Spaces may be wrong, and a possessive s or a word such as
    "of" may be missing.
    """
    one, other = _WORD.findall(phrase), _WORD.findall(name)
    if "".join(one) == "".join(other):
        # "proteins" are not protein S.
        return _ends_alone(one) == _ends_alone(other)
    return _aligned(_telling(one), _telling(other))


def _ends_alone(words: list[str]) -> bool:
    return bool(words) and len(words[-1]) == 1


def _telling(words: list[str]) -> list[str]:
    """Return the words without empty ones, and without the s of a possessive."""
    last = len(words) - 1
    return [
        word
        for place, word in enumerate(words)
        if not _EMPTY.fullmatch(word) and not (word == "s" and 0 < place < last and len(words[place - 1]) > 1)
    ]


def _aligned(one: list[str], other: list[str]) -> bool:
    """Tell whether each word stands for one word, or for two that belong together, in their order."""
    while one and other:
        if _alike(one[0], other[0]):
            one, other = one[1:], other[1:]
        elif _joined(one, other[0]):
            one, other = one[2:], other[1:]
        elif _joined(other, one[0]):
            one, other = one[1:], other[2:]
        else:
            return False
    return one == other


def _joined(parts: list[str], word: str) -> bool:
    pair = parts[:2]
    return len(pair) == 2 and not any(map(_exact, pair)) and _alike("".join(pair), word, _RATIO_OF_JOINED)


def _alike(one: str, other: str, ratio: float = _RATIO_OF_WORDS) -> bool:
    from rapidfuzz import fuzz

    if one == other:
        return True
    if _exact(one) or _exact(other) or one[0] != other[0]:
        return False
    if len({_opposite(one), _opposite(other)} - {""}) == 2:
        return False
    return not (_turned(one, other) or _turned(other, one)) and fuzz.ratio(one, other) >= ratio


def _exact(word: str) -> bool:
    return len(word) == 1 or word.isdecimal() or _EXACT.fullmatch(word) is not None


def _opposite(word: str) -> str:
    found = _OPPOSITE.match(word)
    return found[0] if found else ""


def _turned(one: str, other: str) -> bool:
    """Tell whether one word is a condition, and the other its stem with another ending."""
    stems = [one.removesuffix(ending) for ending in _CONDITIONS if one.endswith(ending)]
    endings = [other.removeprefix(stem) for stem in stems if other.startswith(stem)]
    return any(ending in _THINGS or ending in _CONDITIONS for ending in endings)
