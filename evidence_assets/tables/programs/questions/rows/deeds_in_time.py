"""Rows by when they did something: the last to open, of those behind another the next to be built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from evidence_assets.tables.programs.grammar.row_programs import Extreme
from evidence_assets.tables.programs.index.operations import rows_within
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.links.times.date_links import columns_of_ends
from evidence_assets.tables.programs.questions.rows.chosen_rows import Selection, chosen_among
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.readings.parts.proposal import where

_LAST, _NEXT = frozenset({"last", "latest"}), "next"


def in_time(wording: Wording, base: Selection) -> Iterator[Selection]:
    """Yield the row that was `the last to open`, or of those behind another `the next to open`."""
    claim, used = wording.claim, positions_of(base.links)
    for place in range(1, len(claim.tokens) - 1):
        text = claim.texts[place]
        deed = deed_in_time(claim, place) if text in _LAST | {_NEXT} and place not in used else None
        if deed is None:
            continue
        for column in deed.columns[:1]:
            if text != _NEXT and len(base.chosen) > 1:
                rows = Extreme(base.rows, column, 1, highest=True)
                yield chosen_among(claim, "extreme", rows, base, [place, deed.verb], measure=column)
            if text == _NEXT and len(base.chosen) == len(base.links) == 1:
                yield from _next(wording, base, column, [place, deed.verb])


def _next(wording: Wording, base: Selection, column: int, words: list[int]) -> Iterator[Selection]:
    """Yield the row that comes next in a column's order behind the only one of a selection."""
    rows = beside_in_time(wording.claim, base, column, 1)
    if rows is not None:
        words = [*words, *(n for n in wording.of("after") if n not in words)]
        yield chosen_among(wording.claim, "next in time", rows, base, words, measure=column)


def beside_in_time(claim: GroundedClaim, base: Selection, column: int, step: int) -> Extreme | None:
    """Return the row that a column's order has behind the only one of a selection, or before it, -1.

    None where the column tells no time of it.
    """
    (row,) = base.chosen
    times, relation = claim.index.series[column], ">" if step > 0 else "<"
    if row not in times:
        return None
    beyond = rows_within(times, relation, times[row]) - claim.index.summaries
    condition = f"{relation} row {row + 1}"
    link = Link.of_column(base.links[0].start, base.links[0].end, column, beyond, condition)
    return Extreme(where(claim, link), column, 1, highest=step < 0)


class Deed(NamedTuple):
    """What rows did in time. `verb`: its position; `columns`: that tell when."""

    verb: int
    columns: list[int]


def deed_in_time(claim: GroundedClaim, place: int) -> Deed | None:
    """Return what rows were first, last or next to do: `the next to open`, `the last quarry to be opened`."""
    texts, index = claim.texts, claim.index
    behind = range(place + 1, min(place + _LONGEST_NOUN + 2, len(texts) - 1))
    to = next((n for n in behind if texts[n] == "to"), None)
    if to is None or texts[place - 1] != "the" or any(claim.tokens[n].stop for n in range(place + 1, to)):
        return None
    verb = to + 1 + (texts[to + 1] == "be" and to + 2 < len(texts))
    times = sorted(index.times)
    said = [column for column in times if claim.tokens[verb].key in index.headers[column]]
    said = said or columns_of_ends(index, claim.tokens[verb])
    return Deed(verb, [column for column in said if index.series[column]])


# So many words name what did it.
_LONGEST_NOUN = 2


def tells_a_deed_in_time(claim: GroundedClaim, place: int) -> bool:
    """Return whether a word orders what rows did, by a column of times, and not the rows as they stand."""
    deed = deed_in_time(claim, place) if 0 < place < len(claim.texts) - 1 else None
    return deed is not None and bool(deed.columns)
