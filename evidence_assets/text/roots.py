"""Roots of English words: the form by which "wrote", "written" and "writes" are one."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any


@lru_cache(maxsize=1 << 16)
def root(word: str) -> str:
    """Return the stem of a word's lemma, lower-cased."""
    import simplemma

    return str(_stemmer().stemWord(str(simplemma.lemmatize(word, lang="en")).lower()))


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")
