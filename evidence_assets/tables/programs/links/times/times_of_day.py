"""Times of day that a claim sets: before half past nine, between 8:00 and noon."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from statistics import median

from evidence_assets.tables.programs.index import operations
from evidence_assets.tables.programs.index.derived.hours import HoursTable, rows_open_at
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.links.times.hours_links import UNTIL, column_of_hours, describes_a_state
from evidence_assets.tables.programs.wording.words import Token, phrase_at, word_keys
from evidence_assets.tables.programs.wording.words_of_time import (
    JOINS_OF_TIMES,
    OPENINGS_OF_SPANS,
    RELATIONS_IN_TIME,
)


def at_clock(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield `before 9:30`, `after noon` as the rows whose time of day is so.

    The column is the only one of times, or the only one that the claim names.
    """
    for position, token in enumerate(tokens[:-1]):
        relation = RELATIONS_IN_TIME.get(token.text) or _AT_TIMES.get(token.text)
        clock = clock_time(tokens, position + 1) if relation is not None else None
        if relation is not None and clock is None and isinstance(index.table, HoursTable):
            clock = _bare_hour(tokens, position + 1)
        if relation is None or clock is None:
            continue
        end, _ = clock
        closing = (
            clock_time(tokens, end + 1)
            if tokens[end : end + 1] and tokens[end].text in JOINS_OF_TIMES
            else None
        )
        if (token.text in OPENINGS_OF_SPANS) != (closing is not None):
            continue
        if token.text in UNTIL and isinstance(index.table, HoursTable):
            # What is open until ten closes then.
            relation = "="
        columns, is_named = _columns_meant(tokens, position, index)
        if token.text == "at" and not is_named and not _is_of_a_clock(tokens[position + 1 : end]):
            continue
        if len(columns) == 1:
            yield _link_at(tokens, position, index, columns[0], relation, clock, closing)


def _link_at(
    tokens: tuple[Token, ...],
    position: int,
    index: TableIndex,
    column: int,
    relation: str,
    clock: tuple[int, float],
    closing: tuple[int, float] | None,
) -> Link:
    """Return the link of `before 9:30` to the rows whose time of day is so, of a span up to its `closing`."""
    (end, minutes), numbers = clock, index.series[column]
    minutes = _half_meant(tokens[position:end], minutes, numbers.values())
    minutes = _behind_midnight(minutes, relation, numbers.values())
    rows = operations.rows_within(numbers, relation, minutes)
    of_a_state = tokens[position].text == "at" and describes_a_state(tokens, position - 1)
    if of_a_state and isinstance(index.table, HoursTable):
        rows = rows_open_at(index.table, minutes)
    if closing is not None:
        opened, (end, closing_minutes) = end, closing
        closing_minutes = _half_meant(tokens[opened:end], closing_minutes, numbers.values())
        rows &= operations.rows_within(numbers, "<=", closing_minutes)
    text = " ".join(word.text for word in tokens[position:end])
    # Of a row without a time of day nothing is told.
    untold = index.rows - numbers.keys()
    if minutes == 2 * _NOON:
        # Whether a time in the small hours is before midnight or behind it is not told either.
        small_hours = operations.rows_within(numbers, "<", _SMALL_HOURS)
        rows, untold = rows - small_hours, untold | small_hours
    return Link.of_column(position, end, column, rows, text, end - position, untold)


def _bare_hour(tokens: tuple[Token, ...], position: int) -> tuple[int, float] | None:
    """Return where the `10` of `opens at 10` ends, and its minutes."""
    token = tokens[position] if position < len(tokens) else None
    if token is None or token.number is None or token.ordinal or not float(token.number).is_integer():
        return None
    ends = all(word.stop or word.mark for word in tokens[position + 1 : position + 2])
    return (position + 1, 60.0 * token.number) if ends and 0 < token.number <= _HOURS else None


def _behind_midnight(minutes: float, relation: str, column_minutes: Collection[float]) -> float:
    """Return a time of day as hours that end behind midnight have it: 2:00 is 26:00 there."""
    later = minutes + 2 * _NOON
    if max(column_minutes, default=0.0) <= 2 * _NOON or minutes in column_minutes:
        return minutes
    return later if minutes < _SMALL_HOURS or (relation == "=" and later in column_minutes) else minutes


def _columns_meant(tokens: tuple[Token, ...], position: int, index: TableIndex) -> tuple[list[int], bool]:
    """Return the columns of times of day that a claim may mean at a position, and whether it names one."""
    if isinstance(index.table, HoursTable):
        column = column_of_hours(tokens, position, index)
        return ([], False) if column is None else ([column], True)
    # The 1 of `line 1` is no first.
    keys = {token.key for token in tokens if token.number is None or token.ordinal}
    by_name = _named_whole(tokens, index) or _named_in_part(keys, index)
    leaving = [] if index.pair_of_clocks is None or _LEAVING.isdisjoint(keys) else index.clocks[:1]
    columns = by_name if len(by_name) == 1 else leaving or index.clocks
    return columns, bool(by_name or leaving)


def _named_whole(tokens: tuple[Token, ...], index: TableIndex) -> list[int]:
    """Return the columns of times whose whole header a claim says: RE 9 and not RE 5."""
    said = [token.key for token in tokens]
    return [
        column
        for column in index.clocks
        if (header := list(index.headers[column]))
        and any(said[n : n + len(header)] == header for n in range(len(said)))
    ]


def _named_in_part(keys: Collection[str], index: TableIndex) -> list[int]:
    """Return the columns of times whose headers have the most of a claim's words."""
    shared = {column: len(set(index.headers[column]).intersection(keys)) for column in index.clocks}
    return [column for column, count in shared.items() if count == max(shared.values()) > 0]


def hours_of_no_column(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[int]:
    """Yield where the number of a time of day stands that no column tells, by its half of the day.

    The 6 of `at 6 pm`, unless the table says what stands behind it.
    """
    for position, token in enumerate(() if index.clocks else tokens):
        if token.number is None:
            continue
        following = [word.text for word in tokens[position + 1 : position + 6]]
        if phrase_at(following, 0, _HALVES) and not index.says(tokens[position + 1].key):
            yield position


def _is_of_a_clock(words: Sequence[Token]) -> bool:
    """Return whether words tell a time of day wherever they stand: `half past six`, not `six`."""
    return any(":" in word.text or word.text in _OF_CLOCKS for word in words)


def _half_meant(words: Sequence[Token], minutes: float, column_minutes: Collection[float]) -> float:
    """Return a time of day that tells no half of the day, as the one nearer to what a column mostly tells.

    `By six o'clock` of shops that close between 17:30 and 20:00 is 18:00.
    """
    is_told = any(":" in word.text or word.text in _TELLING_HALVES for word in words)
    if is_told or minutes > _NOON or not column_minutes:
        return minutes
    usual = median(column_minutes)
    return min(minutes, minutes + _NOON, key=lambda moment: abs(moment - usual))


def clock_time(tokens: tuple[Token, ...], position: int) -> tuple[int, float] | None:
    """Return where a time of day ends that begins at a token, and its minutes; None where none does."""
    # `At a quarter past six`.
    position += position < len(tokens) and tokens[position].text == "a"
    if position >= len(tokens):
        return None
    token, following = tokens[position], [*(t.text for t in tokens[position + 1 : position + 5]), *[""] * 4]
    if token.text in _NAMED_TIMES:
        return position + 1, _NAMED_TIMES[token.text]
    if token.text in _PARTS_OF_AN_HOUR and following[0] in _PAST:
        hour = clock_time(tokens, position + 2)
        parted = _PARTS_OF_AN_HOUR[token.text] * _PAST[following[0]]
        return None if hour is None else (hour[0], hour[1] + parted)
    if token.number is None or token.ordinal or token.number > _HOURS * 60:
        return None
    half = phrase_at(following, 0, _HALVES)
    dotted = _DOTTED.fullmatch(token.text)
    minutes = token.number if ":" in token.text else 60 * token.number
    minutes = minutes if dotted is None else 60 * float(dotted[1]) + float(dotted[2])
    if not half:
        bare = token.text.isalpha() and token.number <= _HOURS and position + 1 < len(tokens)
        bare = bare and (tokens[position + 1].stop or tokens[position + 1].text in {".", ","})
        return (position + 1, minutes) if ":" in token.text or bare else None
    return position + 1 + len(half), minutes % _NOON + _HALVES[half]


# `11.05 pm`.
_DOTTED = re.compile(r"(\d{1,2})\.([0-5]\d)")
_NOON, _SMALL_HOURS = 720.0, 240.0
_NAMED_TIMES = {"noon": _NOON, "midday": _NOON, "midnight": 2 * _NOON}
# Which half of the day a time is of, as the minutes that it begins with.
_HALVES = {
    tuple(words.split()): noon
    for noon, phrases in (
        (0.0, ("am", "a . m .", "o ' clock", "in the morning")),
        (_NOON, ("pm", "p . m .", "in the afternoon", "in the evening", "at night")),
    )
    for words in phrases
}
# Of a time to leave and one to arrive, the first is the one to leave, whatever the headers call it.
_LEAVING = word_keys("leave depart")
_HOURS = 24
_OF_CLOCKS = frozenset({"past", "to", "clock", "m", "am", "pm", "morning", "afternoon", "evening", "night"})
_TELLING_HALVES = frozenset({"am", "pm", "m", "morning", "afternoon", "evening", "night", *_NAMED_TIMES})
_PARTS_OF_AN_HOUR, _PAST = {"half": 30.0, "quarter": 15.0}, {"past": 1, "to": -1}
# Words that a claim says times of day behind, besides those of dates.
_AT_TIMES = {"by": "<=", "at": "=", "between": ">=", "from": ">="}
