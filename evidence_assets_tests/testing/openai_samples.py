"""Requests to a scripted server of the OpenAI protocol."""

from __future__ import annotations

from typing import Any

from evidence_assets.models.generation.openai_http import OpenAiGenerator, Patience
from evidence_assets.models.generation.protocol import Reply, Request, Sampling
from evidence_assets_tests.testing.generation_server import Script, ScriptedServer

QUICK = Patience(attempts=3, seconds=1.5, first_pause=0.005, longest_pause=0.02)


def asking(user: str, **more: Any) -> Request:
    return Request("task", "0" * 32, "You answer.", user, Sampling(max_tokens=8), **more)


def generator(server: ScriptedServer, patience: Patience = QUICK, **more: Any) -> OpenAiGenerator:
    return OpenAiGenerator("scripted", "model", server.url, patience=patience, **more)


def only_reply(reply: Script, request: Request | None = None, **more: Any) -> tuple[Reply, ScriptedServer]:
    with ScriptedServer(reply) as server:
        [(number, received)] = generator(server, **more).generate([request or asking("?")])
    assert number == 0
    return received, server


def server_url() -> str:
    return "http://127.0.0.1:9/v1"
