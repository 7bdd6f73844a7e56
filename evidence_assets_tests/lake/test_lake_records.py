"""All records of a lake at once: a snapshot spares reading them, and is never believed over a file."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evidence_assets.lake import catalogue, records
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import MATERIALIZATIONS, REJECTED_RECORDS

_ROOTS = itertools.count()
Make = Callable[[], Lake]


@pytest.fixture(autouse=True)
def small_lakes_have_snapshots(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for most_unread in ("UNREAD_FOR_A_SNAPSHOT", "UNREAD_IN_A_STORE"):
        monkeypatch.setattr(records, most_unread, 2)
    yield
    records._known_records.cache_clear()


@pytest.fixture(params=["local", pytest.param("s3", marks=pytest.mark.integration)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "local":
        return str(tmp_path / "lake")
    request.getfixturevalue("s3_client")
    return f"s3://lake/records {next(_ROOTS)}"


def write(lake: Lake, source: str, code_version: str = "1") -> None:
    row = {"source": source, "record": "1", "reason": "r", "remedy": "m", "source_uri": "u"}
    rows = pa.Table.from_pylist([row], schema=REJECTED_RECORDS.schema)
    lake.record(lake.write(REJECTED_RECORDS, {"source": source}, rows), [], "run", code_version)


def versions(lake: Lake) -> dict[str, str]:
    """Every record's code version by partition, as another process finds them."""
    records._known_records.cache_clear()
    return {row["partition"]: row["code_version"] for row in records.all_records(lake)}


def snapshot(lake: Lake) -> list[dict[str, Any]]:
    content = lake.filesystem.cat_file(f"{lake.path}/{records.SNAPSHOT}")
    rows: list[dict[str, Any]] = pq.read_table(pa.BufferReader(content)).to_pylist()
    return rows


def written_into_snapshot(lake: Lake, rows: list[dict[str, Any]]) -> None:
    schema = pq.read_schema(pa.BufferReader(lake.filesystem.cat_file(f"{lake.path}/{records.SNAPSHOT}")))
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), sink)
    lake.filesystem.pipe_file(f"{lake.path}/{records.SNAPSHOT}", sink.getvalue().to_pybytes())


def test_a_few_records_are_read_and_no_snapshot_is_written(place: str) -> None:
    lake = Lake(place)
    assert versions(lake) == {}
    for source in "ab":
        write(lake, source)
    assert versions(lake) == {"source=a": "1", "source=b": "1"}
    assert not lake.filesystem.exists(f"{lake.path}/{records.SNAPSHOT}")


def test_many_are_read_from_the_snapshot_and_their_files_are_not(place: str) -> None:
    lake = Lake(place)
    for source in "abc":
        write(lake, source)
    assert versions(lake) == {f"source={source}": "1" for source in "abc"}
    changed_rows = [{**row, "code_version": "as the snapshot says"} for row in snapshot(lake)]
    written_into_snapshot(lake, changed_rows)
    assert set(versions(lake).values()) == {"as the snapshot says"}


def test_what_changed_came_or_went_since_is_seen(place: str) -> None:
    lake = Lake(place)
    for source in "abcd":
        write(lake, source)
    versions(lake)
    write(lake, "a", "2")
    write(lake, "e")
    [gone] = [
        partition
        for partition in lake.partitions(MATERIALIZATIONS)
        if lake.read(MATERIALIZATIONS, partition).column("partition").to_pylist() == ["source=b"]
    ]
    lake.delete(MATERIALIZATIONS, gone)
    assert versions(lake) == {"source=a": "2", "source=c": "1", "source=d": "1", "source=e": "1"}


@pytest.mark.parametrize("content", [b"", b"PAR1 not really"])
def test_a_damaged_snapshot_is_written_anew(place: str, content: bytes) -> None:
    lake = Lake(place)
    for source in "abc":
        write(lake, source)
    versions(lake)
    lake.filesystem.pipe_file(f"{lake.path}/{records.SNAPSHOT}", content)
    assert len(versions(lake)) == 3
    assert len(snapshot(lake)) == 3


def test_the_snapshot_is_no_row_of_the_catalogue(place: str) -> None:
    lake = Lake(place)
    for source in "abc":
        write(lake, source)
    versions(lake)
    with catalogue.connect(lake) as connection:
        assert connection.execute("SELECT count(*) FROM materializations").fetchone() == (3,)
    assert len(lake.partitions(MATERIALIZATIONS)) == 3


def test_a_lake_that_was_copied_is_read_anew(tmp_path: Path) -> None:
    lake = Lake(str(tmp_path / "lake"))
    for source in "abc":
        write(lake, source)
    versions(lake)
    written_into_snapshot(lake, [{**row, "code_version": "old"} for row in snapshot(lake)])
    shutil.copytree(tmp_path / "lake", tmp_path / "copy")
    assert set(versions(Lake(str(tmp_path / "copy"))).values()) == {"1"}
