"""A system written nowhere else: the option that shares most words with the best chunk is the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evidence_assets.evidence.arms import Arm, by_name
from evidence_assets.evidence.experiment import Answer, Chain, Experiment, Selected
from evidence_assets.evidence.units import units_of_chunks
from evidence_assets.lake.schemas import CHUNKS, QUESTIONS, RANKED_CHUNKS
from evidence_assets.retrieval.chunk_texts import chunks_of
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input
from evidence_assets.stages.step import Step
from evidence_assets.systems.system import CORPUS, System
from evidence_assets.text.words import words


@dataclass(frozen=True, slots=True, kw_only=True)
class OverlapArm(Arm):
    retrieval: str


ARMS = by_name(
    OverlapArm(
        name=f"{name}@overlap", description=f"words shared with the best chunk by {name}", retrieval=name
    )
    for name in ("cosine", "bm25")
)


def arms(generators: Iterable[str]) -> Mapping[str, OverlapArm]:
    return ARMS


def inputs(there_are: Mapping[str, OverlapArm], project: Project) -> Sequence[Input]:
    rankings = {name: arm.retrieval for name, arm in there_are.items()}
    return Input(QUESTIONS), Input(RANKED_CHUNKS, variants=rankings), Input(CHUNKS, via=RANKED_CHUNKS)


def read(step: Step, project: Project, arm: OverlapArm) -> Experiment:
    benchmark = step.key.name
    experiment = Experiment("overlap", arm.name, benchmark, "1")
    ranked = step.inputs.read(RANKED_CHUNKS, {"benchmark": benchmark, "retrieval": arm.retrieval})
    best = {
        row["question_id"]: row for row in ranked.to_pylist() if (row["candidate"], row["rank"]) == (-1, 1)
    }
    units = units_of_chunks(chunks_of(step.inputs, project, benchmark, ranked.column("chunk_id").unique()))
    for question in step.inputs.read(QUESTIONS, {"benchmark": benchmark}).to_pylist():
        row = best[question["question_id"]]
        unit = units[row["chunk_id"]][0]
        shared = [len(set(words(option)) & set(words(unit.text))) for option in question["options"]]
        index = shared.index(max(shared))
        given = {index: [Selected(unit, row["score"], [])]}
        experiment.select(question["question_id"], index, given[index])
        chain = Chain(index, f"{unit.text} [E1]", [unit], float(shared[index]), {})
        experiment.answer(question, given, [chain], Answer(index, None, arm.generator, ""))
    return experiment


TABLES = ("evidence", "selected_evidence", "chains", "predictions", "prediction_evidence")
OVERLAP = System(
    "overlap", CORPUS, arms, tuple(ARMS), "cosine@overlap", ("cosine@overlap",), inputs, read,
    {table: f"{table} of a system of a test" for table in TABLES}, "1",
)  # fmt: skip
