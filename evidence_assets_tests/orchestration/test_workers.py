"""Runs whose worker is gone are failed; others are left alone."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys

import dagster as dg
import psutil
import pytest

from evidence_assets.orchestration import workers
from evidence_assets.orchestration.workers import (
    MAKING_TAG,
    WORKER_TAG,
    fail_dead_runs,
    failed_parts,
    note_end,
    note_making,
    note_worker,
)

STARTED = dg.DagsterRunStatus.STARTED


@dg.job
def nothing() -> None:
    pass


def run_of(instance: dg.DagsterInstance, **tags: str) -> dg.DagsterRun:
    return instance.create_run_for_job(
        nothing, status=STARTED, tags={name.replace("__", "/"): value for name, value in tags.items()}
    )


def status_of(instance: dg.DagsterInstance, run: dg.DagsterRun) -> dg.DagsterRunStatus:
    current = instance.get_run_by_id(run.run_id)
    assert current is not None
    return current.status


def ended_process() -> tuple[int, float]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        created = psutil.Process(process.pid).create_time()
    return process.pid, created


def worker(pid: int, created: float, host: str = "") -> str:
    return json.dumps({"host": host or socket.gethostname(), "pid": pid, "created": created})


def test_a_run_whose_worker_is_there_is_left_alone(instance: dg.DagsterInstance) -> None:
    run = run_of(instance)
    note_worker(instance, run.run_id)
    assert fail_dead_runs(instance) == []
    assert status_of(instance, run) == STARTED


def test_a_run_whose_worker_is_gone_is_failed_at_once(instance: dg.DagsterInstance) -> None:
    run = run_of(instance, **{WORKER_TAG.replace("/", "__"): worker(*ended_process())})
    assert fail_dead_runs(instance) == [run.run_id]
    assert status_of(instance, run) == dg.DagsterRunStatus.FAILURE
    assert fail_dead_runs(instance) == []


def test_a_number_that_another_process_has_by_now_is_no_worker(instance: dg.DagsterInstance) -> None:
    before = psutil.Process().create_time() - 3600
    run = run_of(instance, **{WORKER_TAG.replace("/", "__"): worker(os.getpid(), before)})
    assert fail_dead_runs(instance) == [run.run_id]


def test_a_worker_of_another_host_is_not_judged(instance: dg.DagsterInstance) -> None:
    pid, created = ended_process()
    run = run_of(instance, **{WORKER_TAG.replace("/", "__"): worker(pid, created, "elsewhere")})
    assert fail_dead_runs(instance) == []
    assert status_of(instance, run) == STARTED


def test_a_worker_that_never_came_up_is_told_by_the_process_that_dagster_noted(
    instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = json.dumps({"host": "localhost", "socket": "/tmp/no-such-socket"})
    run = run_of(instance, **{".dagster/grpc_info": server})
    assert fail_dead_runs(instance) == [], "it may be starting still"
    gone = ended_process()
    monkeypatch.setattr(workers, "_processes", lambda *_: iter([gone]))
    assert fail_dead_runs(instance) == [run.run_id]


def test_what_a_run_failed_at_is_what_it_told_or_what_it_was_making(instance: dg.DagsterInstance) -> None:
    run = run_of(instance)
    note_making(instance, run.run_id, "articles:sea:", "basis")
    current = instance.get_run_by_id(run.run_id)
    assert current is not None
    assert failed_parts(current) == {"articles:sea:": ("basis", "its run's worker died")}
    note_end(instance, run.run_id, {"chunks:sea:": ("other", "long " * 1000)})
    current = instance.get_run_by_id(run.run_id)
    assert current is not None
    assert current.tags[MAKING_TAG] == ""
    [(name, (basis, reason))] = failed_parts(current).items()
    assert (name, basis, len(reason)) == ("chunks:sea:", "other", 500)
