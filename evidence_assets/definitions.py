"""The code location: every asset, check, job, schedule and resource, assembled here and nowhere else."""

from __future__ import annotations

from pathlib import Path

import dagster as dg

from evidence_assets.automation.checks import table_checks
from evidence_assets.automation.jobs import jobs
from evidence_assets.automation.schedules import (
    follow_inputs,
    observe_benchmark_files,
    observe_benchmark_files_hourly,
    observe_corpus_files,
    observe_corpus_files_hourly,
)
from evidence_assets.corpus.assets import corpus_assets
from evidence_assets.evaluation.assets import evaluation_assets, score_assets
from evidence_assets.lake.resources import LakeResource
from evidence_assets.models.resources import EncoderResource
from evidence_assets.partitions import ProjectPartitions
from evidence_assets.sources.assets import source_assets
from evidence_assets.systems.uscrake.arms import ARMS, BASELINE_ARM, SYSTEM
from evidence_assets.systems.uscrake.assets import uscrake_assets


def build_definitions(configuration: Path | None = None) -> dg.Definitions:
    """Return the definitions for a configuration file (default: `EVIDENCE_SOURCES`, or the project's own).

    Raises:
        ConfigurationError: the configuration cannot be used.
    """
    project = ProjectPartitions.from_configuration(configuration)
    observed, questions = source_assets(project)
    assets = [
        questions,
        *corpus_assets(project),
        *evaluation_assets(project),
        *uscrake_assets(project),
        *score_assets(project, SYSTEM, {arm.name: arm.retrieval for arm in ARMS.values()}, BASELINE_ARM),
    ]
    return dg.Definitions(
        assets=[*observed, *assets],
        asset_checks=table_checks(assets, project),
        jobs=[*jobs(), observe_corpus_files, observe_benchmark_files],
        schedules=[observe_corpus_files_hourly, observe_benchmark_files_hourly],
        sensors=[follow_inputs],
        resources={"lake": LakeResource(), "encoder": EncoderResource()},
        # One process a run: a model is loaded once, not once a step.
        executor=dg.in_process_executor,
    )


defs = build_definitions()
