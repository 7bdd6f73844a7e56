"""What the pages of results share: reading a benchmark's result, tables, figures in percent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
RESULTS = PROJECT / "benchmarks" / "results"
TITLES = {
    "openbookqa": "OpenBookQA test",
    "openbookqa_dev": "OpenBookQA dev",
    "openbookqa_among_wikipedia": "OpenBookQA test, facts among Wikipedia",
    "openbookqa_train": "OpenBookQA train",
    "xquad": "XQuAD",
    "hotpotqa": "HotpotQA",
    "commonsenseqa": "CommonsenseQA dev",
    "mmlu_medical": "MMLU, six medical subjects",
    "medmcqa": "MedMCQA dev",
    "mmlu_medical_graph": "MMLU, six medical subjects",
    "pubmedqa": "PubMedQA",
}

Row = dict[str, Any]


def read(name: str) -> Row:
    """Return one benchmark's result."""
    result: Row = json.loads((RESULTS / f"{name}.json").read_text(encoding="utf-8"))
    return result


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def find(rows: Sequence[Row], **wanted: str) -> Row | None:
    """Return the row with these values, or None."""
    return next((row for row in rows if all(row[key] == value for key, value in wanted.items())), None)


def percent(row: Row | None, signed: bool = False) -> str:
    """Return a value in percent with its interval."""
    if row is None:
        return "-"
    shape = "{:+.1f}" if signed else "{:.1f}"
    text = shape.format(100 * row["value"])
    if row["low"] is None:
        return text
    low, high = (shape.format(100 * row[bound]) for bound in ("low", "high"))
    return f"{text} [{low}, {high}]"
