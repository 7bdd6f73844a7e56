"""Stages that each run in a process of their own, whose peak resident memory the operating system reports."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any


def measured(module: str, stages: Iterable[str], folder: str) -> dict[str, dict[str, Any]]:
    """Return rows, seconds and peak bytes of each stage of a module whose main is `run_stage`."""
    return {stage: in_a_process(module, stage, folder) for stage in stages}


def in_a_process(module: str, *arguments: str) -> dict[str, Any]:
    """Return what a module prints last, as JSON, when it is run in a process of its own."""
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def run_stage(stages: Mapping[str, Callable[[Path], int]]) -> None:
    """Run the stage that the command line names in the folder that it names; print what it took."""
    started = time.perf_counter()
    rows = stages[sys.argv[1]](Path(sys.argv[2]))
    seconds = round(time.perf_counter() - started, 1)
    print(json.dumps({"rows": rows, "seconds": seconds, "peak_bytes": peak_bytes()}))


def peak_bytes() -> int:
    """Return the peak resident memory of this process; `getrusage` would count what started it, too."""
    return _status("VmHWM")


def anonymous_bytes() -> int:
    """Return the resident memory of this process that is no mapped file's."""
    return _status("RssAnon")


def _status(name: str) -> int:
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith(f"{name}:"))
    return int(line.split()[1]) * 1024
