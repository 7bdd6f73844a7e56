"""Lakes of the version before: content hashes of encoded bytes become content hashes of rows."""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from evidence_assets.lake.declared_rows import row_groups
from evidence_assets.lake.filesystem import is_local, literal_pattern
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.lake import FILE_NAME, Lake, partition_name
from evidence_assets.lake.parquet import (
    CONTENT_HASH_KEY,
    SCHEME_KEY,
    DamagedFileError,
    content_hash_of,
    footer_of,
    hash_of_pages,
    write_groups,
)
from evidence_assets.lake.schemas import (
    HARVESTED_TRIPLES,
    HARVESTS,
    MATERIALIZATIONS,
    ROWS_PER_GROUP,
    TABLES_BY_NAME,
    TRIPLES,
)

# The hash that a migrated file had before: so a migration that was cut short knows what it has done.
BEFORE_KEY = "evidence_assets.content_hash_before_migration"
# Begins the hash of a version that the lake no longer held when it was migrated: its rows are not known.
GONE = "bytes:"
_WHOLE = "(whole)"


@dataclass(frozen=True, slots=True)
class MigratedFile:
    """One file of an old lake that was dealt with: the `done`-th of `total`.

    `problem`: why it was left as it was, with the remedy; None where it was migrated.
    """

    path: str
    done: int
    total: int
    problem: str | None = None


@dataclass(slots=True)
class _Contents:
    """What a lake's files are: the old ones by path, and what old content hashes became."""

    tables: list[str] = field(default_factory=list)
    materializations: list[str] = field(default_factory=list)
    unreadable: dict[str, str] = field(default_factory=dict)
    # By table, name of the partition ("" for a whole table) and old hash.
    became: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def new_hash(self, table: str, partition: str, old: str) -> str:
        return self.became.get((table, partition, old), f"{GONE}{old}")


def require_current(lake: Lake, tables: Collection[str] = ()) -> None:
    """Look at the footers of some tables' files, default: all. `materializations` are migrated last.

    Raises:
        OldLakeError: a version before this one wrote one of them.
        NewerLakeError: a later version wrote one of them.
    """
    for path in table_files(lake):
        name = _place(lake, path)[0]
        if tables and name not in tables:
            continue
        table = TABLES_BY_NAME.get(name)
        try:
            content_hash_of(lake.filesystem, path, table.schema if table else None)
        except DamagedFileError:
            continue  # refused with its own remedy when it is read


def migrate(lake: Lake) -> Iterator[MigratedFile]:
    """Rewrite every file of an old lake, yielding each when it is done; a lake of today is left alone.

    Each file appears whole or not at all, and one that was cut short goes on where it was: what a file's
    hash became stands in its footer. Last come the `materializations`, whose hashes are replaced by the new
    ones of the same files. A version that the lake no longer holds keeps its old hash, marked by `bytes:`,
    which no version of today can equal: what was made from it counts as out of date. A file that is not
    as it was written is left as it is, and said to be. Nothing else may write the lake meanwhile.
    """
    contents = _survey(lake)
    # A harvested graph's manifest holds the hashes of its triples.
    tables = sorted(contents.tables, key=lambda path: (_place(lake, path)[0] == HARVESTS.name, path))
    steps = [
        *((path, _rewrite) for path in [*sorted(contents.unreadable), *tables]),
        *((path, _replace_materialization) for path in sorted(contents.materializations)),
    ]
    for done, (path, step) in enumerate(steps, start=1):
        problem = contents.unreadable.get(path)
        if problem is None:
            try:
                step(lake, path, contents)
            except DamagedFileError as error:
                problem = str(error)
        yield MigratedFile(path, done, len(steps), problem)
    # What was mined stood among the graphs' triples a second time: the view shows it from its own table.
    for place in lake.partitions(HARVESTED_TRIPLES):
        lake.delete(TRIPLES, place)


def table_files(lake: Lake) -> list[str]:
    """Return the path of every file of every table that the lake holds, sorted."""
    paths = lake.filesystem.glob(f"{literal_pattern(lake.path)}/*/**/*.parquet")
    # An underscore begins the empty files that say a table's columns: they hold no version.
    return sorted(path for path in paths if not PurePosixPath(path).name.startswith("_"))


def _place(lake: Lake, path: str) -> tuple[str, str]:
    """Return the table and the partition's name of a file."""
    table, *folders = PurePosixPath(path).relative_to(lake.path).parts[:-1]
    return table, "/".join(folders)


def _file(lake: Lake, table: str, partition: str) -> str:
    """Return the path of the file of a table's partition, named as `materializations` names it."""
    folders = [] if partition == _WHOLE else [partition]
    return "/".join([lake.path, table, *folders, FILE_NAME])


def _footer(lake: Lake, path: str) -> dict[str, str]:
    with lake.filesystem.open(path, "rb") as file:
        return footer_of(file, path)


def _is_old(footer: dict[str, str]) -> bool:
    return CONTENT_HASH_KEY in footer and SCHEME_KEY not in footer


def _survey(lake: Lake) -> _Contents:
    contents = _Contents()
    for path in table_files(lake):
        table, partition = _place(lake, path)
        try:
            footer = _footer(lake, path)
        except DamagedFileError as error:
            contents.unreadable[path] = str(error)
            continue
        if _is_old(footer):
            (contents.materializations if table == MATERIALIZATIONS.name else contents.tables).append(path)
        elif BEFORE_KEY in footer:
            contents.became[table, partition, footer[BEFORE_KEY]] = footer[CONTENT_HASH_KEY]
    return contents


def _rewrite(lake: Lake, path: str, contents: _Contents) -> None:
    """Write one file's rows again, with the hash of its rows."""
    table, partition = _place(lake, path)
    with lake.filesystem.open(path, "rb") as file:
        old = footer_of(file, path)[CONTENT_HASH_KEY]
        batches = _old_batches(file, path)
        schema = next(batches).schema
        if table == HARVESTS.name:
            batches = (_with_new_hashes(batch, contents) for batch in batches)
        written = write_groups(lake.filesystem, path, row_groups(batches), schema, {BEFORE_KEY: old})
    contents.became[table, partition, old] = written.content_hash


def _old_batches(file: Any, path: str) -> Iterator[pa.Table]:
    """Yield an old file's rows, of the schema that they were written with; first a table without rows.

    Raises:
        DamagedFileError: its bytes are not those whose hash its footer holds.
    """
    parquet_file = pq.ParquetFile(file)
    metadata = parquet_file.metadata.metadata
    schema = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(metadata[b"ARROW:schema"])))
    described = schema.to_string(show_schema_metadata=False).encode()
    if hash_of_pages(file, described) != metadata[CONTENT_HASH_KEY.encode()].decode():
        raise DamagedFileError(path, "its bytes are not those that were written")
    yield schema.empty_table()
    for batch in parquet_file.iter_batches(batch_size=ROWS_PER_GROUP):
        yield pa.Table.from_arrays(batch.columns, schema=schema)


def _with_new_hashes(rows: pa.Table, contents: _Contents) -> pa.Table:
    """Return rows of `harvests` with the new hashes of the triples that they name."""
    hashes = [
        contents.new_hash(
            TRIPLES.name,
            partition_name({column: row[column] for column in TRIPLES.partition_columns}),
            row["triples_hash"],
        )
        for row in rows.to_pylist()
    ]
    number = rows.schema.get_field_index("triples_hash")
    return rows.set_column(number, rows.schema.field(number), pa.array(hashes, pa.string()))


def _replace_materialization(lake: Lake, path: str, contents: _Contents) -> None:
    """Write an old materialisation's row where its new hash belongs, and remove the old file."""
    with lake.filesystem.open(path, "rb") as file:
        [row] = pa.concat_tables(_old_batches(file, path)).to_pylist()
    table, partition, old = row["table"], row["partition"], row["content_hash"]
    new = contents.new_hash(table, "" if partition == _WHOLE else partition, old)
    place = {"version": content_id("materialization", table, partition, new)}
    # Where a row stands there, the partition was written since, or the migration was cut short here.
    if not lake.exists(MATERIALIZATIONS, place):
        upstream = [_with_new_hash(source, contents) for source in row["upstream"]]
        row |= {**place, "content_hash": new, "upstream": upstream}
        if not new.startswith(GONE):
            row["bytes"] = int(lake.filesystem.size(_file(lake, table, partition)))
        lake.write(MATERIALIZATIONS, place, pa.Table.from_pylist([row], schema=MATERIALIZATIONS.schema))
    lake.filesystem.rm_file(path)
    folder = str(PurePosixPath(path).parent)
    if is_local(lake.filesystem) and not lake.filesystem.ls(folder):
        lake.filesystem.rmdir(folder)


def _with_new_hash(source: dict[str, str], contents: _Contents) -> dict[str, str]:
    """Return what a materialisation was made from by its new hash; what is no table keeps its own."""
    if source["table"] not in TABLES_BY_NAME:
        return source
    return source | {
        "content_hash": contents.new_hash(source["table"], source["partition"], source["content_hash"])
    }
