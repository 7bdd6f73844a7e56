"""A backfill on Ray as deploy/ray/dagster.yaml has it, in Postgres and an S3 store: `make test-ray`."""

from __future__ import annotations

import hashlib
import importlib.util
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.records import all_records
from evidence_assets_tests.testing.object_store import object_store
from evidence_assets_tests.testing.postgres import Postgres, postgres, programs
from evidence_assets_tests.testing.ray_backfill import backfill, on_ray
from evidence_assets_tests.testing.sharded_project import JOB, rows, write_sharded_project
from evidence_assets_tests.testing.small_project import run_range

pytestmark = pytest.mark.integration

if any(importlib.util.find_spec(name) is None for name in ("dagster_ray", "dagster_postgres")):
    pytest.skip("Ray is not installed here: make test-ray runs these", allow_module_level=True)

SHARDS, NODES, PARTITIONS_PER_RUN = 40, 2, 10
BUCKET, FOLDER = "lake", "on ray"
# Time and run live in the records alone.
WHEN = "materialized_at"


@pytest.fixture(scope="module")
def store() -> Iterator[Any]:
    with object_store(BUCKET) as client:
        yield client


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    if programs() is None:
        pytest.skip("no Postgres: apt-get install postgresql")
    with postgres() as started:
        yield started


def stored_tables(client: Any) -> dict[str, str]:
    """The hash of every file of the stored lake's tables but `materializations`, as `rows` has a folder's."""
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=f"{FOLDER}/")
    keys = [entry["Key"] for page in pages for entry in page.get("Contents", [])]
    return {
        name: hashlib.sha256(client.get_object(Bucket=BUCKET, Key=key)["Body"].read()).hexdigest()
        for key in keys
        if (name := key.removeprefix(f"{FOLDER}/")).endswith("/data.parquet")
        and not name.startswith("materializations/")
    }


def lineage(lake: Lake) -> list[Mapping[str, Any]]:
    """What a lake records of every partition, but when it was made."""
    records = ({name: value for name, value in row.items() if name != WHEN} for row in all_records(lake))
    return sorted(records, key=lambda record: (record["table"], record["partition"]))


def test_a_backfill_on_two_nodes_leaves_what_one_process_leaves(
    store: Any, server: Postgres, tmp_path: Path
) -> None:
    project = write_sharded_project(tmp_path / "project", SHARDS)
    definitions = project.definitions()
    job = definitions.resolve_job_def(JOB)
    assert job.partitions_def is not None
    keys = job.partitions_def.get_partition_keys()
    assert len(keys) == SHARDS
    with dg.DagsterInstance.ephemeral() as alone:
        assert run_range(definitions, JOB, keys[0], keys[-1], alone).success

    lake = f"s3://{BUCKET}/{FOLDER}"
    with on_ray(project, lake, server, NODES, PARTITIONS_PER_RUN) as (instance, cluster):
        backfill(instance, definitions, JOB)
        runs = instance.get_runs()
        launched_on = cluster.nodes_of_jobs()
        assets = job.asset_layer.selected_asset_keys
        assert all(instance.get_materialized_partitions(asset) == set(keys) for asset in assets)
        assert len(runs) == len(launched_on) == SHARDS // PARTITIONS_PER_RUN
        assert {run.status for run in runs} == {dg.DagsterRunStatus.SUCCESS}
        assert set(launched_on) == set(cluster.nodes)
        made = stored_tables(store)
        assert made == rows(project)
        assert lineage(Lake(lake)) == lineage(project.lake)
    partitions = Counter(name.partition("/")[0] for name in made)
    assert {asset.to_user_string() for asset in assets} <= partitions.keys()
    assert set(partitions.values()) == {SHARDS}
