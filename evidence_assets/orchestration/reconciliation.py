"""Events and lake held against each other: what is written is recorded, and what is gone is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import dagster as dg

from evidence_assets.orchestration.assets import DATA_VERSION_TAG, asset_key, materialization, tags_of_inputs
from evidence_assets.stages.declaration import Key, Scope, Stage
from evidence_assets.stages.freshness import State
from evidence_assets.stages.graph import StageGraph

if TYPE_CHECKING:
    from evidence_assets.lake.schemas import Table
    from evidence_assets.stages.execution import TableResult
    from evidence_assets.stages.freshness import Freshness

# What the lake recorded of an asset's partition when its newest event was found to tell of it.
Compared = dict[tuple[str, str | None], str]


@dataclass
class Reconciled:
    """What was put right: partitions recorded, and partitions marked as missing, by asset."""

    recorded: dict[str, list[str]] = field(default_factory=dict)
    missing: dict[str, list[str]] = field(default_factory=dict)


def reconcile(
    instance: dg.DagsterInstance,
    graph: StageGraph,
    freshness: Freshness,
    compared: Compared,
    log: Callable[[str], None] = lambda message: None,
) -> Reconciled:
    """Record what the lake holds and no event tells, mark as missing what events tell and the lake lacks.

    `compared`: what this process has compared before, and is not compared again, whatever clocks say; it is
    added to.

    Not while a run makes partitions: it tells of each itself.
    """
    done = Reconciled()
    # What is read before what reads it: an input's event is older than that of what was made from it.
    for stage in sorted(graph.stages, key=lambda stage: graph.order[stage.name]):
        for table in stage.tables:
            name = asset_key(stage, table).to_user_string()
            written, gone = _differences(instance, graph, freshness, stage, table, compared)
            if gone:
                done.missing[name] = gone
                written = _wipe(instance, graph, freshness, stage, table)
            read = tags_of_inputs(instance, graph, stage) if written else {}
            for text, result in written.items():
                # What is stale has read something else than what stands.
                is_fresh = freshness.status(stage, Key.of(text), (table,)).state == State.FRESH
                event = _event(stage, table, text, result, read if is_fresh else {})
                instance.report_runless_asset_event(event)
            if written and not gone:
                done.recorded[name] = [text or "" for text in written]
            if written or gone:
                log(f"{name}: {len(written)} partitions recorded, {len(gone)} marked as missing")
    return done


def _differences(
    instance: dg.DagsterInstance,
    graph: StageGraph,
    freshness: Freshness,
    stage: Stage,
    table: Table,
    compared: Compared,
) -> tuple[dict[str | None, TableResult], list[str]]:
    """Return what of an asset stands and is not recorded, and the partitions recorded that do not stand."""
    key = asset_key(stage, table)
    recorded = _recorded(instance, stage, key)
    written: dict[str | None, TableResult] = {}
    gone = []
    for part in graph.layout.keys(stage):
        text = None if stage.scope == Scope.WHOLE else part.text
        known, name = text in recorded, (key.to_user_string(), text)
        state = freshness.recorded_state(stage, part, table)
        if known and state and state != compared.get(name):
            result = freshness.standing(stage, part, table)
            if result is not None and _version(instance, key, text) != result.version:
                written[text] = result
            else:
                compared[name] = state
        elif not known:
            result = freshness.standing(stage, part, table)
            if result is not None:
                written[text] = result
        if known and not freshness.stands(stage, part, table):
            gone.append(part.text)
    return written, gone


def _recorded(instance: dg.DagsterInstance, stage: Stage, key: dg.AssetKey) -> set[str | None]:
    if stage.scope == Scope.WHOLE:
        return set() if instance.get_latest_materialization_event(key) is None else {None}
    return set(instance.get_materialized_partitions(key))


def _version(instance: dg.DagsterInstance, key: dg.AssetKey, text: str | None) -> str | None:
    wanted = dg.AssetRecordsFilter(asset_key=key, asset_partitions=None if text is None else [text])
    records = instance.fetch_materializations(wanted, limit=1).records
    made = records[0].asset_materialization if records else None
    return None if made is None else (made.tags or {}).get(DATA_VERSION_TAG)


def _wipe(
    instance: dg.DagsterInstance, graph: StageGraph, freshness: Freshness, stage: Stage, table: Table
) -> dict[str | None, TableResult]:
    """Forget an asset's events and return what is to be recorded again.

    Dagster's open-source storages cannot forget one partition.
    """
    instance.wipe_assets([asset_key(stage, table)])
    standing = {
        (None if stage.scope == Scope.WHOLE else part.text): freshness.standing(stage, part, table)
        for part in graph.layout.keys(stage)
    }
    return {text: result for text, result in standing.items() if result is not None}


def _event(
    stage: Stage, table: Table, text: str | None, result: TableResult, read: Mapping[str, str]
) -> dg.AssetMaterialization:
    event = materialization(asset_key(stage, table), text, result, read=read)
    return event._replace(
        description="recorded from the lake: its run ended before it could tell, or ran elsewhere"
    )
