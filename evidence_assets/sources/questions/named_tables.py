"""Tables that questions name by their files: plain tables beside the questions, or in folders below them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence
from dataclasses import replace

from evidence_assets.sources.files import named_files
from evidence_assets.sources.questions.reading import in_folder
from evidence_assets.sources.questions.validation import (
    RecordRejectedError,
    required_identifier,
    required_mapping,
    required_text,
)
from evidence_assets.sources.records import RejectedRecord, TableRecord, UnusableSourceError
from evidence_assets.sources.tables.registry import read_tables

# A home folder, another store, a member of another archive.
_ELSEWHERE = re.compile(r"~|[\w+.-]+:|.*::|.*://", re.DOTALL)
_FORM = 'write "path", or {"path": …, "name": …} for one of several tables'

Found = Sequence[TableRecord | RejectedRecord]


class NamedTables:
    """The tables that one file of questions names; each of their files is read once.

    `uri` is that of the questions: paths count from its folder.
    """

    def __init__(self, uri: str) -> None:
        self._folder = in_folder(uri, "..")
        self._read: dict[str, Found] = {}

    def table(self, value: object) -> TableRecord:
        """Return the table that a field `table` names: a path, or `{"path", "name"}`.

        `name` tells one of a file's several tables: a sheet by its name, a table of a page by its number from
        1. The table's key is the path, and behind `#` the name where the file's format gives one.

        Raises:
            RecordRejectedError: the field is of another form, the path leads out of the folder, the file
                cannot be read, or it holds no such table, or several and none is named.
        """
        written, name = _parts(value)
        path = _inside(written)
        if path not in self._read:
            self._read[path] = _records(in_folder(self._folder, path), path)
        return _chosen(self._read[path], path, name)


def _parts(value: object) -> tuple[str, str]:
    if not isinstance(value, dict):
        return required_text(value, "'table'"), ""
    fields = required_mapping(value, "'table'")
    if unknown := sorted(fields.keys() - {"path", "name"}):
        raise RecordRejectedError(f"'table' has an unknown field {unknown[0]!r}", _FORM)
    path = required_text(fields.get("path"), "'path' of 'table'")
    name = fields.get("name")
    return path, "" if name is None else required_identifier(name, "'name' of 'table'")


def _inside(written: str) -> str:
    """Return a path in its shortest form, if it stays below the folder that it counts from."""
    path = posixpath.normpath(written)
    if path.startswith(("/", "../")) or path in {".", ".."} or _ELSEWHERE.match(written):
        raise RecordRejectedError(
            f"'table' {written!r} names no file below the folder of the questions",
            "put the table beside the questions, or below, and give its path from there",
        )
    return path


def _records(uri: str, path: str) -> Found:
    """Return what a file holds, keys by its path; a file that cannot be read is one rejection."""
    name = posixpath.basename(path)
    try:
        # What is not there may be a glob to the reader, and a folder all of its files.
        if [file.name for file in named_files(uri)] != [name]:
            return [RejectedRecord(name, "not one file", "name a single file of tables")]
        found = list(read_tables(uri))
    except UnusableSourceError as error:
        return [RejectedRecord(f"{name}, {error.record}", error.reason, error.remedy)]
    return [
        replace(one, key=path + one.key.removeprefix(name)) if isinstance(one, TableRecord) else one
        for one in found
    ]


def _chosen(found: Found, path: str, name: str) -> TableRecord:
    """Return the table of that name, or the only one: another is no stand-in for one that cannot be used."""
    names = [_name(one, path) for one in found]
    # What cannot be used and has no name is the whole file.
    whole = [one for one, own in zip(found, names, strict=True) if not own]
    if name and any(isinstance(one, TableRecord) for one in whole):
        raise RecordRejectedError(f"'table' {path} is one table, without a name", "leave 'name' out")
    wanted = whole or [one for one, own in zip(found, names, strict=True) if name in ("", own)]
    if len(wanted) != 1:
        problem = f"holds no table {name!r}" if name else f"holds {len(wanted)} tables"
        raise RecordRejectedError(f"'table' {path} {problem}", f"name one of {', '.join(names)}: {_FORM}")
    if isinstance(wanted[0], RejectedRecord):
        place, reason = wanted[0].record, wanted[0].reason
        raise RecordRejectedError(f"'table' {path} cannot be used: {place}: {reason}", wanted[0].remedy)
    return wanted[0]


def _name(one: TableRecord | RejectedRecord, path: str) -> str:
    """Return what tells a table from others of its file: what stands behind the file's name in its key."""
    if isinstance(one, TableRecord):
        return one.key.removeprefix(path).removeprefix("#")
    # Behind the key stands where in the table the fault is.
    return one.record.removeprefix(posixpath.basename(path)).partition(", ")[0].removeprefix("#")
