"""A server of the OpenAI protocol, with every fault that one can have: what comes of a request."""

from __future__ import annotations

import json
import socket
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from typing import Any

import pytest

from evidence_assets.models.generation.openai_http import OpenAiGenerator, Patience
from evidence_assets.models.generation.protocol import GeneratorError, Outcome, Request, Sampling
from evidence_assets_tests.testing.generation_server import (
    Response,
    answer,
    dripping,
    dropped,
    silent,
    status,
    truncated,
)
from evidence_assets_tests.testing.openai_samples import QUICK, asking, only_reply, server_url

WHOLE = answer("x").body


def test_a_request_is_sent_as_it_stands_and_its_reply_read_whole() -> None:
    schema = {"type": "object", "properties": {"answer": {"type": "string"}}}
    request = Request(
        "task",
        "0" * 32,
        "You answer.",
        "Why?\n\tπ 💡",
        Sampling(max_tokens=9, temperature=0.7, top_p=0.9, stop=("\n\n", "END"), seed=3),
        schema,
    )
    full_answer = answer(
        " Because. ",
        prompt_tokens=21,
        completion_tokens=3,
        cached_tokens=16,
        log_probabilities=[-0.5, -1.0, 0.0],
    )
    received, server = only_reply(
        lambda body, attempt: full_answer, request, constrains=True, log_probabilities=True, key="sk-1"
    )
    assert server.requests == [
        {
            "model": "model",
            "messages": [
                {"role": "system", "content": "You answer."},
                {"role": "user", "content": "Why?\n\tπ 💡"},
            ],
            "max_tokens": 9,
            "temperature": 0.7,
            "top_p": 0.9,
            "seed": 3,
            "stop": ["\n\n", "END"],
            "logprobs": True,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "task", "schema": schema, "strict": True},
            },
        }
    ]
    assert server.keys == ["Bearer sk-1"]
    assert (received.outcome, received.text, received.attempts, received.error) == (
        Outcome.ANSWERED,
        "Because.",
        1,
        "",
    )
    assert (received.prompt_tokens, received.completion_tokens, received.cached_tokens) == (21, 3, 16)
    assert received.log_probability == pytest.approx(-0.5)
    assert 0 < received.seconds < 5


def test_what_a_server_cannot_is_not_asked_of_it() -> None:
    _, server = only_reply(lambda body, attempt: "yes", asking("?", schema={"type": "object"}))
    assert not {"response_format", "logprobs", "stop"} & set(server.requests[0])


@pytest.mark.parametrize(
    ("reply", "outcome", "text"),
    [
        (answer("yes"), Outcome.ANSWERED, "yes"),
        (answer("yes and", finished="length"), Outcome.CUT_OFF, "yes and"),
        (answer(""), Outcome.EMPTY, ""),
        (answer(" \n"), Outcome.EMPTY, ""),
        (answer(None), Outcome.EMPTY, ""),
        (answer(None, finished="length"), Outcome.EMPTY, ""),
        (answer(None, refusal="I cannot help."), Outcome.REFUSED, "I cannot help."),
        (answer("I", finished="content_filter"), Outcome.REFUSED, "I"),
        (status(400, "This model's maximum context length is 96 tokens."), Outcome.CONTEXT_TOO_LONG, ""),
        (
            status(400, "The decoder prompt (length 97) is longer than the maximum model length of 96."),
            Outcome.CONTEXT_TOO_LONG,
            "",
        ),
        (status(400, "the request exceeds the available context size"), Outcome.CONTEXT_TOO_LONG, ""),
        (
            Response(b'{"error": {"message": "Too much.", "code": "context_length_exceeded"}}', 400),
            Outcome.CONTEXT_TOO_LONG,
            "",
        ),
        (Response(b"input is too long", 413), Outcome.CONTEXT_TOO_LONG, ""),
        (
            status(400, "x" * 1_000 + " reduce it: the context length is 96 tokens"),
            Outcome.CONTEXT_TOO_LONG,
            "",
        ),
        (Response(b'{"choices": [{"message": {"content": "\xff\xfe"}}]}'), Outcome.INVALID_TEXT, ""),
        (
            Response(b'{"choices": [{"message": {"content": "a\\ud83d"}, "finish_reason": "stop"}]}'),
            Outcome.INVALID_TEXT,
            "",
        ),
        (status(404, "The model `other` does not exist."), Outcome.NO_MODEL, ""),
        (
            Response(b'{"error": "model \'other\' not found, try pulling it first"}', 400),
            Outcome.NO_MODEL,
            "",
        ),
        (status(401, "no such key"), Outcome.REJECTED, ""),
        (status(422, "temperature: must be a number"), Outcome.REJECTED, ""),
    ],
)
def test_what_would_come_again_is_asked_once(reply: Response, outcome: Outcome, text: str) -> None:
    received, server = only_reply(lambda body, attempt: reply)
    assert (received.outcome, received.text, received.attempts) == (outcome, text, 1)
    assert len(server.requests) == 1
    assert bool(received.error) == (reply.status >= 400 or outcome is Outcome.INVALID_TEXT)


PASSING = {
    "500": (status(500), Outcome.UNAVAILABLE),
    "503 without a body": (Response(status=503), Outcome.UNAVAILABLE),
    "500 that promises more": (Response(b"no", 500, content_length=900), Outcome.UNAVAILABLE),
    "408": (status(408), Outcome.TIMED_OUT),
    "429": (status(429), Outcome.BUSY),
    "429, wait": (status(429, retry_after="0.01"), Outcome.BUSY),
    "429, no number": (status(429, retry_after="soon"), Outcome.BUSY),
    "dropped connection": (dropped(), Outcome.UNAVAILABLE),
    "silence": (silent(3), Outcome.TIMED_OUT),
    "dripping bytes": (dripping("yes", 0.05), Outcome.TIMED_OUT),
    "half a JSON": (truncated("yes"), Outcome.UNREADABLE),
    "less than promised": (truncated("yes", lie=True), Outcome.UNAVAILABLE),
    "much less than promised": (Response(WHOLE, content_length=10**9), Outcome.UNAVAILABLE),
    "more than promised": (Response(WHOLE, content_length=20), Outcome.UNREADABLE),
    "no length": (Response(WHOLE, content_length=-1), Outcome.UNAVAILABLE),
    "no bytes": (Response(b""), Outcome.UNREADABLE),
    "no gzip": (Response(WHOLE, headers={"Content-Encoding": "gzip"}), Outcome.UNAVAILABLE),
    "a page": (Response(b"<html>Bad gateway</html>"), Outcome.UNREADABLE),
    "an error as a reply": (Response(b'{"error": {"message": "busy"}}'), Outcome.UNREADABLE),
    "no choice": (Response(b'{"choices": []}'), Outcome.UNREADABLE),
    "a list": (Response(b"[]"), Outcome.UNREADABLE),
    "no message": (Response(b'{"choices": [{"message": null}]}'), Outcome.UNREADABLE),
    "text of parts": (Response(b'{"choices": [{"message": {"content": [1]}}]}'), Outcome.UNREADABLE),
    "too deep": (Response(b"[" * 100_000), Outcome.UNREADABLE),
}


@pytest.mark.parametrize("fault", PASSING)
def test_what_may_pass_is_asked_again_until_it_has(fault: str) -> None:
    reply, _ = PASSING[fault]
    received, server = only_reply(lambda body, attempt: reply if attempt == 1 else "yes")
    assert (received.outcome, received.text, received.attempts, received.error) == (
        Outcome.ANSWERED,
        "yes",
        2,
        "",
    )
    assert len(server.requests) == 2


@pytest.mark.parametrize("fault", PASSING)
def test_what_does_not_pass_is_told_by_its_outcome(fault: str) -> None:
    reply, outcome = PASSING[fault]
    received, server = only_reply(lambda body, attempt: reply, patience=Patience(2, 0.8, 0.005, 0.02))
    assert (received.outcome, received.text, received.attempts) == (outcome, "", 2)
    assert len(server.requests) == 2
    assert 0 < len(received.error) <= 300
    assert received.error.encode().decode() == received.error


def test_no_server_at_all() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
        client = OpenAiGenerator("none", "model", f"http://127.0.0.1:{port}/v1", patience=QUICK)
        [(_, received)] = client.generate([asking("?")])
    assert (received.outcome, received.attempts) == (Outcome.UNAVAILABLE, 3)


@pytest.mark.parametrize("http_date", [False, True])
def test_a_server_that_asks_to_wait_is_not_asked_before(http_date: bool) -> None:
    came: list[float] = []

    def reply(body: dict[str, Any], attempt: int) -> Response | str:
        came.append(time.time())
        if attempt > 1:
            return "yes"
        # A date has whole seconds: the next but one is more than a second away.
        until = (datetime.now(UTC) + timedelta(seconds=2)).replace(microsecond=0)
        return status(429, retry_after=format_datetime(until, usegmt=True) if http_date else "0.3")

    received, _ = only_reply(reply, patience=Patience(2, 5.0, 0.001, 0.002))
    assert received.outcome is Outcome.ANSWERED
    assert came[1] - came[0] >= (0.9 if http_date else 0.3)


def test_pauses_grow() -> None:
    came: list[float] = []

    def reply(body: dict[str, Any], attempt: int) -> Response:
        came.append(time.perf_counter())
        return status(500)

    only_reply(reply, patience=Patience(4, 5.0, 0.1, 10.0))
    pauses = [later - earlier for earlier, later in pairwise(came)]
    # Half of 0.1, 0.2 and 0.4 seconds at least, as they are varied.
    assert pauses[0] >= 0.05 and pauses[1] >= 0.1 and pauses[2] >= 0.2


KEY = "sk-very-secret-0123456789"


@pytest.mark.parametrize(
    "response",
    [
        status(401, f"Incorrect API key provided: {KEY}."),
        status(401, "." * 280 + KEY),
        Response(json.dumps({"detail": f"bad {KEY}"}).encode(), 403),
        Response(f"bad key {KEY}".encode(), 403),
    ],
)
def test_the_key_is_sent_and_never_told(response: Response) -> None:
    received, server = only_reply(lambda body, attempt: response, key=KEY)
    assert server.keys == [f"Bearer {KEY}"]
    assert received.outcome is Outcome.REJECTED
    assert "sk-very" not in received.error
    assert KEY not in repr(OpenAiGenerator("n", "m", server_url(), key=KEY))


@pytest.mark.parametrize("key", ["sk-secret\n", "sk-secret\r\nX: 1", " sk-secret", "sk-sécret"])
def test_a_key_that_no_header_takes_is_refused_unshown(key: str) -> None:
    with pytest.raises(GeneratorError, match="remedy") as caught:
        OpenAiGenerator("named", "model", server_url(), key=key)
    assert "cret" not in str(caught.value)
    assert "named" in str(caught.value)


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:8000/v1", "ftp://a/v1", "http://", "http://a:99999/v1", "http://[/"]
)
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(GeneratorError, match=r"named.*remedy"):
        OpenAiGenerator("named", "model", url)


def test_what_is_asked_for_beside_the_text_is_part_of_the_identity() -> None:
    ids = {
        OpenAiGenerator(
            "n", "m", server_url(), revision="r", constrains=constrains, log_probabilities=log_probabilities
        ).generator_id
        for constrains in (False, True)
        for log_probabilities in (False, True)
    }
    assert len(ids) == 4
    assert "openai-http:m@r" in ids
    # Not where it stands: the same model may move.
    assert (
        OpenAiGenerator("a", "m", "http://x/v1").generator_id
        == OpenAiGenerator("b", "m", "http://y/v1").generator_id
    )
