"""Calls that are kept over a server that fails in all manners."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from evidence_assets.models.generation import recorded
from evidence_assets.models.generation.openai_http import OpenAiGenerator, Patience
from evidence_assets.models.generation.protocol import Outcome
from evidence_assets_tests.testing.generation_server import (
    Response,
    ScriptedServer,
    answer,
    status,
    user_text,
)
from evidence_assets_tests.testing.recorded_samples import Project, asking, texts

QUICK = Patience(attempts=2, seconds=5.0, first_pause=0.001, longest_pause=0.002)


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
        client = OpenAiGenerator("scripted", "model", server.url, concurrent=6, patience=QUICK)
        first = project.over(client).replies(requests)
        assert {recorded_reply.reply.outcome for recorded_reply in first} == {
            Outcome.ANSWERED,
            Outcome.BUSY,
            Outcome.UNAVAILABLE,
        }
        assert len(project.rows()) == 40
        healthy = True
        second = project.over(client).replies(requests)
        assert texts(second) == [f"{n:02}" for n in range(40)]
        assert [recorded_reply.replayed for recorded_reply in second] == [n % 3 != 0 for n in range(40)]
        sent = len(server.requests)
        third = project.over(client).replies(requests)
        assert len(server.requests) == sent
    assert [recorded_reply.reply for recorded_reply in third] == [
        recorded_reply.reply for recorded_reply in second
    ]
    assert set(answered.values()) == {1} and len(answered) == 40
    assert len(project.rows()) == 40
    project.check_reads()


@pytest.mark.parametrize("flush", [4, 128])
def test_a_reply_is_kept_before_its_place_is_given_to_another(
    project: Project, monkeypatch: pytest.MonkeyPatch, flush: int
) -> None:
    """Whoever takes the replies is slow: a kill at any request costs none that came before."""
    monkeypatch.setattr(recorded, "FLUSH_REPLIES", flush)
    kept: list[int] = []

    def reply(body: dict[str, Any], attempt: int) -> Response | str:
        lines = sum(file.read_bytes().count(b"\n") for file in project.unrecorded.rglob("*.replies"))
        # The lake last: what is moved there meanwhile is counted twice rather than not at all.
        kept.append(lines + len(project.rows()))
        return user_text(body)

    with ScriptedServer(reply) as server:
        client = OpenAiGenerator("scripted", "model", server.url, concurrent=1, patience=QUICK)
        project.over(client).replies([asking(str(n)) for n in range(10)], lambda *_: time.sleep(0.02))
    assert all(count >= number for number, count in enumerate(kept))


def test_a_reply_that_no_table_can_hold_costs_no_other_reply(project: Project) -> None:
    bad = (
        b'{"choices": [{"message": {"content": "\\ud83d"}}], "usage": {"prompt_tokens": 9999999999999999999}}'
    )

    def reply(body: dict[str, Any], attempt: int) -> Response | str:
        return Response(bad) if user_text(body) == "3" else "yes"

    with ScriptedServer(reply) as server:
        client = OpenAiGenerator("scripted", "model", server.url, patience=QUICK)
        replies = project.over(client).replies([asking(str(n)) for n in range(6)])
    assert [recorded_reply.reply.outcome for recorded_reply in replies].count(Outcome.ANSWERED) == 5
    assert replies[3].reply.outcome is Outcome.INVALID_TEXT
    assert len(project.rows()) == 6


def test_the_key_is_in_no_file_of_the_lake(project: Project, tmp_path: Path) -> None:
    key = "sk-very-secret-0123456789"
    with ScriptedServer(lambda body, attempt: status(401, f"bad key {key}")) as server:
        client = OpenAiGenerator("scripted", "model", server.url, key=key, patience=QUICK)
        project.over(client).replies([asking("?")])
    [row] = project.rows()
    assert row["outcome"] == "request rejected" and "bad key" in row["error"]
    assert not any(key in str(value) for value in row.values())
