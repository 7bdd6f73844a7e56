"""Source files looked at every hour, for the record; what keeps assets up to date is in `follow_sensor`."""

from __future__ import annotations

from typing import Any

import dagster as dg


def _observed(asset: str, when: str, cron: str, what: str) -> tuple[Any, dg.ScheduleDefinition]:
    """Return the job that observes an asset, and its schedule. A job holds one partitions definition."""
    job = dg.define_asset_job(
        f"observe_{asset}",
        selection=dg.AssetSelection.assets(asset),
        description=f"Note {what}, for the record: an observation starts nothing.",
    )
    schedule = dg.ScheduleDefinition(
        name=f"observe_{asset}_{when}",
        job=job,
        cron_schedule=cron,
        default_status=dg.DefaultScheduleStatus.STOPPED,
        description=f"What is outside has no events of its own: look {when}. Off until it is switched on.",
    )
    return job, schedule


def observations() -> list[tuple[Any, dg.ScheduleDefinition]]:
    """Return the jobs that look at source files, each with its schedule, at different minutes."""
    looked_at = {"corpus_files": 17, "benchmark_files": 19, "graph_files": 21}
    what = "the content hash of every source file"
    return [_observed(asset, "hourly", f"{minute} * * * *", what) for asset, minute in looked_at.items()]


def observe_named_masked_lm() -> tuple[Any, dg.ScheduleDefinition]:
    """Return the job that looks at the model that the profile names, with its schedule."""
    what = "the revision of the masked language model that the profile names"
    return _observed("named_masked_lm", "daily", "23 4 * * *", what)
