"""For each kind of edit the exact partitions that are made again, and that a full rebuild gives their bytes.

Seed files, their prompts included, are edited in test_harvest_changes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import dagster as dg
import pytest

from evidence_assets.systems.registry import SYSTEMS
from evidence_assets.systems.uscrake.arms import ARMS
from evidence_assets_tests.testing.follower import Follower, Requested
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    MINERAL_QUIZ,
    NATURE,
    SEA,
    SmallProject,
    small_configuration,
    write_small_project,
    write_yaml,
)

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("small_project")]

BM25, COSINE = "chunks_only_bm25@extractive", "chunks_only_cosine@extractive"
TRIPLES = "triples_only@extractive"
NOTHING = "no_evidence@extractive"
# Of two benchmarks; the other arms, and the rankings that they read, are never made.
MADE = (
    (BM25, ANIMAL_QUIZ),
    (COSINE, ANIMAL_QUIZ),
    (TRIPLES, ANIMAL_QUIZ),
    (NOTHING, ANIMAL_QUIZ),
    (BM25, MINERAL_QUIZ),
)
ARTICLES = ("articles", "chunks", "chunk_embeddings", "shard_indexes", "shard_terms")
CORPUS = ("term_statistics",)
GRAPH = ("triples", "graph_concepts", "graph_conflicts")
INDEX = ("graph_nodes", "graph_aliases")
RANKED = ("ranked_chunks", "ranking_certificates")
EXPERIMENT = tuple(
    f"uscrake/{table}"
    for table in ("evidence", "selected_evidence", "chains", "predictions", "prediction_evidence")
)
SCORES = ("uscrake/benchmark_scores", "uscrake/question_scores")


def requests_of(assets: tuple[str, ...], *partitions: str) -> Requested:
    return {asset: set(partitions) for asset in assets}


def of_animals(*arms: str) -> tuple[str, ...]:
    return tuple(f"{arm}|{ANIMAL_QUIZ}" for arm in arms)


def rankings(*arms: str) -> tuple[str, ...]:
    return of_animals(*(str(ARMS[arm].retrieval) for arm in arms))


def make(project: SmallProject, instance: dg.DagsterInstance, definitions: dg.Definitions) -> None:
    job = definitions.resolve_job_def("run_uscrake_with_what_it_needs")
    for arm, benchmark in MADE:
        assert job.execute_in_process(instance=instance, partition_key=f"{arm}|{benchmark}").success


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    """Made from an empty lake, each arm by one click: to be copied, never changed."""
    project = write_small_project(tmp_path_factory.mktemp("made") / "project")
    with dg.DagsterInstance.ephemeral() as instance:
        make(project, instance, project.definitions())
    return project


def article(project: SmallProject) -> None:
    path = project.article("sea", "urchin.md")
    path.write_text(path.read_text(encoding="utf-8") + "\nSea urchins move on tube feet.\n", encoding="utf-8")


def triple(project: SmallProject) -> None:
    path = project.triples("facts")
    text = path.read_text(encoding="utf-8")
    assert "IsA\turchin\tanimal\n" in text
    path.write_text(text.replace("IsA\turchin\tanimal\n", ""), encoding="utf-8")


def question(project: SmallProject) -> None:
    path = project.questions(ANIMAL_QUIZ)
    path.write_text(path.read_text(encoding="utf-8").replace("raise its cubs", "bring up its cubs"))


def answer_key(project: SmallProject) -> None:
    path = project.questions(ANIMAL_QUIZ)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"answer_index": 0', '"answer_index": 1', 1), encoding="utf-8")


def configuration(project: SmallProject) -> None:
    changed: dict[str, Any] = small_configuration()
    changed["benchmarks"][MINERAL_QUIZ]["sample"] = 1
    write_yaml(project.folder / "changed.yaml", changed)


ALL_READ = (BM25, COSINE, TRIPLES)
QUIZ = ("questions", "gold_chunks", "chunk_pools", "ranked_triples")


@dataclass(frozen=True)
class Edit:
    """What is done to the project, what is made again for it, and by which configuration."""

    edit: Callable[[SmallProject], None]
    made: Requested
    configuration: str = "sources.yaml"


EDITS = {
    "an edited article": Edit(
        article,
        requests_of(ARTICLES, SEA)
        | requests_of(CORPUS, "animals")
        | requests_of(("gold_chunks", "chunk_pools"), ANIMAL_QUIZ)
        | requests_of(RANKED, *rankings(*ALL_READ))
        | requests_of(("reranked_evidence",), *rankings(TRIPLES))
        | requests_of((*EXPERIMENT, *SCORES), *of_animals(*ALL_READ)),
    ),
    "a removed triple": Edit(
        triple,
        requests_of((*GRAPH, *INDEX), NATURE)
        | requests_of(("ranked_triples",), ANIMAL_QUIZ)
        | requests_of(("reranked_evidence",), *rankings(TRIPLES))
        | requests_of((*EXPERIMENT, *SCORES), *of_animals(TRIPLES)),
    ),
    "a changed question": Edit(
        question,
        requests_of(QUIZ, ANIMAL_QUIZ)
        | requests_of(RANKED, *rankings(*ALL_READ))
        | requests_of(("reranked_evidence",), *rankings(TRIPLES))
        | requests_of((*EXPERIMENT, *SCORES), *of_animals(*ALL_READ, NOTHING)),
    ),
    "a corrected answer key": Edit(
        answer_key,
        requests_of(QUIZ, ANIMAL_QUIZ)
        # The others order the pools by their scores, and never look at the questions.
        | requests_of(RANKED, *rankings(TRIPLES))
        | requests_of(("reranked_evidence",), *rankings(TRIPLES))
        | requests_of((*EXPERIMENT, *SCORES), *of_animals(*ALL_READ, NOTHING)),
    ),
    "a changed configuration": Edit(
        configuration,
        requests_of(("questions", "gold_chunks", "chunk_pools"), MINERAL_QUIZ)
        | requests_of(RANKED, f"{ARMS[BM25].retrieval}|{MINERAL_QUIZ}")
        | requests_of((*EXPERIMENT, *SCORES), f"{BM25}|{MINERAL_QUIZ}"),
        "changed.yaml",
    ),
}


def rows(project: SmallProject) -> dict[str, str]:
    """Every file of the lake, but those that say when and where it was made."""
    left_out = ("materializations/", "cache/", "evidence.duckdb")
    return {name: content for name, content in project.files().items() if not name.startswith(left_out)}


def rebuilt(project: SmallProject, folder: Path, **configured: Any) -> SmallProject:
    """The same files, and a lake made from nothing in place of the project's."""
    anew = SmallProject(folder / "rebuilt")
    project.copy(anew.folder)
    for path in (anew.lake_folder, anew.cache_folder):
        path.rename(folder / f"old_{path.name}")
    with dg.DagsterInstance.ephemeral() as instance:
        make(anew, instance, anew.definitions(**configured))
    return anew


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_makes_what_read_it_and_exists_to_the_bytes_of_a_rebuild(
    name: str, made: SmallProject, tmp_path: Path
) -> None:
    case, project = EDITS[name], made.copy(tmp_path / "project")
    case.edit(project)
    definitions = project.definitions(case.configuration)
    with dg.DagsterInstance.ephemeral() as instance:
        follower = Follower(definitions, instance)
        assert follower.follow() == case.made
        assert follower.requested() == {}
    assert rows(project) == rows(rebuilt(project, tmp_path, configuration=case.configuration))


def test_a_changed_prompt_makes_the_arms_of_its_system_and_no_scores_of_what_answers_alike(
    made: SmallProject, tmp_path: Path
) -> None:
    """The wording of a system's prompts is a part of its version."""
    project = made.copy(tmp_path / "project")
    before = rows(project)
    systems = [
        replace(system, version=f"{system.version}-reworded") if system.name == "uscrake" else system
        for system in SYSTEMS
    ]
    with dg.DagsterInstance.ephemeral() as instance:
        follower = Follower(project.definitions(systems=systems), instance)
        animals = of_animals(*ALL_READ, NOTHING)
        assert follower.follow() == requests_of(EXPERIMENT, *animals, f"{BM25}|{MINERAL_QUIZ}")
        assert follower.requested() == {}
    assert {name for name, content in rows(project).items() if before[name] != content} <= {
        name for name in before if name.startswith("predictions/")
    }
    assert rows(project) == rows(rebuilt(project, tmp_path, systems=systems))
