"""Accounting: what a question or claim says is bound to evidence, an operator, a unit or a scope, or is left.

A word that no parse bound carries nothing if it is a function word, or if data showed it to: left over, it
lowered nobody's share of right answers. Negations, quantifiers, comparatives and numbers always carry
something. What is left is unaccounted, and named.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable
from functools import cache, lru_cache
from importlib.resources import files

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.text.function_words import function_words, operator_words
from evidence_assets.text.roots import root

NEGATION = "n't"
# Numbers with their separators and signs of percent, negations written as one with their verb, words.
_SPAN = re.compile(r"\d+(?:[.,:]\d+)*(?:\s?%)?|[^\W\d_]+?(?=n['’]t\b)|n['’]t\b|[^\W_]+", re.IGNORECASE)
MEASURED = "evidence_assets.reading.measured"


def spans(text: str) -> list[tuple[int, int]]:
    """Return the character spans of a text's words and numbers; "didn't" has two."""
    return [match.span() for match in _SPAN.finditer(text)]


def account(text: str, bindings: Iterable[Binding], empty: Collection[str] = frozenset()) -> Accounting:
    """Return every word of a text with what it was bound to.

    Args:
        text: The question or claim.
        bindings: What a parse bound, the surest first: where two overlap, the first keeps the words.
        empty: Roots of words known to carry nothing, besides function words.
    """
    words_at = spans(text)
    starts, ends = [start for start, _ in words_at], [end for _, end in words_at]
    is_bound = [False] * len(words_at)
    kept: list[Binding] = []
    for binding in bindings:
        places = range(bisect_right(ends, binding.start), bisect_left(starts, binding.end))
        if places and not any(is_bound[place] for place in places):
            kept.append(binding)
            for place in places:
                is_bound[place] = True
    for place, (start, end) in enumerate(words_at):
        if not is_bound[place]:
            nothing = carries_nothing(text[start:end], empty) or _is_contracted(text, start, end)
            role = Role.EMPTY if nothing else Role.UNACCOUNTED
            kept.append(Binding(start, end, text[start:end], role))
    return Accounting(tuple(sorted(kept, key=lambda binding: binding.start)))


def _is_contracted(text: str, start: int, end: int) -> bool:
    """Return whether a letter is a verb's: "I'd", "I'm". Alone it may be a name's: "vitamin D"."""
    return (
        start > 1 and text[start - 1] in "'’" and text[start - 2].isalpha() and text[start:end] in {"d", "m"}
    )


def carries_nothing(word: str, empty: Collection[str] = frozenset()) -> bool:
    """Return whether a word may be left out of an answer without changing it."""
    lowered = word.lower()
    if is_decisive(lowered):
        return False
    return lowered in function_words() or root(lowered) in empty


@lru_cache(maxsize=1 << 14)
def is_decisive(word: str) -> bool:
    """Return whether a word turns an answer if it is left out: a negation, quantifier or number."""
    lowered = word.lower().replace("’", "'")
    return lowered == NEGATION or lowered in operator_words() or any(letter.isdigit() for letter in lowered)


@cache
def empty_words(domain: str) -> frozenset[str]:
    """Return the roots of words that data showed to carry nothing in a domain: `measured/DOMAIN.json`."""
    kept = json.loads(files(MEASURED).joinpath(f"empty_words_{domain}.json").read_text(encoding="utf-8"))
    return frozenset(kept["words"])
