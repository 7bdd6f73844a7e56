"""UGAT-MedQA: paths of a graph from a question to each option, to chains, and an answer or an abstention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from evidence_assets.lake.schemas import (
    NODE_RELEVANCE,
    PREDICTIONS,
    QUESTION_CONCEPTS,
    QUESTIONS,
    REASONING_PATHS,
)
from evidence_assets.reading.prompting.prompt_files import (
    ANSWER_PASSAGES,
    CHOOSE,
    EXPLAIN_OPTION,
    prompts_version,
)
from evidence_assets.reading.weights import ANSWERABILITY, WEIGHT_SETS, weights_version
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input
from evidence_assets.systems.system import GRAPH, Report, System
from evidence_assets.systems.ugat_medqa import arms
from evidence_assets.systems.ugat_medqa.stages import ugat_medqa_stages

if TYPE_CHECKING:
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.stages.step import Step

# Weights and prompts decide every answer: new ones are new code.
CODE_VERSION = f"7-{weights_version(*WEIGHT_SETS, ANSWERABILITY)}"
PROMPTED_VERSION = f"4-{prompts_version(EXPLAIN_OPTION, CHOOSE, ANSWER_PASSAGES)}"


def _inputs(arms_by_name: Mapping[str, arms.PathArm], project: Project) -> Sequence[Input]:
    routes = {name: arm.route for name, arm in arms_by_name.items() if arm.route is not None}
    walks = {name: route for name, route in routes.items() if arms.ROUTES[route].walks}
    return (
        Input(QUESTIONS),
        Input(QUESTION_CONCEPTS),
        Input(REASONING_PATHS, variants=routes),
        Input(NODE_RELEVANCE, variants=walks),
    )


def _read(step: Step, project: Project, arm: arms.PathArm) -> Experiment:
    from evidence_assets.systems.ugat_medqa.reading import read_benchmark, read_likelihoods, read_prompted

    benchmark, place = step.key.name, {"benchmark": step.key.name}
    questions = step.inputs.read(QUESTIONS, place)
    paths, nodes = REASONING_PATHS.schema.empty_table(), NODE_RELEVANCE.schema.empty_table()
    if arm.route is not None:
        at_route = {**place, "route": arm.route}
        paths = step.inputs.read(REASONING_PATHS, at_route)
        if arms.ROUTES[arm.route].walks:
            nodes = step.inputs.read(NODE_RELEVANCE, at_route)
    if arm.prompted:
        generator, progress = step.generator(arm.generator, PREDICTIONS), step.progress("replies")
        return read_prompted(questions, paths, generator, arm, benchmark, PROMPTED_VERSION, progress)
    if arm.likelihood:
        model, progress = step.likelihoods(arm.generator), step.progress("options")
        return read_likelihoods(questions, paths, model, arm, benchmark, CODE_VERSION, progress)
    concepts = step.inputs.read(QUESTION_CONCEPTS, place)
    encode = step.shortened(questions).encoding(step.encoder.encode)
    return read_benchmark(questions, concepts, paths, nodes, encode, arm, benchmark, CODE_VERSION)


def _report(step: Step, arm: arms.PathArm, tables: Mapping[str, pa.Table]) -> Report:
    return (
        {} if arm.route is None else {PREDICTIONS.name: {"nodes_at_most": arms.ROUTES[arm.route].extent.cap}}
    )


UGAT_MEDQA = System(
    name=arms.SYSTEM,
    needs=GRAPH,
    arms=arms.arms_with,
    first_arms=arms.FIRST_ARMS,
    default_arm=arms.DEFAULT_ARM,
    compared_with=arms.COMPARED_WITH,
    baselines=arms.BASELINES,
    inputs=_inputs,
    read=_read,
    descriptions={
        "evidence": "Every path an arm was given or cited, with its triples.",
        "selected_evidence": "The paths each option was argued from, best first.",
        "chains": "One chain an option: the passages that speak for it, cited by number.",
        "predictions": "One answer a question, or none where the evidence is insufficient.",
        "prediction_evidence": "Which evidence each prediction was given and which it cited.",
    },
    version=f"{CODE_VERSION}-{PROMPTED_VERSION}",
    stages=ugat_medqa_stages,
    report=_report,
)
