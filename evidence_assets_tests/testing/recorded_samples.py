"""An engine that does as it is told, and a lake that remembers what it replied."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from evidence_assets.lake.lake import Lake, PartitionVersion, partition_name
from evidence_assets.lake.schemas import GENERATIONS
from evidence_assets.models.generation import recorded
from evidence_assets.models.generation.protocol import (
    Ability,
    Generator,
    Outcome,
    Replies,
    Reply,
    Request,
    Sampling,
)
from evidence_assets.models.generation.recorded import Budget, RecordedGenerator

Answer = Callable[[Request], Reply]


def asking(user: str, system: str = "You answer.", **sampling: Any) -> Request:
    return Request("task", "0" * 32, system, user, Sampling(**{"max_tokens": 8, **sampling}))


def reply_to(request: Request) -> Reply:
    return Reply(Outcome.ANSWERED, f"reply to {request.user}", prompt_tokens=5, completion_tokens=3)


class Engine(Generator):
    """Answers by a function, one by one; remembers what it was asked. `dies_after`: replies until it does."""

    def __init__(
        self,
        reply: Answer = reply_to,
        *,
        generator_id: str = "engine:model@r1",
        dies_after: int | None = None,
        death: BaseException | None = None,
        context_tokens: int = 100,
    ) -> None:
        super().__init__("engine", "engine", "model", "r1", context_tokens, Ability())
        self.generator_id = generator_id
        self.requests: list[Request] = []
        self.counted = 0
        self.closed = 0
        self._reply, self._left, self._death = reply, dies_after, death or RuntimeError("the engine died")

    @property
    def users(self) -> list[str]:
        return [request.user for request in self.requests]

    def count_tokens(self, request: Request) -> int:
        self.counted += 1
        return 5

    def generate(self, requests: Sequence[Request]) -> Replies:
        try:
            for number, request in enumerate(requests):
                if self._left is not None and len(self.requests) >= self._left:
                    raise self._death
                self.requests.append(request)
                yield number, self._reply(request)
        finally:
            self.closed += 1


class Project:
    """A lake, what was written to it, and the generator that was recorded last."""

    def __init__(self, folder: Path) -> None:
        self.lake = Lake(str(folder))
        self.unrecorded = folder.parent / "unrecorded"
        self.written: list[Mapping[str, str]] = []
        self.last: RecordedGenerator | None = None

    def write(self, partition: Mapping[str, str], rows: pa.Table) -> None:
        self.lake.write(GENERATIONS, partition, rows)
        self.written.append(partition)

    def over(self, generator: Any, budget: Budget | None = None) -> RecordedGenerator:
        self.last = RecordedGenerator(generator, self.lake, self.write, budget, self.unrecorded)
        return self.last

    def rows(self) -> list[dict[str, Any]]:
        fresh = Lake(self.lake.uri)
        rows: list[dict[str, Any]] = fresh.read_partitions(
            GENERATIONS, fresh.partitions(GENERATIONS)
        ).to_pylist()
        return rows

    def segments(self) -> list[dict[str, str]]:
        return self.lake.partitions(GENERATIONS)

    def used(self) -> list[PartitionVersion]:
        """What the last generator noted as read."""
        assert self.last is not None
        return list(self.last.used)

    def check_reads(self) -> None:
        """What is noted as read stands in the lake, in the version that is noted."""
        for version in self.used():
            assert version.table == GENERATIONS.name
            [partition] = [
                segment for segment in self.segments() if partition_name(segment) == version.partition
            ]
            assert self.lake.version(GENERATIONS, partition) == version


def texts(replies: Sequence[recorded.Recorded]) -> list[str]:
    return [recorded_reply.reply.text for recorded_reply in replies]
