"""Folders of masked language models: which are refused, and what a model is known by."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import BertForMaskedLM, BertModel, GPT2Config, GPT2LMHeadModel

from evidence_assets.models.masked_lm import MaskedLanguageModel, MaskedLanguageModelError, load_masked_lm
from evidence_assets_tests.testing.tiny_masked_lm import (
    KINDS,
    VOCABULARY,
    bert_config,
    drawn_rows,
    opened,
    save,
    wordpiece,
)
from evidence_assets_tests.testing.untyped import untyped


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {kind: save(tmp_path_factory.mktemp(kind) / "model", kind) for kind in KINDS}


# --- what is refused


def refused(location: Path | str) -> str:
    with pytest.raises(MaskedLanguageModelError) as raised:
        MaskedLanguageModel("mine", str(location), device="cpu")
    message = str(raised.value)
    assert "mine" in message
    assert str(location) in message
    assert "; remedy: " in message
    return message


def test_a_folder_that_is_not_there_is_named_with_the_remedy(tmp_path: Path) -> None:
    assert "domain_masked_lm" in refused(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    refused(tmp_path / "empty")


def test_an_encoder_without_an_output_layer_is_refused(tmp_path: Path) -> None:
    torch.manual_seed(0)
    untyped(BertModel)(bert_config()).save_pretrained(tmp_path)
    wordpiece().save_pretrained(tmp_path)
    message = refused(tmp_path)
    assert "holds no cls.predictions" in message
    assert "its output layer was never trained" in message


def test_a_causal_model_is_refused(tmp_path: Path) -> None:
    untyped(GPT2LMHeadModel)(
        GPT2Config(vocab_size=len(VOCABULARY), n_embd=16, n_layer=1, n_head=2, bos_token_id=2, eos_token_id=3)
    ).save_pretrained(tmp_path)
    wordpiece().save_pretrained(tmp_path)
    assert "remedy: name a folder or hub model of a masked language model" in refused(tmp_path)


def test_a_model_without_a_mask_is_refused(tmp_path: Path) -> None:
    assert "has no mask token" in refused(save(tmp_path, "bert", tokenizer=wordpiece(mask=None)))


@pytest.mark.parametrize(
    "harm",
    [
        lambda folder: (folder / "model.safetensors").unlink(),
        lambda folder: (folder / "model.safetensors").write_bytes(
            (folder / "model.safetensors").read_bytes()[:400]
        ),
        lambda folder: (folder / "model.safetensors").write_bytes(b"no weights"),
        lambda folder: (folder / "config.json").write_text("{", encoding="utf-8"),
        lambda folder: (folder / "config.json").unlink(),
        lambda folder: (folder / "tokenizer.json").write_text("{", encoding="utf-8"),
        lambda folder: untyped(BertForMaskedLM)(bert_config(vocab_size=9)).save_pretrained(folder),
        lambda folder: [path.unlink() for path in folder.glob("tokenizer*")],
    ],
    ids=[
        "no weights",
        "half the weights",
        "other bytes",
        "half a configuration",
        "no configuration",
        "half a tokenizer",
        "another model's tokenizer",
        "no tokenizer",
    ],
)
def test_a_damaged_folder_is_named_with_the_remedy(
    folders: dict[str, Path], tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    copy = shutil.copytree(folders["bert"], tmp_path / "damaged")
    opened(copy)
    harm(copy)
    refused(copy)


# --- what a model is known by


@pytest.mark.parametrize("kind", KINDS)
def test_the_id_follows_weights_and_vocabulary_and_not_the_folder(
    folders: dict[str, Path], kind: str, tmp_path: Path
) -> None:
    first, again = opened(folders[kind]), opened(folders[kind])
    moved = opened(shutil.copytree(folders[kind], tmp_path / "moved"))
    trained = opened(save(tmp_path / "trained", kind, seed=1))
    name, _, digest = first.model_id.partition("@")
    assert (name, len(digest)) == ("tiny", 16)
    assert first.model_id == again.model_id == moved.model_id
    assert trained.model_id.startswith("tiny@")
    assert trained.model_id != first.model_id


def test_the_id_knows_which_token_is_which_word(folders: dict[str, Path], tmp_path: Path) -> None:
    swapped = [{"rose": "hammer", "hammer": "rose"}.get(token, token) for token in VOCABULARY]
    swapped_model = opened(save(tmp_path, "bert", tokenizer=wordpiece(swapped)))
    original = opened(folders["bert"])
    np.testing.assert_array_equal(
        swapped_model.model.get_input_embeddings().weight.detach(),
        original.model.get_input_embeddings().weight.detach(),
    )
    assert list(swapped_model.words) == list(original.words)
    assert swapped_model.model_id != original.model_id


def test_asking_does_not_change_the_id(folders: dict[str, Path]) -> None:
    """A tokenizer that has padded or cut writes itself down otherwise."""
    model = opened(folders["bert"])
    before = model.model_id, model._tokenizer.backend_tokenizer.to_str()
    model.tokens("rose " * 99)
    model.entity_tokens("rose")
    model.word_log_probabilities(*drawn_rows(model, [5] * 3))
    assert (model.model_id, model._tokenizer.backend_tokenizer.to_str()) == before


def test_a_model_is_loaded_once_a_process(folders: dict[str, Path]) -> None:
    first = load_masked_lm("tiny", str(folders["bert"]), None, "cpu")
    assert load_masked_lm("tiny", str(folders["bert"]), None, "cpu") is first
    assert load_masked_lm("tiny", str(folders["distilbert"]), None, "cpu") is not first
