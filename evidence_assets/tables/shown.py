"""Rendering of tables with a cell address for every cell."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evidence_assets.evidence.citations import quoted
from evidence_assets.tables.table import Table, address

# [R3.C2], or several in one pair of brackets. Nine digits are enough for any table; Python refuses to read
# a number of thousands of them.
ADDRESSES = re.compile(r"\[\s*(R\d{1,9}\.C\d{1,9}(?:\s*[,;]\s*R\d{1,9}\.C\d{1,9})*)\s*\]")
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ShownTable:
    """Some columns and rows of a table. `columns`, `rows`: numbers, in the order of the table."""

    table: Table
    columns: tuple[int, ...]
    rows: tuple[int, ...]

    def text(self, rows: Sequence[int] | None = None) -> str:
        """Return the table as lines: caption, columns, then a row a line with every cell's address."""
        shown_rows = set(self.rows if rows is None else rows)
        lines = [quoted_line(self.table.caption)] if self.table.caption else []
        lines.append(
            " | ".join(f"C{column + 1} {quoted_line(self.table.header[column])}" for column in self.columns)
        )
        for row in self.rows:
            if row in shown_rows:
                cells = self.table.rows[row]
                lines.append(
                    " | ".join(
                        f"[{address(row, column)}] {quoted_line(cells[column].text)}"
                        for column in self.columns
                    )
                )
        return "\n".join(lines)

    def holds(self, place: Place) -> bool:
        """Tell whether a cell is shown."""
        return place[0] in self.rows and place[1] in self.columns


def quoted_line(text: str) -> str:
    """Return a text of the table or claim as one line, anything that looks like a citation disarmed."""
    return ADDRESSES.sub(r"(\1)", quoted(" ".join(text.split())))


def read_out(table: Table, place: Place) -> str:
    """Return the evidence text of a cell: its address, its row's and column's names, its text."""
    row, column = place
    if row < 0:
        return f"{address(row, column)}: {table.header[column]}"
    label = table.label(row)
    names = (
        f"{label}, {table.header[column]}" if label and column != table.label_column else table.header[column]
    )
    return f"{address(row, column)}: {names}: {table.rows[row][column].text}"
