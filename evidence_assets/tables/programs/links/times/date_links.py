"""Links of a claim's dates to the cells that say as much."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import replace
from datetime import date

from evidence_assets.tables.cell_dates import is_finer_than_a_year, parse_days
from evidence_assets.tables.programs.index.kept import kept_for_indexes
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import HeaderLink, Link, LinkedClaim
from evidence_assets.tables.programs.wording.words import Token, word_key
from evidence_assets.tables.programs.wording.words import tokens as words_of
from evidence_assets.tables.programs.wording.words_of_time import BEGINNING, ENDING
from evidence_assets.tables.table import Kind, Value
from evidence_assets.text.calendar_words import MONTHS
from evidence_assets.text.dates import LEAP_YEAR, date_at
from evidence_assets.text.words import word_set


def date_links(tokens: tuple[Token, ...], index: TableIndex) -> list[Link]:
    """Return links of dates, at least of a month and year, to the cells that agree at their precision.

    Left out where the table's dates are less precise than the claim's: they can neither bear it out nor
    contradict it.
    """
    dates, of_no_year = _full_dates(index), _days_in_figures(index)
    if not dates and not of_no_year:
        return []
    in_numbers, least = _told_as(index) if dates else (False, 0)
    days = {**(dates if in_numbers else {}), **of_no_year}
    links: list[Link] = []
    texts = [token.text for token in tokens]
    position = 0
    while position < len(tokens):
        told, end = date_at(texts, position) or (None, position)
        day_end, day = day_at(tokens, position)
        places: dict[int, frozenset[int]] | None = None
        if told is not None and len(told.iso) <= least:
            places, bound = _agreeing(dates, told.iso, str.startswith), f"in {told.iso}"
        elif day and days:
            end, places, bound = day_end, _agreeing(days, day, str.endswith), f"on {day[1:]}"
        if places is not None:
            matched = meant_places(places, tokens, position, index)
            if not any(matched.values()) and is_of_the_caption(tokens, range(position, end), index):
                position = end
                continue
            links.append(Link(position, end, matched, frozenset(matched), end - position, bound=bound))
        position = max(end, position + 1)
    return links


def is_of_the_caption(tokens: tuple[Token, ...], span: range, index: TableIndex) -> bool:
    """Return whether a caption tells a date as it is said: it is that of all rows, though of no cell.

    Not where the claim names a column of times, `cleaned in June`.
    """
    of_times = {key for column in index.dates_and_years for key in index.headers[column]}
    if any(token.key in of_times for token in tokens):
        return False
    date, caption = [tokens[n].key for n in span if not tokens[n].stop], [*index.caption_words]
    return any(caption[n : n + len(date)] == date for n in range(len(caption)))


_Dates = dict[int, dict[int, str]]


def _told_in(dates: _Dates) -> Iterator[str]:
    """Yield the dates of all rows and columns."""
    for cells in dates.values():
        yield from cells.values()


def _agreeing(dates: _Dates, said: str, agrees: Callable[[str, str], bool]) -> dict[int, frozenset[int]]:
    """Return the rows of each column whose date agrees with what is said."""
    return {
        column: frozenset(row for row, iso_date in cells.items() if agrees(iso_date, said))
        for column, cells in dates.items()
    }


def day_at(tokens: tuple[Token, ...], start: int) -> tuple[int, str]:
    """Return the end and the form `-05-12` of a day and month, `12 May`, `May 12`; empty without one."""
    for day, month in ((start, start + 1), (start + 1, start)):
        end = max(day, month) + 1
        if end > len(tokens) or tokens[month].text not in MONTHS or tokens[month].number is not None:
            continue
        number = tokens[day].number
        if tokens[day].text.isalpha() and not tokens[day].ordinal:
            # `In April one was sold`.
            continue
        if number is not None and 1 <= number <= _DAYS and number == int(number):
            return end, f"-{MONTHS[tokens[month].text]:02d}-{int(number):02d}"
    return start, ""


_DAYS = 31


@kept_for_indexes
def _told_as(index: TableIndex) -> tuple[bool, int]:
    """Return whether a table's dates are all of days, with months in numbers, and the least that they tell.

    Months in words are found as words. The least is the length of an ISO date.
    """
    dates = _full_dates(index)
    in_numbers = all(
        len(iso_date) == _WHOLE_DATE and not any(map(str.isalpha, index.table.rows[row][column].text))
        for column, cells in dates.items()
        for row, iso_date in cells.items()
    )
    return in_numbers, min(map(len, _told_in(dates)))


_WHOLE_DATE = len("2000-01-01")


def meant_places(
    places: dict[int, frozenset[int]], tokens: tuple[Token, ...], start: int, index: TableIndex
) -> dict[int, frozenset[int]]:
    """Return the rows that a date means, of the column named before it, else of all that have some."""
    named = named_before(tokens, start, index, places)
    if named is not None:
        return {named: places[named]}
    return {column: rows for column, rows in places.items() if rows} or places


def named_before(
    tokens: tuple[Token, ...], start: int, index: TableIndex, columns: Container[int]
) -> int | None:
    """Return the only one of some columns that is named in full right before a date: of `opened in May`."""
    word = tokens[max(0, _word_before(tokens, start))]
    key, said = word.key, {token.key for token in tokens[:start]}
    named = [
        column
        for column in sorted(index.dates_and_years)
        if key in index.headers[column]
        and {token.key for token in words_of(index.table.header[column])} <= said
    ] or columns_of_ends(index, word)
    is_one = len(named) == 1 and named[0] in columns and len(index.dates_and_years) > 1
    return named[0] if is_one else None


def _word_before(tokens: tuple[Token, ...], start: int) -> int:
    """Return the place of the last word before a position that carries content, else the first; -1 at it."""
    return next((n for n in range(start - 1, 0, -1) if not tokens[n].stop), min(start - 1, 0))


def columns_of_ends(index: TableIndex, verb: Token) -> list[int]:
    """Return the columns of when rows began, or of when they ended, as a verb says: `was finished` the end.

    None unless the table tells both.
    """
    columns = [
        [column for column in index.dated if not keys.isdisjoint(index.headers[column])] for keys in _ENDS
    ]
    if not all(columns):
        return []
    return next((of_verb for of_verb, keys in zip(columns, _ENDS, strict=True) if verb.key in keys), [])


def of_ends(linked: LinkedClaim, links: list[Link]) -> list[Link]:
    """Return the links, dates behind a verb of beginning or ending in the columns of that alone.

    The verb is then the header of the column: of `finished in January`.
    """
    index, meant = linked.index, []
    for item in links:
        place = _word_before(linked.tokens, item.start)
        is_date = len(index.dated) > 1 and bool(item.places) and item.places.keys() <= {*index.dated}
        columns = columns_of_ends(index, linked.tokens[place]) if is_date and place >= 0 else []
        if len(columns) != 1:
            meant.append(item)
            continue
        (column,) = columns
        rows = {column: item.places.get(column, frozenset())}
        meant.append(replace(item, places=rows, full=frozenset(rows)))
        if not linked.in_header(place):
            head = HeaderLink(place, place + 1, frozenset({column}), 1.0)
            linked.headers = sorted([*linked.headers, head], key=lambda span: span.start)
            linked.unknown = [n for n in linked.unknown if n != place]
    return meant


# Verbs and headers, as keys, of when something began, and of when it ended.
_ENDS = tuple(
    frozenset(map(word_key, words))
    for words in (
        BEGINNING | word_set("beginning commence from opened"),
        ENDING | word_set("finishes complete completed completion until to due"),
    )
)


def links_of_days(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield `from 3 to 7 March` as the rows that took these days; without a year, in whichever year."""
    cells = {
        column: {
            row: cell.value
            for row, cell in enumerate(index.table.column(column))
            if cell.value.kind is Kind.DATE and cell.value.high is not None
        }
        for column in index.dated
    }
    spans = {column: values for column, values in cells.items() if values}
    position = 0
    while spans and position < len(tokens):
        end, days = _days_at(tokens, position)
        if days is not None:
            with_year = not days.date.startswith("--")
            places = {
                column: frozenset(
                    r for r, v in values.items() if _ends(v, with_year) == _ends(days, with_year)
                )
                for column, values in spans.items()
            }
            bound = f"from {' '.join(token.text for token in tokens[position:end])}"
            start = position - (position > 0 and tokens[position - 1].text == "from")
            yield Link(start, end, places, frozenset(places), end - position, bound=bound)
        position = max(end, position + 1)


def _days_at(tokens: tuple[Token, ...], start: int) -> tuple[int, Value | None]:
    """Return the end of the longest span of days that begins at a token, and the span; None without one."""
    number = tokens[start].number
    if number is None or tokens[start].text.isalpha():
        return start, None
    for end in range(min(len(tokens), start + _LONGEST_SPAN), start + _SHORTEST_SPAN - 1, -1):
        days = parse_days(" ".join(token.text for token in tokens[start:end]))
        if days is not None:
            return end, days
    return start, None


def _ends(value: Value, with_year: bool) -> tuple[str, ...]:
    """Return the first and the last day of a span, in ISO form or as month and day."""
    origin = 0 if value.date[:4].isdigit() else date(LEAP_YEAR, 1, 1).toordinal() - 1
    days = (date.fromordinal(origin + int(end or 0)).isoformat() for end in (value.low, value.high))
    return tuple(day if with_year else day[len("2000-") :] for day in days)


# `3 to 7 March`, and `28 February to 5 March 2019`.
_SHORTEST_SPAN, _LONGEST_SPAN = 4, 6


@kept_for_indexes
def _full_dates(index: TableIndex) -> _Dates:
    """Return the dates of months or days in years, by column and row."""
    full_dates = {}
    for column in index.dated:
        cells = enumerate(index.table.column(column))
        dates = {row: cell.value.date for row, cell in cells if cell.value.kind is Kind.DATE}
        if dates and all(map(_tells_month_and_year, dates.values())):
            full_dates[column] = dates
    return full_dates


@kept_for_indexes
def _days_in_figures(index: TableIndex) -> _Dates:
    """Return the days that columns write in figures without a year, as `01.03.`; words are found as words."""
    days = {}
    for column in index.dated:
        cells = [cell for cell in enumerate(index.table.column(column)) if cell[1].value.kind is Kind.DATE]
        if all(cell.value.date.startswith("--") and not _has_letters(cell.text) for _, cell in cells):
            days[column] = {row: cell.value.date for row, cell in cells}
    return days


def _has_letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _tells_month_and_year(iso_date: str) -> bool:
    return is_finer_than_a_year(iso_date) and not iso_date.startswith("--")
