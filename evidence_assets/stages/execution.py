"""Makes one partition of a stage: runs it, writes its rows, records what they were made from."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pydantic import BaseModel

from evidence_assets.lake.ids import combined_hash, content_id
from evidence_assets.lake.previews import are_drawn
from evidence_assets.lake.schemas import CHAINS, EVIDENCE, PREDICTIONS, Table
from evidence_assets.progress import step_begins
from evidence_assets.stages.declaration import Key, Metadata, Removed, Rows, Stage, StageError
from evidence_assets.stages.inputs import RunCache
from evidence_assets.stages.previews import preview, sample_chains

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake, Partition, PartitionVersion, WrittenPartition
    from evidence_assets.models.provider import Models
    from evidence_assets.stages.graph import StageGraph

# Replies are missing because of the set-up: the partition is made again when it is next due.
INCOMPLETE = "incomplete"
# Before what tells the settings of a run, which are kept, from what is configured, which is followed.
SETTINGS = "settings-"
_SHORT = 8


@dataclass(slots=True)
class TableResult:
    """What one partition left of one table. `version`: the data version, with what the table carries."""

    written: list[WrittenPartition] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    removed: list[Partition] = field(default_factory=list)
    version: str = ""

    @property
    def rows(self) -> int:
        """Rows written."""
        return sum(part.rows for part in self.written)

    @property
    def size(self) -> int:
        """Bytes on disk."""
        return sum(part.size for part in self.written)

    @property
    def changed(self) -> bool:
        """Whether anything is otherwise than before."""
        return bool(self.removed) or any(part.changed for part in self.written)

    @property
    def content_hash(self) -> str:
        """The hash of the rows; of several partitions of the lake that of theirs, in order of their names."""
        parts = sorted(self.written, key=lambda part: part.version.partition)
        hashes = [part.version.content_hash for part in parts]
        return hashes[0] if len(hashes) == 1 else combined_hash(hashes)


@dataclass(slots=True)
class PartitionResult:
    """What making one partition of a stage left behind, by table name; `removed` names other tables too."""

    key: Key
    tables: dict[str, TableResult]
    removed: list[tuple[Table, Partition]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Run:
    """What the partitions of one run share."""

    lake: Lake
    graph: StageGraph
    models: Models
    run_id: str = ""
    settings: BaseModel | None = None
    cache: RunCache = field(default_factory=RunCache)
    log: logging.Logger | None = None


def recorded_version(stage: Stage, key: Key, models: Models, settings: BaseModel | None = None) -> str:
    """Return the version that is recorded for a partition: the code's, the models', the configuration's.

    What a run sets counts too; settings at their defaults leave no trace.
    """
    return "+".join(part for part in version_parts(stage, key, models, settings) if part)


def version_parts(
    stage: Stage, key: Key, models: Models, settings: BaseModel | None = None
) -> tuple[str, str, str, str]:
    """Return what a recorded version is made of: code, models, configuration, a run's settings, or empty."""
    generator = key.variant.rpartition("@")[2] if key.variant else ""
    identity = models.identity([str(model) for model in stage.models], generator)
    configured, chosen = stage.configuration(key), ""
    if stage.settings is not None and settings is not None:
        values = settings.model_dump(mode="json")
        if values != stage.settings().model_dump(mode="json"):
            settings_id = content_id("settings", *(f"{name}={values[name]}" for name in sorted(values)))
            chosen = f"{SETTINGS}{settings_id[:_SHORT]}"
    return (
        stage.version,
        identity,
        content_id("configuration", configured)[:_SHORT] if configured else "",
        chosen,
    )


def make_partition(
    stage: Stage, key: Key, run: Run, selected: Iterable[Table] | None = None
) -> PartitionResult:
    """Make one partition of a stage and record it.

    `selected`: of a stage whose tables can be made by themselves, those that are wanted; default: all.

    Raises:
        StageError: the stage yields what it does not declare, or leaves out a table.
        TableContractError: rows do not fit their table.
    """
    return _Making(stage, key, run, tuple(selected or stage.tables)).result()


class _Making:
    """The making of one partition."""

    def __init__(self, stage: Stage, key: Key, run: Run, selected: tuple[Table, ...]) -> None:
        from evidence_assets.stages.inputs import Inputs
        from evidence_assets.stages.step import Step

        self._stage, self._key, self._run, self._selected = stage, key, run, selected
        self._inputs = Inputs(run.lake, run.graph, stage, key, run.cache)
        self._beside: list[WrittenPartition] = []
        self._started = time.perf_counter()
        self._result = PartitionResult(key, {})
        self._version = recorded_version(stage, key, run.models, run.settings)
        self._step = Step(
            stage,
            key,
            self._inputs,
            run.models,
            run.lake,
            self._write_generations,
            run.settings,
            run.log,
            selected,
            self._version,
        )

    def result(self) -> PartitionResult:
        step_begins(self._stage.name)
        for item in self._stage.run(self._step):
            if isinstance(item, Rows):
                self._write(item)
            elif isinstance(item, Removed):
                self._remove(item)
            else:
                self._show(item)
        for shown in (*self._step.generator_metadata(), *self._step.encoder_metadata()):
            self._show(shown)
        if {PREDICTIONS, CHAINS, EVIDENCE} <= set(self._selected) and are_drawn():
            self._show(Metadata(self._sample_chains(), PREDICTIONS))
        self._record()
        return self._result

    def _write(self, item: Rows) -> None:
        stage, lake = self._stage, self._run.lake
        place = item.place or self._run.graph.layout.place(item.table, stage, self._key)
        if item.table in stage.side_tables:
            self._beside.append(lake.write(item.table, place, item.rows))
            return
        if item.table not in self._selected:
            raise StageError(
                f"stage {stage.name} yields {item.table.name}, which is none of its tables; remedy: declare "
                "it as an output or a side table"
            )
        written = lake.write(item.table, place, item.rows)
        result = self._table(item.table)
        result.written.append(written)
        result.metadata.update(item.metadata)
        if item.preview and item.place is None:
            result.metadata["preview"] = preview(lake, written, item.table)

    def _sample_chains(self) -> dict[str, str]:
        layout = self._run.graph.layout
        place = layout.place(PREDICTIONS, self._stage, self._key)
        shown = sample_chains(self._run.lake, place, layout)
        return {"sample_chains": shown} if shown else {}

    def _table(self, table: Table) -> TableResult:
        return self._result.tables.setdefault(table.name, TableResult())

    def _remove(self, item: Removed) -> None:
        self._run.lake.delete(item.table, item.place)
        self._result.removed.append((item.table, item.place))
        if item.table in self._stage.tables:
            self._table(item.table).removed.append(item.place)

    def _show(self, item: Metadata) -> None:
        table = item.table or self._selected[0]
        if table in self._selected:
            self._table(table).metadata.update(item.values)

    def _write_generations(self, table: Table, place: Partition, rows: pa.Table) -> None:
        written = self._run.lake.write(table, place, rows)
        self._run.lake.record(written, self._inputs.versions, self._run.run_id, self._version)

    def _record(self) -> None:
        """Record every table with all that was read: a run that dies before leaves nothing looking whole."""
        missing = [table.name for table in self._selected if not self._table(table).written]
        several = {table.name for table in self._selected if self._is_several(table)}
        if absent := sorted(set(missing) - several):
            raise StageError(f"stage {self._stage.name} yields no rows of {', '.join(absent)}")
        upstream = list(dict.fromkeys([*self._inputs.versions, *self._used()]))
        failures = sum(recorded.tally.failures for recorded, _, _ in self._step.generators)
        version = f"{self._version}+{INCOMPLETE}" if failures else self._version
        lake, run_id = self._run.lake, self._run.run_id
        seconds = round(time.perf_counter() - self._started, 3)
        for table in self._selected:
            result = self._table(table)
            for written in result.written:
                lake.record(written, upstream, run_id, version, seconds)
            carried = self._inputs.carried(self._stage.output(table).carries)
            hashes = [result.content_hash, *(version.content_hash for version in carried)]
            result.version = combined_hash(hashes) if carried else hashes[0]
        for written in self._beside:
            lake.record(written, upstream, run_id, version)

    def _is_several(self, table: Table) -> bool:
        place = self._run.graph.layout.place(table, self._stage, self._key)
        return tuple(place) != table.partition_columns

    def _used(self) -> Iterable[PartitionVersion]:
        for recorded, _, _ in self._step.generators:
            yield from recorded.used
