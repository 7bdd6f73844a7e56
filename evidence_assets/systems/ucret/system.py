"""UCRET: claims and questions about tables, by typed programs, rows and arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from evidence_assets.lake.schemas import COLLAPSED_TABLES, PREDICTIONS, QUESTIONS, TABLES
from evidence_assets.reading.prompting.prompt_files import prompts_version
from evidence_assets.reading.weights import GENERAL, measured_version, weights_version
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input
from evidence_assets.systems.system import TABLES as NEEDS_TABLES
from evidence_assets.systems.system import Report, System
from evidence_assets.systems.ucret import arms
from evidence_assets.systems.ucret.stages import collapsed_of, tables_of, ucret_stages

if TYPE_CHECKING:
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.stages.step import Step

# What programs, and questions over rows, are read by: new weights are new code.
MEASURED = (
    "claim_only",
    "empty_words_claims",
    "ranking_claims",
    "ranking_confidences",
    "ranking_table_questions",
    "ranking_verdicts",
)
CODE_VERSION = f"56-{weights_version(GENERAL)}-{measured_version(*MEASURED)}"
PROMPTED_VERSION = f"{CODE_VERSION}-{prompts_version(*arms.PROMPTS)}"


def _inputs(arms_by_name: Mapping[str, arms.TableArm], project: Project) -> Sequence[Input]:
    filters = {name: arm.filter for name, arm in arms_by_name.items()}
    return Input(QUESTIONS), Input(TABLES), Input(COLLAPSED_TABLES, variants=filters)


def _read(step: Step, project: Project, arm: arms.TableArm) -> Experiment:
    from evidence_assets.systems.ucret.likelihoods import read_likelihoods
    from evidence_assets.systems.ucret.prompted import read_prompted
    from evidence_assets.systems.ucret.proposed import read_proposed
    from evidence_assets.systems.ucret.reading import read_benchmark

    benchmark, withheld = step.key.name, step.inputs.withheld
    questions = step.inputs.read(QUESTIONS, {"benchmark": benchmark})
    tables, collapsed = tables_of(step), collapsed_of(step, arm.filter)
    if arm.likelihood:
        model, progress = step.likelihoods(arm.generator), step.progress("options")
        return read_likelihoods(
            questions, tables, collapsed, model, arm, benchmark, CODE_VERSION, progress, withheld
        )
    if not arm.prompted:
        encode = step.shortened(questions).encoding(step.encoder.encode)
        return read_benchmark(questions, tables, collapsed, encode, arm, benchmark, CODE_VERSION, withheld)
    generator, progress = step.generator(arm.generator, PREDICTIONS), step.progress("replies")
    read = read_proposed if arm.proposes else read_prompted
    return read(questions, tables, collapsed, generator, arm, benchmark, PROMPTED_VERSION, progress, withheld)


def _report(step: Step, arm: arms.TableArm, tables: Mapping[str, pa.Table]) -> Report:
    from evidence_assets.systems.ucret import report

    return {PREDICTIONS.name: report.of_experiment(tables, collapsed_of(step, arm.filter), tables_of(step))}


UCRET = System(
    name=arms.SYSTEM,
    needs=NEEDS_TABLES,
    arms=arms.arms,
    first_arms=arms.FIRST_ARMS,
    default_arm=arms.DEFAULT_ARM,
    compared_with=arms.COMPARED_WITH,
    baselines=(arms.BASELINE_ARM, *arms.GUESSING_ARMS),
    inputs=_inputs,
    read=_read,
    descriptions={
        "evidence": "Every column, row and cell an arm was given or cited, with its address.",
        "selected_evidence": (
            "The columns that each question was shown, and the cells each answer rests on."
        ),
        "chains": "One chain a verdict or option: a program, rows or an argument, with the cells it cites.",
        "predictions": "One verdict or answer a question.",
        "prediction_evidence": "Which evidence each prediction was given and which it cited.",
    },
    version=PROMPTED_VERSION,
    stages=ucret_stages,
    report=_report,
)
