"""Reading records of one file, of several, of a folder; what cannot be used is rejected with a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import wraps
from typing import Generic, Protocol, TypeAlias, TypeVar

from evidence_assets.sources.files import NamedFile, named_files, uncompressed_name
from evidence_assets.sources.records import RejectedRecord, UnusableSourceError
from evidence_assets.sources.validation import RecordRejectedError

Record = TypeVar("Record")
Value_co = TypeVar("Value_co", covariant=True)
Source = TypeVar("Source", bound="Placed")
# (uri, fields) -> records.
Reader: TypeAlias = Callable[[str, Mapping[str, str]], Iterator[Record]]
# (uri, key_prefix): the prefix makes record numbers unique among several files.
FileReader: TypeAlias = Callable[[str, str], Iterator[Record]]


class Placed(Protocol):
    """What records are made of: a line, a row."""

    @property
    def place(self) -> str:
        """What messages call it."""


@dataclass(frozen=True, slots=True)
class Row(Generic[Value_co]):
    """A raw record, its values by name; `place` identifies it in messages, `number` counts from 1."""

    number: int
    place: str
    fields: Mapping[str, Value_co]


Entry: TypeAlias = Row[object]


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder whose files belong together; a single file stands for a folder of one."""

    uri: str
    files: Sequence[NamedFile]

    def matching(self, *patterns: str) -> list[NamedFile]:
        """The files whose names fit a pattern, with or without the suffix of a compression."""
        names = [str(uncompressed_name(file.name)) for file in self.files]
        return [
            file
            for file, name in zip(self.files, names, strict=True)
            if any(fnmatchcase(name, pattern) for pattern in patterns)
        ]

    def optional_file(self, *patterns: str) -> NamedFile | None:
        """The file that fits a pattern, if there is any.

        Raises:
            UnusableSourceError: more than one fits.
        """
        fitting = self.matching(*patterns)
        if len(fitting) > 1:
            names = ", ".join(file.name for file in fitting)
            reason = f"{names}: more than one file {' or '.join(patterns)}"
            raise unreadable(self.uri, reason, "keep one of them in the folder")
        return fitting[0] if fitting else None

    def file(self, *patterns: str) -> NamedFile:
        """The file that fits a pattern.

        Raises:
            UnusableSourceError: none fits, or more than one.
        """
        file = self.optional_file(*patterns)
        if file is None:
            reason = f"no file {' or '.join(patterns)} in the folder"
            raise unreadable(self.uri, reason, "name the folder that holds it, or fetch the file")
        return file


def records_of(
    sources: Iterable[Source | RejectedRecord], build: Callable[[Source], Iterable[Record]]
) -> Iterator[Record | RejectedRecord]:
    """The records that `build` makes of each source; a source that it refuses is rejected at its place."""
    for source in sources:
        if isinstance(source, RejectedRecord):
            yield source
            continue
        try:
            yield from build(source)
        except RecordRejectedError as rejected:
            yield rejected.at(source.place)


def kept(records: Iterable[Record | RejectedRecord], into: list[Record]) -> Iterator[RejectedRecord]:
    """Yields the rejections; all other records go into the list."""
    for record in records:
        if isinstance(record, RejectedRecord):
            yield record
        else:
            into.append(record)


def in_file(file: NamedFile, records: Iterable[Record]) -> Iterator[Record]:
    """The records of one file of several, its name in the places of those that are rejected."""
    for record in records:
        if isinstance(record, RejectedRecord):
            yield replace(record, record=f"{file.name}, {record.record}")
        else:
            yield record


def read_each(uri: str, read_file: FileReader[Record]) -> Iterator[Record]:
    """Read every file that `uri` matches, by name; if there are several, rejected records name their file.

    Raises:
        UnusableSourceError: there is no such file, or one cannot be read.
    """
    files = named_files(uri)
    for file in files:
        if len(files) > 1:
            yield from in_file(file, read_file(file.uri, f"{file.name}:"))
        else:
            yield from read_file(file.uri, "")


def file_reader(read_file: FileReader[Record]) -> Reader[Record]:
    """Return the reader of every file that a URI matches, in a format that takes no `fields`.

    The reader raises UnusableSourceError where a file is missing or breaks off, or `fields` is not empty.
    """

    @wraps(read_file)
    def read(uri: str, fields: Mapping[str, str]) -> Iterator[Record]:
        check_field_names(uri, fields, ())
        yield from read_each(uri, read_file)

    return read


def folder_reader(read_folder: Callable[[Folder], Iterator[Record]]) -> Reader[Record]:
    """Return the reader of a folder whose files belong together, in a format that takes no `fields`.

    The reader raises UnusableSourceError where a file is missing or breaks off, or `fields` is not empty.
    """

    @wraps(read_folder)
    def read(uri: str, fields: Mapping[str, str]) -> Iterator[Record]:
        check_field_names(uri, fields, ())
        yield from read_folder(Folder(uri, named_files(uri)))

    return read


def check_field_names(uri: str, fields: Mapping[str, str], names: Sequence[str]) -> None:
    """Check that `fields` maps only names that the format supports.

    Raises:
        UnusableSourceError: a name in `fields` is not one of `names`.
    """
    unknown = sorted(set(fields) - set(names))
    if unknown:
        remedy = f"map only {', '.join(names)}" if names else "remove `fields`: this format fixes its own"
        raise unreadable(uri, f"fields maps {', '.join(unknown)}, unknown to this format", remedy)


def unreadable(uri: str, reason: str, remedy: str) -> UnusableSourceError:
    """The error of a source of which no record can be read."""
    return UnusableSourceError(uri, "before the first record", reason, remedy)
