"""Fixtures of the audit's tests: the lake's tests know how to make a tiny lake."""

from __future__ import annotations

import dataclasses

import pytest

from evidence_assets_tests.testing.restored_lake import Restored
from evidence_assets_tests.testing.tiny_lake import TinyLake, build_tiny_lake


@pytest.fixture(scope="session")
def tiny_template(tmp_path_factory: pytest.TempPathFactory) -> tuple[TinyLake, Restored]:
    template = build_tiny_lake(str(tmp_path_factory.mktemp("template") / "lake"))
    return template, Restored(template.lake)


@pytest.fixture
def tiny(tiny_template: tuple[TinyLake, Restored]) -> TinyLake:
    """A lake with known answers, the test's own to damage."""
    template, restored = tiny_template
    return dataclasses.replace(template, lake=restored())
