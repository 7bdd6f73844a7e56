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

Rows = frozenset[int]
# Those within a bound, and those of which nothing tells it.
_Rows = tuple[Rows, Rows]


def turning(limits: Iterable[Threshold], tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Threshold]:
    """Yield bounds, with how each came to be met, if the rows of a table stand in time and one is meant.

    Or its columns do, of which one is named by its year.
    """
    texts = tuple(token.text for token in tokens)
    for limit in limits:
        turn, start = turn_before(texts, limit.start, limit.position)
        if turn is Turn.NONE:
            yield limit
        elif not rows_in_time(index):
            yield replace(limit, turn=turn) if _names_one_year(tokens, index) else limit
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


def _names_one_year(tokens: tuple[Token, ...], index: TableIndex) -> bool:
    """Return whether a single number is the year of one of several columns."""
    years = index.years_of_columns
    return len(years) > 1 and sum(token.number in years for token in tokens) == 1


def with_which_it_began(index: TableIndex, limit: Threshold, column: int, within: _Rows) -> _Rows:
    """Return, of the rows within a bound and those of which nothing tells it, with which it came to be met.

    What has just the number is said to reach it at any time; of what is beyond it, and was so before, that is
    neither right nor wrong.
    """
    rows, untold = within
    if limit.turn is Turn.NONE:
        return within
    beginning = _beginning(index, limit, column, rows)
    if beginning is None:
        return within
    if limit.turn is not Turn.ARRIVAL:
        return beginning, untold
    numbers = index.series[column]
    arrived = beginning | {row for row in rows if close(numbers.get(row, 0.0), limit.bound)}
    return arrived, untold | (rows - arrived)


def _beginning(index: TableIndex, limit: Threshold, column: int, rows: Rows) -> Rows | None:
    """Return the rows with which a bound came to be met, or came to be first; None where nothing tells it."""
    earlier = _earlier_years(index, column)
    if earlier:
        since = earlier if limit.turn is Turn.FIRST else earlier[-1:]
        return rows.difference(*(index.rows_within(other, limit.relation, limit.bound)[0] for other in since))
    order = rows_in_time(index)
    if not order:
        return None
    beginning = rows_that_begin(order, rows, index.series[column].keys())
    return frozenset(beginning if limit.turn is Turn.CHANGE else beginning[:1])


def _earlier_years(index: TableIndex, column: int) -> list[int]:
    """Return the columns that tell the same of years before a column's, in time."""
    years = index.year_columns
    if column not in years:
        return []
    others = _keys_but_of_years(index, column)
    before = [c for c in years if years[c] < years[column] and _keys_but_of_years(index, c) == others]
    return sorted(before, key=years.__getitem__)


def _keys_but_of_years(index: TableIndex, column: int) -> list[str]:
    return [key for key in index.headers[column] if not key.isdigit()]


def condition_of(limit: Threshold, number: float) -> str:
    """Return a bound's condition in readable form."""
    condition = f"{limit.relation} {number:g}"
    return f"{condition} {limit.turn}" if limit.turn else condition
