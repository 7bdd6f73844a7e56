"""Any server of the OpenAI HTTP protocol: vLLM's, Ollama, llama.cpp, transformers serve, hosted ones.

A bounded number of requests run at once; each is retried with growing pauses where the failure may pass
(429, 5xx, a lost connection, a timeout, a truncated reply).
"""

from __future__ import annotations

import asyncio
import json
import math
import queue
import random
import re
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from evidence_assets.models.encoder import loading
from evidence_assets.models.generation.protocol import (
    Ability,
    EagerGenerator,
    GeneratorError,
    OnReply,
    Outcome,
    Replies,
    Reply,
    Request,
    text_outcome,
)

if TYPE_CHECKING:
    from openai import AsyncOpenAI

ENGINE = "openai-http"
# Sent to a server that needs no key: the client library requires one.
NO_KEY = "none"
# Rounds of all workers that may fail in a row before the rest are not sent.
GIVES_UP_AFTER_ROUNDS = 2
# Seconds to connect before a server counts as down.
CONNECT_SECONDS = 10.0
# English words have about four letters a token: three is on the safe side. Digits, marks and the bytes of
# other scripts may each be a token.
_ESTIMATED_TOKEN = re.compile(rb"[A-Za-z ]{1,3}|[^A-Za-z ]")
# What a chat template puts around two messages; some state the date and more.
_MESSAGE_TOKENS = 64
_LONGEST_ERROR = 300
_LARGEST_COUNT = 2**53
# How servers say that a prompt is too long: OpenAI, vLLM, llama.cpp, SGLang, text-generation-inference.
_TOO_LONG = re.compile(
    r"context.{0,10}(length|window|size)|exceed\w* .{0,30}context|maximum (model|sequence|input) length"
    r"|max_model_len|prompt (is|was) too long|input is too long|max_new_tokens\W+must be",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Patience:
    """Timeout and retries of a request.

    `seconds`: of one attempt, to its last byte; nor is a server that asks to wait (Retry-After) waited for
    longer. `first_pause`: before the second attempt; it doubles, up to `longest_pause`, and is varied so that
    requests do not come back together.
    """

    attempts: int = 5
    seconds: float = 300.0
    first_pause: float = 0.5
    longest_pause: float = 30.0


@dataclass(eq=False)
class _Failure(Exception):
    """One attempt that gave no reply. `passes`: another may do better, after the `pause` asked for."""

    outcome: Outcome
    error: str
    passes: bool
    pause: float = 0.0


class OpenAiGenerator(EagerGenerator):
    """A model behind a server of the OpenAI protocol.

    `url`: the server's address up to and with `/v1`. `revision`: what is known of its weights. `key`: sent as
    a bearer token; from the environment, never from a file. `concurrent`: requests under way at once.
    `constrains`: the server holds replies to a JSON schema (`response_format`). `log_probabilities`: it
    returns those of its tokens. `tokenizer`: folder or hub name of the model's; None: tokens are estimated
    from bytes. `engine`: what the server runs on, where that is known.

    Raises:
        GeneratorError: the address is invalid, the key cannot be sent, or there is no such tokenizer.
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
        engine: str = ENGINE,
    ) -> None:
        if not _is_address(url):
            raise GeneratorError(
                f"generator {name}: {url!r} is no address of a server; remedy: set its url, such as "
                "http://127.0.0.1:8000/v1"
            )
        if not (key.isascii() and key.isprintable()) or key != key.strip():
            # Never shown, not even in part.
            raise GeneratorError(
                f"generator {name}: its key has characters that no server takes; remedy: set it again, "
                "without blanks and line breaks"
            )
        ability = Ability(constrains, log_probabilities)
        # Options beside the text are part of what a reply depends on.
        options = "+schemas" * constrains + "+log-probabilities" * log_probabilities
        super().__init__(name, engine + options, model, revision, context_tokens, ability)
        self._url, self._key, self._concurrent, self._patience = url, key or NO_KEY, concurrent, patience
        self._was_down = False
        self._tokenizer: Any = None
        if tokenizer is not None:
            from transformers import AutoTokenizer

            remedy = "name a folder or hub model (tokenizer), or leave it out"
            with loading(GeneratorError, f"generator {name}: no tokenizer at {tokenizer}", remedy):
                self._tokenizer = AutoTokenizer.from_pretrained(tokenizer)

    def count_tokens(self, request: Request) -> int:
        """Return a prompt's tokens; without the model's tokenizer, an estimate from its bytes."""
        if self._tokenizer is not None:
            from evidence_assets.models.generation.transformers_local import chat_text

            text = chat_text(self._tokenizer, request)
            around = 0 if self._tokenizer.chat_template else _MESSAGE_TOKENS
            return around + len(self._tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])
        return _MESSAGE_TOKENS + sum(
            len(_ESTIMATED_TOKEN.findall(text.encode())) for text in (request.system, request.user)
        )

    def generate_eagerly(self, requests: Sequence[Request], on_reply: OnReply) -> Replies:
        """Yield each request's number and reply, as they come; `on_reply` is called as soon as they do."""
        replies: queue.SimpleQueue[tuple[int, Reply] | BaseException | None] = queue.SimpleQueue()
        loop = asyncio.new_event_loop()

        def put(number: int, reply: Reply) -> None:
            on_reply(number, reply)
            replies.put((number, reply))

        asking = loop.create_task(self._ask_all(requests, put))

        def run() -> None:
            try:
                loop.run_until_complete(asking)
                replies.put(None)
            except asyncio.CancelledError:
                replies.put(None)
            except BaseExceptionGroup as errors:
                replies.put(errors.exceptions[0])
            except BaseException as error:
                replies.put(error)
            finally:
                loop.run_until_complete(loop.shutdown_asyncgens())
                loop.close()

        # A separate thread: the caller may be in an event loop already.
        worker = threading.Thread(target=run, name=f"requests to {self.name}", daemon=True)
        worker.start()
        try:
            while (item := replies.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            # A loop that has ended has nothing to cancel.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(asking.cancel)
            worker.join()

    async def _ask_all(self, requests: Sequence[Request], put: OnReply) -> None:
        import openai

        waiting = iter(enumerate(requests))
        # A server that was down is tried once: it may be back.
        health = _Health(1 if self._was_down else GIVES_UP_AFTER_ROUNDS * self._concurrent)
        seconds = self._patience.seconds
        limit = openai.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
        async with openai.AsyncOpenAI(
            base_url=self._url, api_key=self._key, max_retries=0, timeout=limit
        ) as client:

            async def work() -> None:
                for number, request in waiting:
                    if health.down is not None:
                        put(number, replace(health.down, attempts=0, seconds=0.0))
                        continue
                    reply = await self._ask(client, request)
                    health.note(reply)
                    self._was_down = health.down is not None
                    put(number, reply)

            async with asyncio.TaskGroup() as workers:
                for _ in range(min(self._concurrent, len(requests))):
                    workers.create_task(work())

    async def _ask(self, client: AsyncOpenAI, request: Request) -> Reply:
        """Return a request's reply, or how its last attempt failed."""
        started = time.perf_counter()
        pause = self._patience.first_pause
        for attempt in range(1, self._patience.attempts + 1):
            try:
                # Not wait_for: before Python 3.12 it loses a cancellation that comes with the reply.
                async with asyncio.timeout(self._patience.seconds):
                    reply = await self._attempt(client, request)
                return replace(reply, seconds=time.perf_counter() - started, attempts=attempt)
            except TimeoutError:
                failure = _Failure(Outcome.TIMED_OUT, f"no reply in {self._patience.seconds:g} s", True)
            except _Failure as raised:
                failure = raised
            if not failure.passes or attempt == self._patience.attempts:
                break
            jittered = pause * random.uniform(0.5, 1.5)  # noqa: S311
            await asyncio.sleep(min(failure.pause, self._patience.seconds) + jittered)
            pause = min(2 * pause, self._patience.longest_pause)
        error = failure.error if self._key == NO_KEY else failure.error.replace(self._key, "(the key)")
        return Reply(
            failure.outcome,
            seconds=time.perf_counter() - started,
            attempts=attempt,
            error=error[:_LONGEST_ERROR],
        )

    def _options(self, request: Request) -> dict[str, Any]:
        """Return what is sent beside messages and sampling."""
        options: dict[str, Any] = {}
        if request.sampling.stop:
            options["stop"] = list(request.sampling.stop)
        if request.schema is not None and self.ability.constrains:
            schema = {"name": request.task, "schema": dict(request.schema), "strict": True}
            options["response_format"] = {"type": "json_schema", "json_schema": schema}
        if self.ability.log_probabilities:
            options["logprobs"] = True
        return options

    async def _attempt(self, client: AsyncOpenAI, request: Request) -> Reply:
        import openai

        sampling = request.sampling
        more = self._options(request)
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
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            late = isinstance(error, openai.APITimeoutError) and type(cause).__name__ != "ConnectTimeout"
            outcome = Outcome.TIMED_OUT if late else Outcome.UNAVAILABLE
            raise _Failure(outcome, _message(cause), passes=True) from error
        except openai.OpenAIError as error:
            raise _Failure(Outcome.UNREADABLE, _message(error), passes=True) from error
        return read_completion(response.http_response.content)


class _Health:
    """Whether the server is up: after a number of failures in a row it counts as down.

    A server that answers some requests and rejects others is not down, however many it rejects.
    """

    def __init__(self, patience: int) -> None:
        self.down: Reply | None = None
        self._patience, self._failed, self._answers = patience, 0, False

    def note(self, reply: Reply) -> None:
        if reply.outcome.is_reply:
            self._failed, self._answers = 0, True
        elif not (self._answers and reply.outcome is Outcome.REJECTED):
            self._failed += 1
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
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise _Failure(
            Outcome.UNREADABLE,
            f"{type(error).__name__}: {_message(error)}; it began {text[:80]!a}",
            passes=True,
        ) from error
    usage = content.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    details = usage.get("prompt_tokens_details")
    outcome = Outcome.REFUSED if refused else text_outcome(written or "", finished)
    reply_text, problem = (str(refused) if refused else written or "").strip(), ""
    if (place := _lone_surrogate(reply_text)) is not None:
        outcome, reply_text, problem = Outcome.INVALID_TEXT, "", f"half a character at {place}"
    return Reply(
        outcome,
        reply_text,
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
        cached_tokens=_count(details.get("cached_tokens")) if isinstance(details, Mapping) else None,
        log_probability=_mean_log_probability(choice.get("logprobs")),
        error=problem,
    )


def _lone_surrogate(text: str) -> int | None:
    """Return where half a character stands, as JSON can escape it and UTF-8 cannot say it."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error.start
    return None


def _count(value: object) -> int | None:
    number = value if isinstance(value, int) and not isinstance(value, bool) else -1
    return number if 0 <= number < _LARGEST_COUNT else None


def _mean_log_probability(log_probabilities: object) -> float | None:
    """Return the mean log-probability of the tokens; None where one is missing or malformed."""
    tokens = log_probabilities.get("content") if isinstance(log_probabilities, Mapping) else None
    values = [
        token.get("logprob") if isinstance(token, Mapping) else None
        for token in (tokens if isinstance(tokens, list) else [])
    ]
    known = [value for value in values if isinstance(value, float | int) and -math.inf < value <= 0]
    return math.fsum(known) / len(known) if known and len(known) == len(values) else None


def _of_status(error: Any) -> _Failure:
    """Return what a status of 400 and above means."""
    status, message = int(error.status_code), _status_message(error)
    pause = _asked_pause(error.response.headers)
    if status in (408, 409, 425, 429):
        outcome = Outcome.BUSY if status in (425, 429) else Outcome.TIMED_OUT
        return _Failure(outcome, message, passes=True, pause=pause)
    if status >= 500:
        return _Failure(Outcome.UNAVAILABLE, message, passes=True, pause=pause)
    # A server may say more than is shown, such as a code.
    everything = f"{message} {error.body}"
    if _TOO_LONG.search(everything) or "context_length_exceeded" in everything:
        return _Failure(Outcome.CONTEXT_TOO_LONG, message, passes=False)
    lowered = everything.lower()
    if status == 404 or ("model" in lowered and ("not found" in lowered or "does not exist" in lowered)):
        return _Failure(Outcome.NO_MODEL, message, passes=False)
    return _Failure(Outcome.REJECTED, message, passes=False)


def _asked_pause(headers: Mapping[str, str]) -> float:
    """Return the seconds that the server asks to wait, 0 if it does not."""
    wanted = headers.get("retry-after", "")
    try:
        seconds = float(wanted)
    except ValueError:
        try:
            until = parsedate_to_datetime(wanted)
        except (ValueError, TypeError):
            return 0.0
        until = until.replace(tzinfo=UTC) if until.tzinfo is None else until
        seconds = (until - datetime.now(UTC)).total_seconds()
    return seconds if 0 <= seconds < math.inf else 0.0


def _status_message(error: Any) -> str:
    """Return a server's error message, or the whole body where it has no message field."""
    message = _message(error)
    if message != f"Error code: {error.status_code}" or not error.body:
        return message
    return f"{message} - {' '.join(str(error.body).split())}".encode(errors="backslashreplace").decode()


def _message(error: BaseException) -> str:
    message = " ".join(f"{error}".split()) or type(error).__name__
    return message.encode(errors="backslashreplace").decode()


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
