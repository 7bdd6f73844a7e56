"""A system written nowhere else: the option that shares most words with the best chunk is the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evidence_assets.evidence.arms import Arm, by_name
from evidence_assets.evidence.experiment import EXPERIMENT_TABLES, Answer, Chain, Experiment, Selected
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
    OverlapArm(name=f"{name}@overlap", description=f"shares words with the best by {name}", retrieval=name)
    for name in ("cosine", "bm25")
)


def inputs(arms: Mapping[str, OverlapArm], project: Project) -> Sequence[Input]:
    rankings = {name: arm.retrieval for name, arm in arms.items()}
    return Input(QUESTIONS), Input(RANKED_CHUNKS, variants=rankings), Input(CHUNKS, via=RANKED_CHUNKS)


def read(step: Step, project: Project, arm: OverlapArm) -> Experiment:
    benchmark = step.key.name
    experiment = Experiment("overlap", arm.name, benchmark, "1")
    ranked = step.inputs.read(RANKED_CHUNKS, {"benchmark": benchmark, "retrieval": arm.retrieval})
    best = {
        row["question_id"]: row for row in ranked.to_pylist() if row["rank"] == 1 and row["candidate"] < 0
    }
    units = units_of_chunks(chunks_of(step.inputs, project, benchmark, ranked.column("chunk_id").unique()))
    for question in step.inputs.read(QUESTIONS, {"benchmark": benchmark}).to_pylist():
        row = best[question["question_id"]]
        unit = units[row["chunk_id"]][0]
        shared = [len(set(words(option)) & set(words(unit.text))) for option in question["options"]]
        index = shared.index(max(shared))
        evidence = {index: [Selected(unit, row["score"], [])]}
        experiment.select(question["question_id"], index, evidence[index])
        chain = Chain(index, f"{unit.text} [E1]", [unit], float(shared[index]), {})
        experiment.answer(question, evidence, [chain], Answer(index, None, arm.generator, ""))
    return experiment


DESCRIPTIONS = {table.name: f"{table.name} of a system of a test" for table in EXPERIMENT_TABLES}
FIRST = tuple(ARMS)
OVERLAP = System("overlap", CORPUS, lambda _: ARMS, FIRST, FIRST[0], FIRST, inputs, read, DESCRIPTIONS, "1")
