"""The facts that questions were given: rows of `retrieved_facts` as evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from evidence_assets.evidence.experiment import Selected
from evidence_assets.evidence.units import EvidenceUnit, unit_of_path, unit_of_triple
from evidence_assets.systems.attention2query.facts import TRIPLE


@dataclass(frozen=True, slots=True)
class Given:
    """One fact of `retrieved_facts`, as evidence, with the nodes that it would answer."""

    selected: Selected
    answers: tuple[int, ...]
    joins: bool


Facts = Mapping[str, Mapping[int, Sequence[Given]]]


def given_facts(facts: pa.Table) -> Facts:
    """Return rows of `retrieved_facts` as evidence, by question and candidate, best first."""
    by_question: dict[str, dict[int, list[Given]]] = {}
    order = [(name, "ascending") for name in ("question_id", "candidate", "rank")]
    for row in facts.sort_by(order).to_pylist():
        unit = _unit(row)
        selected = Selected(unit, row["score"], row["score_parts"])
        joins = any(part["name"] == "joins" and part["value"] > 0 for part in row["score_parts"])
        fact = Given(selected, tuple(row["answers"]), joins)
        by_question.setdefault(row["question_id"], {}).setdefault(row["candidate"], []).append(fact)
    return by_question


def facts_kg(facts: pa.Table) -> str:
    """Return the graph that facts are of; empty where there are none."""
    return str(facts.column("kg")[0].as_py()) if facts.num_rows else ""


def _unit(row: Mapping[str, Any]) -> EvidenceUnit:
    if row["kind"] == TRIPLE:
        return unit_of_triple(row["fact_id"], row["text"])
    return unit_of_path(row["fact_id"], row["text"], row["triple_ids"])
