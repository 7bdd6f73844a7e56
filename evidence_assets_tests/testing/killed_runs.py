"""Runs of the small project in processes of their own that are killed, and what their lakes then hold."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from itertools import cycle
from pathlib import Path
from typing import Any

from evidence_assets.audit.integrity import check_references
from evidence_assets.config.configuration import load
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import GENERATIONS, TABLES_BY_NAME
from evidence_assets.orchestration.runs import materialize_benchmarks
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets_tests.testing.generation_server import Response, answer, user_text
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    SmallProject,
    small_configuration,
    write_small_project,
    write_yaml,
)

ARM = "chunks_only_bm25@scripted"
# What differs between two makings of one thing: when and where it was made, and how long a reply took.
_NOT_CONTENT = ("materializations/", "cache/", "generations/", "evidence.duckdb")
_OF_A_REPLY = ("request_hash", "system", "user", "outcome", "text")

TIME, RECORD, CALL = "at a moment", "between rename and record", "while a call is in flight"
KINDS = (TIME, RECORD, CALL)


@dataclass(frozen=True)
class Kill:
    """When a process dies: after a `share` of what is left of a whole run's seconds, records or calls."""

    kind: str
    share: float


def drawn(seed: int) -> Iterator[Kill]:
    """Yield seeded kills, of each kind in turn, without an end."""
    chance = random.Random(seed)
    for kind in cycle(KINDS):
        yield Kill(kind, round(chance.random(), 3))


def request_key(instructions: str, user: str) -> str:
    """What tells one request from another."""
    return f"{instructions}\n{user}"


@dataclass
class PaidServer:
    """A server whose replies cost something: what it was asked for, and whom it kills when asked."""

    requests: list[str] = field(default_factory=list)
    kill_at: int = 0
    process: int = 0

    def __post_init__(self) -> None:
        self._lock = threading.Lock()

    def reply(self, body: Mapping[str, Any], _: int) -> Response:
        """Reply as a reader of options must, or kill the process that asks before anything is sent."""
        with self._lock:
            self.requests.append(request_key(body["messages"][0]["content"], user_text(body)))
            if self.kill_at:
                self.kill_at -= 1
                if not self.kill_at and self.process:
                    os.kill(self.process, signal.SIGKILL)
        return answer("Answer: A" if "<option" in user_text(body) else "It is so [E1].")


def warm_up() -> None:
    """Import what forked processes would each import again."""
    for name in ("bm25s", "duckdb", "faiss", "numba", "openai", "sentence_transformers", "torch"):
        import_module(name)


@dataclass
class KilledRuns:
    """A small project with a prompted arm, made by processes that may die."""

    project: SmallProject
    server: PaidServer
    counted: Path

    @classmethod
    def written(cls, folder: Path, url: str, server: PaidServer) -> KilledRuns:
        """Write the project; nothing is made."""
        project = write_small_project(folder / "project")
        configuration = small_configuration()
        configuration["benchmarks"] = {ANIMAL_QUIZ: configuration["benchmarks"][ANIMAL_QUIZ]}
        configuration["generators"] = {
            "scripted": {"engine": "openai", "url": url, "model": "m", "revision": "r", "concurrent": 1}
        }
        write_yaml(project.configuration, configuration)
        (folder / "home").mkdir()
        (folder / "home" / "dagster.yaml").write_text("telemetry:\n  enabled: false\n", encoding="utf-8")
        return cls(project, server, folder / "records")

    def run(self, kill: Kill | None = None, unbroken: Mapping[str, float] | None = None) -> bool:
        """Make what is missing in a process of its own; return whether it came to its end.

        `whole`: seconds, records and calls of an unbroken run, which a kill's share is of.
        """
        self.counted.write_text("0", encoding="utf-8")
        process = os.fork()
        if process == 0:
            self._work(kill, unbroken or {})
        self.server.process = process
        if kill and kill.kind == CALL and unbroken:
            self.server.kill_at = 1 + int(kill.share * unbroken["calls"])
        timer = None
        if kill and kill.kind == TIME and unbroken:
            timer = threading.Timer(kill.share * unbroken["seconds"], end_process, [process])
            timer.start()
        _, status = os.waitpid(process, 0)
        self.server.process = self.server.kill_at = 0
        if timer:
            timer.cancel()
        assert status in {0, signal.SIGKILL}, f"the process failed: status {status}"
        return status == 0

    def _work(self, kill: Kill | None, unbroken: Mapping[str, float]) -> None:
        """What the forked process does, and never returns from."""
        try:
            folder = self.project.folder.parent
            os.environ |= {**self.project.environment(), "DAGSTER_HOME": str(folder / "home")}
            log = os.open(folder / "log", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
            os.dup2(log, 1)
            os.dup2(log, 2)
            load.cache_clear()
            dies_at = 1 + int(kill.share * unbroken["records"]) if kill and kill.kind == RECORD else 0
            record, made = Lake.record, [0]

            def counting(*arguments: Any, **named: Any) -> Any:
                made[0] += 1
                self.counted.write_text(str(made[0]), encoding="utf-8")
                if made[0] == dies_at:
                    os.kill(os.getpid(), signal.SIGKILL)
                return record(*arguments, **named)

            Lake.record = counting  # type: ignore[method-assign]
            workspace = Workspace.of(str(self.project.lake_folder), self.project.cache_folder)
            list(materialize_benchmarks(workspace, [ANIMAL_QUIZ], [ARM]))
            os._exit(0)
        except BaseException:
            import traceback

            traceback.print_exc()
            os._exit(1)

    def unbroken(self) -> dict[str, float]:
        """Make everything at once; return the seconds, records and calls that it took."""
        begun = time.monotonic()
        assert self.run()
        seconds = time.monotonic() - begun
        return {
            "seconds": seconds,
            "records": int(self.counted.read_text(encoding="utf-8")),
            "calls": len(self.server.requests),
            "files": sum(
                path.is_file() for path in (self.project.lake_folder / "materializations").rglob("*.parquet")
            ),
        }

    def left(self, unbroken: Mapping[str, float]) -> float:
        """The share of an unbroken run's records that are still to be made, about; a tenth at least."""
        made = sum(
            path.is_file() for path in (self.project.lake_folder / "materializations").rglob("*.parquet")
        )
        return max(0.1, 1 - made / unbroken["files"])

    def content(self) -> dict[str, str]:
        """Every file of the lake that holds content, by its hash; and every reply."""
        files = {
            name: digest for name, digest in self.project.files().items() if not name.startswith(_NOT_CONTENT)
        }
        return files | {f"reply {row['request_hash']}": json.dumps(row) for row in self.replies()}

    def replies(self) -> list[dict[str, Any]]:
        """What was recorded of the server's replies, each once."""
        lake = self.project.lake
        places = lake.partitions(GENERATIONS)
        return lake.read_partitions(GENERATIONS, places, list(_OF_A_REPLY)).to_pylist() if places else []

    def unresolved(self) -> list[str]:
        """References of any table to rows that are not there."""
        lake = self.project.lake
        return [
            f"{table.name} {partition}: {finding}"
            for table in TABLES_BY_NAME.values()
            for partition in lake.partitions(table)
            for finding in check_references(lake, table, partition)
        ]


def end_process(process: int) -> None:
    """Kill a process, unless it is gone."""
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return
