"""Many requests to a server of the OpenAI protocol at once, and a server that is down."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.models.generation.openai_http import GIVES_UP_AFTER_ROUNDS, OpenAiGenerator, Patience
from evidence_assets.models.generation.protocol import Outcome, Reply
from evidence_assets_tests.testing.generation_server import (
    Response,
    ScriptedServer,
    answer,
    dropped,
    status,
    truncated,
    user_text,
)
from evidence_assets_tests.testing.openai_samples import QUICK, asking, generator
from evidence_assets_tests.testing.profiles import examples


@pytest.mark.parametrize("concurrent", [1, 3, 8])
def test_no_more_are_under_way_than_may_be(concurrent: int) -> None:
    with ScriptedServer(lambda body, attempt: answer(user_text(body), delay=0.03)) as server:
        replies = dict(generator(server, concurrent=concurrent).generate([asking(str(n)) for n in range(24)]))
        assert {number: reply.text for number, reply in replies.items()} == {n: str(n) for n in range(24)}
        assert server.most_at_once == concurrent
        if concurrent == 1:
            assert server.users == [str(n) for n in range(24)]


FAULTS = [status(500), status(429, retry_after="0.01"), dropped(), truncated("?"), truncated("?", lie=True)]


@examples(15)
@given(st.lists(st.lists(st.sampled_from(FAULTS), max_size=2), min_size=1, max_size=12))
def test_whatever_fails_on_the_way_each_request_is_answered_once_and_by_its_own_reply(
    faults: list[list[Response]],
) -> None:
    def reply(body: dict[str, Any], attempt: int) -> Response | str:
        responses = faults[int(user_text(body))]
        return responses[attempt - 1] if attempt <= len(responses) else f"reply {user_text(body)}"

    with ScriptedServer(reply) as server:
        quick = Patience(3, 5.0, 0.001, 0.002)
        replies = list(
            generator(server, quick, concurrent=4).generate([asking(str(n)) for n in range(len(faults))])
        )
        assert sorted(number for number, _ in replies) == list(range(len(faults)))
        for number, reply_found in replies:
            assert (reply_found.outcome, reply_found.text) == (Outcome.ANSWERED, f"reply {number}")
            assert reply_found.attempts == len(faults[number]) + 1
        assert Counter(server.users) == {str(n): len(responses) + 1 for n, responses in enumerate(faults)}


def test_a_server_that_is_down_is_soon_left_alone_and_told_of_for_every_request() -> None:
    down = True
    with ScriptedServer(lambda body, attempt: status(503) if down else "yes") as server:
        client = generator(server, Patience(2, 1.0, 0.001, 0.002), concurrent=2)
        replies = dict(client.generate([asking(str(n)) for n in range(40)]))
        assert sorted(replies) == list(range(40))
        assert {reply.outcome for reply in replies.values()} == {Outcome.UNAVAILABLE}
        unsent = [reply for reply in replies.values() if reply.attempts == 0]
        # All workers' rounds, and those that were under way when it was noticed.
        assert 40 - len(unsent) <= GIVES_UP_AFTER_ROUNDS * 2 + 1
        assert all(reply.error for reply in unsent)
        sent = len(server.requests)
        # Still down: one try a worker shows it.
        again = dict(client.generate([asking(str(n)) for n in range(40)]))
        assert len(again) == 40
        assert len(server.requests) - sent <= 2 * 2
        down = False
        assert {reply.text for _, reply in client.generate([asking(str(n)) for n in range(40)])} == {"yes"}
        assert {reply.attempts for _, reply in client.generate([asking(str(n)) for n in range(5)])} == {1}


def test_some_bad_requests_among_good_ones_do_not_stop_the_good_ones() -> None:
    def reply(body: dict[str, Any], attempt: int) -> Response | str:
        return status(422, "no") if int(user_text(body)) % 4 else "yes"

    with ScriptedServer(reply) as server:
        replies = dict(generator(server, concurrent=2).generate([asking(str(n)) for n in range(40)]))
        assert {n for n, reply in replies.items() if reply.outcome is Outcome.ANSWERED} == set(
            range(0, 40, 4)
        )
        assert len(server.requests) == 40


def test_a_server_that_answered_once_is_not_down_for_rejecting_the_rest() -> None:
    def reply(body: dict[str, Any], attempt: int) -> Response | str:
        return "yes" if user_text(body) in ("0", "39") else status(422, "no")

    with ScriptedServer(reply) as server:
        replies = dict(generator(server, concurrent=1).generate([asking(str(n)) for n in range(40)]))
        assert {n for n, reply in replies.items() if reply.outcome is Outcome.ANSWERED} == {0, 39}


def test_a_server_that_rejects_everything_is_left_alone() -> None:
    with ScriptedServer(lambda body, attempt: status(401, "who are you?")) as server:
        replies = dict(generator(server, concurrent=2).generate([asking(str(n)) for n in range(40)]))
        assert {reply.outcome for reply in replies.values()} == {Outcome.REJECTED}
        assert len(server.requests) <= GIVES_UP_AFTER_ROUNDS * 2 + 1


def test_who_leaves_early_leaves_nothing_running() -> None:
    with ScriptedServer(lambda body, attempt: answer("yes", delay=0.02)) as server:
        before = threading.active_count()
        replies = generator(server, concurrent=2).generate([asking(str(n)) for n in range(500)])
        for _ in range(3):
            next(replies)
        replies.close()
        sent = len(server.requests)
        assert sent < 20
        assert not [thread for thread in threading.enumerate() if thread.name.startswith("requests to")]
        time.sleep(0.1)
        assert len(server.requests) <= sent + 2
    assert before >= 1


def test_who_leaves_as_a_reply_comes_is_not_waited_for() -> None:
    # Whether the cancellation meets a reply is a matter of timing: it did in a third of these.
    for _ in range(20):
        with ScriptedServer(lambda body, attempt: "yes") as server:
            replies = generator(server, concurrent=2).generate([asking(str(n)) for n in range(200)])
            next(replies)
            replies.close()
            assert len(server.requests) < 100


def test_it_can_be_asked_from_inside_an_event_loop() -> None:
    async def ask() -> list[tuple[int, Reply]]:
        with ScriptedServer(lambda body, attempt: "yes") as server:
            return list(generator(server).generate([asking("?")]))

    assert asyncio.run(ask())[0][1].text == "yes"


def test_no_requests_no_server_needed() -> None:
    client = OpenAiGenerator("none", "model", "http://127.0.0.1:9/v1", patience=QUICK)
    assert list(client.generate([])) == []
