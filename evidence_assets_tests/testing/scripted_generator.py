"""A generator that replies, in memory, as a test says; and a real record of its calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import GENERATIONS
from evidence_assets.models.generation.protocol import (
    Ability,
    Generator,
    Replies,
    Reply,
    Request,
    text_outcome,
)
from evidence_assets.models.generation.recorded import Budget, RecordedGenerator

Script = Callable[[Request], Reply | str]


class ScriptedGenerator(Generator):
    """Counts words for tokens; its replies come last request first."""

    def __init__(self, script: Script, context_tokens: int = 100_000) -> None:
        super().__init__("scripted", "memory", "scripted", "1", context_tokens, Ability(constrains=True))
        self.requests: list[Request] = []
        self._script = script

    def count_tokens(self, request: Request) -> int:
        return len(f"{request.system} {request.user}".split())

    def generate(self, requests: Sequence[Request]) -> Replies:
        self.requests += requests
        for number, request in reversed(list(enumerate(requests))):
            reply = self._script(request)
            yield number, Reply(text_outcome(reply, "stop"), reply) if isinstance(reply, str) else reply

    def of_task(self, task: str) -> list[Request]:
        return [request for request in self.requests if request.task == task]


def recorded(
    generator: ScriptedGenerator, folder: Path, budget: Budget | None = None
) -> tuple[RecordedGenerator, Lake]:
    """The generator with its record in a lake of its own."""
    lake = Lake(str(folder / "lake"))

    def write(partition: Mapping[str, str], rows: pa.Table) -> None:
        lake.write(GENERATIONS, partition, rows)

    return RecordedGenerator(generator, lake, write, budget), lake


def requests_kept(lake: Lake) -> dict[str, dict[str, object]]:
    """The rows of `generations`, by request hash."""
    return {
        row["request_hash"]: row
        for partition in lake.partitions(GENERATIONS)
        for row in lake.read(GENERATIONS, partition).to_pylist()
    }
