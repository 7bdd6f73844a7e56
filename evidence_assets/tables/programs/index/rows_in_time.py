"""Rows in the order of time, and those with which something came to be so."""

from __future__ import annotations

from collections.abc import Set
from itertools import pairwise

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.wording.words_of_time import PARTS_OF_TIMES


def rows_in_time(index: TableIndex) -> list[int]:
    """Return the rows in the order of time, where each has a time of its own; none where no column tells it.

    By the only column of dates or years; rows that are named by months, quarters or days stand in order.
    """
    rows, column = sorted(index.rows - index.summaries), column_of_time(index)
    if column is None:
        return []
    if column not in index.dates_and_years:
        return rows if index.names_tell_rows_apart else []
    moments = {row: time for row, time in index.series[column].items() if row in rows}
    is_in_order = len(moments) == len(rows) == len({*moments.values()})
    return sorted(rows, key=moments.__getitem__) if is_in_order else []


def column_of_time(index: TableIndex) -> int | None:
    """Return the column that tells when each row was; None where none does, or several do."""
    label, columns = index.table.label_column, index.dates_and_years
    if label is not None and (label in columns or not PARTS_OF_TIMES.isdisjoint(index.headers[label])):
        return label
    return next(iter(columns)) if len(columns) == 1 else None


def rows_that_begin(order: list[int], met: Set[int], known: Set[int]) -> list[int]:
    """Return the rows, in time, that meet what the known row before them does not meet.

    Of the first of all nothing tells since when it was so.
    """
    in_time = [row for row in order if row in known]
    return [row for before, row in pairwise(in_time) if row in met and before not in met]


def row_since(order: list[int], met: Set[int], known: Set[int]) -> list[int]:
    """Return the row since which all known rows, in time, meet something; none where the last does not."""
    last = next((row for row in reversed(order) if row in known), None)
    return rows_that_begin(order, met, known)[-1:] if last in met else []
