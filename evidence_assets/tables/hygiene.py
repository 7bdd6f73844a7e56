"""Published rows to a table that can be reasoned over: names made distinct, rows made even, cells typed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from evidence_assets.tables.bracketed_numbers import losses_in_brackets
from evidence_assets.tables.cell_text import clean_text
from evidence_assets.tables.cell_values import parse_value
from evidence_assets.tables.date_columns import clear_dates
from evidence_assets.tables.decimal_marks import parted_thousands
from evidence_assets.tables.table import EMPTY_CELL, Cell, Kind, Table, with_values
from evidence_assets.text.dates import FIRST_YEAR

MAXIMUM_COLUMNS = 20_000
MAXIMUM_CELL_CHARACTERS = 100_000
# A column names rows where at least these shares of its cells hold text, and a text of their own.
TEXT_SHARE = 0.6
DISTINCT_SHARE = 0.7
# Names in the first column may come again, in another group of rows.
FIRST_DISTINCT_SHARE = 0.5


class EmptyTableError(ValueError):
    """A table has no cell with anything in it."""


def make_table(
    table_id: str,
    caption: str,
    header_rows: Sequence[Sequence[str]],
    rows: Sequence[Sequence[str]],
    published_notes: Sequence[str] = (),
) -> Table:
    """Return the table of published rows, every cell cleaned and typed, and what was mended in its notes.

    The names of several header rows are joined, a name that spans columns standing over each of them (`LR`
    over `P` gives `LR P`). Without header rows the names are made up. Rows longer than the header get columns
    of made-up names, shorter ones empty cells. Columns and cells beyond the limits are cut. What the source
    tells below the table is in the notes, too.

    Raises:
        EmptyTableError: no row has a cell with anything in it.
    """
    notes = [f"below the table: {clean_text(note)}" for note in published_notes]
    header_rows, rows = _within_limits(header_rows, notes), _within_limits(rows, notes)
    width = max((_filled(row) for row in rows), default=0)
    if not width:
        raise EmptyTableError(f"table {table_id!r} has no row with anything in it")
    parts = _header_parts(header_rows)
    width = max(width, len(parts))
    has_header = any(parts)
    notes += _header_notes(parts, width) if has_header else ["the source gives no header: names were made up"]
    header = _distinct_names([*parts, *[""] * (width - len(parts))])
    padded = sum(max(0, width - len(row)) for row in rows)
    if padded:
        short = sum(len(row) < width for row in rows)
        notes.append(f"empty cells that fill up short rows: {padded}, in rows: {short}")
    cells = tuple(_even(row, width) for row in rows)
    if thousands := parted_thousands(cells):
        cells = with_values(cells, thousands)
        notes.append(f"commas are decimal marks, so points part thousands, in cells: {len(thousands)}")
    if dates := clear_dates(cells):
        cells = with_values(cells, dates)
        notes.append(f"dates that are clear from others of their column: {len(dates)}")
    label_column = find_label_column(cells)
    if losses := losses_in_brackets(cells, label_column):
        cells = with_values(cells, losses)
        notes.append(f"numbers in brackets among bare ones, read as negative: {len(losses)}")
    return Table(
        table_id=table_id,
        caption=clean_text(caption),
        header=header,
        rows=cells,
        label_column=label_column,
        has_header=has_header,
        padded=padded,
        notes=tuple(notes),
    )


def find_label_column(rows: Sequence[Sequence[Cell]]) -> int | None:
    """Return the column that names the rows, None where none does.

    The first column where it is mostly texts or dates of their own; else the first other column of mostly
    texts of their own; else the first column where it counts the rows, or each of its ranges is its own.
    """
    if not rows:
        return None
    first, *others = zip(*rows, strict=True)
    texts = _share(first, _is_text)
    if _distinct_share(first) >= (FIRST_DISTINCT_SHARE if texts >= TEXT_SHARE else DISTINCT_SHARE) and (
        texts >= TEXT_SHARE or _share(first, _is_time) >= TEXT_SHARE
    ):
        return 0
    for number, cells in enumerate(others, start=1):
        if _share(cells, _is_text) >= TEXT_SHARE and _distinct_share(cells) >= DISTINCT_SHARE:
            return number
    counts = len(rows) > 1 and _distinct_share(first) == 1 and _share(first, _is_count) == 1
    return 0 if counts else None


def _share(cells: Sequence[Cell], test: Callable[[Cell], bool]) -> float:
    return sum(map(test, cells)) / len(cells)


def _distinct_share(cells: Sequence[Cell]) -> float:
    """The share of distinct texts, empty ones not counted."""
    return len({cell.text.lower() for cell in cells if cell.value.kind is not Kind.EMPTY}) / len(cells)


def _is_text(cell: Cell) -> bool:
    """A mixed cell is a name with a number in it (Route 24) where letters are some of it."""
    if cell.value.kind is not Kind.MIXED or cell.value.number is not None:
        return cell.value.kind is Kind.TEXT
    letters = sum(map(str.isalpha, cell.text))
    return letters >= 2 and 4 * letters >= len(cell.text)


def _is_time(cell: Cell) -> bool:
    value = cell.value
    return value.kind is Kind.DATE or (value.kind is Kind.RANGE and min(value.numbers) >= FIRST_YEAR)


def _is_count(cell: Cell) -> bool:
    value = cell.value
    return value.kind is Kind.RANGE or (
        value.kind in {Kind.NUMBER, Kind.DATE} and value.number is not None and value.number.is_integer()
    )


def _within_limits(rows: Sequence[Sequence[str]], notes: list[str]) -> list[Sequence[str]]:
    limited: list[Sequence[str]] = []
    cut_columns = cut_cells = 0
    for row in rows:
        cells = row
        if len(cells) > MAXIMUM_COLUMNS:
            cut_columns = max(cut_columns, len(cells) - MAXIMUM_COLUMNS)
            cells = cells[:MAXIMUM_COLUMNS]
        if max(map(len, cells), default=0) > MAXIMUM_CELL_CHARACTERS:
            cut_cells += sum(len(raw) > MAXIMUM_CELL_CHARACTERS for raw in cells)
            cells = [raw[:MAXIMUM_CELL_CHARACTERS] for raw in cells]
        limited.append(cells)
    if cut_columns:
        notes.append(f"columns beyond {MAXIMUM_COLUMNS}, cut: {cut_columns}")
    if cut_cells:
        notes.append(f"cells cut to {MAXIMUM_CELL_CHARACTERS} characters: {cut_cells}")
    return limited


def _filled(row: Sequence[str]) -> int:
    """Number of a row's cells up to the last one that holds anything."""
    width = len(row)
    while width and not row[width - 1].strip():
        width -= 1
    return width


def _header_parts(header_rows: Sequence[Sequence[str]]) -> list[str]:
    """The joined names, as long as the longest header row; a name standing twice in a column is told once."""
    width = max(map(len, header_rows), default=0)
    cleaned = [[clean_text(name) for name in row] + [""] * (width - len(row)) for row in header_rows]
    for number in range(len(cleaned) - 1):
        cleaned[number] = _spanned(cleaned[number], cleaned[number + 1])
    return [
        " ".join(part for part, before in zip(parts, ("", *parts), strict=False) if part and part != before)
        for parts in (tuple(row[column] for row in cleaned) for column in range(width))
    ]


def _spanned(upper: Sequence[str], lower: Sequence[str]) -> list[str]:
    """An upper header row with each name repeated over the empty cells beside it that a name stands under."""
    names: list[str] = []
    spanning = ""
    for above, below in zip(upper, lower, strict=True):
        spanning = above or (spanning if below else "")
        names.append(spanning)
    return names


def _header_notes(parts: Sequence[str], width: int) -> Iterator[str]:
    if len(parts) < width:
        yield f"columns beyond the header, given names: {width - len(parts)}"
    unnamed = sum(not part for part in parts)
    if unnamed:
        yield f"columns without a name, given one: {unnamed}"
    repeated = len(parts) - unnamed - len({part for part in parts if part})
    if repeated:
        yield f"repeated column names, counted: {repeated}"


def _distinct_names(parts: Sequence[str]) -> tuple[str, ...]:
    """Names, each its own: an empty one is called by its number, a repeated one counted."""
    existing = {part for part in parts if part}
    names: dict[str, None] = {}
    uses: Counter[str] = Counter()
    for number, part in enumerate(parts, start=1):
        name = part or f"column {number}"
        if name in names or (not part and name in existing):
            name = next(
                numbered_name
                for numbered_name in _numbered(name, uses)
                if numbered_name not in existing and numbered_name not in names
            )
        names[name] = None
    return tuple(names)


def _numbered(name: str, uses: Counter[str]) -> Iterator[str]:
    while True:
        uses[name] += 1
        yield f"{name} ({uses[name] + 1})"


def _even(row: Sequence[str], width: int) -> tuple[Cell, ...]:
    cells = [_cell(raw) for raw in row[:width]]
    return (*cells, *[EMPTY_CELL] * (width - len(cells)))


def _cell(raw: str) -> Cell:
    if not raw:
        return EMPTY_CELL
    text = clean_text(raw)
    return Cell(raw, text, parse_value(text))
