"""Two writers of one partition in an object store: one wins, and its record is the one that counts."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from evidence_assets.lake import records
from evidence_assets.lake.conditional_writes import ConcurrentWriteError, read_unreplaced
from evidence_assets.lake.filesystem import atomic_output
from evidence_assets.lake.lake import Lake, PartitionVersion, WrittenPartition
from evidence_assets.lake.parquet import write_sorted
from evidence_assets.lake.schemas import REJECTED_RECORDS

pytestmark = pytest.mark.integration
_ROOTS = itertools.count()
PLACE = {"source": "a"}
ROUNDS = 200

# Each line read is a round: write the writer's own rows, record them, say how it went.
WRITER = """
import sys, time
import pyarrow as pa
from evidence_assets.lake.conditional_writes import ConcurrentWriteError
from evidence_assets.lake.lake import Lake, PartitionVersion
from evidence_assets.lake.schemas import REJECTED_RECORDS
name, root = sys.argv[1:]
for line in sys.stdin:
    number, wait = line.split()
    lake, place = Lake(f"{root}/{number}"), {"source": "a"}
    own = {"source": "a", "reason": name, "remedy": "m", "source_uri": "u"}
    rows = [{**own, "record": f"{n:04}"} for n in range(300)]
    time.sleep(float(wait))
    try:
        made = lake.write(REJECTED_RECORDS, place, pa.Table.from_pylist(rows, schema=REJECTED_RECORDS.schema))
        lake.record(made, [PartitionVersion("from", name, name)], name, name)
        print("won", flush=True)
    except ConcurrentWriteError:
        print("lost", flush=True)
"""


def rows(reason: str) -> pa.Table:
    shared = {"source": "a", "record": "1", "remedy": "m", "source_uri": "u"}
    return pa.Table.from_pylist([{**shared, "reason": reason}], schema=REJECTED_RECORDS.schema)


@pytest.fixture
def root(s3_client: Any) -> str:
    return f"s3://lake/concurrent {next(_ROOTS)}"


@pytest.mark.parametrize("stood", [False, True])
def test_who_comes_second_fails_and_changes_nothing(root: str, stood: bool) -> None:
    lake = Lake(root)
    if stood:
        lake.write(REJECTED_RECORDS, PLACE, rows("before"))
    path = lake.file(REJECTED_RECORDS, PLACE)
    with (
        pytest.raises(ConcurrentWriteError, match="remedy"),
        atomic_output(lake.filesystem, path, exclusive=True) as file,
    ):
        file.write(b"second")
        Lake(root).write(REJECTED_RECORDS, PLACE, rows("first"))
    assert lake.read(REJECTED_RECORDS, PLACE).column("reason").to_pylist() == ["first"]


def test_what_was_to_be_replaced_and_is_gone_is_not_written(root: str) -> None:
    lake = Lake(root)
    path = lake.write(REJECTED_RECORDS, PLACE, rows("before")).path
    with pytest.raises(ConcurrentWriteError), atomic_output(lake.filesystem, path, exclusive=True) as file:
        file.write(b"second")
        Lake(root).delete(REJECTED_RECORDS, PLACE)
    assert not lake.exists(REJECTED_RECORDS, PLACE)


def test_the_same_rows_twice_are_no_conflict(root: str) -> None:
    lake = Lake(root)

    def slowly() -> Any:
        yield rows("same")
        Lake(root).write(REJECTED_RECORDS, PLACE, rows("same"))

    written = write_sorted(
        lake.filesystem, lake.file(REJECTED_RECORDS, PLACE), slowly(), REJECTED_RECORDS, exclusive=True
    )
    assert written.content_hash == lake.version(REJECTED_RECORDS, PLACE).content_hash


@pytest.mark.parametrize("local", [False, True])
def test_rows_that_stand_no_more_are_not_recorded(root: str, tmp_path: Path, local: bool) -> None:
    lake = Lake(str(tmp_path) if local else root)
    first = lake.write(REJECTED_RECORDS, PLACE, rows("first"))
    second = lake.write(REJECTED_RECORDS, PLACE, rows("second"))
    lake.record(second, [], "2", "2")
    with pytest.raises(ConcurrentWriteError):
        lake.record(first, [], "1", "1")
    assert [row["code_version"] for row in records.all_records(lake)] == ["2"]


def test_a_file_that_is_replaced_while_it_is_read_is_read_again(root: str) -> None:
    lake = Lake(root)
    path = lake.write(REJECTED_RECORDS, PLACE, rows("first")).path
    replaced: list[WrittenPartition] = []

    def read(file: Any) -> bytes:
        if not replaced:
            replaced.append(Lake(root).write(REJECTED_RECORDS, PLACE, rows("second")))
        return bytes(file.read())

    content = read_unreplaced(lake.filesystem, path, read)
    assert replaced
    assert content == lake.filesystem.cat_file(path)
    assert lake.read(REJECTED_RECORDS, PLACE).column("reason").to_pylist() == ["second"]


def test_of_two_writers_one_wins_whole_in_every_round(root: str) -> None:
    chance = random.Random(11)
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, name, root],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        for name in ("left", "right")
    ]
    outcomes = []
    try:
        for number in range(ROUNDS):
            for writer in writers:
                assert writer.stdin is not None
                writer.stdin.write(f"{number} {chance.uniform(0, 0.01)}\n")
                writer.stdin.flush()
            replies = [writer.stdout.readline().strip() for writer in writers if writer.stdout is not None]
            assert set(replies) <= {"won", "lost"}, f"round {number}: {replies}"
            assert "won" in replies, f"round {number}: both lost"
            outcomes.append(replies)
            lake = Lake(f"{root}/{number}")
            standing = lake.version(REJECTED_RECORDS, PLACE)
            [winner] = set(lake.read(REJECTED_RECORDS, PLACE).column("reason").to_pylist())
            newest = max(records.all_records(lake), key=lambda row: row["materialized_at"])
            assert newest["content_hash"] == standing.content_hash
            assert lake.made_from(standing) == [PartitionVersion("from", winner, winner)]
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    # That the writers met at all: else nothing was tried.
    assert sum("lost" in round_replies for round_replies in outcomes) > ROUNDS // 10
