"""English words that exclude each other: what is said of summer is not said of winter."""

from __future__ import annotations

from collections.abc import Iterable, Set
from functools import cache
from importlib.resources import files

from evidence_assets.text.roots import root


def rivals_of(wanted: Set[str]) -> list[frozenset[str]]:
    """Return the kinds of which one word or more is wanted, each word as its root. `wanted`: roots."""
    return [kind for kind in _kinds() if not kind.isdisjoint(wanted)]


def says_a_rival(kinds: Iterable[frozenset[str]], wanted: Set[str], said: Set[str]) -> bool:
    """Return whether another word of a kind is said, "winter", where "summer" is wanted and not said.

    `kinds`: those of what is wanted; `wanted`, `said`: roots of words.
    """
    return any(not kind.isdisjoint(said - wanted) and not (kind & wanted) <= said for kind in kinds)


@cache
def _kinds() -> tuple[frozenset[str], ...]:
    lines = files("evidence_assets.text").joinpath("rival_words.txt").read_text(encoding="utf-8").splitlines()
    return tuple(frozenset(map(root, line.split())) for line in lines)
