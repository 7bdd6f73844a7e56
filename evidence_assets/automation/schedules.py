"""What runs without being asked: assets follow their inputs, source files are looked at every hour."""

from __future__ import annotations

from typing import Any

import dagster as dg


def _observed_hourly(asset: str, minute: int) -> tuple[Any, dg.ScheduleDefinition]:
    """Return the job that observes an asset, and its schedule. A job holds one partitions definition."""
    job = dg.define_asset_job(
        f"observe_{asset}",
        selection=dg.AssetSelection.assets(asset),
        description="Note the content hash of every source file; what changed is made anew by automation.",
    )
    schedule = dg.ScheduleDefinition(
        name=f"observe_{asset}_hourly",
        job=job,
        cron_schedule=f"{minute} * * * *",
        default_status=dg.DefaultScheduleStatus.STOPPED,
        description="Files have no events of their own: look every hour. Off until it is switched on.",
    )
    return job, schedule


observe_corpus_files, observe_corpus_files_hourly = _observed_hourly("corpus_files", 17)
observe_benchmark_files, observe_benchmark_files_hourly = _observed_hourly("benchmark_files", 19)
observe_graph_files, observe_graph_files_hourly = _observed_hourly("graph_files", 21)

follow_inputs = dg.AutomationConditionSensorDefinition(
    "follow_inputs",
    target=dg.AssetSelection.all(include_sources=True),
    # Dagster leaves its own automation sensor stopped: conditions would be declared and never act.
    default_status=dg.DefaultSensorStatus.RUNNING,
    minimum_interval_seconds=30,
)
