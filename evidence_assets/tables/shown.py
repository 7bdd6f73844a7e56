"""A table as it is shown to a reader, every cell with its address, and what a reply cites of it."""

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
# What joins words or numbers, as in COVID-19 and 2007-2011, is no sign.
_NUMBER = re.compile(r"(?:(?<!\w)[-−+])?(?:\d+(?:[.,]\d+)*|(?<!\d)\.\d+)")
# Numbers that stand further before a mark are said of something else.
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
    """Return a text of the table, or of a claim, as one line: what looks like an address in it is none."""
    return _CITED.sub(r"(\1)", quoted(" ".join(text.split())))


def read_out(table: Table, place: Place) -> str:
    """Return a cell as evidence says it: its address, its row's and column's names, its text."""
    row, column = place
    if row < 0:
        return f"{address(row, column)}: {table.header[column]}"
    label = table.label(row)
    named = (
        f"{label}, {table.header[column]}" if label and column != table.label_column else table.header[column]
    )
    return f"{address(row, column)}: {named}: {table.rows[row][column].text}"


def read_cell_citations(text: str, shown: ShownTable) -> tuple[str, list[Place], str]:
    """Return an argument with [E1]… for its addresses, the cells it cites, and what is wrong, if anything.

    A citation is valid if the cell is shown, and if of the numbers said of it one is the cell's. Numbers said
    of a cell stand before its mark, after the mark before.
    """
    places: dict[Place, int] = {}
    problems: list[str] = []
    pieces: list[str] = []
    end = 0
    for found in _CITED.finditer(text):
        said = text[end : found.start()]
        # What looks like a mark of evidence in the reply's own words is none.
        pieces.append(quoted(said))
        end = found.end()
        cited = [(int(row) - 1, int(column) - 1) for row, column in _ADDRESS.findall(found[1])]
        for place in cited:
            if not shown.holds(place):
                problems.append(f"no such cell: {address(*place)}")
                pieces.append(f"({address(*place)})")
                continue
            pieces.append(mark(places.setdefault(place, len(places) + 1)))
        problems += _wrong_numbers(said, [place for place in cited if shown.holds(place)], shown.table)
    pieces.append(quoted(text[end:]))
    status = VALID if places and not problems else "; ".join(dict.fromkeys(problems)) or "nothing cited"
    return "".join(pieces), list(places), status


def _wrong_numbers(said: str, cited: Sequence[Place], table: Table) -> Iterator[str]:
    """Yield cells of which numbers are said, none of them theirs."""
    near = (found for found in _NUMBER.finditer(said) if found.start() >= len(said) - _NEAR)
    numbers = [one for one in (_number(found[0]) for found in near) if one is not None]
    if not numbers:
        return
    held = {place: _numbers_of(table, place) for place in cited}
    if any(
        abs(number - own) <= _CLOSE * max(1, abs(own))
        for numbers_ in held.values()
        for own in numbers_
        for number in numbers
    ):
        return
    for (row, column), own in held.items():
        if own:
            yield f"number differs: {table.rows[row][column].text} at {address(row, column)}"


def _numbers_of(table: Table, place: Place) -> tuple[float, ...]:
    """Return what a cell's value says and every number written in it; of a date no count of days."""
    cell = table.rows[place[0]][place[1]]
    value = cell.value
    typed = () if value.kind is Kind.DATE else (value.number, value.low, value.high, *value.numbers)
    written = (_number(found) for found in _NUMBER.findall(f"{cell.text} {value.date}"))
    return tuple(one for one in (*typed, *written) if one is not None)


def _number(text: str) -> float | None:
    return parse_value(text).number
