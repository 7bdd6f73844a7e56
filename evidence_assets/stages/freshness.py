"""Which partitions are missing, stale or fresh, told from `materializations` and the files outside alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import pyarrow as pa
from pydantic import BaseModel

from evidence_assets.lake.ids import combined_hash
from evidence_assets.lake.lake import Lake, Partition, PartitionVersion, WrittenPartition, partition_name
from evidence_assets.lake.schemas import MATERIALIZATIONS, Table
from evidence_assets.models.provider import Models
from evidence_assets.stages.declaration import Key, Scope, Stage
from evidence_assets.stages.execution import INCOMPLETE, PartitionResult, TableResult, recorded_version
from evidence_assets.stages.graph import Needed, StageGraph
from evidence_assets.stages.inputs import SOURCE_FILES

WHOLE = "(whole)"


class State(StrEnum):
    """How a partition stands to what it was made from."""

    MISSING = "missing"
    STALE = "stale"
    FRESH = "fresh"


@dataclass(frozen=True, slots=True)
class Status:
    """One partition's state, and what moved: which input, code version or file."""

    stage: Stage
    key: Key
    state: State
    reason: str = ""


class Freshness:
    """Compares what is recorded of partitions with what stands now.

    Parameters
    ----------
    fingerprint
        Returns the content of an outside file by the URI recorded for it, None where it cannot be told;
        None: outside files are not looked at.
    """

    def __init__(
        self,
        lake: Lake,
        graph: StageGraph,
        models: Models,
        fingerprint: Callable[[Stage, Key, str], str | None] | None = None,
    ) -> None:
        self._lake, self._graph, self._models, self._fingerprint = lake, graph, models, fingerprint

    @cached_property
    def _recorded(self) -> Mapping[tuple[str, str], Mapping[str, Any]]:
        """The newest record of each table and partition."""
        newest: dict[tuple[str, str], Mapping[str, Any]] = {}
        for row in _all_records(self._lake):
            place = (row["table"], row["partition"])
            if place not in newest or newest[place]["materialized_at"] < row["materialized_at"]:
                newest[place] = row
        return newest

    @cached_property
    def _standing(self) -> dict[str, list[dict[str, str]]]:
        return {}

    def _places(self, table: Table) -> list[dict[str, str]]:
        if table.name not in self._standing:
            self._standing[table.name] = self._lake.partitions(table)
        return self._standing[table.name]

    def statuses(self, wanted: Iterable[Needed]) -> Iterator[Status]:
        """Yield the state of each of these partitions; what depends on one that is not fresh is stale too.

        `wanted` names what is read before what reads it, as `StageGraph.needed` does.
        """
        moved: dict[tuple[str, Key], State] = {}
        for needed in wanted:
            stage, key = needed.stage, needed.key
            status = self.status(stage, key, needed.tables)
            if status.state == State.FRESH:
                for source, keys in self._graph.upstream(stage, key):
                    due = [upstream for upstream in keys if (source.producer.name, upstream) in moved]
                    if due:
                        reason = f"{source.declared.table.name}, {due[0].text or WHOLE}, is to be made anew"
                        status = Status(stage, key, State.STALE, reason)
            if status.state != State.FRESH:
                moved[stage.name, key] = status.state
            yield status

    def status(
        self, stage: Stage, key: Key, tables: Iterable[Table] = (), settings: BaseModel | None = None
    ) -> Status:
        """Return the state of one partition, by what stands now."""
        for table in tables or stage.tables:
            state, reason = self._of_table(stage, key, table, settings)
            if state != State.FRESH:
                return Status(stage, key, state, reason)
        return Status(stage, key, State.FRESH)

    def _written(self, stage: Stage, key: Key, table: Table) -> list[dict[str, str]]:
        layout = self._graph.layout
        return [place for place in self._places(table) if layout.covers(place, table, stage, key)]

    def _of_table(
        self, stage: Stage, key: Key, table: Table, settings: BaseModel | None
    ) -> tuple[State, str]:
        places = self._written(stage, key, table)
        if not places:
            return State.MISSING, f"{table.name} was never made"
        expected = recorded_version(stage, key, self._models, settings)
        for place in places:
            record = self._recorded.get((table.name, partition_name(place) or WHOLE))
            if record is None:
                return State.STALE, f"{table.name}: nothing is recorded of it; its run may have died"
            if record["code_version"] != expected:
                kind = (
                    "replies are missing" if record["code_version"].endswith(INCOMPLETE) else "code version"
                )
                return State.STALE, f"{kind}: {record['code_version']}, now {expected}"
            if reason := self._moved(stage, key, record):
                return State.STALE, reason
        return State.FRESH, ""

    def _moved(self, stage: Stage, key: Key, record: Mapping[str, Any]) -> str:
        """Return which input of a record is otherwise now, or is new; empty where none is."""
        seen = set()
        for upstream in record["upstream"]:
            table, partition = upstream["table"], upstream["partition"]
            seen.add((table, partition))
            if table == SOURCE_FILES:
                if self._fingerprint is not None:
                    now = self._fingerprint(stage, key, partition)
                    if now is not None and now != upstream["content_hash"]:
                        return f"file {partition} changed"
                continue
            found = self._recorded.get((table, partition or WHOLE))
            if found is None or found["content_hash"] != upstream["content_hash"]:
                return f"{table} {partition or WHOLE} changed"
        return self._added(stage, key, seen)

    def _added(self, stage: Stage, key: Key, seen: set[tuple[str, str]]) -> str:
        """Return an input partition that has come since: a corpus's shard, a harvest's relation, an arm."""
        for source, keys in self._graph.upstream(stage, key):
            several = source.producer.scope in (Scope.SHARD, Scope.RELATION) and len(keys) > 1
            several = several and stage.scope != source.producer.scope and source.declared.via is None
            read = any(table == source.declared.table.name for table, _ in seen)
            if not (several or source.declared.as_made) or not read:
                continue
            for upstream in keys:
                for place in self._written(source.producer, upstream, source.declared.table):
                    name = partition_name(place)
                    # Of what a relation gave every harvest, each gathers its own.
                    theirs = stage.scope == Scope.HARVEST and place.get("kg", key.name) != key.name
                    if not theirs and (source.declared.table.name, name) not in seen:
                        return f"{source.declared.table.name} {name} is new"
        return ""

    def unchanged(
        self, stage: Stage, key: Key, tables: Iterable[Table], settings: BaseModel | None
    ) -> PartitionResult | None:
        """Return what stands in a fresh partition, as a run that changed nothing leaves it; else None."""
        wanted = list(tables)
        if self.status(stage, key, wanted, settings).state != State.FRESH:
            return None
        return PartitionResult(
            key, {table.name: self._standing_result(stage, key, table) for table in wanted}
        )

    def _standing_result(self, stage: Stage, key: Key, table: Table) -> TableResult:
        result = TableResult(metadata={"up_to_date": True})
        for place in self._written(stage, key, table):
            record = self._recorded[table.name, partition_name(place) or WHOLE]
            version = PartitionVersion(table.name, partition_name(place), record["content_hash"])
            path = self._lake.file(table, place)
            result.written.append(WrittenPartition(version, path, record["rows"], record["bytes"], False))
        carried = [
            self._lake.version(upstream, place).content_hash
            for upstream in stage.output(table).carries
            for place in self._carried_places(stage, key, upstream)
        ]
        hashes = [result.content_hash, *carried]
        result.version = combined_hash(hashes) if carried else hashes[0]
        return result

    def _carried_places(self, stage: Stage, key: Key, table: Table) -> list[Partition]:
        layout = self._graph.layout
        relations = layout.reads_every_relation(stage, key.name)
        return [
            place
            for place in self._places(table)
            for source, keys in self._graph.upstream(stage, key)
            if source.declared.table is table
            and (
                (relations and source.producer.scope == Scope.RELATION)
                or any(layout.covers(place, table, source.producer, upstream) for upstream in keys)
            )
        ]


def _all_records(lake: Lake) -> list[dict[str, Any]]:
    columns = [name for name in MATERIALIZATIONS.schema.names if name not in ("version", "run_id")]
    tables = [lake.read(MATERIALIZATIONS, place, columns) for place in lake.partitions(MATERIALIZATIONS)]
    return pa.concat_tables(tables).to_pylist() if tables else []
