"""What the readers of questions and claims over tables share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from evidence_assets.sources.files import open_binary, text_lines
from evidence_assets.sources.questions.reading import Entry, named_place
from evidence_assets.sources.questions.validation import RecordRejectedError, optional_text, required_list
from evidence_assets.sources.records import (
    GoldCell,
    Question,
    RejectedRecord,
    TableRecord,
    UnusableSourceError,
)
from evidence_assets.sources.tables.delimited import BrokenRowError
from evidence_assets.sources.tables.reading import decoded, holds_something

SUPPORTS, REFUTES, UNKNOWN = "SUPPORTS", "REFUTES", "NOT ENOUGH INFORMATION"
TWO_LABELS, THREE_LABELS = (SUPPORTS, REFUTES), (SUPPORTS, REFUTES, UNKNOWN)


class MissingTableError(RecordRejectedError):
    """The file of a question's table cannot be opened."""


def about(question: Question, table: TableRecord, gold_cells: Sequence[GoldCell] = ()) -> Question:
    """The question with the table that it is about, and the cells that its authors name."""
    return replace(question, table=table, gold_cells=tuple(gold_cells))


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


def table_file(
    uri: str, key: str, caption: str, rows_of: Callable[[str], Sequence[Sequence[str]]]
) -> TableRecord:
    """A table from a file of its own, whose first row names the columns.

    Raises:
        MissingTableError: the file is absent.
        RecordRejectedError: it is not text in UTF-8, or holds nothing below its first row.
    """
    try:
        with open_binary(uri) as stream:
            content = stream.read()
        rows = rows_of(decoded(content))
    except UnusableSourceError as error:
        raise MissingTableError(f"its table {key} cannot be read: {error.reason}", error.remedy) from error
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise RecordRejectedError(
            f"line {line} of its table {key} is not UTF-8", "save the table as UTF-8"
        ) from error
    except BrokenRowError as error:
        reason = f"its table {key} is not CSV behind row {error.row} ({error})"
        raise RecordRejectedError(reason, "take the published file") from error
    return checked_table(key, caption, rows[:1], rows[1:])


def tab_separated(uri: str, needed: Sequence[str], identifier: str = "") -> Iterator[Entry | RejectedRecord]:
    """Yields the lines of a file without quoting, by the names that its first line gives.

    Raises:
        UnusableSourceError: the file is absent, or its first line lacks a needed name.
    """
    lines = text_lines(uri)
    first = next(lines, (1, ""))
    names = [] if isinstance(first, RejectedRecord) else [name.strip() for name in first[1].split("\t")]
    check_names(uri, names, needed)
    for line in lines:
        if isinstance(line, RejectedRecord):
            yield line
            continue
        number, text = line
        if not text.strip():
            continue
        cells = text.split("\t")
        if len(cells) != len(names):
            reason = f"{len(cells)} cells where the first line names {len(names)}"
            yield RejectedRecord(f"line {number}", reason, "part the cells by one tab each")
            continue
        fields: Mapping[str, object] = dict(zip(names, cells, strict=True))
        yield Entry(number, named_place(f"line {number}", fields.get(identifier)), fields)


def check_names(uri: str, names: Sequence[str], needed: Sequence[str]) -> None:
    """Refuse a file whose first line lacks a name.

    Raises:
        UnusableSourceError: it does.
    """
    missing = [name for name in needed if name not in names]
    if missing:
        raise UnusableSourceError(
            uri,
            "line 1",
            f"the first line does not name {', '.join(missing)}",
            "give the file in the public form of this benchmark, with its line of names",
        )
