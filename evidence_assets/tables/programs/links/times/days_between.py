"""Spans of time from one day to another: `between 27 September and 28 October 1918`."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.cell_dates import parse_date, tells_a_day, value_of_date
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.wording.trigger_lexicon import denies
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.tables.programs.wording.words_of_time import JOINS_OF_TIMES, OPENINGS_OF_SPANS
from evidence_assets.tables.table import Value
from evidence_assets.text.calendar_words import MONTHS
from evidence_assets.text.dates import Date, existing


def links_between_days(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield the rows from one day to another, of the first column of dates.

    A claim that denies, where rows are of both days, speaks of those strictly between them.
    """
    # Of what took several days a claim tells the first and the last.
    columns = [
        column for column in index.dated if all(cell.value.low is None for cell in index.table.column(column))
    ]
    for opening in range(len(tokens) - 1 if columns else 0):
        if tokens[opening].text not in OPENINGS_OF_SPANS:
            continue
        span = _span_from(tokens, opening + 1)
        if span is None:
            continue
        end, first, last = span
        days = _days_of(index, columns[0], with_year=not first.date.startswith("--"))
        numbers = [(first.number or 0.0), (last.number or 0.0)]
        ends = {number for number in numbers if number in days.values()}
        inside = tokens[opening].text == "between" and len(ends) > 1 and denies(tokens)
        rows = frozenset(
            row
            for row, day in days.items()
            if numbers[0] <= day <= numbers[1] and not (inside and day in ends)
        )
        bound = " ".join(token.text for token in tokens[opening:end])
        if days:
            yield Link.of_column(opening, end, columns[0], rows, bound, 2)


def _days_of(index: TableIndex, column: int, *, with_year: bool) -> dict[int, float]:
    """Return the day of each row whose cell tells one, with its year, which it must tell, or without."""
    dates = {
        row: cell.value.date
        for row, cell in enumerate(index.table.column(column))
        if row not in index.summaries and tells_a_day(cell.value.date)
    }
    if with_year:
        series = index.series[column]
        return {row: series[row] for row, iso in dates.items() if row in series and not iso.startswith("--")}
    days = {row: value_of_date(Date(0, int(iso[-5:-3]), int(iso[-2:]))) for row, iso in dates.items()}
    return {row: day.number for row, day in days.items() if day.number is not None}


def _span_from(tokens: tuple[Token, ...], start: int) -> tuple[int, Value, Value] | None:
    """Return where the words for two days end, and the days; None where these are not told.

    The first day takes the year of the second where it tells none.
    """
    join = next((n for n in range(start + 1, len(tokens)) if tokens[n].text in JOINS_OF_TIMES), None)
    if join is None or join - start > _LONGEST_DATE:
        return None
    for end in range(min(len(tokens), join + 1 + _LONGEST_DATE), join + 2, -1):
        last = _day(tokens[join + 1 : end])
        if last is None or last.number is None:
            continue
        first = _day(tokens[start:join]) or _day_of_that_month(tokens[start:join], last)
        if first is not None and first.date.startswith("--") and not last.date.startswith("--"):
            first = parse_date(f"{last.date[:4]}{first.date[1:]}")
        told_alike = first is not None and first.date.startswith("--") == last.date.startswith("--")
        if first is None or first.number is None or not told_alike or first.number >= last.number:
            return None
        return end, first, last
    return None


def _day_of_that_month(tokens: tuple[Token, ...], last: Value) -> Value | None:
    """Return the day that a number alone tells before another: of `between 1 and 15 November`."""
    number = tokens[0].number if len(tokens) == 1 else None
    if number is None or not number.is_integer() or not 1 <= number <= _DAYS:
        return None
    day = existing(int(last.date[:4]) if last.date[:4].isdigit() else 0, int(last.date[-5:-3]), int(number))
    return None if day is None else value_of_date(day)


_DAYS = 31


def _day(tokens: tuple[Token, ...]) -> Value | None:
    """Return the day that words tell; None where they tell none."""
    if not any(token.text in MONTHS for token in tokens):
        return None
    value = parse_date(" ".join(token.text for token in tokens if token.text != ","))
    return value if value is not None and tells_a_day(value.date) else None


_LONGEST_DATE = 5
