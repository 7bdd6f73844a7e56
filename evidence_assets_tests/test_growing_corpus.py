"""A corpus by shards, grown, shrunk or of an earlier version: old files stay, a rebuild gives the bytes."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import dagster as dg
import pytest

from evidence_assets.cli.main import main
from evidence_assets.corpus.index import read_indexes
from evidence_assets.lake.lake import MissingPartitionError
from evidence_assets.systems.uscrake.arms import ARMS
from evidence_assets_tests.testing.direct_runs import enter
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    LAND,
    SEA,
    SmallProject,
    small_configuration,
    write_small_project,
    write_yaml,
)

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("small_project")]

ARM_NAMES = ("chunks_only_bm25@extractive", "chunks_only_coverage@extractive")
BY_SHARD = ("articles", "chunks", "chunk_embeddings", "shard_indexes", "shard_terms", "index_files")
BY_CORPUS = {"term_statistics", "gold_chunks", "chunk_pools"}


def named_for(sources: Sequence[str]) -> str:
    """A configuration's file: a process reads each but once."""
    return f"{'-'.join(sources)}.yaml"


def make(project: SmallProject, *sources: str) -> set[tuple[str, str]]:
    """Let the corpus have these sources, make what two arms need, and return what was made of the corpus."""
    configuration = small_configuration()
    named = configuration["corpora"]["animals"]["sources"]
    configuration["corpora"]["animals"]["sources"] = [source for source in named if source["name"] in sources]
    write_yaml(project.folder / named_for(sources), configuration)
    definitions = project.definitions(named_for(sources))
    job = definitions.resolve_job_def("run_uscrake_with_what_it_needs")
    made = set()
    with dg.DagsterInstance.ephemeral() as instance:
        for arm in ARM_NAMES:
            result = job.execute_in_process(instance=instance, partition_key=f"{arm}|{ANIMAL_QUIZ}")
            for event in result.all_events:
                if event.event_type == dg.DagsterEventType.ASSET_MATERIALIZATION and event.asset_key:
                    made.add((event.asset_key.to_user_string(), event.partition or ""))
    return {(asset, partition) for asset, partition in made if asset in {*BY_SHARD, *BY_CORPUS}}


def of_shard(project: SmallProject, shard: str) -> dict[str, tuple[int, str]]:
    """When each file of a shard was written, and its content."""
    files, modified = project.files(), project.modified()
    named = [name for name in files if f"shard={shard}/" in name and name.startswith(BY_SHARD)]
    return {name: (modified[name], files[name]) for name in named}


def rows(project: SmallProject) -> dict[str, str]:
    """Every file of the lake, but those that say when and where it was made."""
    left_out = ("materializations/", "cache/", "evidence.duckdb")
    return {name: content for name, content in project.files().items() if not name.startswith(left_out)}


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], dict[str, str]]:
    """What lakes made in one go hold, by their sources."""

    def built(sources: Sequence[str]) -> dict[str, str]:
        project = write_small_project(tmp_path_factory.mktemp("-".join(sources)) / "project")
        make(project, *sources)
        return rows(project)

    return {sources: built(sources) for sources in (("land",), ("land", "sea"))}


def test_an_added_shard_is_made_alone_and_a_removed_one_leaves_nothing(
    tmp_path: Path, rebuilt: dict[tuple[str, ...], dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {ARMS[arm].retrieval for arm in ARM_NAMES} == {"bm25", "coverage"}
    project = write_small_project(tmp_path / "project")
    make(project, "land")
    assert rows(project) == rebuilt["land",]
    land = of_shard(project, LAND)
    assert {name.partition("/")[0] for name in land} == set(BY_SHARD)

    made = make(project, "land", "sea")
    assert {asset for asset, key in made if key == SEA} == set(BY_SHARD) - {"index_files"}
    assert {asset for asset, key in made if key != SEA} == BY_CORPUS
    assert of_shard(project, LAND) == land
    assert rows(project) == rebuilt["land", "sea"]

    assert {asset for asset, _ in make(project, "land")} == BY_CORPUS
    assert of_shard(project, LAND) == land
    enter(project, monkeypatch)
    monkeypatch.setenv("EVIDENCE_SOURCES", str(project.folder / named_for(["land"])))
    assert main(["prune"]) == 0
    assert of_shard(project, SEA) == {}
    assert rows(project) == rebuilt["land",]


def test_a_lake_with_one_index_a_corpus_is_told_and_goes_on_by_shards(
    tmp_path: Path,
    rebuilt: dict[tuple[str, ...], dict[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As the version before kept indexes and counted terms: a corpus had one of each."""
    project = write_small_project(tmp_path / "project")
    make(project, "land", "sea")
    chunk_files = {
        name: modified for name, modified in project.modified().items() if name.startswith("chunks/")
    }
    index = "corpus=animals/0123456789abcdef"
    for table in ("shard_indexes", "shard_terms", "index_files"):
        shutil.rmtree(project.lake_folder / table)
    for name in (
        f"index_files/{index}.faiss",
        f"index_files/{index}.ids",
        "chunk_indexes/corpus=animals/data.parquet",
    ):
        (project.lake_folder / name).parent.mkdir(parents=True, exist_ok=True)
        (project.lake_folder / name).write_bytes(b"of the version before")
    enter(project, monkeypatch)
    monkeypatch.setenv("EVIDENCE_SOURCES", str(project.folder / named_for(["land", "sea"])))

    with pytest.raises(MissingPartitionError, match=r"shard_indexes has no partition .*animals.*; remedy: "):
        read_indexes(project.lake, project.lake, [{"corpus": "animals", "shard": LAND}], "any")
    assert main(["status"]) == 0
    output = capsys.readouterr().out
    assert "chunk_indexes: an earlier version's, no longer read; remedy: evidence-assets prune" in output
    shown = " ".join(output.split())
    for shard in (LAND, SEA):
        assert f"missing shard_indexes {shard} shard_indexes was removed from the lake" in shown
    assert "shard_indexes 1" in shown, "the other corpus was never asked for"

    made = make(project, "land", "sea")
    assert {(asset, key) for asset, key in made if asset in {"shard_indexes", "shard_terms"}} == {
        (asset, key) for asset in ("shard_indexes", "shard_terms") for key in (LAND, SEA)
    }
    assert main(["prune"]) == 0
    assert rows(project) == rebuilt["land", "sea"]
    assert chunk_files.items() <= project.modified().items()
    capsys.readouterr()
    assert main(["status"]) == 0
    assert "chunk_indexes" not in capsys.readouterr().out
