"""What the readers of plain tables share."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from typing import TypeAlias

from evidence_assets.sources.files import NamedFile, read_whole
from evidence_assets.sources.records import RejectedRecord, TableRecord
from evidence_assets.sources.validation import RecordRejectedError

Tables: TypeAlias = Iterator[TableRecord | RejectedRecord]
# (content, name) -> tables of one file, their keys beginning with its name.
FileReader: TypeAlias = Callable[[bytes, str], Tables]

# Of all tables of a file: cells that span, and the last cell of a sheet, make many out of few bytes.
MOST_CELLS = 5_000_000
# A number with its marks, and perhaps a unit behind it; a year, which names a column as well.
_NUMBER = re.compile(r"\W{0,3}\d[\d.,' ]*[^\w.,' ]{0,3}[^\W\d_]{0,3}")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
# A table of fewer columns may have a name for one of them alone.
_TITLED = 3
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_files(files: Iterable[NamedFile], read: FileReader) -> Tables:
    """Yields the tables of every file; one that holds nothing is rejected.

    Raises:
        UnusableSourceError: a file breaks off, or is too large to hold.
    """
    for file in files:
        yield from map(_with_content, read(read_whole(file.uri), file.name))


def of_text(read: Callable[[str, str], Tables]) -> FileReader:
    """Return the reader of a file whose text `read` takes; a file that is not text is rejected."""

    @wraps(read)
    def read_content(content: bytes, name: str) -> Tables:
        try:
            text = decoded(content)
        except UnicodeDecodeError as error:
            yield not_text(name, content, error)
        else:
            yield from read(text, name)

    return read_content


def decoded(content: bytes) -> str:
    """The text of a file in UTF-8, or in UTF-16 where its first bytes say so.

    Raises:
        UnicodeDecodeError: it is neither.
    """
    return content.decode("utf-16" if content.startswith(_WIDE_MARKS) else "utf-8-sig")


def not_text(name: str, content: bytes, error: UnicodeDecodeError, delimiter: str = "") -> RejectedRecord:
    """The refusal of a file that is not text, naming the line, and the field where a mark parts them."""
    before = content[: error.start]
    place = f"{name}, line {before.count(bytes([10])) + 1}"
    if delimiter:
        place += f", field {before.rpartition(bytes([10]))[2].count(delimiter.encode()) + 1}"
    reason = f"byte 0x{content[error.start]:02x} is not {error.encoding.upper()}"
    return RejectedRecord(place, reason, "save the file as UTF-8")


def check_size(cells: int) -> None:
    """Refuse tables of more cells than a machine holds.

    Raises:
        RecordRejectedError: they are.
    """
    if cells > MOST_CELLS:
        raise RecordRejectedError(
            f"its tables have more than {MOST_CELLS:,} cells, counting empty and spanned ones",
            "cut it into several files, and delete cells far from the others",
        )


def headed(key: str, rows: Sequence[Sequence[str]]) -> TableRecord:
    """A table whose first row names its columns; lines of a title above that one are its caption."""
    fixed = tuple(map(tuple, rows))
    titles = _titles(fixed)
    caption = " ".join(cell.strip() for row in fixed[:titles] for cell in row if cell.strip())
    return TableRecord(key, caption, fixed[titles : titles + 1], fixed[titles + 1 :], titles)


def _titles(rows: Sequence[Sequence[str]]) -> int:
    """Return how many lines with nothing but a first cell stand above a row that names every column.

    0 where none does, where there are fewer than three columns, or where that row has numbers, other than
    years, or the rows below it have none: a single name may be all that a header has.
    """
    filled = [[cell for cell in row if cell.strip()] for row in rows]
    titles = next((place for place, cells in enumerate(filled) if len(cells) > 1), 0)
    if not titles or len(filled[titles]) < _TITLED or not all(row[0].strip() for row in rows[:titles]):
        return 0
    below = filled[titles + 1 :]
    names_all = len(filled[titles]) == max(map(len, below), default=0)
    in_words = not _has_number(filled[titles])
    return titles if names_all and in_words and any(map(_has_number, below)) else 0


def _has_number(cells: Sequence[str]) -> bool:
    texts = map(str.strip, cells)
    return any(_NUMBER.fullmatch(text) is not None and _YEAR.fullmatch(text) is None for text in texts)


def holds_something(rows: Sequence[Sequence[str]]) -> bool:
    """Whether any cell of any row holds more than white space."""
    return any(cell.strip() for row in rows for cell in row)


def _with_content(record: TableRecord | RejectedRecord) -> TableRecord | RejectedRecord:
    if isinstance(record, RejectedRecord) or holds_something(record.rows):
        return record
    return RejectedRecord(
        record.key,
        "the table has no row with anything in it below its header",
        "give it rows below its header",
    )
