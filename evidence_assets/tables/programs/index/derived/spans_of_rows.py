"""How long each row took, between its two times: a column that a table implies and does not print."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from evidence_assets.tables.cell_dates import tells_a_day
from evidence_assets.tables.programs.index.columns.column_times import was_set_beforehand
from evidence_assets.tables.programs.index.derived.derived_tables import cell_of, values_of
from evidence_assets.tables.programs.index.table_index import TableIndex, index_of
from evidence_assets.tables.programs.wording.trigger_lexicon import positive
from evidence_assets.tables.programs.wording.words import Token, number_key
from evidence_assets.tables.table import Cell, Kind, Table
from evidence_assets.text.dates import LEAP_YEAR
from evidence_assets.text.words import word_set, words

# The two times of day of a cell: 18:00–22:00.
_CLOCKS = re.compile(r"([01]?\d|2[0-4])[:.]([0-5]\d) ?(?:-|–|to) ?([01]?\d|2[0-4])[:.]([0-5]\d)")
_HOUR, _DAY = 60, 1440
_LEAST_TOLD = 0.5
_LEAST_ROWS = 3
_DURATION, _DELAY = "Duration", "Delay, late"
# How long after the time that was set something may be.
_LONGEST_DELAY = _DAY / 2


@dataclass(frozen=True, slots=True)
class SpannedTable(Table):
    """A table with a last column of how long each row took. `base`: it without; `ends`: of the two times."""

    base: Table | None = None
    ends: tuple[int, ...] = ()


def with_spans(table: Table) -> SpannedTable | None:
    """Return a table with how long its rows took; None where it tells no two times, or tells that itself."""
    spans = next(_spans(index_of(table)), None)
    if spans is None:
        return None
    name, ends, numbers = spans
    cells = [cell_of(number_key(numbers[row]) if row in numbers else "") for row in range(len(table.rows))]
    values = values_of(table)
    values["header"] = (*table.header, name)
    values["rows"] = tuple((*row, cell) for row, cell in zip(table.rows, cells, strict=True))
    return SpannedTable(**values, base=table, ends=ends)


def asks_how_long(claim_tokens: Iterable[Token], table: Table) -> bool:
    """Return whether a claim says a word for what a table's spans measure: of `the longest` a duration."""
    if not isinstance(table, SpannedTable):
        return False
    index, column = index_of(table), table.columns - 1
    return any(
        column in index.columns_measured_by(positive(token.text)) or column in index.columns_like(token.key)
        for token in claim_tokens
        if not token.stop and not token.mark
    )


# The name of the column, the columns of its times, its numbers by row.
_Spans = tuple[str, tuple[int, ...], dict[int, float]]


def _spans(index: TableIndex) -> Iterator[_Spans]:
    if any(map(index.tells_how_long, range(index.table.columns))):
        return
    counts_time = _counts_time(index)
    least = max(_LEAST_ROWS, _LEAST_TOLD * len(index.rows))
    for name, ends, numbers in (
        *_of_cells(index),
        *_of_years(index),
        *_of_days(index),
        *_of_clocks(index),
        *_of_dates(index),
    ):
        if counts_time and name.startswith(_DURATION):
            continue
        if len(numbers) >= least and len(set(numbers.values())) > 1 and name not in index.table.header:
            yield name, ends, numbers


def _counts_time(index: TableIndex) -> bool:
    """Return whether a header says that its numbers tell how long rows took: `Hrs`, `Dur.`."""
    names = map(str.lower, index.table.header)
    return any(
        index.is_numeric(column) and not _COUNTING_TIME.isdisjoint(words(name))
        for column, name in enumerate(names)
    )


_COUNTING_TIME = word_set("hrs hours dur duration mins minutes elapsed nights")


def _of_cells(index: TableIndex) -> Iterator[_Spans]:
    """Yield the minutes between the two times of day that each cell of a column tells."""
    for column in range(index.table.columns):
        matches = {
            row: match
            for row in index.rows
            if (match := _CLOCKS.fullmatch(index.table.rows[row][column].text.strip()))
        }
        numbers = {}
        for row, match in matches.items():
            opening, closing = (int(match[n]) * _HOUR + int(match[n + 1]) for n in (1, 3))
            numbers[row] = float((closing - opening) % _DAY or _DAY)
        if numbers:
            yield f"{_DURATION} (minutes)", (column,), numbers


def _of_years(index: TableIndex) -> Iterator[_Spans]:
    """Yield the years between the two that each cell of a column tells: 22 of `1881–1903`."""
    for column in index.years:
        ends = index.last_years(column)
        numbers = {row: last - index.years[column][row] for row, last in ends.items()}
        if 2 * len(numbers) > len(index.years[column]) and min(numbers.values()) >= 0:
            yield f"{_DURATION} (years)", (column,), numbers


def _of_days(index: TableIndex) -> Iterator[_Spans]:
    """Yield how many days each cell of a column tells: 3 of `4–6 May`, and 1 of `4 May`."""
    for column in index.dated:
        values = {row: index.table.rows[row][column].value for row in index.rows}
        numbers = {
            row: 1.0 if value.high is None else 1.0 + value.high - (value.low or 0.0)
            for row, value in values.items()
            if tells_a_day(value.date)
        }
        if any(value.high is not None for value in values.values()):
            yield f"{_DURATION} (days)", (column,), numbers


def _of_clocks(index: TableIndex) -> Iterator[_Spans]:
    """Yield the minutes between two columns of times of day: of a time set beforehand how late it became."""
    if index.pair_of_clocks is None:
        return
    first, last = index.pair_of_clocks
    was_set = [was_set_beforehand(index.headers[column]) for column in (first, last)]
    numbers = _differences(index.series[first], index.series[last])
    if was_set[0] != was_set[1]:
        sign = 1 if was_set[0] else -1
        late = {row: sign * number for row, number in numbers.items()}
        if all(abs(number) < _LONGEST_DELAY for number in late.values()):
            yield f"{_DELAY} (minutes)", (first, last), late
    elif not any(was_set):
        yield f"{_DURATION} (minutes)", (first, last), {row: n % _DAY for row, n in numbers.items()}


def _of_dates(index: TableIndex) -> Iterator[_Spans]:
    """Yield the time between the two columns of dates, of which each row's first is the earlier.

    In days, months or years: as exactly as all of the dates are told.
    """
    label = index.table.label_column
    columns = [column for column in sorted(index.dates_and_years) if column != label]
    if len(columns) != 2 or "since" in index.closings[columns[1]]:
        # What is so since then has not ended.
        return
    names = [words(index.table.header[column].lower()) for column in columns]
    if "first" not in names[0] and not _RECURRING.isdisjoint(names[1]):
        # Nor has what was last inspected.
        return
    dates_by_column = [
        {row: parts for row in index.rows if (parts := _parts(index.table.rows[row][column]))}
        for column in columns
    ]
    precision = min((len(parts) for dates in dates_by_column for parts in dates.values()), default=0)
    unit, in_unit = _PRECISIONS[precision]
    first, last = ({row: in_unit(parts) for row, parts in dates.items()} for dates in dates_by_column)
    numbers = _differences(first, last)
    if unit and numbers and min(numbers.values()) >= 0:
        yield f"{_DURATION} ({unit})", (columns[0], columns[1]), numbers


_RECURRING = frozenset({"last", "latest", "next", "previous"})


def _parts(cell: Cell) -> tuple[int, ...]:
    """Return the year, month and day that a cell tells, or as much of them; a leap year for none."""
    if cell.value.kind is not Kind.DATE:
        return ()
    year, _, rest = cell.value.date.replace("--", f"{LEAP_YEAR}-", 1).partition("-")
    parts = (int(year), *map(int, filter(None, rest.split("-"))))
    return parts if len(parts) < _WHOLE or parts[2] <= monthrange(*parts[:2])[1] else ()


_WHOLE = 3
# The unit of dates told so exactly, and what brings them to it.
_PRECISIONS: tuple[tuple[str, Callable[[tuple[int, ...]], float]], ...] = (
    ("", lambda parts: 0.0),
    ("years", lambda parts: float(parts[0])),
    ("months", lambda parts: 12.0 * parts[0] + parts[1]),
    ("days", lambda parts: float(date(*parts[:_WHOLE]).toordinal())),
)


def _differences(earlier: Mapping[int, float], later: Mapping[int, float]) -> dict[int, float]:
    return {row: later[row] - number for row, number in earlier.items() if row in later}
