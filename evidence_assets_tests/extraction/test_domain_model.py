"""The model of a corpus: made once, gone on with, found again, and whether it knows what the corpus tells."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.extraction.domain_model import corpus_model as domain_model
from evidence_assets.extraction.domain_model.corpus_model import (
    FOLDER,
    MissingModelError,
    attested_seeds,
    model_row,
    open_model,
    recall_of,
    sentences_of,
    take_prepared,
    train_cached,
)
from evidence_assets.extraction.seeds import RelationSeed
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.full_disk import FullDiskError
from evidence_assets.lake.schemas import DOMAIN_MASKED_LM
from evidence_assets.models.masked_lm_recipe import Recipe
from evidence_assets.models.masked_lm_training import Evaluation, UntrainableError, train
from evidence_assets.text.words import words
from evidence_assets_tests.testing.killed_training import killed_at
from evidence_assets_tests.testing.killed_writes import leftover_of_a_killed_process
from evidence_assets_tests.testing.profiles import examples

PAIRS = [("rose", "flower"), ("hammer", "tool"), ("car", "vehicle"), ("shark", "fish"), ("gold", "metal")]
FORMS = ["a {} is a {}.", "the {} is a {}.", "every {} is a {}.", "my {} was a {}.", "one {} is a {}."]
TEXT = [[form.format(*pair) for pair in PAIRS for form in FORMS], ["a word is a word."] * 3]
RECIPE = Recipe(
    steps=12,
    batch=8,
    body_rate=5e-3,
    head_rate=5e-3,
    vocabulary=150,
    held_out=3,
    scratch_layers=1,
    scratch_width=32,
    evaluations=2,
)


def seed_of(*pairs: tuple[str, str], name: str = "IsA", prompt: str = "a <ENT0> is a <ENT1>") -> RelationSeed:
    return RelationSeed(name, prompt, pairs, "{head} is a {tail}", "", "", "hash")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def made(cache: Path) -> tuple[str, list[Evaluation]]:
    return train_cached(TEXT, cache, RECIPE, None, "")


# --- made once


def test_a_model_is_trained_once_and_found_again(
    cache: Path, made: tuple[str, list[Evaluation]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(domain_model, "train", lambda *_: pytest.fail("it was trained again"))
    progress: list[tuple[int, int]] = []
    assert train_cached(TEXT, cache, RECIPE, None, "", lambda *step: progress.append(step)) == made
    assert progress == [(12, 12)], "the progress ends all the same"


@pytest.mark.parametrize("body", [None, "the same folder"])
def test_another_text_recipe_or_body_is_another_model(
    cache: Path, made: tuple[str, list[Evaluation]], monkeypatch: pytest.MonkeyPatch, body: str | None
) -> None:
    trained: list[tuple[str, str | None]] = []

    def noted(
        _: object, folder: Path, __: Recipe, encoder: str | None, ___: object = None
    ) -> list[Evaluation]:
        folder.mkdir(parents=True)
        trained.append((folder.name, encoder))
        return []

    monkeypatch.setattr(domain_model, "train", noted)
    others = [
        train_cached(text, cache, recipe, body, f"{body}{body_id}")[0]
        for text, recipe, body_id in (
            (TEXT[:1], RECIPE, ""),
            (TEXT, replace(RECIPE, steps=13), ""),
            (TEXT, RECIPE, "minilm@1"),
            (TEXT, RECIPE, "minilm@2"),
        )
    ]
    assert len({made[0], *others}) == 5
    assert trained == [(name, body) for name in others]


def test_a_model_whose_text_went_back_to_what_it_was_is_found(
    cache: Path, made: tuple[str, list[Evaluation]]
) -> None:
    changed = [[*TEXT[0], "a crow is a bird."], TEXT[1]]
    changed_name, _ = train_cached(changed, cache, replace(RECIPE, steps=2), None, "")
    assert changed_name != made[0]
    assert train_cached(TEXT, cache, RECIPE, None, "") == made
    assert {path.name for path in (cache / FOLDER).iterdir()} >= {made[0], changed_name}


def unended(folder: Path) -> None:
    (folder / "evaluations.json").unlink()


def killed_while_it_was_noted(folder: Path) -> None:
    unended(folder)
    leftover_of_a_killed_process(folder / "evaluations.json").write_text('[{"step"', encoding="utf-8")


def without_weights(folder: Path) -> None:
    unended(folder)
    (folder / "model.safetensors").unlink()


@pytest.mark.parametrize("harm", [unended, killed_while_it_was_noted, without_weights])
def test_a_training_that_did_not_end_is_ended(
    cache: Path, made: tuple[str, list[Evaluation]], tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    trained = cache / FOLDER / made[0]
    folder = shutil.copytree(trained, tmp_path / FOLDER / made[0])
    harm(folder)
    with pytest.raises(MissingModelError):
        open_model("facts", made[0], tmp_path)
    assert train_cached(TEXT, tmp_path, RECIPE, None, "") == made
    assert {path.name for path in folder.iterdir()} == {path.name for path in trained.iterdir()}
    for path in trained.iterdir():
        assert (folder / path.name).read_bytes() == path.read_bytes()


def test_a_model_that_was_made_elsewhere_is_copied_and_not_trained(
    cache: Path, made: tuple[str, list[Evaluation]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared, interrupted = cache / FOLDER, tmp_path / FOLDER / made[0]
    killed_at(7, train, TEXT, interrupted, RECIPE, None, checkpoint_every=5)
    assert not take_prepared(prepared, tmp_path, "of another text"), "there is none to copy"
    assert take_prepared(prepared, tmp_path, made[0])
    monkeypatch.setattr(domain_model, "train", lambda *_: pytest.fail("it was trained again"))
    assert train_cached(TEXT, tmp_path, RECIPE, None, "") == made
    prepared_files = {path.name: path.read_bytes() for path in (prepared / made[0]).iterdir()}
    assert {path.name: path.read_bytes() for path in interrupted.iterdir()} == prepared_files
    assert take_prepared(tmp_path / "nowhere", tmp_path, made[0]), "what the cache holds needs no copy"


def test_a_training_goes_on_where_it_was_stopped(
    cache: Path, made: tuple[str, list[Evaluation]], tmp_path: Path
) -> None:
    folder = tmp_path / FOLDER / made[0]
    killed_at(7, train, TEXT, folder, RECIPE, None, checkpoint_every=5)
    assert not (folder / "evaluations.json").exists()
    steps: list[int] = []
    assert train_cached(TEXT, tmp_path, RECIPE, None, "", lambda step, _: steps.append(step)) == made
    assert steps == list(range(6, 13))
    weights = "model.safetensors"
    assert (folder / weights).read_bytes() == (cache / FOLDER / made[0] / weights).read_bytes()


def test_evaluations_that_could_not_be_written_leave_no_ended_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk must not leave a file that every later run stumbles over."""
    evaluations = [Evaluation(1, math.nan, math.nan, math.nan)]

    def noted(_: object, folder: Path, *__: object) -> list[Evaluation]:
        folder.mkdir(parents=True, exist_ok=True)
        return evaluations

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(domain_model, "train", noted)
    with monkeypatch.context() as patched, pytest.raises(FullDiskError, match="remedy"):
        patched.setattr("os.fsync", full)
        train_cached(TEXT, tmp_path, RECIPE, None, "")
    name, again = train_cached(TEXT, tmp_path, RECIPE, None, "")
    assert math.isnan(again[0].accuracy), "nothing was held out: what is read back is what was found"
    assert train_cached(TEXT, tmp_path, RECIPE, None, "")[1][0].step == 1
    assert {path.name for path in (tmp_path / FOLDER / name).iterdir()} == {"evaluations.json"}


def test_too_little_text_makes_no_model(tmp_path: Path) -> None:
    with pytest.raises(UntrainableError, match="remedy: name a corpus with more text"):
        train_cached([["a rose is a flower."]], tmp_path, RECIPE, None, "")
    assert not (tmp_path / FOLDER).exists()


# --- found again


def test_a_model_is_opened_under_its_corpus_name(cache: Path, made: tuple[str, list[Evaluation]]) -> None:
    model = open_model("facts", made[0], cache)
    assert model.model_id.startswith("facts@")
    assert {"rose", "flower", "metal"} <= set(model.words)
    assert open_model("facts", made[0], cache) is model, "loaded once a process"


def test_the_error_names_the_corpus_the_cache_and_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(MissingModelError) as raised:
        open_model("starter_facts", "0123", tmp_path)
    message = str(raised.value)
    assert "of corpus starter_facts" in message
    assert str(tmp_path) in message
    assert "remedy: materialise domain_masked_lm, partition starter_facts" in message
    assert "EVIDENCE_PROFILE" in message


@pytest.mark.parametrize(
    "name", ["../outside", "..", ".", "/", "{root}/outside", "a/../../outside", "\0", "x" * 99]
)
def test_a_folder_name_from_a_damaged_row_does_not_leave_the_cache(
    cache: Path, made: tuple[str, list[Evaluation]], tmp_path: Path, name: str
) -> None:
    """A whole model lies where the name would lead."""
    for place in ("outside", FOLDER, f"{FOLDER}/a"):
        shutil.copytree(cache / FOLDER / made[0], tmp_path / place, dirs_exist_ok=True)
    with pytest.raises(MissingModelError):
        open_model("facts", name.format(root=tmp_path), tmp_path)


def test_a_row_without_a_folder_name_opens_nothing(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "evaluations.json").write_text("[]", encoding="utf-8")
    with pytest.raises(ValueError, match="must not be empty"):
        open_model("facts", "", tmp_path)


def test_the_row_says_what_was_made_of_what(cache: Path, made: tuple[str, list[Evaluation]]) -> None:
    name, evaluations = made
    model = open_model("facts", name, cache)
    rows = conform(
        model_row("facts", model, name, RECIPE, "minilm@1", sum(map(len, TEXT)), evaluations),
        DOMAIN_MASKED_LM,
    )
    [row] = rows.to_pylist()
    assert (row["corpus"], row["folder"], row["body"]) == ("facts", name, "minilm@1")
    assert row["model_id"] == model.model_id
    assert Recipe(**json.loads(row["recipe"])) == RECIPE
    assert (row["sentences"], row["words"]) == (28, len(model.words))
    assert row["curve"] == [asdict(evaluation) for evaluation in evaluations]
    assert [row["accuracy"], row["perplexity"]] == [evaluations[-1].accuracy, evaluations[-1].perplexity]


# --- sentences


def test_sentences_are_those_of_the_texts_in_order_without_single_words() -> None:
    texts = [
        "A rose is a flower. Yes. Is it red? No!",
        "",
        "Heading\nTwo words\n\n  One more thing.  ",
        "One.",
    ]
    assert sentences_of(texts) == ["A rose is a flower.", "Is it red?", "Two words.", "One more thing."]
    assert sentences_of([]) == []
    assert sentences_of(['He said "go home."']) == ['He said "go home."']


@examples(100)
@given(texts=st.lists(st.text(st.sampled_from("ab .?\nÄ東。"), max_size=30), max_size=4))
def test_sentences_are_of_several_words_and_stand_in_their_texts(texts: list[str]) -> None:
    assert sentences_of(iter(texts)) == [sentence for text in texts for sentence in sentences_of([text])]
    for text in texts:
        offset = 0
        for sentence in sentences_of([text]):
            assert sentence == sentence.strip()
            assert len(sentence.split()) > 1
            assert sentence.endswith((".", "?", "。"))
            verbatim = sentence if sentence in text[offset:] else sentence[:-1]
            offset = text.index(verbatim, offset) + len(verbatim)


# --- seeds that the text tells


def test_a_seed_is_told_where_a_sentence_holds_both_ends() -> None:
    seeds = [
        seed_of(("rose", "flower"), ("oak", "tree"), ("shark", "fish")),
        seed_of(("petal", "rose"), name="PartOf"),
        seed_of(("hammer", "nail"), name="UsedFor"),
    ]
    text = [["A rose is a flower.", "An oak grows."], ["The tree fell.", "Every petal of a rose falls."]]
    attested = attested_seeds(iter(seeds), text)
    assert [(seed.name, seed.pairs) for seed in attested] == [
        ("IsA", (("rose", "flower"),)),
        ("PartOf", (("petal", "rose"),)),
    ]
    assert attested[0] == replace(seeds[0], pairs=(("rose", "flower"),)), "the rest of a seed stays"


def test_ends_of_several_words_and_other_endings_are_told() -> None:
    seed = seed_of(
        ("ice cream", "dessert"), ("apple", "fruit"), ("steel wool", "metal"), ("X-ray", "bee's knee")
    )
    text = [
        [
            "Ice creams are desserts.",
            "Apples are FRUITS!",
            "Steel is a metal.",
            "Wool is none.",
            "The x-rays of bee's knees.",
        ]
    ]
    [attested] = attested_seeds([seed], text)
    assert attested.pairs == (("ice cream", "dessert"), ("apple", "fruit"), ("X-ray", "bee's knee"))


def test_nothing_is_told_by_no_text() -> None:
    assert attested_seeds([seed_of(("rose", "flower"))], []) == []
    assert attested_seeds([seed_of(("rose", "flower"))], [[], [""]]) == []
    assert attested_seeds([], TEXT) == []


ENDS = st.sampled_from(["rose", "flower", "oak", "tree", "ice cream", "bee's wax"])


@examples(100)
@given(
    pairs=st.lists(st.tuples(ENDS, ENDS), min_size=1, max_size=5),
    text=st.lists(st.lists(ENDS, min_size=1, max_size=3).map(" and ".join), max_size=5),
)
def test_told_seeds_are_those_that_a_loop_over_sentences_finds(
    pairs: list[tuple[str, str]], text: list[str]
) -> None:
    expected = tuple(
        (head, tail)
        for head, tail in pairs
        if any({*words(head), *words(tail)} <= set(words(sentence)) for sentence in text)
    )
    attested = attested_seeds([seed_of(*pairs)], [text[:2], text[2:]])
    assert [seed.pairs for seed in attested] == ([expected] if expected else [])


# --- whether it knows them


def test_recall_counts_the_ends_that_a_model_knows(tmp_path: Path) -> None:
    """Trained on five facts alone, each end is soon among its likeliest words; swapped ends are not."""
    recipe = replace(RECIPE, steps=120, held_out=0)
    name, _ = train_cached(TEXT, tmp_path, recipe, None, "")
    model = open_model("facts", name, tmp_path)
    recall = recall_of(model, [seed_of(*PAIRS), seed_of(("unheard", "rose"), name="Unheard")])
    assert list(recall) == ["IsA", "Unheard"]
    recalled, total = recall["IsA"]
    assert total == 2 * len(PAIRS)
    assert recalled >= 9
    assert recall["Unheard"][1] == 1, "an end that is no word of the model is not asked for"
    assert np.isfinite(model.word_log_probabilities([model.tokens("a [MASK]")], [2])).all()
