"""Bounds that came to be met at a time: `first exceeded 5`, `fell below 20`, `when did it reach 10`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from evidence_assets.tables.programs.index.operations import close
from evidence_assets.tables.programs.index.rows_in_time import column_of_time, rows_in_time, rows_that_begin
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.wording.thresholds import Threshold
from evidence_assets.tables.programs.wording.turns import Turn, asks_for_one_time, turn_before
from evidence_assets.tables.programs.wording.words import Token

_Rows = tuple[frozenset[int], frozenset[int]]


def turning(limits: Iterable[Threshold], tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Threshold]:
    """Yield bounds, with how each came to be met, if the rows of a table stand in time and one is meant."""
    texts = tuple(token.text for token in tokens)
    for limit in limits:
        turn, start = turn_before(texts, limit.start, limit.position)
        if turn is Turn.NONE or not rows_in_time(index):
            yield limit
        elif asks_for_one_time(texts):
            yield replace(limit, start=start, turn=Turn.FIRST)
        elif turn is Turn.FIRST or _names_one_time(tokens, index):
            yield replace(limit, start=start, turn=turn)
        else:
            yield limit


def _names_one_time(tokens: tuple[Token, ...], index: TableIndex) -> bool:
    """Return whether a single word names a time that a row is of."""
    column = column_of_time(index)
    cells = (index.postings.get(token.key, ()) for token in tokens if not token.stop)
    return sum(any(place == column for _, place in of_word) for of_word in cells) == 1


def with_which_it_began(index: TableIndex, limit: Threshold, column: int, within: _Rows) -> _Rows:
    """Return, of the rows within a bound and those of which nothing tells it, with which it came to be met.

    What has just the number is said to reach it at any time; of what is beyond it, and was so before, that is
    neither right nor wrong.
    """
    rows, untold = within
    if limit.turn is Turn.NONE:
        return within
    numbers = index.series[column]
    beginning = rows_that_begin(rows_in_time(index), rows, numbers.keys())
    if limit.turn is Turn.FIRST:
        return frozenset(beginning[:1]), untold
    if limit.turn is Turn.CHANGE:
        return frozenset(beginning), untold
    arrived = {row for row in rows if close(numbers.get(row, 0.0), limit.bound)}.union(beginning[:1])
    return frozenset(arrived), untold | (rows - arrived)


def condition_of(limit: Threshold, number: float) -> str:
    """Return a bound's condition in readable form."""
    condition = f"{limit.relation} {number:g}"
    return f"{condition} {limit.turn}" if limit.turn else condition
