"""Tables from HTML: every `<table>` of a page, cells that span repeated over what they span."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from evidence_assets.sources.records import RejectedRecord, TableRecord
from evidence_assets.sources.tables.reading import Tables, check_size, of_text
from evidence_assets.sources.validation import RecordRejectedError

# The limits of the HTML standard.
WIDEST_SPAN, TALLEST_SPAN = 1000, 65534
_NOT_SHOWN = frozenset({"script", "style", "template", "noscript"})
_PARTS_WORDS = frozenset({"br", "p", "div", "li", "tr", "hr", "ul", "ol"})


@of_text
def page_tables(page: str, name: str) -> Tables:
    """Yields every table of a page, its key the file's name and the table's number from 1.

    Rows of `<thead>`, and first rows of `<th>` alone, name the columns. A table inside a cell is a table of
    its own. Scripts and styles are dropped, raised text stays marked.
    """
    number = 0
    try:
        for number, table in enumerate(html_tables(page, name), start=1):  # noqa: B007 - counts after the loop
            yield table
    except RecordRejectedError as rejected:
        yield rejected.at(f"{name}, behind table {number}")
        return
    if not number:
        yield RejectedRecord(name, "the page has no <table>", "give a page that has one")


def html_tables(page: str, name: str) -> Iterator[TableRecord]:
    """Yields every table of a page, as `page_tables` does.

    Raises:
        RecordRejectedError: they have too many cells.
    """
    parser = _Tables()
    parser.feed(page)
    parser.close()
    cells = 0
    for number, drawn in enumerate(parser.drawn, start=1):
        rows: list[tuple[str, ...]] = []
        for row in drawn.grid():
            cells += len(row)
            check_size(cells)
            rows.append(row)
        count = drawn.header_count()
        caption = " ".join("".join(drawn.caption).split())
        yield TableRecord(f"{name}#{number}", caption, tuple(rows[:count]), tuple(rows[count:]))


@dataclass(slots=True)
class _CellDrawn:
    names_columns: bool
    columns: int
    rows: int
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join("".join(self.pieces).split())


@dataclass(slots=True)
class _TableDrawn:
    """A table while it is read; rows without cells do not count."""

    caption: list[str] = field(default_factory=list)
    # Whether `<thead>` holds it, and its cells.
    rows: list[tuple[bool, list[_CellDrawn]]] = field(default_factory=list)
    heading: bool = False
    captioning: bool = False
    open_cell: bool = False

    def grid(self) -> Iterator[tuple[str, ...]]:
        """The rows with spanning cells repeated; rows without cells are left out.

        Raises:
            RecordRejectedError: a row has too many cells.
        """
        below: dict[int, tuple[int, str]] = {}
        for _, cells in self.rows:
            if cells:
                check_size(sum(cell.columns for cell in cells))
                yield _spread(cells, below)

    def header_count(self) -> int:
        """Number of first rows that name the columns."""
        heads = [
            is_head or all(cell.names_columns for cell in cells) for is_head, cells in self.rows if cells
        ]
        # A table of nothing but <th> has its names in the first row alone.
        return min(len(heads), 1) if all(heads) else heads.index(False)


def _spread(cells: list[_CellDrawn], below: dict[int, tuple[int, str]]) -> tuple[str, ...]:
    """A row's cells with those that hang into it from above, which `below` holds by column and updates."""
    row: list[str] = []
    reach = max(below, default=-1)
    waiting = iter(cells)
    cell = next(waiting, None)
    while cell is not None or len(row) <= reach:
        column = len(row)
        if column in below or cell is None:
            row.append(_hanging(below, column))
            continue
        for spanned in range(column, column + cell.columns):
            _hanging(below, spanned)
            row.append(cell.text)
            if cell.rows > 1:
                below[spanned] = (cell.rows - 1, cell.text)
        cell = next(waiting, None)
    return tuple(row)


def _hanging(below: dict[int, tuple[int, str]], column: int) -> str:
    """The text of a row-spanning cell in this row; decrements the number of rows that it still spans."""
    rows_left, text = below.pop(column, (0, ""))
    if rows_left > 1:
        below[column] = (rows_left - 1, text)
    return text


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self._open: list[_TableDrawn] = []
        # The tables in the order in which they begin.
        self.drawn: list[_TableDrawn] = []
        self._hidden = 0

    def parse_marked_section(self, i: int, report: bool = True) -> int:
        """Pass over what begins with `<![`, as browsers do: the parser's own fails at words that it lacks."""
        return self.parse_bogus_comment(i, report)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _NOT_SHOWN:
            self._hidden += 1
        if self._hidden:
            return
        if tag == "table":
            self._open.append(_TableDrawn())
            self.drawn.append(self._open[-1])
        elif not self._open:
            return
        elif tag in {"td", "th"}:
            self._start_cell(tag, dict(attrs))
        elif tag in {"tr", "thead", "tbody", "tfoot", "caption"}:
            self._start_part(tag)
        elif tag == "sup":
            self._write("<sup>")
        elif tag in _PARTS_WORDS:
            self._write(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in _NOT_SHOWN:
            self._hidden = max(0, self._hidden - 1)
        if self._hidden or not self._open:
            return
        table = self._open[-1]
        if tag == "table":
            self._open.pop()
        elif tag in {"td", "th", "tr"}:
            table.open_cell = False
        elif tag == "thead":
            table.heading = table.open_cell = False
        elif tag == "caption":
            table.captioning = False
        elif tag == "sup":
            self._write("</sup>")
        elif tag in _PARTS_WORDS:
            self._write(" ")

    def handle_data(self, data: str) -> None:
        self._write(data)

    def handle_entityref(self, name: str) -> None:
        self._write(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._write(f"&#{name};")

    def _start_part(self, tag: str) -> None:
        table = self._open[-1]
        table.open_cell = False
        table.captioning = tag == "caption"
        if tag == "tr":
            table.rows.append((table.heading, []))
        elif tag != "caption":
            table.heading = tag == "thead"

    def _start_cell(self, tag: str, attributes: dict[str, str | None]) -> None:
        table = self._open[-1]
        table.captioning = False
        if not table.rows:
            self._start_part("tr")
        tall = _span(attributes.get("rowspan"), TALLEST_SPAN)
        cell = _CellDrawn(
            tag == "th", max(1, _span(attributes.get("colspan"), WIDEST_SPAN)), tall or TALLEST_SPAN
        )
        table.rows[-1][1].append(cell)
        table.open_cell = True

    def _write(self, text: str) -> None:
        if self._hidden or not self._open:
            return
        table = self._open[-1]
        if table.captioning:
            table.caption.append(text)
        elif table.open_cell:
            table.rows[-1][1][-1].pieces.append(text)


def _span(written: str | None, limit: int) -> int:
    match = re.match(r"\s*(\d{1,9})", written or "1")
    return min(int(match[1]), limit) if match else 1
