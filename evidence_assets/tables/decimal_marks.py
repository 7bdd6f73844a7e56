"""The decimal mark of a whole table: 2.310 is two thousand where another cell says 2,5."""

from __future__ import annotations

import re
from collections.abc import Iterable

from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.table import Cell, Kind, Rows, Value

_WITH_MARK = re.compile(r"(?<![0-9.,])([0-9]+)([.,])([0-9]+)(?![0-9]|[.,][0-9])")
_BOTH_MARKS = re.compile(r"(?<![0-9.,])[0-9]{1,3}(?:([.,])[0-9]{3})+(?!\1)[.,][0-9]+(?![0-9]|[.,][0-9])")
_POINTS_BETWEEN_THOUSANDS = re.compile(r"(?<![0-9.,])[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?![0-9]|[.,][0-9])")
_WHOLE = frozenset({Kind.NUMBER, Kind.PERCENTAGE})
_NUMERIC = frozenset({Kind.NUMBER, Kind.PERCENTAGE, Kind.RANGE, Kind.MIXED})


def parted_thousands(rows: Rows) -> dict[tuple[int, int], Value]:
    """Return, by row and column, the cells of a table whose points part thousands, as numbers.

    A lone point before three digits is the decimal mark by itself. It parts thousands where some number of
    the table has a comma that can only be the decimal mark, and none has such a point.
    """
    commas, points = _cells_with_marks(rows)
    if not commas or points & _WHOLE:
        return {}
    return {
        (row, column): parse_value(text)
        for row, cells in enumerate(rows)
        for column, cell in enumerate(cells)
        if (text := _without_points(cell)) != cell.text
    }


def has_decimal_commas(rows: Iterable[Iterable[Cell]]) -> bool:
    """Return whether commas are the decimal marks of whole cells, and points of none."""
    commas, points = _cells_with_marks(rows)
    return bool(commas & _WHOLE) and not points & _WHOLE


def _cells_with_marks(rows: Iterable[Iterable[Cell]]) -> tuple[set[Kind], set[Kind]]:
    """Return the kinds of the cells whose decimal marks are commas, and of those whose are points.

    Notes among a table's cells write numbers in other ways: `closed from 1.11.`, `version 2.0`.
    """
    kinds: dict[str, set[Kind]] = {",": set(), ".": set()}
    for row in rows:
        for cell in row:
            for mark in _decimal_marks(cell):
                kinds[mark].add(cell.value.kind)
    return kinds[","], kinds["."]


def _decimal_marks(cell: Cell) -> Iterable[str]:
    """Yield the marks of a cell that can be nothing but decimal marks."""
    if cell.value.kind not in _NUMERIC:
        return
    for match in _BOTH_MARKS.finditer(cell.text):
        yield "," if match[1] == "." else "."
    for integer, mark, fraction in _WITH_MARK.findall(cell.text):
        if len(fraction) != 3 or len(integer) > 3 or integer.startswith("0"):
            yield mark


def _without_points(cell: Cell) -> str:
    """Return a cell's text, without points between thousands where it has a number."""
    if cell.value.kind not in _NUMERIC:
        return cell.text
    return _POINTS_BETWEEN_THOUSANDS.sub(lambda match: match[0].replace(".", ""), cell.text)
