"""A system that is handed to the definitions gets all that the six have."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.audit.report import example_prediction, trace_report
from evidence_assets.definitions import build_definitions
from evidence_assets.lake import catalogue
from evidence_assets.orchestration.runs import materialize_benchmarks
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets.reading.baselines import CHANCE, MAJORITY
from evidence_assets.systems.registry import SYSTEMS
from evidence_assets_tests.testing.run_events import without_memory
from evidence_assets_tests.testing.seventh_system import ARMS, OVERLAP
from evidence_assets_tests.testing.small_project import (
    MINERAL_QUIZ,
    SmallProject,
    small_configuration,
    write_small_project,
    write_yaml,
)

pytestmark = pytest.mark.integration
SEVEN = (*SYSTEMS, OVERLAP)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallProject:
    made = write_small_project(tmp_path / "project")
    content = small_configuration()
    content["benchmarks"][MINERAL_QUIZ]["systems"] = ["overlap"]
    write_yaml(made.configuration, content)
    return without_memory(made, monkeypatch)


def test_a_seventh_system_has_assets_checks_and_jobs(project: SmallProject) -> None:
    repository = build_definitions(project.configuration, SEVEN).get_repository_def()
    repository.load_all_definitions()
    keys = {key.to_user_string() for key in repository.asset_graph.get_all_asset_keys()}
    tables = {*OVERLAP.descriptions, "benchmark_scores", "question_scores"}
    assert {f"overlap/{table}" for table in (*tables, "score_differences")} <= keys
    for job, made in (("run_overlap", tables), ("compare_overlap", {"score_differences"})):
        selected = repository.get_job(job).asset_layer.selected_asset_keys
        assert {key.to_user_string() for key in selected} == {f"overlap/{table}" for table in made}
    checked = {key.asset_key.to_user_string() for key in repository.asset_graph.asset_check_keys}
    assert {key for key in keys if key.startswith("overlap/")} <= checked


def test_a_seventh_system_is_planned_run_scored_and_traced(project: SmallProject) -> None:
    workspace = Workspace.of(str(project.lake_folder), project.cache_folder, SEVEN)
    runs = [(job, partition) for job, partition, _ in materialize_benchmarks(workspace, [MINERAL_QUIZ])]
    experiments = [("run_overlap", f"{arm}|{MINERAL_QUIZ}") for arm in ARMS]
    assert [run for run in runs if run[0] == "run_overlap"] == experiments
    assert runs.index(("compare_overlap", MINERAL_QUIZ)) > runs.index(experiments[-1])
    assert "run_uscrake" not in dict(runs)
    with catalogue.connect(project.lake) as connection:
        scored = connection.execute(
            "SELECT arm, value FROM benchmark_scores WHERE system = 'overlap' AND metric = 'accuracy'"
        ).fetchall()
        # Quartz is made of silicon and oxygen; salt melts ice: the best chunk says so in both rankings.
        assert sorted(scored) == [(arm, 1.0) for arm in sorted(ARMS)]
        compared = connection.execute(
            "SELECT DISTINCT arm, baseline_arm FROM score_differences WHERE system = 'overlap'"
        ).fetchall()
        others = [*ARMS, CHANCE, MAJORITY]
        assert set(compared) == {(arm, baseline) for arm in ARMS for baseline in others if arm != baseline}
        traced = trace_report(
            connection, example_prediction(connection, MINERAL_QUIZ, "overlap", OVERLAP.default_arm)
        )
    assert "articles/rocks" in traced and "(CC0-1.0)" in traced
    assert list(materialize_benchmarks(workspace, [MINERAL_QUIZ])) == []
