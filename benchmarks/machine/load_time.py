"""How long the code location takes to load, against importing Dagster alone. Bound: 2 seconds."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from typing import Any

RUNS = 5
BOUND_SECONDS = 2.0


def _median_seconds(statement: str) -> float:
    times = []
    for _ in range(RUNS + 1):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-W", "ignore", "-c", statement], check=True)
        times.append(time.perf_counter() - started)
    return statistics.median(times[1:])


def run() -> dict[str, Any]:
    """Return both medians and their ratio."""
    ours, dagster = _median_seconds("import evidence_assets.definitions"), _median_seconds("import dagster")
    return {
        "code_location_seconds": round(ours, 3),
        "dagster_alone_seconds": round(dagster, 3),
        "ratio": round(ours / dagster, 2),
        "bound": f"under {BOUND_SECONDS} s",
        "within_bound": ours < BOUND_SECONDS,
    }
