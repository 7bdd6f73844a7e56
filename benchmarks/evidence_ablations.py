"""What citations are worth, by system and arm: answers read again without them, beside random evidence.

Starter questions, and public sets where the data sets are there (EVIDENCE_REAL_DATA). The lakes are
`build/ablation_lake` and `build/real_data_lake`: what stands there is not made again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.real_lake import prepare
from benchmarks.real_texts import PROJECT

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
# Predictions questioned of each arm; OpenBookQA's test has 500.
SAMPLE = 500


def run() -> dict[str, Any]:
    """Make what is missing, question every arm's evidence; return the scores, and the seconds of each arm.

    Raises:
        FileNotFoundError: the data sets are not there.
    """
    rows: list[dict[str, Any]] = []
    runs: list[dict[str, Any]] = []
    os.environ.pop("EVIDENCE_SOURCES", None)
    os.environ["EVIDENCE_LAKE"] = str(PROJECT / "build" / "ablation_lake")
    measured = list(_measured(STARTER))
    del os.environ["EVIDENCE_LAKE"]
    prepare()
    measured += _measured(REAL)
    for scores, timing in measured:
        rows += scores
        runs.append(timing)
    return {"scores": rows, "runs": runs, "sample": SAMPLE}


def _measured(arms: Sequence[Arm]) -> Iterator[tuple[list[dict[str, Any]], dict[str, Any]]]:
    """Yield each arm's `ablation_scores` rows, and what making them took."""
    from evidence_assets.audit.ablation.plan import AblationSettings
    from evidence_assets.lake.schemas import ABLATION_SCORES, EVIDENCE_ABLATIONS
    from evidence_assets.orchestration.runs import Workspace
    from evidence_assets.stages.declaration import Key
    from evidence_assets.stages.execution import Run, make_partition
    from evidence_assets.stages.freshness import State

    workspace = Workspace.from_environment()
    stages = {stage.name: stage for stage in workspace.graph.stages}
    run = Run(workspace.lake, workspace.graph, workspace.models, "evidence_ablations")
    for system, arm, benchmark in arms:
        stage, key = stages[f"{system}/{EVIDENCE_ABLATIONS.name}"], Key(benchmark, arm)
        before = [part for part in workspace.graph.needed([(stage, key)]) if part.stage is not stage]
        for part, status in zip(before, workspace.statuses(before), strict=True):
            if status.state is not State.FRESH:
                make_partition(part.stage, part.key, run, part.tables)
        started, cpu = time.perf_counter(), time.process_time()
        settings = AblationSettings(sample=SAMPLE)
        shared = Run(workspace.lake, workspace.graph, workspace.models, run.run_id, settings, run.cache)
        result = make_partition(stage, key, shared)
        shown = result.tables[EVIDENCE_ABLATIONS.name].metadata
        timing = {
            "system": system,
            "arm": arm,
            "benchmark": benchmark,
            "predictions": shown["predictions_questioned"],
            "rows": result.tables[EVIDENCE_ABLATIONS.name].rows,
            "seconds": round(time.perf_counter() - started, 1),
            "cpu_seconds": round(time.process_time() - cpu, 1),
        }
        print(timing, flush=True)
        place = {"system": system, "arm": arm, "benchmark": benchmark}
        yield workspace.lake.read(ABLATION_SCORES, place).to_pylist(), timing
