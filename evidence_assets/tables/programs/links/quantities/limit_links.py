"""What rows measure against the limits that a column sets them: `below the normal range`, `too high`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import NamedTuple

from evidence_assets.tables.programs.index.content_words import content_keys
from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.wording.words import Token, phrase_at, word_keys
from evidence_assets.tables.programs.wording.words import tokens as tokens_of
from evidence_assets.tables.table import Cell, Kind

# Headers, as keys, of what a row's number should be between, be at most, and be at least.
_RANGES = word_keys("range reference interval normal")
_HIGHEST = word_keys("limit")
_LOWEST = word_keys("minimum reorder")
_BELOW, _ABOVE, _WITHIN, _OUTSIDE = "below", "above", "within", "outside"
# Words before the name of a range, the longer phrases first.
_POSITIONS: dict[tuple[str, ...], str] = {
    **dict.fromkeys((("out", "of"), ("outside", "of")), _OUTSIDE),
    **{(word,): _BELOW for word in ("below", "under", "beneath")},
    **{(word,): _ABOVE for word in ("above", "over", "exceeds", "exceed", "exceeded")},
    **{(word,): _WITHIN for word in ("within", "in", "inside")},
    ("outside",): _OUTSIDE,
}
_OF_RANGES = frozenset({"the", "its", "their", "a", "normal", "reference", "healthy", "usual", "allowed"})
_NAMES_OF_RANGES = frozenset({"range", "ranges", "interval", "limits"})
_JUDGED = {
    ("too", "high"): _ABOVE,
    ("too", "low"): _BELOW,
    ("elevated",): _ABOVE,
    ("raised",): _ABOVE,
    ("normal",): _WITHIN,
    ("abnormal",): _OUTSIDE,
}
_MOST_ADJECTIVES = 3


class _Limits(NamedTuple):
    """A column of limits: the lowest and highest number of each row, and the column that it is of."""

    column: int
    measured: int
    ends: dict[int, tuple[float, float]]
    is_range: bool

    def rows(self, index: TableIndex, position: str) -> frozenset[int]:
        """Return the rows whose number stands below its limits, above, within or outside them."""
        numbers = index.series[self.measured]
        # Of a single limit `below` and `above` are of its number: what keeps to a highest is below it.
        is_of_number = not self.is_range and position in (_BELOW, _ABOVE)
        ends = {row: _single(pair) for row, pair in self.ends.items()} if is_of_number else self.ends
        places = {row: _place(numbers[row], *ends[row]) for row in ends.keys() & numbers.keys()}
        if position == _OUTSIDE:
            return frozenset(row for row, place in places.items() if place != _WITHIN)
        return frozenset(row for row, place in places.items() if place == position)

    def untold(self, index: TableIndex) -> frozenset[int]:
        """Return the rows that lack a number or a limit."""
        return index.rows - (self.ends.keys() & index.series[self.measured].keys())


def _single(ends: tuple[float, float]) -> tuple[float, float]:
    """Return the finite end of a limit as both its ends."""
    finite = next(filter(math.isfinite, ends))
    return finite, finite


def _place(number: float, low: float, high: float) -> str:
    return _BELOW if number < low else _ABOVE if number > high else _WITHIN


def limit_links(tokens: tuple[Token, ...], index: TableIndex) -> Iterator[Link]:
    """Yield `below the reference range`, `too high` as the rows whose number stands so to their limits."""
    columns = [column for column, keys in enumerate(index.headers) if not _LIMITING.isdisjoint(keys)]
    all_limits = [limits for column in columns if (limits := _limits_of(index, column)) is not None]
    if len(all_limits) != 1:
        return
    (limits,) = all_limits
    said = {token.key for token in tokens}
    others = [c for c in index.numeric_columns if c not in limits[:2]]
    if any(not said.isdisjoint(index.headers[column]) for column in others):
        # What another column tells has these limits too, or others.
        return
    position = 0
    while position < len(tokens):
        end, place = _position_at(tokens, position, index, limits)
        if place:
            rows = limits.rows(index, place)
            both = (limits.measured, limits.column)
            bound = f"{place} {index.table.header[limits.column]}"
            yield Link(
                position,
                end,
                dict.fromkeys(both, rows),
                frozenset(both),
                1,
                bound=bound,
                undetermined=limits.untold(index),
            )
        position = max(end, position + 1)


_LIMITING = _RANGES | _HIGHEST | _LOWEST


def _limits_of(index: TableIndex, column: int) -> _Limits | None:
    """Return the limits that a column sets the numbers before it; None where it sets none."""
    keys, cells = set(index.headers[column]), index.table.column(column)
    ends = {row: pair for row, cell in enumerate(cells) if (pair := _ends(cell)) is not None}
    is_range = bool(keys & _RANGES) and any(cell.value.kind is Kind.RANGE for cell in cells)
    if not is_range and index.is_numeric(column) and keys & (_HIGHEST | _LOWEST):
        is_highest = bool(keys & _HIGHEST)
        # The limit of `<50` is 50.
        numbers = index.series[column] | {row: cell.end for row, cell in index.half_open[column].items()}
        ends = {row: (-math.inf, n) if is_highest else (n, math.inf) for row, n in numbers.items()}
    elif not is_range:
        return None
    measured = _measured_column(index, column, is_range=is_range)
    if measured is None or len(ends) < _SHARE * len(cells):
        return None
    return _Limits(column, measured, ends, is_range)


_SHARE = 0.8


def _measured_column(index: TableIndex, column: int, *, is_range: bool) -> int | None:
    """Return the column that limits are of; None where none, or nothing tells which.

    A range stands beside what it is of. Of several columns before a single limit it is of that which is named
    alike, in its unit: a minimum of the stock, though the price stands between.
    """
    before = [c for c in index.numeric(range(column)) if not index.tells_rows_apart(c)]
    before = [c for c in before if not index.is_of_codes(c) and c not in index.dates_and_years]
    if is_range and column - 1 in before:
        return column - 1
    before = [c for c in before if index.factor(column, c) == 1.0]
    if len(before) > 1:
        names = _words_of_name(index.table.header[column])
        before = [
            c
            for c in before
            if index.told_units[c] == index.told_units[column]
            and not names.isdisjoint(_words_of_name(index.table.header[c]))
        ]
    return before[0] if len(before) == 1 else None


def _words_of_name(name: str) -> frozenset[str]:
    """Return the keys of what a header calls its column, without what it tells in brackets."""
    return frozenset(content_keys(tokens_of(_IN_BRACKETS.sub("", name))))


_IN_BRACKETS = re.compile(r"[(\[].*?[)\]]")


def _ends(cell: Cell) -> tuple[float, float] | None:
    """Return the lowest and the highest number that a cell allows; None where it tells neither."""
    low, high = cell.value.low, cell.value.high
    if cell.value.kind is Kind.DATE or (low is None and high is None):
        return None
    return -math.inf if low is None else low, math.inf if high is None else high


def _position_at(
    tokens: tuple[Token, ...], start: int, index: TableIndex, limits: _Limits
) -> tuple[int, str]:
    """Return where words for a place among the limits end, and the place; empty where none begin."""
    texts = [token.text for token in tokens[start : start + 2]]
    judged = phrase_at(texts, 0, _JUDGED)
    if limits.is_range and judged:
        end = start + len(judged)
        names_range = end < len(tokens) and tokens[end].text in _NAMES_OF_RANGES
        return (start, "") if names_range else (end, _JUDGED[judged])
    opening = phrase_at(texts, 0, _POSITIONS)
    if not opening:
        return start, ""
    end = start + len(opening)
    header, named = set(index.headers[limits.column]), False
    while end < len(tokens) and end - start <= _MOST_ADJECTIVES + len(opening):
        token = tokens[end]
        is_name = token.key in header or (limits.is_range and token.text in _NAMES_OF_RANGES)
        if not is_name and token.text not in _OF_RANGES:
            break
        named, end = named or is_name, end + 1
    return (end, _POSITIONS[opening]) if named and not _is_of_others(tokens, end, index) else (start, "")


def _is_of_others(tokens: tuple[Token, ...], end: int, index: TableIndex) -> bool:
    """Return whether limits are said to be of what the table does not tell: `the limit of the law`."""
    opening = phrase_at([token.text for token in tokens], end, _SET_BY)
    if not opening:
        return False
    noun = next((token for token in tokens[end + len(opening) :] if not token.stop), None)
    return noun is not None and noun.number is None and not index.says(noun.key)


_SET_BY = (("of",), ("set", "by"), ("in",), ("under",))
