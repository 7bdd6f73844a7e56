"""Readers whose adapter is the mean of several: each trained once, the mean made whole or not opened."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evidence_assets.lake.ids import file_hash
from evidence_assets.lake.schemas import READER_QUESTIONS, TRAINED_READERS
from evidence_assets.models.generation import adapter_training, adapters
from evidence_assets.models.generation.adapter_training import BaseModel
from evidence_assets.models.generation.adapters import WEIGHTS, Adapter, mean_adapter
from evidence_assets.models.generation.likelihood import LikelihoodModel, TransformersLikelihoodModel
from evidence_assets.models.reader_recipe import AdapterTraining, Course
from evidence_assets.sources.reader_specifications import ReaderSource
from evidence_assets.training.evaluating import encoded
from evidence_assets.training.examples import Material
from evidence_assets.training.making import Lessons, MadeReader, tuned_language_model
from evidence_assets.training.prepared_readers import take_reader, write_reader
from evidence_assets.training.reader import FINISHED, FOLDER, MissingReaderError, admitted_reader
from evidence_assets.training.recipes import courses_of, recipe_of
from evidence_assets.training.recorded import curve_pictures, recorded
from evidence_assets_tests.reading.test_reading_tasks import encode
from evidence_assets_tests.testing.tiny_causal_lm import make_tiny_causal_lm

COLOURS = ("red", "blue", "green")
SOURCE = ReaderSource.model_validate(
    {
        "corpora": ["facts"],
        "sets": ["first", "second"],
        "chosen_on": "rehearsal",
        "evaluated_on": "mock",
        "generator": "tiny",
        "adapter_rank": 2,
        "trainings": [
            {"sets": ["first"], "steps": 4},
            {"sets": ["first", "second"], "steps": 6, "seed": 3},
        ],
        "sentence_groups": 0,
        "triple_groups": 0,
        "batch": 2,
        "body_rate": 1e-2,
        "frozen_layers": 0,
        "longest": 64,
        "evaluations": 2,
    }
)


class Bench:
    """A tiny language model, what a reader of it learns from, and a cache that adapters are kept in."""

    def __init__(self, location: str, cache: Path) -> None:
        self.place, self.cache = BaseModel("tiny", location, device="cpu"), cache
        material = Material(SOURCE, [f"The {colour} thing is {colour}." for colour in COLOURS], [], encode)
        numbers = {"first": 5, "second": 7, "rehearsal": 4, "scale": 4}
        questions = {name: material.questions(_rows(name, size), name) for name, size in numbers.items()}
        sets = {name: questions[name] for name in SOURCE.sets}
        self.lessons = Lessons(material, sets, questions["rehearsal"], questions["scale"], encode)

    def likelihoods(self, generator: str, adapter: Adapter | None = None) -> LikelihoodModel:
        return TransformersLikelihoodModel(generator, self.place.location, device="cpu", adapter=adapter)

    def make(
        self, courses: Sequence[Course] | None = None, progress: Callable[[int, int], None] | None = None
    ) -> MadeReader:
        chosen = courses or courses_of(SOURCE, recipe())
        return tuned_language_model(
            "both", self.place, self.cache, self.likelihoods, chosen, self.lessons, progress
        )

    def folder(self, made: MadeReader) -> Path:
        return self.cache / FOLDER / made.folder

    def folders(self) -> set[str]:
        return {path.name for path in (self.cache / FOLDER).iterdir()}


def _rows(name: str, size: int) -> list[dict[str, Any]]:
    return [
        {
            "question_id": f"{name}{number}",
            "question": f"What is thing {number} of the {name}?",
            "options": list(COLOURS),
            "answer_index": number % 3,
        }
        for number in range(size)
    ]


def recipe() -> AdapterTraining:
    made = recipe_of(SOURCE)
    assert isinstance(made, AdapterTraining)
    return made


def alone(number: int) -> list[Course]:
    """One of the trainings, as a recipe would name it that has no other."""
    return [courses_of(SOURCE, recipe())[number]]


@pytest.fixture(scope="module")
def location(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_tiny_causal_lm(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def made(location: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Bench, MadeReader]:
    """A reader of two trainings, made in one go."""
    bench = Bench(location, tmp_path_factory.mktemp("cache"))
    return bench, bench.make()


@pytest.fixture
def bench(location: str, tmp_path: Path) -> Bench:
    return Bench(location, tmp_path)


def test_an_adapter_that_another_recipe_trained_is_one_of_those_averaged(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    members = [bench.folder(bench.make(alone(number))) for number in (0, 1)]
    assert len(bench.folders()) == 2, "of one training there is no mean"
    monkeypatch.setattr(adapter_training, "train", None)
    steps: list[tuple[int, int]] = []
    both = bench.make(progress=lambda *step: steps.append(step))
    assert steps == [(4, 10), (10, 10)]
    mean_adapter(members, bench.cache / "expected")
    assert (bench.folder(both) / WEIGHTS).read_bytes() == (bench.cache / "expected" / WEIGHTS).read_bytes()
    assert bench.folders() == {*(member.name for member in members), both.folder}
    assert both.weights_hash == file_hash(bench.folder(both) / WEIGHTS)
    assert both.trained_on.items() >= {"first": 5, "second": 7}.items()


def test_a_training_that_is_missing_alone_is_made_and_steps_never_go_back(bench: Bench) -> None:
    bench.make(alone(0))
    steps: list[int] = []
    both = bench.make(progress=lambda done, total: steps.append(done))
    assert steps == [4, 5, 6, 7, 8, 9, 10]
    assert [[evaluation.step for evaluation in curve] for curve in both.curves] == [[2, 4], [3, 6]]


def test_one_training_is_the_adapter_that_it_was(bench: Bench) -> None:
    single = SOURCE.model_copy(update={"trainings": [], "steps": 4})
    [course] = courses_of(single, replace(recipe(), steps=4))
    assert course == Course(("first", "second"), replace(recipe(), steps=4))
    plain = bench.make([course])
    assert bench.folders() == {plain.folder} and len(plain.curves) == 1
    assert [*curve_pictures(plain.curves, "plain")] == ["training"]


def test_the_seed_of_a_training_is_the_recipes_unless_it_names_one() -> None:
    first, second = courses_of(SOURCE, recipe())
    assert (first.recipe.seed, second.recipe.seed) == (SOURCE.seed, 3)
    assert replace(second.recipe, steps=4, seed=SOURCE.seed) == first.recipe


@pytest.mark.parametrize("written", [False, True], ids=["before the mean", "amid the mean"])
def test_what_was_killed_before_the_mean_is_whole_is_not_opened_and_made_the_same(
    made: tuple[Bench, MadeReader], bench: Bench, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    whole, reference = made

    def kill(folders: Sequence[Path], folder: Path) -> None:
        if written:
            mean_adapter(folders, folder)
            (folder / WEIGHTS).write_bytes(b"half")
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(adapters, "mean_adapter", kill)
        with pytest.raises(KeyboardInterrupt):
            bench.make()
    mean = bench.cache / FOLDER / reference.folder
    assert mean.exists() == written and not (mean / FINISHED).exists()
    monkeypatch.setattr(adapter_training, "train", None)
    again = bench.make()
    assert (again.folder, again.weights_hash) == (reference.folder, reference.weights_hash)
    for file in (WEIGHTS, FINISHED):
        assert (mean / file).read_bytes() == (whole.folder(reference) / file).read_bytes()
    monkeypatch.setattr(adapters, "mean_adapter", None)
    assert bench.make().weights_hash == reference.weights_hash


def test_an_adapter_that_changed_is_not_averaged(bench: Bench) -> None:
    first = bench.folder(bench.make(alone(0)))
    (first / WEIGHTS).write_bytes(b"other")
    with pytest.raises(
        MissingReaderError, match=rf"^reader both: .*{first.name}.* is not what was trained.*remedy: remove"
    ):
        bench.make()


def test_the_row_tells_of_every_training_and_counts_each_set_once(made: tuple[Bench, MadeReader]) -> None:
    row = recorded(SOURCE, made[1])
    taught = [(each["source"], each["questions"]) for each in row["trained_on"] if each["questions"]]
    assert taught == [("first", 5), ("second", 7)]
    trainings = json.loads(row["recipe"])["trainings"]
    assert [training["steps"] for training in trainings] == [4, 6]
    # The first training ends where the steps that its recipe names do.
    assert [evaluation["step"] for evaluation in row["curve"]] == [2, 4, 3, 6]
    assert [*curve_pictures(made[1].curves, "both")] == ["training 1 of 2", "training 2 of 2"]


def test_a_mean_is_written_into_a_folder_and_taken_elsewhere_as_any_adapter(
    made: tuple[Bench, MadeReader], tmp_path: Path
) -> None:
    whole, reader = made
    figure = {"benchmark": "mock", "way": "evidence", "accuracy": 0.5, "low": 0.1, "high": 0.9, "n": 2}
    row = {"reader": "both", "body": "encoder@1", "evaluated": [figure], **recorded(SOURCE, reader)}
    write_reader(row, READER_QUESTIONS.schema.empty_table(), whole.cache, tmp_path / "reader")
    taken = take_reader("theirs", "tiny", tmp_path / "reader", tmp_path / "cache")
    assert {path.name for path in (tmp_path / "cache" / FOLDER).iterdir()} == {reader.folder}
    assert {*taken.row} == {*TRAINED_READERS.schema.names}
    opened = admitted_reader({**taken.row, "bfloat16": False}, tmp_path / "cache", whole.likelihoods)
    shown = encoded(whole.lessons.weighed_on, encode)
    scores = [each.rows(shown) for each in (opened, reader.reader)]
    assert all(np.array_equal(theirs, ours) for theirs, ours in zip(*scores, strict=True))
