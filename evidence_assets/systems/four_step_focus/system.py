"""4StepFocus: questions as conditions on a graph, solved, the rest filled by search, then reranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from evidence_assets.lake.schemas import (
    DOCUMENT_POOLS,
    GRAPH_CONCEPTS,
    NODE_DOCUMENTS,
    PREDICTIONS,
    QUESTION_CONCEPTS,
    QUESTION_QUERIES,
    QUESTIONS,
    RANKED_ANSWERS,
)
from evidence_assets.reading.prompting.prompt_files import RERANK, TRIPLETS, prompts_version
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input, Model
from evidence_assets.systems.four_step_focus import arms
from evidence_assets.systems.system import GRAPH, Report, System

if TYPE_CHECKING:
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.kgqa.answers.document_search import DocumentedGraph
    from evidence_assets.kgqa.queries.serialization import QueryRecord
    from evidence_assets.stages.step import Step
    from evidence_assets.systems.four_step_focus.reading import Case

CODE_VERSION = "four-step-focus-4"


def _inputs(arms_by_name: Mapping[str, arms.Arm], project: Project) -> Sequence[Input]:
    from evidence_assets.graphs.graph_inputs import graph_inputs

    return (
        Input(QUESTIONS),
        Input(QUESTION_CONCEPTS),
        Input(
            QUESTION_QUERIES, variants={name: arm.parser for name, arm in arms_by_name.items() if arm.parser}
        ),
        Input(DOCUMENT_POOLS),
        Input(NODE_DOCUMENTS, via=DOCUMENT_POOLS),
        *graph_inputs(project, QUESTION_CONCEPTS),
        Input(GRAPH_CONCEPTS, via=DOCUMENT_POOLS),
    )


def _read(step: Step, project: Project, arm: arms.Arm) -> Experiment:
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.kgqa.loaders import documented_graph, node_keys
    from evidence_assets.systems.four_step_focus.reading import read_case
    from evidence_assets.systems.four_step_focus.reranking import (
        generator_scores,
        likelihood_scores,
        scorer_scores,
    )

    benchmark = step.key.name
    graph = documented_graph(step.inputs, project, project.required_graph(benchmark, "4StepFocus"))
    question_cases = _cases(step, project, graph, arm)
    keys = node_keys(step.inputs, graph.base.graph)
    experiment = Experiment(arms.SYSTEM, arm.name, benchmark, CODE_VERSION, ranks=True, node_keys=keys)
    scores: Sequence[Mapping[int, float] | None] = [None] * len(question_cases)
    generator_id = ""
    if arm.prompted:
        generator = step.generator(arm.generator, PREDICTIONS)
        generator_id = generator.generator.generator_id
        if arm.reranks:
            scores = generator_scores(question_cases, graph, generator, arm, step.progress("replies"))
    elif arm.likelihood:
        model, progress = step.likelihoods(arm.generator), step.progress("answers reranked")
        scores = likelihood_scores(question_cases, graph, model, arm, progress)
    elif arm.reranks:
        scores = scorer_scores(
            question_cases, graph, step.pair_scorer, arm, step.progress("answers reranked")
        )
    for case, of_nodes in zip(question_cases, scores, strict=True):
        read_case(experiment, case, graph, arm, of_nodes, generator_id)
    return experiment


def _cases(step: Step, project: Project, graph: DocumentedGraph, arm: arms.Arm) -> list[Case]:
    """Return a benchmark's open questions with who may answer each."""
    from evidence_assets.kgqa.answers.baselines import HOPS
    from evidence_assets.kgqa.answers.document_pools import open_questions
    from evidence_assets.kgqa.loaders import document_search, questions_with_topics, topic_levels
    from evidence_assets.kgqa.queries.serialization import deserialize_queries
    from evidence_assets.systems.four_step_focus.reading import by_meaning, cases

    benchmark, encoder = step.key.name, step.encoder
    rows = open_questions(step.inputs.read(QUESTIONS, {"benchmark": benchmark}))
    linked = questions_with_topics(step.inputs, project, graph.base, benchmark, rows)
    encode = step.shortened(rows).encoding(encoder.encode)
    search = document_search(
        step.inputs, graph, encode, benchmark, linked, arm.search, keeps_topics=arm.keeps_topics
    )
    readings: dict[str, list[QueryRecord]] = {}
    if arm.parser:
        stored = step.inputs.read(QUESTION_QUERIES, {"benchmark": benchmark, "parser": arm.parser})
        readings = deserialize_queries(stored)
    if arm.vector_constants:
        labels = encoder.encode(graph.base.graph.labels.to_pylist())
        readings = by_meaning(readings, labels, encoder)
    levels = topic_levels(step.inputs, graph.base.graph, linked) if arm.search == HOPS else None
    progress = step.progress("questions solved")
    return list(
        cases(rows.to_pylist(), readings, graph.base, search, arm, progress, levels, step.inputs.withheld)
    )


def _report(step: Step, arm: arms.Arm, tables: Mapping[str, pa.Table]) -> Report:
    from evidence_assets.systems.four_step_focus import report

    return {RANKED_ANSWERS.name: report.of_experiment(tables, step.key.text)}


FOUR_STEP_FOCUS = System(
    name=arms.SYSTEM,
    needs=GRAPH,
    arms=arms.arms,
    first_arms=arms.FIRST_ARMS,
    default_arm=arms.DEFAULT_ARM,
    compared_with=arms.COMPARED_WITH,
    baselines=arms.BASELINES,
    inputs=_inputs,
    read=_read,
    descriptions={
        "evidence": "Triples that back an answer, and documents of the first, each with its source.",
        "selected_evidence": "What each question's answers rest on, the best answer's first.",
        "chains": "Each question's first answer, argued from the triples that back it.",
        "predictions": "Each question's first answer, and the rule that chose among equals.",
        "prediction_evidence": "Which evidence each prediction was given and which it cites.",
        "ranked_answers": "The answers of each question: those that meet its conditions, then the nearest "
        "others, marked as not backed by the graph.",
    },
    version=f"{CODE_VERSION}-{prompts_version(TRIPLETS, RERANK)}",
    models=frozenset({Model.ENCODER, Model.PAIR_SCORER, Model.GENERATOR}),
    ranks=True,
    report=_report,
)
