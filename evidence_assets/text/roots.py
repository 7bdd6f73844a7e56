"""Lemmas, stems and roots of English words: by its root, "wrote", "written" and "writes" are one."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any

from evidence_assets.text.function_words import function_words
from evidence_assets.text.words import words


@lru_cache(maxsize=1 << 18)
def stem(word: str) -> str:
    """Return a word's stem, lower-cased, which its plural and other forms share (Snowball, English)."""
    return str(_stemmer().stemWord(word.lower()))


@lru_cache(maxsize=1 << 18)
def lemma(word: str) -> str:
    """Return a word as dictionaries list it."""
    import simplemma

    return str(simplemma.lemmatize(word, lang="en"))


@lru_cache(maxsize=1 << 16)
def root(word: str) -> str:
    """Return the stem of a word's lemma, lower-cased."""
    return stem(lemma(word))


def possible_roots(word: str) -> tuple[str, ...]:
    """Return a word's root, and its stem where that is another: "found" is a form of "find", or "founded"."""
    return tuple(dict.fromkeys((root(word), stem(word))))


def word_roots(text: str) -> frozenset[str]:
    """Return the roots of all of a text's words."""
    return frozenset(map(root, words(text)))


def content_roots(text: str) -> frozenset[str]:
    """Return the roots of a text's words, without its function words."""
    return frozenset(root(word) for word in words(text) if word not in function_words())


@cache
def _stemmer() -> Any:
    import Stemmer

    return Stemmer.Stemmer("english")
