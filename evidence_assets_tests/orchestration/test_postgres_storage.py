"""Runs and events in Postgres, as deploy/dagster.yaml has it: a restart in the middle of a backfill."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest

from evidence_assets_tests.testing.killed_daemon import PROJECT
from evidence_assets_tests.testing.postgres import Postgres, postgres, programs
from evidence_assets_tests.testing.sharded_project import JOB, rows, write_sharded_project
from evidence_assets_tests.testing.small_project import run_job

pytestmark = pytest.mark.integration
SHARDS = 10
# The run that is under way when the server goes down.
RESTARTED_IN = 4


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    pytest.importorskip("dagster_postgres", reason="the extra postgres is not installed")
    if programs() is None:
        pytest.skip("no Postgres: apt-get install postgresql")
    with postgres() as started:
        yield started


@pytest.fixture
def instance(
    server: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[dg.DagsterInstance]:
    """The instance of deploy/dagster.yaml."""
    monkeypatch.setenv("EVIDENCE_POSTGRES_URL", server.url)
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(PROJECT / "deploy" / "dagster.yaml", home)
    with dg.DagsterInstance.from_config(str(home)) as opened:
        yield opened


def test_a_restart_in_the_middle_of_a_backfill_loses_nothing(
    server: Postgres, instance: dg.DagsterInstance, tmp_path: Path
) -> None:
    project = write_sharded_project(tmp_path / "project", SHARDS)
    definitions = project.definitions()
    job = definitions.resolve_job_def(JOB)
    assert job.partitions_def is not None
    keys = job.partitions_def.get_partition_keys()
    assert len(keys) == SHARDS
    failed = []
    for number, key in enumerate(keys):
        restart = threading.Timer(0.3, server.restart)
        if number == RESTARTED_IN:
            restart.start()
        try:
            run_job(definitions, JOB, key, instance)
        except Exception:  # whatever broke, the partition is asked for again, as a backfill's retry does
            failed.append(key)
        if number == RESTARTED_IN:
            restart.join()
    assert len(failed) <= 1
    for key in failed:
        assert run_job(definitions, JOB, key, instance).success
    for table in ("articles", "chunks", "chunk_embeddings"):
        assert instance.get_materialized_partitions(dg.AssetKey(table)) == set(keys)
    unbroken = write_sharded_project(tmp_path / "unbroken", SHARDS)
    with dg.DagsterInstance.ephemeral() as scratch:
        definitions = unbroken.definitions()
        for key in keys:
            assert run_job(definitions, JOB, key, scratch).success
    assert rows(project) == rows(unbroken)
