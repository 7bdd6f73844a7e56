"""Attention2Query: facts that attention finds around a question's concepts, rated, read by option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from evidence_assets.lake.schemas import (
    GRAPH_CONCEPTS,
    PREDICTIONS,
    QUESTION_CONCEPTS,
    QUESTION_QUERIES,
    QUESTIONS,
    RETRIEVED_FACTS,
)
from evidence_assets.reading.prompting.prompt_files import prompts_version
from evidence_assets.reading.weights import ANSWERABILITY, weights_version
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input
from evidence_assets.systems.attention2query import arms
from evidence_assets.systems.attention2query.stages import attention2query_stages
from evidence_assets.systems.system import GRAPH, System, retrievals_of

if TYPE_CHECKING:
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.stages.declaration import Key
    from evidence_assets.stages.step import Step

CODE_VERSION = f"5-{weights_version(ANSWERABILITY)}"
PROMPTED_VERSION = f"{CODE_VERSION}-{prompts_version()}"


def _inputs(arms_by_name: Mapping[str, arms.Arm], project: Project) -> Sequence[Input]:
    from evidence_assets.graphs.graph_inputs import graph_inputs
    from evidence_assets.kgqa.answers.baselines import BASELINES, baseline_inputs
    from evidence_assets.kgqa.queries.serialization import EXTRACTIVE

    read = retrievals_of(arms_by_name)
    parsers = {name: EXTRACTIVE for name in read if arms_by_name[name].generator == EXTRACTIVE}
    return (
        Input(QUESTIONS),
        Input(QUESTION_CONCEPTS),
        Input(QUESTION_QUERIES, variants=parsers),
        *graph_inputs(project, QUESTION_CONCEPTS),
        Input(RETRIEVED_FACTS, variants=read),
        *baseline_inputs(BASELINES),
        Input(GRAPH_CONCEPTS, via=QUESTION_CONCEPTS),
    )


def _read(step: Step, project: Project, arm: arms.Arm) -> Experiment:
    from evidence_assets.evidence.experiment import Experiment
    from evidence_assets.kgqa.answers.baselines import BASELINES
    from evidence_assets.kgqa.answers.document_pools import open_questions
    from evidence_assets.kgqa.loaders import answer_by_baseline, knowledge_base, node_keys
    from evidence_assets.kgqa.queries.serialization import EXTRACTIVE, deserialize_queries
    from evidence_assets.systems.attention2query.loaders import labels_of
    from evidence_assets.systems.attention2query.reading import (
        read_benchmark,
        read_likelihoods,
        read_nearest_fact,
        read_option_baseline,
        read_prompted,
    )

    inputs, benchmark = step.inputs, step.key.name
    questions = inputs.read(QUESTIONS, {"benchmark": benchmark})
    if arm.baseline in BASELINES:
        experiment = Experiment(arms.SYSTEM, arm.name, benchmark, CODE_VERSION, ranks=True)
        baseline = BASELINES[arm.baseline]
        answer_by_baseline(step, project, baseline, experiment)
        return experiment
    if arm.baseline and not arm.retrieval:
        encode = step.shortened(questions).encoding(step.encoder.encode)
        return read_option_baseline(questions, encode, arm, benchmark, CODE_VERSION)
    place = {"system": arms.SYSTEM, "benchmark": benchmark, "retrieval": arm.retrieval}
    facts = inputs.read(RETRIEVED_FACTS, place)
    if arm.baseline:
        return read_nearest_fact(questions, facts, arm, benchmark, CODE_VERSION)
    readings, base, keys = {}, None, {}
    if open_questions(questions).num_rows:
        base = knowledge_base(inputs, project, project.required_graph(benchmark, arms.SYSTEM))
        keys = dict(node_keys(inputs, base.graph))
    if arm.prompted:
        generator, progress = step.generator(arm.generator, PREDICTIONS), step.progress("replies")
        return read_prompted(
            questions, facts, generator, arm, benchmark, PROMPTED_VERSION, progress, base, keys
        )
    if arm.likelihood:
        model, progress = step.likelihoods(arm.generator), step.progress("options")
        return read_likelihoods(questions, facts, model, arm, benchmark, CODE_VERSION, progress, base, keys)
    concepts, labels = inputs.read(QUESTION_CONCEPTS, {"benchmark": benchmark}), labels_of(inputs, facts)
    encode = step.shortened(questions).encoding(step.encoder.encode)
    if base is not None:
        queries = inputs.read(QUESTION_QUERIES, {"benchmark": benchmark, "parser": EXTRACTIVE})
        readings = deserialize_queries(queries)
    return read_benchmark(
        questions,
        facts,
        concepts,
        encode,
        arm,
        benchmark,
        CODE_VERSION,
        labels,
        readings,
        base,
        keys,
        inputs.withheld,
    )


def _problem(project: Project, key: Key, arm: arms.Arm) -> str | None:
    """Return why an arm is not offered for a benchmark's kind of questions.

    A baseline answers only its own kind; any other arm would be one that is offered all the same.
    """
    from evidence_assets.sources.questions.registry import BENCHMARKS, is_file

    reader = project.benchmark(key.name).reader
    may_offer_options = BENCHMARKS[reader].may_offer_options
    if may_offer_options and (reader == "questions_jsonl" or is_file(reader)):
        # Either, question by question.
        return None
    if not may_offer_options or BENCHMARKS[reader].task == "graph_questions":
        kind, questions = arms.OPEN, "questions without options"
    else:
        kind, questions = arms.OPTIONS, "questions with options"
    if kind in arm.of:
        return None
    lacks = "answers no" if arm.baseline else "changes nothing on"
    return f"{arm.name} {lacks} {questions}, which {key.name} asks; remedy: materialise {arms.DEFAULT_ARM}"


ATTENTION2QUERY = System(
    name=arms.SYSTEM,
    needs=GRAPH,
    arms=arms.arms,
    first_arms=arms.FIRST_ARMS,
    default_arm=arms.DEFAULT_ARM,
    compared_with=arms.COMPARED_WITH,
    baselines=arms.BASELINE_ARMS,
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
    retrieves_facts=True,
    ranks=True,
    problem=_problem,
    report=lambda step, arm, tables: {PREDICTIONS.name: {"answered": tables[PREDICTIONS.name].num_rows}},
)
