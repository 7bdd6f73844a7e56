"""A server of the OpenAI protocol, with every fault that one can have: what comes of each request."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from generation_server import (
    Response,
    Script,
    ScriptedServer,
    answer,
    completion,
    dripping,
    dropped,
    silent,
    status,
    truncated,
    user_text,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny_causal_lm import make_tiny_causal_lm

from evidence_assets.models.generation.openai_http import (
    GIVES_UP_AFTER_ROUNDS,
    OpenAiGenerator,
    Patience,
    _Failure,
    read_completion,
)
from evidence_assets.models.generation.protocol import GeneratorError, Outcome, Reply, Request, Sampling
from evidence_assets.models.generation.transformers_local import TransformersGenerator

QUICK = Patience(attempts=3, seconds=0.4, first_pause=0.005, longest_pause=0.02)
WHOLE = answer("x").body


def asking(user: str, **more: Any) -> Request:
    return Request("task", "0" * 32, "You answer.", user, Sampling(max_tokens=8), **more)


def generator(server: ScriptedServer, patience: Patience = QUICK, **more: Any) -> OpenAiGenerator:
    return OpenAiGenerator("scripted", "model", server.url, patience=patience, **more)


def only_reply(reply: Script, request: Request | None = None, **more: Any) -> tuple[Reply, ScriptedServer]:
    with ScriptedServer(reply) as server:
        [(number, found)] = generator(server, **more).generate([request or asking("?")])
    assert number == 0
    return found, server


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
    whole = answer(
        " Because. ",
        prompt_tokens=21,
        completion_tokens=3,
        cached_tokens=16,
        log_probabilities=[-0.5, -1.0, 0.0],
    )
    found, server = only_reply(
        lambda body, attempt: whole, request, constrains=True, log_probabilities=True, key="sk-1"
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
    assert (found.outcome, found.text, found.attempts, found.error) == (Outcome.ANSWERED, "Because.", 1, "")
    assert (found.prompt_tokens, found.completion_tokens, found.cached_tokens) == (21, 3, 16)
    assert found.log_probability == pytest.approx(-0.5)
    assert 0 < found.seconds < 5


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
    found, server = only_reply(lambda body, attempt: reply)
    assert (found.outcome, found.text, found.attempts) == (outcome, text, 1)
    assert len(server.requests) == 1
    assert bool(found.error) == (reply.status >= 400 or outcome is Outcome.INVALID_TEXT)


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
    found, server = only_reply(lambda body, attempt: reply if attempt == 1 else "yes")
    assert (found.outcome, found.text, found.attempts, found.error) == (Outcome.ANSWERED, "yes", 2, "")
    assert len(server.requests) == 2


@pytest.mark.parametrize("fault", PASSING)
def test_what_does_not_pass_is_told_by_its_outcome(fault: str) -> None:
    reply, outcome = PASSING[fault]
    found, server = only_reply(lambda body, attempt: reply, patience=Patience(2, 0.2, 0.005, 0.02))
    assert (found.outcome, found.text, found.attempts) == (outcome, "", 2)
    assert len(server.requests) == 2
    assert 0 < len(found.error) <= 300
    assert found.error.encode().decode() == found.error


def test_no_server_at_all() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        own = OpenAiGenerator("none", "model", f"http://127.0.0.1:{port}/v1", patience=QUICK)
        [(_, found)] = own.generate([asking("?")])
    assert (found.outcome, found.attempts) == (Outcome.UNAVAILABLE, 3)


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

    found, _ = only_reply(reply, patience=Patience(2, 5.0, 0.001, 0.002))
    assert found.outcome is Outcome.ANSWERED
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


@pytest.mark.parametrize("concurrent", [1, 3, 8])
def test_no_more_are_under_way_than_may_be(concurrent: int) -> None:
    with ScriptedServer(lambda body, attempt: answer(user_text(body), delay=0.03)) as server:
        replies = dict(generator(server, concurrent=concurrent).generate([asking(str(n)) for n in range(24)]))
        assert {number: reply.text for number, reply in replies.items()} == {n: str(n) for n in range(24)}
        assert server.most_at_once == concurrent
        if concurrent == 1:
            assert server.users == [str(n) for n in range(24)]


FAULTS = [status(500), status(429, retry_after="0.01"), dropped(), truncated("?"), truncated("?", lie=True)]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(st.sampled_from(FAULTS), max_size=2), min_size=1, max_size=12))
def test_whatever_fails_on_the_way_each_request_is_answered_once_and_by_its_own_reply(
    faults: list[list[Response]],
) -> None:
    def reply(body: dict[str, Any], attempt: int) -> Response | str:
        own = faults[int(user_text(body))]
        return own[attempt - 1] if attempt <= len(own) else f"reply {user_text(body)}"

    with ScriptedServer(reply) as server:
        quick = Patience(3, 5.0, 0.001, 0.002)
        found = list(
            generator(server, quick, concurrent=4).generate([asking(str(n)) for n in range(len(faults))])
        )
        assert sorted(number for number, _ in found) == list(range(len(faults)))
        for number, reply_found in found:
            assert (reply_found.outcome, reply_found.text) == (Outcome.ANSWERED, f"reply {number}")
            assert reply_found.attempts == len(faults[number]) + 1
        assert Counter(server.users) == {str(n): len(own) + 1 for n, own in enumerate(faults)}


def test_a_server_that_is_down_is_soon_left_alone_and_told_of_for_every_request() -> None:
    down = True
    with ScriptedServer(lambda body, attempt: status(503) if down else "yes") as server:
        own = generator(server, Patience(2, 1.0, 0.001, 0.002), concurrent=2)
        found = dict(own.generate([asking(str(n)) for n in range(40)]))
        assert sorted(found) == list(range(40))
        assert {reply.outcome for reply in found.values()} == {Outcome.UNAVAILABLE}
        unsent = [reply for reply in found.values() if reply.attempts == 0]
        # All workers' rounds, and those that were under way when it was noticed.
        assert 40 - len(unsent) <= GIVES_UP_AFTER_ROUNDS * 2 + 1
        assert all(reply.error for reply in unsent)
        asked = len(server.requests)
        # Still down: one try a worker shows it.
        again = dict(own.generate([asking(str(n)) for n in range(40)]))
        assert len(again) == 40
        assert len(server.requests) - asked <= 2 * 2
        down = False
        assert {reply.text for _, reply in own.generate([asking(str(n)) for n in range(40)])} == {"yes"}
        assert {reply.attempts for _, reply in own.generate([asking(str(n)) for n in range(5)])} == {1}


def test_some_bad_requests_among_good_ones_do_not_stop_the_good_ones() -> None:
    def reply(body: dict[str, Any], attempt: int) -> Response | str:
        return status(422, "no") if int(user_text(body)) % 4 else "yes"

    with ScriptedServer(reply) as server:
        found = dict(generator(server, concurrent=2).generate([asking(str(n)) for n in range(40)]))
        assert {n for n, reply in found.items() if reply.outcome is Outcome.ANSWERED} == set(range(0, 40, 4))
        assert len(server.requests) == 40


def test_a_server_that_answered_once_is_not_down_for_rejecting_the_rest() -> None:
    def reply(body: dict[str, Any], attempt: int) -> Response | str:
        return "yes" if user_text(body) in ("0", "39") else status(422, "no")

    with ScriptedServer(reply) as server:
        found = dict(generator(server, concurrent=1).generate([asking(str(n)) for n in range(40)]))
        assert {n for n, reply in found.items() if reply.outcome is Outcome.ANSWERED} == {0, 39}


def test_a_server_that_rejects_everything_is_left_alone() -> None:
    with ScriptedServer(lambda body, attempt: status(401, "who are you?")) as server:
        found = dict(generator(server, concurrent=2).generate([asking(str(n)) for n in range(40)]))
        assert {reply.outcome for reply in found.values()} == {Outcome.REJECTED}
        assert len(server.requests) <= GIVES_UP_AFTER_ROUNDS * 2 + 1


def test_who_leaves_early_leaves_nothing_running() -> None:
    with ScriptedServer(lambda body, attempt: answer("yes", delay=0.02)) as server:
        before = threading.active_count()
        replies = generator(server, concurrent=2).generate([asking(str(n)) for n in range(500)])
        for _ in range(3):
            next(replies)
        replies.close()
        asked = len(server.requests)
        assert asked < 20
        assert not [thread for thread in threading.enumerate() if thread.name.startswith("requests to")]
        time.sleep(0.1)
        assert len(server.requests) <= asked + 2
    assert before >= 1


def test_it_can_be_asked_from_inside_an_event_loop() -> None:
    async def ask() -> list[tuple[int, Reply]]:
        with ScriptedServer(lambda body, attempt: "yes") as server:
            return list(generator(server).generate([asking("?")]))

    assert asyncio.run(ask())[0][1].text == "yes"


def test_no_requests_no_server_needed() -> None:
    own = OpenAiGenerator("none", "model", "http://127.0.0.1:9/v1", patience=QUICK)
    assert list(own.generate([])) == []


KEY = "sk-very-secret-0123456789"


@pytest.mark.parametrize(
    "told",
    [
        status(401, f"Incorrect API key provided: {KEY}."),
        status(401, "." * 280 + KEY),
        Response(json.dumps({"detail": f"bad {KEY}"}).encode(), 403),
        Response(f"bad key {KEY}".encode(), 403),
    ],
)
def test_the_key_is_sent_and_never_told(told: Response) -> None:
    found, server = only_reply(lambda body, attempt: told, key=KEY)
    assert server.keys == [f"Bearer {KEY}"]
    assert found.outcome is Outcome.REJECTED
    assert "sk-very" not in found.error
    assert KEY not in repr(OpenAiGenerator("n", "m", server_url(), key=KEY))


def server_url() -> str:
    return "http://127.0.0.1:9/v1"


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
            "n", "m", server_url(), revision="r", constrains=constrains, log_probabilities=told
        ).generator_id
        for constrains in (False, True)
        for told in (False, True)
    }
    assert len(ids) == 4
    assert "openai-http:m@r" in ids
    # Not where it stands: the same model may move.
    assert (
        OpenAiGenerator("a", "m", "http://x/v1").generator_id
        == OpenAiGenerator("b", "m", "http://y/v1").generator_id
    )


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"content": [{"logprob": -1.0}, {"logprob": -2}]}, -1.5),
        ({"content": [{"logprob": -1.0}, {"logprob": None}]}, None),
        ({"content": [{"logprob": -1.0}, None]}, None),
        ({"content": [{"logprob": float("nan")}]}, None),
        ({"content": [{"logprob": float("-inf")}]}, None),
        ({"content": []}, None),
        ({"content": None}, None),
        ([], None),
        (None, None),
    ],
)
def test_a_log_probability_is_told_only_where_every_token_has_one(
    told: object, expected: float | None
) -> None:
    body = completion("x")
    body["choices"][0]["logprobs"] = told
    assert read_completion(json.dumps(body).encode()).log_probability == expected


@pytest.mark.parametrize(
    "usage",
    [
        None,
        [],
        {},
        {"prompt_tokens": -1},
        {"prompt_tokens": True},
        {"prompt_tokens": 1.5},
        {"prompt_tokens": 10**30},
    ],
)
def test_counts_that_are_none_are_not_taken(usage: object) -> None:
    body = completion("x")
    body["usage"] = usage
    found = read_completion(json.dumps(body).encode())
    assert (found.outcome, found.prompt_tokens, found.completion_tokens) == (Outcome.ANSWERED, None, None)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@st.composite
def nearly_completions(draw: st.DrawFn) -> bytes:
    """A completion with one part, anywhere, replaced by another value."""
    body = completion("x", cached_tokens=1, log_probabilities=[-1.0])
    place: Any = body
    while True:
        key = draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if not isinstance(place[key], dict | list) or not place[key] or draw(st.booleans()):
            place[key] = draw(JSON_VALUES)
            return json.dumps(body).encode()
        place = place[key]


@settings(max_examples=300, deadline=None)
@given(
    st.binary(max_size=60) | JSON_VALUES.map(lambda value: json.dumps(value).encode()) | nearly_completions()
)
def test_whatever_bytes_come_they_are_a_reply_that_can_be_kept_or_a_failure(body: bytes) -> None:
    try:
        found = read_completion(body)
    except _Failure as failure:
        assert failure.outcome is Outcome.UNREADABLE and failure.passes
        assert failure.error.encode()
        return
    assert found.outcome.is_reply
    assert found.text.encode() is not None
    assert bool(found.text) or not found.outcome.is_text
    for count in (found.prompt_tokens, found.completion_tokens, found.cached_tokens):
        assert count is None or 0 <= count < 2**63
    assert found.log_probability is None or -float("inf") < found.log_probability <= 0


# A model behind a real server of the protocol.


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_tiny_causal_lm(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def served(tiny: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    script = Path(sys.executable).with_name("transformers")
    if not script.exists():
        pytest.skip(f"no {script}: pip install 'transformers[serving]'")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("served") / "log.txt"
    offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}
    command = [str(script), "serve", tiny, "--host", "127.0.0.1", "--port", str(port)]
    with log.open("wb") as told:
        process = subprocess.Popen(command, stdout=told, stderr=told, env={**os.environ, **offline})
        try:
            until = time.monotonic() + 240
            while not _healthy(f"http://127.0.0.1:{port}/health"):
                assert process.poll() is None and time.monotonic() < until, log.read_text()[-2_000:]
                time.sleep(0.5)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _healthy(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def test_a_real_server_and_this_process_write_the_same_greedy_texts(served: str, tiny: str) -> None:
    requests = [
        Request("task", "0" * 32, "You answer.", user, Sampling(max_tokens=most))
        for user, most in [("Why?", 24), ("What is the share?\nSay it.", 12), ("π", 24), ("x" * 100, 5)]
    ]
    patience = Patience(3, 120.0, 0.5, 2.0)
    there = dict(OpenAiGenerator("served", tiny, served, concurrent=2, patience=patience).generate(requests))
    here = dict(TransformersGenerator("here", tiny, device="cpu").generate(requests))
    for number in range(len(requests)):
        assert there[number].text == here[number].text != ""
        assert there[number].outcome == here[number].outcome
        assert there[number].prompt_tokens == here[number].prompt_tokens
        assert there[number].completion_tokens == here[number].completion_tokens
    assert {reply.outcome for reply in here.values()} == {Outcome.ANSWERED, Outcome.CUT_OFF}


def test_tokens_are_counted_as_a_real_server_counts_them(served: str, tiny: str) -> None:
    requests = [asking(user) for user in ("Why?", "9.81 m/s², β-blockers!", "words and words " * 8)]
    estimating = OpenAiGenerator("served", tiny, served, patience=Patience(3, 120.0, 0.5, 2.0))
    counting = OpenAiGenerator("served", tiny, served, tokenizer=tiny)
    for number, reply in estimating.generate(requests):
        assert counting.count_tokens(requests[number]) == reply.prompt_tokens


def test_an_estimate_is_rather_too_many_tokens_of_english(tmp_path: Path) -> None:
    from transformers import AutoTokenizer

    from evidence_assets.models.encoder import packaged_minilm

    folder = shutil.copytree(packaged_minilm(), tmp_path / "tokenizer")
    exact = OpenAiGenerator("n", "m", server_url(), tokenizer=str(folder))
    estimating = OpenAiGenerator("n", "m", server_url())
    assert AutoTokenizer.from_pretrained(folder).chat_template is None
    articles = Path(__file__).parents[2] / "evidence_assets" / "starter" / "articles"
    texts = [path.read_text(encoding="utf-8") for path in sorted(articles.rglob("*.md"))[:12]]
    assert len(texts) == 12
    for text in [*texts, "0123456789" * 9, "E=mc²; ∫ f(x) dx ≥ 0", "α β γ δ ε"]:
        assert exact.count_tokens(asking(text)) <= estimating.count_tokens(asking(text))
    # Nor so many that a context is half empty.
    whole = asking("\n".join(texts))
    assert estimating.count_tokens(whole) < 2 * exact.count_tokens(whole)


def test_a_tokenizer_that_is_not_there_is_named() -> None:
    with pytest.raises(GeneratorError, match=r"named.*/no/such.*remedy"):
        OpenAiGenerator("named", "m", server_url(), tokenizer="/no/such")
