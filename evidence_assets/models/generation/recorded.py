"""A generator whose calls are recorded in the lake: an answered request is replayed from there.

Requests are sent in the order of their texts, so that those that begin alike follow one another and an
engine's prefix cache serves them. A reply is kept on this machine's disk as soon as it comes, and written to
the lake with others, in segments; when all have come, the call's segments become one, and take the place of
earlier failures of the same requests. What a process that died had been told goes to the lake first.
"""

from __future__ import annotations

import time
from collections import Counter, abc
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.lake.ids import content_id
from evidence_assets.lake.lake import Lake, MissingPartitionError, PartitionVersion, partition_name
from evidence_assets.lake.schemas import GENERATIONS
from evidence_assets.models.generation.protocol import (
    EagerGenerator,
    Generator,
    Outcome,
    Replies,
    Reply,
    Request,
)
from evidence_assets.models.generation.unrecorded import UnrecordedReplies, left_behind
from evidence_assets.progress import Progress

# Replies are written to the lake when there are so many, or when one comes so long after the last ones.
FLUSH_REPLIES = 128
FLUSH_SECONDS = 20.0
# Requests handed to the engine together.
WAVE_REQUESTS = 1_024
_MILLION = 1_000_000
_REPLY_COLUMNS = ("request_hash", *(column.name for column in fields(Reply)))

Write = Callable[[Mapping[str, str], pa.Table], None]


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

    def affordable(self, most: Iterable[tuple[int, int]]) -> int:
        """Return how many of these requests, the first ones, can be sent without overspending.

        `most`: prompt tokens and the most reply tokens of each; no more are looked at than can be sent.
        """
        tokens, money, number = self.used_tokens, self.used_money, 0
        for prompt_tokens, reply_tokens in most:
            tokens += prompt_tokens + reply_tokens
            money += self._cost(prompt_tokens, reply_tokens)
            if (self.tokens and tokens > self.tokens) or (self.money and money > self.money):
                break
            number += 1
        return number

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
    not_sent: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int | None = None
    seconds: float = 0.0

    @property
    def failures(self) -> int:
        """Requests without a reply because of the set-up or the moment: they are asked again."""
        return sum(count for outcome, count in self.outcomes.items() if not Outcome(outcome).is_reply)

    def note(self, reply: Reply) -> None:
        """Count a reply that was asked for."""
        self.not_sent += not reply.attempts
        self.outcomes[str(reply.outcome)] += 1
        self.prompt_tokens += reply.prompt_tokens or 0
        self.completion_tokens += reply.completion_tokens or 0
        if reply.cached_tokens is not None:
            self.cached_tokens = (self.cached_tokens or 0) + reply.cached_tokens

    def metadata(self) -> dict[str, Any]:
        """Return what there is to show: requests, tokens, and the share that prefix caches served."""
        shown: dict[str, Any] = {
            "requests_replayed": self.replayed,
            "requests_sent": sum(self.outcomes.values()) - self.not_sent,
            "requests_not_sent": self.not_sent,
            "outcomes": dict(self.outcomes),
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "seconds_generating": round(self.seconds, 1),
        }
        if self.cached_tokens is not None and self.prompt_tokens:
            shown["prefix_cache_hit_rate"] = self.cached_tokens / self.prompt_tokens
        return shown


class RecordedGenerator:
    """A generator with its record. `used`: the versions of `generations` that its replies stand in.

    `write`: writes one partition of `generations`, and notes that it was written. `budget`: what may be used
    until it is used up; None: no limit. `unrecorded`: the folder that keeps what is not in the lake yet;
    None: a process that is killed loses the replies since its last segment.
    """

    def __init__(
        self,
        generator: Generator,
        lake: Lake,
        write: Write,
        budget: Budget | None = None,
        unrecorded: Path | None = None,
    ) -> None:
        self.generator = generator
        self.tally = Tally()
        self.used: dict[PartitionVersion, None] = {}
        self._lake, self._write, self._budget = lake, write, budget
        name = content_id("generator", lake.uri, generator.generator_id)
        self._unrecorded = unrecorded and unrecorded / name

    def replies(self, requests: Sequence[Request], progress: Progress | None = None) -> list[Recorded]:
        """Return every request's reply, in order; what the lake does not hold is asked for and kept.

        Equal requests are sent once. Requests that failed in an earlier run are asked again.

        Raises:
            BudgetSpentError: the next request could overspend; what was answered until then is kept.
        """
        started = time.perf_counter()
        hashes = [request.request_hash(self.generator.generator_id) for request in requests]
        first = dict(zip(hashes, requests, strict=True))
        self._record_what_was_left()
        known = self._known(first)
        recorded = {key: Recorded(key, reply, True) for key, reply in known.replies.items()}
        self.tally.replayed += len(recorded)
        missing = [key for key in first if key not in recorded]
        missing.sort(key=lambda key: (first[key].system, first[key].user))
        if progress and recorded:
            progress(len(recorded), len(first))
        try:
            # Closed here, not when it is collected: what has come is written before an error goes on.
            with closing(self._ask(missing, first, known)) as new_replies:
                for key, reply in new_replies:
                    recorded[key] = Recorded(key, reply, False)
                    self.tally.note(reply)
                    if progress:
                        progress(len(recorded), len(first))
        finally:
            self.tally.seconds += time.perf_counter() - started
        return [recorded[key] for key in hashes]

    def _record_what_was_left(self) -> None:
        """Write to the lake what processes that died were told, as far as this version knows its columns."""
        columns = set(GENERATIONS.schema.names) - {"segment"}
        for rows in left_behind(self._unrecorded):
            if known := [row for row in rows if row.keys() == columns]:
                _write_segment(self._write, known)

    def _known(self, wanted: Mapping[str, Request]) -> _Known:
        """Return the replies to these requests that the lake holds, failures left out.

        Of the partitions that are looked at, those that gave a reply are noted as read.
        """
        known = _Known()
        hashes = pa.array(list(wanted), pa.string())
        seen: dict[str, PartitionVersion] = {}
        complete = not wanted
        while not complete:
            complete = True
            for partition in self._lake.partitions(GENERATIONS):
                if partition["generator"] != self.generator.generator_id or partition["segment"] in seen:
                    continue
                try:
                    version, rows = self._lake.read_versioned(GENERATIONS, partition, _REPLY_COLUMNS)
                except MissingPartitionError:
                    # Another process has just joined it with others: the whole is there before the parts go.
                    complete = False
                    continue
                seen[partition["segment"]] = version
                for row in rows.filter(pc.is_in(rows.column("request_hash"), hashes)).to_pylist():
                    key = row.pop("request_hash")
                    reply = Reply(Outcome(row.pop("outcome")), **row)
                    if key in known.replies or not self._replays(wanted[key], reply):
                        known.redundant.setdefault(key, []).append(partition)
                    else:
                        known.replies[key], known.gave[key] = reply, partition
        gave = {partition["segment"] for partition in known.gave.values()}
        self.used |= {version: None for segment, version in seen.items() if segment in gave}
        return known

    def _replays(self, request: Request, reply: Reply) -> bool:
        """Tell whether a reply is still the reply: what was too long may fit into a larger context."""
        if reply.outcome is not Outcome.CONTEXT_TOO_LONG:
            return reply.outcome.is_reply
        count = reply.prompt_tokens or self.generator.count_tokens(request)
        return count + request.sampling.max_tokens > self.generator.context_tokens

    def _ask(
        self, missing: Sequence[str], requests: Mapping[str, Request], known: _Known
    ) -> abc.Generator[tuple[str, Reply]]:
        """Yield the replies to requests that the lake does not hold, each written before long."""
        unrecorded = UnrecordedReplies(self._unrecorded)
        record = _Record(self._lake, self._write, self.generator, self.used, unrecorded)
        place = 0
        try:
            while place < len(missing):
                wave = missing[place : place + WAVE_REQUESTS]
                wave = wave[: self._affordable(wave, requests)]
                with closing(self._generated(wave, requests, record)) as replies:
                    for number, reply in replies:
                        key = wave[number]
                        self._spend(requests[key], reply)
                        record.add(key, requests[key], reply)
                        yield key, reply
                place += len(wave)
        finally:
            with closing(unrecorded):
                record.flush()
        record.compact(known)

    def _generated(self, wave: Sequence[str], requests: Mapping[str, Request], record: _Record) -> Replies:
        """Yield the replies to a wave of requests; each is on the disk before more is asked."""
        in_order = [requests[key] for key in wave]
        if not isinstance(self.generator, EagerGenerator):
            return self.generator.generate(in_order)

        def keep(number: int, reply: Reply) -> None:
            record.keep(wave[number], in_order[number], reply)

        return self.generator.generate_eagerly(in_order, keep)

    def _spend(self, request: Request, reply: Reply) -> None:
        """Note what a reply used: where the engine does not say, the most that it can be.

        What failed is counted as far as the engine says.
        """
        if self._budget is None:
            return
        used, written = reply.prompt_tokens, reply.completion_tokens
        if reply.outcome.is_reply and reply.outcome is not Outcome.CONTEXT_TOO_LONG:
            used = self.generator.count_tokens(request) if used is None else used
            written = request.sampling.max_tokens if written is None else written
            self._budget.spend(used, written)
        elif not reply.outcome.is_reply:
            self._budget.spend(used or 0, written or 0)

    def _affordable(self, wave: Sequence[str], requests: Mapping[str, Request]) -> int:
        budget = self._budget
        if budget is None or not (budget.tokens or budget.money):
            return len(wave)
        most = (
            (self.generator.count_tokens(requests[key]), requests[key].sampling.max_tokens) for key in wave
        )
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

    def __init__(
        self,
        lake: Lake,
        write: Write,
        generator: Generator,
        used: dict[PartitionVersion, None],
        unrecorded: UnrecordedReplies,
    ) -> None:
        self._lake, self._write, self._generator, self._used = lake, write, generator, used
        self._unrecorded = unrecorded
        self._rows: list[dict[str, Any]] = []
        self._segments: list[dict[str, str]] = []
        self._flushed = time.perf_counter()

    def add(self, key: str, request: Request, reply: Reply) -> None:
        """Take a reply into the next segment, and write the segment when it is due."""
        self._rows.append(self.keep(key, request, reply))
        if len(self._rows) >= FLUSH_REPLIES or time.perf_counter() - self._flushed > FLUSH_SECONDS:
            self.flush()

    def keep(self, key: str, request: Request, reply: Reply) -> dict[str, Any]:
        """Put a reply on the disk; return its row, but for the segment. Another thread may."""
        row = {
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
        self._unrecorded.add(row)
        return row

    def flush(self) -> None:
        """Write what has come since the last time."""
        if self._rows:
            self._segments.append(_write_segment(self._write, self._rows))
            self._unrecorded.remove(row["request_hash"] for row in self._rows)
        self._rows, self._flushed = [], time.perf_counter()

    def compact(self, known: _Known) -> None:
        """Make one segment of several, the whole first, then the parts go; note it as read.

        Earlier segments that hold failures of these requests, or a reply once more, are parts too.
        """
        parts = {partition["segment"]: partition for partition in [*self._segments, *known.untidy()]}
        if not parts:
            return
        segment = self._segments[-1] if len(parts) == 1 and self._segments else None
        if segment is None:
            rows = self._joined(parts)
            # The parts are gone in a moment: nothing was made from them.
            gone = {partition_name(partition) for partition in parts.values()}
            for version in [version for version in self._used if version.partition in gone]:
                del self._used[version]
            segment = _write_segment(self._write, rows)
            for partition in parts.values():
                if partition != segment:
                    self._lake.delete(GENERATIONS, partition)
        self._used[self._lake.version(GENERATIONS, segment)] = None

    def _joined(self, parts: Mapping[str, dict[str, str]]) -> list[dict[str, Any]]:
        """Return the rows of these segments, one a request: the newest, but a reply before a failure."""
        joined: dict[str, dict[str, Any]] = {}
        written = {partition["segment"] for partition in self._segments}
        # Those of this call first, then the others as they were read: the first reply is the one given out.
        for segment, partition in sorted(parts.items(), key=lambda part: (part[0] not in written, part[0])):
            try:
                rows = self._lake.read(GENERATIONS, partition)
            except MissingPartitionError:
                if segment in written:
                    raise
                continue
            for row in rows.to_pylist():
                kept = joined.setdefault(row["request_hash"], row)
                if not Outcome(kept["outcome"]).is_reply and Outcome(row["outcome"]).is_reply:
                    joined[row["request_hash"]] = row
        return list(joined.values())


def _write_segment(write: Write, rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Write rows of one generator, named by what was asked; return the partition."""
    segment = content_id("segment", *sorted(row["request_hash"] for row in rows))
    partition = {"generator": str(rows[0]["generator"]), "segment": segment}
    named = [{**row, "segment": segment} for row in rows]
    write(partition, pa.Table.from_pylist(named, schema=GENERATIONS.schema))
    return partition


@dataclass(slots=True)
class _Known:
    """What the lake holds of some requests.

    `gave`: the partition that each reply was taken from. `redundant`: those that hold a failure of a request,
    or a reply that another gave.
    """

    replies: dict[str, Reply] = field(default_factory=dict)
    gave: dict[str, dict[str, str]] = field(default_factory=dict)
    redundant: dict[str, list[dict[str, str]]] = field(default_factory=dict)

    def untidy(self) -> list[dict[str, str]]:
        """Return partitions that, made one, would hold each of these requests once."""
        return [
            partition
            for key, partitions in self.redundant.items()
            for partition in [*partitions, *([self.gave[key]] if key in self.gave else [])]
        ]
