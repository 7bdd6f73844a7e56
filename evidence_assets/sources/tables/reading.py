"""What the readers of plain tables share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from typing import TypeAlias

from evidence_assets.sources.files import NamedFile, read_whole
from evidence_assets.sources.records import RejectedRecord, TableRecord
from evidence_assets.sources.tables.layout import Span, layout_of
from evidence_assets.sources.validation import RecordRejectedError

Tables: TypeAlias = Iterator[TableRecord | RejectedRecord]
# (content, name) -> tables of one file, their keys beginning with its name.
FileReader: TypeAlias = Callable[[bytes, str], Tables]

# Of all tables of a file: cells that span, and the last cell of a sheet, make many out of few bytes.
MOST_CELLS = 5_000_000
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_files(files: Iterable[NamedFile], read: FileReader) -> Tables:
    """Yields the tables of every file; one that holds nothing is rejected.

    Raises:
        UnusableSourceError: a file breaks off, or is too large to hold.
    """
    for file in files:
        for record in map(_with_content, read(read_whole(file.uri), file.name)):
            yield replace(record, file=file.uri) if isinstance(record, TableRecord) else record


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


def headed(key: str, rows: Sequence[Sequence[str]], spans: Collection[Span] = ()) -> TableRecord:
    """A table whose first row names its columns, or several do; a title above is its caption.

    `spans`: cells that are merged, each with the text of all. Notes below the table are no rows of it.
    """
    fixed = tuple(map(tuple, rows))
    titles, names, notes = layout_of(fixed, spans)
    end = len(fixed) - notes
    return TableRecord(
        key,
        " ".join(_texts(fixed[:titles])),
        fixed[titles : titles + names],
        fixed[titles + names : end],
        titles,
        tuple(_texts(fixed[end:])),
    )


def _texts(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield what stands in rows, a text that is repeated over merged cells once, a title's commas kept."""
    for row in rows:
        filled = [cell for cell in row if cell.strip()]
        if len({*filled}) == 1:
            yield filled[0].strip()
        elif filled:
            joined = ",".join(filled) if all(cell[:1].isspace() for cell in filled[1:]) else " ".join(filled)
            yield joined.strip()


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
