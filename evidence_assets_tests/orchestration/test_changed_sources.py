"""What is told of the files that a benchmark's answers rest on, where they are not as they were read."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from evidence_assets.cli.main import main
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.records import all_records
from evidence_assets.lake.schemas import ARTICLES, MATERIALIZATIONS, QUESTIONS
from evidence_assets.orchestration.changed_sources import changed_sources, in_one_line
from evidence_assets.sources import files, source_fingerprints
from evidence_assets.stages.declaration import Key
from evidence_assets_tests.testing.direct_runs import enter, make, workspace
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    LAND,
    MINERAL_QUIZ,
    ROCKS,
    SEA,
    SmallProject,
    write_small_project,
)

ARM = "uscrake/chunks_only_coverage@extractive"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallProject:
    """The small project with its articles and questions read, all of them as if a while ago."""
    written = enter(write_small_project(tmp_path / "project"), monkeypatch)
    monkeypatch.setattr(source_fingerprints, "_SETTLED_SECONDS", -60.0)
    at_work = workspace(written)
    read = [(ARTICLES, LAND), (ARTICLES, SEA), (ARTICLES, ROCKS)]
    read += [(QUESTIONS, ANIMAL_QUIZ), (QUESTIONS, MINERAL_QUIZ)]
    make(at_work, [(at_work.graph.writer(table), Key(name)) for table, name in read])
    return written


def changes(project: SmallProject, benchmark: str = ANIMAL_QUIZ, arm: str = ARM) -> list[str]:
    return changed_sources(workspace(project), benchmark, [arm])


def edit(project: SmallProject, shard: str, name: str) -> None:
    path = project.article(shard, name)
    path.write_text(path.read_text() + " It is so.", encoding="utf-8")


def test_nothing_is_told_of_sources_that_stand(project: SmallProject) -> None:
    assert changes(project) == changes(project, MINERAL_QUIZ) == []


def test_the_lake_s_records_are_read_once_for_all_gates(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    system, _, arm = ARM.partition("/")
    gate = {"system": system, "arm": arm, "least": {"accuracy": 0.1}}
    gates = [{**gate, "benchmark": benchmark} for benchmark in (ANIMAL_QUIZ, MINERAL_QUIZ)]
    path = project.folder / "gates.yaml"
    path.write_text(yaml.safe_dump({"gates": gates}), encoding="utf-8")
    read: list[Lake] = []

    def read_records(lake: Lake) -> list[dict[str, object]]:
        read.append(lake)
        return all_records(lake)

    monkeypatch.setattr("evidence_assets.lake.records.all_records", read_records)
    assert main(["gate", str(path)]) == 1
    assert "2 of 2 gates failed" in capsys.readouterr().out
    assert len(read) == 1


def test_a_file_that_was_edited_is_told_of_what_rests_on_it_alone(project: SmallProject) -> None:
    edit(project, "sea", "otter.md")
    assert changes(project) == ["file articles/sea changed (otter.md changed)"]
    assert changes(project, MINERAL_QUIZ) == []
    # A second look remembers the first, and is not misled by it.
    assert changes(project) == ["file articles/sea changed (otter.md changed)"]


def test_a_file_that_was_deleted_or_all_of_them_is_told(project: SmallProject) -> None:
    project.article("land", "fox.md").unlink()
    (project.folder / f"{ANIMAL_QUIZ}.jsonl").unlink()
    shutil.rmtree(project.folder / "articles" / "sea")
    assert set(changes(project)) == {
        "file articles/land changed (fox.md removed)",
        "file articles/sea is gone",
        f"file {ANIMAL_QUIZ}.jsonl is gone",
    }


def test_three_files_of_a_folder_are_named_and_the_others_counted(project: SmallProject) -> None:
    edit(project, "sea", "otter.md")
    for name in "zyx":
        project.article("sea", f"{name}.md").write_text(f"# {name}\n\nIt is new.", encoding="utf-8")
    [change] = changes(project)
    assert change == "file articles/sea changed (otter.md changed, x.md added, y.md added and 1 more)"


def test_a_lake_that_kept_no_files_tells_the_folder(project: SmallProject) -> None:
    lake = workspace(project).lake
    for place in lake.partitions(MATERIALIZATIONS):
        path = lake.file(MATERIALIZATIONS, place)
        footer = {
            key: value for key, value in pq.read_metadata(path).metadata.items() if key != b"ARROW:schema"
        }
        older = pq.read_table(path, partitioning=None).drop_columns(["source_files"])
        pq.write_table(older.replace_schema_metadata(footer), path)
    assert changes(project) == []
    edit(project, "sea", "otter.md")
    assert changes(project) == ["file articles/sea changed"]
    statuses = workspace(project).statuses(workspace(project).every_partition(), to_be_made=False)
    assert "file articles/sea changed" in {status.reason for status in statuses}


def test_what_comes_back_as_it_was_is_told_no_more(project: SmallProject) -> None:
    folder = project.folder / "articles" / "rocks"
    folder.rename(project.folder / "elsewhere")
    assert changes(project, MINERAL_QUIZ) == ["file articles/rocks is gone"]
    (project.folder / "elsewhere").rename(folder)
    assert changes(project, MINERAL_QUIZ) == []


def test_a_file_that_stands_as_it_was_is_not_read_again(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert changes(project) == []
    monkeypatch.setattr(files, "fingerprint", lambda uri: pytest.fail(f"{uri} was read again"))
    assert changes(project) == []


@pytest.mark.parametrize("moment", [1e9, 4e9], ids=["past", "to come"])
def test_a_file_s_time_says_nothing_of_what_it_holds(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch, moment: float
) -> None:
    """Archives and copying programs set it: to one long ago, or to come, and to the same after an edit."""
    article = project.article("sea", "otter.md")
    os.utime(article, (moment, moment))
    assert changes(project) == []
    with monkeypatch.context() as patch:
        patch.setattr(files, "contents_of", lambda uri: pytest.fail(f"{uri} was read again"))
        assert changes(project) == []
    article.write_text(article.read_text().swapcase(), encoding="utf-8")
    os.utime(article, (moment, moment))
    assert changes(project) == ["file articles/sea changed (otter.md changed)"]


@pytest.mark.parametrize("content", ["", "[]", '{"a": 1}', json.dumps({"a": ["x"]})])
def test_a_damaged_memory_is_an_empty_one(project: SmallProject, content: str) -> None:
    assert changes(project) == []
    memory = project.cache_folder / "source_fingerprints.json"
    memory.write_text(content, encoding="utf-8")
    assert changes(project) == []
    assert len(json.loads(memory.read_text())) == 3


def test_what_the_configuration_does_not_name_has_no_sources(project: SmallProject) -> None:
    edit(project, "sea", "otter.md")
    assert changes(project, "no_such_benchmark") == []
    assert changes(project, arm="uscrake/no_such_arm") == changes(project, arm="nobody/full") == []


def test_the_line_names_three_and_counts_the_others() -> None:
    line = in_one_line([f"file {name} changed" for name in "abcde"])
    assert "file a changed, file b changed, file c changed and 2 more since it was read; remedy: " in line
