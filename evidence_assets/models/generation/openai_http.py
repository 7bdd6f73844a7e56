"""Any server of the OpenAI HTTP protocol: vLLM's, Ollama, llama.cpp, transformers serve, hosted ones.

So many requests are under way at once; each is tried again, later and later, where the failure may pass (429,
5xx, a lost connection, no reply in time, half a reply). A reply is taken once: what failed was never counted.
"""

from __future__ import annotations

import asyncio
import json
import queue
import random
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from evidence_assets.models.generation.protocol import (
    Ability,
    GeneratorError,
    Identity,
    Outcome,
    Reply,
    Request,
    text_outcome,
)

if TYPE_CHECKING:
    from openai import AsyncOpenAI

ENGINE = "openai-http"
# A server that needs no key is sent this one: the client library insists on some.
NO_KEY = "none"
# Requests that fail one after another before the rest are not even sent: so many rounds of all workers.
GIVES_UP_AFTER_ROUNDS = 2
# English text has about four bytes a token: three is on the safe side.
_BYTES_A_TOKEN = 3
_MESSAGE_TOKENS = 16
_LONGEST_ERROR = 300


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a reply is waited for, and how often it is asked for.

    `seconds`: of one attempt, to its last byte. `first_pause`: before the second attempt; it doubles, up to
    `longest_pause`, and is varied so that requests do not come back together.
    """

    attempts: int = 5
    seconds: float = 300.0
    first_pause: float = 0.5
    longest_pause: float = 30.0


@dataclass
class _Failure(Exception):
    """One attempt that gave no reply. `passes`: another attempt may do better."""

    outcome: Outcome
    error: str
    passes: bool
    pause: float | None = None


class OpenAiGenerator:
    """A model behind a server of the OpenAI protocol.

    Parameters
    ----------
    name, model, revision
        What arms call it, what the server does, and what is known of its weights.
    url
        The server's address up to and with `/v1`.
    key
        Sent as a bearer token; from the environment, never from a file.
    concurrent
        Requests under way at once.
    constrains
        The server holds replies to a JSON schema (`response_format`).
    log_probabilities
        The server tells the log-probabilities of its tokens.
    tokenizer
        Folder or hub name of the model's tokenizer; None: tokens are estimated from bytes.

    Raises:
        GeneratorError: the address is none.
    """

    def __init__(
        self,
        name: str,
        model: str,
        url: str,
        *,
        revision: str = "",
        key: str = "",
        concurrent: int = 8,
        context_tokens: int = 8_192,
        constrains: bool = False,
        log_probabilities: bool = False,
        tokenizer: str | None = None,
        patience: Patience = Patience(),
    ) -> None:
        if not url.startswith(("http://", "https://")):
            raise GeneratorError(
                f"generator {name}: {url!r} is no address of a server; remedy: set its url, such as "
                "http://127.0.0.1:8000/v1"
            )
        ability = Ability(constrains, log_probabilities)
        self._identity = Identity(name, ENGINE, model, revision, context_tokens, ability)
        self._url, self._key, self._concurrent, self._patience = url, key or NO_KEY, concurrent, patience
        self._tokenizer: Any = None
        if tokenizer is not None:
            from transformers import AutoTokenizer

            self._tokenizer = AutoTokenizer.from_pretrained(tokenizer)

    @property
    def name(self) -> str:
        """What arms call it."""
        return self._identity.name

    @property
    def generator_id(self) -> str:
        """Engine, model, revision."""
        return self._identity.generator_id

    @property
    def model(self) -> str:
        """The model's name at the server."""
        return self._identity.model

    @property
    def revision(self) -> str:
        """What the configuration says of the weights."""
        return self._identity.revision

    @property
    def context_tokens(self) -> int:
        """Longest prompt and reply together, in tokens."""
        return self._identity.context_tokens

    @property
    def ability(self) -> Ability:
        """What the configuration says that the server can."""
        return self._identity.ability

    def count_tokens(self, request: Request) -> int:
        """Return a prompt's tokens; without the model's tokenizer, an estimate from its bytes."""
        texts = (request.system, request.user)
        if self._tokenizer is not None:
            return _MESSAGE_TOKENS + sum(
                len(self._tokenizer(text, verbose=False)["input_ids"]) for text in texts
            )
        return _MESSAGE_TOKENS + sum(-(-len(text.encode()) // _BYTES_A_TOKEN) for text in texts)

    def generate(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply]]:
        """Yield each request's number and reply, as they come."""
        replies: queue.SimpleQueue[tuple[int, Reply] | BaseException | None] = queue.SimpleQueue()
        running = _Running()

        def run() -> None:
            try:
                asyncio.run(self._ask_all(requests, replies, running))
                replies.put(None)
            except asyncio.CancelledError:
                replies.put(None)
            except BaseException as error:
                replies.put(error)

        # A thread of its own: whoever calls may be in an event loop already.
        worker = threading.Thread(target=run, name=f"requests to {self.name}", daemon=True)
        worker.start()
        try:
            while (found := replies.get()) is not None:
                if isinstance(found, BaseException):
                    raise found
                yield found
        finally:
            running.stop()
            worker.join()

    async def _ask_all(self, requests: Sequence[Request], replies: Any, running: _Running) -> None:
        import openai

        waiting = iter(enumerate(requests))
        health = _Health(GIVES_UP_AFTER_ROUNDS * self._concurrent)
        async with openai.AsyncOpenAI(
            base_url=self._url, api_key=self._key, max_retries=0, timeout=self._patience.seconds
        ) as client:

            async def work() -> None:
                for number, request in waiting:
                    if health.down is not None:
                        replies.put((number, replace(health.down, attempts=0, seconds=0.0)))
                        continue
                    reply = await self._ask(client, request)
                    health.note(reply)
                    replies.put((number, reply))

            tasks = [asyncio.create_task(work()) for _ in range(min(self._concurrent, len(requests)))]
            running.start(asyncio.get_running_loop(), tasks)
            await asyncio.gather(*tasks)

    async def _ask(self, client: AsyncOpenAI, request: Request) -> Reply:
        """Return a request's reply, or how its last attempt failed."""
        started = time.perf_counter()
        pause = self._patience.first_pause
        for attempt in range(1, self._patience.attempts + 1):
            try:
                reply = await asyncio.wait_for(self._attempt(client, request), self._patience.seconds)
                return replace(reply, seconds=time.perf_counter() - started, attempts=attempt)
            except TimeoutError:
                failure = _Failure(Outcome.TIMED_OUT, f"no reply in {self._patience.seconds:g} s", True)
            except _Failure as found:
                failure = found
            if not failure.passes or attempt == self._patience.attempts:
                break
            wait = failure.pause if failure.pause is not None else pause * random.uniform(0.5, 1.5)  # noqa: S311
            await asyncio.sleep(min(wait, self._patience.longest_pause))
            pause = min(2 * pause, self._patience.longest_pause)
        return Reply(
            failure.outcome, seconds=time.perf_counter() - started, attempts=attempt, error=failure.error
        )

    async def _attempt(self, client: AsyncOpenAI, request: Request) -> Reply:
        import openai

        sampling = request.sampling
        more: dict[str, Any] = {}
        if sampling.stop:
            more["stop"] = list(sampling.stop)
        if request.schema is not None and self.ability.constrains:
            schema = {"name": request.task, "schema": dict(request.schema), "strict": True}
            more["response_format"] = {"type": "json_schema", "json_schema": schema}
        if self.ability.log_probabilities:
            more["logprobs"] = True
        try:
            response = await client.chat.completions.with_raw_response.create(
                model=self.model,
                messages=request.messages,  # type: ignore[arg-type]
                max_tokens=sampling.max_tokens,
                temperature=sampling.temperature,
                top_p=sampling.top_p,
                seed=sampling.seed,
                **more,
            )
        except openai.APIStatusError as error:
            raise _of_status(error) from error
        except openai.APITimeoutError as error:
            raise _Failure(Outcome.TIMED_OUT, _said(error), passes=True) from error
        except openai.APIConnectionError as error:
            raise _Failure(Outcome.UNAVAILABLE, _said(error.__cause__ or error), passes=True) from error
        return read_completion(response.http_response.content)


class _Running:
    """The tasks of one call, so that a caller who leaves can stop them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._stopped = False

    def start(self, loop: asyncio.AbstractEventLoop, tasks: list[asyncio.Task[None]]) -> None:
        with self._lock:
            self._loop, self._tasks = loop, tasks
            if self._stopped:
                self._cancel()

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            if self._loop is not None:
                # A loop that has ended has nothing to cancel.
                with suppress(RuntimeError):
                    self._loop.call_soon_threadsafe(self._cancel)

    def _cancel(self) -> None:
        for task in self._tasks:
            task.cancel()


class _Health:
    """Whether the server is worth asking: after so many failures in a row it is not."""

    def __init__(self, patience: int) -> None:
        self.down: Reply | None = None
        self._patience, self._failed = patience, 0

    def note(self, reply: Reply) -> None:
        self._failed = 0 if reply.outcome.is_reply else self._failed + 1
        if self._failed >= self._patience:
            self.down = reply


def read_completion(body: bytes) -> Reply:
    """Return the reply that a completion's bytes hold.

    Raises:
        _Failure: it is half a reply, or none.
    """
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        return Reply(Outcome.INVALID_TEXT, error=f"not UTF-8 at byte {error.start}")
    try:
        content = json.loads(text)
        choice = content["choices"][0]
        message = choice["message"]
        written, refused = message.get("content"), message.get("refusal")
        finished = choice.get("finish_reason") or ""
        if not isinstance(written, str | None) or not isinstance(finished, str):
            raise TypeError("content or finish_reason is no text")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise _Failure(
            Outcome.UNREADABLE, f"{type(error).__name__}: {_said(error)}; it began {text[:80]!r}", passes=True
        ) from error
    usage = content.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    details = usage.get("prompt_tokens_details")
    return Reply(
        Outcome.REFUSED if refused else text_outcome(written or "", finished),
        (str(refused) if refused else written or "").strip(),
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
        cached_tokens=_count(details.get("cached_tokens")) if isinstance(details, Mapping) else None,
        log_probability=_mean_log_probability(choice.get("logprobs")),
    )


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _mean_log_probability(told: object) -> float | None:
    tokens = told.get("content") if isinstance(told, Mapping) else None
    values = [
        float(token["logprob"])
        for token in (tokens if isinstance(tokens, list) else [])
        if isinstance(token, Mapping) and isinstance(token.get("logprob"), int | float)
    ]
    return sum(values) / len(values) if values else None


def _of_status(error: Any) -> _Failure:
    """Return what a status of 400 and above means."""
    status, said = int(error.status_code), _said(error)
    if status in (408, 409, 425, 429):
        outcome = Outcome.BUSY if status in (425, 429) else Outcome.TIMED_OUT
        return _Failure(outcome, said, passes=True, pause=_asked_pause(error.response.headers))
    if status >= 500:
        return _Failure(Outcome.UNAVAILABLE, said, passes=True, pause=_asked_pause(error.response.headers))
    lowered = said.lower()
    if "context" in lowered and any(word in lowered for word in ("length", "window", "exceed", "too long")):
        return _Failure(Outcome.CONTEXT_TOO_LONG, said, passes=False)
    if status == 404 or ("model" in lowered and "not found" in lowered):
        return _Failure(Outcome.NO_MODEL, said, passes=False)
    return _Failure(Outcome.REJECTED, said, passes=False)


def _asked_pause(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that the server asks to wait, if it does."""
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _said(error: BaseException) -> str:
    return " ".join(f"{error}".split())[:_LONGEST_ERROR] or type(error).__name__
