"""What the readers of described concepts share: rows under a header, files of a folder, mapped relations."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePosixPath
from typing import NamedTuple

from evidence_assets.sources.files import COMPRESSION_SUFFIXES, NamedFile, text_lines
from evidence_assets.sources.questions.validation import RecordRejectedError
from evidence_assets.sources.records import RejectedRecord, Triple, TripleSource, UnusableSourceError


class Row(NamedTuple):
    """One line of a table: its number in the file, and its values by the header's names."""

    number: int
    values: Mapping[str, str]


class Reading(NamedTuple):
    """Mapping of a source's relation to one of ours; `backwards`: from its second end to its first."""

    relation: str
    backwards: bool = False

    def triple(self, first: str, second: str, record: str, source: str = "") -> Triple:
        """The triple of two keys that the source names in this order."""
        head, tail = (second, first) if self.backwards else (first, second)
        return keyed_triple(head, self.relation, tail, record, source)


def keyed_triple(head: str, relation: str, tail: str, record: str, source: str = "") -> Triple:
    """A triple between two concepts' keys, with a single provenance."""
    return Triple(
        head, relation, tail, sources=(TripleSource(source=source, record=record, licence=""),), by_key=True
    )


def unmapped(counts: Mapping[str, int], kind: str) -> Iterator[RejectedRecord]:
    """One rejection for every relation that has no counterpart here, with the number of its edges."""
    for name, count in sorted(counts.items()):
        yield RejectedRecord(
            f"{kind} {name}",
            f"edges of a relation without a counterpart here: {count:,}",
            "nothing to mend in the source; to keep them, map the relation in the reader of this format",
        )


def folder_file(uri: str, files: Sequence[NamedFile], *patterns: str) -> NamedFile:
    """The file of a folder whose name fits a pattern, with or without the suffix of a compression.

    Raises:
        UnusableSourceError: none fits, or more than one.
    """
    file = optional_folder_file(uri, files, *patterns)
    if file is None:
        raise UnusableSourceError(
            uri,
            "before the first record",
            f"no file {' or '.join(patterns)} in the folder",
            "name the folder that holds it, or fetch the file",
        )
    return file


def optional_folder_file(uri: str, files: Sequence[NamedFile], *patterns: str) -> NamedFile | None:
    """As `folder_file`, None where there is none.

    Raises:
        UnusableSourceError: more than one fits.
    """
    fitting = [
        file for file in files if any(fnmatchcase(_uncompressed(file.name), pattern) for pattern in patterns)
    ]
    if len(fitting) > 1:
        raise UnusableSourceError(
            uri,
            "before the first record",
            f"{', '.join(file.name for file in fitting)}: more than one file {' or '.join(patterns)}",
            "keep one of them in the folder",
        )
    return fitting[0] if fitting else None


def in_file(file: NamedFile, rejected: RejectedRecord) -> RejectedRecord:
    """The rejection, placed in one file of a folder."""
    return RejectedRecord(f"{file.name}, {rejected.record}", rejected.reason, rejected.remedy)


def rows(
    uri: str, columns: Sequence[str], *, delimiter: str = "\t", quoted: bool = False
) -> Iterator[Row | RejectedRecord]:
    """The rows under a header that names `columns`, in any order and among others.

    A row is one line, also where values may be quoted: a quote that does not end spoils its own line alone.
    Blank lines, and lines that begin with #, are passed over; a line with another number of values than the
    header is rejected.

    Raises:
        UnusableSourceError: the file is missing or breaks off, or its header lacks a column.
    """
    header: list[str] | None = None
    for line in text_lines(uri):
        if isinstance(line, RejectedRecord):
            yield line
            continue
        number, content = line
        if not content.strip(" ") or content.startswith("#"):
            continue
        try:
            values = _values(content, delimiter) if quoted else content.split(delimiter)
            if header is None:
                header = [name.strip() for name in values]
                _check_header(uri, header, columns)
                continue
            if len(values) != len(header):
                raise RecordRejectedError(
                    f"{len(values)} columns where {len(header)} are expected",
                    "correct the line: the header says which columns there are",
                )
        except RecordRejectedError as rejected:
            yield rejected.at(f"line {number}")
            continue
        yield Row(number, dict(zip(header, values, strict=True)))
    if header is None:
        _check_header(uri, [], columns)


def _uncompressed(name: str) -> str:
    path = PurePosixPath(name)
    return str(path.with_suffix("")) if path.suffix.lower() in COMPRESSION_SUFFIXES else name


def _values(content: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([content], delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise RecordRejectedError(
            f"broken quotes: {error}", "close the quote, and double quotes within quotes"
        ) from error


def _check_header(uri: str, header: Sequence[str], columns: Sequence[str]) -> None:
    missing = [name for name in columns if name not in header]
    if missing:
        raise UnusableSourceError(
            uri,
            "before the first record",
            f"no column {', '.join(missing)} in the header; it has {', '.join(header) or 'none'}",
            "name a file of this format, with its header as the first line",
        )
