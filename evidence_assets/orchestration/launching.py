"""Runs planned jobs in this process, recorded in the Dagster instance that DAGSTER_HOME names."""

from __future__ import annotations

import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import dagster as dg
from dagster._core.errors import DagsterExecutionInterruptedError

from evidence_assets.orchestration.assets import operation_name
from evidence_assets.orchestration.code_location import code_location
from evidence_assets.orchestration.jobs import jobs_of
from evidence_assets.orchestration.plan import EndedRun, PlannedRun, planned_runs
from evidence_assets.orchestration.resources import LakeResource
from evidence_assets.orchestration.seed_sensor import register_relations
from evidence_assets.progress import run_begins

if TYPE_CHECKING:
    from evidence_assets.orchestration.workspace import Workspace
    from evidence_assets.stages.graph import Needed

# Names of our classes say nothing to who reads a message.
_OWN_CLASS = re.compile(r"^evidence_assets[\w.]*: ")


def launch(
    workspace: Workspace,
    due: Sequence[Needed],
    again: Collection[Needed] = (),
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> Iterator[EndedRun]:
    """Run what is due, one run after another; yield each run's job, partition and seconds.

    What reads something that was made anew is due, and what that came out as is known when it was: a run of
    which all is up to date by then is skipped. `again`: of what is due, what is made all the same.
    `settings`: stage name to what its runs set.

    Raises:
        RuntimeError: a run failed.
        KeyboardInterrupt: somebody ended one, from the keyboard or by a signal.
    """
    lake = LakeResource(root=workspace.lake.uri, cache=str(workspace.models.cache))
    definitions = code_location(workspace.project, workspace.systems, lake)
    runs = planned_runs(workspace.graph, jobs_of(workspace.graph, workspace.systems), due)
    again_names = {(part.stage.name, part.key) for part in again}
    with dg.DagsterInstance.get() as instance, _told_to_end() as is_told_to_end:
        if workspace.project.seeds_folder is not None:
            register_relations(instance, workspace.project.seeds_folder)
        for number, run in enumerate(runs, start=1):
            if is_told_to_end():
                raise KeyboardInterrupt
            is_forced = not again_names.isdisjoint((part.stage.name, part.key) for part in run.needed)
            if not is_forced and _is_up_to_date(workspace, run):
                yield run.job, run.partition or "whole table", None
                continue
            started = time.perf_counter()
            run_begins(run.job, run.partition or "whole table", number, len(runs))
            configured = {
                operation_name(part.stage): {"config": dict(settings[part.stage.name])}
                for part in run.needed
                if settings and part.stage.name in settings
            }
            result = definitions.resolve_job_def(run.job).execute_in_process(
                instance=instance,
                partition_key=run.partition,
                asset_selection=[dg.AssetKey(name.split("/")) for name in run.assets],
                run_config=lake.config(again=is_forced) | ({"ops": configured} if configured else {}),
                raise_on_error=False,
            )
            if not result.success:
                failed = [event for event in result.all_events if event.is_failure]
                if _is_interrupted(failed[0]):
                    raise KeyboardInterrupt
                raise RuntimeError(f"job {run.job}, partition {run.partition}: {_reason(failed[0])}")
            yield run.job, run.partition or "whole table", time.perf_counter() - started


def _is_up_to_date(workspace: Workspace, run: PlannedRun) -> bool:
    """Tell whether all that a run would make stands by now, made from what stands."""
    from evidence_assets.stages.freshness import State

    freshness = workspace.freshness()
    statuses = (freshness.status(part.stage, part.key, part.tables) for part in run.needed)
    return all(status.state == State.FRESH for status in statuses)


@contextmanager
def _told_to_end() -> Iterator[Callable[[], bool]]:
    """Yield what tells whether a signal asked to end: Dagster forgets one that no step was there to take."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    reading, writing = socket.socketpair()
    reading.setblocking(False)
    writing.setblocking(False)
    before = signal.set_wakeup_fd(writing.fileno(), warn_on_full_buffer=False)

    def is_told() -> bool:
        # Nothing to read: no signal came.
        with suppress(BlockingIOError):
            return bool({signal.SIGINT, signal.SIGTERM}.intersection(reading.recv(4_096)))
        return False

    try:
        yield is_told
    finally:
        signal.set_wakeup_fd(before)
        reading.close()
        writing.close()


def _is_interrupted(failure: dg.DagsterEvent) -> bool:
    """Tell whether a step ended because its process was told to."""
    error = failure.step_failure_data.error if failure.is_step_failure else None
    return error is not None and error.cls_name == DagsterExecutionInterruptedError.__name__


def _reason(failure: dg.DagsterEvent) -> str:
    """Return what went wrong: the first cause that tells a remedy, else the first."""
    error = failure.step_failure_data.error if failure.is_step_failure else None
    messages = []
    while error is not None:
        messages.append(_OWN_CLASS.sub("", error.message.strip()))
        error = error.cause
    causes = [message for message in messages if "remedy: " in message.lower()] or messages
    return (causes[-1] if causes else "") or str(failure.message)
