"""A generator whose every call is kept in the lake: what was answered once is answered from there.

Requests are sent in the order of their texts, so that those that begin alike follow one another and an
engine's prefix cache serves them. Replies are written as they come, in segments; when all have come, the
call's segments become one.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.lake.ids import content_id
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import GENERATIONS
from evidence_assets.models.generation.protocol import Generator, Outcome, Reply, Request

# Replies that a run which dies may lose: so many, or those of so many seconds.
FLUSH_REPLIES = 128
FLUSH_SECONDS = 20.0
# Requests handed to the engine together.
WAVE_REQUESTS = 1_024
_MILLION = 1_000_000
_REPLY_COLUMNS = (
    "request_hash",
    "outcome",
    "text",
    "prompt_tokens",
    "completion_tokens",
    "cached_tokens",
    "log_probability",
    "seconds",
    "attempts",
    "error",
)

Write = Callable[[Mapping[str, str], pa.Table], None]
Progress = Callable[[int, int], None]


class BudgetSpentError(Exception):
    """A run's budget is spent: what was answered is kept, and the next run goes on from there."""


@dataclass(slots=True)
class Budget:
    """What one run may use: tokens, and money at prices a million tokens; 0: no limit."""

    tokens: int = 0
    money: float = 0.0
    prompt_price: float = 0.0
    reply_price: float = 0.0
    used_tokens: int = 0
    used_money: float = 0.0

    def spend(self, prompt_tokens: int, reply_tokens: int) -> None:
        """Note tokens that were used."""
        self.used_tokens += prompt_tokens + reply_tokens
        self.used_money += self._cost(prompt_tokens, reply_tokens)

    def affordable(self, most: Sequence[tuple[int, int]]) -> int:
        """Return how many of these requests, the first ones, can be sent without overspending.

        `most`: prompt tokens and the most reply tokens of each.
        """
        tokens, money = self.used_tokens, self.used_money
        for number, (prompt_tokens, reply_tokens) in enumerate(most):
            tokens += prompt_tokens + reply_tokens
            money += self._cost(prompt_tokens, reply_tokens)
            if (self.tokens and tokens > self.tokens) or (self.money and money > self.money):
                return number
        return len(most)

    def _cost(self, prompt_tokens: int, reply_tokens: int) -> float:
        return (prompt_tokens * self.prompt_price + reply_tokens * self.reply_price) / _MILLION


@dataclass(frozen=True, slots=True)
class Recorded:
    """A reply and what it is kept under. `replayed`: it was in the lake already."""

    request_hash: str
    reply: Reply
    replayed: bool


@dataclass(slots=True)
class Tally:
    """What the calls of a run came to."""

    replayed: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int | None = None
    seconds: float = 0.0

    def note(self, reply: Reply) -> None:
        """Count a reply that was asked for."""
        self.outcomes[str(reply.outcome)] += 1
        self.prompt_tokens += reply.prompt_tokens or 0
        self.completion_tokens += reply.completion_tokens or 0
        if reply.cached_tokens is not None:
            self.cached_tokens = (self.cached_tokens or 0) + reply.cached_tokens

    def metadata(self) -> dict[str, Any]:
        """Return what there is to show: requests, tokens, and the share that prefix caches served."""
        shown: dict[str, Any] = {
            "requests_replayed": self.replayed,
            "requests_sent": sum(self.outcomes.values()),
            "outcomes": dict(self.outcomes),
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "seconds_generating": round(self.seconds, 1),
        }
        if self.cached_tokens is not None and self.prompt_tokens:
            shown["prefix_cache_hit_rate"] = self.cached_tokens / self.prompt_tokens
        return shown


class RecordedGenerator:
    """A generator with its record.

    Parameters
    ----------
    write
        Writes one partition of `generations`, and notes that it was written.
    budget
        What may be used until it is used up; None: no limit.
    """

    def __init__(self, generator: Generator, lake: Lake, write: Write, budget: Budget | None = None) -> None:
        self.generator = generator
        self.tally = Tally()
        self._lake, self._write, self._budget = lake, write, budget

    def replies(self, requests: Sequence[Request], progress: Progress | None = None) -> list[Recorded]:
        """Return every request's reply, in order; what the lake does not hold is asked for and kept.

        Equal requests are sent once. Requests that failed in an earlier run are asked again.

        Raises:
            BudgetSpentError: the next request could overspend; what was answered until then is kept.
        """
        started = time.perf_counter()
        hashes = [request.request_hash(self.generator.generator_id) for request in requests]
        first = dict(zip(hashes, requests, strict=True))
        known = self._known(first)
        found = {key: Recorded(key, reply, True) for key, reply in known.items()}
        self.tally.replayed += len(found)
        missing = sorted((key for key in first if key not in found), key=lambda key: _text(first[key]))
        if progress and found:
            progress(len(found), len(first))
        for key, reply in self._ask(missing, first):
            found[key] = Recorded(key, reply, False)
            self.tally.note(reply)
            if progress:
                progress(len(found), len(first))
        self.tally.seconds += time.perf_counter() - started
        return [found[key] for key in hashes]

    def _known(self, wanted: Mapping[str, Request]) -> dict[str, Reply]:
        """Return the replies to these requests that the lake holds, failures left out."""
        known: dict[str, Reply] = {}
        asked = pa.array(list(wanted), pa.string())
        for partition in self._lake.partitions(GENERATIONS):
            if partition["generator"] != self.generator.generator_id or len(known) == len(wanted):
                continue
            rows = self._lake.read(GENERATIONS, partition, _REPLY_COLUMNS)
            rows = rows.filter(pc.is_in(rows.column("request_hash"), asked))
            for row in rows.to_pylist():
                key, outcome = row.pop("request_hash"), Outcome(row.pop("outcome"))
                if outcome.is_reply:
                    known.setdefault(key, Reply(outcome, **row))
        return known

    def _ask(self, missing: Sequence[str], requests: Mapping[str, Request]) -> Iterator[tuple[str, Reply]]:
        """Yield the replies to requests that the lake does not hold, each written before long."""
        record = _Record(self._lake, self._write, self.generator)
        place = 0
        try:
            while place < len(missing):
                wave = missing[place : place + WAVE_REQUESTS]
                wave = wave[: self._affordable(wave, requests)]
                for number, reply in self.generator.generate([requests[key] for key in wave]):
                    key = wave[number]
                    record.add(key, requests[key], reply)
                    if self._budget is not None:
                        self._budget.spend(reply.prompt_tokens or 0, reply.completion_tokens or 0)
                    yield key, reply
                place += len(wave)
        finally:
            record.flush()
        record.compact()

    def _affordable(self, wave: Sequence[str], requests: Mapping[str, Request]) -> int:
        budget = self._budget
        if budget is None or not (budget.tokens or budget.money):
            return len(wave)
        most = [
            (self.generator.count_tokens(requests[key]), requests[key].sampling.max_tokens) for key in wave
        ]
        count = budget.affordable(most)
        if not count:
            raise BudgetSpentError(
                f"generator {self.generator.name}: {budget.used_tokens:,} tokens and {budget.used_money:.4f} "
                f"of money are used, of {budget.tokens or 'any number of'} tokens and "
                f"{budget.money or 'any amount'}; remedy: materialise again to go on from the first request "
                "without a reply, with a larger budget (budget_tokens, budget_money) if you like"
            )
        return count


class _Record:
    """The rows of one call, written in segments and joined at its end."""

    def __init__(self, lake: Lake, write: Write, generator: Generator) -> None:
        self._lake, self._write, self._generator = lake, write, generator
        self._rows: list[dict[str, Any]] = []
        self._segments: list[dict[str, str]] = []
        self._flushed = time.perf_counter()

    def add(self, key: str, request: Request, reply: Reply) -> None:
        self._rows.append(
            {
                "request_hash": key,
                "generator": self._generator.generator_id,
                "model": self._generator.model,
                "revision": self._generator.revision,
                "task": request.task,
                "prompt_hash": request.prompt_hash,
                "system": request.system,
                "user": request.user,
                "parameters": request.parameters(),
                **{name: getattr(reply, name) for name in _REPLY_COLUMNS[1:]},
                "outcome": str(reply.outcome),
            }
        )
        if len(self._rows) >= FLUSH_REPLIES or time.perf_counter() - self._flushed > FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what has come since the last time."""
        if self._rows:
            self._put(self._rows)
        self._rows, self._flushed = [], time.perf_counter()

    def _put(self, rows: Sequence[dict[str, Any]]) -> None:
        segment = content_id("segment", *sorted(row["request_hash"] for row in rows))
        partition = {"generator": self._generator.generator_id, "segment": segment}
        named = [{**row, "segment": segment} for row in rows]
        self._write(partition, pa.Table.from_pylist(named, schema=GENERATIONS.schema))
        self._segments.append(partition)

    def compact(self) -> None:
        """Make one segment of several, the whole first, then the parts go; note it as read."""
        parts = list(self._segments)
        if len(parts) > 1:
            before = dict(self._lake.reads)
            rows = self._lake.read_partitions(GENERATIONS, parts).to_pylist()
            # The parts are gone in a moment: nothing was made from them.
            self._lake.reads.clear()
            self._lake.reads.update(before)
            self._put(rows)
            for partition in parts:
                self._lake.delete(GENERATIONS, partition)
        for partition in self._segments[-1:]:
            self._lake.reads[self._lake.version(GENERATIONS, partition)] = None


def _text(request: Request) -> tuple[str, str]:
    return request.system, request.user
