"""Pairs of words that are near in meaning to any encoder and yet say the contrary, or the other way round."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib.resources import files

from evidence_assets.text.roots import possible_roots

# What parts words that say the contrary, and words that are said of one another, in `opposites.txt`.
_CONTRARY, _CONVERSE = "/", "|"


def are_opposites(word: str, other: str) -> bool:
    """Return whether one of two words says the contrary of the other, or of whom the other is said.

    "Sold" and "bought" tell of one deed, but not of the same person.
    """
    return are_contraries(word, other) or are_converses(word, other)


def are_contraries(word: str, other: str) -> bool:
    """Return whether what one of two words tells is not so where the other holds: "left" and "joined"."""
    return _is_pair(word, other, _CONTRARY)


def says_the_contrary(wanted: Collection[str], said: Collection[str]) -> bool:
    """Return whether the contrary of a wanted word is said, and the word is not: "rise" where "fall" is.

    What both say parts them in nothing. `wanted`, `said`: words in lower case.
    """
    of_wanted = {of_word for word in wanted for of_word in possible_roots(word)}
    others = [word for word in said if of_wanted.isdisjoint(possible_roots(word))]
    of_said = {of_word for word in said for of_word in possible_roots(word)}
    lacking = [word for word in wanted if of_said.isdisjoint(possible_roots(word))]
    return any(are_contraries(word, other) for word in lacking for other in others)


def are_converses(word: str, other: str) -> bool:
    """Return whether two words tell of one deed, each of another party to it: "taught" and "learned"."""
    return _is_pair(word, other, _CONVERSE)


def _is_pair(word: str, other: str, parting: str) -> bool:
    pairs = _pairs(parting)
    return any((mine, yours) in pairs for mine in possible_roots(word) for yours in possible_roots(other))


@cache
def _pairs(parting: str) -> frozenset[tuple[str, str]]:
    """Return the pairs of roots that are parted so, both ways round."""
    text = files("evidence_assets.text").joinpath("opposites.txt").read_text(encoding="utf-8")
    return frozenset(
        pair
        for line in text.splitlines()
        if parting in line
        for first, second in [[side.split() for side in line.split(parting)]]
        for word in first
        for other in second
        for mine in possible_roots(word)
        for yours in possible_roots(other)
        for pair in ((mine, yours), (yours, mine))
    )
