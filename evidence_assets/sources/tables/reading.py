"""What the readers of plain tables share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from evidence_assets.sources.files import named_files, open_binary, uncompressed_name
from evidence_assets.sources.records import RejectedRecord, TableRecord

# (content, name, header_rows) -> tables of one file.
FileReader: TypeAlias = Callable[[bytes, str, int], Iterator[TableRecord | RejectedRecord]]

_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")


def each_file(uri: str, read: FileReader, header_rows: int) -> Iterator[TableRecord | RejectedRecord]:
    """Yields the tables of a file, or of each file of a folder or glob; one that holds nothing is rejected.

    Raises:
        UnusableSourceError: there is no such file, or it breaks off.
    """
    for file in named_files(uri):
        with open_binary(file.uri) as stream:
            content = stream.read()
        yield from map(_with_content, read(content, file.name, header_rows))


def format_suffix(name: str) -> str:
    """The suffix of a file's format, without that of its compression."""
    return uncompressed_name(name.lower()).suffix


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


def parted(key: str, caption: str, rows: Sequence[Sequence[str]], header_rows: int) -> TableRecord:
    """A table whose first rows name its columns."""
    fixed = tuple(map(tuple, rows))
    return TableRecord(key, caption, fixed[:header_rows], fixed[header_rows:])


def holds_something(rows: Sequence[Sequence[str]]) -> bool:
    """Whether any cell of any row holds more than white space."""
    return any(cell.strip() for row in rows for cell in row)


def _with_content(record: TableRecord | RejectedRecord) -> TableRecord | RejectedRecord:
    if isinstance(record, RejectedRecord) or holds_something(record.rows):
        return record
    return RejectedRecord(
        record.key,
        "the table has no row with anything in it below its header",
        "give it rows, or say that it has no header",
    )
