"""What Dagster is told of a failed Ray job names no variable's value: `make test-ray`."""

from __future__ import annotations

import importlib.util
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import dagster as dg
import pytest

pytestmark = pytest.mark.integration

if importlib.util.find_spec("dagster_ray") is None:
    pytest.skip("Ray is not installed here: make test-ray runs these", allow_module_level=True)

PLANTED = "planted-a81f"


def job(run_id: str, message: str) -> Any:
    """What Ray tells of a job, its environment among it."""
    from ray.job_submission import JobDetails, JobStatus

    return JobDetails(
        type="SUBMISSION",
        submission_id=f"dagster-run-{run_id}",
        status=JobStatus.FAILED,
        entrypoint=f"dagster api execute_run {PLANTED}",
        message=message,
        metadata={"dagster/run-id": run_id},
        runtime_env={"env_vars": {"AWS_SECRET_ACCESS_KEY": PLANTED}},
        driver_agent_http_address="http://127.0.0.4:5000",
    )


def test_a_failed_job_is_told_without_its_environment() -> None:
    from dagster_ray import RayRunLauncher as DagsterRays

    from evidence_assets.orchestration.ray_launcher import RayRunLauncher

    run = dg.DagsterRun("ingest_corpus")
    ray = SimpleNamespace(list_jobs=lambda: [job(run.run_id, "its node died"), job("another", "none of it")])
    told = {}
    for launcher in (DagsterRays, RayRunLauncher):
        with patch.object(launcher, "client", ray):
            told[launcher] = str(launcher("http://head:8265").get_run_worker_debug_info(run))
    assert PLANTED in told[DagsterRays]
    assert PLANTED not in told[RayRunLauncher]
    ours = told[RayRunLauncher]
    assert run.run_id in ours
    assert "http://127.0.0.4:5000; its node died" in ours
    assert "none of it" not in ours
