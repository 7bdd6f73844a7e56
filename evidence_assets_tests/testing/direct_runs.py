"""Stages run on a small project without Dagster, and what they leave: bytes, and what was recorded."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from evidence_assets.lake.lake import Lake, Partition
from evidence_assets.lake.schemas import MATERIALIZATIONS, TABLES_BY_NAME
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets.stages.declaration import Key, Stage
from evidence_assets.stages.execution import Run, make_partition
from evidence_assets_tests.testing.small_project import SmallProject


def workspace(project: SmallProject) -> Workspace:
    return Workspace.of(str(project.lake_folder), project.cache_folder)


def make(at_work: Workspace, wanted: Iterable[tuple[Stage, Key]]) -> None:
    """Make these partitions, and all that they read."""
    run = Run(at_work.lake, at_work.graph, at_work.models)
    for needed in at_work.graph.needed(list(wanted)):
        make_partition(needed.stage, needed.key, run, needed.tables)


def enter(project: SmallProject, monkeypatch: pytest.MonkeyPatch) -> SmallProject:
    """Work on this project until the patch is undone."""
    for name, value in project.environment().items():
        monkeypatch.setenv(name, value)
    return project


def partition_states(
    lake: Lake, chosen: Callable[[Partition], bool] = lambda place: True
) -> dict[str, tuple[str, Any, Any]]:
    """Of every chosen partition, by its path in the lake: its hash, what it was made from, by which code."""
    states: dict[str, tuple[str, Any, Any]] = {}
    for table in TABLES_BY_NAME.values():
        for place in [] if table is MATERIALIZATIONS else filter(chosen, lake.partitions(table)):
            path, row = Path(lake.file(table, place)), lake.recorded(table, place) or {}
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            states[str(path.relative_to(lake.path))] = (digest, row.get("upstream"), row.get("code_version"))
    return states
