"""A backfill on Ray: Dagster's daemon with the instance of deploy/ray/dagster.yaml, on loopback."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import dagster as dg
import pytest
from dagster._core.execution.backfill import BulkActionStatus, PartitionBackfill

from evidence_assets.orchestration.assets import GPU_POOL, PARTITIONS_PER_RUN
from evidence_assets_tests.testing.killed_daemon import PROJECT
from evidence_assets_tests.testing.postgres import Postgres
from evidence_assets_tests.testing.ray_cluster import RayCluster, end_group, ray_cluster
from evidence_assets_tests.testing.small_project import SmallProject

T = TypeVar("T")
_ENDS_WITHIN = 900.0
_ENDED = {
    BulkActionStatus.COMPLETED_SUCCESS,
    BulkActionStatus.COMPLETED_FAILED,
    BulkActionStatus.COMPLETED,
    BulkActionStatus.FAILED,
    BulkActionStatus.CANCELED,
}


@contextmanager
def on_ray(
    project: SmallProject, lake: str, server: Postgres, nodes: int, partitions_per_run: int
) -> Iterator[tuple[dg.DagsterInstance, RayCluster]]:
    """Yield an instance whose daemon launches its runs on a cluster of so many nodes, and the cluster."""
    home = Path(tempfile.mkdtemp(prefix="home-", dir=project.folder))
    shutil.copy(PROJECT / "deploy" / "ray" / "dagster.yaml", home)
    with pytest.MonkeyPatch.context() as environment:
        for name, value in project.environment().items():
            environment.setenv(name, value)
        environment.setenv("EVIDENCE_LAKE", lake)
        # What one process has encoded is encoded again.
        environment.setenv("EVIDENCE_CACHE", str(home / "cache"))
        environment.setenv("EVIDENCE_PROFILE", "starter")
        environment.setenv("EVIDENCE_POSTGRES_URL", server.url)
        environment.setenv("DAGSTER_HOME", str(home))
        environment.setenv(PARTITIONS_PER_RUN, str(partitions_per_run))
        with ray_cluster(nodes) as cluster:
            environment.setenv("RAY_DASHBOARD_URL", cluster.dashboard)
            environment.setenv("RAY_AUTH_MODE", "token")
            environment.setenv("RAY_AUTH_TOKEN", cluster.token)
            with dg.DagsterInstance.get() as instance, _daemon(home):
                # As many models at once as there are nodes.
                instance.event_log_storage.set_concurrency_slots(GPU_POOL, nodes)
                yield instance, cluster


@contextmanager
def _daemon(home: Path) -> Iterator[None]:
    command = [sys.executable, "-m", "dagster._daemon", "run", "-m", "evidence_assets.definitions"]
    with (home / "daemon.log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=home, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        yield
    finally:
        end_group(process)


def backfill(instance: dg.DagsterInstance, definitions: dg.Definitions, job: str) -> None:
    """Ask for every partition of a job's assets, as the UI does, and wait until all are made."""
    ended = end_of(instance, asked_for(instance, definitions, job))
    assert ended.status == BulkActionStatus.COMPLETED_SUCCESS, ended


def asked_for(instance: dg.DagsterInstance, definitions: dg.Definitions, job: str) -> str:
    """Ask for every partition of a job's assets, as the UI does; return the backfill's id."""
    graph = definitions.resolve_asset_graph()
    selected = definitions.resolve_job_def(job).asset_layer.selected_asset_keys
    began = time.time()
    requested = PartitionBackfill.from_asset_partitions(
        backfill_id=f"{job}-{began:.0f}",
        asset_graph=graph,
        partition_names=None,
        asset_selection=sorted(selected),
        backfill_timestamp=began,
        tags={},
        dynamic_partitions_store=instance,
        all_partitions=True,
        title=None,
        description=None,
        run_config=None,
    )
    instance.add_backfill(requested)
    return requested.backfill_id


def end_of(instance: dg.DagsterInstance, asked: str) -> PartitionBackfill:
    """Wait until a backfill has ended, well or not."""
    return waited_for(instance, lambda: _if_ended(instance.get_backfill(asked)))


def _if_ended(state: PartitionBackfill | None) -> PartitionBackfill | None:
    return state if state is not None and state.status in _ENDED else None


def waited_for(instance: dg.DagsterInstance, look: Callable[[], T | None]) -> T:
    """Look until there is something; show the daemon's log where nothing comes."""
    deadline = time.monotonic() + _ENDS_WITHIN
    while (found := look()) is None:
        assert time.monotonic() < deadline, _log(instance)
        time.sleep(0.5)
    return found


def _log(instance: dg.DagsterInstance) -> str:
    log = Path(instance.root_directory) / "daemon.log"
    return log.read_text(encoding="utf-8", errors="replace")[-4000:]
