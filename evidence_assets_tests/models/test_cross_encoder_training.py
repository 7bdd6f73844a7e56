"""Readers trained on the spot, on a tiny body: what they learn, and that going on changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from transformers import BertConfig, BertModel, BertTokenizer, DistilBertConfig, DistilBertModel

from evidence_assets.models import cross_encoder_training as training
from evidence_assets.models.cross_encoder_training import train
from evidence_assets.models.option_training import (
    Evaluation,
    UntrainableReaderError,
    best_of,
    training_hash,
)
from evidence_assets.models.pair_scorer import CrossEncoderScorer
from evidence_assets.models.reader_recipe import Example, ReaderTraining
from evidence_assets_tests.testing.killed_training import killed_at
from evidence_assets_tests.testing.untyped import untyped

WORDS = ["red", "blue", "green", "cat", "dog", "cow", "hen", "what", "colour", "has", "the", "is", "?", "."]
WEIGHTS, CHECKPOINT = "model.safetensors", "checkpoint.safetensors"
QUICK = ReaderTraining(
    steps=30, batch=4, body_rate=2e-3, head_rate=2e-3, frozen_layers=0, longest=24, evaluations=3
)
COLOURS, ANIMALS = ("red", "blue", "green"), ("cat", "dog", "cow", "hen")


def examples(count: int, seed: int = 0) -> list[Example]:
    """Questions whose answers turn with the evidence: the right option's text says "is", another "has"."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(count):
        animal, right = ANIMALS[rng.integers(4)], int(rng.integers(3))
        queries = tuple(f"what colour is the {animal} ? {colour}" for colour in COLOURS)
        texts = tuple(
            f"the {animal} {'is' if place == right else 'has'} {colour}"
            for place, colour in enumerate(COLOURS)
        )
        made.append(Example(f"q{number}", queries, texts, right))
    return made


TRAINING, VALIDATION = examples(60), examples(24, seed=1)


@pytest.fixture(scope="module")
def body(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A BERT of two small layers with its tokenizer, of random weights."""
    folder = tmp_path_factory.mktemp("body")
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]), encoding="utf-8")
    BertTokenizer(str(vocabulary)).save_pretrained(folder)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(WORDS) + 5,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=32,
        hidden_dropout_prob=0.1,
    )
    untyped(BertModel)(config).save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def made(body: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Evaluation]]:
    """The quick recipe's reader, trained in one go."""
    folder = tmp_path_factory.mktemp("made") / "reader"
    return folder, train(TRAINING, VALIDATION, folder, QUICK, body)


def test_a_reader_learns_to_read_and_opens_as_any_cross_encoder(body: str, tmp_path: Path) -> None:
    recipe = replace(QUICK, steps=100)
    evaluations = train(TRAINING, VALIDATION, tmp_path, recipe, body)
    assert best_of(evaluations).accuracy == 1.0, "the answer turns with the evidence"
    assert evaluations[-1].loss < 0.2 < evaluations[0].loss
    scorer = CrossEncoderScorer(str(tmp_path), device="cpu")
    for example in VALIDATION:
        assert int(scorer.score(example.queries, example.texts).argmax()) == example.right
    assert {path.suffix for path in tmp_path.iterdir()} <= {".safetensors", ".json", ".txt"}


def test_scores_are_those_of_the_library_for_short_and_for_long_pairs(
    made: tuple[Path, list[Evaluation]],
) -> None:
    """What training feeds the network is what the cross-encoder feeds it in reading: the same tokens."""
    folder, _ = made
    scorer = CrossEncoderScorer(str(folder), device="cpu")
    tokenizer = scorer._model.tokenizer
    pairs = [
        ("red ?", ""),
        ("what colour ? red", "the cat is red ."),
        ("what ? red", "the cat is red . " * 9),
    ]
    for query, text in pairs:
        [question] = training._tokenised([Example("q", (query,), (text,), 0)], tokenizer, QUICK)
        wanted = tokenizer([query], [text], truncation=True, max_length=QUICK.longest)
        assert list(question.rows[0]) == wanted["input_ids"][0]
        kinds = [int(place >= question.begins[0]) for place in range(len(question.rows[0]))]
        assert kinds == wanted["token_type_ids"][0]
    [long] = training._tokenised([Example("q", ("red " * 40 + "blue",), ("cat",), 0)], tokenizer, QUICK)
    blue, cat = (tokenizer.convert_tokens_to_ids(word) for word in ("blue", "cat"))
    assert blue in long.rows[0] and cat in long.rows[0], "the option stands last and is kept, the text too"


@pytest.mark.parametrize("stops", [[10], [17], [7], [12, 21]], ids=str)
def test_a_training_that_was_stopped_gives_the_same_weights(
    made: tuple[Path, list[Evaluation]], body: str, tmp_path: Path, stops: list[int]
) -> None:
    """Stopped at a checkpoint, between two, before the first, and again and again."""
    reference, evaluations = made
    for stop in stops:
        killed_at(stop, train, TRAINING, VALIDATION, tmp_path, QUICK, body, checkpoint_every=10)
        assert not (tmp_path / WEIGHTS).exists(), "nothing half-trained can be opened"
        assert (tmp_path / CHECKPOINT).exists() == (stop >= 10)
    steps: list[int] = []
    resumed = train(
        TRAINING, VALIDATION, tmp_path, QUICK, body, lambda step, _: steps.append(step), checkpoint_every=10
    )
    assert (tmp_path / WEIGHTS).read_bytes() == (reference / WEIGHTS).read_bytes()
    assert resumed == evaluations
    assert steps == list(range(stops[-1] // 10 * 10 + 1, QUICK.steps + 1)), "only what was left was done"
    assert {path.name for path in tmp_path.iterdir()} == {path.name for path in reference.iterdir()}


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:500])


def _of_another_recipe(path: Path) -> None:
    with safe_open(path, "pt") as stored:
        notes = stored.metadata()
    save_file(load_file(path), path, {**notes, "made_of": "another"})


def _without_a_moment(path: Path) -> None:
    with safe_open(path, "pt") as stored:
        notes = stored.metadata()
    tensors = load_file(path)
    tensors.pop(next(name for name in tensors if name.startswith("exp_avg/")))
    save_file(tensors, path, notes)


@pytest.mark.parametrize("damage", [_cut, _of_another_recipe, _without_a_moment])
def test_a_checkpoint_that_cannot_be_used_is_begun_anew(
    made: tuple[Path, list[Evaluation]], body: str, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    killed_at(12, train, TRAINING, VALIDATION, tmp_path, QUICK, body, checkpoint_every=10)
    damage(tmp_path / CHECKPOINT)
    train(TRAINING, VALIDATION, tmp_path, QUICK, body)
    assert (tmp_path / WEIGHTS).read_bytes() == (made[0] / WEIGHTS).read_bytes()


def test_the_weights_kept_are_those_of_the_best_evaluation(body: str, tmp_path: Path) -> None:
    """Trained on answers turned round, it only gets worse: the first evaluation's weights are kept."""
    turned = [replace(example, right=(example.right + 1) % 3) for example in TRAINING]
    evaluations = train(turned, VALIDATION, tmp_path / "whole", replace(QUICK, steps=60, evaluations=6), body)
    best = best_of(evaluations)
    assert best.step < 60 and best.validation_loss < evaluations[-1].validation_loss - 0.1
    scorer = CrossEncoderScorer(str(tmp_path / "whole"), device="cpu")
    losses = []
    for example in VALIDATION:
        scores = np.asarray(scorer.score(example.queries, example.texts), np.float64)
        losses.append(np.log(np.exp(scores).sum()) - scores[example.right])
    assert np.mean(losses) == pytest.approx(best.validation_loss, abs=1e-3)


def test_frozen_layers_and_the_vectors_of_words_stay_as_they_were(body: str, tmp_path: Path) -> None:
    train(TRAINING, VALIDATION, tmp_path, replace(QUICK, steps=4, frozen_layers=1), body)
    theirs, trained = BertModel.from_pretrained(body).state_dict(), load_file(tmp_path / WEIGHTS)
    query = "encoder.layer.{}.attention.self.query.weight"
    assert torch.equal(trained[f"bert.{query.format(0)}"], theirs[query.format(0)])
    words = "embeddings.word_embeddings.weight"
    assert torch.equal(trained[f"bert.{words}"], theirs[words])
    assert not torch.equal(trained[f"bert.{query.format(1)}"], theirs[query.format(1)])


def test_what_the_bias_explains_is_not_learned(body: str, tmp_path: Path) -> None:
    """One colour is right four times in five, whatever the text says: with the bias, that teaches nothing."""
    favoured = [
        replace(example, right=0 if number % 5 else example.right, texts=("",) * 3)
        for number, example in enumerate(examples(80, seed=2))
    ]
    shares = np.bincount([example.right for example in favoured], minlength=3) / len(favoured)
    controlled = [replace(example, bias=tuple(np.log(shares).tolist())) for example in favoured]
    recipe, leanings = replace(QUICK, steps=60), []
    for name, shown in (("plain", favoured), ("controlled", controlled)):
        train(shown, VALIDATION, tmp_path / name, replace(recipe, evaluations=1), body)
        scorer = CrossEncoderScorer(str(tmp_path / name), device="cpu")
        scores = scorer.score(VALIDATION[0].queries, ("",) * 3)
        leanings.append(float(scores[0] - scores[1:].mean()))
    assert leanings[0] > 1 > 0.5 > abs(leanings[1])


def test_one_thread_computes_and_the_others_are_given_back(body: str, tmp_path: Path) -> None:
    before, seen = torch.get_num_threads(), []
    train(
        TRAINING,
        VALIDATION,
        tmp_path,
        replace(QUICK, steps=2),
        body,
        lambda *_: seen.append(torch.get_num_threads()),
    )
    assert seen == [1, 1] and torch.get_num_threads() == before


def test_the_hash_is_of_all_that_decides_the_weights() -> None:
    known = training_hash(TRAINING, VALIDATION, QUICK, "body@1")
    others = [
        training_hash(TRAINING[1:], VALIDATION, QUICK, "body@1"),
        training_hash(TRAINING, VALIDATION[1:], QUICK, "body@1"),
        training_hash(TRAINING, VALIDATION, replace(QUICK, seed=1), "body@1"),
        training_hash(TRAINING, VALIDATION, QUICK, "body@2"),
        training_hash(
            [replace(TRAINING[0], bias=(0.1, 0.0, 0.0)), *TRAINING[1:]], VALIDATION, QUICK, "body@1"
        ),
    ]
    assert len({known, *others}) == 6
    assert known == training_hash(examples(60), VALIDATION, QUICK, "body@1")


# --- what cannot be trained on


def test_a_set_of_one_label_is_named_with_the_remedy(body: str, tmp_path: Path) -> None:
    one_label = [replace(example, name=f"set {number}", right=2) for number, example in enumerate(TRAINING)]
    with pytest.raises(
        UntrainableReaderError, match=r"all 60 training questions, set 0 to set 59, .*place 3.*remedy"
    ):
        train(one_label, VALIDATION, tmp_path, QUICK, body)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("spoiled", "message"),
    [
        (replace(TRAINING[3], queries=("a", "a", "a")), "q3 offers 1 different options"),
        (replace(TRAINING[3], right=3), "q3 offers 3 different options, and its right one is number 3"),
    ],
)
def test_a_question_that_offers_no_choice_is_named(
    body: str, tmp_path: Path, spoiled: Example, message: str
) -> None:
    with pytest.raises(UntrainableReaderError, match=message):
        train([*TRAINING[:3], spoiled, *TRAINING[4:]], VALIDATION, tmp_path, QUICK, body)


@pytest.mark.parametrize(
    ("shown", "held_out", "missing"), [([], VALIDATION, "training"), (TRAINING, [], "validation")]
)
def test_without_questions_nothing_is_trained(
    body: str, tmp_path: Path, shown: list[Example], held_out: list[Example], missing: str
) -> None:
    with pytest.raises(UntrainableReaderError, match=f"no {missing} question; remedy"):
        train(shown, held_out, tmp_path, QUICK, body)


def test_a_body_that_is_no_bert_is_refused(tmp_path: Path) -> None:
    DistilBertModel(DistilBertConfig(dim=8, n_layers=1, n_heads=1, hidden_dim=8)).save_pretrained(tmp_path)
    with pytest.raises(UntrainableReaderError, match="is a distilbert, not a BERT; remedy"):
        train(TRAINING, VALIDATION, tmp_path / "reader", QUICK, str(tmp_path))
