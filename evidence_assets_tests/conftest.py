"""Fixtures every room's tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test

from evidence_assets_tests.testing import profiles

PROJECT = Path(__file__).resolve().parents[1]

profiles.load_profile()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what hypothesis runs `properties`, so that `make check` tries it on more examples.

    A file's tests go to one worker: what they share is built once, and workers are given files, not tests one
    by one, which left them waiting for each other.
    """
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("properties")
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(str(item.path.relative_to(PROJECT))))


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of public data sets beside the project, or a skip that says where it was looked for."""
    folder = Path(os.environ.get("EVIDENCE_REAL_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}: set EVIDENCE_REAL_DATA to the folder that holds it")
    return folder
