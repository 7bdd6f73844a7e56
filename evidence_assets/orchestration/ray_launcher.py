"""Runs as jobs of a Ray cluster, by `dagster-ray`, which the extra `ray` installs.

Where a run's job has failed, `dagster-ray` tells Dagster all that Ray knows of it, the values of `env_vars`
among it: passwords and keys would stand in the event log and the interface.
"""

from __future__ import annotations

import dagster as dg
from dagster_ray import RayRunLauncher as _Launcher


class RayRunLauncher(_Launcher):
    """dagster-ray's launcher; what it tells of a job leaves out its environment and its command."""

    def get_run_worker_debug_info(
        self, run: dg.DagsterRun, include_container_logs: bool | None = True
    ) -> str | None:
        """Return state, node and error of a run's jobs. `include_container_logs`: Ray keeps them."""
        return "\n".join(
            f"{job.submission_id}: {job.status}, at {job.driver_agent_http_address}; {job.message}"
            for job in self.client.list_jobs()
            if (job.metadata or {}).get("dagster/run-id") == run.run_id
        )
