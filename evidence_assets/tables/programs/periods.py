"""Spans of time that a claim sets: before and after a date, between two years."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.tables.cell_dates import FIRST_YEAR, LAST_YEAR, MONTHS, parse_date
from evidence_assets.tables.programs import operations
from evidence_assets.tables.programs.linking import Link, positions_of
from evidence_assets.tables.programs.table_index import TableIndex
from evidence_assets.tables.programs.words import Token, word_key
from evidence_assets.tables.table import Kind

_RELATIONS = {"before": "<", "after": ">", "since": ">=", "until": "<=", "prior": "<", "following": ">"}
_JOINS = frozenset({"-", "to", "and", "through", "until", "till"})
_OPENINGS = frozenset({"between", "from", "during", "in", "of"})
_LONGEST_DATE = 6


def period_links(tokens: tuple[Token, ...], index: TableIndex) -> list[Link]:
    """Return the links of a claim's spans of time to the rows that lie in them."""
    links = [*_between(tokens, index)]
    linked = positions_of(links)
    candidates = (*_at_clock(tokens, index), *_beside(tokens, index), *_empty_months(tokens, index))
    for link in candidates:
        if linked.isdisjoint(positions_of([link])):
            links.append(link)
            linked |= positions_of([link])
    return links


def _empty_months(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield `in April` as no row, where the table's dates tell months and none is in April."""
    months = [
        column
        for column in index.dated
        if all(
            len(cell.value.date) > _YEAR_ALONE
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
            and token.key not in index.caption
            and before.text in _OPENINGS
            and all(neighbour.number is None for neighbour in beside)
        ):
            places: dict[int, frozenset[int]] = dict.fromkeys(months[:1], frozenset())
            yield Link(position, position + 1, places, frozenset(places), 1, bound=f"in {token.text}")


_YEAR_ALONE = 4


def _at_clock(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield `before 9:30`, `after noon` as the rows whose time of day is so.

    The column is the only one of times, or the only one that the claim names.
    """
    for position, token in enumerate(tokens[:-1]):
        relation = _RELATIONS.get(token.text) or _AT_TIMES.get(token.text)
        clock = clock_time(tokens, position + 1) if relation is not None else None
        if relation is None or clock is None:
            continue
        end, minutes = clock
        closing = (
            clock_time(tokens, end + 1) if tokens[end : end + 1] and tokens[end].text in _JOINS else None
        )
        if (token.text in {"between", "from"}) != (closing is not None):
            continue
        keys = {token.key for token in tokens}
        by_name = [column for column in index.clocks if keys & set(index.headers[column])]
        leaving = index.clocks[:1] if len(index.clocks) > 1 and not _LEAVING.isdisjoint(keys) else []
        columns = by_name if len(by_name) == 1 else leaving or ([] if token.text == "at" else index.clocks)
        if len(columns) == 1:
            column = columns[0]
            rows = operations.rows_within(index.series[column], relation, minutes)
            if closing is not None:
                end, closing_minutes = closing
                rows &= operations.rows_within(index.series[column], "<=", closing_minutes)
            text = " ".join(word.text for word in tokens[position:end])
            yield Link.of_column(position, end, column, rows, text, end - position)


def clock_time(tokens: tuple[Token, ...], position: int) -> tuple[int, float] | None:
    """Return where a time of day ends that begins at a token, and its minutes; None where none does."""
    token, following = tokens[position], [*(t.text for t in tokens[position + 1 : position + 5]), *[""] * 4]
    if token.text in _NAMED_TIMES:
        return position + 1, _NAMED_TIMES[token.text]
    if token.text in _PARTS_OF_AN_HOUR and following[0] in _PAST:
        hour = clock_time(tokens, position + 2)
        parted = _PARTS_OF_AN_HOUR[token.text] * _PAST[following[0]]
        return None if hour is None else (hour[0], hour[1] + parted)
    if token.number is None or token.ordinal or token.number > _HOURS * 60:
        return None
    half = next(((words, noon) for words, noon in _HALVES if tuple(following[: len(words)]) == words), None)
    minutes = token.number if ":" in token.text else 60 * token.number
    if half is None:
        bare = token.text.isalpha() and token.number <= _HOURS and position + 1 < len(tokens)
        bare = bare and (tokens[position + 1].stop or tokens[position + 1].text in {".", ","})
        return (position + 1, minutes) if ":" in token.text or bare else None
    words, noon = half
    return position + 1 + len(words), minutes % _NOON + noon


_NOON = 720.0
_NAMED_TIMES = {"noon": _NOON, "midday": _NOON, "midnight": 2 * _NOON}
_HALVES = (
    *((tuple(words.split()), 0.0) for words in ("am", "a . m .", "o ' clock", "in the morning")),
    *((tuple(words.split()), _NOON) for words in ("pm", "p . m .", "in the afternoon", "in the evening")),
    (("at", "night"), _NOON),
)
# Of a time to leave and one to arrive, the first is the one to leave, whatever the headers call it.
_LEAVING = frozenset(map(word_key, ("leave", "depart")))
_HOURS = 24
_PARTS_OF_AN_HOUR, _PAST = {"half": 30.0, "quarter": 15.0}, {"past": 1, "to": -1}
# Words that a claim says times of day behind, besides those of dates.
_AT_TIMES = {"by": "<=", "at": "=", "between": ">=", "from": ">="}


_ENDS = {"first": False, "opening": False, "last": True, "final": True, "top": False, "bottom": True}


def slice_links(tokens: tuple[Token, ...], index: TableIndex) -> list[Link]:
    """Return links of `the first 3`, `the last two`, `the top 5` to so many rows, in the table's order."""
    links = []
    rows = sorted(index.rows)
    for position in range(1, len(tokens) - 1):
        end, token = _ENDS.get(tokens[position].text), tokens[position + 1]
        number = token.number
        if end is None or number is None or token.ordinal or tokens[position - 1].text not in _OPENING_SLICE:
            continue
        if (
            number != int(number)
            or not 1 <= number < len(rows)
            or tokens[position].text in index.header_postings
        ):
            continue
        slice_rows = rows[-int(number) :] if end else rows[: int(number)]
        places = {index.table.label_column or 0: frozenset(slice_rows)}
        bound = f"in the {tokens[position].text} {number:g}"
        links.append(Link(position, position + 2, places, frozenset(places), 2, bound=bound))
    return links


_OPENING_SLICE = frozenset({"the", "in", "their", "his", "her", "of", "its", "these", "all"})


def tells_a_year(token: Token) -> bool:
    """Return whether a number of four digits is a year."""
    return token.number is not None and FIRST_YEAR <= token.number <= LAST_YEAR and len(token.text) == 4


def _between(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    for position in range(1, len(tokens) - 2):
        first, join, last = tokens[position : position + 3]
        if not (tells_a_year(first) and tells_a_year(last) and join.text in _JOINS):
            continue
        opening = tokens[position - 1].text
        if opening not in _OPENINGS or (join.text == "and" and opening != "between"):
            continue
        low, high = float(first.number or 0), float(last.number or 0)
        if {low, high} <= set(index.year_columns.values()):
            continue
        for column, years in index.years.items():
            rows = frozenset(row for row, year in years.items() if low <= year <= high)
            condition = f"between {low:g} and {high:g}"
            yield Link.of_column(position, position + 3, column, rows, condition, 2)
            break


def is_of_a_state(tokens: tuple[Token, ...], position: int) -> bool:
    """Return whether `since` tells when a state began: `has been open since 2019`, not `was built since`.

    Then what it is since is said of the row itself, not a bound.
    """
    texts = [token.text for token in tokens[:position]]
    places = [n for n, text in enumerate(texts) if text == "be" and "have" in texts[max(0, n - 2) : n]]
    if tokens[position].text != "since" or not places or "there" in texts or places[-1] + 1 == position:
        return False
    following = tokens[places[-1] + 1]
    return following.number is None and following.text != "no" and not following.text.endswith(("ed", "ng"))


def _beside(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    for position, token in enumerate(tokens):
        relation = _RELATIONS.get(token.text)
        if relation is None:
            continue
        start = position + 1
        while start < len(tokens) and tokens[start].text in {"to", "the", "on"}:
            start += 1
        end = start
        while end < min(len(tokens), start + _LONGEST_DATE) and (
            tokens[end].text in MONTHS or tokens[end].number is not None or tokens[end].text == ","
        ):
            end += 1
        while end > start and tokens[end - 1].text == ",":
            end -= 1
        if is_of_a_state(tokens, position):
            relation = "=" if end - start == 1 else ""
        bounded = _bounded(tokens[start:end], relation, index) if relation else None
        if bounded is not None:
            column, rows = bounded
            bound = f"{relation} {' '.join(word.text for word in tokens[start:end])}"
            yield Link.of_column(position, end, column, rows, bound, end - start)


def _bounded(
    phrase: tuple[Token, ...], relation: str, index: TableIndex
) -> tuple[int, frozenset[int]] | None:
    """Return the column of dates and its rows that lie as told from a date; None where either is missing."""
    if not phrase:
        return None
    if len(phrase) == 1:
        if not tells_a_year(phrase[0]) or not index.years or phrase[0].number in index.year_columns.values():
            return None
        column = next(iter(index.years))
        return column, operations.rows_within(index.years[column], relation, float(phrase[0].number or 0))
    value = parse_date(" ".join(token.text for token in phrase if token.text != ","))
    if value is None or value.number is None:
        return None
    for column in index.dated:
        dates = {
            row: cell.value
            for row, cell in enumerate(index.table.column(column))
            if cell.value.kind is Kind.DATE and len(cell.value.date) > 4
        }
        if not dates:
            continue
        without_year = value.date.startswith("--")
        numbers = {
            row: number
            for row, date_value in dates.items()
            if (number := _comparable(date_value.date, without_year)) is not None
        }
        bound = _comparable(value.date, without_year)
        if numbers and bound is not None:
            return column, operations.rows_within(numbers, relation, bound)
    return None


def _comparable(date: str, without_year: bool) -> float | None:
    """Return a date as a number that grows with it; of a bare one, of its month and day alone."""
    parts = date.removeprefix("--").split("-")
    if not without_year:
        if date.startswith("--"):
            return None
        year, *month_and_day = parts
    else:
        year, month_and_day = "0", parts if date.startswith("--") else parts[1:]
    month, day = (*month_and_day, "0", "0")[:2]
    return int(year) * 10_000.0 + int(month) * 100 + int(day)
