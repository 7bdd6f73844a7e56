"""Events in SQLite files: what stays open, what a killed process leaves, and that nothing else changes."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from sqlalchemy import NullPool, create_engine, text

from evidence_assets.orchestration.event_files import MOST_KEPT, kept_open, write_without_waiting

RUN_AND_DIE = """
import os, signal
import dagster as dg
from evidence_assets.orchestration.event_files import write_without_waiting

@dg.asset
def fish():
    pass

write_without_waiting()
with dg.DagsterInstance.get() as instance:
    assert dg.materialize([fish], instance=instance).success
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(autouse=True)
def written_without_waiting() -> Iterator[None]:
    write_without_waiting()
    write_without_waiting()
    yield
    while kept_open:
        kept_open.popitem()[1].close()


def open_files() -> list[str]:
    return list(kept_open)


def opened(path: Path) -> int:
    """Make a file with a log, a row in it, and return how SQLite waits for the disk."""
    # Dagster keeps no connection, either.
    with create_engine(f"sqlite:///{path}", poolclass=NullPool).connect() as connection:
        connection.execute(text("PRAGMA journal_mode = WAL"))
        connection.execute(text("CREATE TABLE IF NOT EXISTS fish (name TEXT)"))
        connection.execute(text("INSERT INTO fish VALUES ('carp')"))
        connection.commit()
        return int(connection.execute(text("PRAGMA synchronous")).scalar_one())


def test_a_commit_does_not_wait_and_a_close_does_not_tidy_up(tmp_path: Path) -> None:
    file, normal = tmp_path / "events.db", 1
    assert [opened(file), opened(file)] == [normal, normal]
    assert (tmp_path / "events.db-wal").stat().st_size > 0
    # Whoever opens the file finds what was written, in the file or in its log.
    with sqlite3.connect(file) as reader:
        assert reader.execute("SELECT count(*) FROM fish").fetchone() == (2,)


def test_the_files_opened_last_stay_open(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.db" for number in range(MOST_KEPT + 3)]
    for file in files:
        opened(file)
    opened(files[3])
    assert open_files() == [str(file) for file in [*files[4:], files[3]]]
    # A file that is let go is whole without its log.
    assert not (tmp_path / "0.db-wal").exists()


def test_a_store_in_memory_is_left_alone() -> None:
    with create_engine("sqlite://").connect() as connection:
        assert connection.execute(text("SELECT 1")).scalar_one() == 1
    assert open_files() == []


def test_a_file_that_is_none_fails_as_before(tmp_path: Path) -> None:
    (tmp_path / "events.db").write_bytes(b"no database, but long enough to be read as the header of one" * 20)
    with pytest.raises(Exception, match="file is not a database"):
        opened(tmp_path / "events.db")


def test_a_killed_process_loses_no_event(tmp_path: Path) -> None:
    (tmp_path / "dagster.yaml").write_text("telemetry:\n  enabled: false\n", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-c", RUN_AND_DIE],
        env={**os.environ, "DAGSTER_HOME": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert ran.returncode == -signal.SIGKILL, ran.stderr
    with dg.DagsterInstance.from_config(str(tmp_path)) as instance:
        assert instance.get_latest_materialization_event(dg.AssetKey("fish")) is not None
        [run] = instance.get_runs()
        assert run.status is dg.DagsterRunStatus.SUCCESS
