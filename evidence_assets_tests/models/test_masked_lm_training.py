"""Masked language models made on the spot: what they learn, and what they begin as."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from tokenizers.models import BPE, WordPiece
from transformers import AutoModel, AutoTokenizer, DistilBertConfig, DistilBertModel, PreTrainedTokenizerFast

from evidence_assets.models import masked_lm_training as training
from evidence_assets.models.encoder import packaged_minilm
from evidence_assets.models.masked_lm import MaskedLanguageModel
from evidence_assets.models.masked_lm_training import SPECIAL, Evaluation, UntrainableError, train
from evidence_assets_tests.testing.corpus_recipes import FACTS, QUICK, TEXT, WEIGHTS, weights_of
from evidence_assets_tests.testing.killed_training import killed_at
from evidence_assets_tests.testing.untyped import untyped


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Evaluation]]:
    """The quick recipe's model, trained in one go."""
    folder = tmp_path_factory.mktemp("made") / "model"
    return folder, train(TEXT, folder, QUICK, None)


# --- what is made


def test_loss_falls_and_the_corpus_is_learned(made: tuple[Path, list[Evaluation]]) -> None:
    _, evaluations = made
    assert [evaluation.step for evaluation in evaluations] == [15, 30, 45, 60]
    assert evaluations[-1].loss < 0.7 * evaluations[0].loss
    assert evaluations[-1].perplexity < 0.7 * evaluations[0].perplexity
    assert all(0 <= evaluation.accuracy <= 1 for evaluation in evaluations)


def test_what_is_written_opens_as_any_masked_language_model(made: tuple[Path, list[Evaluation]]) -> None:
    model = MaskedLanguageModel("made", str(made[0]), device="cpu")
    heads, tails = zip(*FACTS, strict=True)
    assert {*heads, *tails} <= set(model.words)
    assert model.max_tokens == 128
    assert model.entity_tokens("rose shark") == [
        model.word_ids[list(model.words).index(word)] for word in ("rose", "shark")
    ]
    tokens = model.tokens("a rose is a [MASK].")
    assert (tokens[0], tokens.count(model.mask_id), tokens[-1]) == (training.BEGIN, 1, training.END)
    likely = model.word_log_probabilities([tokens], [tokens.index(model.mask_id)])[0]
    best = {model.words[number] for number in np.argsort(-likely)[:8]}
    assert len(best & set(tails)) >= 6, "it knows what may stand there"
    assert "every" not in best


def test_a_file_that_was_made_is_no_pickle(made: tuple[Path, list[Evaluation]]) -> None:
    assert {path.suffix for path in made[0].iterdir()} == {".safetensors", ".json"}


def test_the_weights_that_are_kept_are_the_average(tmp_path: Path) -> None:
    """What is averaged does not change the training, only what is written."""
    short = replace(QUICK, steps=12, evaluations=1)
    tokenizer, _ = training._cut_vocabulary(TEXT, short, None)
    rows, held_out = training._split(tokenizer, TEXT, short)
    torch.manual_seed(0)
    model = training._fresh_model(tokenizer, short, None)
    state = training._MaskedTraining(model, short, "", rows, held_out)
    name = "bert.embeddings.LayerNorm.weight"
    seen = [dict(model.named_parameters())[name].detach().clone()]
    average = seen[0].clone()
    for step, drawn in enumerate(islice(state.batches(0), short.steps)):
        state._take_step(drawn, step)
        seen.append(dict(model.named_parameters())[name].detach().clone())
        share = min(0.98, (1 + step) / (10 + step))
        average = share * average + (1 - share) * seen[-1]
    torch.testing.assert_close(state.kept[name], average)
    state.evaluate(short.steps, 0.0, [])
    assert torch.equal(dict(model.named_parameters())[name], seen[-1]), (
        "training goes on with its own weights"
    )
    train(TEXT, tmp_path / "last", replace(short, kept_average=0.0), None)
    train(TEXT, tmp_path / "average", short, None)
    assert weights_of(tmp_path / "last") != weights_of(tmp_path / "average")


def test_without_held_out_sentences_nothing_is_claimed(tmp_path: Path) -> None:
    [evaluation] = train(TEXT, tmp_path, replace(QUICK, steps=2, evaluations=1, held_out=0), None)[-1:]
    assert math.isnan(evaluation.accuracy) and math.isnan(evaluation.perplexity)
    assert evaluation.loss > 0


def test_progress_is_told_at_every_step(tmp_path: Path) -> None:
    progress: list[tuple[int, int]] = []
    train(TEXT, tmp_path, replace(QUICK, steps=3), None, lambda *step: progress.append(step))
    assert progress == [(1, 3), (2, 3), (3, 3)]


# --- an encoder's body


@pytest.mark.xdist_group("minilm")
@pytest.mark.parametrize(("layers", "expected"), [(1, 1), (0, 6), (12, 6)])
def test_a_model_begins_as_the_encoder_it_is_made_of(layers: int, expected: int) -> None:
    recipe = replace(QUICK, layers=layers, vocabulary=400)
    encoder = AutoModel.from_pretrained(packaged_minilm())
    vocabulary = AutoTokenizer.from_pretrained(packaged_minilm()).get_vocab()
    tokenizer, _ = training._cut_vocabulary(TEXT, recipe, packaged_minilm())
    model = training._fresh_model(tokenizer, recipe, packaged_minilm())
    theirs, copied = encoder.state_dict(), model.bert.state_dict()
    table = copied.pop("embeddings.word_embeddings.weight")
    for token, number in tokenizer.get_vocab().items():
        assert torch.equal(table[number], theirs["embeddings.word_embeddings.weight"][vocabulary[token]])
    assert model.config.num_hidden_layers == len(model.bert.encoder.layer) == expected
    assert all(torch.equal(weights, theirs[name]) for name, weights in copied.items())
    assert model.get_output_embeddings().weight is model.get_input_embeddings().weight, "the head is tied"
    assert model.config.vocab_size == table.shape[0] == len(tokenizer)


@pytest.mark.integration
@pytest.mark.xdist_group("minilm")
def test_a_body_is_trained_whole_and_going_on_changes_nothing(tmp_path: Path) -> None:
    recipe = replace(QUICK, steps=6, layers=1, vocabulary=300, body_rate=4e-4, evaluations=1)
    train(TEXT, tmp_path / "whole", recipe, packaged_minilm())
    killed_at(5, train, TEXT, tmp_path / "stopped", recipe, packaged_minilm(), checkpoint_every=2)
    train(TEXT, tmp_path / "stopped", recipe, packaged_minilm(), checkpoint_every=2)
    assert weights_of(tmp_path / "whole") == weights_of(tmp_path / "stopped")
    trained = load_file(tmp_path / "whole" / WEIGHTS)
    theirs = AutoModel.from_pretrained(packaged_minilm()).state_dict()
    for name in ("encoder.layer.0.attention.self.query.weight", "embeddings.position_embeddings.weight"):
        assert not torch.equal(trained[f"bert.{name}"], theirs[name])
    model = MaskedLanguageModel("corpus", str(tmp_path / "whole"), device="cpu")
    assert model.max_tokens == 512


def test_an_encoder_that_is_no_bert_is_refused_with_the_remedy(tmp_path: Path) -> None:
    letters = [chr(code) for code in range(33, 127)]
    pieces = [*SPECIAL, *letters, *(f"##{letter}" for letter in letters)]
    numbers = {piece: number for number, piece in enumerate(pieces)}
    names = {"unk_token": "[UNK]", "mask_token": "[MASK]"}
    untyped(PreTrainedTokenizerFast)(
        tokenizer_object=Tokenizer(WordPiece(numbers, unk_token="[UNK]")), **names
    ).save_pretrained(tmp_path / "distilbert")
    DistilBertModel(
        DistilBertConfig(vocab_size=len(pieces), dim=16, hidden_dim=16, n_layers=1, n_heads=2)
    ).save_pretrained(tmp_path / "distilbert")
    with pytest.raises(UntrainableError, match=r"is a distilbert, not a BERT; remedy: train from scratch"):
        train(TEXT, tmp_path / "model", replace(QUICK, vocabulary=400), str(tmp_path / "distilbert"))
    untyped(PreTrainedTokenizerFast)(
        tokenizer_object=Tokenizer(BPE({"<unk>": 0, "a": 1}, [], unk_token="<unk>")), unk_token="<unk>"
    ).save_pretrained(tmp_path / "byte-level")
    DistilBertModel(
        DistilBertConfig(vocab_size=2, dim=16, hidden_dim=16, n_layers=1, n_heads=2)
    ).save_pretrained(tmp_path / "byte-level")
    with pytest.raises(UntrainableError, match="has no WordPiece vocabulary; remedy: train from scratch"):
        train(TEXT, tmp_path / "model", QUICK, str(tmp_path / "byte-level"))
