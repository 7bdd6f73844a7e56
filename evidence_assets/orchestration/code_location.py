"""Dagster's definitions of a project: assets, checks, jobs, schedules, sensors, resources."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import dagster as dg

from evidence_assets.orchestration.assets import stage_assets
from evidence_assets.orchestration.checks import table_checks
from evidence_assets.orchestration.event_files import write_without_waiting
from evidence_assets.orchestration.follow_sensor import follow_inputs
from evidence_assets.orchestration.harvest_assets import named_model, readiness_check, seed_files_spec
from evidence_assets.orchestration.jobs import eager_problem, jobs_of
from evidence_assets.orchestration.observed import observed_files
from evidence_assets.orchestration.refreshing import refreshing_jobs
from evidence_assets.orchestration.resources import LakeResource, resources
from evidence_assets.orchestration.schedules import observations, observe_named_masked_lm
from evidence_assets.orchestration.seed_sensor import watch_seed_files
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import StageError
from evidence_assets.systems.system import System


def code_location(
    project: Project, systems: Sequence[System], lake: LakeResource | None = None
) -> dg.Definitions:
    """Return everything that Dagster shows and runs of a project. `lake`: default: the environment's.

    Raises:
        StageError: the systems' stages do not fit together, or the configuration names an asset as eager that
            there is not.
    """
    with warnings.catch_warnings():
        # The versions that are allowed are tested: whoever opens the project can do nothing about it.
        warnings.simplefilter("ignore", dg.BetaWarning)
        return _assembled(project, systems, lake)


def _assembled(project: Project, systems: Sequence[System], lake: LakeResource | None) -> dg.Definitions:
    write_without_waiting()
    graph, there = stage_graph(project, systems), lake or LakeResource()
    if problem := eager_problem(project, graph):
        raise StageError(f"{project.location}: {problem}")
    refreshing = refreshing_jobs(project, systems, graph)
    looked_at = observations()
    harvest_inputs: list[Any] = []
    checks: list[Any] = table_checks(graph)
    sensors: list[Any] = [follow_inputs(project, systems, there, refreshing[0])]
    if project.harvest is not None and project.seeds_folder is not None:
        harvest_inputs = [seed_files_spec(), named_model()]
        checks.append(readiness_check(project))
        sensors.append(watch_seed_files(project.seeds_folder))
        looked_at.append(observe_named_masked_lm())
    # A job leaves what is up to date; who materialises an asset asks for it.
    config = there.config(again=False)
    jobs: list[Any] = [
        dg.define_asset_job(
            job.name,
            selection=dg.AssetSelection.assets(*job.assets),
            description=job.description,
            config=config,
        )
        for job in jobs_of(graph, systems)
    ]
    return dg.Definitions(
        assets=[*observed_files(project), *harvest_inputs, *stage_assets(project, graph)],
        asset_checks=checks,
        jobs=[*jobs, *refreshing, *(job for job, _ in looked_at)],
        schedules=[schedule for _, schedule in looked_at],
        sensors=sensors,
        resources={**resources(), "lake": there},
        # One process a run: a model is loaded once, not once a step.
        executor=dg.in_process_executor,
    )
