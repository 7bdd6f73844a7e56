"""What a stage is handed to read: its declared inputs, each read noted with the version it gave."""

from __future__ import annotations

import copy
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import pyarrow as pa

from evidence_assets.lake.schemas import Table
from evidence_assets.stages.declaration import Key, Stage, StageError
from evidence_assets.stages.graph import InputPlaces
from evidence_assets.stages.withholding import Source, Variants

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake, Partition, PartitionVersion
    from evidence_assets.stages.graph import StageGraph

SOURCE_FILES = "source_files"
_T = TypeVar("_T")


class UndeclaredInputError(StageError):
    """A stage read what it did not declare: names the stage, the table, the partition and the remedy."""


class RunCache:
    """What the partitions of one run share, each thing beside the versions that it was made from."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[Any, tuple[PartitionVersion, ...]]] = {}

    def get(
        self, key: Hashable, make: Callable[[], tuple[_T, tuple[PartitionVersion, ...]]]
    ) -> tuple[_T, tuple[PartitionVersion, ...]]:
        """Return what is kept under a key and its versions; `make` gives both where nothing is."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def keep(self, stands: Callable[[PartitionVersion], bool]) -> None:
        """Keep what was made from versions that stand, and nothing else: another run may share it then."""
        for key, (_, versions) in list(self._kept.items()):
            if not all(map(stands, versions)):
                del self._kept[key]


class Inputs:
    """The tables of one partition of a stage.

    Every read is checked against the declaration and noted in `versions`. What `cached` keeps between the
    partitions of a run carries its versions along, so that a batch records what single runs would.

    Whatever reads raises UndeclaredInputError for what the stage does not declare, and MissingPartitionError
    for what was never written.
    """

    def __init__(self, lake: Lake, graph: StageGraph, stage: Stage, key: Key, cache: RunCache) -> None:
        self._lake, self._graph, self._stage, self._key, self._cache = lake, graph, stage, key, cache
        self._places = InputPlaces(graph, stage, key)
        self._noted: list[dict[PartitionVersion, None]] = [{}]
        self._variants = Variants(())
        self._whole: Inputs | None = None

    def of_variants(self, variants: Variants) -> Inputs:
        """Return the same inputs with variants of the questions in the questions' place.

        What it reads is noted here. What is cached, an opened graph say, is that of all variants.
        """
        of_variants = copy.copy(self)
        of_variants._variants, of_variants._whole = variants, self
        return of_variants

    def withheld(self, question_id: str) -> frozenset[Source]:
        """Return the sources that a question's reader must do without; none, but for variants."""
        return self._variants.withheld(question_id)

    @property
    def versions(self) -> list[PartitionVersion]:
        """The versions read so far, each once, in the order of reading."""
        return list(self._noted[0])

    def read(self, table: Table, partition: Partition, columns: Sequence[str] | None = None) -> pa.Table:
        """Read one partition, whole or some of its columns."""
        self._check(table, partition)
        if self._whole is None:
            version, rows = self._lake.read_versioned(table, partition, columns)
            self._note(version)
            return rows
        needed = None if columns is None else [*{*columns, *Variants.columns_needed(table)}]
        rows = self._variants.rows(table, self._whole.read(table, partition, needed))
        return rows if columns is None else rows.select(list(columns))

    def read_partitions(
        self, table: Table, partitions: Iterable[Partition], columns: Sequence[str] | None = None
    ) -> pa.Table:
        """Read several partitions as one table, in the order given."""
        from evidence_assets.lake.lake import joined_partitions

        return joined_partitions([self.read(table, place, columns) for place in partitions], table, columns)

    def scan(
        self, table: Table, partition: Partition, columns: Sequence[str] | None = None, rows: int = 4096
    ) -> Iterator[pa.RecordBatch]:
        """Read one partition in batches, for tables that need not fit in memory."""
        self._check(table, partition)
        if self._whole is not None and Variants.columns_needed(table):
            return iter(self.read(table, partition, columns).to_batches(rows))
        version, batches = self._lake.scan_versioned(table, partition, columns, rows)
        self._note(version)
        return batches

    def exists(self, table: Table, partition: Partition) -> bool:
        """Tell whether a partition that the stage declares was written."""
        self._check(table, partition)
        return self._lake.exists(table, partition)

    def partitions(self, table: Table) -> list[dict[str, str]]:
        """Return the partitions of a table that were written and that this partition may read, sorted.

        Raises:
            LostPartError: one of them was removed from the lake, and not by what writes it.
        """
        from evidence_assets.stages.lost_parts import require_parts

        read = [
            (source.producer, keys)
            for source, keys in self._graph.upstream(self._stage, self._key)
            if source.declared.table is table
        ]
        if not read:
            raise self._undeclared(table, "")
        for producer, keys in read:
            for key in keys:
                require_parts(self._lake, self._graph.layout, producer, key, table)
        return [place for place in self._lake.partitions(table) if self._admits(table, place)]

    def standing(self, table: Table) -> list[dict[str, str]]:
        """Return the partitions that stand of a table that this partition writes: earlier runs', too."""
        layout = self._graph.layout
        places = self._lake.partitions(table)
        return [place for place in places if layout.covers(place, table, self._stage, self._key)]

    def version(self, table: Table, partition: Partition) -> PartitionVersion:
        """Return what stands in a partition now, and note it as read."""
        self._check(table, partition)
        version = self._lake.version(table, partition)
        self._note(version)
        return version

    def ancestry(
        self, table: Table, partition: Partition
    ) -> list[tuple[PartitionVersion, list[PartitionVersion]]]:
        """Return a partition's version, what it was made from, and so on up to the files outside.

        Each version once, with those that it was made from, by what is recorded; nothing of times and runs.
        All of it is noted as read, except for partitions of declared inputs: these are noted when they are
        read.
        """
        declared = {source.declared.table.name for source in self._graph.sources(self._stage)}
        waiting = deque([self.version(table, partition)])
        made: dict[PartitionVersion, list[PartitionVersion]] = {}
        while waiting:
            version = waiting.popleft()
            if version in made:
                continue
            made[version] = [] if version.table == SOURCE_FILES else self._lake.made_from(version)
            if version.table not in declared:
                self._note(version)
            waiting += made[version]
        return list(made.items())

    def note_source(self, uri: str, fingerprint: str, files: Iterable[tuple[str, str]] = ()) -> None:
        """Note the content of a file outside the lake as read; of a folder, that of each of its files too."""
        from evidence_assets.lake.lake import PartitionVersion

        self._note(PartitionVersion(SOURCE_FILES, uri, fingerprint, tuple(files)))

    def cached(self, key: Hashable, make: Callable[[Inputs], _T]) -> _T:
        """Return what `make` gives, made once a run for a key, and note the versions that it was made from.

        The key must tell apart all that `make` reads for different partitions; functions have keys of their
        own, so that no system meets what another keeps under the same key.
        """

        def made() -> tuple[_T, tuple[PartitionVersion, ...]]:
            self._noted.append({})
            try:
                value = make(self._whole or self)
            finally:
                versions = self._noted.pop()
            return value, tuple(versions)

        value, versions = self._cache.get((make.__module__, make.__qualname__, key), made)
        for version in versions:
            self._note(version)
        return value

    def carried(self, tables: Iterable[Table]) -> list[PartitionVersion]:
        """Return the versions of all partitions of some inputs, read or not, that stand in the lake."""
        return [self._lake.version(table, place) for table in tables for place in self.partitions(table)]

    def _note(self, version: PartitionVersion) -> None:
        self._noted[-1][version] = None

    def _check(self, table: Table, partition: Partition) -> None:
        from evidence_assets.lake.lake import partition_name

        if not self._admits(table, partition):
            raise self._undeclared(table, partition_name(partition))

    def _admits(self, table: Table, partition: Partition) -> bool:
        return self._places.admit(table, partition)

    def _undeclared(self, table: Table, partition: str) -> UndeclaredInputError:
        declared = sorted({source.declared.table.name for source in self._graph.sources(self._stage)})
        return UndeclaredInputError(
            f"stage {self._stage.name}, partition {self._key.text or '(whole)'}, reads {table.name} "
            f"{partition or '(any partition)'}, which is none of its inputs ({', '.join(declared)}); remedy: "
            "declare it as an Input with the link that leads there"
        )
