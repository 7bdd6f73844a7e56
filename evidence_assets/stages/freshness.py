"""Which partitions are missing, stale or fresh, told from `materializations` and the files outside alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from evidence_assets.lake.ids import combined_hash
from evidence_assets.lake.schemas import TABLES_BY_NAME, Table
from evidence_assets.stages.declaration import Key, Scope, Stage
from evidence_assets.stages.file_changes import FILE, changed_files, file_change
from evidence_assets.stages.graph import InputPlaces

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake, Partition
    from evidence_assets.models.provider import Models
    from evidence_assets.stages.execution import PartitionResult, TableResult
    from evidence_assets.stages.graph import Needed, Source, StageGraph

WHOLE = "(whole)"
# What a recorded version is made of, a run's settings aside.
CODE, MODELS, CONFIGURATION = "code", "models", "configuration"


class State(StrEnum):
    """How a partition stands to what it was made from."""

    MISSING = "missing"
    STALE = "stale"
    FRESH = "fresh"


@dataclass(frozen=True, slots=True)
class Status:
    """One partition's state, and what moved: which input, code version or file.

    `is_outdated`: an input, a file or what the lake holds, is otherwise than when it was made.
    `is_reconfigured`: what is configured, or was retracted, is otherwise, and nothing else of its version.
    `is_removed`: it is missing, and was made: its files were removed from the lake.
    """

    stage: Stage
    key: Key
    state: State
    reason: str = ""
    tables: tuple[Table, ...] = ()
    is_outdated: bool = False
    is_reconfigured: bool = False
    is_removed: bool = False

    @property
    def name(self) -> str:
        """The stage's name; of a stage whose tables can be made by themselves, the tables'."""
        return ", ".join(table.name for table in self.tables) if self.stage.subset else self.stage.name

    @property
    def rests_on_changed_file(self) -> bool:
        """Whether what moved is a file outside the lake, as `file_change` tells it."""
        return self.reason.startswith(FILE)


# What became of files that are recorded, and that nothing of this program took away.
_REMOVED = "was removed from the lake"


@dataclass(frozen=True, slots=True)
class _Standing:
    """What a table has: its partitions by the values of their columns, their files' bytes by their names."""

    places: Mapping[tuple[str, ...], dict[str, str]]
    sizes: Mapping[str, int]


class Freshness:
    """Compares what is recorded of partitions with what stands now.

    `fingerprint`: returns the content of an outside file by the URI recorded for it, `GONE` where there is
    none, None where it cannot be told; None: outside files are not looked at. `choices`: what someone chose
    makes a partition stale too: another profile's models, a run's settings, replies that are to be asked for
    again. Automation leaves it. `files`: returns the files of a folder outside, each with its content.
    """

    def __init__(
        self,
        lake: Lake,
        graph: StageGraph,
        models: Models,
        fingerprint: Callable[[Stage, Key, str], str | None] | None = None,
        choices: bool = True,
        files: Callable[[str], Mapping[str, str]] = lambda uri: {},
    ) -> None:
        self._lake, self._graph, self._models, self._fingerprint = lake, graph, models, fingerprint
        self._choices, self._files = choices, files
        self._standing: dict[str, _Standing] = {}
        self._believed: dict[tuple[str, str], Mapping[str, Any] | None] = {}

    @cached_property
    def _records(self) -> Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]:
        """The records of each table and partition, one a version."""
        from evidence_assets.lake.records import all_records

        records: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
        for row in all_records(self._lake):
            records.setdefault((row["table"], row["partition"]), []).append(row)
        return records

    @cached_property
    def _recorded_names(self) -> Mapping[str, Sequence[str]]:
        """The partitions of each table that there are records of."""
        names: dict[str, list[str]] = {}
        for table, partition in self._records:
            names.setdefault(table, []).append(partition)
        return names

    def _record(self, table: str, partition: str) -> Mapping[str, Any] | None:
        """Return the record of what stands in a partition, whichever was written last; None without one.

        Clocks are set back, and differ from machine to machine: the file says which version it is. It is
        opened only where its size does not tell. Of a partition that does not stand, its newest record.
        """
        name = (table, partition)
        if name not in self._believed:
            records = self._records.get(name)
            self._believed[name] = self._believable(*name, records) if records else None
        return self._believed[name]

    def _believable(
        self, table: str, partition: str, records: Sequence[Mapping[str, Any]]
    ) -> Mapping[str, Any] | None:
        from evidence_assets.lake.lake import MissingPartitionError, parsed_partition
        from evidence_assets.lake.parquet import DamagedFileError, OldLakeError

        # An earlier version's table is none of this one's.
        declared = TABLES_BY_NAME.get(table)
        size = self._standing_of(declared).sizes.get(partition) if declared else None
        if declared is None or size is None:
            return max(records, key=lambda record: record["materialized_at"])
        as_large = [record for record in records if record["bytes"] == size]
        if len(as_large) == 1:
            return as_large[0]
        try:
            return self._lake.recorded(declared, parsed_partition("" if partition == WHOLE else partition))
        except (MissingPartitionError, DamagedFileError, OldLakeError):
            return None

    def _standing_of(self, table: Table) -> _Standing:
        from evidence_assets.lake.lake import partition_name

        if table.name not in self._standing:
            parts = self._lake.sized_partitions(table)
            self._standing[table.name] = _Standing(
                {tuple(place.values()): place for place, _ in parts},
                {partition_name(place) or WHOLE: size for place, size in parts},
            )
        return self._standing[table.name]

    def _places(self, table: Table) -> list[dict[str, str]]:
        return list(self._standing_of(table).places.values())

    def statuses(self, wanted: Iterable[Needed], to_be_made: bool = True) -> Iterator[Status]:
        """Yield the state of each of these partitions; what depends on one that is not fresh is stale too.

        `wanted` names what is read before what reads it, as `StageGraph.needed` does. `to_be_made`: what is
        missing of it is going to be made; else what takes its input as far as it was made waits for none.
        """
        moved: dict[tuple[str, str, Key], State] = {}
        for needed in wanted:
            stage, key = needed.stage, needed.key
            status = self.status(stage, key, needed.tables)
            if status.state == State.FRESH and (reason := self._waits_for(stage, key, moved, to_be_made)):
                status = Status(stage, key, State.STALE, reason, needed.tables)
            if status.state != State.FRESH:
                moved |= {(stage.name, table.name, key): status.state for table in needed.tables}
            yield status

    def _waits_for(
        self, stage: Stage, key: Key, moved: Mapping[tuple[str, str, Key], State], to_be_made: bool
    ) -> str:
        """Return which input of a partition is to be made anew first; empty where none is."""
        for source, keys in self._graph.upstream(stage, key):
            declared, producer = source.declared, source.producer.name
            as_made = self._graph.takes_as_made(stage, declared) and not declared.as_made
            if as_made and not to_be_made:
                continue
            for upstream in keys:
                state = moved.get((producer, declared.table.name, upstream))
                # What is going to be made is gathered, even where nothing waits for it. An arm that is made
                # anew is compared anew; one that never was is not asked for.
                if state == State.STALE or (state and (to_be_made or not declared.as_made)):
                    return f"{declared.table.name}, {upstream.text or WHOLE}, is to be made anew"
        return ""

    def status(
        self, stage: Stage, key: Key, tables: Iterable[Table] = (), settings: BaseModel | None = None
    ) -> Status:
        """Return the state of one partition, by what stands now."""
        wanted = tuple(tables) or stage.tables
        for table in wanted:
            status = self._of_table(stage, key, table, settings)
            if status.state != State.FRESH:
                return replace(status, tables=wanted)
        return Status(stage, key, State.FRESH, tables=wanted)

    def _written(self, stage: Stage, key: Key, table: Table) -> list[dict[str, str]]:
        layout = self._graph.layout
        place = layout.place(table, stage, key)
        if tuple(place) == table.partition_columns:
            return [place] if tuple(place.values()) in self._standing_of(table).places else []
        return [place for place in self._places(table) if layout.covers(place, table, stage, key)]

    def _of_table(self, stage: Stage, key: Key, table: Table, settings: BaseModel | None) -> Status:
        from evidence_assets.lake.lake import partition_name
        from evidence_assets.stages.execution import INCOMPLETE, recorded_version

        places = self._written(stage, key, table)
        if not places:
            removed = bool(self._recorded(stage, key, table))
            reason = f"{table.name} {_REMOVED if removed else 'was never made'}"
            return Status(stage, key, State.MISSING, reason, is_removed=removed)
        if lost := self._lost(stage, key, table):
            others = f", and {len(lost) - 1} more of its files" if len(lost) > 1 else ""
            reason = f"{table.name} {lost[0]} {_REMOVED}{others}"
            return Status(stage, key, State.STALE, reason, is_outdated=True)
        expected = recorded_version(stage, key, self._models, settings)
        for place in places:
            record = self._record(table.name, partition_name(place) or WHOLE)
            if record is None:
                reason = f"{table.name}: nothing is recorded of it; its run may have died"
                return Status(stage, key, State.STALE, reason)
            recorded = record["code_version"]
            if recorded != expected:
                differing = self._differing(stage, key, recorded)
                if self._choices or differing & {CODE, CONFIGURATION}:
                    kind = "replies are missing" if recorded.endswith(INCOMPLETE) else "code version"
                    reason = f"{kind}: {recorded}, now {expected}"
                    reconfigured = differing == {CONFIGURATION}
                    return Status(stage, key, State.STALE, reason, is_reconfigured=reconfigured)
            if reason := self._moved(stage, key, record):
                return Status(stage, key, State.STALE, reason, is_outdated=True)
        return Status(stage, key, State.FRESH)

    def _lost(self, stage: Stage, key: Key, table: Table) -> list[str]:
        """Return the parts of a table's partition whose files were removed, as `lost_parts` tells them."""
        from evidence_assets.lake.lake import partition_name
        from evidence_assets.stages.lost_parts import lost_parts

        if tuple(self._graph.layout.place(table, stage, key)) == table.partition_columns:
            return []
        standing = {partition_name(place) for place in self._written(stage, key, table)}
        beside = [record for written in stage.tables for record in self._records_of(stage, key, written)]
        return lost_parts(self._recorded(stage, key, table), standing, filter(None, beside))

    def _recorded(self, stage: Stage, key: Key, table: Table) -> list[Mapping[str, Any]]:
        """Return what is recorded of all that a partition of a stage ever wrote of a table."""
        from evidence_assets.lake.lake import parsed_partition, partition_name

        layout = self._graph.layout
        place = layout.place(table, stage, key)
        if tuple(place) == table.partition_columns:
            return list(self._records.get((table.name, partition_name(place) or WHOLE), ()))
        return [
            record
            for partition in self._recorded_names.get(table.name, ())
            if layout.covers(parsed_partition(partition), table, stage, key)
            for record in self._records[table.name, partition]
        ]

    def _differing(self, stage: Stage, key: Key, recorded: str) -> set[str]:
        """Return which parts of a version are otherwise now, a run's settings and missing replies aside."""
        from evidence_assets.stages.execution import INCOMPLETE, SETTINGS, version_parts

        code, models, configuration, _ = version_parts(stage, key, self._models)
        were = recorded.removesuffix(f"+{INCOMPLETE}").removeprefix(code)
        parts = were.split("+")[1:]
        same_code = recorded.startswith(code) and were[:1] in ("", "+")
        configured = [part for part in parts if not part.startswith(SETTINGS)]
        were_models, configured = (configured[:1], configured[1:]) if models else ([], configured)
        differing = {
            CODE: not same_code,
            MODELS: bool(models) and were_models != [models],
            CONFIGURATION: configured != ([configuration] if configuration else []),
        }
        return {part for part, differs in differing.items() if differs}

    def _moved(self, stage: Stage, key: Key, record: Mapping[str, Any]) -> str:
        """Return which input of a record is otherwise now, or is new; empty where none is."""
        from evidence_assets.stages.inputs import SOURCE_FILES

        seen = set()
        for upstream in record["upstream"]:
            table, partition = upstream["table"], upstream["partition"]
            seen.add((table, partition))
            if table == SOURCE_FILES:
                if change := self._file_change(stage, key, record, upstream):
                    return change
                continue
            now = self._record(table, partition or WHOLE)
            if now is None or now["content_hash"] != upstream["content_hash"]:
                return f"{table} {partition or WHOLE} changed"
        for uri in stage.file_uris(key):
            if (SOURCE_FILES, uri) not in seen:
                return f"{FILE}{uri} is named now"
        return self._come_or_gone(stage, key, seen)

    def file_changes(self, stage: Stage, key: Key) -> dict[str, str]:
        """Return what became of each file outside since a partition was made, as `file_change` tells it.

        By its URI; files that are as they were are left out.
        """
        from evidence_assets.stages.inputs import SOURCE_FILES

        records = [record for table in stage.tables for record in self._records_of(stage, key, table)]
        changes = {
            upstream["partition"]: self._file_change(stage, key, record, upstream)
            for record in filter(None, records)
            for upstream in record["upstream"]
            if upstream["table"] == SOURCE_FILES
        }
        return {uri: change for uri, change in changes.items() if change}

    def _file_change(self, stage: Stage, key: Key, record: Mapping[str, Any], read: Mapping[str, str]) -> str:
        """Return what became of a file outside that a record names among what was read; or nothing."""
        if self._fingerprint is None:
            return ""
        uri = read["partition"]
        which = partial(self._which_changed, record, uri)
        return file_change(uri, read["content_hash"], self._fingerprint(stage, key, uri), which)

    def _which_changed(self, record: Mapping[str, Any], uri: str) -> str:
        """Return which files of a folder changed since a record was written, as `changed_files` does."""
        from evidence_assets.lake.lake import PartitionVersion

        now = self._files(uri)
        # Of one file nothing more is told; the names of a folder's are read where they are asked for alone.
        version = PartitionVersion(record["table"], record["partition"], record["content_hash"])
        return changed_files(self._lake.record_of(version), uri, now) if now else ""

    def _come_or_gone(self, stage: Stage, key: Key, seen: set[tuple[str, str]]) -> str:
        """Return an input partition that has come or gone since: a corpus's shard, a harvest's relation."""
        from evidence_assets.lake.lake import partition_name

        standing: dict[str, set[str]] = {}
        for source, keys in self._graph.upstream(stage, key):
            table = source.declared.table
            names = {partition_name(place): place for place in self._input_places(stage, key, source, keys)}
            standing.setdefault(table.name, set()).update(names)
            read = any(name == table.name for name, _ in seen)
            followed_as_made = source.declared.as_made and source.declared.via is None
            if not followed_as_made and not (
                read and (source.declared.as_made or self._gathers(stage, source))
            ):
                continue
            for name, place in names.items():
                # Of what a relation gave every harvest, each gathers its own.
                theirs = stage.scope == Scope.HARVEST and place.get("kg", key.name) != key.name
                if not theirs and (table.name, name) not in seen:
                    return f"{table.name} {name} is new"
        for name, partition in sorted(seen):
            if partition not in standing.get(name, {partition}):
                return f"{name} {partition or WHOLE} is an input no more"
        return ""

    def _gathers(self, stage: Stage, source: Source) -> bool:
        """Tell whether a stage that reads an input at all reads all that stands of it."""
        producer, table = source.producer, source.declared.table
        if producer.scope in (Scope.SHARD, Scope.RELATION):
            several = stage.scope != producer.scope
        else:
            place = self._graph.layout.place(table, producer, Key("name", "variant"))
            several = tuple(place) != table.partition_columns
        # What is followed through another table may be read in part.
        return several and source.declared.via is None

    def _input_places(
        self, stage: Stage, key: Key, source: Source, keys: Iterable[Key]
    ) -> list[dict[str, str]]:
        """Return what stands of an input. What is followed through another table is left to that one."""
        table, producer = source.declared.table, source.producer
        layout = self._graph.layout
        followed = source.declared.via is None
        if not followed and producer.scope == Scope.RELATION and layout.reads_every_relation(stage, key.name):
            return self._places(table)
        return [place for upstream in keys for place in self._written(producer, upstream, table)]

    def _files_read(self, stage: Stage, key: Key) -> set[str]:
        from evidence_assets.stages.inputs import SOURCE_FILES

        records = [record for table in stage.tables for record in self._records_of(stage, key, table)]
        upstream = [version for record in records if record for version in record["upstream"]]
        return {version["partition"] for version in upstream if version["table"] == SOURCE_FILES}

    def basis(self, stage: Stage, key: Key, outside: str = "") -> str:
        """Return a hash of what a partition would be made from now: code, models, configuration, inputs.

        `outside`: what changes when any file outside does, for partitions whose files are not known yet.
        """
        from evidence_assets.lake.lake import partition_name
        from evidence_assets.stages.execution import recorded_version

        parts = [recorded_version(stage, key, self._models)]
        for source, keys in self._graph.upstream(stage, key):
            for place in self._input_places(stage, key, source, keys):
                name = (source.declared.table.name, partition_name(place) or WHOLE)
                record = self._record(*name)
                parts += [*name, "" if record is None else record["content_hash"]]
        read = self._files_read(stage, key) | set(stage.file_uris(key))
        fingerprint = self._fingerprint or (lambda *_: None)
        parts += [fingerprint(stage, key, uri) or "" for uri in sorted(read)]
        # Which other files a partition reads is known once it was made.
        if stage.files and not self._files_read(stage, key):
            parts.append(outside)
        return combined_hash(parts)

    def _records_of(self, stage: Stage, key: Key, table: Table) -> list[Mapping[str, Any] | None]:
        """Return the record of each part that stands of a table's partition."""
        from evidence_assets.lake.lake import partition_name

        places = self._written(stage, key, table)
        return [self._record(table.name, partition_name(place) or WHOLE) for place in places]

    def standing(self, stage: Stage, key: Key, table: Table) -> TableResult | None:
        """Return what stands of a table's partition, fresh or not; None where nothing is recorded of it."""
        records = self._records_of(stage, key, table)
        return self._standing_result(stage, key, table) if records and all(records) else None

    def stands(self, stage: Stage, key: Key, table: Table) -> bool:
        """Tell whether anything of a table's partition is in the lake."""
        return bool(self._written(stage, key, table))

    def recorded_state(self, stage: Stage, key: Key, table: Table) -> str:
        """Return what is another whenever a table's partition is recorded anew; empty where it never was."""
        records = [record for record in self._records_of(stage, key, table) if record]
        return " ".join(f"{record['content_hash']} {record['materialized_at']}" for record in records)

    def unchanged(
        self, stage: Stage, key: Key, tables: Iterable[Table], settings: BaseModel | None
    ) -> PartitionResult | None:
        """Return what stands in a fresh partition, as a run that changed nothing leaves it; else None.

        What is damaged is fresh by its record, and is to be made anew by whoever asks for it.
        """
        from evidence_assets.stages.execution import PartitionResult

        wanted = list(tables)
        if self.status(stage, key, wanted, settings).state != State.FRESH:
            return None
        places = [(table, place) for table in wanted for place in self._written(stage, key, table)]
        if any(self._lake.is_damaged(table, place) for table, place in places):
            return None
        results = {table.name: self._standing_result(stage, key, table) for table in wanted}
        # A run may have died between the writing of other rows and the record of them.
        changed = any(result.changed for result in results.values())
        return None if changed else PartitionResult(key, results)

    def _standing_result(self, stage: Stage, key: Key, table: Table) -> TableResult:
        from evidence_assets.lake.lake import PartitionVersion, WrittenPartition, partition_name
        from evidence_assets.stages.execution import TableResult

        result = TableResult(metadata={"up_to_date": True})
        for place in self._written(stage, key, table):
            record = self._record(table.name, partition_name(place) or WHOLE)
            if record is None:
                continue
            version = PartitionVersion(table.name, partition_name(place), record["content_hash"])
            path, changed = self._lake.file(table, place), version != self._lake.version(table, place)
            result.written.append(WrittenPartition(version, path, record["rows"], record["bytes"], changed))
        carried = [
            self._lake.version(upstream, place).content_hash
            for upstream in stage.output(table).carries
            for place in self._carried_places(stage, key, upstream)
        ]
        hashes = [result.content_hash, *carried]
        result.version = combined_hash(hashes) if carried else hashes[0]
        return result

    def _carried_places(self, stage: Stage, key: Key, table: Table) -> list[Partition]:
        inputs = InputPlaces(self._graph, stage, key)
        return [place for place in self._places(table) if inputs.admit(table, place)]
