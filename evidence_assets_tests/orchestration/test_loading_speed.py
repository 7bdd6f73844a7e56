"""How fast the code location loads, and what loading it leaves out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parents[2]

LOAD = """
import json, resource, sys, warnings
warnings.simplefilter("ignore")
def spent():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime
import dagster
alone = spent()
import evidence_assets.definitions
print(json.dumps({"alone": alone, "seconds": spent(), "modules": sorted(sys.modules)}))
"""


@pytest.mark.integration
def test_the_code_location_loads_fast_and_without_models(tmp_path: Path) -> None:
    """1.7 to 1.9 times the CPU time of Dagster alone was measured, in the same process, a third of the rest
    Dagster's own work on 66 operations and their checks; machines differ."""
    # Compiled once and then loaded, as installed: whatever the environment says of bytecode.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(tmp_path)
    heavy = {
        "torch",
        "transformers",
        "sentence_transformers",
        "faiss",
        "duckdb",
        "matplotlib",
        "bm25s",
        "scipy",
    }
    runs = []
    for _ in range(4):
        shown = subprocess.run(
            [sys.executable, "-c", LOAD],
            cwd=PROJECT,
            env=environment,
            capture_output=True,
            check=True,
            timeout=300,
        ).stdout
        runs.append(json.loads(shown))
        assert heavy.isdisjoint(runs[-1]["modules"])
    loaded = runs[1:]
    assert min(run["seconds"] / run["alone"] for run in loaded) < 2.3


def test_what_the_command_asks_of_a_project_takes_no_dagster() -> None:
    """`status`, and a demo that has nothing to make, load neither Dagster nor what stages run."""
    loaded = "import evidence_assets.orchestration.runs, json, sys; print(json.dumps(sorted(sys.modules)))"
    shown = subprocess.run(
        [sys.executable, "-c", loaded], cwd=PROJECT, capture_output=True, check=True, timeout=300
    ).stdout
    assert {"dagster", "fsspec", "jinja2", "duckdb", "rapidfuzz"}.isdisjoint(json.loads(shown))
