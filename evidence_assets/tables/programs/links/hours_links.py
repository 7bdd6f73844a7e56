"""Verbs of when something starts and ends, as headers of a table whose hours are taken apart."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.programs.index.hours import HoursTable
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import HeaderLink
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.tables.programs.wording.words_of_time import BEGINNING, ENDING
from evidence_assets.text.words import word_set

_STARTING = BEGINNING | word_set("starts begins opens open opened starting beginning opening")
_UNTIL = frozenset({"until", "till"})
_CLOSING = ENDING | _UNTIL | word_set("ends finishes closes close closed shuts shut ending finishing closing")
# What is open, or closed, at a time has opened before it, or has not yet.
_STATES = word_set("be stay stays stayed remain remains remained keep keeps kept")


def heads_of_hours(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[HeaderLink]:
    """Yield `starts`, `closes`, `until` as the header of when rows start, or of when they end.

    Of `is open until` both words are of the end, of `is open at` the first is of the start.
    """
    table = index.table
    if not isinstance(table, HoursTable):
        return
    for position, token in enumerate(tokens):
        if token.text not in _STARTING | _CLOSING:
            continue
        of_state = is_of_a_state(tokens, position)
        following = tokens[position + 1].text if position + 1 < len(tokens) else ""
        if of_state and (token.text != "open" or following not in _UNTIL | {"at"}):
            continue
        is_start = token.text in _STARTING and not (of_state and following in _UNTIL)
        yield HeaderLink(position, position + 1, frozenset({table.start if is_start else table.end}), 1.0)


def is_of_a_state(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether a word tells how something is, not what it does: `is open`, `stays closed`."""
    return position > 0 and tokens[position - 1].key in _STATES and tokens[position].text not in _UNTIL


def column_of_hours(tokens: tuple[Token, ...], position: int, index: TableIndex) -> int | None:
    """Return the column of the last of these verbs up to a position; None without one."""
    heads = [head for head in heads_of_hours(tokens, index) if head.start <= position]
    return min(heads[-1].columns) if heads else None
