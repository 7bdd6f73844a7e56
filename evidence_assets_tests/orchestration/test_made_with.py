"""What a materialisation shows of how it was made."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import PREDICTIONS
from evidence_assets.models.generation.settings import GeneratorSettings
from evidence_assets.models.provider import EncoderSettings, Models
from evidence_assets.orchestration.made_with import device, made_with
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.execution import recorded_version
from evidence_assets_tests.testing.stage_samples import ANSWERED, GENERATOR, PoolSettings, World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(Lake(str(tmp_path / "lake")), tmp_path / "cache")


@pytest.fixture
def models(tmp_path: Path) -> Models:
    small = GeneratorSettings(engine="transformers", model="tiny")
    return Models(tmp_path, encoder=EncoderSettings(name="mini"), generators={GENERATOR: small})


def test_models_device_and_settings_are_shown_of_who_uses_them(world: World, models: Models) -> None:
    [predictions] = [stage for stage in world.graph.stages if PREDICTIONS in stage.tables]
    key = Key("first", ANSWERED)
    shown = made_with(predictions, key, models)
    assert shown["generator"] == "small: transformers, tiny"
    assert shown["code_version"] == recorded_version(predictions, key, models)
    assert shown["device"] == device()
    pools = made_with(world.stage("chunk_pools"), Key("first"), models, PoolSettings(size=5))
    assert pools["setting_size"] == "5"


def test_who_uses_no_model_shows_none(world: World, models: Models) -> None:
    world.readings["first"] = "every second one"
    assert made_with(world.stage("questions"), Key("first"), models) == {
        "code_version": recorded_version(world.stage("questions"), Key("first"), models),
        "configuration": "every second one",
    }
