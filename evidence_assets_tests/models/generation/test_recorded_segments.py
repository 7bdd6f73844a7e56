"""Whenever an engine, a caller or a process dies: nothing that came is lost, nothing is asked for twice."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.lake.lake import Lake, MissingPartitionError, partition_name
from evidence_assets.lake.schemas import GENERATIONS, Table
from evidence_assets.models.generation import recorded
from evidence_assets.models.generation.protocol import Outcome, Reply, Request
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.recorded_samples import Engine, Project, asking, reply_to, texts
from evidence_assets_tests.testing.table_rows import table_of


def test_one_call_leaves_one_segment(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded, "FLUSH_REPLIES", 3)
    project.over(Engine()).replies([asking(str(n)) for n in range(10)])
    assert len(project.written) == 4 + 1
    assert len(project.segments()) == 1
    assert len(project.rows()) == 10
    assert len(project.used()) == 1
    project.check_reads()


def test_a_slow_engines_replies_are_written_as_they_come(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded, "FLUSH_SECONDS", 0.01)
    row_counts: list[int] = []

    def slow(request: Request) -> Reply:
        time.sleep(0.02)
        row_counts.append(len(project.rows()))
        return reply_to(request)

    project.over(Engine(slow)).replies([asking(str(n)) for n in range(4)])
    assert row_counts == [0, 1, 2, 3]


@pytest.mark.parametrize("death", [RuntimeError("died"), KeyboardInterrupt(), SystemExit(1)])
@pytest.mark.parametrize("after", [0, 1, 5, 9])
def test_what_came_before_an_engine_dies_is_kept_and_the_rest_is_sent_next_time(
    project: Project, monkeypatch: pytest.MonkeyPatch, death: BaseException, after: int
) -> None:
    monkeypatch.setattr(recorded, "FLUSH_REPLIES", 4)
    requests = [asking(str(n)) for n in range(10)]
    with pytest.raises(type(death)) as caught:
        project.over(Engine(dies_after=after, death=death)).replies(requests)
    # While the error is still looked at: nothing waits for it to be forgotten.
    assert len(project.rows()) == after
    assert caught.value is death
    engine = Engine()
    replies = project.over(engine).replies(requests)
    assert engine.users == [str(n) for n in range(after, 10)]
    assert texts(replies) == [f"reply to {n}" for n in range(10)]
    assert len(project.rows()) == 10
    project.check_reads()


@pytest.mark.parametrize("interrupted", [RuntimeError("the screen is gone"), KeyboardInterrupt()])
def test_what_came_before_the_caller_dies_is_kept(project: Project, interrupted: BaseException) -> None:
    def progress(done: int, total: int) -> None:
        if done == 3:
            raise interrupted

    engine = Engine()
    with pytest.raises(type(interrupted)) as caught:
        project.over(engine).replies([asking(str(n)) for n in range(10)], progress)
    # The error, with all that hangs on it, is still held: what came is written all the same.
    assert caught.value is interrupted
    assert len(engine.requests) == len(project.rows()) == 3
    assert engine.closed == 1


def test_what_could_not_be_written_is_written_before_the_error_goes_on(project: Project) -> None:
    failures = [OSError("the disk is full")]

    def write(partition: Mapping[str, str], rows: pa.Table) -> None:
        if failures:
            raise failures.pop()
        project.write(partition, rows)

    generator = RecordedGenerator(Engine(), project.lake, write)
    with pytest.raises(OSError, match="disk"):
        generator.replies([asking(str(n)) for n in range(3)])
    assert texts(project.over(Engine(dies_after=0)).replies([])) == []
    engine = Engine()
    project.over(engine).replies([asking(str(n)) for n in range(3)])
    assert len(project.rows()) == 3


def test_a_process_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "lake"
    script = (
        "import sys, time\n"
        "from evidence_assets_tests.testing import recorded_samples as samples\n"
        "samples.recorded.FLUSH_REPLIES = 5\n"
        "def slow(request):\n"
        "    time.sleep(0.02)\n"
        "    print(request.user, flush=True)\n"
        "    return samples.reply_to(request)\n"
        f"project = samples.Project(samples.Path({str(folder)!r}))\n"
        "project.over(samples.Engine(slow)).replies([samples.asking(f'{n:03}') for n in range(400)])\n"
    )
    root = Path(__file__).parents[3]
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=root) as process:
        assert process.stdout is not None
        for _ in range(23):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    project = Project(folder)
    # The 23rd may not have been replied to; whatever was is in the lake or beside it.
    [left] = project.unrecorded.glob("*/*.replies")
    told = len(project.rows()) + left.read_bytes().count(b"\n")
    assert 22 <= told <= len(project.rows()) + 5
    engine = Engine()
    replies = project.over(engine).replies([asking(f"{n:03}") for n in range(400)])
    assert engine.users == [f"{n:03}" for n in range(told, 400)]
    assert not list(project.unrecorded.glob("*/*.replies"))
    assert texts(replies) == [f"reply to {n:03}" for n in range(400)]
    assert len(project.rows()) == 400
    project.check_reads()


def test_a_run_killed_while_segments_are_joined_leaves_no_request_twice(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded, "FLUSH_REPLIES", 3)
    requests = [asking(str(n)) for n in range(10)]
    delete = Lake.delete

    def killed(lake: Lake, table: Table, partition: Mapping[str, str]) -> None:
        if table is GENERATIONS:
            raise KeyboardInterrupt
        delete(lake, table, partition)

    with monkeypatch.context() as patched:
        patched.setattr(Lake, "delete", killed)
        with pytest.raises(KeyboardInterrupt):
            project.over(Engine()).replies(requests)
    assert len(project.rows()) == 20
    engine = Engine()
    assert texts(project.over(engine).replies(requests)) == [f"reply to {n}" for n in range(10)]
    assert engine.requests == []
    assert len(project.rows()) == 10
    project.check_reads()


def test_segments_that_another_process_joins_meanwhile_are_found_in_the_whole(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(RuntimeError):
        monkeypatch.setattr(recorded, "FLUSH_REPLIES", 2)
        project.over(Engine(dies_after=6)).replies([asking(str(n)) for n in range(10)])
    parts = project.segments()
    assert len(parts) == 3
    read = Lake.read_versioned

    def joined_first(lake: Lake, table: Any, partition: Mapping[str, str], columns: Any = None) -> Any:
        monkeypatch.setattr(Lake, "read_versioned", read)
        rows = Lake(lake.uri).read_partitions(GENERATIONS, parts).to_pylist()
        joined = {**parts[0], "segment": "whole"}
        table_of_all = table_of(GENERATIONS, *({**row, "segment": "whole"} for row in rows))
        lake.write(GENERATIONS, joined, table_of_all)
        for part in parts:
            lake.delete(GENERATIONS, part)
        return lake.read_versioned(table, partition, columns)

    monkeypatch.setattr(Lake, "read_versioned", joined_first)
    engine = Engine()
    replies = project.over(engine).replies([asking(str(n)) for n in range(6)])
    assert engine.requests == []
    assert texts(replies) == [f"reply to {n}" for n in range(6)]
    assert [version.partition for version in project.used()] == [
        partition_name({**parts[0], "segment": "whole"})
    ]


HISTORIES = st.lists(
    st.tuples(
        st.lists(st.integers(0, 7), max_size=8),  # what is asked
        st.sets(st.integers(0, 7), max_size=3),  # what fails
        st.none() | st.integers(0, 4),  # when the engine dies
    ),
    max_size=6,
)


@examples(40)
@given(HISTORIES, st.integers(1, 4), st.integers(1, 4))
def test_whatever_happens_no_reply_is_asked_for_twice_and_none_is_lost(
    history: list[tuple[list[int], set[int], int | None]], flush: int, wave: int
) -> None:
    answered: dict[int, str] = {}
    serial = iter(range(10_000))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setattr(recorded, "FLUSH_REPLIES", flush)
        patched.setattr(recorded, "WAVE_REQUESTS", wave)
        for numbers, failing, dies_after in history:
            project = Project(Path(folder))

            def reply(request: Request, failing: set[int] = failing) -> Reply:
                number = int(request.user)
                assert number not in answered
                if number in failing:
                    return Reply(Outcome.TIMED_OUT)
                answered[number] = f"reply {next(serial)}"
                return Reply(Outcome.ANSWERED, answered[number])

            engine = Engine(reply, dies_after=dies_after)
            try:
                replies = project.over(engine).replies([asking(str(number)) for number in numbers])
            except RuntimeError:
                continue
            for number, recorded_reply in zip(numbers, replies, strict=True):
                assert recorded_reply.reply.text == answered.get(number, "")
                assert recorded_reply.reply.outcome is (
                    Outcome.ANSWERED if number in answered else Outcome.TIMED_OUT
                )
            project.check_reads()
            # Of what a finished run asked, the lake holds each request once.
            rows = Counter(row["user"] for row in project.rows())
            assert all(rows[str(number)] == 1 for number in numbers)
        recorded_texts = {
            int(row["user"]): row["text"] for row in Project(Path(folder)).rows() if row["text"]
        }
        assert recorded_texts == answered


def test_a_segment_lost_from_under_a_run_is_told(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments of the run itself are nobody else's to remove: it does not go on without them."""
    monkeypatch.setattr(recorded, "FLUSH_REPLIES", 2)

    def reply(request: Request) -> Reply:
        if request.user == "5":
            project.lake.delete(GENERATIONS, project.segments()[0])
        return reply_to(request)

    with pytest.raises(MissingPartitionError):
        project.over(Engine(reply)).replies([asking(str(n)) for n in range(6)])
