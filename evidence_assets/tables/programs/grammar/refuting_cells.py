"""The cells that refute a statement that no row bears out: what the rows that it is of have instead."""

from __future__ import annotations

from evidence_assets.tables.programs.grammar.row_programs import Meet, Where
from evidence_assets.tables.programs.grammar.truth_programs import All, Every, Not, Some
from evidence_assets.tables.programs.grammar.types import Cells, Rows, Truth
from evidence_assets.tables.programs.index.table_index import TableIndex

# Beyond so many rows none of them is the one meant.
_MOST_ROWS = 3


def refuting_cells(program: Truth, index: TableIndex) -> Cells:
    """Return the cells of the rows nearest to what a program looks for in vain, in the columns it names.

    Of `Elm and Height > 40` the name and the height of Elm; of all rows that have something, what those
    without it have. None where more than three rows are equally near.
    """
    if isinstance(program, All):
        return frozenset(cell for part in program.parts for cell in refuting_cells(part, index))
    if isinstance(program, Not):
        return refuting_cells(program.part, index)
    if program.run(index).truth is not False:
        return frozenset()
    if isinstance(program, Every):
        parts = _parts(program.within)
        rows = program.scope.run(index).rows - program.within.run(index).rows
        rows = rows if len(rows) <= _MOST_ROWS else frozenset()
    elif isinstance(program, Some):
        parts = _parts(program.rows)
        rows = _nearest_rows(parts, index)
    else:
        return frozenset()
    columns = {column for part in parts for column in _columns(part, rows)}
    return frozenset((row, column) for row in rows for column in columns)


def _parts(rows: Rows) -> list[Where]:
    parts = rows.parts if isinstance(rows, Meet) else (rows,)
    return [part for part in parts if isinstance(part, Where) and part.link.places]


def _nearest_rows(parts: list[Where], index: TableIndex) -> frozenset[int]:
    """Return the rows that a part names by their label, else those of which most parts are so."""
    label = index.table.label_column
    named = [part.run(index).rows for part in parts if label in part.link.places and not part.link.bound]
    rows_by_part = [part.run(index).rows for part in parts]
    candidates = frozenset[int]().union(*(named or rows_by_part))
    counts = {row: sum(row in rows for rows in rows_by_part) for row in candidates}
    most = max(counts.values(), default=0)
    nearest = frozenset(row for row, count in counts.items() if count == most)
    return nearest if len(nearest) <= _MOST_ROWS else frozenset()


def _columns(part: Where, rows: frozenset[int]) -> list[int]:
    """Return the columns that a part found something in: of the rows, or else at all."""
    columns = [column for column, linked in part.link.places.items() if linked & rows]
    return columns or list(part.link.places)
