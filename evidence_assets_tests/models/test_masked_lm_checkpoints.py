"""A training that is stopped, damaged or asked for again: the same text and recipe give the same bytes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file

from evidence_assets.lake.full_disk import FullDiskError
from evidence_assets.models.masked_lm_recipe import Recipe
from evidence_assets.models.masked_lm_training import Evaluation, recipe_hash, train
from evidence_assets_tests.testing.corpus_recipes import (
    BRIEF,
    CHECKPOINT,
    DENIED,
    QUICK,
    TEXT,
    TOLD,
    WEIGHTS,
    weights_of,
)
from evidence_assets_tests.testing.killed_training import killed_at
from evidence_assets_tests.testing.killed_writes import leftover_of_a_killed_process


@pytest.fixture(scope="module")
def brief(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Evaluation]]:
    """The brief recipe's model, trained in one go."""
    folder = tmp_path_factory.mktemp("brief") / "model"
    return folder, train(TEXT, folder, BRIEF, None)


# --- stopping and going on


@pytest.mark.parametrize("stops", [[10], [17], [7], [23], [13, 18, 22]], ids=str)
def test_a_training_that_was_stopped_gives_the_same_bytes(
    brief: tuple[Path, list[Evaluation]], tmp_path: Path, stops: list[int]
) -> None:
    """Stopped at a checkpoint, between two, before the first, at the end, and again and again."""
    reference, evaluations = brief
    for stop in stops:
        killed_at(stop, train, TEXT, tmp_path, BRIEF, None, checkpoint_every=10)
        assert not (tmp_path / WEIGHTS).exists()
        assert (tmp_path / CHECKPOINT).exists() == (stop >= 10)
    steps: list[int] = []
    resumed = train(TEXT, tmp_path, BRIEF, None, lambda step, _: steps.append(step), checkpoint_every=10)
    assert weights_of(tmp_path) == weights_of(reference)
    assert resumed == evaluations
    assert steps == list(range(stops[-1] // 10 * 10 + 1, BRIEF.steps + 1)), "only what was left was done"
    assert not (tmp_path / CHECKPOINT).exists()
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in reference.iterdir()}


def test_the_same_text_and_recipe_give_the_same_bytes_and_others_do_not(
    brief: tuple[Path, list[Evaluation]], tmp_path: Path
) -> None:
    reference, evaluations = brief
    assert train(TEXT, tmp_path / "again", BRIEF, None) == evaluations
    for path in reference.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes()
    short = replace(BRIEF, steps=5)
    train(TEXT, tmp_path / "short", short, None)
    for name, text, recipe in (
        ("seed", TEXT, replace(short, seed=1)),
        ("rate", TEXT, replace(short, body_rate=1e-3)),
        ("order", [TOLD[::-1], DENIED], short),
    ):
        train(text, tmp_path / name, recipe, None)
        assert weights_of(tmp_path / name) != weights_of(tmp_path / "short")


@pytest.mark.integration
def test_another_recipes_or_texts_checkpoint_is_not_used(
    brief: tuple[Path, list[Evaluation]], tmp_path: Path
) -> None:
    reference, evaluations = brief
    for name, text, recipe in (
        ("recipe", TEXT, replace(BRIEF, masked=0.4)),
        ("text", [TOLD, DENIED[1:]], BRIEF),
        ("width", TEXT, replace(BRIEF, scratch_width=64)),
    ):
        folder = tmp_path / name
        killed_at(10, train, text, folder, recipe, None, checkpoint_every=10)
        assert (folder / CHECKPOINT).exists()
        assert train(TEXT, folder, BRIEF, None) == evaluations
        assert weights_of(folder) == weights_of(reference)


def without_notes(path: Path) -> None:
    save_file(load_file(path), path)


def without_a_tensor(path: Path) -> None:
    tensors = load_file(path)
    with safe_open(path, "pt") as stored:
        notes = stored.metadata()
    tensors.pop(next(name for name in tensors if name.startswith("exp_avg_sq/")))
    save_file(tensors, path, notes)


@pytest.mark.integration
@pytest.mark.parametrize(
    "harm",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"nothing of the kind"),
        lambda path: path.write_bytes(path.read_bytes()[:200]),
        lambda path: path.write_bytes(path.read_bytes()[:-1]),
        lambda path: path.write_bytes(b"\xff" * 8 + path.read_bytes()[8:]),
        lambda path: path.write_bytes(np.random.default_rng(0).bytes(5_000)),
        without_notes,
        without_a_tensor,
    ],
    ids=["empty", "words", "the head", "all but a byte", "header", "noise", "no notes", "a tensor short"],
)
def test_a_damaged_checkpoint_is_not_used(
    brief: tuple[Path, list[Evaluation]], tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    reference, evaluations = brief
    killed_at(10, train, TEXT, tmp_path, BRIEF, None, checkpoint_every=10)
    harm(tmp_path / CHECKPOINT)
    assert train(TEXT, tmp_path, BRIEF, None) == evaluations
    assert weights_of(tmp_path) == weights_of(reference)


def test_a_checkpoint_that_could_not_be_written_leaves_the_one_before(
    brief: tuple[Path, list[Evaluation]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed_at(10, train, TEXT, tmp_path, BRIEF, None, checkpoint_every=10)
    before = (tmp_path / CHECKPOINT).read_bytes()

    def half(tensors: dict[str, torch.Tensor], path: Path, notes: dict[str, str]) -> None:
        Path(path).write_bytes(b"half")
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("safetensors.torch.save_file", half)
        with pytest.raises(FullDiskError, match="the disk is full; remedy"):
            train(TEXT, tmp_path, BRIEF, None, checkpoint_every=10)
    assert (tmp_path / CHECKPOINT).read_bytes() == before
    train(TEXT, tmp_path, BRIEF, None, checkpoint_every=10)
    assert weights_of(tmp_path) == weights_of(brief[0])
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in brief[0].iterdir()}


def test_a_checkpoint_is_tensors_and_notes_and_no_pickle(tmp_path: Path) -> None:
    leftover_of_a_killed_process(tmp_path / CHECKPOINT).write_bytes(b"half")
    killed_at(13, train, TEXT, tmp_path, BRIEF, None, checkpoint_every=10)
    assert [path.name for path in tmp_path.iterdir()] == [CHECKPOINT]
    with safe_open(tmp_path / CHECKPOINT, "pt") as stored:
        notes = stored.metadata()
        kinds = Counter(name.partition("/")[0] for name in stored.keys())  # noqa: SIM118
    assert notes["made_of"] == recipe_hash(BRIEF, TEXT, "")
    assert notes["step"] == "10"
    assert [evaluation["step"] for evaluation in json.loads(notes["evaluations"])] == [6]
    assert len(json.loads(notes["losses"])) == 4, "of the steps since the last evaluation"
    assert set(kinds) == {"weight", "kept", "exp_avg", "exp_avg_sq"}
    assert len(set(kinds.values())) == 1


# --- what a recipe is known by


def test_the_hash_follows_every_field_of_the_recipe_the_text_and_the_body() -> None:
    others = [replace(QUICK, **{field.name: getattr(QUICK, field.name) + 1}) for field in fields(Recipe)]
    hashes = {
        recipe_hash(QUICK, TEXT, ""),
        *(recipe_hash(recipe, TEXT, "") for recipe in others),
        recipe_hash(QUICK, TEXT, "minilm@1"),
        recipe_hash(QUICK, TEXT, "minilm@2"),
        recipe_hash(QUICK, [*TEXT, ["one more."]], ""),
        recipe_hash(QUICK, [TOLD + DENIED], ""),
        recipe_hash(QUICK, [DENIED, TOLD], ""),
        recipe_hash(QUICK, [TOLD[::-1], DENIED], ""),
        recipe_hash(QUICK, [["a b", "c"]], ""),
        recipe_hash(QUICK, [["a", "b c"]], ""),
        recipe_hash(QUICK, [["a"], ["b c"]], ""),
        recipe_hash(QUICK, [], ""),
        recipe_hash(QUICK, [[]], ""),
    }
    assert len(hashes) == 12 + len(others)
    assert recipe_hash(Recipe(**asdict(QUICK)), [list(source) for source in TEXT], "") in hashes
