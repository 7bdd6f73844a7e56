"""Shares of what one row has altogether, and what a share that a claim tells is held to."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Cell, Literal
from evidence_assets.tables.programs.grammar.truth_programs import Compare
from evidence_assets.tables.programs.grammar.types import Number, Truth
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.compared_rows import single_rows
from evidence_assets.tables.programs.readings.parts.proposal import Proposal, numeric_columns, proposed
from evidence_assets.tables.programs.wording.claimed_shares import ClaimedShare
from evidence_assets.tables.programs.wording.tolerances import OF_SHARES, told_about, words_of_exactness
from evidence_assets.tables.programs.wording.words import ARTICLES

# What `share of` opens with.
SHARE = frozenset({"share", "proportion", "percentage"})


def share_of_a_row(claim: GroundedClaim) -> tuple[ClaimedShare, Link] | None:
    """Return the share that a claim tells of a row by its name, and the name: `a tenth of the Tern`.

    `More than half of the planned Tern` is of it too; None of a share of what rows have together.
    """
    part, label = claim.linked.fraction, claim.index.table.label_column
    if part is None or claim.texts[part.words[-1] + 1 : part.words[-1] + 2] != ("of",):
        return None
    first = part.words[-1] + 2
    for link in claim.names:
        between = range(first, link.start)
        if (
            link.start >= first
            and link.places.keys() == {label}
            and len(link.rows) == 1
            and all(claim.texts[n] in ARTICLES or claim.linked.in_header(n) for n in between)
        ):
            return part, link
    return None


def share_of_the_rows_whole(claim: GroundedClaim, part: ClaimedShare, name: Link) -> Iterator[Proposal]:
    """Yield `a tenth of the Tern is painted`: of the only column that its paint is part of."""
    index = claim.index
    behind = [head for head in claim.linked.headers if head.start >= name.end]
    for less in numeric_columns(claim, behind):
        wholes = [column for column in range(index.table.columns) if is_part(index, less, column)]
        alike = [column for column in wholes if index.told_units[column] == index.told_units[less]]
        rows = single_rows(claim, [name], less)
        if len(alike) == 1 and rows is not None and index.told_units[less]:
            share = Arithmetic("% of", Cell(rows[0], less), Cell(rows[0], alike[0]))
            program, words = near_share(claim, part, share)
            yield proposed(claim, "share of a column", program, rows[1], [less, alike[0]], words)
        return


def is_part(index: TableIndex, less: int, whole: int) -> bool:
    """Return whether a column counts a part of what another does: no row has more in it, some have less."""
    if less == whole or index.factor(less, whole) != 1.0 or {less, whole} & index.dates_and_years:
        return False
    if ("%" in index.told_units[less]) != ("%" in index.told_units[whole]):
        # 38 percent are no part of 24,310 voters.
        return False
    shared = index.series[less].keys() & index.series[whole].keys()
    pairs = [(index.series[less][row], index.series[whole][row]) for row in shared]
    return (
        len(pairs) > 1 and all(0 <= left <= right for left, right in pairs) and any(a < b for a, b in pairs)
    )


def near_share(claim: GroundedClaim, part: ClaimedShare, number: Number) -> tuple[Truth, list[int]]:
    """Return whether a number of percent is the share that a claim tells, and the words that say so."""
    opening = next((word for word in part.words if claim.texts[word] not in SHARE), part.words[0])
    percent = 100 * part.share
    tolerance, words = told_about(claim.texts, opening, percent, OF_SHARES.times(100.0))
    exactly = words_of_exactness(claim.texts, opening)
    return Compare(number, part.relation, Literal(percent), tolerance), [*part.words, *words, *exactly]
