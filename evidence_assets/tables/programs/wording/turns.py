"""Words that say that something came to be so, and not only that it was: `overtook`, `fell below`."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from evidence_assets.tables.programs.wording.trigger_lexicon import EACH, NEGATIONS
from evidence_assets.text.roots import root, word_roots
from evidence_assets.text.words import word_set


class Turn(StrEnum):
    """How it is said that a bound came to be met."""

    NONE = ""
    FIRST = "for the first time"
    CHANGE = "by a change"
    """`Fell below 20`: it was not so before."""
    ARRIVAL = "by an arrival"
    """`Reached 20`: so for the first time, or no more than so."""


_ARRIVING = word_roots("reach reached hit attain attained")
_CHANGING = word_roots("""
    fall fell fallen falling drop dropped sink sank dip dipped rise rose risen climb climbed cross crossed
""")
_OVERTAKING = word_roots("overtake overtook overtaken")
_BECOMING = frozenset({"become", "becomes", "became"})
_FIRST = "first"
# Between `first` and a bound: `first had more than 5`.
_HAVING = word_set("have be go get sell draw")
# Of several times, or of none, no single one is the first.
_OF_SEVERAL = (
    EACH
    | NEGATIONS
    | word_set("""
    many often only both years months quarters days weeks seasons decades times several some any most again
    still already
""")
)
_ASKING_FOR_TIMES = frozenset({"when"})
_WHICH, _BEFORE_WHICH = frozenset({"which", "what"}), frozenset({"in", "by", "on", "at", "during"})


def turn_before(texts: Sequence[str], start: int, position: int) -> tuple[Turn, int]:
    """Return how a bound came to be met, as its words say it, and where they start.

    `start`, `position`: where the bound's own words start, and its number.
    """
    first = next((n for n in (start - 1, start - 2) if n >= 0 and texts[n] == _FIRST), None)
    if first is not None and all(_opens_a_bound(text) for text in texts[first + 1 : start]):
        return Turn.FIRST, first
    if not _OF_SEVERAL.isdisjoint(texts):
        return Turn.NONE, start
    if start and root(texts[start - 1]) in _CHANGING:
        return Turn.CHANGE, start - 1
    arrives = any(root(text) in _ARRIVING for text in texts[start:position])
    return (Turn.ARRIVAL if arrives else Turn.NONE), start


def _opens_a_bound(text: str) -> bool:
    """Return whether a verb says what is bounded: `had more than`, `fell below`."""
    return text in _HAVING or root(text) in _CHANGING


def overtakes(texts: Sequence[str], place: int) -> bool:
    """Return whether a word says that one thing came to be more than another, once."""
    if place and texts[place - 1] == _FIRST:
        return True
    is_once = root(texts[place]) in _OVERTAKING or (bool(place) and texts[place - 1] in _BECOMING)
    return is_once and _OF_SEVERAL.isdisjoint(texts)


def words_of_overtaking(texts: Sequence[str], words: Sequence[int]) -> tuple[int, ...]:
    """Return the words of a comparison, with the `first` or `became` before it."""
    opens = bool(words[0]) and texts[words[0] - 1] in _BECOMING | {_FIRST}
    return (words[0] - 1, *words) if opens else tuple(words)


def asks_since_when(texts: Sequence[str]) -> bool:
    """Return whether a question asks since when something has been so: `since which year has`."""
    return texts[:1] == ("since",) and texts[1:2] in {("when",), ("which",), ("what",)}


def asks_for_one_time(texts: Sequence[str]) -> bool:
    """Return whether a question asks when something was: `when did`, `in which year`."""
    if texts[:1] and texts[0] in _ASKING_FOR_TIMES:
        return True
    places = (n for n, text in enumerate(texts) if text in _WHICH)
    return any(place and texts[place - 1] in _BEFORE_WHICH for place in places)
