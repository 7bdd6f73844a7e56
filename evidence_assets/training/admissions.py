"""The stage that tells which benchmarks a reader may answer: those of which it has seen nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa

from evidence_assets.lake.schemas import QUESTIONS, READER_ADMISSIONS, READER_QUESTIONS, TRAINED_READERS
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input, Output, Rows, Scope, Stage

if TYPE_CHECKING:
    from evidence_assets.stages.step import Step


def reader_admissions(project: Project) -> Stage:
    """Return the stage, a partition a reader and benchmark."""

    def run(step: Step) -> Iterator[Rows]:
        from evidence_assets.training.questions import EVALUATION, KEYED, Seen, check_apart, formats, seen

        benchmark, name = step.key.name, step.key.variant
        place = {"reader": name}
        [reader] = step.inputs.read(TRAINED_READERS, place).to_pylist()
        columns = ["benchmark", "question_id", "role", "text_hash"]
        seen_before = [Seen(**row) for row in step.inputs.read(READER_QUESTIONS, place, columns).to_pylist()]
        rows = step.inputs.read(QUESTIONS, {"benchmark": benchmark}, list(KEYED)).to_pylist()
        evaluated = seen(rows, benchmark, EVALUATION)
        taught = [question for question in seen_before if question.role != EVALUATION]
        check_apart(taught, evaluated, formats(project))
        kept = ("model_id", "generator", "folder", "weights_hash", "texts", "mixture", "evaluated")
        row = {
            "benchmark": benchmark,
            "reader": name,
            **{column: reader[column] for column in kept},
            "bfloat16": json.loads(reader["recipe"]).get("bfloat16", False),
            "questions": len(evaluated),
            "seen": len(taught),
        }
        yield Rows(READER_ADMISSIONS, pa.Table.from_pylist([row], schema=READER_ADMISSIONS.schema))

    return Stage(
        name=READER_ADMISSIONS.name,
        scope=Scope.BENCHMARK,
        variants=tuple(project.reader_generators),
        outputs=(
            Output(
                READER_ADMISSIONS,
                "That a reader may answer a benchmark: none of its questions was trained on or chosen on.",
            ),
        ),
        inputs=(Input(QUESTIONS), Input(TRAINED_READERS), Input(READER_QUESTIONS)),
        run=run,
        group="readers",
        layer="model",
        version="4",
        on_demand=True,
    )
