"""Whole cells in brackets, decided on a whole table: (63) is a loss where bare numbers stand around it."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import replace

from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.table import Cell, Kind, Rows, Value

_IN_BRACKETS = re.compile(r"\(\s?([0-9.][^()]*)\)(\s?%)?")
_AMOUNTS = frozenset({Kind.NUMBER, Kind.PERCENTAGE})

_Place = tuple[int, int]
# What cells say, by their row and column.
_Amounts = dict[_Place, Value]


def amount_in_brackets(text: str) -> Value | None:
    """Return what a cell that is wholly in brackets says inside them, if that is an amount without a sign."""
    match = _IN_BRACKETS.fullmatch(text.strip()) if text.lstrip().startswith("(") else None
    value = parse_value(match[1] + (match[2] or "")) if match else None
    return value if value is not None and value.kind in _AMOUNTS and value.number is not None else None


def text_as_read(cell: Cell) -> str:
    """Return a cell's text, that of a loss in brackets with a minus in their place."""
    text = cell.text.strip()
    is_loss = text.startswith("(") and text.endswith(")") and (cell.value.number or 0.0) < 0
    return f"-{text[1:-1].strip()}" if is_loss else cell.text


def losses_in_brackets(rows: Rows, label_column: int | None) -> Mapping[tuple[int, int], Value]:
    """Return, by row and column, the amounts in brackets of a table that are losses, as negative numbers.

    A loss has bare amounts of its kind in its column, none of them negative, and in its row: one in another
    column with brackets, several elsewhere, or one that is at least as large (the number of a note is not).
    Nothing is known of brackets that fill their column or their row (standard errors, counts behind
    percentages, costs), nor where each row has as many of them (results that do not count).
    """
    bracketed = {
        (row, column): value
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        if cell.value.kind is Kind.MIXED and (value := amount_in_brackets(cell.text)) is not None
    }
    if not bracketed:
        return {}
    first = 0 if label_column is None else label_column
    bare = {
        (row, column): cell.value
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        if column >= first and cell.value.kind in _AMOUNTS and cell.value.number is not None
    }
    return _losses(bracketed, bare)


def _losses(bracketed: _Amounts, bare: _Amounts) -> _Amounts:
    """Return the values of the amounts in brackets that are losses."""
    kinds_in_brackets, kinds = _kinds_by_column(bracketed), _kinds_by_column(bare)
    signed = {column for (_, column), value in bare.items() if _size(value) < 0}
    columns = {
        column
        for column, inside in kinds_in_brackets.items()
        if column not in signed and inside <= kinds[column]
    }
    if _have_as_many_a_row(bracketed, bare, columns):
        return {}
    beside: dict[int, list[float]] = defaultdict(list)
    for (row, column), value in bare.items():
        beside[row] += [_size(value)] if column not in columns else [math.inf]
    return {
        (row, column): replace(value, number=0.0 - _size(value), low=None, high=None)
        for (row, column), value in bracketed.items()
        if column in columns and (len(beside[row]) > 1 or max(beside[row], default=-math.inf) >= _size(value))
    }


def _size(value: Value) -> float:
    return value.number or 0.0


def _kinds_by_column(amounts: _Amounts) -> dict[int, set[Kind]]:
    kinds: dict[int, set[Kind]] = defaultdict(set)
    for (_, column), value in amounts.items():
        kinds[column].add(value.kind)
    return kinds


def _have_as_many_a_row(bracketed: _Amounts, bare: _Amounts, columns: Collection[int]) -> bool:
    """Return whether each row of several columns has as many brackets, as of results that do not count."""
    counts = dict.fromkeys((row for row, column in (*bracketed, *bare) if column in columns), 0)
    for row, column in bracketed:
        if column in columns:
            counts[row] += 1
    return len(columns) > 1 and len({*counts.values()}) == 1
