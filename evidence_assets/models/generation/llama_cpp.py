"""A causal language model in one GGUF file, on llama.cpp in this process.

llama.cpp is asked through its own server of the OpenAI protocol, which the binding starts on loopback: one
client for all servers, this one too.
"""

from __future__ import annotations

import json
import os
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import lru_cache
from typing import Any

from evidence_assets.models.generation.gguf_files import checked_hash, gguf_path, weights_of
from evidence_assets.models.generation.openai_http import OpenAiGenerator, Patience
from evidence_assets.models.generation.protocol import (
    GeneratorError,
    OnReply,
    Outcome,
    Replies,
    Reply,
    Request,
)
from evidence_assets.models.generation.whole_lists import ended

ENGINE = "llama.cpp"
_QUIET = -1
_ENDED = "a list reached the reply's limit and ends at its last whole item"
# Room that free text leaves for the form that follows it.
_CLOSING_TOKENS = 16
# JSON as compact as it can be: without it a small model writes blanks after the last brace to the limit.
_COMPACT = {"x-guidance": {"whitespace_flexible": False}}


class LlamaCppGenerator(OpenAiGenerator):
    """An instruct model in a GGUF file.

    `location`: the file's path, or `package:PACKAGE/FILE`. `sha256`: what the file's hash must be; empty:
    whatever it is. `context_tokens`: longest prompt and reply together; 0, or more than the model was
    trained on: as long as that. `reply_tokens`: longest free text; 0: as long as a task allows.
    `constrains`: replies are held to schemas and forms. It computes with as many threads as OMP_NUM_THREADS
    says, else one a core.

    One request runs at a time and none reuses what another computed, so that a reply depends on its request
    alone: sums in another order round otherwise. `address`: of its server, on loopback.

    Raises:
        GeneratorError: there is no such file, it is not the one that was named, it has no chat template, or
            llama.cpp cannot load it.
    """

    def __init__(
        self,
        name: str,
        location: str,
        sha256: str = "",
        *,
        context_tokens: int = 0,
        reply_tokens: int = 0,
        seconds: float = 1_800.0,
        constrains: bool = True,
    ) -> None:
        import xllamacpp

        path = gguf_path(name, location)
        digest = checked_hash(name, path, sha256)
        weights = weights_of(path)
        # Room for more than the weights were trained on would only take memory.
        longest = min(filter(None, (context_tokens, weights.context_tokens)), default=0)
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(path)
        parameters.n_ctx = longest
        parameters.n_parallel = 1
        parameters.cpuparams.n_threads = _threads()
        parameters.warmup = parameters.ui = parameters.endpoint_slots = False
        parameters.verbosity = _QUIET
        try:
            self._server = xllamacpp.Server(parameters)
        except RuntimeError as error:
            raise GeneratorError(
                f"generator {name}: llama.cpp cannot load {path} ({path.stat().st_size:,} bytes, "
                f"architecture {weights.architecture or 'unstated'}): it is cut short, or of one that this "
                "llama.cpp does not know; remedy: fetch it again, or name another model"
            ) from error
        self.address = str(self._server.listening_address)
        # Answered by the loop that computes replies: a server that goes before its loop has begun waits for
        # it for ever.
        self._get("/lora-adapters")
        trained = int(self._get("/v1/models")["data"][0]["meta"]["n_ctx_train"])
        super().__init__(
            name,
            path.name,
            f"{self.address}/v1",
            revision=digest,
            concurrent=1,
            context_tokens=min(longest or trained, trained),
            constrains=constrains,
            log_probabilities=True,
            patience=Patience(1, seconds),
            engine=ENGINE,
        )
        self.reply_tokens = reply_tokens

    def generate_eagerly(self, requests: Sequence[Request], on_reply: OnReply) -> Replies:
        """Yield each request's number and reply; a list at the limit ends with its last whole item."""

        def put(number: int, reply: Reply) -> None:
            on_reply(number, self._whole(requests[number], reply))

        with closing(super().generate_eagerly(requests, put)) as replies:
            for number, reply in replies:
                yield number, self._whole(requests[number], reply)

    def _whole(self, request: Request, reply: Reply) -> Reply:
        if request.schema is None or not self.ability.constrains or reply.outcome is not Outcome.CUT_OFF:
            return reply
        text = ended(reply.text, request.schema)
        return reply if text is None else replace(reply, outcome=Outcome.ANSWERED, text=text, error=_ENDED)

    def count_tokens(self, request: Request) -> int:
        """Return a prompt's tokens, by the model's own template and tokenizer."""
        prompt = self._get("/apply-template", {"messages": request.messages})["prompt"]
        return len(self._get("/tokenize", {"content": prompt, "parse_special": True})["tokens"])

    def _options(self, request: Request) -> dict[str, Any]:
        options = super()._options(request)
        body: dict[str, Any] = {"cache_prompt": False}
        options.pop("response_format", None)
        if self.ability.constrains and (rules := grammar(request)):
            body["grammar"] = f"%llguidance {{}}\n{rules}"
        return {**options, "extra_body": body}

    def _get(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(  # noqa: S310 - the address is this process's own
            self.address + path, content, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as reply:  # noqa: S310
            return json.load(reply)


def grammar(request: Request) -> str:
    """Return the rules of llguidance that a reply must follow; empty for free text."""
    if request.schema is not None:
        return f"start: %json {json.dumps({**request.schema, **_COMPACT})}"
    if request.form is None:
        return ""
    form, room = request.form, max(1, request.sampling.max_tokens - _CLOSING_TOKENS)
    start = ["before"] * form.before + ["form"] + ["after"] * form.after
    # What stands before ends with its line.
    pattern = f"\\n({form.pattern})" if form.before else form.pattern
    rules = [f"start: {' '.join(start)}", f"form: /{pattern}/"]
    rules += [f"{name}[max_tokens={room}]: /(.|\\n)*/" for name in start if name != "form"]
    return "\n".join(rules)


def _threads() -> int:
    if named := os.environ.get("OMP_NUM_THREADS"):
        return int(named)
    # Only Linux reports which cores a process may use.
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# Loaded once a process.
load_llama_cpp = lru_cache(maxsize=1)(LlamaCppGenerator)
