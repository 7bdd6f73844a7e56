"""The columns that a superlative may be of that names none: of car parks the largest is by their spaces."""

from __future__ import annotations

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.ranks.standings import is_of_ranks
from evidence_assets.tables.programs.readings.parts.extreme_columns import OF_QUALITY
from evidence_assets.tables.programs.wording.measures import is_of_the_whole_size
from evidence_assets.tables.programs.wording.quantities import CURRENCIES, is_of_time
from evidence_assets.tables.programs.wording.trigger_lexicon import positive
from evidence_assets.tables.programs.wording.words import word_keys

# What heads numbers of how good something is.
_QUALITIES = word_keys("""
    rating score point mark grade star rank place position review result quality win pct percentage rate
    average best record time
""")


def columns_of_size(index: TableIndex, word: str) -> list[int]:
    """Return the columns by which rows may be the largest, by a superlative of size; none by any other.

    Those of its dimensions; else counts and measures, of which the first count, where it is nowhere below
    another, is of the whole that the others are parts of.
    """
    adjective = positive(word)
    if not is_of_the_whole_size(adjective):
        return []
    measured = index.numeric(index.columns_measured_by(adjective))
    columns = measured or [column for column in index.numeric_columns if _may_be_a_size(index, column)]
    counts = [column for column in columns if _counts(index, column)]
    return counts[:1] if _is_the_whole(index, counts) else columns


def is_of_no_size(index: TableIndex, word: str, column: int) -> bool:
    """Return whether a superlative says that something is the largest, and a column tells times or codes."""
    if not is_of_the_whole_size(positive(word)):
        return False
    return column in index.times or column in index.columns_of_codes


def is_of_no_quality(index: TableIndex, word: str, column: int) -> bool:
    """Return whether a superlative says that something is the best, and a column tells nothing of that."""
    if positive(word) not in OF_QUALITY or is_of_ranks(index, column):
        return False
    return _QUALITIES.isdisjoint(index.headers[column]) and column not in index.best_first | index.durations


def _may_be_a_size(index: TableIndex, column: int) -> bool:
    """Return whether numbers may tell a size: no names, ranks, times, prices, shares, marks or degrees."""
    if (
        index.tells_rows_apart(column)
        or column in index.times | index.durations
        or is_of_ranks(index, column)
    ):
        return False
    units = index.told_units[column]
    passed = CURRENCIES | {"%", "degree_Celsius", "degree_Fahrenheit"}
    if units:
        return all(unit not in passed and not is_of_time(unit) for unit in units)
    return all(number == int(number) for number in index.series[column].values())


def _counts(index: TableIndex, column: int) -> bool:
    """Return whether a column counts something, and tells it in no unit, be it one that nothing knows."""
    return not index.told_units[column] and "(" not in index.table.header[column]


def _is_the_whole(index: TableIndex, counts: list[int]) -> bool:
    """Return whether the first of several counts is in no row below another."""
    numbers = index.series[counts[0]] if len(counts) > 1 else {}
    return bool(numbers) and all(
        numbers.get(row, number) >= number for other in counts for row, number in index.series[other].items()
    )
