"""Every call is kept: nothing is sent twice, nothing that came is lost, no more is spent than may be."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from generation_server import Response, ScriptedServer, answer, status, user_text
from hypothesis import given, settings
from hypothesis import strategies as st

from evidence_assets.lake.lake import Lake, MissingPartitionError, partition_name
from evidence_assets.lake.schemas import GENERATIONS
from evidence_assets.models.generation import recorded
from evidence_assets.models.generation.openai_http import OpenAiGenerator, Patience
from evidence_assets.models.generation.protocol import Ability, Outcome, Reply, Request, Sampling
from evidence_assets.models.generation.recorded import Budget, BudgetSpentError, RecordedGenerator

QUICK = Patience(attempts=2, seconds=5.0, first_pause=0.001, longest_pause=0.002)
Answer = Callable[[Request], Reply]


def asking(user: str, system: str = "You answer.", **sampling: Any) -> Request:
    return Request("task", "0" * 32, system, user, Sampling(**{"max_tokens": 8, **sampling}))


def said(request: Request) -> Reply:
    return Reply(Outcome.ANSWERED, f"reply to {request.user}", prompt_tokens=5, completion_tokens=3)


class Engine:
    """Answers by a function, one by one; remembers what it was asked. `dies_after`: replies until it does."""

    name, model, revision, ability = "engine", "model", "r1", Ability()

    def __init__(
        self,
        reply: Answer = said,
        *,
        generator_id: str = "engine:model@r1",
        dies_after: int | None = None,
        death: BaseException | None = None,
        context_tokens: int = 100,
    ) -> None:
        self.generator_id, self.context_tokens = generator_id, context_tokens
        self.asked: list[Request] = []
        self.counted = 0
        self.closed = 0
        self._reply, self._left, self._death = reply, dies_after, death or RuntimeError("the engine died")

    @property
    def users(self) -> list[str]:
        return [request.user for request in self.asked]

    def count_tokens(self, request: Request) -> int:
        self.counted += 1
        return 5

    def generate(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        try:
            for number, request in enumerate(requests):
                if self._left is not None and len(self.asked) >= self._left:
                    raise self._death
                self.asked.append(request)
                yield number, self._reply(request)
        finally:
            self.closed += 1


class Project:
    """A lake, and what was written to it."""

    def __init__(self, folder: Path) -> None:
        self.lake = Lake(str(folder))
        self.written: list[Mapping[str, str]] = []

    def write(self, partition: Mapping[str, str], rows: pa.Table) -> None:
        self.lake.write(GENERATIONS, partition, rows)
        self.written.append(partition)

    def over(self, generator: Any, budget: Budget | None = None) -> RecordedGenerator:
        return RecordedGenerator(generator, self.lake, self.write, budget)

    def rows(self) -> list[dict[str, Any]]:
        fresh = Lake(self.lake.uri)
        return fresh.read_partitions(GENERATIONS, fresh.partitions(GENERATIONS)).to_pylist()

    def segments(self) -> list[dict[str, str]]:
        return self.lake.partitions(GENERATIONS)

    def check_reads(self) -> None:
        """What is noted as read stands in the lake, in the version that is noted."""
        for version in self.lake.reads:
            assert version.table == GENERATIONS.name
            [partition] = [one for one in self.segments() if partition_name(one) == version.partition]
            assert self.lake.version(GENERATIONS, partition) == version


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "lake")


def texts(found: Sequence[recorded.Recorded]) -> list[str]:
    return [one.reply.text for one in found]


def test_every_call_is_a_row_that_says_what_was_asked_and_how_it_ended(project: Project) -> None:
    whole = Reply(Outcome.CUT_OFF, "Because", 7, 3, 4, -0.25, 1.5, 2, "")
    request = Request(
        "explain", "a" * 32, "Sys.", "Why? π", Sampling(3, 0.5, 0.9, ("END",), 4), {"type": "object"}
    )
    [found] = project.over(Engine(lambda _: whole)).replies([request])
    assert found == recorded.Recorded(request.request_hash("engine:model@r1"), whole, False)
    [row] = project.rows()
    assert row.pop("segment")
    assert row == {
        "request_hash": found.request_hash,
        "generator": "engine:model@r1",
        "model": "model",
        "revision": "r1",
        "task": "explain",
        "prompt_hash": "a" * 32,
        "system": "Sys.",
        "user": "Why? π",
        "parameters": '{"max_tokens":3,"schema":{"type":"object"},"seed":4,"stop":["END"],'
        '"temperature":0.5,"top_p":0.9}',
        "outcome": "cut off at the token limit",
        "text": "Because",
        "prompt_tokens": 7,
        "completion_tokens": 3,
        "cached_tokens": 4,
        "log_probability": -0.25,
        "attempts": 2,
        "seconds": 1.5,
        "error": "",
    }


REPLIES = [outcome for outcome in Outcome if outcome.is_reply]
FAILURES = [outcome for outcome in Outcome if not outcome.is_reply]


@pytest.mark.parametrize("outcome", REPLIES)
def test_what_was_answered_is_answered_from_the_lake(project: Project, outcome: Outcome) -> None:
    # The longest prompt there may be: what was too long is so still.
    whole = Reply(outcome, "text" if outcome.is_text else "", 98, 3, None, -1.0, 2.0, 1, "said")
    [first] = project.over(Engine(lambda _: whole)).replies([asking("?")])
    engine = Engine()
    again = project.over(engine)
    [second] = again.replies([asking("?")])
    assert engine.asked == []
    assert (first.replayed, second.replayed) == (False, True)
    assert second.reply == first.reply == whole
    assert second.request_hash == first.request_hash
    assert (again.tally.replayed, again.tally.metadata()["requests_sent"]) == (1, 0)


@pytest.mark.parametrize("outcome", FAILURES)
def test_what_failed_is_kept_and_asked_again_and_the_reply_takes_its_place(
    project: Project, outcome: Outcome
) -> None:
    requests = [asking(user) for user in "abcd"]

    def half(request: Request) -> Reply:
        return Reply(outcome, error="down", attempts=3) if request.user in "bd" else said(request)

    found = project.over(Engine(half)).replies(requests)
    assert [one.reply.outcome for one in found] == [Outcome.ANSWERED, outcome] * 2
    assert Counter(row["outcome"] for row in project.rows()) == {"answered": 2, str(outcome): 2}

    still = Engine(half)
    assert [one.replayed for one in project.over(still).replies(requests)] == [True, False] * 2
    assert still.users == ["b", "d"]

    engine = Engine()
    assert texts(project.over(engine).replies(requests)) == [f"reply to {user}" for user in "abcd"]
    assert engine.users == ["b", "d"]
    rows = project.rows()
    assert sorted(row["user"] for row in rows) == list("abcd")
    assert {row["outcome"] for row in rows} == {"answered"}
    project.check_reads()


def test_a_later_failure_takes_no_replys_place(project: Project) -> None:
    project.over(Engine()).replies([asking("a")])
    failing = Engine(lambda _: Reply(Outcome.BUSY))
    project.over(failing).replies([asking("a"), asking("b")])
    assert texts(project.over(Engine()).replies([asking("a")])) == ["reply to a"]
    assert failing.users == ["b"]


def test_what_was_too_long_is_asked_again_once_it_fits(project: Project) -> None:
    too_long = Reply(Outcome.CONTEXT_TOO_LONG, prompt_tokens=95)
    project.over(Engine(lambda _: too_long, context_tokens=100)).replies([asking("?")])
    larger = Engine(context_tokens=103)
    assert texts(project.over(larger).replies([asking("?")])) == ["reply to ?"]
    assert [row["outcome"] for row in project.rows()] == ["answered"]


def test_equal_requests_are_sent_once_and_each_gets_the_reply(project: Project) -> None:
    engine = Engine()
    requests = [asking("b"), asking("a"), asking("b"), asking("b"), asking("a")]
    found = project.over(engine).replies(requests)
    assert engine.users == ["a", "b"]
    assert texts(found) == [f"reply to {request.user}" for request in requests]
    assert len(project.rows()) == 2


@pytest.mark.parametrize(
    "other",
    [
        asking("q "),
        asking("q", system="You answer"),
        asking("q", max_tokens=9),
        asking("q", temperature=0.1),
        asking("q", top_p=0.5),
        asking("q", stop=("a",)),
        asking("q", seed=1),
        replace(asking("q"), schema={}),
    ],
)
def test_requests_that_differ_are_not_equal(project: Project, other: Request) -> None:
    engine = Engine()
    project.over(engine).replies([asking("q"), other])
    assert len(engine.asked) == 2


def test_requests_that_differ_in_writing_alone_are_equal(project: Project) -> None:
    engine = Engine()
    twins = [
        asking("q", temperature=0, top_p=1),
        asking("q", temperature=0.0, top_p=1.0),
        # The prompt's name says where it is from, not what is asked.
        replace(asking("q"), task="other"),
    ]
    project.over(engine).replies(twins)
    assert len(engine.asked) == 1


@pytest.mark.parametrize(
    "sampling",
    [
        {"max_tokens": 0},
        {"temperature": -1},
        {"temperature": float("nan")},
        {"top_p": 0},
        {"top_p": 1.1},
        {"stop": ("",)},
        {"stop": "END"},
    ],
)
def test_a_sampling_that_draws_nothing_is_refused(sampling: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"drawn|stop"):
        Sampling(**sampling)


def test_another_generators_replies_are_its_own(project: Project) -> None:
    project.over(Engine()).replies([asking("q")])
    other = Engine(lambda _: Reply(Outcome.ANSWERED, "other"), generator_id="engine:model@r2")
    assert texts(project.over(other).replies([asking("q")])) == ["other"]
    assert texts(project.over(Engine()).replies([asking("q")])) == ["reply to q"]
    assert len(project.rows()) == 2


def test_requests_are_sent_in_the_order_of_their_texts(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded, "WAVE_REQUESTS", 4)
    engine = Engine()
    requests = [asking(f"{n * 7 % 11}", system=f"system {n % 2}") for n in range(11)]
    found = project.over(engine).replies(requests)
    sent = [(request.system, request.user) for request in engine.asked]
    assert sent == sorted(sent) and len(sent) == 11
    assert texts(found) == [f"reply to {request.user}" for request in requests]


def test_one_call_leaves_one_segment(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorded, "FLUSH_REPLIES", 3)
    project.over(Engine()).replies([asking(str(n)) for n in range(10)])
    assert len(project.written) == 4 + 1
    assert len(project.segments()) == 1
    assert len(project.rows()) == 10
    assert len(project.lake.reads) == 1
    project.check_reads()


def test_a_slow_engines_replies_are_written_as_they_come(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded, "FLUSH_SECONDS", 0.01)
    kept: list[int] = []

    def slow(request: Request) -> Reply:
        time.sleep(0.02)
        kept.append(len(project.rows()))
        return said(request)

    project.over(Engine(slow)).replies([asking(str(n)) for n in range(4)])
    assert kept == [0, 1, 2, 3]


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
    found = project.over(engine).replies(requests)
    assert engine.users == [str(n) for n in range(after, 10)]
    assert texts(found) == [f"reply to {n}" for n in range(10)]
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
    assert len(engine.asked) == len(project.rows()) == 3
    assert engine.closed == 1


def test_what_could_not_be_written_is_written_before_the_error_goes_on(project: Project) -> None:
    failures = [OSError("the disk is full")]

    def write(partition: Mapping[str, str], rows: pa.Table) -> None:
        if failures:
            raise failures.pop()
        project.write(partition, rows)

    own = RecordedGenerator(Engine(), project.lake, write)
    with pytest.raises(OSError, match="disk"):
        own.replies([asking(str(n)) for n in range(3)])
    assert texts(project.over(Engine(dies_after=0)).replies([])) == []
    engine = Engine()
    project.over(engine).replies([asking(str(n)) for n in range(3)])
    assert len(project.rows()) == 3


def test_a_process_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "lake"
    script = (
        "import sys, time\n"
        "import test_recorded_generation as own\n"
        "own.recorded.FLUSH_REPLIES = 5\n"
        "def slow(request):\n"
        "    time.sleep(0.02)\n"
        "    print(request.user, flush=True)\n"
        "    return own.said(request)\n"
        f"project = own.Project(own.Path({str(folder)!r}))\n"
        "project.over(own.Engine(slow)).replies([own.asking(f'{n:03}') for n in range(400)])\n"
    )
    paths = [str(Path(__file__).parent), *sys.path]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        for _ in range(23):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    project = Project(folder)
    kept = len(project.rows())
    assert kept >= 20
    engine = Engine()
    found = project.over(engine).replies([asking(f"{n:03}") for n in range(400)])
    assert engine.users == [f"{n:03}" for n in range(kept, 400)]
    assert texts(found) == [f"reply to {n:03}" for n in range(400)]
    assert len(project.rows()) == 400
    project.check_reads()


def test_a_run_killed_while_segments_are_joined_leaves_no_request_twice(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded, "FLUSH_REPLIES", 3)
    requests = [asking(str(n)) for n in range(10)]
    with monkeypatch.context() as patched:
        patched.setattr(Lake, "delete", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
        with pytest.raises(KeyboardInterrupt):
            project.over(Engine()).replies(requests)
    assert len(project.rows()) == 20
    project.lake.reads.clear()
    engine = Engine()
    assert texts(project.over(engine).replies(requests)) == [f"reply to {n}" for n in range(10)]
    assert engine.asked == []
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
    read = Lake.read

    def joined_first(lake: Lake, table: Any, partition: Mapping[str, str], columns: Any = None) -> pa.Table:
        monkeypatch.setattr(Lake, "read", read)
        rows = Lake(lake.uri).read_partitions(GENERATIONS, parts).to_pylist()
        whole = {**parts[0], "segment": "whole"}
        table_of_all = pa.Table.from_pylist(
            [{**row, "segment": "whole"} for row in rows], schema=GENERATIONS.schema
        )
        lake.write(GENERATIONS, whole, table_of_all)
        for part in parts:
            lake.delete(GENERATIONS, part)
        return lake.read(table, partition, columns)

    monkeypatch.setattr(Lake, "read", joined_first)
    engine = Engine()
    found = project.over(engine).replies([asking(str(n)) for n in range(6)])
    assert engine.asked == []
    assert texts(found) == [f"reply to {n}" for n in range(6)]
    assert [version.partition for version in project.lake.reads] == [
        partition_name({**parts[0], "segment": "whole"})
    ]


def test_only_what_gave_a_reply_is_noted_as_read(project: Project) -> None:
    for group in ("ab", "cd", "ef"):
        project.over(Engine()).replies([asking(user) for user in group])
    project.lake.reads.clear()
    project.over(Engine()).replies([asking("c"), asking("e")])
    assert len(project.lake.reads) == 2
    project.check_reads()
    project.over(Engine()).replies([asking("c"), asking("g")])
    assert len(project.lake.reads) == 3
    project.check_reads()


def test_what_was_read_before_is_still_noted(project: Project) -> None:
    project.lake.note_source("file", "1")
    before = list(project.lake.reads)
    project.over(Engine()).replies([asking("a")])
    assert list(project.lake.reads)[:1] == before


def test_progress_counts_to_the_end_and_replays_at_once(project: Project) -> None:
    shown: list[tuple[int, int]] = []
    requests = [asking(str(n)) for n in range(4)]
    project.over(Engine()).replies(requests[:2])
    project.over(Engine()).replies([*requests, *requests], lambda done, total: shown.append((done, total)))
    assert shown == [(2, 4), (3, 4), (4, 4)]


def test_nothing_asked_nothing_done(project: Project) -> None:
    assert project.over(Engine(dies_after=0)).replies([]) == []
    assert project.written == []


def test_the_tally_tells_what_was_sent(project: Project) -> None:
    def reply(request: Request) -> Reply:
        if request.user == "unsent":
            return Reply(Outcome.UNAVAILABLE, attempts=0)
        return Reply(Outcome.ANSWERED, "yes", 10, 2, 8)

    own = project.over(Engine(reply))
    own.replies([asking("a")])
    own.replies([asking("a"), asking("b"), asking("unsent")])
    shown = own.tally.metadata()
    assert shown.pop("seconds_generating") >= 0
    assert shown == {
        "requests_replayed": 1,
        "requests_sent": 2,
        "requests_not_sent": 1,
        "outcomes": {"answered": 2, "no server answers": 1},
        "prompt_tokens": 20,
        "completion_tokens": 4,
        "prefix_cache_hit_rate": 0.8,
    }


# Budgets.


def test_a_budget_stops_cleanly_and_the_next_run_goes_on(project: Project) -> None:
    requests = [asking(str(n)) for n in range(10)]
    sent: list[str] = []
    # At most 5 tokens of prompt and 8 of reply; really 3 of reply.
    for kept in (3, 6, 9):
        engine = Engine()
        with pytest.raises(BudgetSpentError, match=r"engine: .*of 30 tokens.*remedy"):
            project.over(engine, Budget(tokens=30)).replies(requests)
        sent += engine.users
        assert len(project.rows()) == kept
    engine = Engine()
    assert len(project.over(engine, Budget(tokens=30)).replies(requests)) == 10
    assert [*sent, *engine.users] == [str(n) for n in range(10)]


def test_the_calls_of_one_run_share_its_budget(project: Project) -> None:
    budget = Budget(tokens=30)
    project.over(Engine(), budget).replies([asking("a"), asking("b")])
    with pytest.raises(BudgetSpentError):
        project.over(Engine(), budget).replies([asking("c"), asking("d")])
    assert sorted(row["user"] for row in project.rows()) == list("abc")
    assert budget.used_tokens == 24


def test_replays_cost_nothing(project: Project) -> None:
    requests = [asking(str(n)) for n in range(10)]
    project.over(Engine()).replies(requests)
    budget = Budget(tokens=1, money=1e-9, prompt_price=1.0)
    assert len(project.over(Engine(), budget).replies(requests)) == 10
    assert (budget.used_tokens, budget.used_money) == (0, 0.0)


@pytest.mark.parametrize("outcome", [Outcome.ANSWERED, Outcome.EMPTY, Outcome.REFUSED, Outcome.INVALID_TEXT])
def test_where_nothing_is_said_of_tokens_the_most_is_counted(project: Project, outcome: Outcome) -> None:
    budget = Budget(tokens=30)
    with pytest.raises(BudgetSpentError):
        project.over(Engine(lambda _: Reply(outcome)), budget).replies([asking(str(n)) for n in range(10)])
    assert budget.used_tokens == 2 * (5 + 8)


def test_what_was_never_answered_costs_nothing(project: Project) -> None:
    budget = Budget(tokens=30)

    def reply(request: Request) -> Reply:
        return Reply(Outcome.UNAVAILABLE if int(request.user) % 2 else Outcome.CONTEXT_TOO_LONG)

    project.over(Engine(reply), budget).replies([asking(str(n)) for n in range(10)])
    assert budget.used_tokens == 0


def test_no_more_prompts_are_counted_than_can_be_paid(project: Project) -> None:
    engine = Engine()
    with pytest.raises(BudgetSpentError):
        project.over(engine, Budget(tokens=30)).replies([asking(str(n)) for n in range(1_000)])
    assert engine.counted < 20


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 30), st.integers(0, 12), st.integers(12, 20)), max_size=12),
    st.integers(0, 200),
    st.integers(0, 400),
    st.integers(1, 3),
)
def test_a_budget_is_never_overspent_and_what_can_be_sent_is(
    drawn: list[tuple[int, int, int]], tokens: int, money: int, wave: int
) -> None:
    """Whatever replies take of what they may: of the first request that is not sent, the budget says why."""
    prompt_price, reply_price = 2.0, 5.0
    requests = [asking(f"{n:02}", max_tokens=most) for n, (_, _, most) in enumerate(drawn)]

    class Counting(Engine):
        def count_tokens(self, request: Request) -> int:
            return drawn[int(request.user)][0]

    def reply(request: Request) -> Reply:
        prompt, written, _ = drawn[int(request.user)]
        return Reply(Outcome.ANSWERED, "x", prompt, written)

    budget = Budget(tokens, money / 1e6, prompt_price, reply_price)
    engine = Counting(reply)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setattr(recorded, "WAVE_REQUESTS", wave)
        project = Project(Path(folder))
        try:
            project.over(engine, budget).replies(requests)
        except BudgetSpentError:
            prompt, _, most = drawn[len(engine.asked)]
            over_tokens = tokens and budget.used_tokens + prompt + most > tokens
            cost = prompt * prompt_price + most * reply_price
            assert over_tokens or (money and budget.used_money * 1e6 + cost > money - 1e-6)
        else:
            assert len(engine.asked) == len(requests)
        assert not tokens or budget.used_tokens <= tokens
        assert not money or budget.used_money * 1e6 <= money + 1e-6
        assert budget.used_tokens == sum(
            prompt + written for prompt, written, _ in drawn[: len(engine.asked)]
        )
        assert len(project.rows()) == len(engine.asked)


# Any history of runs over one lake.

HISTORIES = st.lists(
    st.tuples(
        st.lists(st.integers(0, 7), max_size=8),  # what is asked
        st.sets(st.integers(0, 7), max_size=3),  # what fails
        st.none() | st.integers(0, 4),  # when the engine dies
    ),
    max_size=6,
)


@settings(max_examples=40, deadline=None)
@given(HISTORIES, st.integers(1, 4), st.integers(1, 4))
def test_whatever_happens_no_reply_is_asked_for_twice_and_none_is_lost(
    history: list[tuple[list[int], set[int], int | None]], flush: int, wave: int
) -> None:
    answered: dict[int, str] = {}
    serial = iter(range(10_000))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patched:
        patched.setattr(recorded, "FLUSH_REPLIES", flush)
        patched.setattr(recorded, "WAVE_REQUESTS", wave)
        for asked, failing, dies_after in history:
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
                found = project.over(engine).replies([asking(str(number)) for number in asked])
            except RuntimeError:
                continue
            for number, one in zip(asked, found, strict=True):
                assert one.reply.text == answered.get(number, "")
                assert one.reply.outcome is (Outcome.ANSWERED if number in answered else Outcome.TIMED_OUT)
            project.check_reads()
            # Of what a finished run asked, the lake holds each request once.
            rows = Counter(row["user"] for row in project.rows())
            assert all(rows[str(number)] == 1 for number in asked)
        kept = {int(row["user"]): row["text"] for row in Project(Path(folder)).rows() if row["text"]}
        assert kept == answered


# Over a server that fails in all manners.


def test_through_a_failing_server_everything_is_kept_and_nothing_paid_twice(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded, "FLUSH_REPLIES", 7)
    answered: Counter[str] = Counter()
    healthy = False

    def reply(body: dict[str, Any], attempt: int) -> Response | str:
        number = int(user_text(body))
        if not healthy and number % 3 == 0:
            return status(500 if number % 2 else 429)
        if number % 5 == 1 and not answered[user_text(body)] and attempt == 1:
            return Response(b"", drop=True)
        answered[user_text(body)] += 1
        return answer(user_text(body), delay=0.002)

    requests = [asking(f"{n:02}") for n in range(40)]
    with ScriptedServer(reply) as server:
        own = OpenAiGenerator("scripted", "model", server.url, concurrent=6, patience=QUICK)
        first = project.over(own).replies(requests)
        assert {one.reply.outcome for one in first} == {
            Outcome.ANSWERED,
            Outcome.BUSY,
            Outcome.UNAVAILABLE,
        }
        assert len(project.rows()) == 40
        healthy = True
        second = project.over(own).replies(requests)
        assert texts(second) == [f"{n:02}" for n in range(40)]
        assert [one.replayed for one in second] == [n % 3 != 0 for n in range(40)]
        asked = len(server.requests)
        third = project.over(own).replies(requests)
        assert len(server.requests) == asked
    assert [one.reply for one in third] == [one.reply for one in second]
    assert set(answered.values()) == {1} and len(answered) == 40
    assert len(project.rows()) == 40
    project.check_reads()


def test_a_reply_that_no_table_can_hold_costs_no_other_reply(project: Project) -> None:
    bad = (
        b'{"choices": [{"message": {"content": "\\ud83d"}}], "usage": {"prompt_tokens": 9999999999999999999}}'
    )

    def reply(body: dict[str, Any], attempt: int) -> Response | str:
        return Response(bad) if user_text(body) == "3" else "yes"

    with ScriptedServer(reply) as server:
        own = OpenAiGenerator("scripted", "model", server.url, patience=QUICK)
        found = project.over(own).replies([asking(str(n)) for n in range(6)])
    assert [one.reply.outcome for one in found].count(Outcome.ANSWERED) == 5
    assert found[3].reply.outcome is Outcome.INVALID_TEXT
    assert len(project.rows()) == 6


def test_the_key_is_in_no_file_of_the_lake(project: Project, tmp_path: Path) -> None:
    key = "sk-very-secret-0123456789"
    with ScriptedServer(lambda body, attempt: status(401, f"bad key {key}")) as server:
        own = OpenAiGenerator("scripted", "model", server.url, key=key, patience=QUICK)
        project.over(own).replies([asking("?")])
    [row] = project.rows()
    assert row["outcome"] == "request rejected" and "bad key" in row["error"]
    assert not any(key in str(value) for value in row.values())


def test_a_lake_that_was_moved_answers_still(project: Project, tmp_path: Path) -> None:
    project.over(Engine()).replies([asking("a")])
    moved = Project(shutil.copytree(tmp_path / "lake", tmp_path / "moved"))
    engine = Engine()
    assert texts(moved.over(engine).replies([asking("a")])) == ["reply to a"]
    assert engine.asked == []


def test_a_segment_lost_from_under_a_run_is_told(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments of the run itself are nobody else's to remove: it does not go on without them."""
    monkeypatch.setattr(recorded, "FLUSH_REPLIES", 2)

    def reply(request: Request) -> Reply:
        if request.user == "5":
            project.lake.delete(GENERATIONS, project.segments()[0])
        return said(request)

    with pytest.raises(MissingPartitionError):
        project.over(Engine(reply)).replies([asking(str(n)) for n in range(6)])
