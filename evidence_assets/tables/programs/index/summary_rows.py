"""Rows that sum up the others: totals and means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.wording.words import word_key

# Keys of names of rows that sum up the others; and how near to their mean a mean is written.
_SUMMARIES = frozenset(map(word_key, ("total", "grand", "sum", "overall", "average", "mean", "subtotal")))
_ROUNDED = 2e-3
# How many columns must be sums for the last row to be totals whatever it is called.
_LEAST_SUMS = 3

_Series = Sequence[Mapping[int, float]]


def summaries_of(
    rows: frozenset[int],
    names: Sequence[Sequence[tuple[str, ...]]],
    series: _Series,
    caption: frozenset[str],
) -> frozenset[int]:
    """Return the rows that sum up the others, by their numbers, and by their name or place.

    `names`: of each row the keys of what may name it. `series`: each column's numbers by row. `caption`: its
    words, as keys; a last row called by one may be what the others are parts of.
    """
    named_rows = {row for row in rows if any(keys and set(keys) <= _SUMMARIES for keys in names[row])}
    last = max(rows, default=None)
    summaries = {row for row in named_rows if _is_summed(series, row, rows - named_rows)}
    is_the_whole = last is not None and any(keys and set(keys) <= caption for keys in names[last])
    least = _LEAST_SUMS - 1 if is_the_whole else _LEAST_SUMS
    if last is not None and not named_rows and _is_summed(series, last, rows - {last}, least):
        summaries = {last}
    return frozenset(summaries)


def _is_summed(series: _Series, row: int, rows: frozenset[int], least: int = 1) -> bool:
    """Return whether so many of a row's numbers are the sums of others', or, of one, their mean."""
    sums = means = 0
    for column in series:
        numbers = [column[summand] for summand in rows if summand in column]
        if len(numbers) < 2 or not column.get(row):
            continue
        total = math.fsum(numbers)
        sums += operations.close(column[row], total)
        means += math.isclose(column[row], total / len(numbers), rel_tol=_ROUNDED)
    return sums >= least or (least == 1 and means > 0)
