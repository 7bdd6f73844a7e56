"""A backfill on Ray as deploy/ray/dagster.yaml has it, in Postgres and an S3 store: `make test-ray`."""

from __future__ import annotations

import hashlib
import importlib.util
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import dagster as dg
import pytest
from dagster._core.execution.backfill import BulkActionStatus

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.records import all_records
from evidence_assets_tests.testing.object_store import object_store
from evidence_assets_tests.testing.postgres import Postgres, postgres, programs
from evidence_assets_tests.testing.ray_backfill import asked_for, backfill, end_of, on_ray, waited_for
from evidence_assets_tests.testing.sharded_project import JOB, rows, write_sharded_project
from evidence_assets_tests.testing.small_project import SmallProject, run_range

pytestmark = pytest.mark.integration

if any(importlib.util.find_spec(name) is None for name in ("dagster_ray", "dagster_postgres")):
    pytest.skip("Ray is not installed here: make test-ray runs these", allow_module_level=True)

SHARDS, NODES, PARTITIONS_PER_RUN = 40, 2, 10
BUCKET, FOLDER, BROKEN = "lake", "on ray", "on ray, broken"
# Time and run live in the records alone.
WHEN = "materialized_at"


@pytest.fixture(scope="module")
def store() -> Iterator[Any]:
    with object_store(BUCKET) as client:
        yield client


@pytest.fixture
def server() -> Iterator[Postgres]:
    if programs() is None:
        pytest.skip("no Postgres: apt-get install postgresql")
    with postgres() as started:
        yield started


def stored(client: Any, folder: str) -> dict[str, Any]:
    """When each file of a stored lake's tables but `materializations` was last written."""
    pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=f"{folder}/")
    written = {
        entry["Key"].removeprefix(f"{folder}/"): entry["LastModified"]
        for page in pages
        for entry in page.get("Contents", [])
    }
    return {
        name: moment
        for name, moment in written.items()
        if name.endswith("/data.parquet") and not name.startswith("materializations/")
    }


def stored_tables(client: Any, folder: str) -> dict[str, str]:
    """The hash of every such file, as `rows` has a folder's."""
    return {
        name: hashlib.sha256(
            client.get_object(Bucket=BUCKET, Key=f"{folder}/{name}")["Body"].read()
        ).hexdigest()
        for name in stored(client, folder)
    }


def lineage(lake: Lake) -> list[Mapping[str, Any]]:
    """What a lake records of every partition, but when it was made."""
    records = ({name: value for name, value in row.items() if name != WHEN} for row in all_records(lake))
    return sorted(records, key=lambda record: (record["table"], record["partition"]))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    """The project, its folder's lake made by one process."""
    written = write_sharded_project(tmp_path_factory.mktemp("ray") / "project", SHARDS)
    definitions, keys = written.definitions(), partitions(written)
    assert len(keys) == SHARDS
    with dg.DagsterInstance.ephemeral() as alone:
        assert run_range(definitions, JOB, keys[0], keys[-1], alone).success
    return written


def partitions(project: SmallProject) -> list[str]:
    definition = project.definitions().resolve_job_def(JOB).partitions_def
    assert definition is not None
    return list(definition.get_partition_keys())


def under_way(instance: dg.DagsterInstance, *also: dg.DagsterRunStatus) -> list[str]:
    """The runs that have started and not ended, and those of other states."""
    wanted = dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED, *also])
    return [run.run_id for run in instance.get_runs(wanted)]


def failures(instance: dg.DagsterInstance) -> dict[str, str]:
    """What the event log says of each run that failed, all of it."""
    failed = dg.RunsFilter(statuses=[dg.DagsterRunStatus.FAILURE])
    return {
        run.run_id: "\n".join(dg.serialize_value(entry) for entry in instance.all_logs(run.run_id))
        for run in instance.get_runs(failed)
    }


def test_a_backfill_on_two_nodes_leaves_what_one_process_leaves(
    store: Any, server: Postgres, project: SmallProject
) -> None:
    definitions, keys = project.definitions(), partitions(project)
    job = definitions.resolve_job_def(JOB)
    lake = f"s3://{BUCKET}/{FOLDER}"
    with on_ray(project, lake, server, NODES, PARTITIONS_PER_RUN) as (instance, cluster):
        backfill(instance, definitions, JOB)
        runs = instance.get_runs()
        launched_on = cluster.nodes_of_runs().values()
        assets = job.asset_layer.selected_asset_keys
        assert all(instance.get_materialized_partitions(asset) == set(keys) for asset in assets)
        assert len(runs) == len(launched_on) == SHARDS // PARTITIONS_PER_RUN
        assert {run.status for run in runs} == {dg.DagsterRunStatus.SUCCESS}
        assert set(launched_on) == set(cluster.nodes)
        made = stored_tables(store, FOLDER)
        assert made == rows(project)
        assert lineage(Lake(lake)) == lineage(project.lake)
    of_each_table = Counter(name.partition("/")[0] for name in made)
    assert {asset.to_user_string() for asset in assets} <= of_each_table.keys()
    assert set(of_each_table.values()) == {SHARDS}


def both_nodes_work(instance: dg.DagsterInstance, client: Any, tables: int) -> list[str] | None:
    """The runs under way, where each node has one and more than so many tables are made.

    A run that is only starting when its node is lost is failed after `start_timeout_seconds`.
    """
    runs = under_way(instance)
    return runs if len(runs) == NODES and len(stored(client, BROKEN)) > tables else None


def test_a_restart_of_postgres_and_a_lost_node_leave_what_is_asked_for_again(
    store: Any, server: Postgres, project: SmallProject
) -> None:
    definitions = project.definitions()
    lake = f"s3://{BUCKET}/{BROKEN}"
    with on_ray(project, lake, server, NODES, PARTITIONS_PER_RUN) as (instance, cluster):
        asked = asked_for(instance, definitions, JOB)
        waited_for(instance, lambda: stored(store, BROKEN) or None)
        assert under_way(instance)
        at_the_restart = under_way(instance, dg.DagsterRunStatus.STARTING)
        server.restart()
        # What the restart broke has failed by then.
        made = len(stored(store, BROKEN)) + PARTITIONS_PER_RUN
        lost = waited_for(instance, lambda: both_nodes_work(instance, store, made))[0]
        cluster.kill(cluster.nodes_of_runs()[lost])
        assert lost in under_way(instance)
        at_the_kill = stored(store, BROKEN)
        assert 0 < len(at_the_kill) < len(rows(project))

        # What somebody sees who asked: the backfill failed, and of each run why.
        assert end_of(instance, asked).status == BulkActionStatus.COMPLETED_FAILED
        told = failures(instance)
        assert lost in told
        # A run whose write met the restart fails too; no other.
        assert told.keys() <= {lost, *at_the_restart}
        assert all(re.search("worker is gone|Ray job|OperationalError", text) for text in told.values())
        assert not any(server.url in text or "AWS_" in text for text in told.values())

        backfill(instance, definitions, JOB)
        assert stored_tables(store, BROKEN) == rows(project)
        assert lineage(Lake(lake)) == lineage(project.lake)
        # What was made is not made again.
        now = stored(store, BROKEN)
        assert {name: now[name] for name in at_the_kill} == at_the_kill
