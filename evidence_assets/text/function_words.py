"""English words that bear no concept of their own: no concept's name begins or ends with one."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def function_words() -> frozenset[str]:
    """Return the words of `function_words.txt`: articles, pronouns, prepositions, auxiliaries."""
    path = files("evidence_assets.text").joinpath("function_words.txt")
    return frozenset(path.read_text(encoding="utf-8").split())
