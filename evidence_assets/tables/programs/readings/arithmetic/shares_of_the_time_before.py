"""Claims of what part a number is of that of the time before: `less than half that of the year before`."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell
from evidence_assets.tables.programs.grammar.row_programs import Where, meet
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, clear_of
from evidence_assets.tables.programs.readings.arithmetic.shares_of_wholes import near_share
from evidence_assets.tables.programs.readings.parts.extreme_columns import column_of_year
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, numeric_columns, proposed, where
from evidence_assets.tables.programs.readings.times.changes import row_before
from evidence_assets.tables.programs.readings.times.times_of_changes import times_told
from evidence_assets.tables.programs.wording.words_of_time import TIMES

_PREVIOUS, _BEFORE = frozenset({"previous", "preceding", "prior"}), frozenset({"before", "earlier"})
_AMOUNTING = frozenset({"amount", "amounts", "amounted", "came"})


def shares_of_the_time_before(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether a number is the part that a claim tells of that of the time right before."""
    part = claim.linked.fraction
    time = None if part is None else _the_time_before(claim, max(part.words) + 1)
    if part is None or time is None:
        return
    links = clear_of({*part.words, *time}, claim.links)
    compared = _of_rows(claim, links) or _of_columns(claim, links)
    if compared is None:
        return
    now, before = compared
    program, words = near_share(claim, part, Arithmetic("% of", now, before))
    if program.run(claim.index).truth is None:
        return
    said = {token.key for token in claim.tokens[: min(part.words)]}
    again = [n for n in range(max(part.words) + 1, len(claim.tokens)) if claim.tokens[n].key in said]
    amounting = [n for n in range(min(part.words)) if claim.texts[n] in _AMOUNTING]
    operators = [*words, *time, *again, *amounting]
    columns = dict.fromkeys((now.column, before.column))
    yield proposed(claim, "share of the time before", program, links, columns, operators)


def _the_time_before(claim: GroundedClaim, start: int) -> tuple[int, int] | None:
    """Return where `previous year`, `season before` stands behind a position; None where nothing does."""
    for first in range(start, len(claim.texts) - 1):
        word, following = claim.tokens[first : first + 2]
        if (word.text in _PREVIOUS and following.key in TIMES) or (
            word.key in TIMES and following.text in _BEFORE and claim.texts[first - 1] == "the"
        ):
            return first, first + 1
    return None


def _of_rows(claim: GroundedClaim, links: list[Link]) -> tuple[Cell, Cell] | None:
    """Return the numbers of the column that is named in the row of a time and in that before; else None."""
    before = row_before(claim, links[0]) if len(links) == 1 else None
    heads = claim.linked.headers
    columns = [c for c in numeric_columns(claim, heads) if before is not None and c not in links[0].places]
    if before is None or len(set(columns)) != 1:
        return None
    return Cell(where(claim, links[0]), columns[0]), Cell(Where.of_row(before, columns[0]), columns[0])


def _of_columns(claim: GroundedClaim, links: list[Link]) -> tuple[Cell, Cell] | None:
    """Return the numbers of the row that is named in the column of a year and in that before; else None."""
    column, order = column_of_year(claim), [column for _, column in times_told(claim)]
    rows = meet([where(claim, link) for link in links])
    place = order.index(column) if column in order else 0
    if column is None or not place or not links or len(rows.run(claim.index).rows) != 1:
        return None
    return Cell(rows, column), Cell(rows, order[place - 1])
