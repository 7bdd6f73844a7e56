"""What runs without being asked: assets follow their inputs, source files are looked at every hour."""

from __future__ import annotations

from typing import Any

import dagster as dg


def _observed(asset: str, when: str, cron: str, what: str) -> tuple[Any, dg.ScheduleDefinition]:
    """Return the job that observes an asset, and its schedule. A job holds one partitions definition."""
    job = dg.define_asset_job(
        f"observe_{asset}",
        selection=dg.AssetSelection.assets(asset),
        description=f"Note {what}; what changed is made anew by automation.",
    )
    schedule = dg.ScheduleDefinition(
        name=f"observe_{asset}_{when}",
        job=job,
        cron_schedule=cron,
        default_status=dg.DefaultScheduleStatus.STOPPED,
        description=f"What is outside has no events of its own: look {when}. Off until it is switched on.",
    )
    return job, schedule


_FILES = "the content hash of every source file"
observe_corpus_files, observe_corpus_files_hourly = _observed("corpus_files", "hourly", "17 * * * *", _FILES)
observe_benchmark_files, observe_benchmark_files_hourly = _observed(
    "benchmark_files", "hourly", "19 * * * *", _FILES
)
observe_graph_files, observe_graph_files_hourly = _observed("graph_files", "hourly", "21 * * * *", _FILES)
observe_named_masked_lm, observe_named_masked_lm_daily = _observed(
    "named_masked_lm",
    "daily",
    "23 4 * * *",
    "the revision of the masked language model that the profile names",
)

follow_inputs = dg.AutomationConditionSensorDefinition(
    "follow_inputs",
    target=dg.AssetSelection.all(include_sources=True),
    # Dagster leaves its own automation sensor stopped: conditions would be declared and never act.
    default_status=dg.DefaultSensorStatus.RUNNING,
    minimum_interval_seconds=30,
)
