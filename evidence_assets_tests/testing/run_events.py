"""Runs through Dagster in a process, and what their events tell."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import dagster as dg
import pytest

from evidence_assets.orchestration.workspace import Workspace
from evidence_assets_tests.testing.direct_runs import enter, workspace
from evidence_assets_tests.testing.lake_queries import query
from evidence_assets_tests.testing.small_project import SmallProject


@dataclass
class RememberedProject:
    """A project, and who remembers its runs."""

    small: SmallProject
    instance: dg.DagsterInstance

    def launching(self, monkeypatch: pytest.MonkeyPatch) -> Workspace:
        """Work on the project until the patch is undone."""
        enter(self.small, monkeypatch)
        monkeypatch.setenv("DAGSTER_HOME", str(self.small.folder))
        monkeypatch.setattr(dg.DagsterInstance, "get", lambda: nullcontext(self.instance))
        return workspace(self.small)

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return query(self.small.lake, sql, *values)

    def events(self, kind: dg.DagsterEventType) -> list[dg.DagsterEvent]:
        """Every event of a kind, those of the first run first."""
        return [
            entry.dagster_event
            for run in reversed(self.instance.get_runs())
            for entry in self.instance.all_logs(run.run_id, of_type=kind)
            if entry.dagster_event is not None
        ]

    def checks(self) -> list[dg.AssetCheckEvaluation]:
        events = self.events(dg.DagsterEventType.ASSET_CHECK_EVALUATION)
        return [event.asset_check_evaluation_data for event in events]

    def shown(self, *asset: str) -> dict[str, Any]:
        """What the last materialisation of an asset shows in the UI."""
        [*_, last] = [
            event.step_materialization_data.materialization
            for event in self.events(dg.DagsterEventType.ASSET_MATERIALIZATION)
            if event.asset_key == dg.AssetKey(asset)
        ]
        return {name: value.value for name, value in last.metadata.items()}


def without_memory(project: SmallProject, monkeypatch: pytest.MonkeyPatch) -> SmallProject:
    """Work on a project until the patch is undone; its runs are remembered nowhere."""
    enter(project, monkeypatch)
    monkeypatch.setenv("DAGSTER_HOME", str(project.folder.parent))
    monkeypatch.setattr(dg.DagsterInstance, "get", dg.DagsterInstance.ephemeral)
    return project
