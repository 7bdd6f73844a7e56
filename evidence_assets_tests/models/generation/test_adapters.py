"""The mean of adapters: what it adds to weights is the mean of what each adds, whatever their ranks."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from peft import PeftModel

from evidence_assets.models.generation.adapters import (
    CONFIG,
    WEIGHTS,
    mean_adapter,
    new_adapter,
    save_adapter,
    with_adapter,
)
from evidence_assets.models.generation.protocol import GeneratorError
from evidence_assets.models.generation.transformers_local import load_causal_lm
from evidence_assets_tests.testing.tiny_causal_lm import make_tiny_causal_lm

RANKS = (4, 2, 3)


@pytest.fixture(scope="module")
def location(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_tiny_causal_lm(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def members(location: str, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Adapters of random weights, which neither matrix of is 0, each of another rank."""
    place = tmp_path_factory.mktemp("members")
    return [drawn(location, place / str(rank), rank) for rank in RANKS]


def base(location: str) -> Any:
    return load_causal_lm("tiny", location, None)[1]


def drawn(location: str, folder: Path, rank: int, first_layer: int = 0) -> Path:
    torch.manual_seed(rank)
    adapted = new_adapter(base(location), rank, first_layer)
    for value in adapted.parameters():
        if value.requires_grad:
            torch.nn.init.normal_(value, std=0.1)
    folder.mkdir()
    save_adapter(adapted, folder, location)
    return folder


def merged(location: str, folder: Path) -> dict[str, torch.Tensor]:
    """The weights that the peft library makes of an adapter."""
    adapted = PeftModel.from_pretrained(base(location), str(folder)).merge_and_unload()
    return dict(adapted.state_dict())


@pytest.mark.parametrize("chosen", [(0, 1), (1, 0), (0, 1, 2), (1,), (2, 2)], ids=str)
def test_its_weights_are_the_mean_of_the_merged_weights(
    location: str, members: Sequence[Path], tmp_path: Path, chosen: Sequence[int]
) -> None:
    folders = [members[place] for place in chosen]
    mean_adapter(folders, tmp_path / "mean")
    each = [merged(location, folder) for folder in folders]
    of_mean = merged(location, tmp_path / "mean")
    plain = base(location).state_dict()
    changed = 0
    for name, value in of_mean.items():
        expected = torch.stack([weights[name] for weights in each]).mean(0)
        assert torch.allclose(value, expected, atol=1e-5)
        changed += not torch.equal(value, plain[name])
    assert changed == 14, "seven maps of each of two layers"


def test_it_reads_as_the_peft_librarys_own_mean(
    location: str, members: Sequence[Path], tmp_path: Path
) -> None:
    mean_adapter(members, tmp_path / "mean")
    theirs = PeftModel.from_pretrained(base(location), str(members[0]), adapter_name="0")
    for number, folder in enumerate(members[1:], 1):
        theirs.load_adapter(str(folder), adapter_name=str(number))
    names = [str(number) for number in range(len(members))]
    theirs.add_weighted_adapter(names, [1 / len(members)] * len(members), "mean", combination_type="cat")
    theirs.set_adapter("mean")
    ids = torch.tensor([[5, 6, 7, 8]])
    with torch.inference_mode():
        expected = theirs.eval()(ids).logits
        read = with_adapter(base(location), tmp_path / "mean")[0](ids).logits
        assert torch.allclose(read, expected, atol=1e-3)
        assert not torch.allclose(with_adapter(base(location), members[0])[0](ids).logits, expected, atol=1)


def test_it_counts_its_ranks_together_and_is_the_same_bytes_again(
    members: Sequence[Path], tmp_path: Path
) -> None:
    for name in ("once", "again"):
        mean_adapter(members, tmp_path / name)
    for file in (WEIGHTS, CONFIG):
        assert (tmp_path / "once" / file).read_bytes() == (tmp_path / "again" / file).read_bytes()
    theirs, of_mean = (
        json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        for folder in (members[0], tmp_path / "once")
    )
    assert (of_mean["r"], of_mean["lora_alpha"]) == (sum(RANKS), 2 * sum(RANKS))
    assert {**of_mean, "r": 4, "lora_alpha": 8} == theirs


def test_adapters_of_different_layers_have_none(
    location: str, members: Sequence[Path], tmp_path: Path
) -> None:
    upper = drawn(location, tmp_path / "upper", rank=4, first_layer=1)
    with pytest.raises(
        GeneratorError, match=r"upper and .* of different layers or maps.*remedy: remove both"
    ):
        mean_adapter([members[0], upper], tmp_path / "mean")
    assert not (tmp_path / "mean").exists()


def test_adapters_of_different_scales_have_none(members: Sequence[Path], tmp_path: Path) -> None:
    (tmp_path / "louder").mkdir()
    config = json.loads((members[0] / CONFIG).read_text(encoding="utf-8"))
    (tmp_path / "louder" / CONFIG).write_text(json.dumps({**config, "lora_alpha": 12}), encoding="utf-8")
    (tmp_path / "louder" / WEIGHTS).write_bytes((members[0] / WEIGHTS).read_bytes())
    with pytest.raises(GeneratorError, match=r"that count 3 and 2 times.*remedy: remove both"):
        mean_adapter([members[0], tmp_path / "louder"], tmp_path / "mean")


@pytest.mark.parametrize("damage", ["gone", "cut short", "no adapter's", "no rank"])
def test_a_folder_without_an_adapter_is_told(members: Sequence[Path], tmp_path: Path, damage: str) -> None:
    harmed = tmp_path / "harmed"
    harmed.mkdir()
    for file in (WEIGHTS, CONFIG):
        (harmed / file).write_bytes((members[0] / file).read_bytes())
    if damage == "gone":
        (harmed / WEIGHTS).unlink()
    elif damage == "cut short":
        (harmed / WEIGHTS).write_bytes((members[0] / WEIGHTS).read_bytes()[:200])
    elif damage == "no adapter's":
        from safetensors.torch import save_file

        save_file({"layers.0.magnitude": torch.ones(2)}, harmed / WEIGHTS)
    else:
        (harmed / CONFIG).write_text("{}", encoding="utf-8")
    with pytest.raises(GeneratorError, match=r"harmed holds no adapter: .*; remedy: remove the folder"):
        mean_adapter([members[0], harmed], tmp_path / "mean")
