"""Pages are made with the experiment that they show, or after it; a scoreboard after all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.lake.schemas import (
    ARTICLES,
    EVIDENCE_ABLATIONS,
    EVIDENCE_PAGES,
    GENERATED_TRIPLES,
    RANKED_ANSWERS,
    TABLES,
    TRIPLES,
)
from evidence_assets.orchestration.jobs import jobs_of
from evidence_assets.orchestration.plan import planned_runs, wanted_of_benchmarks, wanted_pages
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.stages.graph import StageGraph
from evidence_assets.systems.registry import SYSTEMS, systems_by_name
from evidence_assets_tests.testing.small_project import ANIMAL_QUIZ, SmallProject, write_small_project

ARM = "chunks_only_coverage@extractive"
ASKED = [("uscrake", ARM, ANIMAL_QUIZ)]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    return write_small_project(Path(tmp_path_factory.mktemp("planning")) / "project")


@pytest.fixture(scope="module")
def graph(project: SmallProject) -> StageGraph:
    return stage_graph(project.project)


def test_an_experiment_and_its_pages_are_one_run(project: SmallProject, graph: StageGraph) -> None:
    named = systems_by_name()
    wanted = wanted_of_benchmarks(project.project, graph, named, [ANIMAL_QUIZ], [f"uscrake/{ARM}"])
    with_pages = graph.needed([*wanted, *wanted_pages(graph, ASKED)])
    runs = [run.name for run in planned_runs(graph, jobs_of(graph, SYSTEMS), with_pages)]
    made, shown = ("run_and_show_uscrake", f"{ARM}|{ANIMAL_QUIZ}"), ("show_scores", ANIMAL_QUIZ)
    assert runs.index(made) < runs.index(("compare_uscrake", ANIMAL_QUIZ)) < runs.index(shown)
    without = [run.name for run in planned_runs(graph, jobs_of(graph, SYSTEMS), graph.needed(wanted))]
    assert ("run_uscrake", f"{ARM}|{ANIMAL_QUIZ}") in without
    assert shown not in without


def test_pages_read_whatever_evidence_may_be_taken_from(graph: StageGraph) -> None:
    read = {
        stage.system: {source.table for source in stage.inputs}
        for stage in graph.stages
        if EVIDENCE_PAGES in stage.tables
    }
    assert read.keys() == systems_by_name().keys()
    for tables in read.values():
        assert {ARTICLES, TRIPLES, TABLES, EVIDENCE_ABLATIONS} <= tables
    assert {name for name, tables in read.items() if GENERATED_TRIPLES in tables} == {"kaping"}
    ranking = {system.name for system in SYSTEMS if system.ranks}
    assert {name for name, tables in read.items() if RANKED_ANSWERS in tables} == ranking


def test_pages_ask_for_no_source_of_their_own(graph: StageGraph) -> None:
    """What an experiment never read is shown as missing, and made by nobody for its pages."""
    needed = graph.needed(wanted_pages(graph, ASKED)[:1])
    made = {part.stage.name for part in needed}
    assert "uscrake/evidence_ablations" not in made
    assert "tables" not in made
    assert {"questions", "uscrake", "uscrake/evidence_pages"} <= made
