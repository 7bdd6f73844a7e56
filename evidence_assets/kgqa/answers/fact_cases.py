"""Questions without options with the facts that were retrieved for them, as they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from evidence_assets.evidence.experiment import Selected
from evidence_assets.evidence.units import EvidenceUnit, unit_of_generated_triple
from evidence_assets.kgqa.queries.serialization import QueryRecord
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase

# A fact that a model stated, and the part of its score that tells that the graph says otherwise.
GENERATED, CONTRADICTED = "generated_triple", "contradicted"


@dataclass(frozen=True, slots=True)
class Case:
    """A question, its facts (`retrieved_facts`), its readings, and the triples a model generated, by id."""

    question: Mapping[str, Any]
    facts: Sequence[Mapping[str, Any]]
    readings: Sequence[QueryRecord] = ()
    generated: Mapping[str, Mapping[str, Any]] | None = None

    def is_contradicted(self, fact: Mapping[str, Any]) -> bool:
        """Tell whether the graph contradicts a fact that a model stated."""
        return any(part["name"] == CONTRADICTED and part["value"] > 0 for part in fact["score_parts"])


def cases(
    questions: pa.Table,
    facts: pa.Table,
    readings: Mapping[str, Sequence[QueryRecord]],
    generated: pa.Table | None = None,
) -> Iterator[Case]:
    """Yield every question that offers no options, with its facts, readings and generated triples."""
    by_question: dict[str, list[dict[str, Any]]] = {}
    for row in facts.sort_by([("question_id", "ascending"), ("rank", "ascending")]).to_pylist():
        by_question.setdefault(row["question_id"], []).append(row)
    generated_of: dict[str, dict[str, dict[str, Any]]] = {}
    for row in generated.to_pylist() if generated is not None else ():
        generated_of.setdefault(row["question_id"], {})[row["generated_triple_id"]] = row
    for question in questions.to_pylist():
        if not question["options"]:
            key = question["question_id"]
            yield Case(question, by_question.get(key, []), readings.get(key, ()), generated_of.get(key, {}))


def units_of(case: Case, base: KnowledgeBase) -> list[Selected]:
    """Return a question's facts as evidence: each triple of a walk, and each triple that a model stated.

    A unit occurs once, at its best rank.
    """
    selected: dict[str, Selected] = {}
    for fact in case.facts:
        if fact["kind"] == GENERATED:
            units = [unit_of_generated_triple(fact["fact_id"], fact["text"])]
        else:
            units = [base.unit_of(triple_id) for triple_id in fact["triple_ids"]]
        for unit in units:
            selected.setdefault(unit.evidence_id, Selected(unit, fact["score"], fact["score_parts"]))
    return list(selected.values())


def with_cited(evidence: Sequence[Selected], cited: Sequence[EvidenceUnit], score: float) -> list[Selected]:
    """Return the evidence given, then what an answer cites besides: triples that were read in the graph.

    What executes a query reads the graph, so that it cites triples that no fact near the question holds.
    """
    evidence_ids = {selected.unit.evidence_id for selected in evidence}
    return [*evidence, *(Selected(unit, score, []) for unit in cited if unit.evidence_id not in evidence_ids)]
