"""Pairs of words that are near in meaning to any encoder and yet say the contrary, or the other way round."""

from __future__ import annotations

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
