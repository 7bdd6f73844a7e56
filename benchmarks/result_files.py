"""Where results stand: one JSON file a benchmark, in benchmarks/results/."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchmarks.measured_with import RECORDED, of_today

RESULTS = Path(__file__).parent / "results"

Row = dict[str, Any]


def save(name: str, result: Row) -> None:
    """Write one benchmark's result, with the versions of the systems that it measures."""
    RESULTS.mkdir(exist_ok=True)
    if measured := of_today(name):
        result = {**result, RECORDED: measured}
    (RESULTS / f"{name}.json").write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
