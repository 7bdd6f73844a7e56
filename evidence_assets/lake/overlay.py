"""A lake in which one benchmark's partitions stand apart: made beside the lake, and not yet a part of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from evidence_assets.lake.lake import Lake, Partition, PartitionVersion, WrittenPartition, parsed_partition
from evidence_assets.lake.schemas import Table

# The columns by which a partition says that it is a benchmark's: of rejected records and tables the second.
_NAMING = ("benchmark", "source")


@dataclass(frozen=True, slots=True)
class RecordedWrite:
    """What is recorded of one write: what was written, from what, by which run and code."""

    written: WrittenPartition
    upstream: tuple[PartitionVersion, ...]
    run_id: str
    code_version: str
    seconds: float | None


class OverlayLake(Lake):
    """`lake`, but that the partitions of `benchmark` are read from and written to `beside`, another lake.

    What is written of other tables, such as replies of language models, goes to the lake itself. `records`:
    what was recorded, in order.
    """

    def __init__(self, lake: Lake, beside: Lake, benchmark: str) -> None:
        self.filesystem, self.path, self.uri = lake.filesystem, lake.path, lake.uri
        self.records: list[RecordedWrite] = []
        self._lake, self._beside, self._benchmark = lake, beside, benchmark

    def stands_apart(self, partition: Partition) -> bool:
        """Tell whether a partition is one of the benchmark's."""
        return any(partition.get(column) == self._benchmark for column in _NAMING)

    def _place_of(self, table: Table, partition: Partition) -> tuple[Any, str]:
        lake = self._beside if self.stands_apart(partition) else self._lake
        return lake.filesystem, lake.file(table, partition)

    def _forget(self, version: PartitionVersion) -> None:
        if not self.stands_apart(parsed_partition(version.partition)):
            super()._forget(version)

    def sized_partitions(self, table: Table) -> list[tuple[dict[str, str], int]]:
        """Return the partitions that a table has, with sizes; of the benchmark those that stand apart."""
        named = set(_NAMING) & set(table.partition_columns)
        parts = [part for part in self._lake.sized_partitions(table) if not self.stands_apart(part[0])]
        if named:
            parts += [part for part in self._beside.sized_partitions(table) if self.stands_apart(part[0])]
        return sorted(parts, key=lambda part: tuple(part[0].values()))

    def made_from(self, version: PartitionVersion) -> list[PartitionVersion]:
        """Return what a version was made from, as `Lake.made_from` does."""
        if not self.stands_apart(parsed_partition(version.partition)):
            return super().made_from(version)
        made = (record for record in reversed(self.records) if record.written.version == version)
        return next((list(record.upstream) for record in made), [])

    def record(
        self,
        written: WrittenPartition,
        upstream: Iterable[PartitionVersion],
        run_id: str,
        code_version: str,
        seconds: float | None = None,
    ) -> None:
        """Note what a write was made from, and record it where the rows are no part of the benchmark."""
        noted = RecordedWrite(written, tuple(upstream), run_id, code_version, seconds)
        self.records.append(noted)
        if not self.stands_apart(parsed_partition(written.version.partition)):
            self._lake.record(written, noted.upstream, run_id, code_version, seconds)
