"""Likelihoods of continuations: against the whole text read at once, on a tiny model of random weights."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from evidence_assets.models.generation.branches import Branched
from evidence_assets.models.generation.likelihood import Likelihood, TransformersLikelihoodModel, seen_tokens
from evidence_assets.models.generation.protocol import GeneratorError
from evidence_assets.models.generation.transformers_local import load_causal_lm
from evidence_assets_tests.testing.tiny_causal_lm import make_tiny_causal_lm
from evidence_assets_tests.testing.untyped import untyped

PREFIXES = ["Question: what orbits the earth?\nAnswer:", "Which is a tree?"]
CONTINUATIONS = [[" the moon", " a river of great length", "?"], [" an oak"]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_tiny_causal_lm(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def model(folder: str) -> TransformersLikelihoodModel:
    return TransformersLikelihoodModel("tiny", folder)


def read_whole(folder: str, prefix: str, continuation: str) -> float:
    """The oracle: prefix and continuation in one pass, no cache, no padding."""
    tokenizer, weights, _ = load_causal_lm("tiny", folder, None)
    before, after = (
        tokenizer(text, add_special_tokens=False)["input_ids"] for text in (prefix, continuation)
    )
    with torch.inference_mode():
        logits = weights(torch.tensor([before + after])).logits[0].double().log_softmax(dim=-1)
    return math.fsum(float(logits[len(before) + place - 1, token]) for place, token in enumerate(after))


def test_a_likelihood_is_that_of_the_text_read_at_once(
    model: TransformersLikelihoodModel, folder: str
) -> None:
    likelihoods = model.likelihoods(PREFIXES, CONTINUATIONS)
    for prefix, texts, scored in zip(PREFIXES, CONTINUATIONS, likelihoods, strict=True):
        for text, likelihood in zip(texts, scored, strict=True):
            assert likelihood.log_probability == pytest.approx(read_whole(folder, prefix, text), abs=1e-4)
            assert (likelihood.tokens, likelihood.characters) == (model.count_tokens(text), len(text))
    assert likelihoods[0][2].tokens == 1


def test_what_else_is_scored_changes_nothing(model: TransformersLikelihoodModel) -> None:
    together = model.likelihoods(PREFIXES[:1], CONTINUATIONS[:1])[0]
    alone = [model.likelihoods(PREFIXES[:1], [[text]])[0][0] for text in CONTINUATIONS[0]]
    for in_batch, single in zip(together, alone, strict=True):
        assert in_batch.log_probability == pytest.approx(single.log_probability, abs=1e-4)
    assert model.likelihoods(PREFIXES[:1], CONTINUATIONS[:1])[0] == together


def test_lengths_are_taken_out_by_token_or_by_character() -> None:
    likelihood = Likelihood(-12.0, 3, 24)
    assert (likelihood.per_token, likelihood.per_character) == (-4.0, -0.5)


def continuations_a_pass(model: TransformersLikelihoodModel, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list to which every pass adds how many continuations it reads."""
    passes: list[int] = []
    read = model._read

    def counted(row: Branched) -> list[float]:
        passes.append(len(row.lengths))
        return read(row)

    monkeypatch.setattr(model, "_read", counted)
    return passes


def test_many_continuations_are_read_in_parts(
    model: TransformersLikelihoodModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = model.likelihoods(["A"], CONTINUATIONS[:1])
    monkeypatch.setattr("evidence_assets.models.generation.likelihood._PASS_TOKENS", 12)
    passes = continuations_a_pass(model, monkeypatch)
    parts = model.likelihoods(["A"], CONTINUATIONS[:1])
    assert passes == [1, 1, 1]
    for one_pass, in_parts in zip(together[0], parts[0], strict=True):
        assert one_pass.log_probability == pytest.approx(in_parts.log_probability, abs=1e-4)


@pytest.mark.parametrize(
    ("most", "of_continuations", "expected"), [(0, 512, [3, 2]), (10_000, 512, [5]), (10_000, 45, [3, 2])]
)
def test_a_gpu_reads_several_prefixes_in_one_pass(
    most: int,
    of_continuations: int,
    expected: list[int],
    model: TransformersLikelihoodModel,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prefixes, texts = ["A", "Nothing follows", "Another"], [CONTINUATIONS[0], [], CONTINUATIONS[0][:2]]
    alone = [model.likelihoods([prefix], [after])[0] for prefix, after in zip(prefixes, texts, strict=True)]
    passes = continuations_a_pass(model, monkeypatch)
    monkeypatch.setattr(model, "_pass_tokens", most)
    monkeypatch.setattr("evidence_assets.models.generation.likelihood._PASS_TOKENS", of_continuations)
    done: list[tuple[int, int]] = []
    together = model.likelihoods(prefixes, texts, lambda *counts: done.append(counts))
    assert passes == expected
    assert done[-1] == (3, 3)
    assert [len(scored) for scored in together] == [3, 0, 2]
    for scored, single in zip(together, alone, strict=True):
        for likelihood, reference in zip(scored, single, strict=True):
            assert likelihood.log_probability == pytest.approx(reference.log_probability, abs=1e-4)
            assert (likelihood.tokens, likelihood.characters) == (reference.tokens, reference.characters)


def test_a_model_that_does_not_heed_masks_is_refused(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def load(*where: Any) -> tuple[Any, Any, str]:
        tokenizer, weights, known = load_causal_lm(*where)
        forward = weights.forward
        # As a recurrent model does, it reads the whole row from left to right.
        weights.forward = lambda ids, attention_mask, **given: forward(ids, **given)
        return tokenizer, weights, known

    monkeypatch.setattr("evidence_assets.models.generation.likelihood.load_causal_lm", load)
    with pytest.raises(GeneratorError, match=r"^generator tiny: LlamaForCausalLM scores a text otherwise"):
        TransformersLikelihoodModel("tiny", folder)


def _written(model: Any, folder: str, place: Path) -> str:
    """Write a model's weights beside the tokenizer of another."""
    shutil.copytree(folder, place)
    (place / "model.safetensors").unlink()
    model.save_pretrained(place)
    return str(place)


def test_weights_of_half_precision_are_heard(folder: str, tmp_path: Path) -> None:
    _, weights, _ = load_causal_lm("tiny", folder, None)
    place = _written(weights.to(torch.bfloat16), folder, tmp_path / "half")
    half = TransformersLikelihoodModel("half", place)
    [[likelihood]] = half.likelihoods(PREFIXES[:1], [[" the moon"]])
    assert likelihood.per_token == pytest.approx(
        read_whole(folder, PREFIXES[0], " the moon") / likelihood.tokens, abs=0.5
    )


def test_what_recurs_or_is_not_a_number_is_refused(folder: str, tmp_path: Path) -> None:
    import transformers

    tokenizer, weights, _ = load_causal_lm("tiny", folder, None)
    recurrent = untyped(transformers.MambaForCausalLM)(
        transformers.MambaConfig(vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, state_size=4)
    )
    place = _written(recurrent, folder, tmp_path / "recurrent")
    with pytest.raises(GeneratorError, match=r"^generator small: MambaForCausalLM .*; remedy: name a model"):
        TransformersLikelihoodModel("small", place)
    with torch.no_grad():
        for parameter in weights.parameters():
            parameter.fill_(float("nan"))
    place = _written(weights, folder, tmp_path / "broken")
    with pytest.raises(GeneratorError, match=r"^generator small: LlamaForCausalLM scores a text otherwise"):
        TransformersLikelihoodModel("small", place)


@pytest.mark.parametrize(
    ("fields", "longest"),
    [
        ({"max_position_embeddings": 512}, 512),
        ({}, 2_048),
        ({"max_position_embeddings": 512, "sliding_window": 64}, 64),
        ({"max_position_embeddings": 512, "sliding_window": 64, "layer_types": ["full_attention"]}, 512),
        ({"max_position_embeddings": 512, "sliding_window": 64, "layer_types": ["sliding_attention"]}, 64),
    ],
)
def test_no_text_is_longer_than_what_every_layer_sees(fields: dict[str, Any], longest: int) -> None:
    config = SimpleNamespace(**fields)
    config.get_text_config = lambda: config
    assert seen_tokens(config) == longest


def test_progress_counts_prefixes(model: TransformersLikelihoodModel) -> None:
    progress: list[tuple[int, int]] = []
    model.likelihoods(PREFIXES, CONTINUATIONS, lambda done, total: progress.append((done, total)))
    assert progress == [(1, 2), (2, 2)]


def test_what_has_no_likelihood_is_said(model: TransformersLikelihoodModel, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^a continuation without a character has no likelihood"):
        model.likelihoods(["a"], [["b", ""]])
    with pytest.raises(ValueError, match=r"^a text without a token has no likelihood"):
        model.likelihoods([""], [["b"]])
    with pytest.raises(ValueError, match=rf"exceed the context of {model.context_tokens}; remedy: give less"):
        model.likelihoods(["word " * 2 * model.context_tokens], [[" b"]])
    with pytest.raises(GeneratorError, match=r"^generator small at .*nowhere: "):
        TransformersLikelihoodModel("small", str(tmp_path / "nowhere"))
