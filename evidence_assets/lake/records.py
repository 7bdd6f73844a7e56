"""All of a lake's records of materialisations at once, however many there are.

A record is a file of its own, so that no two writers meet. Who wants all of them reads a snapshot besides:
what was read before, each record with its file's stamp. One whose stamp is another is read from its file, so
that a snapshot is never wrong, only old; it may be removed at any time.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from evidence_assets.lake.filesystem import atomic_output, is_local, read_files, stamped_files_named
from evidence_assets.lake.parquet import read_open_file
from evidence_assets.lake.schemas import MATERIALIZATIONS

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake

# No table's file: the catalogue's view of the records leaves it out.
SNAPSHOT = f"{MATERIALIZATIONS.name}/_records.snapshot"
# Reading as many takes some seconds. A smaller lake has no snapshot: what changes nothing writes nothing.
UNREAD_FOR_A_SNAPSHOT = 4_096
# A store is asked for each by a request of its own, some hundred at once.
UNREAD_IN_A_STORE = 256
_AT_ONCE = 512
# Lakes that were written before seconds and files were kept have no such columns.
_LEFT_OUT = ("version", "run_id", "seconds", "source_files")
_COLUMNS = [name for name in MATERIALIZATIONS.schema.names if name not in _LEFT_OUT]
_Known = dict[str, tuple[str, dict[str, Any]]]


def all_records(lake: Lake) -> list[dict[str, Any]]:
    """Return every row of `materializations`, without its run, seconds and files, in no order.

    A file that is as it was when this process, or the snapshot's writer, read it is not read again.
    """
    from evidence_assets.lake.lake import FILE_NAME

    folder = f"{lake.path}/{MATERIALIZATIONS.name}"
    listed = dict(stamped_files_named(lake.filesystem, folder, FILE_NAME, 1))
    known = _known_records(lake.uri)
    most_unread = UNREAD_FOR_A_SNAPSHOT if is_local(lake.filesystem) else UNREAD_IN_A_STORE
    unread = _unread(listed, known, folder)
    if len(unread) > most_unread:
        known |= _snapshot(lake)
        unread = _unread(listed, known, folder)
    for path, row in _read(lake, unread):
        known[_name(path, folder)] = listed[path], row
    standing = {_name(path, folder) for path in listed}
    for gone in known.keys() - standing:
        del known[gone]
    if len(unread) > most_unread:
        _write_snapshot(lake, known)
    return [row for _, row in known.values()]


@lru_cache(maxsize=4)
def _known_records(lake_uri: str) -> _Known:
    """Return what was read of a lake's records, by folder, with what the file system said."""
    return {}


def _name(path: str, folder: str) -> str:
    return path.removeprefix(f"{folder}/")


def _unread(listed: dict[str, str], known: _Known, folder: str) -> list[str]:
    return [
        path
        for path, stamp in listed.items()
        if not stamp or known.get(_name(path, folder), ("",))[0] != stamp
    ]


def _read(lake: Lake, paths: Sequence[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each record with its path; one that was removed since it was listed is left out."""
    for start in range(0, len(paths), _AT_ONCE):
        for path, content in read_files(lake.filesystem, paths[start : start + _AT_ONCE]).items():
            [row] = read_open_file(io.BytesIO(content), path, _COLUMNS, MATERIALIZATIONS.schema)[
                1
            ].to_pylist()
            yield path, row


def _snapshot(lake: Lake) -> _Known:
    """Return what the snapshot holds; nothing where there is none, or none that this version understands."""
    try:
        rows = pq.read_table(io.BytesIO(lake.filesystem.cat_file(f"{lake.path}/{SNAPSHOT}"))).to_pylist()
        return {
            row.pop("name"): (row.pop("stamp"), {column: row[column] for column in _COLUMNS}) for row in rows
        }
    except (OSError, pa.ArrowException, KeyError):
        return {}


def _write_snapshot(lake: Lake, known: _Known) -> None:
    rows = [{"name": name, "stamp": stamp, **row} for name, (stamp, row) in sorted(known.items())]
    fields = [MATERIALIZATIONS.schema.field(column).with_nullable(True) for column in _COLUMNS]
    schema = pa.schema([pa.field("name", pa.string()), pa.field("stamp", pa.string()), *fields])
    try:
        with atomic_output(lake.filesystem, f"{lake.path}/{SNAPSHOT}") as file:
            pq.write_table(pa.Table.from_pylist(rows, schema=schema), file, compression="zstd")
    except OSError:
        return  # a lake that cannot be written is read record by record
