"""A few of an experiment's chains, to read in the UI."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from evidence_assets.lake.previews import table_preview

SAMPLES = 5


def chosen_chains(predictions: pa.Table, chains: pa.Table) -> list[dict[str, Any]]:
    """Return the `chains` rows of the options that these `predictions` rows chose."""
    chosen = {
        (row["question_id"], row["predicted_index"])
        for row in predictions.to_pylist()
        if row["predicted_index"] is not None
    }
    return [row for row in chains.to_pylist() if (row["question_id"], row["candidate"]) in chosen]


def sample_chains(chains: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return chains as a table for people; nothing where there is none."""
    rows = [
        {"question_id": row["question_id"], "chain": row["text"], "citations": row["citation_status"]}
        for row in chains
    ]
    return {"sample_chains": table_preview(pa.Table.from_pylist(rows))} if rows else {}
