"""What citations are worth, by system and arm: answers read again without them, beside random evidence.

Starter questions, and public sets where the data sets are there (EVIDENCE_REAL_DATA): of the arms that a
reader would look at first every answer, of all others that no language model reads a sample. The lakes are
`build/ablation_lake` and `build/real_data_lake`: what stands there is not made again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchmarks import PROJECT
from benchmarks.real_lake import prepare

if TYPE_CHECKING:
    from evidence_assets.orchestration.workspace import Workspace

Arm = tuple[str, str, str]
STARTER: Sequence[Arm] = (
    ("uscrake", "full@extractive", "starter"),
    ("uscrake", "chunks_only_coverage@extractive", "starter"),
    ("uscrake", "chunks_only_cosine@nearest", "starter"),
    ("ugat_medqa", "full@extractive", "starter_medicine"),
    ("ugat_medqa", "full_answering@extractive", "starter_medicine"),
    ("ucret", "full@extractive", "starter_tables"),
    ("ucret", "no_column_filtering@nearest", "starter_tables"),
    ("four_step_focus", "full@extractive", "starter_space"),
    ("four_step_focus", "no_triplets@nearest", "starter_space"),
    ("kaping", "external_2hop@extractive", "starter_space"),
    ("attention2query", "full@extractive", "starter_space"),
)
REAL: Sequence[Arm] = (
    ("uscrake", "chunks_only_cosine@extractive", "openbookqa"),
    ("uscrake", "chunks_only_cosine@nearest", "openbookqa"),
    ("ucret", "full@extractive", "scitab"),
    ("ucret", "full@extractive", "tabfact_small"),
)
# The starter questions that each system's other arms are questioned on.
OTHERS: Mapping[str, str] = {
    "uscrake": "starter",
    "ugat_medqa": "starter_medicine",
    "ucret": "starter_tables",
    "four_step_focus": "starter_space",
    "kaping": "starter_space",
    "attention2query": "starter_space",
}
# Predictions questioned of each arm (OpenBookQA's test has 500), and of each of the others.
SAMPLE, SMALL_SAMPLE = 500, 40


def run() -> dict[str, Any]:
    """Make what is missing, question every arm's evidence; return the scores, and the seconds of each arm."""
    from evidence_assets.orchestration.workspace import Workspace

    os.environ.pop("EVIDENCE_SOURCES", None)
    os.environ["EVIDENCE_LAKE"] = str(PROJECT / "build" / "ablation_lake")
    workspace = Workspace.from_environment()
    measured = [
        *_measured(workspace, STARTER, SAMPLE),
        *_measured(workspace, others(workspace), SMALL_SAMPLE),
    ]
    del os.environ["EVIDENCE_LAKE"]
    prepare()
    measured += _measured(Workspace.from_environment(), REAL, SAMPLE)
    scores = [row for rows, _ in measured for row in rows]
    return {
        "scores": scores,
        "runs": [timing for _, timing in measured],
        "sample": SAMPLE,
        "small_sample": SMALL_SAMPLE,
        "cited_against_random": cited_against_random(scores),
    }


def cited_against_random(scores: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Count the arms whose answers change more without what they cite than without as much else.

    `apart`: those whose two intervals are apart.
    """
    rows = [row for row in scores if row["metric"] == "comprehensiveness"]
    return {
        "arms": len(rows),
        "more": sum(row["value"] > row["control"] for row in rows),
        "apart": sum(row["low"] > row["control_high"] for row in rows),
    }


def others(workspace: Workspace) -> list[Arm]:
    """Return the arms over starter questions that no language model reads and that can be made.

    Those of `STARTER` are left out.
    """
    from evidence_assets.stages.declaration import Key

    graph = workspace.graph

    def can_be_made(system: str, arm: str, benchmark: str) -> bool:
        needed = graph.needed([(graph.by_name[system], Key(benchmark, arm))])
        return all(graph.problem(part.stage, part.key) is None for part in needed)

    offered = [
        (system.name, arm, OTHERS[system.name])
        for system in workspace.systems
        for arm, described in system.arms_of(workspace.project).items()
        if described.generator not in workspace.project.generators
    ]
    return [arm for arm in offered if arm not in STARTER and can_be_made(*arm)]


def _measured(
    workspace: Workspace, arms: Sequence[Arm], sample: int
) -> Iterator[tuple[list[dict[str, Any]], dict[str, Any]]]:
    """Yield each arm's `ablation_scores` rows, and what making them took, nothing where they stood."""
    from evidence_assets.audit.ablation.plan import AblationSettings
    from evidence_assets.lake.schemas import ABLATION_SCORES, EVIDENCE_ABLATIONS
    from evidence_assets.stages.declaration import Key
    from evidence_assets.stages.execution import Run, make_partition
    from evidence_assets.stages.freshness import State

    run = Run(workspace.lake, workspace.graph, workspace.models, "evidence_ablations")
    settings = AblationSettings(sample=sample)
    for system, arm, benchmark in arms:
        stage, key = workspace.graph.by_name[f"{system}/{EVIDENCE_ABLATIONS.name}"], Key(benchmark, arm)
        timing: dict[str, Any] = {"system": system, "arm": arm, "benchmark": benchmark, "sample": sample}
        before = [part for part in workspace.graph.needed([(stage, key)]) if part.stage is not stage]
        for part, status in zip(before, workspace.statuses(before), strict=True):
            if status.state is not State.FRESH:
                make_partition(part.stage, part.key, run, part.tables)
        if workspace.freshness().status(stage, key, stage.tables, settings).state is not State.FRESH:
            started, cpu = time.perf_counter(), time.process_time()
            sampling = Run(workspace.lake, workspace.graph, workspace.models, run.run_id, settings, run.cache)
            make_partition(stage, key, sampling)
            timing["seconds"] = round(time.perf_counter() - started, 1)
            timing["cpu_seconds"] = round(time.process_time() - cpu, 1)
        print(timing, flush=True)
        place = {"system": system, "arm": arm, "benchmark": benchmark}
        yield workspace.lake.read(ABLATION_SCORES, place).to_pylist(), timing
