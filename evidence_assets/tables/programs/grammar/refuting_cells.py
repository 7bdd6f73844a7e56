"""The cells that a statement is refuted by where no row has all that it says: what the rows have instead."""

from __future__ import annotations

from evidence_assets.tables.programs.grammar.row_programs import Meet, Where
from evidence_assets.tables.programs.grammar.truth_programs import All, Not, Some
from evidence_assets.tables.programs.grammar.types import Cells, Truth
from evidence_assets.tables.programs.index.table_index import TableIndex

# More rows are not the one that a statement is of.
_MOST_ROWS = 3


def refuting_cells(program: Truth, index: TableIndex) -> Cells:
    """Return the cells of the rows that some row of a program is nearest to, in the columns it speaks of.

    Of `Elm and Height > 40` the name and the height of Elm. None where rows are as near as many others.
    """
    if isinstance(program, All):
        return frozenset(cell for part in program.parts for cell in refuting_cells(part, index))
    if isinstance(program, Not):
        return refuting_cells(program.part, index)
    if not isinstance(program, Some) or not isinstance(program.rows, Meet):
        return frozenset()
    parts = [part for part in program.rows.parts if isinstance(part, Where) and part.link.places]
    rows = _nearest_rows(parts, index)
    columns = {column for part in parts for column in _columns(part, rows)}
    return frozenset((row, column) for row in rows for column in columns)


def _nearest_rows(parts: list[Where], index: TableIndex) -> frozenset[int]:
    """Return the rows that a part names by their label, else those of which most parts are so."""
    label = index.table.label_column
    named = [part.run(index).rows for part in parts if label in part.link.places and not part.link.bound]
    found = [part.run(index).rows for part in parts]
    candidates = frozenset[int]().union(*(named or found))
    counts = {row: sum(row in rows for rows in found) for row in candidates}
    most = max(counts.values(), default=0)
    nearest = frozenset(row for row, count in counts.items() if count == most)
    return nearest if len(nearest) <= _MOST_ROWS else frozenset()


def _columns(part: Where, rows: frozenset[int]) -> list[int]:
    """Return the columns that a part found something in: of the rows, or else at all."""
    columns = [column for column, found in part.link.places.items() if found & rows]
    return columns or list(part.link.places)
