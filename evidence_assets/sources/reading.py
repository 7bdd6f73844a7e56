"""Reading records of one file, of several, of a folder; what cannot be used is rejected with a reason."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import wraps
from typing import Generic, Protocol, TypeAlias, TypeVar

from evidence_assets.sources.files import NamedFile, named_files, uncompressed_name
from evidence_assets.sources.questions.validation import RecordRejectedError
from evidence_assets.sources.records import RejectedRecord, UnusableSourceError

Record = TypeVar("Record")
Value_co = TypeVar("Value_co", covariant=True)
Source = TypeVar("Source", bound="Placed")
# (uri, fields) -> records.
Reader: TypeAlias = Callable[[str, Mapping[str, str]], Iterator[Record]]
# (uri, key_prefix): the prefix makes record numbers unique among several files.
FileReader: TypeAlias = Callable[[str, str], Iterator[Record]]
# (uri, files below it)
FolderReader: TypeAlias = Callable[[str, Sequence[NamedFile]], Iterator[Record]]


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


def folder_reader(read_folder: FolderReader[Record]) -> Reader[Record]:
    """Return the reader of a folder whose files belong together, in a format that takes no `fields`.

    The reader raises UnusableSourceError where a file is missing or breaks off, or `fields` is not empty.
    """

    @wraps(read_folder)
    def read(uri: str, fields: Mapping[str, str]) -> Iterator[Record]:
        check_field_names(uri, fields, ())
        yield from read_folder(uri, named_files(uri))

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


def folder_file(uri: str, files: Sequence[NamedFile], *patterns: str) -> NamedFile:
    """The file of a folder whose name fits a pattern, with or without the suffix of a compression.

    Raises:
        UnusableSourceError: none fits, or more than one.
    """
    file = optional_folder_file(uri, files, *patterns)
    if file is None:
        reason = f"no file {' or '.join(patterns)} in the folder"
        raise unreadable(uri, reason, "name the folder that holds it, or fetch the file")
    return file


def optional_folder_file(uri: str, files: Sequence[NamedFile], *patterns: str) -> NamedFile | None:
    """As `folder_file`, None where there is none.

    Raises:
        UnusableSourceError: more than one fits.
    """
    names = {file: str(uncompressed_name(file.name)) for file in files}
    fitting = [file for file in files if any(fnmatchcase(names[file], pattern) for pattern in patterns)]
    if len(fitting) > 1:
        reason = f"{', '.join(file.name for file in fitting)}: more than one file {' or '.join(patterns)}"
        raise unreadable(uri, reason, "keep one of them in the folder")
    return fitting[0] if fitting else None


def unreadable(uri: str, reason: str, remedy: str) -> UnusableSourceError:
    """The error of a source of which no record can be read."""
    return UnusableSourceError(uri, "before the first record", reason, remedy)
