"""Views of a table that programs compute over: all of it, the shown part, or all with mixed cells split.

A view numbers rows and columns anew; `View.place` maps its cells to their places in the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from evidence_assets.tables.shown import Place, ShownTable
from evidence_assets.tables.table import EMPTY_CELL, Cell, Kind, Table, Value

# A column is split where so much of what it holds is mixed, with as many numbers a cell.
MIXED_SHARE = 0.5
_MOST_PARTS = 4
# A glossary: terms and what they mean. The second column is of so many words, the first of so few.
_GLOSSARY_COLUMNS = 2
_MEANING_WORDS, _TERM_WORDS = 5.0, 4.0


@dataclass(frozen=True, slots=True)
class View:
    """A table as a program sees it. `rows`, `columns`: their numbers in the whole table."""

    table: Table
    rows: tuple[int, ...]
    columns: tuple[int, ...]

    def place(self, cell: Place) -> Place:
        """Return a cell's place in the whole table; row -1 is the header."""
        row, column = cell
        return (self.rows[row] if row >= 0 else row), self.columns[column]


def whole_view(table: Table) -> View:
    """Return all of a table."""
    return View(table, tuple(range(len(table.rows))), tuple(range(table.columns)))


def shown_part(shown: ShownTable) -> View:
    """Return the rows and columns that are shown."""
    table, rows, columns = shown.table, shown.rows, shown.columns
    label = table.label_column
    visible = replace(
        table,
        table_id=f"{table.table_id}/{','.join(map(str, columns))}/{','.join(map(str, rows))}",
        header=tuple(table.header[column] for column in columns),
        rows=tuple(tuple(table.rows[row][column] for column in columns) for row in rows),
        label_column=columns.index(label) if label in columns else None,
    )
    return View(visible, rows, columns)


def with_split_cells(table: Table) -> View:
    """Return a table with a column more for each number of its mixed columns (thesis 3.5, case 2).

    A column is split where most of what it holds is mixed and has the same count of numbers; cells without
    that count are empty in the new columns.
    """
    header, columns = list(table.header), list(range(table.columns))
    added: list[list[Cell]] = [[] for _ in table.rows]
    for column in range(table.columns):
        count = _parts(table, column)
        header += [f"{table.header[column]} ({part + 1})" for part in range(count)]
        columns += [column] * count
        for row, cells in enumerate(table.rows):
            added[row] += _split(cells[column], count)
    rows = tuple((*cells, *more) for cells, more in zip(table.rows, added, strict=True))
    split = replace(table, table_id=f"{table.table_id}/split", header=tuple(header), rows=rows)
    return View(split, tuple(range(len(table.rows))), tuple(columns))


def _parts(table: Table, column: int) -> int:
    """Return how many numbers the mixed cells of a column have, 0 where it is not to be split."""
    filled = [cell for cell in table.column(column) if cell.value.kind is not Kind.EMPTY]
    counts = Counter(len(cell.value.numbers) for cell in filled if cell.value.kind is Kind.MIXED)
    count, times = counts.most_common(1)[0] if counts else (0, 0)
    is_mixed = 2 <= count <= _MOST_PARTS and times >= MIXED_SHARE * len(filled)
    return count if is_mixed else 0


def _split(cell: Cell, count: int) -> Iterator[Cell]:
    numbers = cell.value.numbers if len(cell.value.numbers) == count else (None,) * count
    for number in numbers:
        if number is None:
            yield EMPTY_CELL
        else:
            text = f"{number:g}" if abs(number) < 1e6 else f"{number:.0f}"
            yield Cell(text, text, Value(Kind.NUMBER, number))


def is_glossary(table: Table) -> bool:
    """Tell whether a table lists terms with what they mean (thesis 3.5, case 4)."""
    if table.columns != _GLOSSARY_COLUMNS or not table.rows:
        return False
    terms, meanings = (
        sum(len(cell.text.split()) for cell in table.column(column)) / len(table.rows) for column in (0, 1)
    )
    words = sum(cell.value.kind in (Kind.TEXT, Kind.MIXED) for cell in table.column(1))
    return terms <= _TERM_WORDS and meanings >= _MEANING_WORDS and words >= len(table.rows) / 2
