"""Finds the words that ask by how much two things differ: "how much longer is A than B", "years between"."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_assets.kgqa.slots.slots import GapWords
from evidence_assets.kgqa.words.degrees import adjective_of, dimensions
from evidence_assets.kgqa.words.literals import is_unit
from evidence_assets.text.words import word_set

_MORE, _LESS = word_set("more"), word_set("fewer less")
_AMOUNTS = word_set("many much")
# How many words may stand between "how many" and a comparative: "how many square kilometres larger".
_MOST_UNIT_WORDS = 3
_PER = word_set("a an per")
_YEARS = word_set("year years")
# What time does between two things.
_PASSED = word_set("passed pass elapsed elapse lie lay lies went go by there")


def gap_words(lowered: Sequence[str]) -> GapWords | None:
    """Return the words of a question, in small letters, that ask by how much two things differ, if any do."""
    how = next(
        (
            place
            for place, word in enumerate(lowered[:-2])
            if word == "how" and lowered[place + 1] in _AMOUNTS
        ),
        -1,
    )
    if how >= 0:
        return _compared(lowered, how) or _between_years(lowered, how)
    return _difference(lowered)


def _compared(lowered: Sequence[str], how: int) -> GapWords | None:
    """Return "how many minutes longer ... than", "by how much ... higher than", "how many more ... than"."""
    begin = how + 2
    is_by = how > 0 and lowered[how - 1] == "by"
    far = len(lowered) if is_by else min(begin + _MOST_UNIT_WORDS + 1, len(lowered))
    place = next((place for place in range(begin, far) if _is_comparative(lowered[place])), -1)
    if place < 0 or "than" not in lowered[place:]:
        return None
    unit = lowered[begin:place] if not is_by else lowered[begin : begin + is_unit(lowered[begin])]
    if not is_by and unit and not is_unit(unit[-1]):
        return None
    divided = len(unit) == _MOST_UNIT_WORDS and unit[1] in _PER
    unit_name = f"{unit[0]}/{unit[2]}" if divided else " ".join(unit)
    than = lowered.index("than", place)
    by_itself = lowered[place] in _MORE | _LESS and lowered[place + 1] not in dimensions()
    words = {how, how + 1, *range(begin, begin + len(unit)), than}
    words |= ({how - 1} if is_by else set()) | ({place} if by_itself else set())
    return GapWords(
        frozenset(words), than, by_itself and lowered[place] in _LESS, unit_name, counts=by_itself
    )


def _is_comparative(word: str) -> bool:
    return word in _MORE | _LESS or adjective_of(word)[1] == "er"


def _between_years(lowered: Sequence[str], how: int) -> GapWords | None:
    """Return "how many years passed between ... and", "how many years after", "how many years apart"."""
    if lowered[how + 2] not in _YEARS:
        return None
    words = {how, how + 1, how + 2}
    behind = how + 3
    if behind < len(lowered) and lowered[behind] in ("after", "before"):
        return GapWords(frozenset({*words, behind}), behind, lowered[behind] == "before", "years", dated=True)
    passed = {place for place in range(behind, len(lowered)) if lowered[place] in _PASSED}
    if "apart" in lowered:
        words.add(lowered.index("apart"))
    elif "between" in lowered[behind:]:
        words |= {lowered.index("between"), *passed}
    else:
        return None
    joined = [place for place, word in enumerate(lowered) if word == "and"]
    return GapWords(frozenset({*words, *joined}), -1, unit="years", dated=True) if len(joined) == 1 else None


def _difference(lowered: Sequence[str]) -> GapWords | None:
    """Return "the difference in price between ... and ..."."""
    joined = [place for place, word in enumerate(lowered) if word == "and"]
    if "difference" not in lowered or "between" not in lowered or len(joined) != 1:
        return None
    words = frozenset({lowered.index("difference"), lowered.index("between"), *joined})
    return GapWords(words, -1)
