"""What a partition was made with: models, device, configuration and settings, for its metadata."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from evidence_assets.stages.declaration import Key, Model, Stage

if TYPE_CHECKING:
    from evidence_assets.models.provider import Models

_LONGEST = 1000


def made_with(
    stage: Stage, key: Key, models: Models, settings: BaseModel | None = None
) -> dict[str, str | int | float]:
    """Return the names of the models that a stage declares, the device, and what configured the partition."""
    from evidence_assets.stages.execution import recorded_version

    shown: dict[str, str | int | float] = {"code_version": recorded_version(stage, key, models, settings)}
    profile = models.encoder_settings.chosen()
    if Model.ENCODER in stage.models:
        chosen = models.encoder_settings
        shown["encoder"] = chosen.name or chosen.location or profile.encoder_name
    if Model.PAIR_SCORER in stage.models:
        shown["pair_scorer"] = models.pair_scorer_settings.named() or "the encoder in its place"
    if Model.MASKED_LM in stage.models:
        shown["masked_lm"] = models.masked_lm.named() or "made from the corpus"
    generator = key.variant.rpartition("@")[2]
    if Model.GENERATOR in stage.models and generator in models.generators:
        of_arm = models.generator_settings(generator)
        shown["generator"] = f"{generator}: {of_arm.engine}, {of_arm.model}"
    if stage.models:
        shown["device"] = device()
    if configured := stage.configuration(key):
        shown["configuration"] = configured[:_LONGEST]
    if settings is not None:
        shown |= {f"setting_{name}": str(value) for name, value in settings.model_dump(mode="json").items()}
    return shown


def device() -> str:
    """Return the device that models run on here: a GPU's name, or the CPU; loads nothing for it."""
    torch: Any = sys.modules.get("torch")
    if torch is None or not torch.cuda.is_available():
        return "CPU"
    return f"GPU: {torch.cuda.get_device_name()}"
