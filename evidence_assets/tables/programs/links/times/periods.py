"""Spans of time that a claim sets: before and after a date, between two years."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.cell_dates import is_finer_than_a_year, parse_date
from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.columns.inexact_cells import days_of, stands
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.links.times.days_between import links_between_days
from evidence_assets.tables.programs.links.times.opened_times import opened_times
from evidence_assets.tables.programs.links.times.times_of_day import at_clock
from evidence_assets.tables.programs.wording.trigger_lexicon import denies
from evidence_assets.tables.programs.wording.words import (
    AUXILIARIES,
    Token,
    is_inflected,
    word_keys,
)
from evidence_assets.tables.programs.wording.words_of_time import (
    BEGINNING,
    ENDING,
    JOINS_OF_TIMES,
)
from evidence_assets.tables.table import Kind, Value
from evidence_assets.text.calendar_words import MONTHS
from evidence_assets.text.dates import FIRST_YEAR, LAST_YEAR
from evidence_assets.text.words import word_set, words

_OPENINGS = frozenset({"between", "from", "during", "in", "of"})


def period_links(tokens: tuple[Token, ...], index: TableIndex) -> list[Link]:
    """Return the links of a claim's spans of time to the rows that lie in them."""
    links = [*_between(tokens, index), *links_between_days(tokens, index)]
    linked = positions_of(links)
    candidates = (
        *at_clock(tokens, index),
        *_ends_of_ranges(tokens, index),
        *_beside(tokens, index),
        *_empty_months(tokens, index),
        *_years_of_dates(tokens, index),
    )
    for link in candidates:
        if linked.isdisjoint(positions_of([link])):
            links.append(link)
            linked |= positions_of([link])
    return links


def _empty_months(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield `in April` as no row, where the table's dates tell months and none is in April."""
    if not any(token.text in MONTHS for token in tokens):
        return
    months = [
        column
        for column in index.dated
        if all(
            is_finer_than_a_year(cell.value.date)
            for cell in index.table.column(column)
            if cell.value.kind is Kind.DATE
        )
    ]
    for position in range(1, len(tokens)):
        token, before = tokens[position], tokens[position - 1]
        beside = [*tokens[position + 1 : position + 2], before]
        if (
            months
            and token.text in MONTHS
            and token.key not in index.postings
            and token.key not in index.header_postings
            and token.key not in index.caption
            and before.text in _OPENINGS
            and all(neighbour.number is None for neighbour in beside)
        ):
            places: dict[int, frozenset[int]] = dict.fromkeys(months[:1], frozenset())
            yield Link(position, position + 1, places, frozenset(places), 1, bound=f"in {token.text}")


def _years_of_dates(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield the years of `in 1975`, `in 1975 or 1976` that no cell says by itself, as the dates in them.

    A year without rows, or that rows with ranges of years go through, is linked only where the claim denies:
    whether something affirmed happened then, such a column does not tell.
    """
    is_denied = denies(tokens)
    words_of_table = (index.postings, index.header_postings, index.caption)
    for position in range(1, len(tokens) if index.years else 0):
        token, before = tokens[position], tokens[position - 1]
        if not tells_a_year(token) or any(token.key in words for words in words_of_table):
            continue
        is_listed = before.text in _JOINING and position > 1 and tells_a_year(tokens[position - 2])
        if before.text in _IN_TIME or is_listed:
            column, year = _column_of_years(tokens[: position - 1], index), float(token.number or 0)
            firsts, lasts = index.years[column], index.last_years(column)
            rows = frozenset(row for row, first in firsts.items() if first <= year <= lasts.get(row, first))
            rows -= index.summaries
            if is_denied or (rows and not lasts):
                yield Link(position, position + 1, {column: rows}, frozenset({column}), 1, token.number)


_IN_TIME, _JOINING = frozenset({"in", "during"}), frozenset({"or", "and", "nor"})


def tells_a_year(token: Token) -> bool:
    """Return whether a number of four digits is a year."""
    return token.number is not None and FIRST_YEAR <= token.number <= LAST_YEAR and len(token.text) == 4


def _between(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    for position in range(1, len(tokens) - 2):
        first, join, last = tokens[position : position + 3]
        if not (tells_a_year(first) and tells_a_year(last) and join.text in JOINS_OF_TIMES):
            continue
        opening = tokens[position - 1].text
        if opening not in _OPENINGS or (join.text == "and" and opening != "between"):
            continue
        low, high = float(first.number or 0), float(last.number or 0)
        if {low, high} <= index.years_of_columns:
            continue
        if index.years:
            column = _column_of_years(tokens[: position - 1], index)
            rows = frozenset(row for row, year in index.years[column].items() if low <= year <= high)
            condition = f"between {low:g} and {high:g}"
            yield Link.of_column(position, position + 3, column, rows, condition, 2)


def _column_of_years(before: tuple[Token, ...], index: TableIndex) -> int:
    """Return the column of years that words name last, of `was acquired after 2010`; else the first."""
    said = {token.key for token in before} | _OF_ANY_YEAR
    named = [column for column in index.years if said.issuperset(index.headers[column])]
    for token in reversed(before):
        columns = [column for column in named if token.key in index.headers[column]]
        if len(columns) == 1:
            return columns[0]
    return next(iter(index.years))


# Keys of headers of years that a claim hardly says.
_OF_ANY_YEAR = word_keys("year date last first in")


def is_of_a_state(tokens: tuple[Token, ...], position: int, index: TableIndex) -> bool:
    """Return whether `since` tells when a state began: `has been open since 2019`, not `was built since`.

    Then what it is since is said of the row itself, not a bound; of a column `Since` so is what rows have
    had since then.
    """
    texts = [token.text for token in tokens[:position]]
    if tokens[position].text == "since" and _tells_since(index) and _goes_on(texts):
        return True
    places = [n for n, text in enumerate(texts) if text == "be" and "have" in texts[max(0, n - 2) : n]]
    if tokens[position].text != "since" or not places or "there" in texts or places[-1] + 1 == position:
        return False
    following = tokens[places[-1] + 1]
    is_verb = (
        following.text.endswith("ng")
        or following.text in _DONE
        or (is_inflected(following.text) and not following.text.endswith("s"))
    )
    return following.number is None and following.text != "no" and not is_verb


# Past forms that look like no others: of `has been set since`.
_DONE = word_set("set won put cut")


def _goes_on(texts: list[str]) -> bool:
    """Return whether what is said goes on: of who `has rented` a plot, not of who has joined."""
    return any(texts[n - 1] == "have" and texts[n] in _LASTING for n in range(1, len(texts)))


_LASTING = word_set("have held kept owned rented lived worked served led known belonged stood occupied used")


def _tells_since(index: TableIndex) -> bool:
    """Return whether a column of times is headed by `since`: `Member since`."""
    return any(
        "since" in words(index.table.header[column].lower()) for column in (*index.years, *index.dated)
    )


def _is_denied(clause: tuple[Token, ...]) -> bool:
    """Return whether a clause denies its verb, or opens with a word for none: `has not won`."""
    texts = [token.text for token in clause]
    if texts[:1] and texts[0] in _NOBODY:
        return True
    denial = next((n for n in range(1, len(texts)) if texts[n] in {"not", "never"}), None)
    if denial is None or texts[denial - 1] not in AUXILIARIES:
        return False
    return not any(text in AUXILIARIES and text != "be" for text in texts[denial + 1 :])


_NOBODY = frozenset({"no", "none", "nobody", "neither"})


def _beside(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield what lies before a time, behind it or up to it: `before 2010`, `by the end of May`."""
    for time in opened_times(tokens):
        opening, date = tokens[time.start].text, time.date
        ended = _ended(tokens, date.start, index) if opening == "until" else None
        if ended is not None:
            column, rows, end = ended
            bound = f"until {_phrase(tokens, range(date.start, end))}"
            yield Link.of_column(time.start, end, column, rows, bound, end - date.start)
            continue
        if time.is_than and len(date) == 1:
            # A year is a number like others.
            continue
        relation = time.relation
        if opening == "since" and _is_denied(tokens[: time.start]):
            # `Have not won since 1983` is of the years behind that.
            relation = ">"
        if is_of_a_state(tokens, time.start, index):
            relation = "=" if len(date) == 1 else ""
        bounded = _bounded(tokens, date, relation, index) if relation else None
        if bounded is not None:
            column, rows, untold = bounded
            bound = f"{relation} {_phrase(tokens, date)}"
            yield Link.of_column(time.start, time.end, column, rows, bound, len(date), untold)


def _phrase(tokens: tuple[Token, ...], span: range) -> str:
    return " ".join(token.text for token in tokens[span.start : span.stop])


def _ends_of_ranges(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield `began in 1979`, `ended in the 1980s`: of the years that the only column of ranges tells.

    Of years worked also `was first worked in 1979`.
    """
    texts = [token.text for token in tokens]
    verbs = [n for n, text in enumerate(texts) if text in _BEGINNING | _ENDING]
    columns = [column for column in index.years if index.last_years(column)] if verbs else []
    for verb in verbs if len(columns) == 1 and not index.clocks else ():
        (column,) = columns
        headed = texts[verb] in {"first", "last"}
        if headed and not any(token.key in index.headers[column] for token in tokens[verb + 1 : verb + 2]):
            continue
        place = verb + 1 + headed
        start = place + 1 + (texts[place + 1 : place + 2] == ["the"])
        if texts[place : place + 1] != ["in"] or start >= len(tokens) or not tells_a_year(tokens[start]):
            continue
        begins = texts[verb] in _BEGINNING
        ends = index.years[column] if begins else index.last_years(column)
        years, end = _years_at(tokens, start)
        rows = frozenset(row for row, year in ends.items() if year in years)
        untold = index.rows - index.summaries - ends.keys()
        bound = f"{'from' if begins else 'until'} {' '.join(texts[start:end])}"
        yield Link.of_column(verb, end, column, rows, bound, end - verb, untold)


_BEGINNING, _ENDING = BEGINNING | {"first"}, ENDING | {"last"}


def _years_at(tokens: tuple[Token, ...], start: int) -> tuple[range, int]:
    """Return the years of `1984`, `1980s` at a position, and where that ends."""
    first = int(tokens[start].number or 0)
    of_decade = [token.text for token in tokens[start + 1 : start + 2]] == ["s"]
    return range(first, first + (_DECADE if of_decade else 1)), start + 1 + of_decade


def _ended(
    tokens: tuple[Token, ...], start: int, index: TableIndex
) -> tuple[int, frozenset[int], int] | None:
    """Return the column of ranges of years, its rows that ended in a year or a decade, and where that ends.

    None where no such column is told, or no year.
    """
    ranges = (column for column in index.years if index.last_years(column))
    column = next(ranges, None)
    if column is None or start >= len(tokens) or not tells_a_year(tokens[start]):
        return None
    years, end = _years_at(tokens, start)
    return column, frozenset(row for row, last in index.last_years(column).items() if last in years), end


_DECADE = 10


# A column of dates, its rows that lie as told from a date, and those of which it is not told.
_RowsInTime = tuple[int, frozenset[int], frozenset[int]]


def _bounded(tokens: tuple[Token, ...], span: range, relation: str, index: TableIndex) -> _RowsInTime | None:
    """Return the column of dates, its rows that lie as told from a date, and those of which it is not told.

    None where the column or the date is missing.
    """
    phrase = tokens[span.start : span.stop]
    if not phrase:
        return None
    # `By the end of May, two were paid`: where a claim begins with a time, what is meant stands behind it.
    before = tokens[: span.start] if any(not token.stop for token in tokens[: span.start]) else tokens
    if len(phrase) == 1 and phrase[0].text in MONTHS and phrase[0].number is None:
        return _beside_a_month(phrase[0].text, relation, before, index)
    if len(phrase) == 1:
        if not tells_a_year(phrase[0]) or not index.years or phrase[0].number in index.years_of_columns:
            return None
        column = _column_of_years(tokens[: span.start], index)
        goes_on = relation in {">", ">="} and any(token.text == "still" for token in tokens[: span.start])
        # What was still made after 1873 was so until later.
        years = index.years[column] | (index.last_years(column) if goes_on else {})
        rows = operations.rows_within(years, relation, float(phrase[0].number or 0))
        return column, rows, frozenset()
    value = parse_date(" ".join(token.text for token in phrase if token.text != ","))
    return None if value is None else _beside_a_date(value, relation, before, index)


def _beside_a_date(
    value: Value, relation: str, before: tuple[Token, ...], index: TableIndex
) -> _RowsInTime | None:
    """Return `before 5 June 2014`, by the first column of dates that can be compared with it.

    Those come first that the words before it name.
    """
    said = {token.key for token in before}
    for column in sorted(index.dated, key=lambda column: _is_unsaid(index.headers[column], said)):
        dates = {
            row: cell_date
            for row, cell in enumerate(index.table.column(column))
            if cell.value.kind is Kind.DATE and (cell_date := _as_told_like(cell.value.date, value.date))
        }
        if dates:
            stand = {row: _stands_in_time(date, relation, value.date) for row, date in dates.items()}
            rows = frozenset(row for row, is_so in stand.items() if is_so)
            return column, rows, frozenset(row for row, is_so in stand.items() if is_so is None)
    return None


def _is_unsaid(header: tuple[str, ...], said: set[str]) -> tuple[bool, bool]:
    """Return whether a header of times is not said in full, and not but for what any may have."""
    return not said.issuperset(header), not (said | _OF_ANY_YEAR).issuperset(header)


def _as_told_like(cell_date: str, date: str) -> str:
    """Return a cell's date without its year where another tells none; empty where they are not comparable."""
    if cell_date.startswith("--") or not date.startswith("--"):
        return cell_date if cell_date.startswith("--") == date.startswith("--") else ""
    return f"-{cell_date[len('2000') :]}" if is_finer_than_a_year(cell_date) else ""


def _stands_in_time(cell_date: str, relation: str, date: str) -> bool | None:
    """Return whether a date is before another, behind it or in it; None where it is told less exactly."""
    cell, (first, last) = days_of(cell_date), days_of(date)
    if relation == "=":
        is_in = first <= cell[0] and cell[1] <= last
        return is_in or (False if cell[1] < first or last < cell[0] else None)
    end = first if relation in ("<", ">=") else last
    return stands(cell, relation, (end, end))


def _beside_a_month(
    name: str, relation: str, before: tuple[Token, ...], index: TableIndex
) -> _RowsInTime | None:
    """Return `before September` by the only column of dates that are of one year, or tell none.

    Of several that one which the words before it name.
    """
    said = {token.key for token in before}
    months_by_column = {column: months for column in index.dated if (months := _months_of(index, column))}
    named = [column for column in months_by_column if said.issuperset(index.headers[column])]
    columns = named if len(months_by_column) > 1 else [*months_by_column]
    if len(columns) != 1:
        return None
    (column,) = columns
    months = months_by_column[column]
    rows = operations.rows_within(months, relation, float(MONTHS[name]))
    return column, rows, index.rows - index.summaries - months.keys()


def _months_of(index: TableIndex, column: int) -> dict[int, float]:
    """Return the months of a column's dates, by row; none of dates of several years, told or not."""
    if max(index.series[column].values(), default=0.0) > _DAYS_OF_A_YEAR and not any(
        cell.value.date[:4].isdigit() for cell in index.table.column(column)
    ):
        return {}
    dates = enumerate(cell.value.date for cell in index.table.column(column))
    parts = {row: _year_and_month(date) for row, date in dates}
    months = {row: float(month) for row, (_, month) in parts.items() if month}
    return months if len({parts[row][0] for row in months}) == 1 else {}


# Days without a year that stand behind these are of the next one.
_DAYS_OF_A_YEAR = 366


def _year_and_month(date: str) -> tuple[str, str]:
    """Return the year and the month of a date, each empty where it is not told."""
    year, _, month_and_day = date.replace("--", "-", 1).partition("-")
    return year, month_and_day[:2]
