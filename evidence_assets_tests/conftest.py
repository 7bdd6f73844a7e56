"""Fixtures every room's tests share."""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import is_hypothesis_test

from evidence_assets_tests.testing import profiles

if TYPE_CHECKING:
    from dagster import DagsterInstance

    from evidence_assets_tests.testing.small_project import Built, SmallProject

PROJECT = Path(__file__).resolve().parents[1]

# Characters of a parameter that a test's id may hold.
LONGEST_ID = 200

profiles.load_profile()

# A lake waits for the disk with every file it writes: most of what a small one costs. Where memory has
# the room, the folders of tests stand there: no test cuts the power, and a killed process leaves its files.
MEMORY, ROOM = Path("/dev/shm"), 8 * 2**30
if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


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


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a long text by its length: some have 100,000 characters, which every report would repeat."""
    if isinstance(val, str | bytes) and len(val) > LONGEST_ID:
        return f"{argname} of {len(val)}"
    return None


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of public data sets beside the project, or a skip that says where it was looked for."""
    folder = Path(os.environ.get("EVIDENCE_REAL_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real data at {folder}: set EVIDENCE_REAL_DATA to the folder that holds it")
    return folder


@pytest.fixture
def instance() -> Iterator[DagsterInstance]:
    """Who remembers a test's runs, and forgets them after it."""
    from dagster import DagsterInstance

    with DagsterInstance.ephemeral() as remembering:
        yield remembering


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The small project, built once a process: to be read, not changed."""
    from evidence_assets_tests.testing.small_project import built_project

    return built_project(tmp_path_factory)


@pytest.fixture
def copied(built: Built, tmp_path: Path) -> SmallProject:
    """A copy of the small project to change at will. Its catalogue names its own folder."""
    from evidence_assets.lake import catalogue

    project = built.project.copy(tmp_path / "copy")
    catalogue.build(project.lake)
    return project


@pytest.fixture
def withholding(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Values that a test withholds from errors and logs are forgotten after it."""
    from evidence_assets.sources import withheld

    make = logging.getLogRecordFactory()
    monkeypatch.setattr(withheld, "_VALUES", withheld._Values())
    yield
    logging.setLogRecordFactory(make)
