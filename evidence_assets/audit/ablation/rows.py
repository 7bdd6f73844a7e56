"""Ablations as rows of `evidence_ablations`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from evidence_assets.audit.ablation.rereading import Ablated
from evidence_assets.lake.schemas import EVIDENCE_ABLATIONS


def ablation_rows(place: Mapping[str, str], ablated: Iterable[Ablated]) -> pa.Table:
    """Return the rows of one experiment (its system, arm and benchmark)."""
    return pa.Table.from_pylist([_row(place, item) for item in ablated], schema=EVIDENCE_ABLATIONS.schema)


def _row(place: Mapping[str, str], ablated: Ablated) -> dict[str, Any]:
    questioned, removal, outcome = ablated.questioned, ablated.removal, ablated.outcome
    before, after = questioned.confidence, outcome.confidence
    removed = [source for source in questioned.given if source in removal.sources]
    return {
        **place,
        "prediction_id": questioned.prediction_id,
        "question_id": questioned.question_id,
        "removed": removal.name(questioned),
        "kind": str(removal.kind),
        "draw": removal.draw,
        "cited": removal.is_cited,
        "weight": removal.weight,
        "sources": [source.name for source in removed],
        "evidence_ids": [key for source in removed for key in questioned.evidence.get(source, ())],
        "given_sources": len(questioned.given),
        "cited_sources": len(questioned.cited),
        "removed_sources": len(removed),
        "predicted_without": outcome.predicted,
        "changed": ablated.changed,
        "abstained_without": outcome.abstained,
        "confidence_without": after,
        "confidence_change": None if before is None or after is None else after - before,
    }
