"""Low-rank adapters of a causal language model's layers (LoRA; Hu et al. 2021, arXiv 2106.09685).

The model's weights stay as they are; beside every linear map of its layers a product of two narrow matrices
is learned. An adapter is a folder in the format of the peft library, of a few megabytes.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evidence_assets.models.encoder import loading
from evidence_assets.models.generation.protocol import GeneratorError

WEIGHTS = "adapter_model.safetensors"
# What the product of both matrices is multiplied with, over the rank.
_SCALE = 2


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

    remedy = "remove the folder and materialise the reader again"
    with loading(GeneratorError, f"{folder} holds no adapter of these weights", remedy):
        adapted = PeftModel.from_pretrained(model, str(folder)).merge_and_unload().eval()
        with (folder / WEIGHTS).open("rb") as file:
            known = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=8)).hexdigest()
    return adapted, known
