"""The same lake on an object store, over HTTP."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import s3fs

from evidence_assets.audit.integrity import check_lineage, check_offsets, check_references, check_rows
from evidence_assets.lake import catalogue
from evidence_assets.lake.declared_rows import TableContractError
from evidence_assets.lake.lake import Lake, MissingPartitionError
from evidence_assets.lake.schemas import CHUNKS, PREDICTIONS, REJECTED_RECORDS, TABLES_BY_NAME
from evidence_assets_tests.testing.table_rows import rejections
from evidence_assets_tests.testing.tiny_lake import ARMS, HEART_URI, TinyLake, build_tiny_lake

_ROOTS = itertools.count()


@pytest.fixture
def root(s3_client: object) -> str:
    """A root of the test's own; a space is part of it."""
    return f"s3://lake/root {next(_ROOTS)}"


@pytest.fixture(scope="module")
def stored(s3_client: object) -> Iterator[TinyLake]:
    yield build_tiny_lake("s3://lake/tiny")


def modified(client: Any, path: str) -> object:
    bucket, _, key = path.partition("/")
    head = client.head_object(Bucket=bucket, Key=key)
    return head["LastModified"], head["ETag"]


def test_write_read_list_and_delete(root: str) -> None:
    lake = Lake(root + "/")
    assert lake.uri == root
    assert lake.partitions(REJECTED_RECORDS) == []
    strange = ["a", "b/../c", "é 💓", "50%", "=*?[x]", "..", "+&#"]
    for source in strange:
        assert not lake.exists(REJECTED_RECORDS, {"source": source})
        lake.write(REJECTED_RECORDS, {"source": source}, rejections(source, "2", "1"))
    assert lake.partitions(REJECTED_RECORDS) == [{"source": source} for source in sorted(strange)]
    for source in strange:
        assert (
            lake.read(REJECTED_RECORDS, {"source": source}).to_pylist()
            == rejections(source, "1", "2").to_pylist()
        )
    assert [batch.num_rows for batch in lake.scan(REJECTED_RECORDS, {"source": "a"}, rows=1)] == [1, 1]
    lake.delete(REJECTED_RECORDS, {"source": "a"})
    assert {"source": "a"} not in lake.partitions(REJECTED_RECORDS)
    with pytest.raises(MissingPartitionError, match="remedy"):
        lake.read(REJECTED_RECORDS, {"source": "a"})


def test_equal_content_is_not_uploaded_again(root: str, s3_client: Any) -> None:
    lake = Lake(root)
    first = lake.write(REJECTED_RECORDS, {"source": "a"}, rejections("a", "1", "2"))
    before = modified(s3_client, first.path)
    again = lake.write(REJECTED_RECORDS, {"source": "a"}, rejections("a", "2", "1"))
    assert (first.changed, again.changed) == (True, False)
    assert (again.version, again.size) == (first.version, first.size)
    assert modified(s3_client, first.path) == before
    third = lake.write(REJECTED_RECORDS, {"source": "a"}, rejections("a", "3"))
    assert third.changed
    assert lake.read(REJECTED_RECORDS, {"source": "a"}).column("record").to_pylist() == ["3"]


def test_the_bytes_are_those_of_a_local_lake(root: str, tmp_path: Path, s3_client: Any) -> None:
    local = Lake(str(tmp_path)).write(REJECTED_RECORDS, {"source": "a"}, rejections("a", "1"))
    remote = Lake(root).write(REJECTED_RECORDS, {"source": "a"}, rejections("a", "1"))
    bucket, _, key = remote.path.partition("/")
    assert s3_client.get_object(Bucket=bucket, Key=key)["Body"].read() == Path(local.path).read_bytes()
    assert remote.version == local.version


def test_a_failed_write_uploads_nothing(root: str, s3_client: Any) -> None:
    lake = Lake(root)
    with pytest.raises(TableContractError):
        lake.write(REJECTED_RECORDS, {"source": "a"}, rejections("a", "1", "1"))
    listed = s3_client.list_objects_v2(Bucket="lake", Prefix=root.removeprefix("s3://lake/"))
    assert listed["KeyCount"] == 0


def test_a_write_is_noted_once(root: str) -> None:
    lake = Lake(root)
    for run, code, expected in [("1", "v1", "1"), ("2", "v1", "1"), ("3", "v2", "3")]:
        lake.record(lake.write(REJECTED_RECORDS, {"source": "a"}, rejections("a", "1")), [], run, code)
        table = TABLES_BY_NAME["materializations"]
        [place] = lake.partitions(table)
        assert lake.read(table, place).column("run_id").to_pylist() == [expected]


@pytest.mark.integration
def test_catalogue_sees_what_is_written_later_and_is_left_alone(root: str, s3_client: Any) -> None:
    lake = Lake(root)
    path = catalogue.build(lake)
    before = modified(s3_client, path)
    with catalogue.connect(lake) as connection:
        assert connection.execute("SELECT count(*) FROM rejected_records").fetchone() == (0,)
        lake.write(REJECTED_RECORDS, {"source": "a b"}, rejections("a b", "1"))
        assert connection.execute("SELECT count(*) FROM rejected_records").fetchone() == (1,)
    assert catalogue.build(lake) == path
    assert modified(s3_client, path) == before


def requests(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """What the store is asked from now on, counted by kind."""
    counted: Counter[str] = Counter()
    call = s3fs.S3FileSystem._call_s3

    async def counting(self: object, method: str, *arguments: object, **options: object) -> object:
        counted[method] += 1
        return await call(self, method, *arguments, **options)

    monkeypatch.setattr(s3fs.S3FileSystem, "_call_s3", counting)
    return counted


def test_a_catalogue_that_is_right_is_opened_by_a_few_requests(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lake = Lake(root)
    catalogue.build(lake)
    counted = requests(monkeypatch)
    with catalogue.connect(lake) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    assert set(counted) == {"get_object", "head_object"}
    assert counted["get_object"] <= 2
    assert counted["head_object"] <= 4


def test_a_query_asks_for_no_file_by_name_that_it_listed(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lake = Lake(root)
    for number in range(8):
        lake.write(REJECTED_RECORDS, {"source": f"s{number}"}, rejections(f"s{number}", "1"))
    with catalogue.connect(lake) as connection:
        counted = requests(monkeypatch)
        assert connection.execute("SELECT count(*) FROM rejected_records").fetchone() == (8,)
        assert set(counted) == {"get_object", "list_objects_v2"}
        assert counted["list_objects_v2"] <= 2
        # What stands there by the next query counts, not what was listed before.
        lake.delete(REJECTED_RECORDS, {"source": "s0"})
        lake.write(REJECTED_RECORDS, {"source": "s1"}, rejections("s1", *map(str, range(500))))
        assert connection.execute("SELECT count(*) FROM rejected_records").fetchone() == (506,)


@pytest.mark.integration
def test_trace_and_impact_read_through_the_store(stored: TinyLake) -> None:
    prediction = stored.predictions[ARMS[0], "heart"]
    with catalogue.connect(stored.lake) as connection:
        rows = connection.execute(
            "SELECT evidence_text, source_text FROM trace(?) WHERE role = 'given'", [prediction]
        ).fetchall()
        prediction_ids = connection.execute(
            "SELECT DISTINCT prediction_id FROM impact(?) ORDER BY 1", [HEART_URI]
        ).fetchall()
    assert [text for text, _ in rows] == [stored.sentences[n].text for n in (0, 2, 1)]
    assert all(source == text for text, source in rows)
    assert prediction_ids == sorted((stored.predictions[arm, "heart"],) for arm in ARMS)


@pytest.mark.integration
def test_checks_of_rows_offsets_and_lineage_pass(stored: TinyLake) -> None:
    lake = stored.lake
    for table in TABLES_BY_NAME.values():
        for place in lake.partitions(table):
            assert list(check_rows(lake, table, place)) == []
    assert list(check_offsets(lake, lake.partitions(CHUNKS)[0])) == []
    for place in lake.partitions(PREDICTIONS):
        assert list(check_lineage(lake, place)) == []


@pytest.mark.integration
def test_check_of_references_passes(stored: TinyLake) -> None:
    for place in stored.lake.partitions(CHUNKS):
        assert list(check_references(stored.lake, CHUNKS, place)) == []


@pytest.mark.integration
@pytest.mark.parametrize("looked", ["partitions", "catalogue"])
def test_what_another_process_replaced_is_read(root: str, s3_client: Any, looked: str) -> None:
    """A process that listed the lake before must see the new content, not a stale listing."""
    lake, place = Lake(root), {"source": "a"}
    path = lake.write(REJECTED_RECORDS, place, rejections("a", "old")).path
    newer = Lake(root + "/of another process").write(REJECTED_RECORDS, place, rejections("a", "new", "newer"))
    if looked == "partitions":
        assert lake.partitions(REJECTED_RECORDS) == [place]
    else:
        with catalogue.connect(lake) as connection:
            assert connection.execute("SELECT record FROM rejected_records").fetchall() == [("old",)]
    keys = [written.partition("/")[2] for written in (newer.path, path)]
    s3_client.copy_object(Bucket="lake", CopySource={"Bucket": "lake", "Key": keys[0]}, Key=keys[1])
    assert lake.read(REJECTED_RECORDS, place).column("record").to_pylist() == ["new", "newer"]
