"""Summaries of KAPING's assets: facts found, conflicts, answers and abstentions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.lake.previews import bars, histogram
from evidence_assets.reading.prompting.background import Background
from evidence_assets.systems.kaping.adaptive import Rule


def of_background(statements: Sequence[Background], rows: pa.Table, key: str) -> dict[str, Any]:
    """Return how much was stated, what was rejected and why, and how much the graph contradicts."""
    rejected: Counter[str] = sum((background.rejected for background in statements), Counter[str]())
    contradicted = pc.greater(pc.list_value_length(rows.column("contradicts")), 0)
    shown: dict[str, Any] = {
        "questions": len(statements),
        "questions_without_triples": sum(not background.triples for background in statements),
        "outcomes": dict(Counter(background.status for background in statements)),
        "rejected": dict(rejected),
        "contradicted_by_the_graph": int(pc.sum(contradicted).as_py() or 0),
    }
    scores = rows.column("score").to_numpy()
    if scores.any():
        shown["likelihood"] = histogram(scores, f"{key}: likelihood of a stated triple", "likelihood")
    return shown


def of_facts(rows: pa.Table, questions: int, rule: Rule | None) -> dict[str, Any]:
    """Return how many facts of each kind there are, and what the adaptive rule learnt."""
    with_facts = len(set(rows.column("question_id").to_pylist()))
    shown: dict[str, Any] = {
        "questions": questions,
        "questions_without_facts": questions - with_facts,
        "kinds": bars(Counter(rows.column("kind").to_pylist()), "Facts by kind", "facts"),
    }
    if rule is not None:
        shown |= {
            "gain_threshold": rule.gain.value,
            "gain_separation": rule.gain.separation,
            "nearness_threshold": rule.nearness.value,
            "nearness_separation": rule.nearness.separation,
        }
    return shown


def of_experiment(tables: Mapping[str, pa.Table]) -> dict[str, Any]:
    """Return how questions ended."""
    return {"outcomes": dict(Counter(tables["predictions"].column("parse_status").to_pylist()))}
