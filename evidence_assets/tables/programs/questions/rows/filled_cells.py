"""Rows that have something in a column that a question names, where others have nothing."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.index.columns.untold_cells import tells_of_nothing
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.questions.rows.chosen_rows import IS_EMPTY, IS_FILLED
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.readings.parts.proposal import Condition
from evidence_assets.tables.programs.wording.words import is_past

_NOTHING = frozenset({"nothing", "none"})


def filled_cells(wording: Wording) -> Iterator[Condition]:
    """Yield the rows with something in a column that the question names; where it denies that, the others.

    In `how many months did we pay for water`, at how many stations does a train stop: a cell that is empty
    tells that nothing was.
    """
    index = wording.claim.index
    denials = [
        *wording.of("negation"),
        *(n for n, text in enumerate(wording.claim.texts) if text in _NOTHING),
    ]
    for head in wording.claim.linked.headers:
        column = next(iter(head.columns))
        if len(head.columns) > 1 or head.share < 1.0 or column == index.table.label_column:
            continue
        rows, numbers = index.rows - index.summaries, index.series[column]
        # Where no storm caused deaths none are told, or 0.
        filled = {
            row
            for row in rows
            if not tells_of_nothing(index.table.rows[row][column]) and numbers.get(row) != 0
        }
        chosen = rows - filled if denials else filled
        if column in index.flags:
            continue
        if filled and filled != rows and not _is_what_is_asked_for(wording, head):
            name = IS_EMPTY if denials else IS_FILLED
            link = Link.of_column(head.start, head.end, column, frozenset(chosen), name)
            yield Condition(link, (column,), tuple(denials))


def _is_what_is_asked_for(wording: Wording, head: HeaderLink) -> bool:
    """Return whether the column tells the very thing that is asked for: `which platform`, not `who paid`."""
    noun = wording.place_of_noun
    if noun is not None and wording.form == "who" and is_past(wording.claim.texts[noun]):
        return False
    return noun is not None and head.start <= noun < head.end
