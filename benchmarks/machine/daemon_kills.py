"""Run workers killed at random moments under Dagster's daemon: what is lost, and how long recovery takes.

    python -m benchmarks daemon_kills
    python -m benchmarks.daemon_kills [--kills 20] [--seed 7]

The second prints the result, the first keeps it for docs/results.md.
Each time an article of the small project of the tests is edited, and the worker that follows it is killed
(every fifth time with server and daemon, which then start again). Recovered is when no run is unfinished
and nothing in the lake is stale. At the end the lake is held against one made anew from the same files.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import dagster as dg

from benchmarks.command import main
from evidence_assets_tests.testing.killed_daemon import PROJECT, KilledDaemon, moments
from evidence_assets_tests.testing.serving import free_port
from evidence_assets_tests.testing.small_project import ANIMAL_QUIZ, SmallProject, write_small_project

ARMS = ("chunks_only_bm25@extractive", "chunks_only_cosine@extractive", "no_evidence@extractive")
BOUND_SECONDS = 90.0
LONGEST = 12.0
_SERVER_EVERY = 5


def make(project: SmallProject, instance: dg.DagsterInstance) -> None:
    """Make three arms of a benchmark, with what they need."""
    job = project.definitions().resolve_job_def("run_uscrake_with_what_it_needs")
    for arm in ARMS:
        assert job.execute_in_process(instance=instance, partition_key=f"{arm}|{ANIMAL_QUIZ}").success


def rows(project: SmallProject) -> dict[str, str]:
    """Every file of the lake, but those that say when and where it was made."""
    left_out = ("materializations/", "cache/", "evidence.duckdb")
    return {name: content for name, content in project.files().items() if not name.startswith(left_out)}


def run(kills: int = 20, seed: int = 7) -> dict[str, Any]:
    """Return each kill's moment and recovery, and what was lost."""
    folder = Path(tempfile.mkdtemp(prefix="daemon_kills"))
    project = write_small_project(folder / "project")
    home = folder / "home"
    home.mkdir(parents=True)
    (home / "dagster.yaml").write_bytes((PROJECT / "dagster.yaml").read_bytes())
    daemon = KilledDaemon(project, home, free_port())
    recoveries = []
    with daemon.instance() as instance:
        make(project, instance)
        daemon.start()
        try:
            for number, after in enumerate(moments(kills, seed, LONGEST), start=1):
                came = daemon.kill(instance, number, after, server_too=number % _SERVER_EVERY == 0)
                recoveries.append(came)
                print(f"kill {number}: {came}", file=sys.stderr, flush=True)
        finally:
            daemon.end()
    rebuilt = SmallProject(folder / "rebuilt")
    project.copy(rebuilt.folder)
    for path in (rebuilt.lake_folder, rebuilt.cache_folder):
        path.rename(folder / f"old_{path.name}")
    with dg.DagsterInstance.ephemeral() as instance:
        make(rebuilt, instance)
    now, anew = rows(project), rows(rebuilt)
    seconds = [recovery.seconds for recovery in recoveries]
    left = sorted({name for recovery in recoveries for name in recovery.left})
    differing = sorted(name for name in now.keys() | anew.keys() if now.get(name) != anew.get(name))
    return {
        "kills": len(recoveries),
        "seed": seed,
        "struck": [recovery.struck for recovery in recoveries],
        "seconds_in": [recovery.seconds_in for recovery in recoveries],
        "recovery_seconds": [round(spent, 1) for spent in seconds],
        "median_seconds": round(statistics.median(seconds), 1),
        "longest_seconds": round(max(seconds), 1),
        "green_and_stale_or_unrecorded": left,
        "files_other_than_a_rebuild": differing,
        "bound": f"nothing lost, all well within {BOUND_SECONDS:.0f} s",
        "within_bound": max(seconds) < BOUND_SECONDS and not left and not differing,
    }


if __name__ == "__main__":
    sys.exit(main(run))
