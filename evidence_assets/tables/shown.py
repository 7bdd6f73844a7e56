"""Rendering of tables with a cell address for every cell, and the cell citations of replies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evidence_assets.evidence.citations import VALID, mark, quoted
from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.table import Kind, Table, address

# [R3.C2], or several in one pair of brackets.
# No table has a row of ten digits; Python refuses to read a number of thousands.
_CITED = re.compile(r"\[\s*(R\d{1,9}\.C\d{1,9}(?:\s*[,;]\s*R\d{1,9}\.C\d{1,9})*)\s*\]")
_ADDRESS = re.compile(r"R(\d+)\.C(\d+)")
# A hyphen between words or numbers, as in COVID-19 and 2007-2011, is not a sign.
_NUMBER = re.compile(r"(?:(?<!\w)[-−+])?(?:\d+(?:[.,]\d+)*|(?<!\d)\.\d+)")
# Numbers more characters than this before a citation do not belong to it.
_NEAR = 60
_CLOSE = 1e-9

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ShownTable:
    """Some columns and rows of a table. `columns`, `rows`: numbers, in the order of the table."""

    table: Table
    columns: tuple[int, ...]
    rows: tuple[int, ...]

    def text(self, rows: Sequence[int] | None = None) -> str:
        """Return the table as lines: caption, columns, then a row a line with every cell's address."""
        shown = set(self.rows if rows is None else rows)
        lines = [quoted_line(self.table.caption)] if self.table.caption else []
        lines.append(
            " | ".join(f"C{column + 1} {quoted_line(self.table.header[column])}" for column in self.columns)
        )
        for row in self.rows:
            if row in shown:
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
    return _CITED.sub(r"(\1)", quoted(" ".join(text.split())))


def read_out(table: Table, place: Place) -> str:
    """Return the evidence text of a cell: its address, its row's and column's names, its text."""
    row, column = place
    if row < 0:
        return f"{address(row, column)}: {table.header[column]}"
    label = table.label(row)
    named = (
        f"{label}, {table.header[column]}" if label and column != table.label_column else table.header[column]
    )
    return f"{address(row, column)}: {named}: {table.rows[row][column].text}"


def read_cell_citations(text: str, shown: ShownTable) -> tuple[str, list[Place], str]:
    """Return an argument with its addresses as [E1]…, the cells it cites, and the citation status.

    A citation is valid if the cell is shown and, where numbers are stated of it, one of them is the cell's.
    The numbers stated of a cell stand between the previous citation and its own.
    """
    places: dict[Place, int] = {}
    problems: list[str] = []
    pieces: list[str] = []
    end = 0
    for match in _CITED.finditer(text):
        statement = text[end : match.start()]
        # Anything else that looks like an evidence mark in the reply is disarmed.
        pieces.append(quoted(statement))
        end = match.end()
        cited = [(int(row) - 1, int(column) - 1) for row, column in _ADDRESS.findall(match[1])]
        for place in cited:
            if not shown.holds(place):
                problems.append(f"no such cell: {address(*place)}")
                pieces.append(f"({address(*place)})")
                continue
            pieces.append(mark(places.setdefault(place, len(places) + 1)))
        problems += _wrong_numbers(statement, [place for place in cited if shown.holds(place)], shown.table)
    pieces.append(quoted(text[end:]))
    status = VALID if places and not problems else "; ".join(dict.fromkeys(problems)) or "nothing cited"
    return "".join(pieces), list(places), status


def _wrong_numbers(statement: str, cited: Sequence[Place], table: Table) -> Iterator[str]:
    """Yield a problem for each cited cell where the stated numbers match no cited cell."""
    nearby = (match for match in _NUMBER.finditer(statement) if match.start() >= len(statement) - _NEAR)
    numbers = [value for value in (_number(match[0]) for match in nearby) if value is not None]
    if not numbers:
        return
    cited_numbers = {place: _numbers_of(table, place) for place in cited}
    if any(
        abs(number - cited_number) <= _CLOSE * max(1, abs(cited_number))
        for cell_numbers in cited_numbers.values()
        for cited_number in cell_numbers
        for number in numbers
    ):
        return
    for (row, column), cell_numbers in cited_numbers.items():
        if cell_numbers:
            yield f"number differs: {table.rows[row][column].text} at {address(row, column)}"


def _numbers_of(table: Table, place: Place) -> tuple[float, ...]:
    """Return the numbers of a cell's value and every number written in it; for a date no ordinal."""
    cell = table.rows[place[0]][place[1]]
    value = cell.value
    typed = () if value.kind is Kind.DATE else (value.number, value.low, value.high, *value.numbers)
    written = (_number(match) for match in _NUMBER.findall(f"{cell.text} {value.date}"))
    return tuple(number for number in (*typed, *written) if number is not None)


def _number(text: str) -> float | None:
    return parse_value(text).number
