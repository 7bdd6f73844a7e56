"""Times that a column tells of one event, said of something else: the rent in 2018 of what is let since."""

from __future__ import annotations

from collections.abc import Collection

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.wording.words import is_past
from evidence_assets.text.words import words

_WITHIN = frozenset({"in", "during"})


def is_at_the_time_of_another_event(claim: GroundedClaim, links: Collection[Link]) -> bool:
    """Return whether what some links say of one row is said `in 2018`, when an unnamed event was.

    Of what began in a year nothing tells what it was like then.
    """
    times = [link for link in links if _is_of_an_unsaid_event(claim, link)]
    return bool(times) and any(len(link.rows) == 1 and not link.bound for link in links if link not in times)


def is_told_of_another_event(claim: GroundedClaim, links: Collection[Link]) -> bool:
    """Return whether a month or a year is of one column of times, and another is named right before it.

    Of `borrowed in May` nothing is told by what is due then.
    """
    times = claim.index.dates_and_years - {claim.index.table.label_column}
    for link in links:
        before = (token.key for token in claim.tokens[: link.start])
        named = [
            columns for key in before if (columns := times & claim.index.header_postings.get(key, set()))
        ]
        is_time = bool(link.places) and link.places.keys() <= times and not link.bound
        if is_time and any(columns.isdisjoint(link.places) for columns in named[-1:]):
            return True
    return False


def _is_of_an_unsaid_event(claim: GroundedClaim, link: Link) -> bool:
    index, columns = claim.index, {*link.places}
    said = {token.key for token in claim.tokens}
    times = index.dates_and_years - {index.table.label_column}
    is_within = bool(link.start) and claim.texts[link.start - 1] in _WITHIN
    return bool(is_within and columns) and all(
        column in times and said.isdisjoint(index.headers[column]) and _tells_an_event(index, column)
        for column in columns
    )


def _tells_an_event(index: TableIndex, column: int) -> bool:
    """Return whether a column of times is headed by what happened then: `Built`, `Since`, `Date of birth`."""
    header = words(index.table.header[column].lower())
    return any(is_past(word) or word in _EVENTS for word in header)


_EVENTS = frozenset({"since", "birth", "start", "begun", "from"})
