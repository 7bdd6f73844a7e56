"""What an experiment leaves: the rows of its tables, as these declare them."""

from __future__ import annotations

from typing import Any

from evidence_assets.evidence.experiment import Experiment
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import TABLES_BY_NAME

Rows = dict[str, list[dict[str, Any]]]


def rows_of(experiment: Experiment) -> Rows:
    """The rows of every table, by its name."""
    tables = experiment.tables()
    return {name: conform(table, TABLES_BY_NAME[name]).to_pylist() for name, table in tables.items()}


def texts_used(rows: Rows, role: str) -> dict[int, list[str]]:
    """The texts of the evidence that an experiment's predictions were `given`, or `cited`, by candidate."""
    texts = {row["evidence_id"]: row["text"] for row in rows["evidence"]}
    used: dict[int, list[str]] = {}
    for row in sorted(rows["prediction_evidence"], key=lambda row: row["rank"]):
        if row["role"] == role:
            used.setdefault(row["candidate"], []).append(texts[row["evidence_id"]])
    return used
