"""The code location: every asset, check, job, schedule and resource, assembled here and nowhere else."""

from __future__ import annotations

from pathlib import Path

import dagster as dg

from evidence_assets.corpus.assets import corpus_assets
from evidence_assets.evaluation.assets import evaluation_assets, score_assets
from evidence_assets.extraction.assets import knowledge_assets
from evidence_assets.extraction.domain_model.assets import readiness_check
from evidence_assets.graphs.assets import graph_assets
from evidence_assets.graphs.embedding_assets import graph_embedding_assets
from evidence_assets.kgqa.assets import query_assets
from evidence_assets.orchestration.checks import table_checks
from evidence_assets.orchestration.jobs import harvest_jobs, jobs
from evidence_assets.orchestration.lake_resource import LakeResource
from evidence_assets.orchestration.model_resources import (
    EncoderResource,
    GeneratorResource,
    MaskedLanguageModelResource,
    PairScorerResource,
)
from evidence_assets.orchestration.partitions import ProjectPartitions, seeds_folder
from evidence_assets.orchestration.schedules import (
    follow_inputs,
    observe_benchmark_files,
    observe_benchmark_files_hourly,
    observe_corpus_files,
    observe_corpus_files_hourly,
    observe_graph_files,
    observe_graph_files_hourly,
    observe_named_masked_lm,
    observe_named_masked_lm_daily,
)
from evidence_assets.orchestration.sensors import watch_seed_files
from evidence_assets.reading.prompted_arms import with_generators
from evidence_assets.retrieval.assets import retrieval_assets
from evidence_assets.retrieval.question_triples.assets import question_triple_assets
from evidence_assets.sources.assets import source_assets
from evidence_assets.systems.attention2query.assets import attention2query_assets
from evidence_assets.systems.four_step_focus.assets import four_step_focus_assets
from evidence_assets.systems.kaping.assets import kaping_assets
from evidence_assets.systems.registry import systems
from evidence_assets.systems.ucret.assets import ucret_assets
from evidence_assets.systems.ugat_medqa.assets import ugat_medqa_assets
from evidence_assets.systems.uscrake.arms import ARMS, RERANKED_RETRIEVALS, SYSTEM
from evidence_assets.systems.uscrake.assets import uscrake_assets


def build_definitions(configuration: Path | None = None) -> dg.Definitions:
    """Return the definitions for a configuration file (default: `EVIDENCE_SOURCES`, or the project's own).

    Raises:
        ConfigurationError: the configuration cannot be used.
    """
    project = ProjectPartitions.from_configuration(configuration)
    observed, asked = source_assets(project)
    harvest_inputs, harvested = knowledge_assets(project)
    harvest = project.sources.harvest
    # Rankings of chunks, of the systems that read text.
    read = with_generators(ARMS, project.generators)
    retrievals = {SYSTEM: {arm.name: arm.retrieval for arm in read.values()}}
    assets = [
        *asked,
        *corpus_assets(project),
        *harvested,
        *graph_assets(project),
        question_triple_assets(project),
        *evaluation_assets(project),
        *retrieval_assets(project, RERANKED_RETRIEVALS),
        uscrake_assets(project),
        *ugat_medqa_assets(project),
        *ucret_assets(project),
        *query_assets(project),
        *graph_embedding_assets(project),
        *attention2query_assets(project),
        four_step_focus_assets(project),
        *kaping_assets(project),
        *(
            asset
            for system in systems(project.generators).values()
            for asset in score_assets(
                project,
                system.name,
                list(system.arms),
                system.compared_with,
                retrievals.get(system.name),
                system.ranks,
            )
        ),
    ]
    return dg.Definitions(
        assets=[*observed, *harvest_inputs, *assets],
        asset_checks=[
            *table_checks(assets, project),
            *([readiness_check(project, harvest)] if harvest else []),
        ],
        jobs=[
            *jobs(systems(project.generators)),
            *(harvest_jobs(bool(harvest.judges)) if harvest else []),
            observe_corpus_files,
            observe_benchmark_files,
            observe_graph_files,
            *([observe_named_masked_lm] if harvest else []),
        ],
        schedules=[
            observe_corpus_files_hourly,
            observe_benchmark_files_hourly,
            observe_graph_files_hourly,
            *([observe_named_masked_lm_daily] if harvest else []),
        ],
        sensors=[
            follow_inputs,
            *([watch_seed_files(seeds_folder(project, harvest), harvest.arms)] if harvest else []),
        ],
        resources={
            "lake": LakeResource(),
            "encoder": EncoderResource(),
            "pair_scorer": PairScorerResource(),
            "masked_lm": MaskedLanguageModelResource(),
            "generator": GeneratorResource(),
        },
        # One process a run: a model is loaded once, not once a step.
        executor=dg.in_process_executor,
    )


defs = build_definitions()
