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
    QUESTION_QUERIES,
    QUESTIONS,
    RANKED_ANSWERS,
)
from evidence_assets.reading.prompt_files import RERANK, TRIPLETS, prompts_version
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input, Model
from evidence_assets.systems.four_step_focus import arms
from evidence_assets.systems.system import GRAPH, Report, System

if TYPE_CHECKING:
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.kgqa.serialization import QueryRecord
    from evidence_assets.stages.inputs import Inputs
    from evidence_assets.stages.step import Step
    from evidence_assets.systems.four_step_focus.reading import Case, DocumentedGraph

CODE_VERSION = "four-step-focus-2"


def _inputs(arms_by_name: Mapping[str, arms.Arm], project: Project) -> Sequence[Input]:
    from evidence_assets.graphs.graph_inputs import graph_inputs

    return (
        Input(QUESTIONS),
        Input(
            QUESTION_QUERIES, variants={name: arm.parser for name, arm in arms_by_name.items() if arm.parser}
        ),
        Input(DOCUMENT_POOLS),
        Input(NODE_DOCUMENTS, via=DOCUMENT_POOLS),
        *graph_inputs(project, QUESTION_QUERIES),
        Input(GRAPH_CONCEPTS, via=DOCUMENT_POOLS),
    )


def _read(step: Step, project: Project, arm: arms.Arm) -> Experiment:
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.kgqa.loaders import node_keys
    from evidence_assets.systems.four_step_focus.reading import read_case
    from evidence_assets.systems.four_step_focus.reranking import generator_scores, scorer_scores

    benchmark = step.key.name
    graph = _documented_graph(step.inputs, project, project.required_graph(benchmark, "4StepFocus"))
    question_cases = _cases(step, graph, arm)
    keys = node_keys(step.inputs, graph.base.graph)
    experiment = Experiment(arms.SYSTEM, arm.name, benchmark, CODE_VERSION, ranks=True, node_keys=keys)
    scores: Sequence[Mapping[int, float] | None] = [None] * len(question_cases)
    generator_id = ""
    if arm.prompted:
        generator = step.generator(arm.generator, PREDICTIONS)
        generator_id = generator.generator.generator_id
        if arm.reranks:
            scores = generator_scores(question_cases, graph, generator, arm, step.progress("replies"))
    elif arm.reranks:
        scores = scorer_scores(
            question_cases, graph, step.pair_scorer, arm, step.progress("answers reranked")
        )
    for case, of_nodes in zip(question_cases, scores, strict=True):
        read_case(experiment, case, graph, arm, of_nodes, generator_id)
    return experiment


def _documented_graph(inputs: Inputs, project: Project, kg: str) -> DocumentedGraph:
    """Return a graph with its documents, opened once a run."""
    from evidence_assets.graphs.loaders import check_numbers
    from evidence_assets.kgqa.loaders import knowledge_base
    from evidence_assets.systems.four_step_focus.reading import DocumentedGraph

    def opened(inputs: Inputs) -> DocumentedGraph:
        base = knowledge_base(inputs, project, kg)
        rows = inputs.read(NODE_DOCUMENTS, {"kg": kg}, ["document_id", "node", "label", "text"])
        check_numbers(base.graph, rows, NODE_DOCUMENTS.name)
        rows = rows.sort_by("node")
        return DocumentedGraph(base, rows.column("text").to_pylist(), rows.column("document_id").to_pylist())

    return inputs.cached(("documented graph", kg), opened)


def _cases(step: Step, graph: DocumentedGraph, arm: arms.Arm) -> list[Case]:
    """Return a benchmark's open questions with who may answer each."""
    from evidence_assets.kgqa.document_pools import BM25, DENSE, open_questions, pools_of
    from evidence_assets.kgqa.serialization import deserialize_queries
    from evidence_assets.systems.four_step_focus.reading import Search, by_meaning, cases

    place, encoder = {"benchmark": step.key.name}, step.encoder
    questions = open_questions(step.inputs.read(QUESTIONS, place)).to_pylist()
    search = Search(
        pools_of(step.inputs.read(DOCUMENT_POOLS, place), BM25 if arm.by_words else DENSE),
        encoder.encode([question["question"] for question in questions]),
        encoder.encode(list(graph.documents)),
    )
    readings: dict[str, list[QueryRecord]] = {}
    if arm.parser:
        readings = deserialize_queries(step.inputs.read(QUESTION_QUERIES, {**place, "parser": arm.parser}))
    if arm.vector_constants:
        labels = encoder.encode(graph.base.graph.labels.to_pylist())
        readings = by_meaning(readings, labels, encoder)
    progress = step.progress("questions solved")
    return list(cases(questions, readings, graph.base, search, arm, progress))


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
