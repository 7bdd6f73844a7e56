"""`evidence-assets status`: what of the lake is missing, stale or fresh."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from evidence_assets.cli.common import workspace
from evidence_assets.cli.terminal import console, show_rows
from evidence_assets.text.suggestions import UnknownNameError

if TYPE_CHECKING:
    from evidence_assets.stages.freshness import Status


# Of no use to ask for as the benchmark is configured.
_IMPOSSIBLE = "impossible"


def status(
    stages: Annotated[
        list[str] | None, Argument(help="stages or tables to list (default: all)", show_default=False)
    ] = None,
    every: Annotated[bool, Option("--all", help="list each one that is missing, too")] = False,
) -> None:
    """List partitions as missing, stale or fresh, and why; what is missing is counted by stage.

    Of stages that are named each missing partition is listed, but for those made on demand.
    """
    from evidence_assets.stages.freshness import State

    project = workspace()
    wanted = project.every_partition()
    names = set(stages or ())
    if names:
        known = {name for part in wanted for name in (part.stage.name, *_tables(part.stage.tables))}
        if unknown := sorted(names - known):
            listed = f"there are {', '.join(sorted(known))}"
            raise UnknownNameError("stage or table", unknown, known, listed)
    statuses = [
        each
        for each in project.statuses(wanted, to_be_made=False)
        if not names or {each.stage.name, *_tables(each.tables)} & names
    ]
    problems = {
        each: project.graph.problem(each.stage, each.key) for each in statuses if each.state == State.MISSING
    }
    impossible = [each for each, problem in problems.items() if problem]
    missing = [each for each, problem in problems.items() if not problem]
    made = [each for each in statuses if each.state != State.MISSING]
    unasked = [each for each in missing if each.stage.on_demand]
    due = [each for each in missing if not each.stage.on_demand]
    shown = [*made, *missing, *impossible] if every else [*made, *due] if names else made
    show_rows([_row(each, problems.get(each)) for each in shown])
    counts = Counter(each.state.value for each in (*made, *(missing if every else due)))
    print("\n" + ", ".join(f"{counts[state.value]} {state.value}" for state in State))
    if not every:
        if not names:
            _count("missing", due)
        _count("never asked for, made on demand", unasked)
        _count(_IMPOSSIBLE, impossible)
    for former in project.lake.former_tables():
        print(f"{former}: an earlier version's, no longer read; remedy: evidence-assets prune removes it")
    if counts[State.STALE.value] or counts[State.MISSING.value]:
        print("next: evidence-assets demo BENCHMARK makes what a benchmark lacks")


def _row(status: Status, problem: str | None) -> tuple[str, str, str, str]:
    """Return what is listed of a partition: its state and why."""
    state, reason = (_IMPOSSIBLE, problem) if problem else (status.state.value, status.reason)
    return state, status.name, status.key.text, reason


def _count(what: str, missing: Sequence[Status]) -> None:
    """Print how many partitions are missing, by stage, in lines that fit the terminal."""
    if missing:
        by_stage = Counter(each.name for each in missing)
        listed = ", ".join(f"{name} {count}" for name, count in by_stage.items())
        console().print(f"{what}: {len(missing)} ({listed}); --all lists them")


def _tables(tables: Iterable[object]) -> list[str]:
    return [getattr(table, "name", "") for table in tables]
