"""A harvest made whole by Dagster's runs, and what runs left: rows, places in the lake, data versions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import dagster as dg

from evidence_assets.extraction.arms import searches_of
from evidence_assets.lake import schemas
from evidence_assets_tests.testing.harvest_project import (
    ARMS,
    CORPUS,
    MERGED,
    REFERENCE,
    RELATIONS,
    SHARDS,
    HarvestProject,
)
from evidence_assets_tests.testing.lake_queries import query_rows
from evidence_assets_tests.testing.small_project import run_job


@dataclass
class Harvested:
    """A project that was harvested whole, and who remembers the runs."""

    project: HarvestProject
    definitions: dg.Definitions
    instance: dg.DagsterInstance
    results: list[tuple[str, dg.ExecuteInProcessResult]] = field(default_factory=list)

    def run(self, job: str, key: str) -> dg.ExecuteInProcessResult:
        result = run_job(self.definitions, job, key, self.instance)
        self.results.append((job, result))
        return result


def harvest_whole(made: Harvested) -> None:
    """Every job of the harvest, a run a partition, in the order of the graph."""
    project = made.project
    assert project.register(made.instance) == sorted(RELATIONS)
    for shard in SHARDS:
        made.run("read_articles", shard)
    made.run("make_masked_lm", CORPUS)
    made.run("build_graph", REFERENCE)
    for relation in RELATIONS:
        made.run("harvest_relation", relation)
    for arm in reversed(ARMS):
        made.run("gather_harvest", arm)
    made.run("build_graph", MERGED)


def rows_of(project: HarvestProject, table: schemas.Table, **place: str) -> list[dict[str, Any]]:
    """Every row of the partitions of a table that have these values."""
    places = [partition for partition in project.lake.partitions(table) if place.items() <= partition.items()]
    rows: list[dict[str, Any]] = project.lake.read_partitions(table, places).to_pylist()
    return rows


def triples_of(project: HarvestProject, **values: str) -> list[dict[str, Any]]:
    """Every row of the view `triples` that has these values: what graphs state, and what was mined."""
    condition = " AND ".join(f"{column} = ?" for column in values)
    return query_rows(
        project.lake, f"SELECT * FROM triples WHERE {condition} ORDER BY triple_id", *values.values()
    )


def data_version(instance: dg.DagsterInstance, asset: str, partition: str) -> str:
    record = instance.get_latest_data_version_record(dg.AssetKey(asset), partition_key=partition)
    assert record is not None
    assert record.asset_materialization is not None
    return (record.asset_materialization.tags or {})["dagster/data_version"]


def places_of(project: HarvestProject, relation: str) -> set[tuple[str, str]]:
    """Where in the lake a relation is: table, and graph or search, if there are several."""
    tables = (
        schemas.RELATION_SEEDS,
        schemas.RELATION_PROMPTS,
        schemas.CANDIDATE_PAIRS,
        schemas.PROMPT_CAPTURES,
        schemas.HARVESTED_TRIPLES,
        schemas.TRIPLES,
    )
    return {
        (table.name, place.get("kg", place.get("search", "")))
        for table in tables
        for place in project.lake.partitions(table)
        if place["relation"] == relation
    }


EVERYWHERE = {
    ("relation_seeds", ""),
    ("relation_prompts", ""),
    *((name, how.name) for how in searches_of(ARMS) for name in ("candidate_pairs", "prompt_captures")),
    *(("harvested_triples", arm) for arm in ARMS),
    ("triples", MERGED),
}
