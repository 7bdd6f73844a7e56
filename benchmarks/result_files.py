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
    (RESULTS / f"{name}.json").write_text(_json(json.loads(json.dumps(result))) + "\n", encoding="utf-8")


def _json(value: Any, indent: str = "") -> str:
    """Return a value as JSON, a row a line: what holds no list and no object is not broken."""
    parts = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(value, (dict, list)) or not any(isinstance(part, (dict, list)) for part in parts):
        return json.dumps(value)
    deeper = indent + "  "
    texts = [_json(part, deeper) for part in parts]
    if isinstance(value, dict):
        texts = [f"{json.dumps(key)}: {text}" for key, text in zip(value, texts, strict=True)]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return f"{opening}\n{deeper}" + f",\n{deeper}".join(texts) + f"\n{indent}{closing}"
