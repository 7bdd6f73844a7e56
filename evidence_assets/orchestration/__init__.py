"""The one room that knows Dagster: assets, partitions, resources, conditions, checks, jobs, sensors."""
