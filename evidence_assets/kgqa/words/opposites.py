"""Pairs of words that are near in meaning to any encoder and yet say the contrary, or the other way round."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from evidence_assets.text.roots import possible_roots


def are_opposites(word: str, other: str) -> bool:
    """Return whether one of two words says the contrary of the other, or of whom the other is said.

    "Sold" and "bought" tell of one deed, but not of the same person.
    """
    return any((mine, yours) in _pairs() for mine in possible_roots(word) for yours in possible_roots(other))


@cache
def _pairs() -> frozenset[tuple[str, str]]:
    """Return pairs of roots, both ways round."""
    text = files("evidence_assets.text").joinpath("opposites.txt").read_text(encoding="utf-8")
    return frozenset(
        pair
        for line in text.splitlines()
        for first, second in [[side.split() for side in line.split("/")]]
        for word in first
        for other in second
        for mine in possible_roots(word)
        for yours in possible_roots(other)
        for pair in ((mine, yours), (yours, mine))
    )
