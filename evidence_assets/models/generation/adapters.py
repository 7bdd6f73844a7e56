"""Low-rank adapters of a causal language model's layers (LoRA; Hu et al. 2021, arXiv 2106.09685).

The model's weights stay as they are; beside every linear map of its layers a product of two narrow matrices
is learned. An adapter is a folder in the format of the peft library, of a few megabytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidence_assets.lake.ids import file_hash
from evidence_assets.models.encoder import loading
from evidence_assets.models.generation.protocol import GeneratorError

if TYPE_CHECKING:
    import torch

WEIGHTS = "adapter_model.safetensors"
CONFIG = "adapter_config.json"
# How the names of the narrow matrices end: the one that is read through, and the one that writes.
_INWARD, _OUTWARD = ".lora_A.weight", ".lora_B.weight"
# What the product of both matrices is multiplied with, over the rank.
_SCALE = 2
_REMEDY = "remove the folder and materialise the reader again"
_OF_BOTH = "remedy: remove both folders and materialise the reader again"


@dataclass(frozen=True, slots=True)
class Adapter:
    """An adapter's folder, and whether the model reads with it in numbers of 16 bits, as it was trained."""

    folder: Path
    bfloat16: bool = False


def new_adapter(model: Any, rank: int, first_layer: int) -> Any:
    """Return a model with a fresh adapter, which alone is trainable, and changes nothing yet.

    `rank`: width of the narrow matrices. `first_layer`: layers below it get none. Draws depend on torch's
    seed.
    """
    from peft import LoraConfig, get_peft_model
    from torch.nn import Linear

    layers = model.config.get_text_config().num_hidden_layers
    linear = {
        name.rpartition(".")[2]
        for name, module in model.named_modules()
        if ".layers." in name and isinstance(module, Linear)
    }
    return get_peft_model(
        model,
        LoraConfig(
            r=rank,
            lora_alpha=_SCALE * rank,
            target_modules=sorted(linear),
            layers_to_transform=list(range(min(first_layer, layers - 1), layers)),
            task_type="CAUSAL_LM",
        ),
    )


def save_adapter(model: Any, folder: Path, location: str) -> None:
    """Write a model's adapter into a folder. `location`: of the weights that it was trained for."""
    from peft import get_peft_model_state_dict
    from safetensors.torch import save_file

    weights = {name: value.contiguous() for name, value in get_peft_model_state_dict(model).items()}
    save_file(weights, folder / WEIGHTS, {"format": "pt"})
    config = model.peft_config["default"]
    config.base_model_name_or_path, config.inference_mode = location, True
    # The library holds a set of them, and the same adapter is the same bytes.
    config.target_modules = sorted(config.target_modules)
    config.save_pretrained(folder)


def with_adapter(model: Any, folder: Path) -> tuple[Any, str]:
    """Return a model whose weights an adapter was added to, which costs nothing in reading, and its hash.

    Raises:
        GeneratorError: the folder holds no adapter for such a model.
    """
    from peft import PeftModel

    with loading(GeneratorError, f"{folder} holds no adapter of these weights", _REMEDY):
        adapted = PeftModel.from_pretrained(model, str(folder)).merge_and_unload().eval()
        known = file_hash(folder / WEIGHTS, digest_size=8)
    return adapted, known


def mean_adapter(folders: Sequence[Path], folder: Path) -> None:
    """Write the mean of adapters of one language model into a folder: an adapter of all their ranks together.

    Added to the weights it gives the mean of what each gives (a model soup; Wortsman et al. 2022, arXiv
    2203.05482): their narrow matrices stand side by side, and those that write are divided by their number.

    Raises:
        GeneratorError: a folder holds no adapter, or they are of different maps, or count differently.
    """
    import torch
    from safetensors.torch import save_file

    members = [_Member.read(each) for each in folders]
    for member in members[1:]:
        member.check_like(members[0])
    weights = {
        name: torch.cat([member.weights[name] for member in members], dim=0)
        if name.endswith(_INWARD)
        else torch.cat([member.weights[name] / len(members) for member in members], dim=1)
        for name in members[0].weights
    }
    # Both are added up, so that what a product is multiplied with stays what it was.
    sums = {field: sum(member.config[field] for member in members) for field in ("r", "lora_alpha")}
    folder.mkdir(parents=True, exist_ok=True)
    save_file(weights, folder / WEIGHTS, {"format": "pt"})
    config = json.dumps({**members[0].config, **sums}, indent=2, sort_keys=True)
    (folder / CONFIG).write_text(config, encoding="utf-8")


@dataclass(frozen=True, slots=True)
class _Member:
    """An adapter that a mean is made of. `scale`: what the product of its matrices is multiplied with."""

    folder: Path
    config: dict[str, Any]
    weights: dict[str, torch.Tensor]
    scale: float

    @classmethod
    def read(cls, folder: Path) -> _Member:
        from safetensors.torch import load_file

        with loading(GeneratorError, f"{folder} holds no adapter", _REMEDY):
            config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
            weights = load_file(folder / WEIGHTS)
            if other := [name for name in weights if not name.endswith((_INWARD, _OUTWARD))]:
                raise ValueError(f"{other[0]} is none of two narrow matrices")
            return cls(folder, config, weights, config["lora_alpha"] / config["r"])

    def check_like(self, other: _Member) -> None:
        """Check that a mean of both is one of the same maps, each counted as much."""
        said = f"{self.folder} and {other.folder} hold adapters"
        of_models = [member.config.get("base_model_name_or_path") for member in (self, other)]
        if of_models[0] != of_models[1]:
            raise GeneratorError(f"{said} of {of_models[0]} and of {of_models[1]}; {_OF_BOTH}")
        if self._maps() != other._maps():
            raise GeneratorError(f"{said} of different layers or maps, which have no mean; {_OF_BOTH}")
        if self.scale != other.scale:
            counted = f"{self.scale:g} and {other.scale:g} times"
            raise GeneratorError(f"{said} that count {counted}, which have no mean of one scale; {_OF_BOTH}")

    def _maps(self) -> dict[str, int]:
        """Return each matrix's width on the side of the map that it belongs to."""
        return {name: value.shape[int(name.endswith(_INWARD))] for name, value in self.weights.items()}
