"""Tables that questions name by their files: plain tables beside the questions, or in folders below them."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import replace

from evidence_assets.sources.files import named_files
from evidence_assets.sources.records import RejectedRecord, TableRecord, UnusableSourceError
from evidence_assets.sources.tables.registry import read_tables
from evidence_assets.sources.uris import below, in_folder
from evidence_assets.sources.validation import (
    RecordRejectedError,
    required_identifier,
    required_mapping,
    required_text,
)

_FORM = 'write "path", or "path#name" or {"path": …, "name": …} for one of several tables'

Records = Sequence[TableRecord | RejectedRecord]


class NamedTables:
    """The tables that a question file refers to; each table file is read once.

    `uri` is that of the questions: paths count from its folder.
    """

    def __init__(self, uri: str) -> None:
        self._folder = in_folder(uri, "..")
        self._read: dict[str, Records] = {}

    def table(self, value: object) -> TableRecord:
        """Return the table that a field `table` names: a path, `path#name`, or `{"path", "name", "copy_of"}`.

        `name` tells one of a file's several tables: a sheet by its name, a table of a page by its number from
        1. The table's key is the path, and behind `#` the name where the file's format gives one. A file
        whose own name has a `#` is taken before a part of another. `copy_of` tells of a copy, by its `uri`,
        which file it was made of.

        Raises:
            RecordRejectedError: the field is of another form, the path leads out of the folder, the file
                cannot be read, or it holds no such table, or several and none is named.
        """
        written, name, copy_of = _parts(value)
        path = below(written, "'table'")
        file, _, part = posixpath.basename(path).partition("#")
        if file and part and not name and not _is_there(in_folder(self._folder, path)):
            path, name = posixpath.join(posixpath.dirname(path), file), part
        if path not in self._read:
            self._read[path] = _records(in_folder(self._folder, path), path)
        return replace(_chosen(self._read[path], path, name), copy_of=copy_of)


def _parts(value: object) -> tuple[str, str, str]:
    """Return the path that a field names, the table's name in it, and what it is a copy of; "" for none."""
    if not isinstance(value, dict):
        return required_text(value, "'table'"), "", ""
    fields = required_mapping(value, "'table'")
    if unknown := sorted(fields.keys() - {"path", "name", "copy_of"}):
        raise RecordRejectedError(f"'table' has an unknown field {unknown[0]!r}", _FORM)
    path = required_text(fields.get("path"), "'path' of 'table'")
    name = fields.get("name")
    name = "" if name is None else required_identifier(name, "'name' of 'table'")
    if (copied := fields.get("copy_of")) is None:
        return path, name, ""
    uri = required_mapping(copied, "'copy_of' of 'table'").get("uri")
    return path, name, required_text(uri, "'uri' of 'copy_of'")


def _is_there(uri: str) -> bool:
    try:
        return bool(named_files(uri))
    except UnusableSourceError:
        return False


def _records(uri: str, path: str) -> Records:
    """Return a file's records, keyed by its path; an unreadable file gives one rejection."""
    name = posixpath.basename(path)
    try:
        # What is not there may be a glob to the reader, and a folder all of its files.
        if [file.name for file in named_files(uri)] != [name]:
            return [RejectedRecord(name, "not one file", "name a single file of tables")]
        records = list(read_tables(uri))
    except UnusableSourceError as error:
        return [RejectedRecord(f"{name}, {error.record}", error.reason, error.remedy)]
    return [
        replace(record, key=path + record.key.removeprefix(name))
        if isinstance(record, TableRecord)
        else record
        for record in records
    ]


def table_names(uri: str) -> list[str]:
    """Return what tells the tables of a file apart, a rejected one's too; "" for one without a name."""
    path = posixpath.basename(uri)
    return [_name(record, path) for record in _records(uri, path)]


def _chosen(records: Records, path: str, name: str) -> TableRecord:
    """Return the table of that name, or the only one; a rejected table is not replaced by another."""
    names = [_name(record, path) for record in records]
    # A rejection without a name concerns the whole file.
    whole_file = [record for record, record_name in zip(records, names, strict=True) if not record_name]
    if name and any(isinstance(record, TableRecord) for record in whole_file):
        raise RecordRejectedError(
            f"'table' {path} is one table, without a name",
            "leave 'name' out, or what stands behind #",
        )
    matching = whole_file or [
        record for record, record_name in zip(records, names, strict=True) if name in ("", record_name)
    ]
    if len(matching) != 1:
        problem = f"holds no table {name!r}" if name else f"holds {len(matching)} tables"
        raise RecordRejectedError(
            f"'table' {path} {problem}",
            f"name one of {', '.join(names)}: {_FORM}",
        )
    if isinstance(matching[0], RejectedRecord):
        place, reason = matching[0].record, matching[0].reason
        raise RecordRejectedError(f"'table' {path} cannot be used: {place}: {reason}", matching[0].remedy)
    return matching[0]


def _name(record: TableRecord | RejectedRecord, path: str) -> str:
    """Return a table's name within its file: the part of its key after the file's name."""
    if isinstance(record, TableRecord):
        return record.key.removeprefix(path).removeprefix("#")
    # Behind the key stands where in the table the fault is.
    return record.record.removeprefix(posixpath.basename(path)).partition(", ")[0].removeprefix("#")
