"""English words that bear no concept of their own, and those that ask for an operation."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from itertools import takewhile


@cache
def function_words() -> frozenset[str]:
    """Return articles, pronouns, prepositions, auxiliaries: no concept's name begins or ends with one."""
    return _words_of("function_words.txt")


@cache
def operator_words() -> frozenset[str]:
    """Return negations, quantifiers and comparatives: who leaves one out has read another question."""
    return _words_of("operator_words.txt")


@cache
def light_verbs() -> frozenset[str]:
    """Return verbs that say only that things are related, or exist, in all their forms."""
    return _words_of("light_verbs.txt")


def up_to_a_function_word(words: Iterable[str]) -> list[str]:
    """Return the words before the first function word, a noun and what qualifies it; in lower case."""
    return list(takewhile(lambda word: word not in function_words(), words))


def _words_of(name: str) -> frozenset[str]:
    return frozenset(files("evidence_assets.text").joinpath(name).read_text(encoding="utf-8").split())
