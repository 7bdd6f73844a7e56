"""Fixtures of the audit's tests: the lake's tests know how to make a tiny lake."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path

import pytest

from evidence_assets.lake.lake import Lake
from evidence_assets_tests.testing.tiny_lake import TinyLake, build_tiny_lake


@pytest.fixture(scope="session")
def tiny_template(tmp_path_factory: pytest.TempPathFactory) -> TinyLake:
    template = build_tiny_lake(str(tmp_path_factory.mktemp("template") / "lake"))
    template.lake.ensure_empty_files()
    return template


@pytest.fixture
def tiny(tmp_path: Path, tiny_template: TinyLake) -> TinyLake:
    """A lake with known answers, the test's own to damage."""
    root = tmp_path / "lake"
    shutil.copytree(tiny_template.lake.path, root)
    return dataclasses.replace(tiny_template, lake=Lake(str(root)))
