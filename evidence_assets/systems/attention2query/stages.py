"""Attention2Query's stages of retrieval: the tuned classifier, and the facts that each way finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from pydantic import BaseModel

from evidence_assets.graphs.choices import SPECTRAL
from evidence_assets.graphs.graph_inputs import graph_inputs
from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.schemas import (
    GRAPH_CONCEPTS,
    GRAPH_EMBEDDINGS,
    QUESTION_CONCEPTS,
    QUESTIONS,
    RELEVANCE_CLASSIFIERS,
    RELEVANCE_PAIRS,
    RETRIEVED_FACTS,
)
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import (
    Input,
    Link,
    Metadata,
    Model,
    Output,
    Rows,
    Stage,
    retrieval_stage,
)
from evidence_assets.systems.attention2query.arms import RETRIEVALS, SYSTEM, TUNED
from evidence_assets.systems.attention2query.as_printed.recipe import SEED, Recipe
from evidence_assets.text.verbalisation import templates_version

if TYPE_CHECKING:
    from evidence_assets.stages.step import Step
    from evidence_assets.systems.attention2query.as_printed.training import Pair

# Questions that a classifier is trained on: those whose ids have the least hashes.
MOST_TRAINING = 2_000


class TrainingConfig(BaseModel):
    """How the relevance classifier is trained; what the paper states is for the model that it fine-tunes."""

    questions: int = MOST_TRAINING
    hidden: int = Recipe().hidden
    epochs: int = Recipe().epochs
    learning_rate: float = Recipe().learning_rate
    seed: int = Recipe().seed

    def recipe(self) -> Recipe:
        """Return the recipe."""
        return Recipe(self.hidden, self.epochs, learning_rate=self.learning_rate, seed=self.seed)


def attention2query_stages(project: Project) -> list[Stage]:
    """Return the stages that Attention2Query's experiments read."""
    return [_relevance_classifiers(project), _retrieved_facts(project)]


def _relevance_classifiers(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.systems.attention2query.as_printed.training import trained

        benchmark, encoder = step.key.name, step.encoder
        settings = step.settings_as(TrainingConfig)
        training = project.benchmark(benchmark).training or ""
        pairs = _pairs(step, project, training, settings.questions)
        name, report = trained(
            pairs, encoder.encode, encoder.encoder_id, step.models.cache, settings.recipe()
        )
        row = {"benchmark": benchmark, "training": training, "folder": name, "encoder": encoder.encoder_id}
        yield Rows(RELEVANCE_PAIRS, _pair_rows(pairs, benchmark, training))
        rows = pa.Table.from_pylist([{**row, **asdict(report)}], schema=RELEVANCE_CLASSIFIERS.schema)
        yield Rows(RELEVANCE_CLASSIFIERS, rows, metadata=asdict(report))

    return retrieval_stage(
        group="attention2query_retrieval",
        name=RELEVANCE_CLASSIFIERS.name,
        problem=lambda key: _training_problem(project, key.name),
        outputs=(
            Output(
                RELEVANCE_PAIRS,
                "Questions of the training benchmark with facts, and how relevant each is by the answers "
                "that are known. Questions that the evaluated benchmark asks too are left out.",
            ),
            Output(
                RELEVANCE_CLASSIFIERS,
                "A relevance classifier trained on those pairs: one hidden layer over the encoder's vectors. "
                "Kept by content: the same pairs are trained on once.",
            ),
        ),
        inputs=(
            Input(QUESTIONS, link=Link.TRAINING),
            Input(QUESTION_CONCEPTS, link=Link.TRAINING),
            Input(GRAPH_EMBEDDINGS),
            Input(GRAPH_CONCEPTS, via=QUESTION_CONCEPTS),
            *graph_inputs(project, QUESTION_CONCEPTS),
        ),
        run=run,
        layer="model",
        system=SYSTEM,
        version=f"2-{templates_version(project.sources.templates)}",
        models=frozenset({Model.ENCODER, Model.PAIR_SCORER}),
        settings=TrainingConfig,
        on_demand=True,
    )


def _training_problem(project: Project, benchmark: str) -> str | None:
    """Return why a benchmark has no classifier: the configuration names no other questions over its graph."""
    training = project.benchmark(benchmark).training
    field = f"{project.location}: benchmarks.{benchmark}.training"
    if training is None:
        return (
            f"{field} is empty, and the tuned classifier needs questions with known answers; remedy: name "
            "a benchmark there, other than the one it is evaluated on"
        )
    if training == benchmark or project.graph_of(training) != project.graph_of(benchmark):
        return f"{field}: {training} must be another benchmark over the same graph"
    return None


def _pairs(step: Step, project: Project, training: str, most: int) -> list[Pair]:
    """Return the training pairs of a benchmark's classifier, in the order of the questions' hashes."""
    from evidence_assets.kgqa.loaders import knowledge_base
    from evidence_assets.systems.attention2query.as_printed.pairs import apart_from, open_pairs, option_pairs
    from evidence_assets.systems.attention2query.loaders import (
        open_embedded_graph,
        open_question_links,
        open_retriever,
    )

    inputs, benchmark = step.inputs, step.key.name
    graph = open_embedded_graph(step, project, benchmark)
    evaluated = inputs.read(QUESTIONS, {"benchmark": benchmark}, ["question"]).column("question").to_pylist()
    questions = apart_from(open_question_links(step, project, graph, training), evaluated)
    questions = sorted(questions, key=lambda question: text_hash(question.question_id))[:most]
    columns = ["question_id", "answers", "answer_index"]
    rows = inputs.read(QUESTIONS, {"benchmark": training}, columns).to_pylist()
    keys = {row["question_id"]: row for row in rows}
    pairs: list[Pair] = []
    if about := [
        question.about for question in questions if not question.options and question.about is not None
    ]:
        gold = [
            {node for answer in keys[question.question_id]["answers"] for node in graph.named(answer)}
            for question in about
        ]
        base = knowledge_base(inputs, project, graph.name)
        pairs += open_pairs(about, gold, base, base.parser(step.encoder))
    offered = [
        question
        for question in questions
        if question.options and keys[question.question_id]["answer_index"] is not None
    ]
    retriever = open_retriever(step, project, graph, RETRIEVALS["full"], offered)
    for question, retrieved in zip(offered, retriever.find(offered), strict=True):
        pairs += option_pairs(question, retrieved.facts, keys[question.question_id]["answer_index"])
    return pairs


def _pair_rows(pairs: Sequence[Pair], benchmark: str, training: str) -> pa.Table:
    counts: dict[str, int] = {}
    rows = []
    for pair in pairs:
        place = counts.get(pair.question_id, 0)
        counts[pair.question_id] = place + 1
        rows.append({"benchmark": benchmark, "training": training, "place": place, **asdict(pair)})
    return pa.Table.from_pylist(rows, schema=RELEVANCE_PAIRS.schema)


def _retrieved_facts(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows | Metadata]:
        from evidence_assets.lake.previews import histogram
        from evidence_assets.systems.attention2query.facts import fact_rows
        from evidence_assets.systems.attention2query.loaders import (
            open_embedded_graph,
            open_question_links,
            open_retriever,
        )

        benchmark, way = step.key.name, RETRIEVALS[step.key.variant]
        graph = open_embedded_graph(step, project, benchmark)
        questions = open_question_links(step, project, graph, benchmark, way.by_token)
        retrieved = open_retriever(step, project, graph, way, questions).find(questions)
        progress = step.progress("questions")
        rows: list[dict[str, Any]] = []
        components, bridges = [], 0
        for number, (question, facts) in enumerate(zip(questions, retrieved, strict=True), start=1):
            rows += fact_rows(question, facts, graph.graph.graph, SYSTEM, benchmark, way.name)
            components.append(facts.components)
            bridges += facts.bridged
            progress(number, len(questions))
        yield Rows(RETRIEVED_FACTS, pa.Table.from_pylist(rows, schema=RETRIEVED_FACTS.schema))
        title = f"{step.key.text}: components before bridging"
        yield Metadata(
            {
                "questions_with_facts": len({row["question_id"] for row in rows}),
                "bridges": bridges,
                "components": histogram(components, title, "components"),
            }
        )

    tuned = {way.name: "" for way in RETRIEVALS.values() if way.classifier == TUNED}
    description = (
        "The facts that attention finds for each question and option, rated, components bridged; of "
        "questions without options the instances of the paths that say what is asked.\n\n"
        + "\n".join(f"- `{way.name}`: {way.description}." for way in RETRIEVALS.values())
        + f"\n\nOnly {', '.join(tuned)} reads the trained classifier."
    )
    return retrieval_stage(
        group="attention2query_retrieval",
        name=f"{SYSTEM}/{RETRIEVED_FACTS.name}",
        variants=tuple(RETRIEVALS),
        outputs=(Output(RETRIEVED_FACTS, description),),
        inputs=(
            Input(QUESTIONS),
            Input(QUESTION_CONCEPTS),
            # Dagster maps a benchmark's partition to all of its arms: all follow the classifier.
            Input(RELEVANCE_CLASSIFIERS, variants=tuned),
            Input(GRAPH_EMBEDDINGS, via=QUESTION_CONCEPTS),
            Input(GRAPH_CONCEPTS, via=QUESTION_CONCEPTS),
            *graph_inputs(project, QUESTION_CONCEPTS),
        ),
        run=run,
        system=SYSTEM,
        version=f"3-{SEED}-{SPECTRAL}-{templates_version(project.sources.templates)}",
        models=frozenset({Model.ENCODER, Model.PAIR_SCORER}),
        on_demand=True,
    )
