"""`evidence-assets status`: what of the lake is missing, stale or fresh."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated

from typer import Argument, Option

from evidence_assets.cli.common import workspace
from evidence_assets.cli.terminal import show_rows
from evidence_assets.text.suggestions import UnknownNameError


def status(
    stages: Annotated[
        list[str] | None, Argument(help="stages or tables to list (default: all)", show_default=False)
    ] = None,
    every: Annotated[bool, Option("--all", help="list those made on demand that never were, too")] = False,
) -> None:
    """List partitions as missing, stale or fresh, and why."""
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
    unasked = [each for each in statuses if each.stage.on_demand and each.state == State.MISSING]
    shown = statuses if every else [each for each in statuses if each not in unasked]
    show_rows([(each.state.value, each.name, each.key.text, each.reason) for each in shown])
    counts = Counter(each.state.value for each in shown)
    print("\n" + ", ".join(f"{counts[state.value]} {state.value}" for state in State))
    if unasked and not every:
        by_stage = Counter(each.name for each in unasked)
        listed = ", ".join(f"{name} {count}" for name, count in by_stage.items())
        print(f"never asked for, made on demand: {len(unasked)} ({listed}); --all lists them")
    if counts[State.STALE.value] or counts[State.MISSING.value]:
        print("next: evidence-assets demo BENCHMARK makes what a benchmark lacks")


def _tables(tables: Iterable[object]) -> list[str]:
    return [getattr(table, "name", "") for table in tables]
