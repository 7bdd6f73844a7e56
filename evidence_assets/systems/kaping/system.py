"""KAPING: facts of a graph nearest to a question, a model's own beside them, read by a language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from evidence_assets.kgqa.answers.baselines import BASELINES
from evidence_assets.lake.schemas import (
    GENERATED_TRIPLES,
    GRAPH_CONCEPTS,
    PREDICTIONS,
    QUESTION_CONCEPTS,
    QUESTION_QUERIES,
    QUESTIONS,
    RANKED_ANSWERS,
    RETRIEVED_FACTS,
)
from evidence_assets.reading.prompting.prompt_files import SHORT_ANSWER, prompts_version
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input, Model
from evidence_assets.systems.kaping import arms
from evidence_assets.systems.kaping.stages import TITLE, kaping_stages, stated_triples
from evidence_assets.systems.system import GRAPH, Report, System, retrievals_of

if TYPE_CHECKING:
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.stages.step import Step

VERSION = f"kaping-5-{prompts_version(SHORT_ANSWER)}"


def _inputs(arms_by_name: Mapping[str, arms.Arm], project: Project) -> Sequence[Input]:
    from evidence_assets.graphs.graph_inputs import graph_inputs
    from evidence_assets.kgqa.answers.baselines import baseline_inputs

    ways = arms.retrievals(project.generators)
    facts = retrievals_of(arms_by_name)
    backgrounds = {name: ways[way].background for name, way in facts.items() if ways[way].background}
    parsers = {
        name: arms.EXTRACTIVE for name, arm in arms_by_name.items() if arm.generator == arms.EXTRACTIVE
    }
    return (
        Input(QUESTIONS),
        Input(QUESTION_CONCEPTS),
        Input(RETRIEVED_FACTS, variants=facts),
        Input(GENERATED_TRIPLES, variants=backgrounds),
        Input(QUESTION_QUERIES, variants=parsers),
        *graph_inputs(project, QUESTION_CONCEPTS),
        *baseline_inputs(arm.name for arm in arms_by_name.values() if arm.baseline),
        Input(GRAPH_CONCEPTS, via=QUESTION_CONCEPTS),
    )


def _read(step: Step, project: Project, arm: arms.Arm) -> Experiment:
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.kgqa.answers.fact_cases import cases
    from evidence_assets.kgqa.answers.likely_answers import read_likely_answers
    from evidence_assets.kgqa.answers.prompted_answers import read_short_answers
    from evidence_assets.kgqa.loaders import answer_by_baseline, knowledge_base, node_keys
    from evidence_assets.kgqa.queries.serialization import deserialize_queries
    from evidence_assets.systems.kaping.reading import read_case

    inputs, benchmark = step.inputs, step.key.name
    experiment = Experiment(arms.SYSTEM, arm.name, benchmark, VERSION, ranks=True)
    if arm.baseline:
        answer_by_baseline(step, project, BASELINES[arm.baseline], experiment)
        return experiment
    questions = inputs.read(QUESTIONS, {"benchmark": benchmark})
    base = knowledge_base(inputs, project, project.required_graph(benchmark, TITLE))
    facts, background = RETRIEVED_FACTS.schema.empty_table(), ""
    if arm.retrieval:
        place = {"system": arms.SYSTEM, "benchmark": benchmark, "retrieval": arm.retrieval}
        facts = inputs.read(RETRIEVED_FACTS, place)
        background = arms.retrievals(project.generators)[arm.retrieval].background
    readings = {}
    if arm.generator == arms.EXTRACTIVE:
        readings = deserialize_queries(
            inputs.read(QUESTION_QUERIES, {"benchmark": benchmark, "parser": arms.EXTRACTIVE})
        )
    question_cases = list(cases(questions, facts, readings, stated_triples(inputs, benchmark, background)))
    experiment.node_keys = node_keys(inputs, base.graph)
    if arm.prompted:
        generator = step.generator(arm.generator, PREDICTIONS)
        progress, with_facts = step.progress("replies"), bool(arm.retrieval)
        read_short_answers(experiment, question_cases, base, generator, progress, with_facts)
    elif arm.likelihood:
        model, progress = step.likelihoods(arm.generator), step.progress("prefixes")
        read_likely_answers(experiment, question_cases, base, model, arm.generator, progress)
    else:
        for case in question_cases:
            read_case(experiment, case, base.without(inputs.withheld(case.question["question_id"])), arm)
    return experiment


def _report(step: Step, arm: arms.Arm, tables: Mapping[str, pa.Table]) -> Report:
    from evidence_assets.systems.kaping import report

    return {RANKED_ANSWERS.name: report.of_experiment(tables)}


KAPING = System(
    name=arms.SYSTEM,
    needs=GRAPH,
    arms=arms.arms,
    first_arms=arms.FIRST_ARMS,
    default_arm=arms.DEFAULT_ARM,
    compared_with=arms.COMPARED_WITH,
    baselines=tuple(BASELINES),
    inputs=_inputs,
    read=_read,
    descriptions={
        "evidence": "Every triple an arm was given, the graph's and a model's own, each with its source.",
        "selected_evidence": "The facts that each question was given, the nearest first.",
        "chains": "Each question's first answer, with the triples that back it.",
        "predictions": "Each question's first answer, or why there is none.",
        "prediction_evidence": "Which evidence each prediction was given and which it cites.",
        "ranked_answers": "The answers of each question; what a model alone states is marked as not backed.",
    },
    version=VERSION,
    stages=kaping_stages,
    models=frozenset({Model.GENERATOR, Model.ENCODER}),
    retrieves_facts=True,
    ranks=True,
    report=_report,
)
