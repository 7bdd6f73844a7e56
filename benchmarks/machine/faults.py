"""Runs killed at seeded moments, and what is lost: at any moment, between rename and record, during a call.

    python -m benchmarks faults
    python -m benchmarks.faults [--kills 50] [--seed 21] [--seconds 3600]

The second prints the result, the first keeps it for docs/results.md. The small project of the tests is made
with an arm that a server on loopback answers. The process that makes it is killed (SIGKILL) and started again
until it comes to its end, four kills a round; then its lake is held against one that was made in one go.
`--seconds`: no new round begins after so many. Dagster's daemon under kills: `daemon_kills`.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.command import main
from evidence_assets_tests.testing.generation_server import ScriptedServer
from evidence_assets_tests.testing.killed_runs import (
    CALL,
    TIME,
    Kill,
    KilledRuns,
    PaidServer,
    drawn,
    warm_up,
)

KILLS_A_ROUND = 4


def run(kills: int = 50, seed: int = 21, seconds: float = 3_600.0) -> dict[str, Any]:
    """Return how many kills of which kind struck, and what differed, dangled or was paid for twice."""
    folder = Path(tempfile.mkdtemp(prefix="faults"))
    server, planned = PaidServer(), drawn(seed)
    struck: Counter[str] = Counter()
    differing: list[str] = []
    unresolved: list[str] = []
    repeated: list[str] = []
    in_flight = rounds = 0
    began = time.monotonic()
    warm_up()
    with ScriptedServer(server.reply) as listening:
        unbroken = KilledRuns.written(folder / "unbroken", listening.url, server)
        totals = unbroken.unbroken()
        expected = unbroken.content()
        while struck.total() < kills and time.monotonic() - began < seconds:
            rounds += 1
            broken = KilledRuns.written(folder / f"round_{rounds}", listening.url, server)
            due = islice(planned, min(KILLS_A_ROUND, kills - struck.total()))
            came = _round(broken, list(due), totals)
            struck.update(came["struck"])
            repeated += came["repeated"]
            in_flight += came["in_flight"]
            content = broken.content()
            names = expected.keys() | content.keys()
            differing += sorted(name for name in names if expected.get(name) != content.get(name))
            unresolved += broken.unresolved()
            print(f"round {rounds}: {dict(struck)}, {len(differing)} differ", file=sys.stderr, flush=True)
    return {
        "kills": sum(struck.values()),
        "seed": seed,
        "rounds": rounds,
        "struck": dict(struck),
        "unbroken_seconds": round(totals["seconds"], 1),
        "files_and_replies_compared": len(expected) * rounds,
        "different_from_an_unbroken_run": sorted(set(differing)),
        "unresolved_references": unresolved,
        "calls_repeated_though_answered": len(repeated),
        "calls_repeated_that_were_in_flight": in_flight,
        "bound": "nothing differs, dangles or is asked again once its reply has come",
        "within_bound": not (differing or unresolved or repeated),
    }


def _round(broken: KilledRuns, due: list[Kill], totals: dict[str, float]) -> dict[str, Any]:
    """Kill a making of the project as often as is due, then let it end; return what came of its calls.

    One call is made after another: of those of a process that was killed, all but the last were answered.
    """
    struck: list[str] = []
    repeated: list[str] = []
    answered: set[str] = set()
    begun = len(broken.server.requests)
    kills: list[Kill | None] = [*due, None]
    for kill in kills:
        left = {name: count * broken.left(totals) for name, count in totals.items()}
        left["calls"] = totals["calls"] - len(answered)
        if kill and kill.kind == CALL and not left["calls"]:
            kill = Kill(TIME, kill.share)  # noqa: PLW2901 - every call was answered
        before = len(broken.server.requests)
        ended = broken.run(kill, left)
        requests = broken.server.requests[before:]
        repeated += [request for request in requests if request in answered]
        answered.update(requests if ended else requests[:-1])
        if not ended and kill:
            struck.append(kill.kind)
        elif kill:
            # It came to its end before its moment: the next start finds nothing to do.
            break
    calls = len(broken.server.requests) - begun
    return {
        "struck": struck,
        "repeated": repeated,
        "in_flight": calls - int(totals["calls"]) - len(repeated),
    }


if __name__ == "__main__":
    sys.exit(main(run))
