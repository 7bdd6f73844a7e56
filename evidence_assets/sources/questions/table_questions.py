"""Tables of questions from the fields of a record."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_assets.sources.records import TableRecord
from evidence_assets.sources.tables.reading import holds_something
from evidence_assets.sources.validation import RecordRejectedError, optional_text, required_list


def checked_table(
    key: str, caption: str, header_rows: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]
) -> TableRecord:
    """A table that holds something.

    Raises:
        RecordRejectedError: none of its rows does.
    """
    if not holds_something(rows):
        raise RecordRejectedError("its table has no row with anything in it", "take the file as published")
    return TableRecord(key, caption, tuple(map(tuple, header_rows)), tuple(map(tuple, rows)))


def text_rows(value: object, name: str) -> list[list[str]]:
    """Rows of cells from JSON; numbers are written as text, null as an empty cell.

    Raises:
        RecordRejectedError: it is no list of lists, or a cell is neither text nor a number.
    """
    rows = enumerate(required_list(value, name), start=1)
    return [text_cells(row, f"row {number} of {name}") for number, row in rows]


def text_cells(value: object, name: str) -> list[str]:
    """A row of cells from JSON, as `text_rows` takes them.

    Raises:
        RecordRejectedError: it is no list, or a cell is neither text nor a number.
    """
    cells = []
    for number, cell in enumerate(required_list(value, name), start=1):
        if isinstance(cell, str):
            # Only its check is wanted: a cell stays as published.
            optional_text(cell, f"cell {number} of {name}")
            cells.append(cell)
        elif cell is None or isinstance(cell, int | float):
            cells.append("" if cell is None else str(cell))
        else:
            raise RecordRejectedError(
                f"cell {number} of {name} is {type(cell).__name__}", "write cells as text or numbers"
            )
    return cells
