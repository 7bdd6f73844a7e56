"""Rows whose number lies above, below or within the range that another column tells: a reference range."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.readings.parts.proposal import Condition
from evidence_assets.tables.table import Cell, Kind
from evidence_assets.text.words import word_set

_LIMIT = re.compile(r"([<>≤≥])=?\s*(-?\d+(?:\.\d+)?)")
# Most of a column's cells tell ranges where it is one of ranges.
_MOST = 0.8
_RELATIONS = {
    **dict.fromkeys(word_set("above over exceed exceeds exceeded exceeding"), "above"),
    **dict.fromkeys(word_set("below under beneath"), "below"),
    **{"outside": "outside", "within": "within", "inside": "within", "in": "within"},
}
_Range = tuple[float, float]


def ranges_of_cells(wording: Wording) -> Iterator[Condition]:
    """Yield the rows whose number stands so to the range of a named column: `above the reference range`.

    The number is of a column that the question names, else of the first of numbers.
    """
    claim, index = wording.claim, wording.claim.index
    for head in claim.linked.headers:
        column = next(iter(head.columns))
        before = range(max(0, head.start - 2), head.start)
        word = next((n for n in before if claim.texts[n] in _RELATIONS), None)
        if word is None or len(head.columns) > 1:
            continue
        ranges = _ranges_of(index, column)
        measured = _measured(wording, ranges, column)
        if not ranges or measured is None:
            continue
        relation = _RELATIONS[claim.texts[word]]
        numbers = index.series[measured]
        rows = frozenset(
            row for row in ranges.keys() & numbers if _stands(numbers[row], relation, ranges[row])
        )
        name = f"{relation} {index.table.header[column]}"
        yield Condition(Link.of_column(word, word + 1, measured, rows, name), (column, measured), (word,))


def _measured(wording: Wording, ranges: Mapping[int, _Range], column: int) -> int | None:
    """Return the column of the numbers that are held against ranges."""
    index = wording.claim.index
    columns = [
        other
        for other in index.numeric_columns
        if other not in {column, index.table.label_column, *index.dated, *index.years}
        and len(ranges.keys() & index.series[other]) > len(ranges) / 2
    ]
    return next((other for other in columns if other in wording.named), columns[0] if columns else None)


def _ranges_of(index: TableIndex, column: int) -> dict[int, _Range]:
    """Return the ranges that a column tells by row; none where few of its cells tell any."""
    rows = [row for row in index.rows if index.table.rows[row][column].text.strip()]
    ranges = {row: ends for row in rows if (ends := _range_of(index.table.rows[row][column])) is not None}
    return ranges if len(ranges) >= _MOST * len(rows) else {}


def _range_of(cell: Cell) -> _Range | None:
    """Return the ends of a range, or of what lies on one side of a limit: `3.5–5.1`, `< 130`."""
    if cell.value.kind is Kind.RANGE and cell.value.low is not None and cell.value.high is not None:
        return cell.value.low, cell.value.high
    limit = _LIMIT.match(cell.text.strip())
    if limit is None:
        return None
    number, is_strict = float(limit[2]), limit[0].strip()[1:2] != "=" and limit[1] in "<>"
    if limit[1] in "<≤":
        return float("-inf"), math.nextafter(number, float("-inf")) if is_strict else number
    return math.nextafter(number, float("inf")) if is_strict else number, float("inf")


def _stands(number: float, relation: str, ends: _Range) -> bool:
    """Return whether a number stands so to a range."""
    low, high = ends
    places = {"above": number > high, "below": number < low, "within": low <= number <= high}
    return places.get(relation, not places["within"])
