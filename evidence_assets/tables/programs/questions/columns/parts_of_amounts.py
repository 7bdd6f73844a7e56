"""Amounts of which a question asks for a part that another column counts: `how many copies are on loan`."""

from __future__ import annotations

from collections.abc import Iterable

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.questions.wording.question_wording import Wording

# Behind a noun they open what is said of it, in the words of another column's header.
_OPENING = frozenset({"be", "that", "which", "on", "in", "at", "out", "under", "currently", "now", "still"})


def is_a_whole(wording: Wording, column: int) -> bool:
    """Return whether it is asked how many of a column's things are in a state, which another column tells."""
    return bool(_parts_asked_for(wording)) and column in wording.asked_columns


def wholes_of(wording: Wording, columns: Iterable[int]) -> frozenset[int]:
    """Return the columns that a question asks for a part of, if some columns tell the part."""
    return frozenset() if _parts_asked_for(wording).isdisjoint(columns) else wording.asked_columns


def _parts_asked_for(wording: Wording) -> frozenset[int]:
    """Return the columns that count those of the things of the asked column that are in the state told."""
    claim, noun, wholes = wording.claim, wording.place_of_noun, wording.asked_columns
    if not wording.counting or noun is None or len(wholes) != 1:
        return frozenset()
    heads = (
        head
        for head in claim.linked.headers
        if head.start > noun + 1
        and head.share == 1.0
        and _OPENING.issuperset(claim.texts[noun + 1 : head.start])
    )
    (whole,) = wholes
    of_parts = (head.columns for head in heads if all(_is_part(claim.index, c, whole) for c in head.columns))
    return next(of_parts, frozenset())


def _is_part(index: TableIndex, part: int, whole: int) -> bool:
    """Return whether no row has more of one column than of another that is told alike."""
    if part == whole or not index.is_numeric(part) or index.told_units[part] != index.told_units[whole]:
        return False
    numbers, others = index.series[part], index.series[whole]
    return all(others.get(row, number) >= number for row, number in numbers.items())
