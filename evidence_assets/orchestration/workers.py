"""Run workers: which process makes what, and runs whose process is gone.

A code server fails the runs of its own workers when these die. When it dies with them, the runs would stay
started for ever, and everything behind them queued: whoever comes next looks whether the process is there.
"""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import dagster as dg
import psutil

WORKER_TAG, MAKING_TAG, FAILED_TAG = (
    "evidence_assets/worker",
    "evidence_assets/making",
    "evidence_assets/failed",
)
IN_PROGRESS = [dg.DagsterRunStatus.STARTING, dg.DagsterRunStatus.STARTED, dg.DagsterRunStatus.CANCELING]
UNFINISHED = [dg.DagsterRunStatus.QUEUED, dg.DagsterRunStatus.NOT_STARTED, *IN_PROGRESS]
_SERVER_TAG = ".dagster/grpc_info"
# A worker that has told nothing of itself, and whose code server is there, may still be starting.
_SECONDS_TO_START = 60.0
_SLACK_SECONDS = 2.0
_MESSAGE_LENGTH = 500
_GONE = "The run's worker is gone: it was killed, or its machine stopped."


def note_worker(instance: dg.DagsterInstance, run_id: str) -> None:
    """Note this process as the run's worker."""
    process = psutil.Process()
    worker = {"host": socket.gethostname(), "pid": process.pid, "created": process.create_time()}
    instance.add_run_tags(run_id, {WORKER_TAG: json.dumps(worker), MAKING_TAG: ""})


def note_making(instance: dg.DagsterInstance, run_id: str, name: str, basis: str) -> None:
    """Note the partition that the run makes now: where its worker dies, this has failed."""
    instance.add_run_tags(run_id, {MAKING_TAG: json.dumps({name: [basis, "its run's worker died"]})})


def note_end(instance: dg.DagsterInstance, run_id: str, failed: Mapping[str, tuple[str, str]]) -> None:
    """Note that the run makes nothing more, and which partitions failed: name to basis and reason."""
    cut = {name: [basis, reason[:_MESSAGE_LENGTH]] for name, (basis, reason) in failed.items()}
    instance.add_run_tags(run_id, {MAKING_TAG: "", FAILED_TAG: json.dumps(cut)})


def failed_parts(run: dg.DagsterRun) -> dict[str, tuple[str, str]]:
    """Return the partitions that a failed run failed at: name to basis and reason."""
    failed: dict[str, tuple[str, str]] = {}
    for tag in (FAILED_TAG, MAKING_TAG):
        if text := run.tags.get(tag):
            failed |= {name: (basis, reason) for name, (basis, reason) in json.loads(text).items()}
    return failed


def fail_dead_runs(instance: dg.DagsterInstance) -> list[str]:
    """Fail the runs whose worker is gone; return their ids.

    Runs of other hosts are left alone: who launches there (Kubernetes, say) is asked by Dagster's own run
    monitoring.
    """
    dead = []
    for record in instance.get_run_records(dg.RunsFilter(statuses=IN_PROGRESS)):
        run = record.dagster_run
        if not _is_dead(instance, run, record.start_time):
            continue
        current = instance.get_run_by_id(run.run_id)
        if current is not None and current.status in IN_PROGRESS:
            instance.report_run_failed(current, _GONE)
            dead.append(run.run_id)
    return dead


def _is_dead(instance: dg.DagsterInstance, run: dg.DagsterRun, started: float | None) -> bool:
    if noted := run.tags.get(WORKER_TAG):
        worker = json.loads(noted)
        return worker["host"] == socket.gethostname() and not _runs(worker["pid"], worker["created"])
    server = json.loads(run.tags.get(_SERVER_TAG, "{}"))
    if not _is_local(server):
        return False
    for pid, moment in _processes(instance, run.run_id):
        return not _runs(pid, moment)
    waited = time.time() - (started or time.time())
    return waited > _SECONDS_TO_START and not _listens(server)


def _processes(instance: dg.DagsterInstance, run_id: str) -> Iterator[tuple[int, float]]:
    """Yield the process that Dagster noted for a run, and when."""
    for entry in instance.all_logs(run_id, of_type=dg.DagsterEventType.ENGINE_EVENT):
        event = entry.dagster_event
        data: Any = None if event is None else event.event_specific_data
        pid = getattr(data, "metadata", {}).get("pid") if data is not None else None
        if pid is not None and str(pid.value).isdigit():
            yield int(pid.value), entry.timestamp


def _runs(pid: int, by: float) -> bool:
    """Tell whether a process is there, and was by a moment: numbers are used again."""
    try:
        process = psutil.Process(pid)
        started: float = process.create_time()
        return started <= by + _SLACK_SECONDS and bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True


def _is_local(server: Mapping[str, Any]) -> bool:
    return server.get("host") in ("localhost", "127.0.0.1") if server else False


def _listens(server: Mapping[str, Any]) -> bool:
    """Tell whether a code server answers at its socket or port."""
    address = server.get("socket")
    family = socket.AF_UNIX if address else socket.AF_INET
    if address and not Path(address).exists():
        return False
    with socket.socket(family, socket.SOCK_STREAM) as tried:
        tried.settimeout(1.0)
        return tried.connect_ex(address or (server["host"], int(server["port"]))) == 0
