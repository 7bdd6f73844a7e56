"""Adjectives of degree: what they measure, and how they are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from evidence_assets.text.function_words import function_words, operator_words
from evidence_assets.text.roots import lemma, root


@dataclass(frozen=True, slots=True)
class Dimension:
    """What an adjective measures: nouns for it, and whether more of the adjective is more of these.

    "old" is `temporal`: what is older has more age, and an earlier year.
    """

    nouns: tuple[str, ...]
    more: bool
    temporal: bool

    @property
    def roots(self) -> frozenset[str]:
        """The roots of the nouns."""
        return frozenset(map(root, self.nouns))


@cache
def dimensions() -> Mapping[str, Dimension]:
    """Return what English adjectives of degree measure, by the adjective."""
    lines = files("evidence_assets.text").joinpath("dimension_adjectives.txt").read_text("utf-8").split("\n")
    parsed = (line.split() for line in lines if line.strip())
    return {
        adjective: Dimension(tuple(nouns), sign == "+", "time" in nouns) for adjective, sign, *nouns in parsed
    }


@cache
def adjective_of(word: str) -> tuple[str, str]:
    """Return an adjective of degree, and "er", "est" or "" for how it is compared; ("", "") for none."""
    for ending in ("est", "er"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word.removesuffix(ending)
            doubled = stem[:-1] if len(stem) > 2 and stem[-1] == stem[-2] else stem
            for base in (stem, f"{stem}e", doubled, f"{stem[:-1]}y"):
                if base in dimensions():
                    return base, ending
            # "Stronger" is of "strong"; a teacher is no comparative.
            bases = {stem, f"{stem}e", doubled, f"{stem[:-1]}y"} - operator_words() - function_words()
            if (base := lemma(word)) != word and base in bases:
                return base, ending
    return (word, "") if word in dimensions() else ("", "")
