"""A full disk, a lake that takes no files, a clock set back, two writers at once, a lake that was moved."""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pyarrow as pa
import pytest

from evidence_assets.lake import catalogue
from evidence_assets.lake import lake as lake_module
from evidence_assets.lake.conditional_writes import ConcurrentWriteError
from evidence_assets.lake.full_disk import FullDiskError
from evidence_assets.lake.lake import Lake, PartitionVersion, ReadOnlyLakeError
from evidence_assets.lake.schemas import REJECTED_RECORDS
from evidence_assets_tests.testing.table_rows import table_of
from evidence_assets_tests.testing.tiny_lake import TinyLake

PLACE = {"source": "s"}
ROUNDS = int(os.environ.get("EVIDENCE_WRITER_ROUNDS", "20"))
NOBODY = 65_534


def rows(mark: str, count: int = 10) -> pa.Table:
    """Rows of one writer, that do not compress away."""
    return table_of(
        REJECTED_RECORDS,
        *(
            {
                "source": "s",
                "record": f"{n:05}",
                "reason": mark,
                "remedy": os.urandom(32).hex(),
                "source_uri": "",
            }
            for n in range(count)
        ),
    )


def marks(lake: Lake) -> list[str]:
    reasons: list[str] = lake.read(REJECTED_RECORDS, PLACE).column("reason").unique().to_pylist()
    return reasons


def in_a_process(work: Callable[[], None]) -> int:
    """Do something in a forked process; return its exit status, 0 where nothing was raised."""
    process = os.fork()
    if process == 0:
        try:
            work()
            os._exit(0)
        except AssertionError:
            os._exit(1)
        except BaseException:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def test_a_full_disk_leaves_the_old_partition_and_nothing_else(lake: Lake) -> None:
    lake.write(REJECTED_RECORDS, PLACE, rows("old"))
    before = {path: path.read_bytes() for path in Path(lake.path).rglob("*") if path.is_file()}

    def fill() -> None:
        # A write beyond the limit fails as one to a full disk does, with an error of the system's.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        with pytest.raises(FullDiskError, match=r"/source=s: the disk is full; remedy: make room there"):
            lake.write(REJECTED_RECORDS, PLACE, rows("new", 20_000))

    assert in_a_process(fill) == 0
    assert {path: path.read_bytes() for path in Path(lake.path).rglob("*") if path.is_file()} == before
    lake.write(REJECTED_RECORDS, PLACE, rows("new", 20_000))
    assert marks(lake) == ["new"]


@pytest.fixture
def lake_for_everybody() -> Iterator[Lake]:
    """A lake in a folder that every user may look into, unlike pytest's own."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Lake(folder)


def test_a_lake_that_takes_no_files_is_read_and_refused_by_name(lake_for_everybody: Lake) -> None:
    lake = lake_for_everybody
    lake.write(REJECTED_RECORDS, PLACE, rows("old"))
    folders = [Path(lake.path), *(path for path in Path(lake.path).rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(0o555)

    def work() -> None:
        # Whoever may do anything would not see the difference.
        if os.geteuid() == 0:
            os.setuid(NOBODY)
        assert marks(lake) == ["old"]
        with pytest.raises(ReadOnlyLakeError, match=r"cannot be written.*remedy"):
            lake.check_writable()
        with pytest.raises(OSError, match="denied"):
            lake.write(REJECTED_RECORDS, PLACE, rows("new"))

    try:
        assert in_a_process(work) == 0
    finally:
        for folder in folders:
            folder.chmod(0o755)
    assert marks(lake) == ["old"]


class _EarlierClock(datetime):
    """A clock that was set back by a year."""

    @classmethod
    def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
        return datetime.now(UTC) - timedelta(days=365)


def test_a_clock_set_back_changes_nothing_but_what_it_says(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = PartitionVersion("articles", "shard=a", "0" * 32)
    lake.record(lake.write(REJECTED_RECORDS, PLACE, rows("first")), [source], "run 1", "1")
    first = lake.version(REJECTED_RECORDS, PLACE)
    monkeypatch.setattr(lake_module, "datetime", _EarlierClock)
    lake.record(lake.write(REJECTED_RECORDS, PLACE, rows("second")), [source], "run 2", "2")
    noted = lake.recorded(REJECTED_RECORDS, PLACE)
    assert noted is not None
    assert (noted["run_id"], noted["code_version"]) == ("run 2", "2")
    earlier = lake.record_of(first)
    assert earlier is not None
    assert earlier["run_id"] == "run 1"
    assert earlier["materialized_at"] > noted["materialized_at"], "the clock was set back"
    assert lake.made_from(lake.version(REJECTED_RECORDS, PLACE)) == [source]


def _write(root: str, mark: str, together: Barrier, done: Barrier) -> None:
    lake = Lake(root)
    for number in range(ROUNDS):
        data = rows(f"{mark}{number}", 2_000)
        together.wait(120)
        # Where the other's rows stand by now, it is the other that is recorded.
        with suppress(ConcurrentWriteError):
            lake.record(lake.write(REJECTED_RECORDS, PLACE, data), [], f"{mark}{number}", mark)
        done.wait(120)
        together.wait(120)


@pytest.mark.integration
def test_of_two_writers_of_one_partition_one_wins_whole(lake: Lake) -> None:
    """`EVIDENCE_WRITER_ROUNDS` says how often."""
    context = multiprocessing.get_context("spawn")
    together, done = context.Barrier(3), context.Barrier(3)
    writers = [context.Process(target=_write, args=(lake.path, mark, together, done)) for mark in "ab"]
    for writer in writers:
        writer.start()
    won = []
    for number in range(ROUNDS):
        together.wait(120)
        done.wait(120)
        (mark,) = marks(lake)
        assert mark in {f"a{number}", f"b{number}"}
        assert lake.read(REJECTED_RECORDS, PLACE).num_rows == 2_000
        noted = lake.recorded(REJECTED_RECORDS, PLACE)
        assert noted is not None
        assert noted["run_id"] == mark, "the record is that of the writer who won"
        won.append(mark[0])
        together.wait(120)
    for writer in writers:
        writer.join(60)
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert not list(Path(lake.path).rglob("*.tmp"))


def test_a_lake_copied_elsewhere_is_the_same_lake(tiny: TinyLake, tmp_path: Path) -> None:
    moved = Lake(str(shutil.copytree(tiny.lake.path, tmp_path / "moved")))
    catalogue.build(moved)
    prediction = next(
        prediction_id for (_, question), prediction_id in tiny.predictions.items() if question == "heart"
    )
    traces = []
    for lake in (tiny.lake, moved):
        with catalogue.connect(lake) as connection:
            traces.append(connection.execute("SELECT * FROM trace(?) ORDER BY ALL", [prediction]).fetchall())
    assert traces[0] == traces[1]
    assert traces[0]
