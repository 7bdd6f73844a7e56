"""What every system leaves of an experiment: evidence, selections, chains, predictions, as table rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from evidence_assets.lake.ids import content_id
from evidence_assets.lake.schemas import (
    CHAINS,
    EVIDENCE,
    PREDICTION_EVIDENCE,
    PREDICTIONS,
    SELECTED_EVIDENCE,
    Table,
)
from evidence_assets.reasoning.citations import citation_status
from evidence_assets.reasoning.evidence import EvidenceUnit

EXPERIMENT_TABLES = (EVIDENCE, SELECTED_EVIDENCE, CHAINS, PREDICTIONS, PREDICTION_EVIDENCE)
GIVEN, CITED = "given", "cited"


@dataclass(frozen=True, slots=True)
class Selected:
    """One unit of evidence as it was ranked for a candidate."""

    unit: EvidenceUnit
    score: float
    score_parts: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Chain:
    """The argument for one candidate: its text with [E1]… marks, and the units they stand for."""

    candidate: int
    text: str
    cited: Sequence[EvidenceUnit]
    score: float
    score_parts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a system said to one question. `index` is None where it abstained or could not be parsed."""

    index: int | None
    confidence: float | None
    generator: str
    raw_output: str
    parse_status: str = "parsed"
    tie_break: str = "none"
    abstained: bool = False


@dataclass(slots=True)
class Experiment:
    """Collects one experiment's rows, question by question."""

    system: str
    arm: str
    benchmark: str
    code_version: str
    _evidence: dict[str, dict[str, Any]] = field(default_factory=dict)
    _selected: list[dict[str, Any]] = field(default_factory=list)
    _chains: list[dict[str, Any]] = field(default_factory=list)
    _predictions: list[dict[str, Any]] = field(default_factory=list)
    _used: list[dict[str, Any]] = field(default_factory=list)

    def _own(self) -> dict[str, str]:
        return {"system": self.system, "arm": self.arm, "benchmark": self.benchmark}

    def _note(self, unit: EvidenceUnit) -> str:
        row = unit.row(self.system, self.arm, self.benchmark)
        return str(self._evidence.setdefault(unit.evidence_id, row)["evidence_id"])

    def select(self, question_id: str, candidate: int, ranked: Sequence[Selected]) -> None:
        """Add the evidence selected for one candidate, best first."""
        self._selected += [
            {
                **self._own(),
                "question_id": question_id,
                "candidate": candidate,
                "rank": rank,
                "evidence_id": self._note(selected.unit),
                "score": selected.score,
                "score_parts": list(selected.score_parts),
            }
            for rank, selected in enumerate(ranked, start=1)
        ]

    def answer(
        self,
        question: Mapping[str, Any],
        given: Mapping[int, Sequence[Selected]],
        chains: Sequence[Chain],
        answer: Answer,
    ) -> None:
        """Add a question's chains, its prediction and which evidence the prediction rests on."""
        question_id = question["question_id"]
        prediction_id = content_id("prediction", self.system, self.arm, self.benchmark, question_id)
        options, gold_index = question["options"], question["answer_index"]
        predicted = None if answer.index is None else options[answer.index]
        gold = options[gold_index] if gold_index is not None else next(iter(question["answers"]), None)
        self._predictions.append(
            {
                "prediction_id": prediction_id,
                **self._own(),
                "question_id": question_id,
                "predicted": predicted,
                "predicted_index": answer.index,
                "gold": gold,
                "correct": predicted is not None and predicted == gold,
                "abstained": answer.abstained,
                "parse_status": answer.parse_status,
                "confidence": answer.confidence,
                "generator": answer.generator,
                "raw_output": answer.raw_output,
                "tie_break": answer.tie_break,
                "code_version": self.code_version,
            }
        )
        for candidate, ranked in given.items():
            units = [(selected.unit, selected.score) for selected in ranked]
            self._use(prediction_id, GIVEN, candidate, units)
        for chain in chains:
            self._add_chain(question_id, chain)
            self._use(prediction_id, CITED, chain.candidate, [(unit, chain.score) for unit in chain.cited])

    def _add_chain(self, question_id: str, chain: Chain) -> None:
        cited = [self._note(unit) for unit in chain.cited]
        key = (self.system, self.arm, self.benchmark, question_id, chain.candidate)
        self._chains.append(
            {
                "chain_id": content_id("chain", *key),
                **self._own(),
                "question_id": question_id,
                "candidate": chain.candidate,
                "text": chain.text,
                "cited": cited,
                "citation_status": citation_status(chain.text, cited),
                "score": chain.score,
                "score_parts": [{"name": name, "value": value} for name, value in chain.score_parts.items()],
            }
        )

    def _use(
        self, prediction_id: str, role: str, candidate: int, units: Sequence[tuple[EvidenceUnit, float]]
    ) -> None:
        self._used += [
            {
                "prediction_id": prediction_id,
                "evidence_id": self._note(unit),
                **self._own(),
                "role": role,
                "candidate": candidate,
                "rank": rank,
                "score": score,
            }
            for rank, (unit, score) in enumerate(units, start=1)
        ]

    def tables(self) -> dict[str, pa.Table]:
        """Return the rows of every experiment table, by the table's name."""
        rows: dict[Table, list[dict[str, Any]]] = {
            EVIDENCE: list(self._evidence.values()),
            SELECTED_EVIDENCE: self._selected,
            CHAINS: self._chains,
            PREDICTIONS: self._predictions,
            PREDICTION_EVIDENCE: self._used,
        }
        return {table.name: pa.Table.from_pylist(found, schema=table.schema) for table, found in rows.items()}
