"""Fixtures of the tests of generation."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets_tests.testing.recorded_samples import Project


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "lake")
