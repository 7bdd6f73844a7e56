"""Requests to language models and their replies, independent of the engine."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections import abc
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from evidence_assets.lake.ids import content_id


class Outcome(StrEnum):
    """How a request ended.

    The first six are replies, and are kept: the same request gets the same answer. The others are failures
    of the moment, or of the set-up: they are recorded, and the request is asked again in the next run.
    """

    ANSWERED = "answered"
    CUT_OFF = "cut off at the token limit"
    EMPTY = "empty reply"
    REFUSED = "refused"
    CONTEXT_TOO_LONG = "context too long"
    INVALID_TEXT = "reply is not valid text"
    UNREADABLE = "reply cannot be read"
    UNAVAILABLE = "no server answers"
    NO_MODEL = "the server has no such model"
    REJECTED = "request rejected"
    TIMED_OUT = "timed out"
    BUSY = "server too busy"

    @property
    def is_reply(self) -> bool:
        """Tell whether this came from the model, and would come again."""
        return self in _REPLIES

    @property
    def is_text(self) -> bool:
        """Tell whether there is text to read."""
        return self in (Outcome.ANSWERED, Outcome.CUT_OFF)


_REPLIES = frozenset(
    {
        Outcome.ANSWERED,
        Outcome.CUT_OFF,
        Outcome.EMPTY,
        Outcome.REFUSED,
        Outcome.CONTEXT_TOO_LONG,
        Outcome.INVALID_TEXT,
    }
)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a reply is drawn. Temperature 0 is greedy, as in the papers (thesis tables 3.1, 7.4.1).

    `max_tokens`: the longest reply. `stop`: texts that end it.

    Raises:
        ValueError: nothing can be drawn so.
    """

    max_tokens: int = 256
    temperature: float = 0.0
    top_p: float = 1.0
    stop: tuple[str, ...] = ()
    seed: int = 2026

    def __post_init__(self) -> None:
        if self.max_tokens < 1 or not 0 <= self.temperature < float("inf") or not 0 < self.top_p <= 1:
            raise ValueError(f"no reply can be drawn by {self}")
        if isinstance(self.stop, str) or not all(self.stop):
            raise ValueError(f"stop: name texts of at least one character, not {self.stop!r}")


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a reply in words: a regular expression, with free text `before` or `after` it, or neither.

    An engine that holds replies to it ends what stands before while there is room for it.
    """

    pattern: str
    before: bool = False
    after: bool = False

    def matches(self, text: str) -> bool:
        """Tell whether a reply has this form."""
        free = r"[\s\S]*"
        expression = f"{free * self.before}({self.pattern}){free * self.after}"
        return re.fullmatch(expression, text.strip()) is not None


@dataclass(frozen=True, slots=True)
class Request:
    """One prompt: instructions, and what they are applied to.

    `task` names the prompt and `prompt_hash` its wording, for lineage. `schema`: the JSON schema that the
    reply must have, held to where the engine can; `form`: that of a reply in words, likewise.
    """

    task: str
    prompt_hash: str
    system: str
    user: str
    sampling: Sampling = Sampling()
    schema: Mapping[str, Any] | None = None
    form: Form | None = None

    @property
    def messages(self) -> list[dict[str, str]]:
        """The two messages of a chat."""
        return [{"role": "system", "content": self.system}, {"role": "user", "content": self.user}]

    def parameters(self) -> str:
        """Return sampling and schema as canonical JSON: 0 and 0.0 are one temperature."""
        sampling = {name: getattr(self.sampling, name) for name in Sampling.__slots__}
        sampling |= {"temperature": float(self.sampling.temperature), "top_p": float(self.sampling.top_p)}
        schema = None if self.schema is None else dict(self.schema)
        form = {} if self.form is None else {"form": asdict(self.form)}
        return json.dumps(
            {**sampling, "schema": schema, **form}, sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )

    def limited(self, tokens: int) -> Request:
        """Return the request with free text of at most `tokens` tokens; with 0, or a schema, as it is."""
        if self.schema is not None or not 0 < tokens < self.sampling.max_tokens:
            return self
        return replace(self, sampling=replace(self.sampling, max_tokens=tokens))

    def request_hash(self, generator_id: str) -> str:
        """Return what this request is known by when this generator is asked: equal requests are one."""
        return content_id("generation", generator_id, self.system, self.user, self.parameters())


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. Token counts are None where the engine reports none.

    `cached_tokens`: of the prompt, those that a prefix cache held. `log_probability`: mean over the reply's
    tokens, in nats. `attempts`: how often the engine was asked. `error`: what it said, where it failed.
    """

    outcome: Outcome
    text: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    log_probability: float | None = None
    seconds: float = 0.0
    attempts: int = 1
    error: str = ""


@dataclass(frozen=True, slots=True)
class Ability:
    """An engine's abilities. `constrains`: replies follow a schema; `log_probabilities`: it returns them."""

    constrains: bool = False
    log_probabilities: bool = False


# Each request's number and reply, as they come; closed, nothing more is asked.
Replies: TypeAlias = "abc.Generator[tuple[int, Reply]]"
OnReply: TypeAlias = "abc.Callable[[int, Reply], None]"


class Generator(ABC):
    """Replies to batches of requests.

    `name`: what arms call it, the part of an arm's name after `@`. `generator_id`: engine, model and
    revision, what a reply depends on beside the request. `model`: as the engine knows it, a name or a
    folder. `revision`: commit or content hash; of a server, what the configuration says; empty where it says
    nothing. `context_tokens`: longest prompt and reply together. `reply_tokens`: longest free text, where a
    slow machine or a small model calls for less than a task allows; 0: as long as that.
    """

    reply_tokens: int = 0

    def __init__(
        self, name: str, engine: str, model: str, revision: str, context_tokens: int, ability: Ability
    ) -> None:
        self.name, self.model, self.revision = name, model, revision
        self.generator_id = f"{engine}:{model}@{revision or 'unstated'}"
        self.context_tokens, self.ability = context_tokens, ability

    @abstractmethod
    def count_tokens(self, request: Request) -> int:
        """Return a prompt's tokens; where the model's tokenizer is not at hand, rather too many."""

    @abstractmethod
    def generate(self, requests: Sequence[Request]) -> Replies:
        """Yield each request's number and reply, as they come."""


class EagerGenerator(Generator):
    """A generator that sends requests before the replies to earlier ones are taken."""

    @abstractmethod
    def generate_eagerly(self, requests: Sequence[Request], on_reply: OnReply) -> Replies:
        """Yield each request's number and reply, as they come.

        `on_reply` is called with each, in another thread, before its place among the requests under way is
        given to the next. What it raises, the generator raises.
        """

    def generate(self, requests: Sequence[Request]) -> Replies:
        """Yield each request's number and reply, as they come."""
        return self.generate_eagerly(requests, lambda number, reply: None)


class GeneratorError(Exception):
    """A generator cannot be used: names it and the remedy."""


def text_outcome(text: str, finished: str) -> Outcome:
    """Return the outcome of a reply's text and the reason that the engine gives for its end."""
    if finished == "content_filter":
        return Outcome.REFUSED
    if not text.strip():
        return Outcome.EMPTY
    return Outcome.CUT_OFF if finished == "length" else Outcome.ANSWERED
