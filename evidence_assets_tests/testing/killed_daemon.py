"""Dagster's server and daemon on the small project, run workers killed under them, and what is left of it."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import dagster as dg
import psutil

from evidence_assets.orchestration.following import due_partitions, part_name
from evidence_assets.orchestration.reconciliation import reconcile
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.orchestration.workers import IN_PROGRESS, UNFINISHED, WORKER_TAG
from evidence_assets.sources.source_fingerprints import source_fingerprint
from evidence_assets_tests.testing.killed_runs import end_process
from evidence_assets_tests.testing.small_project import SmallProject

PROJECT = Path(__file__).resolve().parents[2]
_LONGEST_START = 180.0
_LONGEST_RECOVERY = 600.0


@dataclass
class Recovery:
    """What came of one kill. Seconds: from the edit to the kill, and from the kill until all was well."""

    struck: str
    seconds_in: float
    seconds: float
    left: list[str] = field(default_factory=list)


@dataclass
class KilledDaemon:
    """A daemon whose workers are killed."""

    project: SmallProject
    home: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start server and daemon, as `make ui` does."""
        environment = {
            **os.environ,
            **self.project.environment(),
            "DAGSTER_HOME": str(self.home),
            "OMP_NUM_THREADS": "1",
        }
        with (self.home / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "evidence_assets.orchestration.serving", "--port", str(self.port)],
                cwd=PROJECT,
                env=environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def end(self, number: int = signal.SIGINT) -> None:
        """End the server and every process that it started."""
        if self.process is None:
            return
        for sent in (number, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, sent)
                self.process.wait(timeout=20)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue
        self.process = None

    @contextmanager
    def instance(self) -> Iterator[dg.DagsterInstance]:
        """The instance that the daemon works on."""
        with patch.dict(os.environ, {"DAGSTER_HOME": str(self.home)}), dg.DagsterInstance.get() as opened:
            yield opened

    def edit(self, number: int) -> None:
        """Change an article, so that something is due."""
        path = self.project.article("sea", "urchin.md")
        text = path.read_text(encoding="utf-8")
        path.write_text(f"{text}\nSea urchin number {number} moves on tube feet.\n", encoding="utf-8")

    def worker(self, instance: dg.DagsterInstance) -> int | None:
        """The process that works on a run now, if any."""
        for record in instance.get_run_records(dg.RunsFilter(statuses=IN_PROGRESS)):
            if worker := record.dagster_run.tags.get(WORKER_TAG):
                return int(json.loads(worker)["pid"])
        return None

    def due(self) -> list[str]:
        """What is stale in the lake."""
        from evidence_assets.models.provider import Models
        from evidence_assets.stages.freshness import Freshness

        project = self.project.project
        graph = stage_graph(project)
        models = Models(self.project.cache_folder, generators=project.generators)
        freshness = Freshness(self.project.lake, graph, models, source_fingerprint(project), choices=False)
        return [part_name(needed.part) for needed in due_partitions(graph, freshness)]

    def disagreements(self, instance: dg.DagsterInstance) -> list[str]:
        """Where events and lake differ: assets that are green and should not be, or the other way round."""
        from evidence_assets.models.provider import Models
        from evidence_assets.stages.freshness import Freshness

        project = self.project.project
        graph = stage_graph(project)
        freshness = Freshness(self.project.lake, graph, Models(self.project.cache_folder))
        done = reconcile(instance, graph, freshness, {})
        return sorted({*done.recorded, *done.missing})

    def kill(self, instance: dg.DagsterInstance, number: int, after: float, server_too: bool) -> Recovery:
        """Edit, wait for the run that follows, and kill its worker some seconds into it."""
        self.edit(number)
        edited = time.monotonic()
        while (pid := self.worker(instance)) is None:
            assert time.monotonic() - edited < _LONGEST_START, self.log()
            time.sleep(0.1)
        time.sleep(after)
        struck = "worker" if psutil.pid_exists(pid) else "nothing: it had ended"
        if server_too:
            self.end(signal.SIGKILL)
            struck = f"{struck}, server and daemon"
            end_process(pid)
            killed = time.monotonic()
            self.start()
        else:
            end_process(pid)
            killed = time.monotonic()
        while not self.is_well(instance):
            if time.monotonic() - killed > _LONGEST_RECOVERY:
                return Recovery(struck, after, time.monotonic() - killed, self.due())
            time.sleep(0.5)
        return Recovery(struck, after, time.monotonic() - killed, self.disagreements(instance))

    def is_well(self, instance: dg.DagsterInstance) -> bool:
        """Whether no run is unfinished and nothing is stale."""
        return not instance.get_runs_count(dg.RunsFilter(statuses=UNFINISHED)) and not self.due()

    def log(self) -> str:
        """The end of what the server said."""
        return (self.home / "server.log").read_text(encoding="utf-8", errors="replace")[-3000:]


def moments(kills: int, seed: int, longest: float) -> list[float]:
    """Seeded moments, in seconds after a worker began."""
    drawn = random.Random(seed)
    return [round(drawn.uniform(0.0, longest), 2) for _ in range(kills)]
