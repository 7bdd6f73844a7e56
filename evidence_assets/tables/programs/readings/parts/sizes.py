"""The columns that may tell how large rows are: of car parks their spaces."""

from __future__ import annotations

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.standings import is_of_ranks
from evidence_assets.tables.programs.wording.measures import is_of_the_whole_size
from evidence_assets.tables.programs.wording.quantities import CURRENCIES, is_of_time
from evidence_assets.tables.programs.wording.trigger_lexicon import positive


def columns_of_size(index: TableIndex, word: str) -> list[int]:
    """Return the columns by which rows may be the largest, by a superlative of size; none by any other.

    Those of its dimensions; else counts and measures, of which a count that is nowhere below another is of
    the whole that the others are parts of.
    """
    adjective = positive(word)
    if not is_of_the_whole_size(adjective):
        return []
    measured = index.numeric(index.columns_measured_by(adjective))
    columns = measured or [column for column in index.numeric_columns if _may_be_a_size(index, column)]
    counts = [column for column in columns if not index.told_units[column]]
    return next(([column] for column in counts if _is_the_whole(index, column, counts)), columns)


def _may_be_a_size(index: TableIndex, column: int) -> bool:
    """Return whether numbers may tell a size: no names, ranks, times, prices, shares or degrees."""
    if (
        index.tells_rows_apart(column)
        or column in index.times | index.durations
        or is_of_ranks(index, column)
    ):
        return False
    passed = CURRENCIES | {"%", "degree_Celsius", "degree_Fahrenheit"}
    return all(unit not in passed and not is_of_time(unit) for unit in index.told_units[column])


def _is_the_whole(index: TableIndex, column: int, others: list[int]) -> bool:
    """Return whether a column's numbers are in no row below those of others."""
    numbers = index.series[column]
    return all(
        numbers.get(row, number) >= number for other in others for row, number in index.series[other].items()
    )
