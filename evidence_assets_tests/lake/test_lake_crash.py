"""What a killed process leaves: the old file or the new, and nothing that stays."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import fsspec
import pyarrow.parquet as pq
import pytest

from evidence_assets.lake.filesystem import atomic_output

pytestmark = pytest.mark.integration

LOCAL = fsspec.filesystem("file")

HOLD_OPEN = """
import sys, fsspec
from evidence_assets.lake.filesystem import atomic_output
with atomic_output(fsspec.filesystem("file"), sys.argv[1]) as file:
    file.write(b"half of it")
    file.flush()
    print("writing", flush=True)
    sys.stdin.readline()
    file.write(b", and the rest")
"""

WRITE_FOREVER = """
import sys
import pyarrow as pa
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import REJECTED_RECORDS
lake = Lake(sys.argv[1])
for version in range(10**9):
    rows = [{"source": "s", "record": f"{n:05}", "reason": str(version), "remedy": "", "source_uri": ""}
            for n in range(20_000)]
    lake.write(REJECTED_RECORDS, {"source": "s"}, pa.Table.from_pylist(rows, schema=REJECTED_RECORDS.schema))
    print(version, flush=True)
"""


def started(program: str, argument: object) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(argument)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    assert process.stdout.readline(), "the program died before it wrote"
    return process


def ended(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def test_a_killed_write_leaves_the_old_file_and_the_next_write_cleans_up(tmp_path: Path) -> None:
    path = tmp_path / "data.parquet"
    path.write_bytes(b"old")
    process = started(HOLD_OPEN, path)
    ended(process)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.rglob("*.parquet")) == [path]
    leftovers = set(tmp_path.iterdir()) - {path}
    assert [leftover.read_bytes() for leftover in leftovers] == [b"half of it"]
    with atomic_output(LOCAL, str(tmp_path / "other.parquet")) as file:
        file.write(b"other")
    assert {path.name for path in tmp_path.iterdir()} == {"data.parquet", "other.parquet"}


@pytest.mark.parametrize("name", ["data.parquet", "other.parquet"])
def test_live_processes_leave_each_other_alone(tmp_path: Path, name: str) -> None:
    theirs, ours = tmp_path / "data.parquet", tmp_path / name
    process = started(HOLD_OPEN, theirs)
    try:
        with atomic_output(LOCAL, str(ours)) as file:
            file.write(b"ours")
        assert ours.read_bytes() == b"ours"
        process.communicate("go on\n", timeout=300)
    finally:
        ended(process)
    assert process.returncode == 0
    assert theirs.read_bytes() == b"half of it, and the rest"
    assert {path.name for path in tmp_path.iterdir()} == {theirs.name, ours.name}


def test_files_that_are_not_ours_are_left_alone(tmp_path: Path) -> None:
    over = subprocess.Popen([sys.executable, "-c", ""])
    over.wait()  # its number names no process of this machine, and may name one of another
    of_another = f".data.parquet.another-machine.{over.pid}.tmp"
    others = [".hidden.tmp", ".tmp", "plain.tmp", of_another, f".a.b.{over.pid}.d.tmp"]
    for name in others:
        (tmp_path / name).write_bytes(b"")
    with atomic_output(LOCAL, str(tmp_path / "file")) as file:
        file.write(b"x")
    assert {path.name for path in tmp_path.iterdir()} == {*others, "file"}


def test_a_reader_sees_whole_versions_only_and_never_goes_back(tmp_path: Path) -> None:
    process = started(WRITE_FOREVER, tmp_path)
    seen: list[int] = []
    try:
        until = time.monotonic() + 120
        while len(set(seen)) < 8:
            assert time.monotonic() < until, "nothing is written while reading"
            rows = pq.read_table(tmp_path / "rejected_records" / "source=s" / "data.parquet")
            assert rows.num_rows == 20_000
            versions = rows.column("reason").unique().to_pylist()
            assert len(versions) == 1
            seen.append(int(versions[0]))
    finally:
        ended(process)
    assert seen == sorted(seen)


def test_a_kill_at_any_moment_leaves_one_whole_version(tmp_path: Path) -> None:
    chance = random.Random(5)
    folder = tmp_path / "rejected_records" / "source=s"
    for _ in range(4):
        process = started(WRITE_FOREVER, tmp_path)
        time.sleep(chance.uniform(0.0, 0.15))
        ended(process)
        rows = pq.read_table(folder / "data.parquet")
        assert rows.num_rows == 20_000
        assert len(rows.column("reason").unique()) == 1
        assert len(list(folder.iterdir())) <= 2, "leftovers of earlier kills pile up"
