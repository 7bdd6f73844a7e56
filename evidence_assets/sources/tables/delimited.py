"""Tables from CSV and TSV files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import Any

from evidence_assets.sources.files import uncompressed_name
from evidence_assets.sources.records import RejectedRecord
from evidence_assets.sources.tables.reading import Tables, decoded, headed, not_text

DELIMITERS = (",", ";", "\t", "|")
LONGEST_FIELD = 1 << 26
# The first line by which spreadsheet programs name what parts the cells.
_NAMED_DELIMITER = re.compile(r"sep=([^\w\s]|\t)[ \t]*(?:\r\n|\r|\n|$)", re.IGNORECASE)
_FIRST_LINES, _FIRST_CHARACTERS = 20, 20_000
_QUOTED = re.compile(r'"[^"]*"')


class BrokenRowError(Exception):
    """A CSV text breaks its dialect's rules, behind the row of that number."""

    def __init__(self, row: int, problem: str) -> None:
        self.row = row
        super().__init__(problem)


def csv_rows(lines: Iterable[str], **dialect: Any) -> Iterator[tuple[int, list[str]]]:
    """Yields number and cells of the rows that hold any, however long; `dialect` is as in `csv.reader`.

    Raises:
        BrokenRowError: the text breaks the dialect's rules.
    """
    number, before = 0, csv.field_size_limit()
    reader = csv.reader(lines, **dialect)
    while True:
        # The limit is the process's, and others count on it: it is set back.
        csv.field_size_limit(LONGEST_FIELD)
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise BrokenRowError(number, str(error)) from error
        finally:
            csv.field_size_limit(before)
        number += 1
        if cells:
            yield number, cells


def csv_cells(text: str, **dialect: Any) -> list[list[str]]:
    """Return the rows of a CSV text that hold any cell, as `csv_rows` reads them."""
    return [cells for _, cells in csv_rows(io.StringIO(text, newline=""), **dialect)]


def delimited_tables(content: bytes, name: str, delimiter: str = "") -> Tables:
    """Yields one table a file, its key the file's name; blank lines are passed over.

    Without `delimiter` it is the one that a first line `sep=;` names, a tab in files whose name ends in .tsv
    or .tab, else the one of comma, semicolon, tab and bar that stands in most of the first lines. Cells may
    be in double quotes, but where tabs part them: quotes are then part of the cell. A file with an unclosed
    quote is rejected, as its rows would run together.
    """
    try:
        text = decoded(content)
    except UnicodeDecodeError as error:
        separator = delimiter or _delimiter(name, content.partition(b"\n")[0].decode("utf-8", "replace"))
        yield not_text(name, content, error, separator)
        return
    named = _NAMED_DELIMITER.match(text)
    text = text[named.end() :] if named else text
    separator = delimiter or (named[1] if named else _delimiter(name, text))
    try:
        if separator == "\t":
            rows = [line.split("\t") for line in re.split(r"\r\n|\r|\n", text) if line]
        else:
            rows = csv_cells(text, delimiter=separator, strict=True)
    except BrokenRowError as error:
        remedy = "write a quote inside a quoted cell twice, and close every quote"
        yield RejectedRecord(f"{name}, behind row {error.row}", f"not delimited text ({error})", remedy)
        return
    yield headed(name, rows)


def _delimiter(name: str, text: str) -> str:
    """Return the mark that parts most of a text's first lines, of these the commonest in the first."""
    if uncompressed_name(name.lower()).suffix in {".tsv", ".tab"}:
        return "\t"
    unquoted = _QUOTED.sub("", text[:_FIRST_CHARACTERS])
    lines = [line for line in unquoted.splitlines() if line.strip()][:_FIRST_LINES]
    return max(
        DELIMITERS,
        key=lambda mark: (sum(mark in line for line in lines), lines[0].count(mark) if lines else 0),
    )
