"""Jobs as Dagster runs them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import dagster as dg

from evidence_assets.orchestration.jobs import Job
from evidence_assets.orchestration.resources import LakeResource


def dagster_jobs(jobs: Iterable[Job], lake: LakeResource) -> list[Any]:
    """Return Dagster's jobs. A job leaves what is up to date; who materialises an asset asks for it."""
    return [
        dg.define_asset_job(
            job.name,
            selection=dg.AssetSelection.assets(*job.assets),
            description=job.description,
            config=lake.config(again=False),
        )
        for job in jobs
    ]
