"""Attention2Query: facts that attention finds around a question's concepts, rated, read by option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from evidence_assets.lake.schemas import (
    GRAPH_CONCEPTS,
    GRAPH_NODES,
    PREDICTIONS,
    QUESTION_CONCEPTS,
    QUESTION_QUERIES,
    QUESTIONS,
    RETRIEVED_FACTS,
)
from evidence_assets.reading.prompt_files import prompts_version
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input
from evidence_assets.systems.attention2query import arms
from evidence_assets.systems.attention2query.stages import attention2query_stages
from evidence_assets.systems.system import GRAPH, System

if TYPE_CHECKING:
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.stages.step import Step

CODE_VERSION = "3"
PROMPTED_VERSION = f"{CODE_VERSION}-{prompts_version()}"


def _inputs(arms_by_name: Mapping[str, arms.Arm], project: Project) -> Sequence[Input]:
    from evidence_assets.graphs.graph_inputs import graph_inputs
    from evidence_assets.kgqa.serialization import EXTRACTIVE

    parsers = {name: EXTRACTIVE for name, arm in arms_by_name.items() if not arm.prompted}
    return (
        Input(QUESTIONS),
        Input(QUESTION_CONCEPTS),
        Input(QUESTION_QUERIES, variants=parsers),
        *graph_inputs(project, QUESTION_QUERIES),
        Input(RETRIEVED_FACTS, variants={name: arm.retrieval for name, arm in arms_by_name.items()}),
        Input(GRAPH_NODES, via=QUESTION_CONCEPTS),
        Input(GRAPH_CONCEPTS, via=QUESTION_CONCEPTS),
    )


def _read(step: Step, project: Project, arm: arms.Arm) -> Experiment:
    from evidence_assets.kgqa.document_pools import open_questions
    from evidence_assets.kgqa.loaders import knowledge_base, node_keys
    from evidence_assets.kgqa.serialization import EXTRACTIVE, deserialize_queries
    from evidence_assets.systems.attention2query.loaders import labels_of
    from evidence_assets.systems.attention2query.reading import read_benchmark, read_prompted

    inputs, benchmark = step.inputs, step.key.name
    questions = inputs.read(QUESTIONS, {"benchmark": benchmark})
    place = {"system": arms.SYSTEM, "benchmark": benchmark, "retrieval": arm.retrieval}
    facts = inputs.read(RETRIEVED_FACTS, place)
    if arm.prompted:
        generator, progress = step.generator(arm.generator, PREDICTIONS), step.progress("replies")
        return read_prompted(questions, facts, generator, arm, benchmark, PROMPTED_VERSION, progress)
    concepts, labels = inputs.read(QUESTION_CONCEPTS, {"benchmark": benchmark}), labels_of(inputs, facts)
    encode = step.shortened(questions).encoding(step.encoder.encode)
    readings, base, keys = {}, None, {}
    if open_questions(questions).num_rows:
        queries = inputs.read(QUESTION_QUERIES, {"benchmark": benchmark, "parser": EXTRACTIVE})
        readings = deserialize_queries(queries)
        base = knowledge_base(inputs, project, project.required_graph(benchmark, arms.SYSTEM))
        keys = dict(node_keys(inputs, base.graph))
    return read_benchmark(
        questions, facts, concepts, encode, arm, benchmark, CODE_VERSION, labels, readings, base, keys
    )


ATTENTION2QUERY = System(
    name=arms.SYSTEM,
    needs=GRAPH,
    arms=arms.arms,
    first_arms=arms.FIRST_ARMS,
    default_arm=arms.DEFAULT_ARM,
    compared_with=arms.COMPARED_WITH,
    inputs=_inputs,
    read=_read,
    descriptions={
        "evidence": "Every fact an arm was given or cited, with its triples.",
        "selected_evidence": "The facts found for each question and option, best first.",
        "chains": "One chain an option, or one for the best answer: the facts that speak for it, by number.",
        "predictions": "One answer a question, or none where no fact gives one.",
        "prediction_evidence": "Which facts each prediction was given and which it cited.",
        "ranked_answers": "The answers of questions without options, each as good as its best fact.",
    },
    version=PROMPTED_VERSION,
    stages=attention2query_stages,
    ranks=True,
    report=lambda step, arm, tables: {PREDICTIONS.name: {"answered": tables[PREDICTIONS.name].num_rows}},
)
