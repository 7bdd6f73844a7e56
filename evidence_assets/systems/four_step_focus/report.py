"""Summaries of 4StepFocus's experiments: how many answers the graph backs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from evidence_assets.lake.previews import histogram


def of_experiment(tables: Mapping[str, pa.Table], key: str) -> dict[str, Any]:
    """Return how often the first answer is backed and how large the answer sets are."""
    ranked = tables["ranked_answers"]
    if not ranked.num_rows:
        return {"questions": 0}
    rows = ranked.select(["question_id", "rank", "supported", "returned"]).to_pylist()
    first_answers = [row for row in rows if row["rank"] == 1]
    sizes: dict[str, int] = {}
    for row in rows:
        sizes[row["question_id"]] = sizes.get(row["question_id"], 0) + row["returned"]
    log_sizes = np.log10(np.maximum(np.array(list(sizes.values()), dtype=np.float64), 1.0))
    return {
        "questions": len(first_answers),
        "first_answer_backed_share": float(np.mean([row["supported"] for row in first_answers])),
        "answer_sets": histogram(log_sizes, f"{key}: answers in a set", "log10 of answers"),
    }
