"""The stages of trained readers: the training of each, and which benchmarks each may answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from evidence_assets.corpus.stages import shard_place
from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.schemas import (
    ARTICLES,
    QUESTIONS,
    READER_QUESTIONS,
    TRAINED_READERS,
    TRIPLES,
)
from evidence_assets.models.reader_recipe import AdapterTraining
from evidence_assets.reading.likelihoods.likelihood import VERSION as LIKELIHOOD
from evidence_assets.sources.project import Project
from evidence_assets.sources.reader_specifications import ReaderSource
from evidence_assets.stages.declaration import Input, Key, Model, Output, Rows, Scope, Stage
from evidence_assets.text.verbalisation import templates_version
from evidence_assets.training.admissions import reader_admissions
from evidence_assets.training.recipes import courses_of, recipe_of
from evidence_assets.training.recorded import curve_pictures, recorded, shown

if TYPE_CHECKING:
    from evidence_assets.lake.lake import TableReader
    from evidence_assets.models.encoder import Encode
    from evidence_assets.progress import Progress
    from evidence_assets.reading.weighing.trained import OptionReader
    from evidence_assets.stages.step import Step
    from evidence_assets.training.examples import GraphTriples, Material
    from evidence_assets.training.making import MadeReader
    from evidence_assets.training.questions import ReadQuestion, Seen

_OF_A_TRIPLE = ("triple_id", "head", "relation", "tail")


def training_stages(project: Project) -> list[Stage]:
    """Return the stages of the readers that a configuration names; none where it names none."""
    return [_trained_readers(project), reader_admissions(project)] if project.reader_generators else []


def _trained_readers(project: Project) -> Stage:
    def run(step: Step) -> Iterator[Rows]:
        return _prepared(step) if step.key.name in project.sources.prepared_readers else _trained(step)

    def _prepared(step: Step) -> Iterator[Rows]:
        from evidence_assets.training.prepared_readers import take_reader

        source = project.sources.prepared_readers[step.key.name]
        folder = Path(project.locate(source.folder))
        reader = take_reader(step.key.name, source.generator, folder, step.models.cache)
        yield Rows(
            TRAINED_READERS,
            pa.Table.from_pylist([dict(reader.row)], schema=TRAINED_READERS.schema),
            metadata=shown(reader.row),
        )
        yield Rows(READER_QUESTIONS, reader.questions)

    def _trained(step: Step) -> Iterator[Rows]:
        from evidence_assets.training.questions import KEYED

        name, source, encode = step.key.name, project.readers[step.key.name], step.encoder.encode
        rows = {
            benchmark: step.inputs.read(QUESTIONS, {"benchmark": benchmark}, list(KEYED)).to_pylist()
            for benchmark in source.benchmarks
        }
        left_out = _leave_out(source, rows)
        seen = _seen(source, rows, project)
        material = material_of(step.inputs, project, source, encode)
        questions = {
            benchmark: material.questions(rows[benchmark], benchmark) for benchmark in source.seen_benchmarks
        }
        made = _made(step, source, material, questions)
        progress = step.progress("prefixes evaluated")
        evaluated = _evaluated(questions[source.evaluated_on], made.reader, encode, progress)
        row = {
            "reader": name,
            "body": step.encoder.encoder_id,
            **recorded(source, made),
            "evaluated": evaluated,
        }
        yield Rows(
            TRAINED_READERS,
            pa.Table.from_pylist([row], schema=TRAINED_READERS.schema),
            metadata={
                **shown(row),
                **curve_pictures(made.curves, name),
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
                "Readers of options: cross-encoders on the encoder's body and adapters of language models, "
                "trained on reading tasks and on public training questions, and language models whose "
                "likelihoods are weighed; evaluated before any arm may use them. Kept by content.",
            ),
            Output(READER_QUESTIONS, "The published questions that each reader has seen."),
        ),
        # Of a reader from elsewhere nothing is made here.
        inputs=(Input(ARTICLES), Input(TRIPLES), Input(QUESTIONS)) if project.readers else (),
        run=run,
        group="readers",
        layer="model",
        version=f"3-{templates_version(project.sources.templates)}",
        models=frozenset({Model.ENCODER, *_generators(project)}),
        kinds=("pytorch", "parquet"),
        # It costs minutes.
        on_demand=True,
        pooled=True,
        configuration=lambda key: text_hash(_configured(project, key.name)),
        problem=partial(_generator_problem, project),
    )


def _generator_problem(project: Project, key: Key) -> str | None:
    """Return why the language model that a reader names cannot read."""
    generator = project.reader_generators[key.name]
    if generator is None:
        return None
    section = "prepared_readers" if key.name in project.sources.prepared_readers else "readers"
    place = f"{project.location}: {section}.{key.name}.generator"
    if generator not in project.generators:
        known = ", ".join(sorted(project.generators)) or "none"
        return f"{place}: there is no generator {generator}; remedy: name one of {known}"
    settings = project.generators[generator]
    if not settings.takes_adapters and _has_adapter(project, key.name):
        return (
            f"{place}: {generator} takes no adapter, of engine {settings.engine}; remedy: name its weights "
            "with engine transformers or llama_cpp"
        )
    if not settings.gives_likelihoods:
        return (
            f"{place}: {generator} tells no likelihood of a given text; remedy: name its weights with "
            "engine vllm, transformers or llama_cpp"
        )
    return None


def _has_adapter(project: Project, name: str) -> bool:
    """Return whether a reader adds weights of its own to its language model's."""
    from evidence_assets.training.prepared_readers import has_adapter

    if name in project.sources.prepared_readers:
        return has_adapter(Path(project.locate(project.sources.prepared_readers[name].folder)))
    return bool(project.readers[name].adapter_rank)


def _configured(project: Project, name: str) -> str:
    """Return a recipe, or what a folder holds, and what its language model is if it names one."""
    from evidence_assets.training.prepared_readers import known_by

    if name in project.sources.prepared_readers:
        source = project.sources.prepared_readers[name]
        return " ".join([source.model_dump_json(), known_by(Path(project.locate(source.folder)))])
    recipe = project.readers[name]
    model = project.generators.get(recipe.generator or "")
    named = [model.engine, model.model, model.revision, f"likelihood {LIKELIHOOD}"] if model else []
    return " ".join([recipe.model_dump_json(), *map(str, named)])


def _generators(project: Project) -> set[Model]:
    named = any(generator is not None for generator in project.reader_generators.values())
    return {Model.GENERATOR} if named else set()


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
    from evidence_assets.training.questions import CHOOSING, EVALUATION, TRAINING, check_apart, formats, seen

    taught = [question for name in source.sets for question in seen(rows[name], name, TRAINING)]
    chosen = [
        question for name in source.choosing_benchmarks for question in seen(rows[name], name, CHOOSING)
    ]
    evaluated = seen(rows[source.evaluated_on], source.evaluated_on, EVALUATION)
    check_apart(taught, chosen, formats(project))
    check_apart([*taught, *chosen], evaluated, formats(project))
    return [*taught, *chosen, *evaluated]


def _made(
    step: Step, source: ReaderSource, material: Material, questions: Mapping[str, Sequence[ReadQuestion]]
) -> MadeReader:
    from evidence_assets.models.generation.adapter_training import BaseModel
    from evidence_assets.training.making import (
        Lessons,
        trained_cross_encoder,
        tuned_language_model,
        weighed_language_model,
    )
    from evidence_assets.training.reader import Folders

    sets = {benchmark: questions[benchmark] for benchmark in source.sets}
    weighed_on = [
        question for name in source.weighed_on or [source.chosen_on] for question in questions[name]
    ]
    lessons = Lessons(material, sets, questions[source.chosen_on], weighed_on, step.encoder.encode)
    cache, recipe = step.models.cache, recipe_of(source)
    if source.generator is None:
        folders = Folders(cache, step.models.encoder_settings.body(), step.encoder.encoder_id)
        return trained_cross_encoder(step.key.name, recipe, lessons, folders, step.progress("steps"))
    if not isinstance(recipe, AdapterTraining):
        model = step.likelihoods(source.generator)
        return weighed_language_model(model, source.texts, sets, weighed_on, lessons.encode)
    place = BaseModel(*step.models.generator_settings(source.generator).adaptable(source.generator))
    courses, name = courses_of(source, recipe), step.key.name
    return tuned_language_model(
        name, place, cache, step.likelihoods, courses, lessons, step.progress("steps")
    )


def _evaluated(
    questions: Sequence[ReadQuestion], reader: OptionReader, encode: Encode, progress: Progress
) -> list[dict[str, Any]]:
    from evidence_assets.training.evaluating import (
        baseline_accuracies,
        blindfolded_accuracies,
        figures,
        reading_accuracies,
    )

    accuracies = {
        **reading_accuracies(questions, reader, encode, progress),
        **blindfolded_accuracies(questions, reader, encode, progress),
        **baseline_accuracies(questions, encode),
    }
    return figures(accuracies, questions[0].benchmark)
