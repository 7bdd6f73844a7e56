"""Fixtures of the stages' tests."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evidence_assets.lake.lake import Lake
from evidence_assets_tests.testing.stage_samples import World


def world_of(folder: Path) -> World:
    return World(Lake(str(folder / "lake")), folder / "cache")


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Made-up stages over an empty lake."""
    return world_of(tmp_path)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of the made-up stages, every partition made that asks no language model."""
    folder = tmp_path_factory.mktemp("made")
    world_of(folder).make_all()
    return folder / "lake"


@pytest.fixture
def made(template: Path, tmp_path: Path) -> World:
    """A copy of it, to be changed."""
    shutil.copytree(template, tmp_path / "lake")
    return world_of(tmp_path)
