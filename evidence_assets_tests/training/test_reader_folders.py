"""A reader's folder: trained once, opened whole and unchanged or not at all."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from evidence_assets.lake.ids import file_hash
from evidence_assets.models import cross_encoder_training as training
from evidence_assets.models.generation.adapter_training import BaseModel
from evidence_assets.models.generation.adapters import Adapter
from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.models.reader_recipe import AdapterTraining, PrefixExample
from evidence_assets.reading.likelihoods.tuned_likelihoods import TunedLikelihoods
from evidence_assets.reading.likelihoods.weighed_likelihoods import WeighedLikelihoods
from evidence_assets.reading.weighing.trained import Encoded
from evidence_assets.training import reader as readers
from evidence_assets.training.reader import (
    FOLDER,
    WEIGHTS,
    Folders,
    MissingReaderError,
    admitted_reader,
    open_reader,
    train_adapter_cached,
    train_cached,
)
from evidence_assets_tests.models.test_cross_encoder_training import QUICK, TRAINING, VALIDATION, body
from evidence_assets_tests.testing.counting_likelihoods import Counting
from evidence_assets_tests.testing.killed_training import killed_at
from evidence_assets_tests.testing.tiny_causal_lm import make_tiny_causal_lm

__all__ = ["body"]
UNIT = np.eye(1, 2, dtype=np.float32)[0]
BRIEF = replace(QUICK, steps=4, evaluations=2)


@pytest.fixture(scope="module")
def made(body: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A cache, the reader's folder name there, and its weights' hash."""
    cache = tmp_path_factory.mktemp("cache")
    name, weights, _ = train_cached(TRAINING, VALIDATION, Folders(cache, body, "body@1"), BRIEF)
    return cache, name, weights


def test_what_was_trained_is_not_trained_again(
    made: tuple[Path, str, str], body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache, name, weights = made
    monkeypatch.setattr(readers, "train", None)
    steps: list[tuple[int, int]] = []
    again = train_cached(
        TRAINING, VALIDATION, Folders(cache, body, "body@1"), BRIEF, lambda *step: steps.append(step)
    )
    assert again[:2] == (name, weights) and [evaluation.step for evaluation in again[2]] == [2, 4]
    assert steps == [(4, 4)]
    assert weights == file_hash(cache / FOLDER / name / WEIGHTS)


def test_a_reader_opens_with_its_texts_and_mixture(made: tuple[Path, str, str]) -> None:
    cache, name, weights = made
    mixture = [
        {"cue": cue, "weight": weight, "weight_far": weight / 2}
        for cue, weight in (("plausibility", 3.0), ("reader", 1.0), ("nearest", 2.0))
    ]
    row = {
        "reader": "r",
        "generator": None,
        "folder": name,
        "weights_hash": weights,
        "texts": 2,
        "mixture": mixture,
    }
    opened = admitted_reader(row, cache, _no_model)
    assert (opened.texts, opened.weights.near.tolist()) == (2, [1.0, 2.0, 3.0])
    assert opened.weights.far.tolist() == [0.5, 1.0, 1.5]
    question = Encoded(
        "what is red ?", ["cat", "dog"], [["the cat is red ."], []], UNIT, np.stack([UNIT] * 2), [1, 0]
    )
    assert opened.rows([question])[0].shape == (2, 3)


def test_a_language_model_is_opened_with_the_weights_that_were_weighed(tmp_path: Path) -> None:
    cues = WeighedLikelihoods.cues()
    row = {
        "reader": "r",
        "generator": "small",
        "folder": "",
        "weights_hash": "",
        "model_id": "counting",
        "texts": 3,
        "mixture": [
            {"cue": cue, "weight": float(place), "weight_far": 0.0} for place, cue in enumerate(cues)
        ],
    }
    opened = admitted_reader(row, tmp_path, _counting)
    assert isinstance(opened, WeighedLikelihoods)
    assert (opened.texts, opened.weights.near.tolist()) == (3, [0, 1, 2, 3, 4, 5])
    changed = {**row, "model_id": "counting@before"}
    with pytest.raises(
        MissingReaderError, match=r"^reader r: generator small is counting, and counting@before was evaluated"
    ):
        admitted_reader(changed, tmp_path, _counting)


def test_a_language_model_is_opened_with_the_adapter_that_was_evaluated(tmp_path: Path) -> None:
    base = BaseModel("small", make_tiny_causal_lm(tmp_path / "model"), device="cpu")
    lessons = [
        PrefixExample(f"q{place}", "Question: what?\nAnswer:", (" a", " b"), place % 2) for place in range(4)
    ]
    recipe = AdapterTraining(steps=2, batch=2, body_rate=1e-3, frozen_layers=0, evaluations=1, rank=2)
    name, hashed, _ = train_adapter_cached(lessons, lessons, tmp_path, recipe, Counting(), base)
    assert train_adapter_cached(lessons, lessons, tmp_path, recipe, Counting(), base)[:2] == (name, hashed)
    row = {
        "reader": "r",
        "generator": "small",
        "folder": name,
        "weights_hash": hashed,
        "model_id": "counting",
        "texts": 2,
        "bfloat16": True,
        "mixture": [
            {"cue": cue, "weight": float(place), "weight_far": 0.0}
            for place, cue in enumerate(TunedLikelihoods.cues())
        ],
    }
    adapters: list[Adapter | None] = []

    def opening(generator: str, adapter: Adapter | None = None) -> LikelihoodModel:
        adapters.append(adapter)
        return Counting()

    opened = admitted_reader(row, tmp_path, opening)
    assert isinstance(opened, TunedLikelihoods) and opened.weights.near.tolist() == [0, 1, 2]
    assert adapters == [Adapter(tmp_path / FOLDER / name, bfloat16=True)]
    with pytest.raises(MissingReaderError, match="is not what was trained and evaluated; remedy"):
        admitted_reader({**row, "weights_hash": "0" * 32}, tmp_path, opening)
    with pytest.raises(MissingReaderError, match="not whole"):
        admitted_reader({**row, "folder": "elsewhere"}, tmp_path, opening)


def _counting(generator: str, adapter: Adapter | None = None) -> LikelihoodModel:
    assert adapter is None
    return Counting()


def _no_model(generator: str, adapter: Adapter | None = None) -> LikelihoodModel:
    raise AssertionError(f"a cross-encoder asks for no language model, {generator}")


def test_a_training_that_was_killed_cannot_be_opened_and_goes_on_to_the_same_weights(
    made: tuple[Path, str, str], body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in training, and between the weights and the mark that they are whole."""
    _, name, weights = made
    folders = Folders(tmp_path, body, "body@1")

    with monkeypatch.context() as patch:
        patch.setattr(readers, "train", partial(training.train, checkpoint_every=2))
        killed_at(3, train_cached, TRAINING, VALIDATION, folders, BRIEF)
    with pytest.raises(
        MissingReaderError, match=r"not whole.*remove that folder and materialise trained_readers"
    ):
        open_reader("r", name, weights, tmp_path)
    assert train_cached(TRAINING, VALIDATION, folders, BRIEF)[:2] == (name, weights)
    (tmp_path / FOLDER / name / "finished.json").unlink()
    with pytest.raises(MissingReaderError, match="not whole"):
        open_reader("r", name, weights, tmp_path)


def test_weights_that_changed_are_refused(made: tuple[Path, str, str], tmp_path: Path) -> None:
    cache, name, weights = made
    with pytest.raises(MissingReaderError, match="is not what was trained and evaluated; remedy"):
        open_reader("r", name, "0" * 32, cache)
    with pytest.raises(MissingReaderError):
        open_reader("r", name, weights, tmp_path)
    with pytest.raises(MissingReaderError, match="%2E%2E%2Felsewhere"):
        open_reader("r", "../elsewhere", weights, cache)
