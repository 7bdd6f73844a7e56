"""Every stage of a configuration, room by room, as one graph."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_assets.audit.ablation.stages import ablation_stage
from evidence_assets.audit.pages.stages import page_stage, scoreboard_stage
from evidence_assets.corpus.stages import corpus_stages
from evidence_assets.evaluation.stages import evaluation_stages, score_stages
from evidence_assets.extraction.stages import extraction_stages
from evidence_assets.graphs.stages import graph_stages
from evidence_assets.kgqa.stages import kgqa_stages
from evidence_assets.retrieval.stages import retrieval_stages
from evidence_assets.sources.project import Project
from evidence_assets.sources.stages import source_stages
from evidence_assets.stages.graph import StageGraph
from evidence_assets.systems.registry import SYSTEMS
from evidence_assets.systems.system import System, experiment_stage
from evidence_assets.systems.uscrake.arms import RERANKED_RETRIEVALS
from evidence_assets.tables.stages import table_stages
from evidence_assets.training.stages import training_stages


def stage_graph(project: Project, systems: Sequence[System] = SYSTEMS) -> StageGraph:
    """Return all stages of a configuration.

    Raises:
        StageError: they do not fit together.
    """
    stages = [
        *source_stages(project),
        *table_stages(project),
        *corpus_stages(project),
        *extraction_stages(project),
        *graph_stages(project),
        *evaluation_stages(project),
        *retrieval_stages(project, RERANKED_RETRIEVALS),
        *kgqa_stages(project),
        *training_stages(project),
    ]
    for system in systems:
        stages += [*system.stages(project), experiment_stage(system, project), *score_stages(project, system)]
        stages.append(ablation_stage(project, system))
    stages += [page_stage(project, system, stages) for system in systems]
    stages.append(scoreboard_stage(systems))
    return StageGraph(stages, project.layout)
