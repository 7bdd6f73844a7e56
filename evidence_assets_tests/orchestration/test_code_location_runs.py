"""A benchmark from its files to its scores through Dagster: the fast proof that the code location works."""

from __future__ import annotations

from pathlib import Path

import dagster as dg

from evidence_assets.audit.integrity import check_lineage
from evidence_assets.lake.schemas import BENCHMARK_SCORES, PREDICTIONS
from evidence_assets.systems.uscrake.arms import ARMS
from evidence_assets_tests.testing.small_project import (
    MINERAL_QUIZ,
    QUESTIONS,
    ROCKS,
    arms_made,
    checks_of,
    run_job,
    write_small_project,
)

ARM = arms_made(MINERAL_QUIZ)[0]
PLAN = (
    ("ingest_corpus", ROCKS),
    ("add_up_terms", "minerals"),
    ("prepare_benchmark", MINERAL_QUIZ),
    ("rank_chunks", f"{ARMS[ARM].retrieval}|{MINERAL_QUIZ}"),
    ("run_uscrake", f"{ARM}|{MINERAL_QUIZ}"),
    ("compare_uscrake", MINERAL_QUIZ),
)


def test_a_benchmark_is_answered_and_scored_by_jobs(tmp_path: Path) -> None:
    project = write_small_project(tmp_path / "project")
    definitions = project.definitions()
    with dg.DagsterInstance.ephemeral() as instance:
        results = [run_job(definitions, job, key, instance) for job, key in PLAN]
    checks = [check for result in results for check in checks_of(result)]
    assert checks
    assert all(passed for _, _, passed in checks), [check for check in checks if not check[2]]
    place = {"system": "uscrake", "arm": ARM, "benchmark": MINERAL_QUIZ}
    answered = project.lake.read(PREDICTIONS, place).column("question_id").to_pylist()
    assert sorted(answered) == sorted(question["id"] for question in QUESTIONS[MINERAL_QUIZ])
    assert list(check_lineage(project.lake, place)) == []
    metrics = {row["metric"]: row["value"] for row in project.lake.read(BENCHMARK_SCORES, place).to_pylist()}
    assert 0 <= metrics["accuracy"] <= 1
