"""Columns that tell the same of the months or quarters of a time: `Jan 2022 visits`, `Feb 2022 visits`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from evidence_assets.tables.programs.wording.words import Token, word_key
from evidence_assets.text.calendar_words import MONTHS

_PART = re.compile(rf"\b(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b\.?|\b[qh]\s?[1-4]\b")
_NOUNS = frozenset({"q", "h", *map(word_key, ("quarter", "half", "month"))})


def parts_of_times(header: Sequence[str]) -> dict[int, frozenset[int]]:
    """Return, of each column headed by a part of a time and what it tells, all columns that tell the same."""
    alike: dict[str, list[int]] = {}
    for column, name in enumerate(header):
        told, parts = _PART.subn("", name.lower())
        if parts == 1 and (told := " ".join(told.split())):
            alike.setdefault(told, []).append(column)
    several = [frozenset(columns) for columns in alike.values() if len(columns) > 1]
    return {column: columns for columns in several for column in columns}


def is_one_of_several(
    used: Collection[int], parts: Mapping[int, frozenset[int]], said: Sequence[Token]
) -> bool:
    """Return whether the number of one part of a time is used, and none of the words tells a part.

    `used`: the columns of a program. `parts`: what `parts_of_times` returns.
    """
    alone = any(column in parts and not parts[column].issubset(used) for column in used)
    return alone and not any(token.text in MONTHS or token.key in _NOUNS for token in said)
