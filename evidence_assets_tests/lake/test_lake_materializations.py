"""`materializations`: what was written, from what, by which code, once."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
import pytest

from evidence_assets.lake.lake import Lake, PartitionVersion, WrittenPartition
from evidence_assets.lake.schemas import MATERIALIZATIONS, PUBLISHED_SCORES, REJECTED_RECORDS

UPSTREAM = [PartitionVersion("chunks", "shard=b", "2"), PartitionVersion("articles", "shard=a", "1")]


def write(lake: Lake, source: str = "a", record: str = "1") -> WrittenPartition:
    row = {"source": source, "record": record, "reason": "r", "remedy": "m", "source_uri": "u"}
    rows = pa.Table.from_pylist([row], schema=REJECTED_RECORDS.schema)
    return lake.write(REJECTED_RECORDS, {"source": source}, rows)


def noted(lake: Lake) -> list[dict[str, Any]]:
    places = lake.partitions(MATERIALIZATIONS)
    return [row for place in places for row in lake.read(MATERIALIZATIONS, place).to_pylist()]


def test_a_write_is_noted_with_all_that_it_came_from(lake: Lake) -> None:
    written = write(lake)
    lake.record(written, UPSTREAM, "run 1", "v1", 2.5)
    [row] = noted(lake)
    when = row.pop("materialized_at")
    assert isinstance(when, datetime)
    assert len(row.pop("version")) == 32
    assert timedelta(0) <= datetime.now(UTC) - when < timedelta(minutes=1)
    assert row == {
        "table": "rejected_records",
        "partition": "source=a",
        "content_hash": written.version.content_hash,
        "rows": 1,
        "bytes": written.size,
        "run_id": "run 1",
        "code_version": "v1",
        "seconds": 2.5,
        "upstream": [
            {"table": "articles", "partition": "shard=a", "content_hash": "1"},
            {"table": "chunks", "partition": "shard=b", "content_hash": "2"},
        ],
        "source_files": None,
    }


def test_each_file_of_a_folder_is_noted_beside_the_folder(lake: Lake) -> None:
    folder = PartitionVersion("source_files", "articles", "files:1", (("a.md", "x"), ("b.md", "y")))
    lake.record(write(lake), [folder, *UPSTREAM], "run 1", "v1")
    [row] = noted(lake)
    assert row["source_files"] == [
        {"source": "articles", "name": "a.md", "content_hash": "x"},
        {"source": "articles", "name": "b.md", "content_hash": "y"},
    ]
    assert len(row["upstream"]) == 3


def test_nothing_changed_is_not_noted_again(lake: Lake) -> None:
    lake.record(write(lake), UPSTREAM, "run 1", "v1")
    before = noted(lake)
    lake.record(write(lake), UPSTREAM[::-1], "run 2", "v1")
    assert noted(lake) == before


@pytest.mark.parametrize(
    ("upstream", "code_version"),
    [
        (UPSTREAM, "v2"),
        (UPSTREAM[:1], "v1"),
        ([UPSTREAM[0], PartitionVersion("articles", "shard=a", "changed")], "v1"),
    ],
)
def test_other_code_or_inputs_are_noted_again(
    lake: Lake, upstream: list[PartitionVersion], code_version: str
) -> None:
    lake.record(write(lake), UPSTREAM, "run 1", "v1")
    lake.record(write(lake), upstream, "run 2", code_version)
    [row] = noted(lake)
    assert (row["run_id"], row["code_version"]) == ("run 2", code_version)
    assert len(row["upstream"]) == len(upstream)


def test_every_content_of_a_partition_is_kept(lake: Lake) -> None:
    for record in ("1", "2", "1"):
        lake.record(write(lake, record=record), [], f"run {record}", "v1")
    assert sorted(str(row["run_id"]) for row in noted(lake)) == ["run 1", "run 2"]


def test_a_table_without_partitions_is_noted(lake: Lake) -> None:
    written = lake.write(PUBLISHED_SCORES, {}, PUBLISHED_SCORES.schema.empty_table())
    lake.record(written, [], "run 1", "v1")
    assert noted(lake)[0]["partition"] == "(whole)"


@pytest.mark.parametrize(
    "source",
    ["a/b=c%", "..", "heart.md", "энциклопедия медицинских наук.xml", "医学百科全书第一卷人体解剖学与生理学"],
)
def test_partition_values_are_noted_as_they_are_written(lake: Lake, source: str) -> None:
    written = write(lake, source)
    lake.record(written, [], "run 1", "v1")
    assert noted(lake)[0]["partition"] == written.version.partition
