"""The stage that questions a system's evidence: one partition a benchmark and arm, made when asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from evidence_assets.audit.ablation.plan import AblationSettings, sampled
from evidence_assets.lake.schemas import (
    ABLATION_SCORES,
    EVIDENCE,
    EVIDENCE_ABLATIONS,
    GENERATIONS,
    PREDICTION_EVIDENCE,
    PREDICTIONS,
    QUESTIONS,
    TABLES,
)
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input, Metadata, Output, Rows, Scope, Stage, StageError
from evidence_assets.systems.system import TABLES as NEEDS_TABLES
from evidence_assets.systems.system import System

if TYPE_CHECKING:
    from evidence_assets.audit.ablation.plan import Questioned
    from evidence_assets.audit.ablation.rereading import Ablations
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.stages.step import Step
    from evidence_assets.stages.withholding import Variants

VERSION = "2"
_READ = (PREDICTIONS, PREDICTION_EVIDENCE, EVIDENCE)


def ablation_stage(project: Project, system: System) -> Stage:
    """Return the stage of one system's ablations.

    It reads what the system's experiments read, and calls their reader: an arm's ablations are those of the
    reader that answered, whichever it is. A language model is asked only what the record does not hold.
    """
    arms = system.arms_of(project)

    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.audit.ablation.rereading import Rereading
        from evidence_assets.audit.ablation.rows import ablation_rows
        from evidence_assets.audit.ablation.scores import ablation_score_rows

        settings = step.settings_as(AblationSettings)
        place = {"system": system.name, "arm": step.key.variant, "benchmark": step.key.name}
        predictions, left_out = _questioned(step, system)
        sample = sampled(predictions, settings)

        def read(variants: Variants) -> Experiment:
            return system.read(step.of_variants(variants), project, arms[step.key.variant])

        result = Rereading(read, step.progress("variants read")).ablate(sample, settings)
        _check(step, result)
        rows = ablation_rows(place, result.ablated)
        scores = ablation_score_rows(place, rows)
        yield Rows(EVIDENCE_ABLATIONS, rows)
        yield Rows(ABLATION_SCORES, scores, preview=False)
        counts: dict[str, Any] = {
            "predictions_questioned": len(sample) - len(result.unlike),
            "predictions_answered_from_evidence": len(predictions),
            "asked_of_a_store_of_tables": left_out,
            "not_read_alike": len(result.unlike),
            "least_evidence_not_searched": result.too_many,
        }
        yield Metadata(counts | _picture(scores), EVIDENCE_ABLATIONS)

    inputs = [*map(Input, _READ), *system.inputs(arms, project)]
    return Stage(
        name=f"{system.name}/{EVIDENCE_ABLATIONS.name}",
        scope=Scope.BENCHMARK,
        variants=tuple(arms),
        outputs=(
            Output(
                EVIDENCE_ABLATIONS,
                "Whether each answer stands without each source, all that it cites, or as much at random.",
            ),
            Output(ABLATION_SCORES, "What citations are worth, beside what random evidence does."),
        ),
        inputs=tuple(inputs),
        run=run,
        group="ablations",
        layer="evaluation",
        system=system.name,
        version=f"{VERSION}-{system.version}",
        models=system.models,
        side_tables=(GENERATIONS,),
        on_demand=True,
        pooled=True,
        settings=AblationSettings,
    )


def _questioned(step: Step, system: System) -> tuple[list[Questioned], int]:
    """Return the predictions that answer from evidence, and how many others are asked of a store of tables.

    A store is shared by all questions: nothing can be withheld from one of them.
    """
    from evidence_assets.audit.ablation.questioned import questioned_predictions

    inputs, benchmark = step.inputs, step.key.name
    place = {"system": system.name, "arm": step.key.variant, "benchmark": benchmark}
    predictions, used, evidence = (inputs.read(table, place) for table in _READ)
    questions = inputs.read(QUESTIONS, {"benchmark": benchmark}, ["question_id", "table_id"])
    if system.needs != NEEDS_TABLES:
        return questioned_predictions(predictions, used, evidence, {}), 0
    tables = inputs.read(TABLES, {"source": benchmark}, ["table_id", "rows"])
    cells = dict(zip(tables.column("table_id").to_pylist(), tables.column("rows").to_pylist(), strict=True))
    all_predictions = questioned_predictions(predictions, used, evidence, cells)
    ids, table_ids = (questions.column(name).to_pylist() for name in ("question_id", "table_id"))
    of_a_table = {question_id for question_id, table in zip(ids, table_ids, strict=True) if table is not None}
    of_tables = [prediction for prediction in all_predictions if prediction.question_id in of_a_table]
    return of_tables, len(all_predictions) - len(of_tables)


def _check(step: Step, result: Ablations) -> None:
    """Check that the reader gives its predictions again where nothing is withheld.

    A model that could not be asked answers otherwise: such predictions are left out, and the partition is
    made again when it is next due.

    Raises:
        StageError: it does not: what it reads is not what it read.
    """
    failed = any(recorded.tally.failures for recorded, _, _ in step.generators)
    if not result.unlike or failed:
        return
    unlike = result.unlike[0]
    raise StageError(
        f"{step.stage.name}, partition {step.key.text}: {len(result.unlike)} predictions are not what their "
        f"reader answers now, the first for question {unlike.question_id}; remedy: materialise "
        f"{step.stage.system}/predictions of this partition anew, then its ablations"
    )


def _picture(scores: Any) -> dict[str, Any]:
    from evidence_assets.lake.previews import table_preview

    columns = ["metric", "value", "low", "high", "n", "control", "difference_low", "difference_high"]
    return {"scores": table_preview(scores, columns, count=scores.num_rows)} if scores.num_rows else {}
