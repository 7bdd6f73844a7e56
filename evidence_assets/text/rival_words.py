"""English words that exclude each other: what is said of summer is not said of winter."""

from __future__ import annotations

from collections.abc import Iterable, Set
from functools import cache
from importlib.resources import files

from evidence_assets.text.calendar_words import DAY_NAMES
from evidence_assets.text.roots import root

_WORKING_DAYS = 5


def rivals_of(wanted: Set[str]) -> list[frozenset[str]]:
    """Return the kinds of which one word or more is wanted, each word as its root. `wanted`: roots."""
    wanted = _with_parts_of_the_week(wanted)
    return [kind for kind in _kinds() if not kind.isdisjoint(wanted)]


def says_a_rival(kinds: Iterable[frozenset[str]], wanted: Set[str], said: Set[str]) -> bool:
    """Return whether another word of a kind is said, "winter", where "summer" is wanted and not said.

    Of days, weekdays say Monday to Friday, and each of these is a weekday: Sunday is a rival of both.

    `kinds`: those of what is wanted; `wanted`, `said`: roots of words.
    """
    wanted, said = _with_parts_of_the_week(wanted), _with_parts_of_the_week(said) | _days_of_parts(said)
    return any(not kind.isdisjoint(said - wanted) and not (kind & wanted) <= said for kind in kinds)


def _with_parts_of_the_week(said: Set[str]) -> Set[str]:
    """Return roots of words with the part of the week of each day among them."""
    return said | {part for part, days in _parts_of_the_week().items() if not days.isdisjoint(said)}


def _days_of_parts(said: Set[str]) -> Set[str]:
    """Return the days, as their roots, of the parts of the week among roots of words."""
    return frozenset().union(*(days for part, days in _parts_of_the_week().items() if part in said))


@cache
def _parts_of_the_week() -> dict[str, frozenset[str]]:
    days = [root(day) for day in DAY_NAMES]
    return {
        root("weekday"): frozenset(days[:_WORKING_DAYS]),
        root("weekend"): frozenset(days[_WORKING_DAYS:]),
    }


@cache
def _kinds() -> tuple[frozenset[str], ...]:
    lines = files("evidence_assets.text").joinpath("rival_words.txt").read_text(encoding="utf-8").splitlines()
    return tuple(frozenset(map(root, line.split())) for line in lines)
