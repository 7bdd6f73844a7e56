"""Adapters trained on the spot, on a tiny model: what they learn, and that going on changes nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from peft import PeftModel
from safetensors.torch import load_file

from evidence_assets.models.generation.adapter_training import BaseModel, train
from evidence_assets.models.generation.adapters import WEIGHTS, Adapter, with_adapter
from evidence_assets.models.generation.likelihood import TransformersLikelihoodModel
from evidence_assets.models.generation.protocol import GeneratorError
from evidence_assets.models.generation.transformers_local import load_causal_lm
from evidence_assets.models.option_training import Evaluation, UntrainableReaderError, best_of
from evidence_assets.models.reader_recipe import AdapterTraining, PrefixExample
from evidence_assets_tests.testing.killed_training import killed_at
from evidence_assets_tests.testing.tiny_causal_lm import make_tiny_causal_lm

CHECKPOINT = "checkpoint.safetensors"
QUICK = AdapterTraining(
    steps=24,
    batch=4,
    body_rate=2e-2,
    frozen_layers=0,
    longest=64,
    evaluations=3,
    rank=4,
    without_habits=False,
)
COLOURS = (" red", " blue", " green")


def examples(count: int, seed: int = 0) -> list[PrefixExample]:
    """Questions whose answer is the colour that the evidence names."""
    rng = np.random.default_rng(seed)
    return [
        PrefixExample(f"q{number}", f"- it is{COLOURS[right]}\nQuestion: what?\nAnswer:", COLOURS, right)
        for number, right in enumerate(rng.integers(3, size=count).tolist())
    ]


TRAINING, VALIDATION = examples(40), examples(18, seed=1)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> BaseModel:
    return BaseModel("tiny", make_tiny_causal_lm(tmp_path_factory.mktemp("tiny")), device="cpu")


@pytest.fixture(scope="module")
def made(base: BaseModel, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Evaluation]]:
    """The quick recipe's adapter, trained in one go."""
    folder = tmp_path_factory.mktemp("made") / "adapter"
    return folder, train(TRAINING, VALIDATION, folder, QUICK, base)


def answers(model: TransformersLikelihoodModel, shown: Sequence[PrefixExample]) -> list[list[float]]:
    scored = model.likelihoods(
        [example.prefix for example in shown], [example.continuations for example in shown]
    )
    return [[likelihood.per_token for likelihood in of_question] for of_question in scored]


def test_a_language_model_learns_to_answer_by_its_evidence(base: BaseModel, tmp_path: Path) -> None:
    evaluations = train(TRAINING, VALIDATION, tmp_path, replace(QUICK, steps=90), base)
    assert best_of(evaluations).accuracy == 1.0
    assert evaluations[-1].loss < evaluations[0].loss
    tuned = TransformersLikelihoodModel(base.name, base.location, device="cpu", adapter=Adapter(tmp_path))
    read = answers(tuned, VALIDATION)
    assert [int(np.argmax(scores)) for scores in read] == [example.right for example in VALIDATION]
    # What was trained is what is read: the same loss, of another pass.
    losses = [
        np.log(np.exp(scores).sum()) - scores[example.right]
        for scores, example in zip(read, VALIDATION, strict=True)
    ]
    assert np.mean(losses) == pytest.approx(best_of(evaluations).validation_loss, abs=1e-4)
    plain = TransformersLikelihoodModel(base.name, base.location, device="cpu")
    assert tuned.model_id.startswith(f"{plain.model_id}+") and answers(plain, VALIDATION) != read


def test_with_numbers_of_16_bits_it_learns_as_well_and_keeps_weights_of_32(
    made: tuple[Path, list[Evaluation]], base: BaseModel, tmp_path: Path
) -> None:
    recipe = replace(QUICK, steps=90, bfloat16=True)
    assert best_of(train(TRAINING, VALIDATION, tmp_path / "16", recipe, base)).accuracy == 1.0
    train(TRAINING, VALIDATION, tmp_path / "again", recipe, base)
    weights, again = (load_file(tmp_path / name / WEIGHTS) for name in ("16", "again"))
    assert {tensor.dtype for tensor in weights.values()} == {torch.float32}
    assert all(torch.equal(weights[name], again[name]) for name in weights)
    read = [
        answers(
            TransformersLikelihoodModel(base.name, base.location, device="cpu", adapter=adapter), VALIDATION
        )
        for adapter in (Adapter(tmp_path / "16", bfloat16=True), Adapter(tmp_path / "16"))
    ]
    assert [int(np.argmax(scores)) for scores in read[0]] == [example.right for example in VALIDATION]
    assert read[0] != read[1] and np.allclose(read[0], read[1], atol=0.1)
    reference = load_file(made[0] / WEIGHTS)
    assert any(not torch.equal(weights[name], reference[name]) for name in weights)


def test_matrices_of_16_bits_are_kept_as_they_are_multiplied(
    made: tuple[Path, list[Evaluation]], base: BaseModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    adapter = Adapter(made[0], bfloat16=True)
    model = TransformersLikelihoodModel(base.name, base.location, device="cpu", adapter=adapter)
    kept = {name: value.dtype for name, value in model.model.named_parameters()}
    assert kept["model.layers.0.mlp.up_proj.weight"] == torch.bfloat16
    assert kept["model.embed_tokens.weight"] == torch.float32
    monkeypatch.setattr(f"{TransformersLikelihoodModel.__module__}._keep_in_half_precision", lambda _: None)
    made_anew = TransformersLikelihoodModel(base.name, base.location, device="cpu", adapter=adapter)
    assert answers(made_anew, VALIDATION) == answers(model, VALIDATION)
    assert made_anew.model_id == model.model_id


@pytest.mark.parametrize("stops", [[8], [13], [5], [9, 17]], ids=str)
def test_a_training_that_was_stopped_gives_the_same_weights(
    made: tuple[Path, list[Evaluation]], base: BaseModel, tmp_path: Path, stops: list[int]
) -> None:
    reference, evaluations = made
    for stop in stops:
        killed_at(stop, train, TRAINING, VALIDATION, tmp_path, QUICK, base, checkpoint_every=8)
        assert not (tmp_path / WEIGHTS).exists(), "nothing half-trained can be opened"
        assert (tmp_path / CHECKPOINT).exists() == (stop >= 8)
    steps: list[int] = []
    resumed = train(
        TRAINING, VALIDATION, tmp_path, QUICK, base, lambda step, _: steps.append(step), checkpoint_every=8
    )
    assert (tmp_path / WEIGHTS).read_bytes() == (reference / WEIGHTS).read_bytes()
    assert resumed == evaluations and steps == list(range(stops[-1] // 8 * 8 + 1, QUICK.steps + 1))
    assert {path.name for path in tmp_path.iterdir()} == {WEIGHTS, "adapter_config.json"}


def test_an_adapter_is_one_of_the_peft_library_and_names_no_place_of_a_run(
    made: tuple[Path, list[Evaluation]], base: BaseModel
) -> None:
    folder, _ = made
    config = json.loads((folder / "adapter_config.json").read_text(encoding="utf-8"))
    assert (config["base_model_name_or_path"], config["r"]) == (base.location, QUICK.rank)
    _, weights, _ = load_causal_lm(base.name, base.location, None)
    ids = torch.tensor([[1, 2, 3]])
    with torch.inference_mode():
        theirs = PeftModel.from_pretrained(weights, str(folder)).eval()(ids).logits
        _, weights, _ = load_causal_lm(base.name, base.location, None)
        assert torch.allclose(with_adapter(weights, folder)[0](ids).logits, theirs, atol=1e-3)


def test_frozen_layers_get_no_adapter(base: BaseModel, tmp_path: Path) -> None:
    train(TRAINING, VALIDATION, tmp_path, replace(QUICK, steps=1, evaluations=1, frozen_layers=1), base)
    layers = {name.partition("layers.")[2].partition(".")[0] for name in load_file(tmp_path / WEIGHTS)}
    _, weights, _ = load_causal_lm(base.name, base.location, None)
    assert layers == {str(layer) for layer in range(1, weights.config.num_hidden_layers)}


def test_long_evidence_is_cut_at_its_beginning(base: BaseModel, tmp_path: Path) -> None:
    """The question and the end of the evidence are kept: what is far before them decides nothing."""
    padded = [replace(example, prefix=f"{'word ' * 200}{example.prefix}") for example in TRAINING]
    recipe = replace(QUICK, steps=2, evaluations=1, longest=16)
    train(TRAINING, VALIDATION, tmp_path / "short", recipe, base)
    train(padded, VALIDATION, tmp_path / "long", recipe, base)
    short, long = (load_file(tmp_path / name / WEIGHTS) for name in ("short", "long"))
    assert all(torch.equal(short[name], long[name]) for name in short)


def test_what_the_bias_explains_is_not_learned(base: BaseModel, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    favoured = [
        PrefixExample(f"q{number}", "Question: what?\nAnswer:", COLOURS, right)
        for number, right in enumerate(rng.choice(3, size=60, p=(0.8, 0.1, 0.1)).tolist())
    ]
    controlled = [replace(example, bias=tuple(np.log((0.8, 0.1, 0.1)).tolist())) for example in favoured]
    shares = []
    for name, shown in (("plain", favoured), ("controlled", controlled)):
        train(shown, VALIDATION, tmp_path / name, replace(QUICK, steps=40, evaluations=1), base)
        tuned = TransformersLikelihoodModel(
            "tiny", base.location, device="cpu", adapter=Adapter(tmp_path / name)
        )
        [scores] = np.exp(answers(tuned, favoured[:1]))
        shares.append(float(scores[0] / scores.sum()))
    assert shares[0] > 0.65 > 0.5 > shares[1]


def test_what_cannot_be_trained_on_is_named(base: BaseModel, tmp_path: Path) -> None:
    one_label = [replace(example, right=1) for example in TRAINING]
    with pytest.raises(
        UntrainableReaderError, match=r"all 40 training questions, q0 to q39, .*place 2.*remedy"
    ):
        train(one_label, VALIDATION, tmp_path, QUICK, base)
    with pytest.raises(UntrainableReaderError, match="q0 offers 1 different options"):
        train([replace(TRAINING[0], continuations=(" red",) * 3)], VALIDATION, tmp_path, QUICK, base)
    with pytest.raises(UntrainableReaderError, match="no validation question; remedy"):
        train(TRAINING, [], tmp_path, QUICK, base)


@pytest.mark.parametrize("damage", ["gone", "cut short", "of other weights"])
def test_a_folder_without_an_adapter_of_these_weights_is_refused(
    made: tuple[Path, list[Evaluation]], base: BaseModel, tmp_path: Path, damage: str
) -> None:
    for name in (WEIGHTS, "adapter_config.json"):
        (tmp_path / name).write_bytes((made[0] / name).read_bytes())
    if damage == "gone":
        (tmp_path / "adapter_config.json").unlink()
    elif damage == "cut short":
        (tmp_path / WEIGHTS).write_bytes((made[0] / WEIGHTS).read_bytes()[:200])
    else:
        config = json.loads((tmp_path / "adapter_config.json").read_text(encoding="utf-8"))
        (tmp_path / "adapter_config.json").write_text(json.dumps({**config, "r": 7}), encoding="utf-8")
    with pytest.raises(GeneratorError, match=r"holds no adapter of these weights.*remedy: remove the folder"):
        TransformersLikelihoodModel("tiny", base.location, device="cpu", adapter=Adapter(tmp_path))
