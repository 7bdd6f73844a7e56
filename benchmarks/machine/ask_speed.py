"""How long `evidence-assets ask` takes on the starter lake, a system at a time: cold and warm.

Cold: a process from its start to its end, the answer traced. Warm: a further question to a process that has
answered another. Each in seconds of the clock and of the processor. The bounds are held against the latter:
on a machine that does nothing else the clock shows less, on one that others use it shows them.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from benchmarks import PROJECT

COLD_BOUND, WARM_BOUND = 6.0, 1.0
COLD_RUNS = 3
_STARTER = PROJECT / "evidence_assets" / "starter"
_MISSIONS = ("visited", "orbited", "flew to", "studied", "went to", "was sent to", "reached")
_SPACE = [f"Which mission {phrase} Jupiter?" for phrase in _MISSIONS]
_MINERALS = ("softest", "hardest", "most common", "heaviest", "in sand", "in chalk", "in granite")
_MEDICINES = ("diabetes", "pain", "fever", "malaria", "asthma", "scurvy", "anemia")
_PLANETS = ("Jupiter", "Saturn", "Mars", "Venus", "Mercury", "Uranus", "Neptune")
# Of each system, what it is asked with and what it is asked.
ASKED: dict[str, tuple[dict[str, str], list[str]]] = {
    "uscrake": (
        {"corpus": "starter", "options": "quartz|calcite|talc|diamond"},
        [f"Which mineral is {phrase}?" for phrase in _MINERALS],
    ),
    "ugat_medqa": (
        {"graph": "medicine", "options": "Insulin|Paracetamol|Vitamin C|Quinine"},
        [f"What treats {phrase}?" for phrase in _MEDICINES],
    ),
    "ucret": (
        {"table": str(_STARTER / "tables" / "planets.csv")},
        [f"{planet} has more moons than Earth." for planet in _PLANETS],
    ),
    "four_step_focus": ({"graph": "space"}, _SPACE),
    "attention2query": ({"graph": "space"}, _SPACE),
    "kaping": ({"graph": "space"}, _SPACE),
}


class Took(NamedTuple):
    """Seconds of the clock, and of the processor: user's and system's."""

    clock: float
    processor: float


def _measured(work: Callable[[], object], who: int) -> Took:
    before, started = resource.getrusage(who), time.perf_counter()
    work()
    clock, after = time.perf_counter() - started, resource.getrusage(who)
    return Took(clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _median(runs: Iterable[Took]) -> Took:
    clock, processor = zip(*runs, strict=True)
    return Took(round(statistics.median(clock), 2), round(statistics.median(processor), 2))


def _prepare() -> None:
    """Materialise what the questions are answered from."""
    from evidence_assets import api
    from evidence_assets.orchestration.ask_choice import Wish
    from evidence_assets.orchestration.asking import prerequisites
    from evidence_assets.stages.execution import Run, make_partition

    workspace = api.open().workspace
    run = Run(workspace.lake, workspace.graph, workspace.models)
    for wish in (Wish(corpus="starter"), Wish(graph="starter"), Wish(graph="medicine"), Wish(graph="space")):
        for stage, key in prerequisites(workspace, wish):
            make_partition(stage, key, run)


def _cold(system: str, question: str) -> Took:
    flags = [part for name, value in ASKED[system][0].items() for part in (f"--{name}", value)]
    command = [sys.executable, "-m", "evidence_assets.cli", "ask", question, "--system", system, *flags]
    return _measured(
        lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL), resource.RUSAGE_CHILDREN
    )


def _warm(system: str, questions: Sequence[str]) -> list[Took]:
    from evidence_assets import api

    given: dict[str, Any] = dict(ASKED[system][0])
    options = given.pop("options", None)
    lake = api.open()

    def ask(question: str) -> None:
        lake.ask(question, options.split("|") if options else (), systems=[system], **given)

    ask(questions[0])
    return [_measured(partial(ask, text), resource.RUSAGE_SELF) for text in questions[1:]]


def run() -> dict[str, Any]:
    """Return the median seconds of each system."""
    systems = {}
    with tempfile.TemporaryDirectory(prefix="ask_speed_") as folder:
        os.environ |= {"EVIDENCE_LAKE": f"{folder}/lake", "EVIDENCE_CACHE": f"{folder}/cache"}
        _prepare()
        for system, (_, questions) in ASKED.items():
            cold = _median(_cold(system, text) for text in questions[:COLD_RUNS])
            warm = _median(_warm(system, questions[COLD_RUNS:]))
            systems[system] = {"cold": cold._asdict(), "warm": warm._asdict()}
    return {
        "systems": systems,
        "runs": {"cold": COLD_RUNS, "warm": len(_SPACE) - COLD_RUNS - 1},
        "load": os.getloadavg()[0],
        "bound": f"under {COLD_BOUND} s cold and {WARM_BOUND} s warm",
        "within_bound": all(
            seconds["cold"]["processor"] < COLD_BOUND and seconds["warm"]["processor"] < WARM_BOUND
            for seconds in systems.values()
        ),
    }
