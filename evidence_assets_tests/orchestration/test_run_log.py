"""What a run's log says while a partition is made."""

from __future__ import annotations

import re
import time
from pathlib import Path

import dagster as dg
import pytest

from evidence_assets import progress
from evidence_assets.stages import execution
from evidence_assets_tests.testing.small_project import LAND, run_assets, write_small_project

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("small_project")]


def test_every_stage_is_heard_of_while_it_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that counts nothing, too: by partition and stage, with the time so far."""

    def begin_slowly(name: str) -> None:
        progress.step_begins(name)
        time.sleep(0.2)

    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.02)
    monkeypatch.setattr(execution, "step_begins", begin_slowly)
    project = write_small_project(tmp_path / "project")
    with dg.DagsterInstance.ephemeral() as instance:
        result = run_assets(project.definitions(), ["articles", "chunks"], instance, partition=LAND)
        logged = [record.user_message for record in instance.all_logs(result.run_id)]
    matches = [re.fullmatch(rf"{re.escape(LAND)}: (\w+): \d+ s so far", line) for line in logged]
    assert {line[1] for line in matches if line is not None} == {"articles", "chunks"}
