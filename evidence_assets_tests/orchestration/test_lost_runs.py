"""What a run that was lost was to make, by the range of partitions that it was given."""

from __future__ import annotations

import dagster as dg
import pytest

from evidence_assets.orchestration.lost_runs import lost_parts
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.systems.registry import SYSTEMS
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    LAND,
    ROCKS,
    SEA,
    SmallProject,
    write_small_project,
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> SmallProject:
    return write_small_project(tmp_path_factory.mktemp("lost") / "project")


def lost(project: SmallProject, job: str, first: str, last: str) -> list[str]:
    tags = {"dagster/asset_partition_range_start": first, "dagster/asset_partition_range_end": last}
    with dg.DagsterInstance.ephemeral() as instance:
        return lost_parts(instance, stage_graph(project.project), SYSTEMS, dg.DagsterRun(job, tags=tags))


def test_a_range_of_shards_is_each_table_of_each_shard(project: SmallProject) -> None:
    parts = lost(project, "ingest_corpus", LAND, SEA)
    assert all(any(shard in part for part in parts if "articles" in part) for shard in (LAND, SEA))
    assert len(parts) == len(set(parts)) == 2 * len(lost(project, "ingest_corpus", SEA, SEA))
    assert not any(ROCKS in part for part in parts)


def test_a_range_of_pairs_is_each_pair(project: SmallProject) -> None:
    one = f"cosine|{ANIMAL_QUIZ}"
    parts = lost(project, "rank_chunks", one, one)
    assert parts
    assert all(one in part for part in parts)


@pytest.mark.parametrize(
    ("job", "gone"), [("ingest_corpus", "animals.air"), ("rank_chunks", f"gone|{ANIMAL_QUIZ}")]
)
def test_a_range_that_the_configuration_names_no_more_is_nothing(
    project: SmallProject, job: str, gone: str
) -> None:
    assert lost(project, job, gone, gone) == []
