"""What no misspelling changes: names that differ there are different things, however close in spelling."""

from __future__ import annotations

import re

_WORD = re.compile(r"\d+|[^\W\d_]+")
# Roman numerals of I to XX, which number types, factors and stages, and Greek letters.
_EXACT = re.compile(
    "i{1,3}|i?v|vi{1,3}|ix|x(?:i{1,3}|i?v|vi{1,3}|i?x)?|"
    "alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|omicron|pi|rho|sigma|tau|"
    "upsilon|phi|chi|psi|omega"
)
# Prefixes of opposite meaning and equal first letter; others differ in their first letter.
_OPPOSITE = re.compile(
    "hyper|hypo|intra|inter|infra|pre|post|peri|ante|anti|macro|micro|mono|multi|endo|exo|ecto|epi|sub|supra|"
    "homo|hetero|tri|tetra|hexa|hepta|abduct|adduct|without|with"
)
# Suffixes that turn a thing into a condition ("eosinophil", "eosinophilia"), and endings of the thing.
_CONDITIONS = ("itis", "osis", "iasis", "oma", "emia", "uria", "ia", "olysis", "esis")
_THINGS = ("", "s", "e", "is")
# Function words that a name may have or lack; "NOS" is not otherwise specified.
_EMPTY = re.compile("an|the|of|in|into|to|for|on|at|by|is|are|was|were|and|nos")
# Least ratio, of 100, of two words, and of a word and two joined ones, which may hide a word.
_RATIO_OF_WORDS, _RATIO_OF_JOINED = 70.0, 90.0


def is_possible_misspelling(phrase: str, name: str) -> bool:
    """Tell whether a phrase can be a misspelling of a name close in spelling, or the reverse.

    Both are normal forms. A misspelling keeps every number, in digits or as a Roman numeral of I to XX; every
    lone letter and Greek letter; the first letter of every word; of "hypo" and "hyper" and the like, the one
    that a word begins with; of "-itis" and "-osis" and the like, the one behind a stem that both have; and
    the words themselves, none more and none less. Spaces may be wrong, and a possessive s or a word such as
    "of" may be missing.
    """
    phrase_words, name_words = _WORD.findall(phrase), _WORD.findall(name)
    if "".join(phrase_words) == "".join(name_words):
        # "proteins" is not "protein S".
        return _ends_in_letter(phrase_words) == _ends_in_letter(name_words)
    return _aligned(_content_words(phrase_words), _content_words(name_words))


def _ends_in_letter(words: list[str]) -> bool:
    return bool(words) and len(words[-1]) == 1


def _content_words(words: list[str]) -> list[str]:
    """Return the words without function words and without a possessive s."""
    last = len(words) - 1
    return [
        word
        for place, word in enumerate(words)
        if not _EMPTY.fullmatch(word) and not (word == "s" and 0 < place < last and len(words[place - 1]) > 1)
    ]


def _aligned(left: list[str], right: list[str]) -> bool:
    """Tell whether the words match in order, each with one word or with two joined."""
    while left and right:
        if _similar(left[0], right[0]):
            left, right = left[1:], right[1:]
        elif _joined(left, right[0]):
            left, right = left[2:], right[1:]
        elif _joined(right, left[0]):
            left, right = left[1:], right[2:]
        else:
            return False
    return left == right


def _joined(parts: list[str], word: str) -> bool:
    pair = parts[:2]
    return len(pair) == 2 and not any(map(_exact, pair)) and _similar("".join(pair), word, _RATIO_OF_JOINED)


def _similar(left: str, right: str, ratio: float = _RATIO_OF_WORDS) -> bool:
    from rapidfuzz import fuzz

    if left == right:
        return True
    if _exact(left) or _exact(right) or left[0] != right[0]:
        return False
    if len({_opposite(left), _opposite(right)} - {""}) == 2:
        return False
    return (
        not (_is_condition_of(left, right) or _is_condition_of(right, left))
        and fuzz.ratio(left, right) >= ratio
    )


def _exact(word: str) -> bool:
    return len(word) == 1 or word.isdecimal() or _EXACT.fullmatch(word) is not None


def _opposite(word: str) -> str:
    match = _OPPOSITE.match(word)
    return match[0] if match else ""


def _is_condition_of(left: str, right: str) -> bool:
    """Tell whether the first word names a condition, and the second is its stem with another ending."""
    stems = [left.removesuffix(ending) for ending in _CONDITIONS if left.endswith(ending)]
    endings = [right.removeprefix(stem) for stem in stems if right.startswith(stem)]
    return any(ending in _THINGS or ending in _CONDITIONS for ending in endings)
