"""The lake: tables in partition folders under one root, local or in an object store."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any, Protocol, TypeVar

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from evidence_assets.lake import parquet
from evidence_assets.lake.conditional_writes import ConcurrentWriteError
from evidence_assets.lake.declared_rows import TableContractError
from evidence_assets.lake.filesystem import (
    is_local,
    resolve_root,
    safe_path_part,
    sized_files_named,
    unescape_path_part,
    write_files,
)
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.row_hash import row_hash
from evidence_assets.lake.schemas import FORMER_TABLES, MATERIALIZATIONS, TABLES_BY_NAME, Table
from evidence_assets.lake.store_failures import store_failure

Partition = Mapping[str, str]
FILE_NAME = "data.parquet"
_WHOLE = "(whole)"


class MissingPartitionError(Exception):
    """A partition was asked for that was never written: names it and how to make it."""


class ReadOnlyLakeError(Exception):
    """The lake's folder takes no file: names it, why, and the remedy."""


@dataclass(frozen=True, slots=True)
class PartitionVersion:
    """One partition of one table, as it was when it was read or written.

    `files`: of a folder outside the lake, the name and content of each file; they tell which of them changed.
    """

    table: str
    partition: str
    content_hash: str
    files: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class WrittenPartition:
    """What a write left in the lake."""

    version: PartitionVersion
    path: str
    rows: int
    size: int
    changed: bool
    # When it stood. A record written later must not make an earlier write the newer one.
    at: datetime = field(default_factory=lambda: datetime.now(UTC), compare=False)


class TableReader(Protocol):
    """What reads tables: the lake, or the declared inputs of a stage, which note every version read."""

    def read(self, table: Table, partition: Partition, columns: Sequence[str] | None = None) -> pa.Table:
        """Read one partition, whole or some of its columns."""

    def read_partitions(
        self, table: Table, partitions: Iterable[Partition], columns: Sequence[str] | None = None
    ) -> pa.Table:
        """Read several partitions as one table, in the order given."""

    def scan(
        self, table: Table, partition: Partition, columns: Sequence[str] | None = None, rows: int = 4096
    ) -> Iterator[pa.RecordBatch]:
        """Read one partition in batches."""

    def exists(self, table: Table, partition: Partition) -> bool:
        """Return whether a partition was written."""

    def partitions(self, table: Table) -> list[dict[str, str]]:
        """Return the partitions that a table has, sorted."""

    def version(self, table: Table, partition: Partition) -> PartitionVersion:
        """Return the current version of a partition."""


class FileStore(Protocol):
    """Where files that are no tables stand beside them: a file system, and the lake's path on it."""

    filesystem: Any
    path: str


def partition_name(partition: Partition) -> str:
    """Return `column=value` pairs joined by a slash, escaped: the folder under the table's folder."""
    return "/".join(f"{column}={safe_path_part(value)}" for column, value in partition.items())


def parsed_partition(name: str) -> dict[str, str]:
    """Return the partition whose `partition_name` this is."""
    pairs = (part.partition("=")[::2] for part in name.split("/") if part)
    return {column: unescape_path_part(value) for column, value in pairs}


class Lake:
    """Tables under one root URI.

    Every write is atomic, checked against the table's declaration and idempotent. A versioned read says
    which version it gave, so that a materialisation can say exactly what it was made from.
    """

    def __init__(self, root: str) -> None:
        self.filesystem, self.path = resolve_root(root)
        local = is_local(self.filesystem)
        self.uri: str = self.path if local else self.filesystem.unstrip_protocol(self.path)

    def is_there(self) -> bool:
        """Tell whether a lake stands at the root: a table's folder, of whichever version.

        Raises:
            StoreError: the store does not answer, or refuses.
        """
        try:
            paths = self.filesystem.ls(self.path, detail=False)
        except FileNotFoundError:
            return False
        except Exception as error:
            if (failure := store_failure(error, self.uri)) is None:
                raise
            raise failure from error
        return not {*TABLES_BY_NAME, *FORMER_TABLES}.isdisjoint(PurePosixPath(path).name for path in paths)

    def file(self, table: Table, partition: Partition) -> str:
        """Return the path of one partition's file.

        Raises:
            ValueError: the partition's columns are not the table's partition columns.
        """
        if tuple(partition) != table.partition_columns:
            raise ValueError(
                f"table {table.name} is partitioned by {table.partition_columns}, not by {tuple(partition)}"
            )
        folder = "/".join(part for part in (self.path, table.name, partition_name(partition)) if part)
        return f"{folder}/{FILE_NAME}"

    def _place_of(self, table: Table, partition: Partition) -> tuple[Any, str]:
        """Return the file system that one partition's file is on, and its path there."""
        return self.filesystem, self.file(table, partition)

    def _forget(self, version: PartitionVersion) -> None:
        self.delete(MATERIALIZATIONS, _record_place(version))

    def file_uri(self, table: Table, partition: Partition) -> str:
        """Return what a DuckDB connection of the catalogue reads one partition's file by."""
        return self.uri + self.file(table, partition).removeprefix(self.path)

    def write(
        self, table: Table, partition: Partition, data: pa.Table | Iterable[pa.Table | pa.RecordBatch]
    ) -> WrittenPartition:
        """Replace one partition by these rows (a table, or a stream of batches that need not fit in memory).

        Raises:
            TableContractError: the rows do not fit the table, belong to another partition, or repeat a key.
            ConcurrentWriteError: another wrote other rows meanwhile, in a store that tells.
            NewerLakeError: a later version wrote what stands there.
        """
        batches = [data] if isinstance(data, pa.Table) else data
        checked = (self._check_partition(batch, table, partition) for batch in batches)
        filesystem, path = self._place_of(table, partition)
        # Of records the last counts: two of one version differ by run and time alone.
        exclusive = table is not MATERIALIZATIONS
        written = parquet.write_sorted(filesystem, path, checked, table, exclusive)
        version = PartitionVersion(table.name, partition_name(partition), written.content_hash)
        if written.changed and table is not MATERIALIZATIONS:
            # Earlier rows were written again: the old record must not count as this write's.
            self._forget(version)
        return WrittenPartition(version, written.path, written.rows, written.size, written.changed)

    @staticmethod
    def _check_partition(
        batch: pa.Table | pa.RecordBatch, table: Table, partition: Partition
    ) -> pa.Table | pa.RecordBatch:
        for column, value in partition.items():
            if column not in batch.schema.names:
                continue  # conform() names every missing column at once
            values = pc.unique(batch.column(column)).to_pylist()
            if values not in ([], [value]):
                raise TableContractError(
                    f"table {table.name}: rows of {column}={values} in partition {column}={value}; remedy: "
                    "write each partition's rows by themselves"
                )
        return batch

    def read(self, table: Table, partition: Partition, columns: Sequence[str] | None = None) -> pa.Table:
        """Read one partition, whole or some of its columns.

        Raises:
            MissingPartitionError: it was never written.
        """
        return self.read_versioned(table, partition, columns)[1]

    def read_versioned(
        self, table: Table, partition: Partition, columns: Sequence[str] | None = None
    ) -> tuple[PartitionVersion, pa.Table]:
        """Read one partition and tell which version of it was read.

        Columns that may be null and that an earlier version did not write are null.

        Raises:
            MissingPartitionError: it was never written.
            OldColumnsError: an earlier version wrote it, without a column that is never null.
            NewerLakeError: a later version wrote it, with columns that this one does not know.
        """
        filesystem, path = self._place_of(table, partition)
        try:
            content_hash, rows = parquet.read_file(filesystem, path, columns, table.schema)
        except FileNotFoundError:
            # Whoever looks for the first cause wants the remedy: the file's absence says nothing beside it.
            raise self._missing(table, partition) from None
        expected = table.schema.names if columns is None else columns
        complete = _with_columns(rows, table, expected, path)
        return PartitionVersion(table.name, partition_name(partition), content_hash), complete

    def undamaged(self, table: Table, partition: Partition) -> tuple[PartitionVersion, pa.Table] | None:
        """Return a partition's version and rows; None where it has none, or not those of its version.

        Raises:
            StoreError: the store does not answer, or refuses: nothing is known of the rows.
        """
        try:
            version, rows = self.read_versioned(table, partition)
        except (MissingPartitionError, *parquet.UNREADABLE) as error:
            if failure := store_failure(error, self.uri):
                raise failure from error
            return None
        return (version, rows) if row_hash(rows) == version.content_hash else None

    def is_damaged(self, table: Table, partition: Partition) -> bool:
        """Tell whether the file of a partition that stands holds other bytes than were written to it."""
        try:
            parquet.check_file(*self._place_of(table, partition))
        except parquet.DamagedFileError:
            return True
        return False

    def read_partitions(
        self, table: Table, partitions: Iterable[Partition], columns: Sequence[str] | None = None
    ) -> pa.Table:
        """Read several partitions as one table, in the order given.

        Raises:
            MissingPartitionError: one of them was never written.
        """
        return joined_partitions([self.read(table, place, columns) for place in partitions], table, columns)

    def scan(
        self, table: Table, partition: Partition, columns: Sequence[str] | None = None, rows: int = 4096
    ) -> Iterator[pa.RecordBatch]:
        """Read one partition in batches, for tables that need not fit in memory.

        Raises:
            MissingPartitionError: it was never written.
        """
        return self.scan_versioned(table, partition, columns, rows)[1]

    def scan_versioned(
        self, table: Table, partition: Partition, columns: Sequence[str] | None = None, rows: int = 4096
    ) -> tuple[PartitionVersion, Iterator[pa.RecordBatch]]:
        """Read one partition in batches and tell which version of it is read.

        Columns that are asked for, may be null and were not written by an earlier version are null; without
        `columns` the batches are as the file has them.

        Raises:
            MissingPartitionError: it was never written.
            OldColumnsError: an earlier version wrote it, without a column that is never null.
            NewerLakeError: a later version wrote it, with columns that this one does not know.
        """
        filesystem, path = self._place_of(table, partition)
        try:
            content_hash, batches = parquet.scan_file(filesystem, path, columns, rows, table.schema)
        except FileNotFoundError:
            # Whoever looks for the first cause wants the remedy: the file's absence says nothing beside it.
            raise self._missing(table, partition) from None
        version = PartitionVersion(table.name, partition_name(partition), content_hash)
        if columns is None:
            return version, batches
        return version, (_with_columns(batch, table, columns, path) for batch in batches)

    def exists(self, table: Table, partition: Partition) -> bool:
        """Return whether a partition was written."""
        filesystem, path = self._place_of(table, partition)
        return bool(filesystem.exists(path))

    def partitions(self, table: Table) -> list[dict[str, str]]:
        """Return the partitions that a table has, sorted."""
        return [place for place, _ in self.sized_partitions(table)]

    def sized_partitions(self, table: Table) -> list[tuple[dict[str, str], int]]:
        """Return the partitions that a table has, sorted, each with the size of its file in bytes."""
        folder, depth = f"{self.path}/{table.name}", len(table.partition_columns)
        files = sized_files_named(self.filesystem, folder, FILE_NAME, depth)
        sized = ((_partition_of(path, table), size) for path, size in files)
        standing = [(place, size) for place, size in sized if place is not None]
        return sorted(standing, key=lambda part: tuple(part[0].values()))

    def former_tables(self) -> list[str]:
        """Return the tables of earlier versions that the lake holds, by their folders: nothing reads them."""
        return [name for name in FORMER_TABLES if self.filesystem.exists(f"{self.path}/{name}")]

    def delete(self, table: Table, partition: Partition) -> None:
        """Remove one partition; nothing happens where there is none."""
        filesystem, path = self._place_of(table, partition)
        if filesystem.exists(path):
            filesystem.rm_file(path)

    def version(self, table: Table, partition: Partition) -> PartitionVersion:
        """Return the current version of a partition.

        Raises:
            MissingPartitionError: it was never written.
        """
        content_hash = parquet.content_hash_of(*self._place_of(table, partition), table.schema)
        if content_hash is None:
            raise self._missing(table, partition)
        return PartitionVersion(table.name, partition_name(partition), content_hash)

    def record(
        self,
        written: WrittenPartition,
        upstream: Iterable[PartitionVersion],
        run_id: str,
        code_version: str,
        seconds: float | None = None,
    ) -> None:
        """Record a write in `materializations`, unless it changed no byte, code or input.

        `seconds`: what the making took; None where that is not known.

        Raises:
            ConcurrentWriteError: other rows stand there by now.
        """
        version = written.version
        if self.version(TABLES_BY_NAME[version.table], parsed_partition(version.partition)) != version:
            raise ConcurrentWriteError(written.path)
        read = sorted(upstream, key=lambda version: (version.table, version.partition))
        sources = [
            {"table": version.table, "partition": version.partition, "content_hash": version.content_hash}
            for version in read
        ]
        files = [
            {"source": version.partition, "name": name, "content_hash": content}
            for version in read
            for name, content in version.files
        ]
        place = _record_place(written.version)
        noted = None if written.changed else self.record_of(version)
        same_files = noted is not None and (noted["source_files"] or []) == files
        if noted and same_files and noted["code_version"] == code_version and noted["upstream"] == sources:
            return
        row = {
            "table": written.version.table,
            "partition": written.version.partition or _WHOLE,
            "content_hash": written.version.content_hash,
            **place,
            "rows": written.rows,
            "bytes": written.size,
            "run_id": run_id,
            "code_version": code_version,
            "upstream": sources,
            "source_files": files or None,
            "materialized_at": written.at,
            "seconds": seconds,
        }
        self.write(MATERIALIZATIONS, place, pa.Table.from_pylist([row], schema=MATERIALIZATIONS.schema))

    def made_from(self, version: PartitionVersion) -> list[PartitionVersion]:
        """Return what `materializations` says a version was made from; nothing where it has no record."""
        record = self.record_of(version)
        return [PartitionVersion(**upstream) for upstream in record["upstream"]] if record else []

    def record_of(self, version: PartitionVersion) -> dict[str, Any] | None:
        """Return the row of `materializations` of a version; None where there is none."""
        place = _record_place(version)
        if not self.exists(MATERIALIZATIONS, place):
            return None
        row: dict[str, Any] = self.read(MATERIALIZATIONS, place).to_pylist()[0]
        return row

    def recorded(self, table: Table, partition: Partition) -> dict[str, Any] | None:
        """Return the row of `materializations` of what stands in a partition; None where there is none.

        Raises:
            MissingPartitionError: the partition was never written.
        """
        return self.record_of(self.version(table, partition))

    def ensure_empty_files(self) -> None:
        """Give every table one file without rows, so that SQL sees an empty table before the first write."""
        files = {f"{self.path}/{name}/_schema.parquet": _without_rows(name) for name in TABLES_BY_NAME}
        write_files(self.filesystem, files)

    def check_writable(self) -> None:
        """Check that the lake's folder takes files; a store is asked by its first write.

        Raises:
            ReadOnlyLakeError: it takes none.
        """
        if not is_local(self.filesystem):
            return
        folder = Path(self.path)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as error:
            raise ReadOnlyLakeError(
                f"{folder}: the lake cannot be written: {error.strerror}; remedy: give yourself the right to "
                "write there, or set EVIDENCE_LAKE to a folder of your own"
            ) from error

    def _missing(self, table: Table, partition: Partition) -> MissingPartitionError:
        return MissingPartitionError(
            f"table {table.name} has no partition {partition_name(partition) or '(whole table)'} in "
            f"{self.uri}; remedy: materialise the asset that writes it, for this partition, first"
        )


def _partition_of(path: str, table: Table) -> dict[str, str] | None:
    """Return the partition that a file is of; None where its folders are not the table's."""
    parts = path.split("/")[-1 - len(table.partition_columns) : -1]
    values = dict(part.partition("=")[::2] for part in parts)
    if tuple(values) != table.partition_columns:
        return None
    return {column: unescape_path_part(value) for column, value in values.items()}


def _record_place(version: PartitionVersion) -> dict[str, str]:
    """Return where a version's record stands, in a folder of its hash: its name would be too long a path."""
    partition = version.partition or _WHOLE
    return {"version": content_id("materialization", version.table, partition, version.content_hash)}


def joined_partitions(
    parts: Sequence[pa.Table], table: Table, columns: Sequence[str] | None = None
) -> pa.Table:
    """Return the rows of several partitions as one table; without any, no rows of the table's columns."""
    if not parts:
        names = table.schema.names if columns is None else list(columns)
        return table.schema.empty_table().select(names)
    # A partition without rows has vectors of no width: it must not clash with the others.
    filled = [part for part in parts if part.num_rows] or parts[:1]
    return pa.concat_tables(filled)


_Rows = TypeVar("_Rows", pa.Table, pa.RecordBatch)


def _with_columns(rows: _Rows, table: Table, expected: Sequence[str], path: str) -> _Rows:
    """Return rows with the columns that an earlier version did not write, as nulls."""
    missing = [name for name in expected if name not in rows.schema.names and name in table.schema.names]
    if never_null := [name for name in missing if not table.schema.field(name).nullable]:
        raise parquet.OldColumnsError(path, table.name, never_null)
    for name in missing:
        field = table.schema.field(name)
        rows = rows.append_column(field, pa.nulls(rows.num_rows, field.type))
    return rows


@cache
def _without_rows(table: str) -> bytes:
    """Return a Parquet file of a table's columns and no row."""
    sink = pa.BufferOutputStream()
    pq.write_table(TABLES_BY_NAME[table].schema.empty_table(), sink)
    content: bytes = sink.getvalue().to_pybytes()
    return content
