"""The runs that some benchmarks need, in the order in which each finds what it reads."""

from __future__ import annotations

import sys
from pathlib import Path

import dagster as dg
import pytest

sys.path.append(str(Path(__file__).parent))

from small_project import (
    ANIMAL_QUIZ,
    LAND,
    MINERAL_QUIZ,
    NATURE,
    ROCKS,
    SEA,
    SmallProject,
    write_small_project,
)

from evidence_assets.automation.jobs import jobs
from evidence_assets.automation.runs import materialize_benchmarks, plan
from evidence_assets.systems.uscrake.arms import ARMS, COMPARED_WITH, FIRST_ARMS, Arm


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    return write_small_project(tmp_path_factory.mktemp("plan") / "project")


def arms(**wanted: bool) -> list[Arm]:
    return [
        arm
        for arm in ARMS.values()
        if ("triples" not in wanted or bool(arm.selection.triples) == wanted["triples"])
        and ("scores" not in wanted or arm.selection.needs_scores == wanted["scores"])
    ]


def planned(project: SmallProject, benchmark: str, *names: str) -> dict[str, list[str | None]]:
    """The partitions of each job, in the order of the plan."""
    found: dict[str, list[str | None]] = {}
    for job, partition in plan(project.partitions, [benchmark], names or FIRST_ARMS):
        found.setdefault(job, []).append(partition)
    return found


def test_arms_are_compared_where_one_to_compare_with_is_among_them(project: SmallProject) -> None:
    alone = next(arm.name for arm in ARMS.values() if arm.name not in COMPARED_WITH)
    assert "compare_arms" not in planned(project, ANIMAL_QUIZ, alone)
    for other in COMPARED_WITH:
        assert planned(project, ANIMAL_QUIZ, alone, other)["compare_arms"] == [ANIMAL_QUIZ]


def test_a_benchmark_with_a_graph_needs_the_graph_first(project: SmallProject) -> None:
    scored = next(arm for arm in arms(triples=True, scores=True) if arm.name in COMPARED_WITH)
    steps = list(plan(project.partitions, [ANIMAL_QUIZ], [scored.name]))
    pair = f"{scored.retrieval}|{ANIMAL_QUIZ}"
    assert steps == [
        ("ingest_corpus", LAND),
        ("ingest_corpus", SEA),
        ("index_corpus", "animals"),
        ("build_graph", NATURE),
        ("prepare_benchmark", ANIMAL_QUIZ),
        ("rank_triples", ANIMAL_QUIZ),
        ("rank_chunks", pair),
        ("rerank_evidence", pair),
        ("run_uscrake", f"{scored.name}|{ANIMAL_QUIZ}"),
        ("compare_arms", ANIMAL_QUIZ),
        ("record_published", None),
    ]


def test_without_a_graph_what_only_triples_need_is_left_out(project: SmallProject) -> None:
    """No chunk is scored together with triples that there are not: with a cross-encoder that takes hours."""
    found = planned(project, MINERAL_QUIZ, *ARMS)
    assert found["ingest_corpus"] == [ROCKS]
    assert "build_graph" not in found
    assert "rerank_evidence" not in found
    plain = arms(triples=False)
    assert found["run_uscrake"] == [f"{arm.name}|{MINERAL_QUIZ}" for arm in plain]
    retrievals = dict.fromkeys(arm.retrieval for arm in plain)
    assert found["rank_chunks"] == [f"{retrieval}|{MINERAL_QUIZ}" for retrieval in retrievals]
    # The empty tables of a benchmark without a graph are what its experiments wait for.
    assert found["rank_triples"] == [MINERAL_QUIZ]


def test_each_ranking_is_made_and_scored_once(project: SmallProject) -> None:
    found = planned(project, ANIMAL_QUIZ, *ARMS)
    assert found["run_uscrake"] == [f"{arm}|{ANIMAL_QUIZ}" for arm in ARMS]
    for job, read in (("rank_chunks", arms()), ("rerank_evidence", arms(scores=True))):
        expected = {f"{arm.retrieval}|{ANIMAL_QUIZ}" for arm in read}
        assert set(found[job]) == expected
        assert len(found[job]) == len(expected)


def test_benchmarks_of_one_corpus_and_graph_build_them_once(project: SmallProject) -> None:
    steps = list(plan(project.partitions, [ANIMAL_QUIZ, MINERAL_QUIZ, ANIMAL_QUIZ]))
    assert steps.count(("build_graph", NATURE)) == 1
    assert steps.count(("index_corpus", "animals")) == steps.count(("ingest_corpus", LAND)) == 1


def test_jobs_stand_in_the_order_of_a_first_run(project: SmallProject) -> None:
    definitions = project.definitions()
    graph = definitions.resolve_asset_graph()
    place = {
        key: number
        for number, job in enumerate(jobs())
        for key in definitions.resolve_job_def(job.name).asset_layer.selected_asset_keys
    }
    for key, number in place.items():
        for parent in graph.get(key).parent_keys:
            assert place.get(parent, -1) <= number, f"{key} is made before {parent}"
    order = list(dict.fromkeys(job for job, _ in plan(project.partitions, [ANIMAL_QUIZ])))
    assert set(order) == {job.name for job in jobs()}


@pytest.mark.parametrize(
    ("benchmarks", "names", "said"),
    [
        (["unheard_of"], FIRST_ARMS, "names no benchmark unheard_of"),
        ([ANIMAL_QUIZ], ["b@x", "a@x"], "no arm a@x, b@x; there are "),
    ],
)
def test_unknown_names_are_refused_before_anything_runs(
    project: SmallProject,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    benchmarks: list[str],
    names: list[str],
    said: str,
) -> None:
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    monkeypatch.setenv("EVIDENCE_SOURCES", str(project.configuration))
    monkeypatch.setattr(dg.DagsterInstance, "get", dg.DagsterInstance.ephemeral)
    with pytest.raises(LookupError, match=said):
        next(materialize_benchmarks(benchmarks, names))
    assert not project.lake_folder.exists()
