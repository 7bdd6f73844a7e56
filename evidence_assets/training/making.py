"""Readers made by a recipe: a cross-encoder or an adapter trained, a language model weighed; and mixtures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from evidence_assets.models.encoder import Encode
from evidence_assets.models.generation.adapter_training import BaseModel
from evidence_assets.models.generation.adapters import Adapter
from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.models.option_training import Evaluation, UntrainableReaderError
from evidence_assets.models.reader_recipe import Course, PrefixExample, ReaderTraining
from evidence_assets.progress import Progress, told
from evidence_assets.reading.likelihoods.tuned_likelihoods import TunedLikelihoods
from evidence_assets.reading.likelihoods.weighed_likelihoods import WeighedLikelihoods
from evidence_assets.reading.weighing.combination import Weights
from evidence_assets.reading.weighing.trained import OptionReader, TrainedReader, even_weights, fitted_mixture
from evidence_assets.training.evaluating import encoded
from evidence_assets.training.examples import (
    Material,
    as_questions,
    biases,
    examples,
    prefix_examples,
    withheld_of_some,
)
from evidence_assets.training.questions import ReadQuestion, with_evidence_of_others
from evidence_assets.training.reader import (
    FOLDER,
    Folders,
    Likelihoods,
    open_reader,
    train_cached,
    train_mean_cached,
)

Sets = Mapping[str, Sequence[ReadQuestion]]


@dataclass(frozen=True, slots=True)
class Lessons:
    """What is learned from: what tasks are made of, published sets, and questions to choose and to weigh by.

    `weighed_on`: those that the mixture with cheap cues is fitted on.
    """

    material: Material
    sets: Sets
    chosen_on: Sequence[ReadQuestion]
    weighed_on: Sequence[ReadQuestion]
    encode: Encode


@dataclass(frozen=True, slots=True)
class MadeReader:
    """A reader, and what is recorded of it.

    `folder`, `weights_hash`: empty where it has no weights of its own. `trained_on`: kind of task or set to
    its number of questions. `curves`: the evaluations of each of its trainings.
    """

    reader: OptionReader
    model_id: str
    trained_on: Mapping[str, int]
    folder: str = ""
    weights_hash: str = ""
    curves: Sequence[Sequence[Evaluation]] = ()


def trained_cross_encoder(
    name: str,
    recipe: ReaderTraining,
    lessons: Lessons,
    folders: Folders,
    progress: Progress | None = None,
) -> MadeReader:
    """Return a cross-encoder trained on tasks and sets, its mixture fitted on the questions to weigh by.

    Raises:
        UntrainableReaderError: the examples or the body cannot be used.
    """
    tasks_by_kind, texts = lessons.material.tasks(), lessons.material.texts
    folder, weights_hash, evaluations = train_cached(
        list(examples(tasks_by_kind, lessons.sets, lessons.encode)),
        [question.example() for question in lessons.chosen_on],
        folders,
        recipe,
        progress,
    )
    scorer = open_reader(name, folder, weights_hash, folders.cache)
    unweighed = TrainedReader(scorer, texts, _unweighed(TrainedReader))
    mixture = _fitted(unweighed, lessons.weighed_on, lessons.encode)
    counts = {kind: len(tasks) for kind, tasks in tasks_by_kind.items()} | _counts(lessons.sets)
    reader = TrainedReader(scorer, texts, mixture)
    return MadeReader(reader, scorer.scorer_id, counts, folder, weights_hash, [evaluations])


def tuned_language_model(
    name: str,
    place: BaseModel,
    cache: Path,
    likelihoods: Likelihoods,
    courses: Sequence[Course],
    lessons: Lessons,
    progress: Progress | None = None,
) -> MadeReader:
    """Return a language model with an adapter trained on tasks and sets, and a mixture as a cross-encoder's.

    Of several courses the adapter is the mean. `name`: the reader's. `cache`: where adapters are kept.

    Raises:
        UntrainableReaderError: the examples cannot be used.
        GeneratorError: the language model cannot be loaded.
        MissingReaderError: an adapter in the cache is not what was trained.
    """
    base, texts, encode = likelihoods(place.name), lessons.material.texts, lessons.encode
    tasks_by_kind = lessons.material.tasks()
    of_tasks = prefix_examples(as_questions(tasks_by_kind), texts, base, encode)
    of_sets = _set_examples(lessons, courses[0].recipe.without_habits, base)
    trainings = [
        ([*of_tasks, *chain.from_iterable(of_sets[benchmark] for benchmark in course.sets)], course.recipe)
        for course in courses
    ]
    validation = prefix_examples(lessons.chosen_on, texts, base, encode)
    folder, weights_hash, curves = train_mean_cached(
        name, trainings, validation, cache, base, place, progress
    )
    model = likelihoods(place.name, Adapter(cache / FOLDER / folder, courses[0].recipe.bfloat16))
    unweighed = TunedLikelihoods(model, texts, _unweighed(TunedLikelihoods))
    reader = TunedLikelihoods(model, texts, _fitted(unweighed, lessons.weighed_on, encode))
    counts = {kind: len(tasks) for kind, tasks in tasks_by_kind.items()} | _counts(lessons.sets)
    return MadeReader(reader, model.model_id, counts, folder, weights_hash, curves)


def _set_examples(
    lessons: Lessons, without_habits: bool, base: LikelihoodModel
) -> dict[str, list[PrefixExample]]:
    """Return what each set gives to train on."""
    texts, encode = lessons.material.texts, lessons.encode
    of_sets = {}
    for benchmark, questions in lessons.sets.items():
        of_options = biases(questions, encode) if without_habits else None
        of_sets[benchmark] = prefix_examples(withheld_of_some(questions), texts, base, encode, of_options)
    return of_sets


def weighed_language_model(
    model: LikelihoodModel,
    texts: int,
    sets: Sets,
    weighed_on: Sequence[ReadQuestion],
    encode: Encode,
) -> MadeReader:
    """Return a language model with a mixture fitted on the questions of sets and those to weigh by.

    Raises:
        UntrainableReaderError: there is no question.
    """
    unweighed = WeighedLikelihoods(model, texts, _unweighed(WeighedLikelihoods))
    questions = [*(question for of_set in sets.values() for question in of_set), *weighed_on]
    mixture = _fitted(unweighed, questions, encode)
    return MadeReader(WeighedLikelihoods(model, texts, mixture), model.model_id, _counts(sets))


def _fitted(reader: OptionReader, questions: Sequence[ReadQuestion], encode: Encode) -> Weights:
    """Return a mixture fitted on questions, read with their own evidence and with that of others.

    The second tells what cues are worth where no text speaks of what is asked.
    """
    if not questions:
        raise UntrainableReaderError(
            "a reader is weighed on no question: those of sets and weighed_on have no options or no key; "
            "remedy: name a benchmark whose questions have both"
        )
    shown = encoded([*questions, *with_evidence_of_others(questions)], encode)
    rows = reader.rows(shown, told("readings to weigh by"))
    right = [question.right for question in questions]
    return fitted_mixture(rows, [question.nearness for question in shown], right * 2)


def _unweighed(kind: type[OptionReader]) -> Weights:
    return even_weights([1.0] * len(kind.cues()))


def _counts(sets: Sets) -> dict[str, int]:
    return {benchmark: len(questions) for benchmark, questions in sets.items()}
