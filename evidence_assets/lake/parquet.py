"""Parquet files of a table's rows: written atomically, hashed by rows and by pages, told apart by version."""

from __future__ import annotations

import hashlib
import io
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from evidence_assets.lake.conditional_writes import ConcurrentWriteError, read_unreplaced
from evidence_assets.lake.declared_rows import sorted_groups, unknown_columns
from evidence_assets.lake.filesystem import atomic_output
from evidence_assets.lake.row_hash import SCHEME, RowHasher
from evidence_assets.lake.schemas import Table
from evidence_assets.lake.store_failures import store_failure

# What a footer says: the hash of the rows, how it was made, and the hash of the encoded pages, by which
# damage is seen. A file without a scheme is of a lake whose content hashes were of encoded bytes.
CONTENT_HASH_KEY = "evidence_assets.content_hash"
SCHEME_KEY = "evidence_assets.content_hash_scheme"
PAGES_HASH_KEY = "evidence_assets.pages_hash"
# Of the values that a row group does not have, so many are looked for all the same: sixteen bits a row.
# Dozens are looked for at once, an article's sentences: at 0.03 every second group would be read in vain.
FALSE_POSITIVES = 0.002
# A page is read whole for any row of it: of a megabyte, as is the default, it would be a row group's column.
PAGE_BYTES = 1 << 16
_HASHED_AT_ONCE = 4 << 20
# Threads cost a short file more than they save: a corpus's terms are read from as many as it has shards.
_READ_BY_ONE_THREAD = 4_096


class DamagedFileError(Exception):
    """A table's file cannot be trusted: names it, what is wrong, and the remedy."""

    def __init__(self, path: str, problem: str) -> None:
        # Libraries tell it in sentences, and over several lines.
        line = " ".join(problem.split()).removesuffix(".")
        super().__init__(
            f"{path}: the file cannot be read: {line}; remedy: materialise the partition anew, in Dagster or "
            "by evidence-assets demo BENCHMARK --again"
        )


class OldLakeError(Exception):
    """A file of a lake written by an earlier version: its content hash means something else now."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path}: an earlier version wrote this lake, whose content hashes were of encoded bytes, not of "
            "rows; remedy: evidence-assets migrate"
        )


class OldColumnsError(OldLakeError):
    """A file lacks columns that its table must have: an earlier version wrote it."""

    def __init__(self, path: str, table: str, missing: Sequence[str]) -> None:
        Exception.__init__(
            self,
            f"{path}: table {table} has no {', '.join(missing)}: an earlier version wrote the file; remedy: "
            "make the partition anew, by the command that made it (evidence-assets demo BENCHMARK)",
        )


class NewerLakeError(Exception):
    """A file of a lake written by a later version: names it, what of it is unknown here, and the remedy."""

    def __init__(self, path: str, unknown: str) -> None:
        super().__init__(
            f"{path}: a later version wrote the file: {unknown}; remedy: use that version or one after it"
        )


# What reading a file raises that is damaged, or of another version.
UNREADABLE = (DamagedFileError, OldLakeError, NewerLakeError, pa.ArrowException, OSError)


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """What one write left behind. `changed` is false when the file already had these rows, undamaged."""

    path: str
    rows: int
    size: int
    content_hash: str
    changed: bool


def write_sorted(
    filesystem: Any,
    path: str,
    data: pa.Table | Iterable[pa.Table | pa.RecordBatch],
    table: Table,
    exclusive: bool = False,
) -> WrittenFile:
    """Write rows to one Parquet file (zstd), sorted by the table's key, atomically.

    Memory stays bounded: past `IN_MEMORY_SORT_BYTES` the rows are sorted on disk. The same rows give the
    same bytes whichever way they were sorted. A file that already has these rows is left untouched, however
    it is encoded, unless it is damaged.

    Raises:
        TableContractError: the rows do not fit the table, or two rows share a key.
        ConcurrentWriteError: `exclusive`, and another wrote other rows meanwhile.
        NewerLakeError: a later version wrote the file that stands there.
    """
    batches = iter([data] if isinstance(data, pa.Table) else data)
    with tempfile.TemporaryDirectory(prefix="evidence-assets-") as spill:
        groups = sorted_groups(batches, table, Path(spill))
        return write_groups(
            filesystem, path, groups, table.schema, exclusive=exclusive, sought_by=table.sought_by
        )


class _HashingFile(io.RawIOBase):
    """A binary file that hashes what is written to it, and that its writer does not close."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.digest = hashlib.blake2b(digest_size=16)
        self._abandoned = False

    def write(self, data: Any) -> int:
        if self._abandoned:
            return len(data)
        self.digest.update(data)
        return self._file.write(data)

    def abandon(self) -> None:
        """Swallow what is still to come: a writer that is given up writes its footer all the same."""
        self._abandoned = True

    def tell(self) -> int:
        return self._file.tell()

    def writable(self) -> bool:
        return True


class _UnchangedError(Exception):
    """Raised inside an atomic write to give it up: the file there already has this content."""


def write_groups(
    filesystem: Any,
    path: str,
    groups: Iterator[pa.Table],
    declared: pa.Schema,
    footer: Mapping[str, str] | None = None,
    exclusive: bool = False,
    sought_by: Sequence[str] = (),
) -> WrittenFile:
    """Write row groups to one Parquet file (zstd) in the order given, atomically, as `write_sorted` does.

    `declared`: the columns where there are no rows; a file that is replaced may have no others. `footer`:
    what the footer is to say besides. `exclusive`: of two writers at once only one may write, as
    `atomic_output` tells. `sought_by`: columns that get Bloom filters.

    Raises:
        ConcurrentWriteError: another wrote other rows meanwhile.
        NewerLakeError: a later version wrote the file that stands there.
    """
    first = next(groups, None)
    schema = declared if first is None else first.schema
    hasher, changed, rows = RowHasher(schema), True, 0
    try:
        with atomic_output(filesystem, path, exclusive) as file:
            sink = _HashingFile(file)
            layout = {
                "compression": "zstd",
                "data_page_size": PAGE_BYTES,
                "write_page_checksum": True,
                "use_dictionary": _repeating(first),
                "bloom_filter_options": _bloom_filters(first, sought_by),
            }
            with pq.ParquetWriter(sink, schema, **layout) as writer:
                try:
                    for group in chain(() if first is None else (first,), groups):
                        hasher.update(group)
                        writer.write_table(group, row_group_size=max(1, group.num_rows))
                        rows += group.num_rows
                    if _holds(filesystem, path, hasher.hexdigest(), declared):
                        raise _UnchangedError
                    hashes = {CONTENT_HASH_KEY: hasher.hexdigest(), SCHEME_KEY: SCHEME}
                    pages_hash = {PAGES_HASH_KEY: sink.digest.hexdigest()}
                    writer.add_key_value_metadata({**hashes, **pages_hash, **(footer or {})})
                except BaseException:
                    sink.abandon()
                    raise
            size = file.tell()
    except _UnchangedError:
        changed, size = False, int(filesystem.size(path))
    except ConcurrentWriteError:
        # The same rows by another, or by this one: a request may have been sent again after it had succeeded.
        if not _holds(filesystem, path, hasher.hexdigest(), declared):
            raise
    return WrittenFile(path, rows, size, hasher.hexdigest(), changed)


def _repeating(first: pa.Table | None) -> list[str] | bool:
    """Return the columns that get dictionaries, as `pyarrow` takes them: all but texts that hardly repeat.

    A dictionary of these would be the column again, to be read for each of its rows. They are told by the
    rows of the first group.
    """
    if first is None:
        return True
    repeating = [field for field in first.schema if not _hardly_repeats(first.column(field.name))]
    return [path for field in repeating for path in _leaves(field.name, field.type)]


def _hardly_repeats(column: pa.ChunkedArray) -> bool:
    return bool(pa.types.is_string(column.type) and 2 * pc.count_distinct(column).as_py() > len(column))


def _leaves(path: str, kind: pa.DataType) -> Iterator[str]:
    """Yield the paths by which Parquet knows the columns that a value of a type is kept in."""
    if pa.types.is_struct(kind):
        for field in kind:
            yield from _leaves(f"{path}.{field.name}", field.type)
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        yield from _leaves(f"{path}.list.element", kind.value_type)
    else:
        yield path


def _bloom_filters(first: pa.Table | None, columns: Sequence[str]) -> dict[str, dict[str, float]] | None:
    """Return how a file's Bloom filters are made, as `pyarrow` takes it: for the rows of its first group."""
    if first is None or not first.num_rows:
        return None
    return {column: {"ndv": first.num_rows, "fpp": FALSE_POSITIVES} for column in columns} or None


def _holds(filesystem: Any, path: str, content_hash: str, declared: pa.Schema) -> bool:
    """Tell whether a file has this content, undamaged: its pages are hashed again, not believed.

    Raises:
        NewerLakeError: a later version wrote it, and its rows are not to be lost.
    """
    try:
        with filesystem.open(path, "rb") as file:
            if _opened(file, path, declared)[1] != content_hash:
                return False
            return hash_of_pages(file) == footer_of(file, path).get(PAGES_HASH_KEY)
    except NewerLakeError:
        raise
    except UNREADABLE as error:
        if failure := store_failure(error, filesystem.unstrip_protocol(path)):
            raise failure from error
        return False


def check_file(filesystem: Any, path: str) -> None:
    """Read a file through, and see that its pages are the bytes that were written.

    Raises:
        DamagedFileError: they are not, or it is no Parquet file.
    """
    with filesystem.open(path, "rb") as file:
        written = footer_of(file, path).get(PAGES_HASH_KEY)
        if hash_of_pages(file) != written:
            raise DamagedFileError(path, "its bytes are not those that were written")


def hash_of_pages(file: IO[bytes], before: bytes = b"") -> str:
    """Return the hash of a Parquet file's pages; `before` is hashed first.

    What follows them only says where to look: Bloom filters and the footer.
    """
    digest = hashlib.blake2b(before, digest_size=16)
    remaining = _end_of_pages(file)
    file.seek(0)
    while remaining > 0 and (block := file.read(min(_HASHED_AT_ONCE, remaining))):
        digest.update(block)
        remaining -= len(block)
    return digest.hexdigest()


def _end_of_pages(file: IO[bytes]) -> int:
    metadata = pq.read_metadata(file)
    if metadata.num_row_groups:
        first = metadata.row_group(0)
        starts = [first.column(number).bloom_filter_offset for number in range(first.num_columns)]
        if any(starts):
            return int(min(start for start in starts if start))
    # At the end: the footer, its length in four bytes, four letters.
    size = file.seek(-8, 2)
    return size - int.from_bytes(file.read(4), "little")


def content_hash_of(filesystem: Any, path: str, declared: pa.Schema | None = None) -> str | None:
    """Return the content hash kept in a file's footer; None where there is no file.

    `declared`: its table's columns, beyond which it is a later version's.

    Raises:
        DamagedFileError: it is no Parquet file, or not one that this module wrote, or its bytes changed.
        OldLakeError, NewerLakeError: another version wrote it, whose content hashes mean something else.
    """
    if not filesystem.exists(path):
        return None
    return read_unreplaced(filesystem, path, lambda file: _opened(file, path, declared)[1])


def footer_of(file: IO[bytes], path: str) -> dict[str, str]:
    """Return what this project's versions say in the footer of an open Parquet file, whichever wrote it.

    Raises:
        DamagedFileError: it is no Parquet file.
    """
    return _footer(_parquet_file(file, path))


def _parquet_file(file: IO[bytes], path: str) -> pq.ParquetFile:
    try:
        # Of a footer that cannot be decoded Arrow says that the disk could not be read.
        with _damage_named(path):
            return pq.ParquetFile(file, page_checksum_verification=True)
    except pa.ArrowException as error:
        raise DamagedFileError(path, str(error)) from error


def _footer(parquet_file: pq.ParquetFile) -> dict[str, str]:
    pairs = (parquet_file.metadata.metadata or {}).items()
    return {key.decode(): value.decode() for key, value in pairs if key.startswith(b"evidence_assets.")}


def _opened(file: IO[bytes], path: str, declared: pa.Schema | None) -> tuple[pq.ParquetFile, str]:
    """Return an open file and its content hash. `declared`: its table's columns, where they are looked at."""
    parquet_file = _parquet_file(file, path)
    footer = _footer(parquet_file)
    if CONTENT_HASH_KEY not in footer:
        raise DamagedFileError(path, "its footer holds no content hash: something else wrote it")
    if SCHEME_KEY not in footer:
        raise OldLakeError(path)
    if footer[SCHEME_KEY] != SCHEME:
        raise NewerLakeError(path, f"its content hashes are of scheme {footer[SCHEME_KEY]!r}, not {SCHEME!r}")
    if declared is not None and (unknown := unknown_columns(parquet_file.schema_arrow, declared)):
        raise NewerLakeError(path, ", ".join(unknown))
    return parquet_file, footer[CONTENT_HASH_KEY]


def read_file(
    filesystem: Any, path: str, columns: Sequence[str] | None, declared: pa.Schema | None = None
) -> tuple[str, pa.Table]:
    """Return one file's content hash and its rows, or some columns of them, from one opening of the file.

    `declared`: its table's columns, beyond which it is a later version's.

    Raises:
        FileNotFoundError: there is no such file.
        DamagedFileError: it is no Parquet file, or not one that this module wrote, or its bytes changed.
        OldLakeError, NewerLakeError: another version wrote it.
    """
    return read_unreplaced(filesystem, path, lambda file: read_open_file(file, path, columns, declared))


def read_open_file(
    file: IO[bytes], path: str, columns: Sequence[str] | None, declared: pa.Schema | None = None
) -> tuple[str, pa.Table]:
    """Return an open file's content hash and its rows, as `read_file` does."""
    parquet_file, content_hash = _opened(file, path, declared)
    wanted = list(columns) if columns is not None else None
    threads = parquet_file.metadata.num_rows > _READ_BY_ONE_THREAD
    with _damage_named(path):
        return content_hash, parquet_file.read(columns=wanted, use_threads=threads)


@contextmanager
def _damage_named(path: str) -> Iterator[None]:
    """Name the file of which the bytes cannot be decoded; what a store or the disk refuses has a number."""
    try:
        yield
    except (pa.ArrowInvalid, OSError) as error:
        if isinstance(error, OSError) and (type(error) is not OSError or error.errno is not None):
            raise
        raise DamagedFileError(path, str(error)) from error


def scan_file(
    filesystem: Any,
    path: str,
    columns: Sequence[str] | None,
    rows: int,
    declared: pa.Schema | None = None,
) -> tuple[str, Iterator[pa.RecordBatch]]:
    """Return one file's content hash and its rows in batches of at most `rows`, from one opening of the file.

    `declared`: its table's columns, beyond which it is a later version's.

    Raises:
        FileNotFoundError: there is no such file.
        DamagedFileError: it is no Parquet file, or not one that this module wrote, or its bytes changed.
        OldLakeError, NewerLakeError: another version wrote it.
    """
    file = filesystem.open(path, "rb")
    try:
        parquet_file, content_hash = _opened(file, path, declared)
    except BaseException:
        file.close()
        raise

    def batches() -> Iterator[pa.RecordBatch]:
        wanted = list(columns) if columns is not None else None
        with file:
            read = parquet_file.iter_batches(batch_size=rows, columns=wanted)
            left: int = parquet_file.metadata.num_rows
            while True:
                with _damage_named(path):
                    batch = next(read, None)
                if batch is None:
                    break
                left -= len(batch)
                yield batch
            # Of some damaged pages the reader makes an early end, and no error.
            if left:
                raise DamagedFileError(
                    path, f"{left} of {parquet_file.metadata.num_rows} rows cannot be read"
                )

    return content_hash, batches()
