"""What runs without being asked: assets follow their inputs, source files are looked at every hour."""

from __future__ import annotations

import dagster as dg

OBSERVED = dg.AssetSelection.assets("corpus_files", "benchmark_files")

observe_sources = dg.define_asset_job(
    "observe_sources",
    selection=OBSERVED,
    description="Note the content hash of every source file; what changed is made anew by automation.",
)

observe_sources_hourly = dg.ScheduleDefinition(
    job=observe_sources,
    cron_schedule="17 * * * *",
    default_status=dg.DefaultScheduleStatus.STOPPED,
    description="Files have no events of their own: look every hour. Off until it is switched on.",
)

follow_inputs = dg.AutomationConditionSensorDefinition(
    "follow_inputs",
    target=dg.AssetSelection.all(include_sources=True),
    # Dagster leaves its own automation sensor stopped: conditions would be declared and never act.
    default_status=dg.DefaultSensorStatus.RUNNING,
    minimum_interval_seconds=30,
)
