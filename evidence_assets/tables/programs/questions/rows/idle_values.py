"""Words of a question that seem to choose rows and do not: places, limits, headers, when something was."""

from __future__ import annotations

from collections.abc import Mapping

from evidence_assets.tables.programs.index.columns.column_units import YEAR
from evidence_assets.tables.programs.index.derived.turned_tables import TurnedTable
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.ranks.standings import is_of_ranks
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.wording.words import AUXILIARIES

ABOVE_OR_BELOW = frozenset({"above", "below"})


def tells_no_rows(wording: Wording, link: Link) -> bool:
    """Return whether a link chooses no rows: an ordinal of no ranks, a limit, a header by its stem."""
    return (
        _is_a_place_of_no_column(wording, link)
        or _is_a_limit_of_columns(wording, link)
        or _is_rather_a_header(wording, link)
        or _counts_its_column(wording, link)
    )


def _is_a_place_of_no_column(wording: Wording, link: Link) -> bool:
    """Return whether an ordinal is linked to plain numbers of columns that are not named and tell no ranks.

    What came third has no crew of three.
    """
    index = wording.claim.index
    if link.number is None or link.bound or not wording.claim.tokens[link.start].ordinal:
        return False
    return all(
        column not in wording.named
        and not is_of_ranks(index, column)
        and not any(letter.isalpha() for row in rows for letter in index.table.rows[row][column].text)
        for column, rows in link.places.items()
    )


def _is_a_limit_of_columns(wording: Wording, link: Link) -> bool:
    """Return whether a column that is now a row is named as a limit: `below the minimum`."""
    claim = wording.claim
    before = claim.texts[max(0, link.start - 2) : link.start]
    turned = isinstance(claim.index.table, TurnedTable) and claim.index.table.label_column in link.places
    return turned and not ABOVE_OR_BELOW.isdisjoint(before)


def _is_rather_a_header(wording: Wording, link: Link) -> bool:
    """Return whether a word is a header as it stands, and a cell by its stem alone: `opened` of `Opened`."""
    index, claim = wording.claim.index, wording.claim
    if link.number is not None or link.bound or link.end > link.start + 1:
        return False
    text = claim.texts[link.start]
    if text not in (header.lower() for header in index.table.header):
        return False
    return not any(
        text in index.table.rows[row][column].text.lower()
        for column, rows in link.places.items()
        for row in rows
    )


def _counts_its_column(wording: Wording, link: Link) -> bool:
    """Return whether a number in letters counts the rows that its column names: no version 2."""
    claim, index = wording.claim, wording.claim.index
    if link.number is None or link.bound or not claim.texts[link.start].isalpha():
        return False
    if not all(len({*index.series[column].values()}) == len(index.rows) for column in link.places):
        return False
    return any(
        head.start == link.end
        and claim.texts[head.end - 1].endswith("s")
        and link.places.keys() <= head.columns
        for head in claim.linked.headers
    )


def _rises(numbers: Mapping[int, float]) -> bool:
    """Return whether the numbers of rows rise with these."""
    ordered = [numbers[row] for row in sorted(numbers)]
    return len(ordered) > 1 and ordered == sorted(ordered)


def says_when(claim: GroundedClaim, place: int) -> bool:
    """Return whether a word behind a last verb says when that was, where times are told: `sailed last`.

    The order of the rows is then no answer, unless it is that of a column of times.
    """
    ends = all(token.mark for token in claim.tokens[place + 1 :])
    verb = claim.tokens[place - 1] if place else None
    if not ends or verb is None or verb.text in AUXILIARIES or verb.stop or verb.number is not None:
        return False
    index = claim.index
    times = sorted(index.times)
    if times:
        return not any(_rises(index.years.get(column) or index.series[column]) for column in times)
    rows = index.rows - index.summaries
    years = [
        sum(bool(YEAR.search(index.table.rows[row][column].text)) for row in rows)
        for column in range(index.table.columns)
        if column != index.table.label_column
    ]
    return bool(rows) and 2 * max(years, default=0) >= len(rows)
