"""Every call is kept, and answered from the lake: nothing is sent twice."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from evidence_assets.models.generation import recorded
from evidence_assets.models.generation.protocol import Outcome, Reply, Request, Sampling
from evidence_assets_tests.testing.recorded_samples import Engine, Project, asking, reply_to, texts


def test_every_call_is_a_row_that_says_what_was_asked_and_how_it_ended(project: Project) -> None:
    full_reply = Reply(Outcome.CUT_OFF, "Because", 7, 3, 4, -0.25, 1.5, 2, "")
    request = Request(
        "explain", "a" * 32, "Sys.", "Why? π", Sampling(3, 0.5, 0.9, ("END",), 4), {"type": "object"}
    )
    [recorded_reply] = project.over(Engine(lambda _: full_reply)).replies([request])
    assert recorded_reply == recorded.Recorded(request.request_hash("engine:model@r1"), full_reply, False)
    [row] = project.rows()
    assert row.pop("segment")
    assert row == {
        "request_hash": recorded_reply.request_hash,
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
    full_reply = Reply(outcome, "text" if outcome.is_text else "", 98, 3, None, -1.0, 2.0, 1, "said")
    [first] = project.over(Engine(lambda _: full_reply)).replies([asking("?")])
    engine = Engine()
    again = project.over(engine)
    [second] = again.replies([asking("?")])
    assert engine.requests == []
    assert (first.replayed, second.replayed) == (False, True)
    assert second.reply == first.reply == full_reply
    assert second.request_hash == first.request_hash
    assert (again.tally.replayed, again.tally.metadata()["requests_sent"]) == (1, 0)


@pytest.mark.parametrize("outcome", FAILURES)
def test_what_failed_is_kept_and_asked_again_and_the_reply_takes_its_place(
    project: Project, outcome: Outcome
) -> None:
    requests = [asking(user) for user in "abcd"]

    def half(request: Request) -> Reply:
        return Reply(outcome, error="down", attempts=3) if request.user in "bd" else reply_to(request)

    replies = project.over(Engine(half)).replies(requests)
    assert [recorded_reply.reply.outcome for recorded_reply in replies] == [Outcome.ANSWERED, outcome] * 2
    assert Counter(row["outcome"] for row in project.rows()) == {"answered": 2, str(outcome): 2}

    still = Engine(half)
    assert [recorded_reply.replayed for recorded_reply in project.over(still).replies(requests)] == [
        True,
        False,
    ] * 2
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
    replies = project.over(engine).replies(requests)
    assert engine.users == ["a", "b"]
    assert texts(replies) == [f"reply to {request.user}" for request in requests]
    assert len(project.rows()) == 2


@pytest.mark.parametrize(
    "different",
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
def test_requests_that_differ_are_not_equal(project: Project, different: Request) -> None:
    engine = Engine()
    project.over(engine).replies([asking("q"), different])
    assert len(engine.requests) == 2


def test_requests_that_differ_in_writing_alone_are_equal(project: Project) -> None:
    engine = Engine()
    twins = [
        asking("q", temperature=0, top_p=1),
        asking("q", temperature=0.0, top_p=1.0),
        # The prompt's name says where it is from, not what is asked.
        replace(asking("q"), task="other"),
    ]
    project.over(engine).replies(twins)
    assert len(engine.requests) == 1


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
    newer_engine = Engine(lambda _: Reply(Outcome.ANSWERED, "other"), generator_id="engine:model@r2")
    assert texts(project.over(newer_engine).replies([asking("q")])) == ["other"]
    assert texts(project.over(Engine()).replies([asking("q")])) == ["reply to q"]
    assert len(project.rows()) == 2


def test_requests_are_sent_in_the_order_of_their_texts(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorded, "WAVE_REQUESTS", 4)
    engine = Engine()
    requests = [asking(f"{n * 7 % 11}", system=f"system {n % 2}") for n in range(11)]
    replies = project.over(engine).replies(requests)
    sent = [(request.system, request.user) for request in engine.requests]
    assert sent == sorted(sent) and len(sent) == 11
    assert texts(replies) == [f"reply to {request.user}" for request in requests]


def test_only_what_gave_a_reply_is_noted_as_read(project: Project) -> None:
    for group in ("ab", "cd", "ef"):
        project.over(Engine()).replies([asking(user) for user in group])
    generator = project.over(Engine())
    generator.replies([asking("c"), asking("e")])
    assert len(project.used()) == 2
    project.check_reads()
    generator.replies([asking("c"), asking("g")])
    assert len(project.used()) == 3
    project.check_reads()


def test_what_was_read_before_is_still_noted(project: Project) -> None:
    generator = project.over(Engine())
    generator.replies([asking("a")])
    before = project.used()
    generator.replies([asking("b")])
    assert project.used()[:1] == before and len(project.used()) == 2


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

    generator = project.over(Engine(reply))
    generator.replies([asking("a")])
    generator.replies([asking("a"), asking("b"), asking("unsent")])
    shown = generator.tally.metadata()
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


def test_a_lake_that_was_moved_answers_still(project: Project, tmp_path: Path) -> None:
    project.over(Engine()).replies([asking("a")])
    moved = Project(shutil.copytree(tmp_path / "lake", tmp_path / "moved"))
    engine = Engine()
    assert texts(moved.over(engine).replies([asking("a")])) == ["reply to a"]
    assert engine.requests == []
