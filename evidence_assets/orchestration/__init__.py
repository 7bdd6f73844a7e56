"""The one room that knows Dagster: assets, partitions, resources, checks, jobs, sensors, schedules."""
