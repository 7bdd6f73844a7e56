"""Spans of time from one day to another: `between 27 September and 28 October 1918`."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.cell_dates import parse_date, tells_a_day
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.wording.trigger_lexicon import NOBODY, negations
from evidence_assets.tables.programs.wording.words import Token
from evidence_assets.tables.programs.wording.words_of_time import JOINS_OF_TIMES, OPENINGS_OF_SPANS
from evidence_assets.tables.table import Value
from evidence_assets.text.calendar_words import MONTHS


def links_between_days(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield the rows from one day to another, of the first column of dates.

    Nothing is denied of the two days themselves where rows are of both: of those between them it is.
    """
    denies = any(True for _ in negations(tokens)) or any(token.text in NOBODY for token in tokens)
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
        column = columns[0]
        days = {row: day for row, day in index.series[column].items() if row not in index.summaries}
        ends = {low for low in (first, last) if low in days.values()}
        inside = denies and tokens[opening].text == "between" and len(ends) > 1
        rows = frozenset(
            row for row, day in days.items() if first <= day <= last and not (inside and day in ends)
        )
        bound = " ".join(token.text for token in tokens[opening:end])
        yield Link.of_column(opening, end, column, rows, bound, 2)


def _span_from(tokens: tuple[Token, ...], start: int) -> tuple[int, float, float] | None:
    """Return where the words for two days end, and their numbers; None where these are not told.

    The year of the second is that of the first, where that tells none.
    """
    join = next((n for n in range(start + 1, len(tokens)) if tokens[n].text in JOINS_OF_TIMES), None)
    if join is None or join - start > _LONGEST_DATE:
        return None
    for end in range(min(len(tokens), join + 1 + _LONGEST_DATE), join + 2, -1):
        last = _day(tokens[join + 1 : end])
        if last is None or last.number is None:
            continue
        first = _day(tokens[start:join])
        if first is not None and first.date.startswith("--") and not last.date.startswith("--"):
            first = parse_date(f"{last.date[:4]}{first.date[1:]}")
        told_alike = first is not None and first.date.startswith("--") == last.date.startswith("--")
        if first is None or first.number is None or not told_alike or first.number >= last.number:
            return None
        return end, first.number, last.number
    return None


def _day(tokens: tuple[Token, ...]) -> Value | None:
    """Return the day that words tell; None where they tell none."""
    if not any(token.text in MONTHS for token in tokens):
        return None
    value = parse_date(" ".join(token.text for token in tokens if token.text != ","))
    return value if value is not None and tells_a_day(value.date) else None


_LONGEST_DATE = 5
