"""Metadata of the harvest's assets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.lake.previews import histogram, table_preview

_SHOWN = 25


def prompt_report(rows: pa.Table) -> dict[str, Any]:
    """Return a relation's prompts as a table, the best first."""
    columns = ["prompt", "weight", "similarity", "overlap", "certainty", "seed_log_probability", "contrast"]
    return {"prompts": table_preview(rows.sort_by("rank"), columns, _SHOWN)}


def harvest_report(rows: pa.Table) -> dict[str, Any]:
    """Return the first triples of each arm, their shapes, flags and confidences."""
    shown: dict[str, Any] = {}
    for kg in pc.unique(rows.column("kg")).to_pylist():
        arm_rows = rows.filter(pc.equal(rows.column("kg"), kg)).sort_by("rank")
        columns = ["head", "tail", "score", "confidence", "log_probability", "perplexity"]
        shown[f"best_{kg}"] = table_preview(arm_rows, columns, _SHOWN)
        shown[f"shapes_{kg}"] = dict(Counter(arm_rows.column("shape").to_pylist()))
        flags = Counter(flag for row_flags in arm_rows.column("flags").to_pylist() for flag in row_flags)
        shown[f"flags_{kg}"] = dict(flags)
        if arm_rows.num_rows:
            confidences = arm_rows.column("confidence").to_numpy()
            shown[f"confidence_{kg}"] = histogram(confidences, f"{kg}: confidence", "confidence")
    return shown
