"""The runs that some benchmarks need, in the order in which each finds what it reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from evidence_assets.config.configuration import load_project
from evidence_assets.orchestration.jobs import Job, asset_names, jobs_of
from evidence_assets.orchestration.plan import planned_runs, wanted_of_benchmarks, wanted_of_harvest
from evidence_assets.orchestration.runs import materialize_benchmarks
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import StageError
from evidence_assets.systems.registry import SYSTEMS, systems_by_name
from evidence_assets.systems.ugat_medqa import arms as ugat_medqa
from evidence_assets.systems.uscrake.arms import ARMS, COMPARED_WITH, FIRST_ARMS, ChunkArm
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    LAND,
    MINERAL_QUIZ,
    NATURE,
    ROCKS,
    SEA,
    Plan,
    SmallProject,
    planned,
    small_configuration,
    write_small_project,
    write_yaml,
)

# A benchmark that a graph alone answers, and one that both systems take.
GRAPH_QUIZ, SHARED_QUIZ = "graph_quiz", "shared_quiz"


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    return write_small_project(tmp_path_factory.mktemp("plan") / "project")


def in_order(arms: Iterable[str], first: Sequence[str]) -> list[str]:
    """The first arms in the order of their declaration: a plan takes partitions as they are declared."""
    return [arm for arm in arms if arm in first]


FIRST_PATHS = in_order(ugat_medqa.ARMS, ugat_medqa.FIRST_ARMS)


def arms(**wanted: bool) -> list[ChunkArm]:
    return [
        arm
        for arm in ARMS.values()
        if ("triples" not in wanted or bool(arm.selection.triples) == wanted["triples"])
        and ("scores" not in wanted or arm.selection.needs_scores == wanted["scores"])
    ]


def by_job(project: SmallProject, benchmark: str, *names: str) -> dict[str, list[str | None]]:
    """The partitions of each job, in the order of the plan."""
    partitions: dict[str, list[str | None]] = {}
    for job, partition in planned(project.project, [benchmark], names or FIRST_ARMS):
        partitions.setdefault(job, []).append(partition)
    return partitions


def test_arms_are_compared_where_one_to_compare_with_is_among_them(project: SmallProject) -> None:
    alone = next(arm.name for arm in ARMS.values() if arm.name not in COMPARED_WITH)
    assert "compare_uscrake" not in by_job(project, ANIMAL_QUIZ, alone)
    for baseline in COMPARED_WITH:
        assert by_job(project, ANIMAL_QUIZ, alone, baseline)["compare_uscrake"] == [ANIMAL_QUIZ]


def test_a_benchmark_with_a_graph_needs_the_graph_first(project: SmallProject) -> None:
    scored = next(arm for arm in arms(triples=True, scores=True) if arm.name in COMPARED_WITH)
    steps = planned(project.project, [ANIMAL_QUIZ], [scored.name])
    pair = f"{scored.retrieval}|{ANIMAL_QUIZ}"
    assert steps == [
        ("ingest_corpus", LAND),
        ("ingest_corpus", SEA),
        ("add_up_terms", "animals"),
        ("prepare_benchmark", ANIMAL_QUIZ),
        ("build_graph", NATURE),
        ("rank_triples", ANIMAL_QUIZ),
        ("rank_chunks", pair),
        ("rerank_evidence", pair),
        ("run_uscrake", f"{scored.name}|{ANIMAL_QUIZ}"),
        ("compare_uscrake", ANIMAL_QUIZ),
        ("record_published", None),
    ]


def test_without_a_graph_what_only_triples_need_is_left_out(project: SmallProject) -> None:
    """Chunks are scored where arms rerank them alone: with a cross-encoder the others take hours."""
    partitions = by_job(project, MINERAL_QUIZ, *ARMS)
    assert partitions["ingest_corpus"] == [ROCKS]
    assert "build_graph" not in partitions
    plain = arms(triples=False)
    reranked = {f"{arm.retrieval}|{MINERAL_QUIZ}" for arm in plain if arm.selection.needs_scores}
    assert sorted(partitions["rerank_evidence"], key=str) == sorted(reranked)
    assert partitions["run_uscrake"] == [f"{arm.name}|{MINERAL_QUIZ}" for arm in plain]
    retrievals = dict.fromkeys(arm.retrieval for arm in plain if arm.retrieval)
    assert partitions["rank_chunks"] == [f"{retrieval}|{MINERAL_QUIZ}" for retrieval in retrievals]
    # Joint scores are of chunks and triples: those of a benchmark without a graph are none.
    assert partitions["rank_triples"] == [MINERAL_QUIZ]
    unscored = [arm.name for arm in plain if not arm.selection.needs_scores]
    assert "rank_triples" not in by_job(project, MINERAL_QUIZ, *unscored)


def test_each_ranking_is_made_and_scored_once(project: SmallProject) -> None:
    partitions = by_job(project, ANIMAL_QUIZ, *ARMS)
    assert partitions["run_uscrake"] == [f"{arm}|{ANIMAL_QUIZ}" for arm in ARMS]
    for job, read in (("rank_chunks", arms()), ("rerank_evidence", arms(scores=True))):
        expected = {f"{arm.retrieval}|{ANIMAL_QUIZ}" for arm in read if arm.retrieval}
        assert set(partitions[job]) == expected
        assert len(partitions[job]) == len(expected)


def test_benchmarks_of_one_corpus_and_graph_build_them_once(project: SmallProject) -> None:
    steps = planned(project.project, [ANIMAL_QUIZ, MINERAL_QUIZ, ANIMAL_QUIZ])
    assert steps.count(("build_graph", NATURE)) == 1
    assert steps.count(("add_up_terms", "animals")) == steps.count(("ingest_corpus", LAND)) == 1


@pytest.fixture
def configured(project: SmallProject, tmp_path: Path) -> Project:
    return changed(project, tmp_path, lambda _: None)


def changed(
    project: SmallProject, folder: Path, change: Callable[[dict[str, dict[str, Any]]], object]
) -> Project:
    """The small project with the two benchmarks that a graph answers, and a change of these."""
    content = small_configuration()
    animals = content["benchmarks"][ANIMAL_QUIZ]
    graph_quiz = {name: value for name, value in animals.items() if name != "corpus"}
    content["benchmarks"] |= {
        GRAPH_QUIZ: {**graph_quiz, "systems": ["ugat_medqa"]},
        SHARED_QUIZ: {**animals, "systems": ["uscrake", "ugat_medqa"]},
    }
    change(content["benchmarks"])
    return load_project(write_yaml(folder / "sources.yaml", content))


def without(benchmark: str, name: str) -> Callable[[dict[str, dict[str, Any]]], object]:
    return lambda benchmarks: benchmarks[benchmark].pop(name)


def routed(names: Sequence[str]) -> list[ugat_medqa.Route]:
    """The routes that arms take, each once."""
    route_names = [ugat_medqa.ARMS[name].route for name in names]
    return [ugat_medqa.ROUTES[route] for route in dict.fromkeys(filter(None, route_names))]


def test_a_benchmark_that_a_graph_answers_needs_no_text(configured: Project) -> None:
    """The first arms: one route for two of them, and none for the one that reads the options alone."""
    [route] = routed(ugat_medqa.FIRST_ARMS)
    assert planned(configured, [GRAPH_QUIZ]) == [
        ("build_graph", NATURE),
        ("link_questions", GRAPH_QUIZ),
        ("find_subgraphs", f"{route.neighbourhood}|{GRAPH_QUIZ}"),
        ("walk_graph", f"{route.name}|{GRAPH_QUIZ}"),
        *(("run_ugat_medqa", f"{arm}|{GRAPH_QUIZ}") for arm in FIRST_PATHS),
        ("compare_ugat_medqa", GRAPH_QUIZ),
        ("record_published", None),
    ]


def test_every_route_is_walked_once_in_every_neighbourhood_that_it_needs(configured: Project) -> None:
    wanted = [f"ugat_medqa/{arm}" for arm in ugat_medqa.ARMS]
    steps = planned(configured, [GRAPH_QUIZ], wanted)
    routes = routed(list(ugat_medqa.ARMS))
    assert len(routes) < len(ugat_medqa.ARMS), "no route is taken twice: nothing is shown"
    neighbourhoods = dict.fromkeys(route.neighbourhood for route in routes)
    assert len(neighbourhoods) < len(routes)
    assert sorted(str(key) for job, key in steps if job == "walk_graph") == sorted(
        f"{route.name}|{GRAPH_QUIZ}" for route in routes
    )
    assert sorted(str(key) for job, key in steps if job == "find_subgraphs") == sorted(
        f"{name}|{GRAPH_QUIZ}" for name in neighbourhoods
    )
    assert [key for job, key in steps if job == "run_ugat_medqa"] == [
        f"{arm}|{GRAPH_QUIZ}" for arm in ugat_medqa.ARMS
    ]


def test_an_arm_that_reads_the_options_alone_walks_nothing(configured: Project) -> None:
    alone = next(arm.name for arm in ugat_medqa.ARMS.values() if arm.route is None)
    jobs_planned = [job for job, _ in planned(configured, [GRAPH_QUIZ], [alone])]
    assert "run_ugat_medqa" in jobs_planned
    assert not {"find_subgraphs", "walk_graph"} & set(jobs_planned)


def test_two_systems_of_one_benchmark_share_its_graph_and_its_questions(configured: Project) -> None:
    steps = planned(configured, [SHARED_QUIZ])
    assert len(set(steps)) == len(steps)
    # Who ranks triples links the questions: no other run does.
    assert steps.count(("build_graph", NATURE)) == steps.count(("rank_triples", SHARED_QUIZ)) == 1
    assert ("link_questions", SHARED_QUIZ) not in steps
    assert [key for job, key in steps if job == "run_uscrake"] == [
        f"{arm}|{SHARED_QUIZ}" for arm in in_order(ARMS, FIRST_ARMS)
    ]
    assert [key for job, key in steps if job == "run_ugat_medqa"] == [
        f"{arm}|{SHARED_QUIZ}" for arm in FIRST_PATHS
    ]


def test_benchmarks_of_two_systems_that_share_a_graph_build_it_once(configured: Project) -> None:
    steps = planned(configured, [ANIMAL_QUIZ, GRAPH_QUIZ, SHARED_QUIZ, ANIMAL_QUIZ])
    assert len(set(steps)) == len(steps)
    graph = steps.index(("build_graph", NATURE))
    for benchmark in (ANIMAL_QUIZ, GRAPH_QUIZ, SHARED_QUIZ):
        places = [
            place
            for place, (job, key) in enumerate(steps)
            if key and key.split("|")[-1] == benchmark and job in ("rank_triples", "link_questions")
        ]
        assert places and graph < min(places)


def test_an_arm_that_both_systems_have_is_run_by_both(configured: Project) -> None:
    both = next(name for name in ARMS if name in ugat_medqa.ARMS)

    def run(benchmark: str, name: str) -> Plan:
        steps = planned(configured, [benchmark], [name])
        return [(job, key) for job, key in steps if job in ("run_uscrake", "run_ugat_medqa")]

    keyed = f"{both}|{SHARED_QUIZ}"
    assert run(SHARED_QUIZ, both) == [("run_uscrake", keyed), ("run_ugat_medqa", keyed)]
    assert run(SHARED_QUIZ, f"uscrake/{both}") == [("run_uscrake", keyed)]
    assert run(SHARED_QUIZ, f"ugat_medqa/{both}") == [("run_ugat_medqa", keyed)]
    # A system that the benchmark does not take is not run; where nothing else was asked for, it is said.
    assert run(GRAPH_QUIZ, both) == [("run_ugat_medqa", f"{both}|{GRAPH_QUIZ}")]
    with pytest.raises(LookupError, match=rf"{GRAPH_QUIZ}: none of uscrake/{both} .*ugat_medqa; remedy: "):
        run(GRAPH_QUIZ, f"uscrake/{both}")


def test_text_is_not_read_for_a_system_that_reads_a_graph(configured: Project) -> None:
    steps = planned(configured, [SHARED_QUIZ], [f"ugat_medqa/{ugat_medqa.DEFAULT_ARM}"])
    assert not {"ingest_corpus", "add_up_terms"} & {job for job, _ in steps}


@pytest.mark.parametrize(
    ("benchmark", "change", "reason"),
    [
        (
            SHARED_QUIZ,
            without(SHARED_QUIZ, "graph"),
            f"benchmark {SHARED_QUIZ} names no graph, and ugat_medqa needs one; "
            f"remedy: name one (benchmarks.{SHARED_QUIZ}.graph)",
        ),
        (
            SHARED_QUIZ,
            without(SHARED_QUIZ, "corpus"),
            f"benchmark {SHARED_QUIZ} names no corpus, and uscrake needs one; "
            f"remedy: name one (benchmarks.{SHARED_QUIZ}.corpus)",
        ),
        (
            GRAPH_QUIZ,
            lambda benchmarks: benchmarks[GRAPH_QUIZ].pop("systems"),
            f"benchmark {GRAPH_QUIZ} names no corpus, and uscrake needs one",
        ),
        (
            GRAPH_QUIZ,
            lambda benchmarks: benchmarks[GRAPH_QUIZ].update(systems=["ugat_medqa", "oracle", "sphinx"]),
            f"benchmarks.{GRAPH_QUIZ}.systems names oracle, sphinx; there are uscrake, ugat_medqa",
        ),
    ],
)
def test_what_a_system_lacks_is_told_with_the_remedy(
    project: SmallProject,
    tmp_path: Path,
    benchmark: str,
    change: Callable[[dict[str, dict[str, Any]]], object],
    reason: str,
) -> None:
    """Before the first step, also where another benchmark could have begun."""
    broken = changed(project, tmp_path, change)
    with pytest.raises(LookupError) as raised:
        planned(broken, [MINERAL_QUIZ, benchmark])
    message = str(raised.value)
    assert reason in message
    assert message.startswith(f"{broken.location}: ")


def test_what_a_system_lacks_that_is_not_asked_for_does_not_matter(
    project: SmallProject, tmp_path: Path
) -> None:
    """USCRaKE runs on a benchmark whose other system lacks a graph, where its arms alone are wanted."""
    half = changed(project, tmp_path, without(SHARED_QUIZ, "graph"))
    name = next(arm.name for arm in arms(triples=False))
    assert ("run_uscrake", f"{name}|{SHARED_QUIZ}") in planned(half, [SHARED_QUIZ], [f"uscrake/{name}"])


@pytest.mark.parametrize("name", ["nobody@x", "uscrake/nobody@x", f"oracle/{FIRST_ARMS[0]}", "uscrake/"])
def test_an_unknown_arm_is_told_with_where_all_are_listed(configured: Project, name: str) -> None:
    with pytest.raises(LookupError) as raised:
        planned(configured, [SHARED_QUIZ], [FIRST_ARMS[0], name])
    message = str(raised.value)
    assert message.startswith(f"no arm '{name}'")
    assert message.endswith("\n`evidence-assets arms` lists all of them")


def test_every_run_comes_after_those_that_it_reads(configured: Project) -> None:
    """Of every partition that two systems need, and of the jobs that the definitions hold."""
    graph = stage_graph(configured)
    wanted = wanted_of_benchmarks(configured, graph, systems_by_name(), [SHARED_QUIZ, GRAPH_QUIZ])
    runs = planned_runs(graph, jobs_of(graph, SYSTEMS), graph.needed(wanted))
    place = {(part.stage.name, part.key): number for number, run in enumerate(runs) for part in run.needed}
    assert len(place) > len(runs) > 10
    for number, run in enumerate(runs):
        for part in run.needed:
            for source, keys in graph.upstream(part.stage, part.key):
                for key in keys:
                    assert place.get((source.producer.name, key), -1) <= number, (run.name, source, key)


@pytest.mark.parametrize("merged", [True, False])
def test_a_harvest_needs_the_graphs_that_merge_it_where_they_are_asked_for(merged: bool) -> None:
    project = load_project(Path(__file__).parents[2] / "data_lake" / "sources.yaml")
    wanted = wanted_of_harvest(project, stage_graph(project, SYSTEMS), ["IsA"], merged)
    names = {(stage.name, key.name) for stage, key in wanted}
    assert {("harvested_triples", "IsA"), ("harvest_scores", "kbloom"), ("harvests", "bertnet")} <= names
    assert (("triples", "starter_merged") in names) is merged


def test_what_is_stale_alone_is_made_alone(configured: Project) -> None:
    """Of a job's assets those that are due are run: a new index leaves the counted terms."""
    graph = stage_graph(configured)
    [part] = [
        part
        for part in graph.needed(wanted_of_benchmarks(configured, graph, systems_by_name(), [SHARED_QUIZ]))
        if (part.stage.name, part.key.name) == ("shard_indexes", LAND)
    ]
    [run] = planned_runs(graph, jobs_of(graph, SYSTEMS), [part])
    assert (run.name, run.assets) == (("ingest_corpus", LAND), ["shard_indexes"])


def test_jobs_that_wait_for_each_other_are_told(configured: Project) -> None:
    """Chunks are cut from articles, and encoded: one job makes what is before and behind the other's."""
    graph = stage_graph(configured)
    needed = graph.needed(wanted_of_benchmarks(configured, graph, systems_by_name(), [ANIMAL_QUIZ]))
    around = Job("around", "", ("articles", "chunk_embeddings", "shard_indexes", "shard_terms"))
    jobs = [around, Job("between", "", ("chunks",)), *jobs_of(graph, SYSTEMS)]
    jobs = [job for job in jobs if job.name not in ("ingest_corpus", "read_articles")]
    with pytest.raises(StageError, match=r"jobs wait for each other: around .*; remedy: split one in"):
        planned_runs(graph, jobs, needed)


def test_what_no_job_makes_is_told(configured: Project) -> None:
    graph = stage_graph(configured)
    needed = graph.needed(wanted_of_benchmarks(configured, graph, systems_by_name(), [ANIMAL_QUIZ]))
    jobs = [job for job in jobs_of(graph, SYSTEMS) if job.name != "build_graph"]
    with pytest.raises(StageError, match=r"no job makes triples.*; remedy: name them in orchestration/jobs"):
        planned_runs(graph, jobs, needed)


def test_every_stage_is_in_some_job(configured: Project) -> None:
    graph = stage_graph(configured)
    made = {asset for job in jobs_of(graph, SYSTEMS) for asset in job.assets}
    assert made == {name for stage in graph.stages for name in asset_names(stage)}


@pytest.mark.parametrize(
    ("benchmarks", "names", "reason"),
    [
        (["unheard_of"], FIRST_ARMS, "no benchmark 'unheard_of'"),
        ([ANIMAL_QUIZ], [FIRST_ARMS[0], "b@x", "a@x"], "no arm 'b@x'"),
        ([MINERAL_QUIZ], ["uscrake/full@extractive"], f"names no graph for benchmark {MINERAL_QUIZ}; remedy"),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_runs(
    project: SmallProject,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    benchmarks: list[str],
    names: Sequence[str],
    reason: str,
) -> None:
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    monkeypatch.setenv("EVIDENCE_SOURCES", str(project.configuration))
    monkeypatch.setattr(dg.DagsterInstance, "get", dg.DagsterInstance.ephemeral)
    workspace = Workspace.of(str(project.lake_folder), project.cache_folder)
    with pytest.raises(LookupError, match=reason):
        next(materialize_benchmarks(workspace, benchmarks, names))
    assert not project.lake_folder.exists()
