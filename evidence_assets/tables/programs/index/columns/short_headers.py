"""Headers that are written short: `Pers.` of persons, `Vols.` of volunteers, `Hrs` of hours."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evidence_assets.tables.programs.wording.quantities import unit_name

# A header's noun cut off, as its point tells: not what opens `Emp. ID`.
_CUT_OFF = re.compile(r"([^\W\d_]{3,})\.\s*(?:\(|$)")


def columns_written_short(header: Sequence[str], key: str) -> frozenset[int]:
    """Return the column whose header writes a word short, by the word's key; none where several may."""
    unit = unit_name(key) if key.isalpha() else ""
    columns = [
        column
        for column, name in enumerate(header)
        if any(_begins(key, short) for short in _CUT_OFF.findall(name.lower()))
        or (bool(unit) and unit_name(name.strip()) == unit)
    ]
    return frozenset(columns) if len(columns) == 1 else frozenset()


def _begins(key: str, short: str) -> bool:
    """Return whether a word, by its key, is longer than one cut off, whose plural may end in "s"."""
    return any(len(key) > len(cut) and key.startswith(cut) for cut in {short, short.removesuffix("s")})
