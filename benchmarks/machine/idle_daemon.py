"""What Dagster's daemon starts by itself on a lake where nothing changed, in ten minutes after its start.

    python -m benchmarks idle_daemon
    python -m benchmarks.idle_daemon [--seconds 600]

The second prints the result, the first keeps it for docs/results.md. A new project with the starter's data is
made whole by `evidence-assets demo`, opened by `evidence-assets ui`, and left alone.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import dagster as dg

from benchmarks.command import main
from evidence_assets_tests.testing.serving import free_port, wait_until_served

_LONGEST_START = 180.0
_COMMAND = (sys.executable, "-m", "evidence_assets.cli")
_OBSERVES = "observe_"


def run(seconds: float = 600.0, benchmarks: Sequence[str] = ()) -> dict[str, Any]:
    """Return the runs that a daemon started by itself, by job; `benchmarks`: default: the starter's."""
    folder = Path(tempfile.mkdtemp(prefix="idle_daemon")) / "project"
    subprocess.run([*_COMMAND, "init", str(folder)], check=True, stdout=sys.stderr)
    home = folder / ".dagster"
    environment = {**os.environ, "DAGSTER_HOME": str(home)}
    for name in ("EVIDENCE_SOURCES", "EVIDENCE_LAKE", "EVIDENCE_CACHE"):
        environment.pop(name, None)
    subprocess.run(
        [*_COMMAND, "demo", *benchmarks], check=True, cwd=folder, env=environment, stdout=sys.stderr
    )
    with patch.dict(os.environ, {"DAGSTER_HOME": str(home)}), dg.DagsterInstance.get() as instance:
        before = {run.run_id for run in instance.get_runs()}
        with _served(folder, environment):
            time.sleep(seconds)
        came = Counter(run.job_name for run in instance.get_runs() if run.run_id not in before)
    others = {job: count for job, count in came.items() if not job.startswith(_OBSERVES)}
    return {
        "seconds_left_alone": seconds,
        "runs_of_the_demo": len(before),
        "observations": sum(came.values()) - sum(others.values()),
        "other_runs": others,
        "bound": "no run but observations",
        "within_bound": not others,
    }


@contextmanager
def _served(folder: Path, environment: dict[str, str]) -> Iterator[None]:
    """Dagster's server and daemon on a project, from when it answers."""
    port = free_port()
    with subprocess.Popen(
        [*_COMMAND, "ui", "--port", str(port)],
        cwd=folder,
        env=environment,
        stdout=sys.stderr,
        start_new_session=True,
    ) as server:
        try:
            wait_until_served(f"http://127.0.0.1:{port}", _LONGEST_START)
            yield
        finally:
            # Nothing is made that could be cut off; a server that was started in the background ignores more.
            os.killpg(server.pid, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main(run))
