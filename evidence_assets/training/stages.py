"""The stages of trained readers: the training of each, and which benchmarks each may answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from evidence_assets.corpus.stages import shard_place
from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.schemas import (
    ARTICLES,
    QUESTIONS,
    READER_ADMISSIONS,
    READER_QUESTIONS,
    TRAINED_READERS,
    TRIPLES,
)
from evidence_assets.models.cross_encoder_recipe import ReaderTraining
from evidence_assets.sources.project import Project
from evidence_assets.sources.specifications import ReaderSource
from evidence_assets.stages.declaration import Input, Model, Output, Rows, Scope, Stage
from evidence_assets.text.verbalisation import templates_version

if TYPE_CHECKING:
    from evidence_assets.lake.lake import TableReader
    from evidence_assets.models.cross_encoder_training import Evaluation
    from evidence_assets.models.encoder import Encode
    from evidence_assets.models.pair_scorer import PairScorer
    from evidence_assets.stages.step import Step
    from evidence_assets.training.examples import GraphTriples, Material
    from evidence_assets.training.questions import ReadQuestion, Seen

_KEYED = ("question_id", "question", "options", "answer_index")
_OF_A_TRIPLE = ("triple_id", "head", "relation", "tail")


def training_stages(project: Project) -> list[Stage]:
    """Return the stages of the readers that a configuration names; none where it names none."""
    return [_trained_readers(project), _reader_admissions(project)] if project.readers else []


def recipe_of(source: ReaderSource) -> ReaderTraining:
    """Return how a configured reader is trained."""
    return ReaderTraining(
        steps=source.steps,
        batch=source.batch,
        body_rate=source.body_rate,
        frozen_layers=source.frozen_layers,
        longest=source.longest,
        evaluations=source.evaluations,
        seed=source.seed,
    )


def _trained_readers(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows]:
        from evidence_assets.lake.previews import curves
        from evidence_assets.reading.trained import CUES, fitted_mixture
        from evidence_assets.training.evaluating import cues
        from evidence_assets.training.examples import examples
        from evidence_assets.training.reader import open_reader, train_cached

        name, source, encoder = step.key.name, project.readers[step.key.name], step.encoder
        rows = {
            benchmark: step.inputs.read(QUESTIONS, {"benchmark": benchmark}, list(_KEYED)).to_pylist()
            for benchmark in source.benchmarks
        }
        left_out = _leave_out(source, rows)
        seen = _seen(source, rows, project)
        material = material_of(step.inputs, project, source, encoder.encode)
        questions = {
            benchmark: material.questions(rows[benchmark], benchmark) for benchmark in source.seen_benchmarks
        }
        tasks_by_kind = material.tasks()
        sets = {benchmark: questions[benchmark] for benchmark in source.sets}
        recipe, chosen_on = recipe_of(source), questions[source.chosen_on]
        counts = {kind: len(tasks) for kind, tasks in tasks_by_kind.items()}
        counts |= {benchmark: len(read) for benchmark, read in sets.items()}
        folder, weights, evaluations = train_cached(
            list(examples(tasks_by_kind, sets, encoder.encode)),
            [question.example() for question in chosen_on],
            step.models.cache,
            recipe,
            step.models.encoder_settings.body(),
            encoder.encoder_id,
            step.progress("steps"),
        )
        scorer = open_reader(name, folder, weights, step.models.cache)
        right = [question.right for question in chosen_on]
        mixture = fitted_mixture(cues(chosen_on, scorer, encoder.encode), right)
        row = {
            "reader": name,
            "model_id": scorer.scorer_id,
            "folder": folder,
            "weights_hash": weights,
            "recipe": json.dumps(source.model_dump(mode="json"), sort_keys=True),
            "body": encoder.encoder_id,
            "texts": source.texts,
            "trained_on": [{"source": kind, "questions": count} for kind, count in counts.items()],
            "chosen_on": source.chosen_on,
            "mixture": [{"cue": cue, "weight": weight} for cue, weight in zip(CUES, mixture, strict=True)],
            "evaluated": _evaluated(questions[source.evaluated_on], mixture, step, scorer),
            "curve": [asdict(evaluation) for evaluation in evaluations],
        }
        table = pa.Table.from_pylist([row], schema=TRAINED_READERS.schema)
        yield Rows(
            TRAINED_READERS,
            table,
            metadata={
                **_shown(row),
                "training": _curve(evaluations, name, curves),
                "training questions left out, asked elsewhere": left_out,
            },
        )
        of_reader = [{"reader": name, **asdict(question)} for question in seen]
        yield Rows(READER_QUESTIONS, pa.Table.from_pylist(of_reader, schema=READER_QUESTIONS.schema))

    return Stage(
        name=TRAINED_READERS.name,
        scope=Scope.READER,
        outputs=(
            Output(
                TRAINED_READERS,
                "Cross-encoders on the encoder's body, trained on reading tasks of sentences and triples and "
                "on public training questions; evaluated before any arm may use them. Kept by content.",
            ),
            Output(READER_QUESTIONS, "The published questions that each reader has seen."),
        ),
        inputs=(Input(ARTICLES), Input(TRIPLES), Input(QUESTIONS)),
        run=run,
        group="readers",
        layer="model",
        version=f"1-{templates_version(project.sources.templates)}",
        models=frozenset({Model.ENCODER}),
        kinds=("pytorch", "parquet"),
        # It costs minutes.
        on_demand=True,
        pooled=True,
        configuration=lambda key: text_hash(project.readers[key.name].model_dump_json()),
    )


def _reader_admissions(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows]:
        from evidence_assets.training.questions import EVALUATION, Seen, check_apart, seen

        benchmark, name = step.key.name, step.key.variant
        place = {"reader": name}
        [reader] = step.inputs.read(TRAINED_READERS, place).to_pylist()
        columns = ["benchmark", "question_id", "role", "text_hash"]
        seen_before = [Seen(**row) for row in step.inputs.read(READER_QUESTIONS, place, columns).to_pylist()]
        rows = step.inputs.read(QUESTIONS, {"benchmark": benchmark}, list(_KEYED)).to_pylist()
        evaluated = seen(rows, benchmark, EVALUATION)
        taught = [question for question in seen_before if question.role != EVALUATION]
        check_apart(taught, evaluated, formats(project))
        kept = ("model_id", "folder", "weights_hash", "texts", "mixture", "evaluated")
        row = {
            "benchmark": benchmark,
            "reader": name,
            **{column: reader[column] for column in kept},
            "questions": len(evaluated),
            "seen": len(taught),
        }
        yield Rows(READER_ADMISSIONS, pa.Table.from_pylist([row], schema=READER_ADMISSIONS.schema))

    return Stage(
        name=READER_ADMISSIONS.name,
        scope=Scope.BENCHMARK,
        variants=tuple(project.readers),
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
        on_demand=True,
    )


def material_of(lake: TableReader, project: Project, source: ReaderSource, encode: Encode) -> Material:
    """Return what a recipe's tasks, and the evidence of its questions, are made of.

    Raises:
        MissingPartitionError: a corpus or graph was never read.
    """
    from evidence_assets.text.sentences import sentence_spans
    from evidence_assets.training.examples import Material

    sentences = [
        text[start:end]
        for corpus in source.corpora
        for shard in project.shards_of(corpus)
        for text in lake.read(ARTICLES, shard_place(shard), ["text"]).column("text").to_pylist()
        for start, end in sentence_spans(text)
    ]
    graphs = [_triples_of(lake, project, graph) for graph in source.graphs]
    return Material(source, sentences, graphs, encode)


def _triples_of(lake: TableReader, project: Project, graph: str) -> GraphTriples:
    from evidence_assets.graphs.loaders import templates_of
    from evidence_assets.training.examples import GraphTriples

    source = project.graph(graph)
    rows = [
        row
        for place in lake.partitions(TRIPLES)
        if place["kg"] == graph
        for row in lake.read(TRIPLES, place, list(_OF_A_TRIPLE)).to_pylist()
    ]
    return GraphTriples(rows, templates_of(lake, source), source.templates)


def _leave_out(source: ReaderSource, rows: dict[str, list[Any]]) -> int:
    """Take out of the sets what any other benchmark of a recipe asks; return how many questions that were."""
    from evidence_assets.training.questions import without_questions_of

    others = [row for name in source.benchmarks if name not in source.sets for row in rows[name]]
    published = sum(len(rows[name]) for name in source.sets)
    rows |= {name: without_questions_of(rows[name], others) for name in source.sets}
    return published - sum(len(rows[name]) for name in source.sets)


def _seen(source: ReaderSource, rows: Mapping[str, list[Any]], project: Project) -> list[Seen]:
    """Return what the reader sees of published questions.

    Raises:
        LeakedQuestionError: a question to choose by, or to evaluate with, is among those trained on.
    """
    from evidence_assets.training.questions import CHOOSING, EVALUATION, TRAINING, check_apart, seen

    taught = [question for name in source.sets for question in seen(rows[name], name, TRAINING)]
    chosen = seen(rows[source.chosen_on], source.chosen_on, CHOOSING)
    evaluated = seen(rows[source.evaluated_on], source.evaluated_on, EVALUATION)
    check_apart(taught, chosen, formats(project))
    check_apart([*taught, *chosen], evaluated, formats(project))
    return [*taught, *chosen, *evaluated]


def formats(project: Project) -> Mapping[str, str]:
    """Return the reader of each benchmark's files."""
    return {name: source.reader for name, source in project.sources.benchmarks.items()}


def _evaluated(
    questions: list[ReadQuestion], mixture: Sequence[float], step: Step, scorer: PairScorer
) -> list[dict[str, Any]]:
    from evidence_assets.training.evaluating import (
        baseline_accuracies,
        blindfolded_accuracies,
        cues,
        figures,
        reading_accuracies,
    )

    encode = step.encoder.encode
    accuracies = {
        **reading_accuracies(questions, cues(questions, scorer, encode), mixture),
        **blindfolded_accuracies(questions, scorer),
        **baseline_accuracies(questions, encode),
    }
    return figures(accuracies, questions[0].benchmark)


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        f"{row['evaluated'][0]['benchmark']}: {figure['way']}": figure["accuracy"]
        for figure in row["evaluated"]
    }


def _curve(evaluations: list[Evaluation], name: str, curves: Any) -> str:
    measures = ("loss", "accuracy", "validation_loss")
    shown = {measure: [getattr(evaluation, measure) for evaluation in evaluations] for measure in measures}
    picture: str = curves(
        [evaluation.step for evaluation in evaluations], shown, f"{name}: training", "steps"
    )
    return picture
