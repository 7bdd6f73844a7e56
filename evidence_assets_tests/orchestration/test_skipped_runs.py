"""Runs that were planned, and are skipped when what they read was made again to the same rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from evidence_assets.orchestration.runs import materialize_benchmarks
from evidence_assets.stages.freshness import State
from evidence_assets_tests.testing.direct_runs import enter, workspace
from evidence_assets_tests.testing.run_events import without_memory
from evidence_assets_tests.testing.small_project import (
    MINERAL_QUIZ,
    ROCKS,
    SmallProject,
    write_small_project,
)

pytestmark = pytest.mark.integration
ARM = "uscrake/chunks_only_coverage@extractive"
READ = ("ingest_corpus", ROCKS)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallProject:
    return without_memory(enter(write_small_project(tmp_path / "project"), monkeypatch), monkeypatch)


def runs(project: SmallProject, again: bool = False) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The runs that were made, and those that were skipped."""
    made: list[tuple[str, str]] = []
    skipped: list[tuple[str, str]] = []
    for job, partition, seconds in materialize_benchmarks(workspace(project), [MINERAL_QUIZ], [ARM], again):
        (skipped if seconds is None else made).append((job, partition))
    return made, skipped


def is_fresh(project: SmallProject) -> bool:
    at_work = workspace(project)
    every = at_work.statuses(at_work.every_partition(), to_be_made=False)
    return {status.state for status in every} == {State.FRESH, State.MISSING}


def test_what_reads_what_came_out_as_it_was_is_not_made_again(project: SmallProject) -> None:
    first, skipped = runs(project)
    assert len(first) > 4 and not skipped
    article = project.article("rocks", "salt.md")
    before = article.read_text(encoding="utf-8")

    article.write_text(before.rstrip() + "\n\n\n", encoding="utf-8")
    files = project.modified()
    assert not is_fresh(project)
    made, skipped = runs(project)
    assert made == [READ] and set(skipped) < set(first)
    assert is_fresh(project)
    changed = {name for name, when in project.modified().items() if files.get(name) != when}
    # Within the run, too: the chunks of the same articles stay.
    assert not [name for name in changed if name.startswith(("articles", "chunk", "shard_", "uscrake"))]

    article.write_text(before + "\n\nSalt is traded.\n", encoding="utf-8")
    made, skipped = runs(project)
    assert set(made) > {READ, ("run_uscrake", f"{ARM.partition('/')[2]}|{MINERAL_QUIZ}")}
    assert is_fresh(project)
    assert runs(project) == ([], [])


def test_what_is_to_be_made_again_is_made_whatever_stands(project: SmallProject) -> None:
    first, _ = runs(project)
    assert runs(project, again=True) == (first, [])
