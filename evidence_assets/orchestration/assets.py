"""Dagster assets made from stages: keys, partitions, dependencies, and the run itself."""

import os
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import dagster as dg

from evidence_assets.lake.ids import combined_hash
from evidence_assets.models.generation.settings import GeneratorSettings
from evidence_assets.models.provider import Models
from evidence_assets.orchestration.failures import failure_of, outages_told, told
from evidence_assets.orchestration.following import part_name
from evidence_assets.orchestration.made_with import made_with
from evidence_assets.orchestration.partitions import mapping_of, partitions_of
from evidence_assets.orchestration.resources import config_of, settings_of
from evidence_assets.orchestration.workers import note_end, note_making, note_worker
from evidence_assets.progress import Lines
from evidence_assets.sources.project import Project
from evidence_assets.sources.source_fingerprints import source_fingerprint
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.stages.declaration import FilePath, Key, Stage, asset_path
from evidence_assets.stages.graph import Needed, StageGraph

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake
    from evidence_assets.stages.execution import PartitionResult, TableResult

OWNERS = ["team:evidence-assets"]
# Steps that load a model, or replace a file that others point to, run one at a time.
GPU_POOL = "gpu"
PARTITIONS_PER_RUN = "EVIDENCE_PARTITIONS_PER_RUN"
DATA_VERSION_TAG = "dagster/data_version"
_CODE_VERSION_TAG, _INPUT_VERSION_TAG, _INPUT_EVENT_TAG, _NO_EVENT = (
    "dagster/code_version",
    "dagster/input_data_version",
    "dagster/input_event_pointer",
    "NULL",
)
_RETIRED = "retired"


def asset_key(stage: Stage, table: Any) -> dg.AssetKey:
    """Return the key of the asset that one of a stage's tables is."""
    return dg.AssetKey(list(asset_path(table, stage.system)))


def stage_assets(project: Project, graph: StageGraph) -> list[dg.AssetsDefinition]:
    """Return the assets of every stage, in the order of their declaration."""
    return [_asset(project, graph, stage) for stage in graph.stages]


def _dependencies(graph: StageGraph, stage: Stage) -> list[dg.AssetDep]:
    dependencies = [dg.AssetDep(dg.AssetKey([name])) for name in stage.files]
    for source in graph.sources(stage):
        if source.declared.via is None:
            mapping = mapping_of(graph.layout, stage, source.producer, source.declared)
            key = asset_key(source.producer, source.declared.table)
            dependencies.append(dg.AssetDep(key, partition_mapping=mapping))
    return dependencies


def _specs(graph: StageGraph, stage: Stage) -> list[dg.AssetSpec]:
    dependencies = _dependencies(graph, stage)
    tags = {"layer": stage.layer, **({"system": stage.system} if stage.system else {})}
    impossible = _impossible_partitions(graph, stage)
    return [
        dg.AssetSpec(
            asset_key(stage, output.table),
            deps=dependencies,
            description=output.description,
            group_name=stage.group,
            owners=OWNERS,
            kinds=set(stage.kinds),
            tags=tags,
            metadata={"cannot_be_made": dg.MetadataValue.md(impossible)} if impossible else None,
            code_version=stage.version,
        )
        for output in stage.outputs
    ]


def _impossible_partitions(graph: StageGraph, stage: Stage) -> str:
    """Return, as Markdown, how many partitions of each name cannot be made, and why the first of them.

    They are listed all the same: Dagster has every name with every variant.
    """
    by_name: dict[str, list[str]] = {}
    for key in graph.layout.keys(stage):
        if (problem := graph.problem(stage, key)) is not None:
            by_name.setdefault(key.name, []).append(f"`{key.text}`: {problem}")
    of_each = len(stage.variants or [""])
    return "\n".join(
        f"- {name}: {len(problems)} of {of_each}, such as {problems[0]}" for name, problems in by_name.items()
    )


def _asset(project: Project, graph: StageGraph, stage: Stage) -> dg.AssetsDefinition:
    backfill = _backfill_policy() if stage.batched else None
    schema = None if stage.settings is None else config_of(stage.settings)

    @dg.multi_asset(
        name=operation_name(stage),
        specs=_specs(graph, stage),
        partitions_def=partitions_of(graph.layout, stage.scope, stage.variants),
        backfill_policy=backfill,
        pool=GPU_POOL if stage.pooled else None,
        can_subset=stage.subset,
        required_resource_keys={"lake", *(str(model) for model in stage.models)},
        config_schema=schema,
    )
    def make(context: dg.AssetExecutionContext) -> Any:
        with outages_told(context.resources.lake.uri):
            yield from StageRun(context, project, graph, stage).results()

    made: dg.AssetsDefinition = make
    return made


def _backfill_policy() -> dg.BackfillPolicy:
    """Return how many partitions of a backfill one run takes: all of them, for a run loads a model once.

    Where several machines are to share them, `EVIDENCE_PARTITIONS_PER_RUN` says how many.

    Raises:
        ConfigurationError: it says no number of partitions.
    """
    most = os.environ.get(PARTITIONS_PER_RUN, "")
    if not most:
        return dg.BackfillPolicy.single_run()
    if not most.isdecimal() or int(most) < 1:
        raise ConfigurationError(
            f"{PARTITIONS_PER_RUN}={most}: no number of partitions; remedy: name one from 1, or unset it"
        )
    return dg.BackfillPolicy.multi_run(int(most))


def partitions_of_run(context: dg.AssetExecutionContext | dg.AssetCheckExecutionContext) -> list[str | None]:
    """Return the partitions being made; None for an asset without partitions."""
    has_partitions = context.has_partition_key or context.has_partition_key_range
    return list(context.partition_keys) if has_partitions else [None]


def operation_name(stage: Stage) -> str:
    """Return the name of the operation that makes a stage's tables."""
    return stage.name.replace("/", "__")


def models_of(resources: Mapping[str, Any], lake: Any, generators: Mapping[str, GeneratorSettings]) -> Models:
    """Return the models that Dagster resources configure; where a run has none, the profile's."""
    from evidence_assets.models.provider import (
        EncoderSettings,
        GeneratorOverrides,
        MaskedLanguageModelSettings,
        PairScorerSettings,
    )

    def settings(name: str, of: Any) -> Any:
        return settings_of(resources[name], of) if name in resources else of()

    return Models(
        lake.cache_folder(),
        settings("encoder", EncoderSettings),
        settings("pair_scorer", PairScorerSettings),
        settings("masked_lm", MaskedLanguageModelSettings),
        settings("generator", GeneratorOverrides),
        generators,
    )


class StageRun:
    """One run of a stage over one or several partitions."""

    def __init__(
        self, context: dg.AssetExecutionContext, project: Project, graph: StageGraph, stage: Stage
    ) -> None:
        from evidence_assets.stages.execution import Run
        from evidence_assets.stages.freshness import Freshness

        self._context, self._graph, self._stage = context, graph, stage
        resource = context.resources.lake
        self._lake: Lake = resource.open()
        self._again: bool = resource.again
        held = {name: getattr(context.resources, name) for name in map(str, stage.models)}
        settings = None
        if stage.settings is not None:
            settings = stage.settings(**context.op_execution_context.op_config)
        self._run = Run(
            self._lake,
            graph,
            models_of(held, resource, project.generators),
            context.run_id,
            settings,
            log=context.log,
        )
        self._freshness = Freshness(self._lake, graph, self._run.models, source_fingerprint(project))
        self._results: dict[str | None, PartitionResult] = {}
        self._read = tags_of_inputs(context.instance, graph, stage)

    def results(self) -> Iterator[dg.MaterializeResult[Any] | dg.AssetMaterialization]:
        """Make the partitions; yield each one's materialisations at once, and at the end a result an asset.

        Dagster gives all partitions of one run one data version. So a run of several logs, after it, an event
        a partition with the partition's own version once more: else every partition would look changed.
        """
        context = self._context
        texts = partitions_of_run(context)
        note_worker(context.instance, context.run_id)
        # What cannot be made comes last: the run's other partitions are made, and recorded, before it fails.
        for text in sorted(texts, key=lambda text: self._problem(Key.of(text)) is not None):
            self._make(text)
            if len(texts) > 1:
                yield from self._events(text)
        note_end(context.instance, context.run_id, {})
        yield from self._materializations()

    def _make(self, text: str | None) -> None:
        from evidence_assets.stages.execution import make_partition

        key, stage = Key.of(text), self._stage
        selected = [table for table in stage.tables if asset_key(stage, table) in self._selected()]
        part = Needed(stage, key, tuple(selected))
        instance, run_id = self._context.instance, self._context.run_id
        note_making(instance, run_id, part_name(part), self._freshness.basis(stage, key))
        try:
            if (problem := self._problem(key)) is not None:
                raise LookupError(problem)
            result = None
            if not self._again:
                # What a run writes is no input of its other partitions: one look at the records serves all.
                result = self._freshness.unchanged(stage, key, selected, self._run.settings)
            if result is None:
                with Lines(lambda line: self._context.log.info(f"{text or 'whole table'}: {line}")).told():
                    result = make_partition(stage, key, self._run, selected)
        except Exception as error:
            note_end(instance, run_id, {})
            # Commands tell the first cause.
            raise failure_of(part, error, self._lake.uri) from told(error, self._lake.uri)
        for table, place in result.removed:
            self._note_removed(table, place)
        self._results[text] = result
        summary = ", ".join(
            f"{name} {table.rows:,} rows" + ("" if table.changed else " (unchanged)")
            for name, table in result.tables.items()
        )
        self._context.log.info(f"{text or 'whole table'}: {summary}")

    def _problem(self, key: Key) -> str | None:
        return self._graph.problem(self._stage, key)

    def _selected(self) -> set[dg.AssetKey]:
        return set(self._context.selected_asset_keys)

    def _tables(self) -> Iterator[tuple[dg.AssetKey, dict[str | None, "TableResult"]]]:
        for table in sorted(
            self._stage.tables, key=lambda table: asset_key(self._stage, table).to_user_string()
        ):
            key = asset_key(self._stage, table)
            if key in self._selected():
                yield key, {text: result.tables[table.name] for text, result in self._results.items()}

    def _materializations(self) -> Iterator[dg.MaterializeResult[Any] | dg.AssetMaterialization]:
        single = len(self._results) == 1
        for key, results in self._tables():
            if not single:
                for text, result in results.items():
                    if text is not None:
                        shown = {**metadata_of(result), **self._made_with(text)}
                        self._context.add_asset_metadata(shown, key, partition_key=text)
            versions = [result.version for result in results.values()]
            yield dg.MaterializeResult(
                asset_key=key,
                metadata=self._shown(results) if single else {},
                data_version=dg.DataVersion(versions[0] if single else combined_hash(versions)),
            )
        if not single:
            for text in self._results:
                yield from self._events(text)

    def _shown(self, results: Mapping[str | None, "TableResult"]) -> dict[str, Any]:
        [(text, result)] = results.items()
        return {**metadata_of(result), **self._made_with(text)}

    def _events(self, text: str | None) -> Iterator[dg.AssetMaterialization]:
        for key, results in self._tables():
            yield materialization(key, text, results[text], self._made_with(text), self._read)

    def _made_with(self, text: str | None) -> dict[str, Any]:
        return made_with(self._stage, Key.of(text), self._run.models, self._run.settings)

    def _note_removed(self, table: Any, place: Mapping[str, str]) -> None:
        """Tell Dagster that nothing is left of a relation: else what comes back unchanged would not count."""
        writer = self._graph.writer(table)
        if writer is self._stage or "relation" not in place:
            return
        self._context.log_event(
            dg.AssetMaterialization(
                asset_key(writer, table),
                partition=place["relation"],
                description="retired: its seed file is gone",
                tags={DATA_VERSION_TAG: _RETIRED},
            )
        )


def materialization(
    key: dg.AssetKey,
    text: str | None,
    result: "TableResult",
    shown: Mapping[str, Any] = MappingProxyType({}),
    read: Mapping[str, str] = MappingProxyType({}),
) -> dg.AssetMaterialization:
    """Return the event of one partition, with its rows' hash as its data version.

    `shown`: more metadata. `read`: what `tags_of_inputs` gave when the partition was made.
    """
    metadata = {**metadata_of(result), **shown}
    tags = {DATA_VERSION_TAG: result.version, **read}
    return dg.AssetMaterialization(key, partition=text, metadata=metadata, tags=tags)


def tags_of_inputs(instance: dg.DagsterInstance, graph: StageGraph, stage: Stage) -> dict[str, str]:
    """Return the tags by which Dagster tells what a stage has read as it stands now, and by what code.

    Dagster notes them itself where a run makes one partition of an asset, and for no event that a run logs.
    Without them its interface takes what has an input that was never made, or was made again to the same
    rows, for out of date.
    """
    inputs: list[tuple[dg.AssetKey, Any]] = [
        (dg.AssetKey([name]), instance.fetch_observations) for name in stage.files
    ]
    inputs += [
        (asset_key(source.producer, source.declared.table), instance.fetch_materializations)
        for source in graph.sources(stage)
        if source.declared.via is None
    ]
    tags = {_CODE_VERSION_TAG: stage.version}
    for key, fetch in inputs:
        records = fetch(key, limit=1).records
        event = records[0].asset_event if records else None
        version = "" if event is None else (event.tags or {}).get(DATA_VERSION_TAG, "")
        tags[f"{_INPUT_VERSION_TAG}/{key.to_user_string()}"] = version
        tags[f"{_INPUT_EVENT_TAG}/{key.to_user_string()}"] = (
            str(records[0].storage_id) if records else _NO_EVENT
        )
    return tags


def metadata_of(result: "TableResult") -> dict[str, Any]:
    """Return what Dagster shows of a table; a text that begins with `![` or `|` is Markdown."""
    shown: dict[str, Any] = {
        "dagster/row_count": result.rows,
        "bytes": result.size,
        "content_hash": result.content_hash,
        "changed": result.changed,
    }
    if len(result.written) == 1:
        shown["path"] = dg.MetadataValue.path(result.written[0].path)
    else:
        shown["partitions_written"] = len(result.written)
    for name, value in result.metadata.items():
        if isinstance(value, FilePath):
            shown[name] = dg.MetadataValue.path(value)
            continue
        is_markdown = isinstance(value, str) and value.startswith(("![", "|"))
        shown[name] = dg.MetadataValue.md(value) if is_markdown else value
    return shown
