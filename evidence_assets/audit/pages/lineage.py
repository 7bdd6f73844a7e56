"""What an experiment's answers were made from, table by table, up to the files outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidence_assets.lake.schemas import PREDICTIONS
from evidence_assets.stages.inputs import SOURCE_FILES

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Partition
    from evidence_assets.stages.inputs import Inputs

_MOST_LISTED = 12


@dataclass(frozen=True, slots=True)
class MadeTable:
    """One table of a lineage: its partitions with their versions, and the tables that they were made from."""

    table: str
    partitions: tuple[tuple[str, str], ...]
    made_from: tuple[str, ...]

    @property
    def listed(self) -> tuple[tuple[str, str], ...]:
        """The partitions that are shown."""
        return self.partitions[:_MOST_LISTED]

    @property
    def unlisted(self) -> int:
        """How many partitions are not shown."""
        return len(self.partitions) - len(self.listed)


@dataclass(frozen=True, slots=True)
class Lineage:
    """The tables from the answers up, and the files outside: the version that was read, by URI."""

    tables: tuple[MadeTable, ...]
    files: dict[str, str]

    @property
    def listed_files(self) -> list[tuple[str, str]]:
        """The files that are shown."""
        return sorted(self.files.items())[:_MOST_LISTED]

    @property
    def unlisted_files(self) -> int:
        """How many files are not shown."""
        return len(self.files) - len(self.listed_files)


def lineage_of(inputs: Inputs, place: Partition) -> Lineage:
    """Return what the answers in a partition of `predictions` were made from, by what is recorded."""
    tables: dict[str, list[tuple[str, str]]] = {}
    above: dict[str, dict[str, None]] = {}
    files = {}
    for version, made_from in inputs.ancestry(PREDICTIONS, place):
        if version.table == SOURCE_FILES:
            files[version.partition] = version.content_hash
            continue
        tables.setdefault(version.table, []).append((version.partition or "whole", version.content_hash))
        above.setdefault(version.table, {}).update(dict.fromkeys(source.table for source in made_from))
    made_tables = [
        MadeTable(name, tuple(sorted(parts)), tuple(sorted(above[name]))) for name, parts in tables.items()
    ]
    return Lineage(tuple(made_tables), files)
