"""Rows that sum up the others: totals and means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.wording.words import word_key, word_keys
from evidence_assets.text.words import word_set

# Keys of names of rows that sum up the others, in the languages most tables are kept in; and how near
# to their mean a mean is written.
SUMMARIES = word_keys("""
    total grand sum overall average mean subtotal
    summe gesamtsumme gesamt insgesamt durchschnitt mittelwert somme totale totaux moyenne suma totales totaal
    gemiddelde media
""")
_ROUNDED = 2e-3
_TOTAL = (word_key("total"),)
# What the name of a row of all others begins with.
OF_ALL = word_set("all whole entire total combined overall region regional national nationwide")
# What opens the name of a row that is of all others whatever it says behind of what these are.
OPENING_ALL = frozenset({"all", "whole", "entire", "national", "nationwide", "overall", "altogether"})
# How many columns must be sums for the last row to be totals whatever it is called, or called as the table.
_LEAST_SUMS, _LEAST_SUMS_OF_THE_TABLE = 3, 2

_Series = Sequence[Mapping[int, float]]


def summaries_of(
    rows: frozenset[int],
    names: Sequence[Sequence[tuple[str, ...]]],
    series: _Series,
    opening: str = "",
    *,
    is_of_the_caption: bool = False,
    is_of_all_times: bool = False,
    is_of_all: bool = False,
) -> frozenset[int]:
    """Return the rows that sum up the others, by their numbers, and by their name or place.

    `names`: of each row the keys of what may name it. `series`: each column's numbers by row. `opening`: the
    word that the last row's name begins with. `is_of_the_caption`: whether the caption says that name.
    `is_of_all_times`: whether it is of a time that those of the others are parts of, as a year is of months.
    `is_of_all`: whether it names all that the rows are, `All regions`.
    """
    named_rows = {row for row in rows if any(map(_names_a_summary, names[row]))}
    last = max(rows, default=None)
    summaries = {row for row in named_rows if _is_summed(series, row, rows - named_rows)}
    if last in named_rows and _TOTAL in names[last]:
        # A total that no longer adds up is none of what it is of.
        summaries.add(last)
    if last is None or named_rows:
        return frozenset(summaries)
    others, of_all = rows - {last}, opening in OF_ALL
    least = _LEAST_SUMS_OF_THE_TABLE if of_all or is_of_the_caption else _LEAST_SUMS
    may_be_of_all = is_of_all_times or is_of_all
    if may_be_of_all and _is_summed(series, last, others) and _are_sums_or_among(series, last, others):
        summaries = {last}
    if _is_summed(series, last, others, least) or (of_all and _lies_among(series, last, others)):
        summaries = {last}
    return frozenset(summaries)


def _names_a_summary(keys: tuple[str, ...]) -> bool:
    """Return whether a name is that of a sum or mean, perhaps with the rows it is of: `Total (1-12)`."""
    return bool(keys) and keys[0] in SUMMARIES and all(key in SUMMARIES or key.isdigit() for key in keys)


def _lies_among(series: _Series, row: int, rows: frozenset[int]) -> bool:
    """Return whether a row's numbers may be weighted means: each between the least and the greatest."""
    columns = [column for column in series if row in column]
    return len(columns) >= _LEAST_SUMS and all(
        min(numbers) < column[row] < max(numbers)
        for column in columns
        if len(numbers := [column[other] for other in rows if other in column]) > 1
    )


def _are_sums_or_among(series: _Series, row: int, rows: frozenset[int]) -> bool:
    """Return whether each of a row's numbers is the sum of others', their mean or one end of them."""
    return all(
        operations.close(column[row], math.fsum(numbers)) or min(numbers) <= column[row] <= max(numbers)
        for column in series
        if row in column and (numbers := [column[other] for other in rows if other in column])
    )


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
