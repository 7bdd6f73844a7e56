"""An experiment's rows as its pages need them: each answer with its question, chains and evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from evidence_assets.audit.pages.lineage import Lineage, lineage_of
from evidence_assets.audit.pages.sources import Sources
from evidence_assets.audit.question_changes import question_changed
from evidence_assets.evidence.experiment import CITED, GIVEN, NO_ANSWER
from evidence_assets.lake.schemas import (
    BENCHMARK_SCORES,
    CHAINS,
    EVIDENCE,
    EVIDENCE_ABLATIONS,
    PREDICTION_EVIDENCE,
    PREDICTIONS,
    QUESTIONS,
    RANKED_ANSWERS,
    Table,
)
from evidence_assets.text.queries import NO_OPTION

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Partition
    from evidence_assets.stages.inputs import Inputs

Row = Mapping[str, Any]
RIGHT, WRONG, ABSTAINED, NO_KEY = "right", "wrong", "abstained", "no key"


@dataclass(frozen=True)
class AnswerRows:
    """The rows of one answer; `used`: those of `prediction_evidence`, by role."""

    prediction: Row
    question: Row | None
    chains: Sequence[Row]
    used: Mapping[str, Sequence[Row]]
    ranked: Sequence[Row]
    ablations: Sequence[Row]

    @property
    def verdict(self) -> str:
        """Right, wrong, abstained, or without a key to tell by; not to answer what has no answer is right."""
        prediction = self.prediction
        if prediction["gold"] is None:
            return NO_KEY
        if prediction["correct"]:
            return RIGHT
        return ABSTAINED if prediction["abstained"] or prediction["predicted"] is None else WRONG

    @property
    def candidate(self) -> int:
        """The option that was answered; that of the question itself where there are none."""
        index = self.prediction["predicted_index"]
        return NO_OPTION if index is None else int(index)

    @property
    def chain(self) -> Row | None:
        """The chain of the option that was answered; None where there is none."""
        return next((chain for chain in self.chains if chain["candidate"] == self.candidate), None)

    @property
    def key_now(self) -> str | None:
        """The answer that the benchmark names now; None where it names none, or the question is gone."""
        if self.question is None:
            return None
        if self.question.get("answerable") is False:
            return NO_ANSWER
        index, options = self.question["answer_index"], self.question["options"]
        if index is not None:
            return str(options[index])
        return next(iter(self.question["answers"]), None)

    @property
    def key_changed(self) -> bool:
        """Whether the benchmark names another answer now than when this was answered, or one more."""
        if self.question is None:
            return False
        then, now, answers = self.prediction["gold"], self.key_now, self.question["answers"]
        is_right_now = self.verdict == WRONG and self.prediction["predicted"] in answers
        return is_right_now or (then != now and then not in answers)

    @cached_property
    def question_changed(self) -> bool:
        """Whether the question, or an option, is told to be another now than when this was answered."""
        question = self.question
        return question is not None and question_changed(
            self.prediction, str(question["question"]), question["options"]
        )


@dataclass(frozen=True)
class ExperimentRows:
    """Everything that the pages of one experiment show."""

    place: Partition
    description: str
    answers: Sequence[AnswerRows]
    evidence: Mapping[str, Row]
    sources: Sources
    lineage: Lineage
    scores: Mapping[str, Row]

    @property
    def name(self) -> str:
        """System and arm."""
        return f"{self.place['system']} / {self.place['arm']}"

    @cached_property
    def sure(self) -> float | None:
        """The confidence from which an answer counts as sure: the median of the right answers'."""
        right = [
            answer.prediction["confidence"]
            for answer in self.answers
            if answer.verdict == RIGHT and answer.prediction["confidence"] is not None
        ]
        return float(np.median(right)) if right else None

    def sure_and_wrong(self, answer: AnswerRows) -> bool:
        """Tell whether an answer is wrong, and as sure as the surer half of the right ones."""
        confidence = answer.prediction["confidence"]
        comparable = self.sure is not None and confidence is not None
        return comparable and answer.verdict == WRONG and confidence >= self.sure

    @cached_property
    def code_versions(self) -> Mapping[str, int]:
        """The code versions that the answers were made by, with how many each."""
        return dict(sorted(Counter(answer.prediction["code_version"] for answer in self.answers).items()))

    @cached_property
    def said_by(self) -> Mapping[str, str]:
        """What units of evidence say, by their own ids and by the keys of the rows they were taken from."""
        by_source = {unit["source_key"]: unit["text"] for unit in self.evidence.values()}
        return by_source | {name: unit["text"] for name, unit in self.evidence.items()}

    @cached_property
    def resting_on(self) -> Mapping[str, Sequence[AnswerRows]]:
        """The answers that cite a source for what they answered, by what the source is known by."""
        resting: dict[str, dict[str, AnswerRows]] = {}
        for answer in self.answers:
            for used in answer.used.get(CITED, ()):
                if used["candidate"] == answer.candidate and used["evidence_id"] in self.evidence:
                    source = self.sources.of(self.evidence[used["evidence_id"]])
                    for key in source.keys:
                        resting.setdefault(key, {})[answer.prediction["prediction_id"]] = answer
        return {key: list(answers.values()) for key, answers in resting.items()}


def read_experiment(
    inputs: Inputs, readable: Collection[Table], place: Partition, description: str
) -> ExperimentRows:
    """Return the rows of one experiment, in the order of its questions.

    `readable`: the tables that the stage declares; what was never made of them is shown as missing.

    Raises:
        MissingPartitionError: there are no answers, or their chains or evidence are missing.
    """
    benchmark = {"benchmark": place["benchmark"]}
    questions = {row["question_id"]: row for row in _rows(inputs, QUESTIONS, benchmark)}
    predictions = _rows(inputs, PREDICTIONS, place)
    evidence = {row["evidence_id"]: row for row in _rows(inputs, EVIDENCE, place)}
    chains = _grouped(_rows(inputs, CHAINS, place), "question_id")
    used = _grouped(_rows(inputs, PREDICTION_EVIDENCE, place), "prediction_id")

    def optional_rows(table: Table, key: str) -> Mapping[str, list[Row]]:
        there_are = table in readable and inputs.exists(table, place)
        return _grouped(_rows(inputs, table, place), key) if there_are else {}

    ranked = optional_rows(RANKED_ANSWERS, "question_id")
    ablations = optional_rows(EVIDENCE_ABLATIONS, "prediction_id")
    scores = optional_rows(BENCHMARK_SCORES, "metric")
    answers = []
    for row in sorted(predictions, key=lambda row: (row["question_id"], row["prediction_id"])):
        by_role: dict[str, list[Row]] = {GIVEN: [], CITED: []}
        for use in used.get(row["prediction_id"], ()):
            by_role.setdefault(use["role"], []).append(use)
        for rows in by_role.values():
            rows.sort(key=lambda use: (use["candidate"], use["rank"]))
        answers.append(
            AnswerRows(
                row,
                questions.get(row["question_id"]),
                sorted(chains.get(row["question_id"], ()), key=lambda chain: chain["candidate"]),
                by_role,
                sorted(ranked.get(row["question_id"], ()), key=lambda use: use["rank"]),
                ablations.get(row["prediction_id"], ()),
            )
        )
    return ExperimentRows(
        place,
        description,
        answers,
        evidence,
        Sources(inputs, readable, evidence.values(), questions),
        lineage_of(inputs, place),
        {metric: rows[0] for metric, rows in scores.items()},
    )


def _rows(inputs: Inputs, table: Table, place: Partition) -> list[Row]:
    """Return a partition's rows; a column that came to the table after it was written is null."""
    absent = dict.fromkeys(table.schema.names)
    return [{**absent, **row} for row in inputs.read(table, place).to_pylist()]


def _grouped(rows: Sequence[Row], key: str) -> Mapping[str, list[Row]]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[key], []).append(row)
    return groups
