"""What a run that ended without a word was to make: the partitions of its assets, or those it was given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import dagster as dg
from dagster._core.definitions.partitions.context import partition_loading_context

from evidence_assets.orchestration.failures import with_inputs_job
from evidence_assets.orchestration.following import part_name
from evidence_assets.orchestration.jobs import asset_names, jobs_of
from evidence_assets.orchestration.partitions import partitions_of
from evidence_assets.stages.declaration import Key, Scope, Stage
from evidence_assets.stages.graph import Needed, StageGraph
from evidence_assets.systems.system import System

_PARTITION = "dagster/partition"
_FIRST, _LAST = "dagster/asset_partition_range_start", "dagster/asset_partition_range_end"


def ended_without_a_word(instance: dg.DagsterInstance, run: dg.DagsterRun) -> bool:
    """Tell whether no step of a failed run has failed: its worker died, or never came up."""
    return not instance.all_logs(run.run_id, of_type=dg.DagsterEventType.STEP_FAILURE)


def lost_parts(
    instance: dg.DagsterInstance, graph: StageGraph, systems: Iterable[System], run: dg.DagsterRun
) -> list[str]:
    """Return the names of the partitions that a run was to make, made or not."""
    for operation in run.run_config.get("ops", {}).values() if isinstance(run.run_config, dict) else ():
        if parts := (operation.get("config") or {}).get("parts"):
            return list(parts)
    for system in systems:
        if run.job_name == with_inputs_job(system.name) and _PARTITION in run.tags:
            key = Key.of(run.tags[_PARTITION])
            names = (system.name, f"{system.name}/benchmark_scores")
            wanted = [(graph.by_name[name], key) for name in names]
            return [part_name(part) for part in graph.needed(wanted)]
    named = _assets(graph, systems, run)
    return [
        part_name(Needed(stage, key, tables))
        for stage in graph.stages
        if (tables := tuple(t for t, n in zip(stage.tables, asset_names(stage), strict=True) if n in named))
        for key in _keys(instance, graph, stage, run)
    ]


def _assets(graph: StageGraph, systems: Iterable[System], run: dg.DagsterRun) -> set[str]:
    if run.asset_selection:
        return {key.to_user_string() for key in run.asset_selection}
    jobs = {job.name: job.assets for job in jobs_of(graph, systems)}
    return set(jobs.get(run.job_name, ()))


def _keys(instance: dg.DagsterInstance, graph: StageGraph, stage: Stage, run: dg.DagsterRun) -> Sequence[Key]:
    if stage.scope == Scope.WHOLE:
        return [Key()]
    if _PARTITION in run.tags:
        return [Key.of(run.tags[_PARTITION])]
    if _FIRST not in run.tags or _LAST not in run.tags:
        return []
    partitions: Any = partitions_of(graph.layout, stage.scope, stage.variants)
    span = dg.PartitionKeyRange(run.tags[_FIRST], run.tags[_LAST])
    try:
        with partition_loading_context(dynamic_partitions_store=instance):
            keys = partitions.get_partition_keys_in_range(span)
    except (dg.DagsterInvalidDefinitionError, dg.DagsterInvalidInvocationError):
        # Partitions that the configuration names no more.
        return []
    return [Key.of(str(key)) for key in keys]
