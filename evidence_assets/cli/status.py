"""`evidence-assets status`: what of the lake is missing, stale or fresh."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from evidence_assets.cli.common import missing_lake, workspace
from evidence_assets.cli.terminal import console, show_rows
from evidence_assets.stages.declaration import Scope
from evidence_assets.systems.registry import systems_by_name
from evidence_assets.text.suggestions import UnknownNameError

if TYPE_CHECKING:
    from evidence_assets.lake.schemas import Table
    from evidence_assets.orchestration.workspace import Workspace
    from evidence_assets.stages.declaration import Key
    from evidence_assets.stages.freshness import Status
    from evidence_assets.stages.graph import Needed


# Of no use to ask for as the benchmark is configured.
_IMPOSSIBLE = "impossible"


def status(
    stages: Annotated[
        list[str] | None,
        Argument(
            help="stages, tables, benchmarks, corpora, graphs to list (default: all)", show_default=False
        ),
    ] = None,
    every: Annotated[bool, Option("--all", help="list each one that is missing, too")] = False,
) -> None:
    """List partitions as missing, stale or fresh, and why; what was never made is counted by stage.

    Of what is named each missing partition is listed, but for those made on demand. What no system that a
    benchmark names would make or read of it is not missing.
    """
    from evidence_assets.stages.freshness import State

    project = workspace()
    # What is to be made is asked of a lake that is not there, too.
    if missing_there := missing_lake(project.lake):
        print(f"note: {missing_there}", file=sys.stderr)
    partitions = project.every_partition()
    names = set(stages or ())
    if names:
        _check_names(project, partitions, names)
    uncalled = _uncalled(project, partitions)
    statuses = [
        entry
        for entry in project.statuses(partitions, to_be_made=False)
        if not names or names.intersection(_names(project, entry, entry.tables))
    ]
    problems = {
        entry: project.graph.problem(entry.stage, entry.key)
        for entry in statuses
        if entry.state == State.MISSING
    }
    called = {entry: (entry.stage.name, entry.key) not in uncalled for entry in problems}
    # Of a stage that is asked for by its name it is told why a partition cannot be made.
    impossible = [
        entry
        for entry, problem in problems.items()
        if problem and (called[entry] or entry.stage.name in names)
    ]
    missing = [entry for entry, problem in problems.items() if not problem and called[entry]]
    removed = [entry for entry in missing if entry.is_removed]
    existing = [entry for entry in statuses if entry.state != State.MISSING]
    on_demand = _on_demand(project, missing, existing)
    unasked = [entry for entry in missing if (entry.stage.name, entry.key) in on_demand]
    due = [entry for entry in missing if (entry.stage.name, entry.key) not in on_demand]
    listed_statuses = (
        [*existing, *missing, *impossible] if every else [*existing, *(due if names else removed)]
    )
    show_rows([_row(entry, problems.get(entry)) for entry in listed_statuses])
    counts = Counter(entry.state.value for entry in (*existing, *(missing if every else due)))
    print("\n" + ", ".join(f"{counts[state.value]} {state.value}" for state in State))
    if not every:
        if not names:
            _count("missing", [entry for entry in due if not entry.is_removed])
        _count("never asked for, made on demand", unasked)
        _count(_IMPOSSIBLE, impossible)
    for old_table in project.lake.former_tables():
        print(f"{old_table}: an earlier version's, no longer read; remedy: evidence-assets prune removes it")
    if counts[State.STALE.value] or counts[State.MISSING.value]:
        print(f"next: {_next(project, existing)}")


def _next(project: Workspace, existing: Iterable[Status]) -> str:
    """Return by which command to go on."""
    if any(entry.rests_on_changed_file for entry in existing):
        return "evidence-assets retract --edited shows what rests on files that changed"
    if project.project.named_benchmarks:
        return "evidence-assets demo BENCHMARK makes what a benchmark lacks"
    return "evidence-assets prepare makes what questions to a corpus or graph are answered from"


def _check_names(project: Workspace, partitions: Sequence[Needed], names: set[str]) -> None:
    """Raise UnknownNameError, with the nearest, for names of which there is no partition."""
    known = {name for part in partitions for name in _names(project, part, part.stage.tables)}
    if unknown := sorted(names - known):
        listed = "`evidence-assets status --all` lists every stage with its partitions"
        raise UnknownNameError("stage, table or partition", unknown, known, listed)


def _names(project: Workspace, part: Needed | Status, tables: Iterable[Table]) -> Iterator[str]:
    """Yield what a partition may be named by: stage, tables, key, its first part, the corpus of a shard."""
    yield part.stage.name
    yield from (table.name for table in tables)
    yield from filter(None, (part.key.name, part.key.text))
    if (shard := project.project.shards.get(part.key.name)) is not None:
        yield shard.corpus


def _uncalled(project: Workspace, partitions: Iterable[Needed]) -> set[tuple[str, Key]]:
    """Return the partitions of benchmarks that none of the systems that they name would make or read.

    So are those of other systems, a corpus's chunks where none is named, tables where nothing reads any.
    """
    graph, benchmarks = project.graph, project.project.sources.benchmarks
    read = {source.producer.name for stage in graph.stages for source in graph.sources(stage)}
    called, others = [], set()
    for part in partitions:
        stage, key = part.stage, part.key
        of_benchmark = stage.scope == Scope.BENCHMARK
        of_another = of_benchmark and stage.system not in benchmarks[key.name].systems
        if of_another and not stage.system and stage.name not in read:
            continue
        if of_another or (of_benchmark and stage.name in read and stage.variants is None):
            others.add((stage.name, key))
        elif graph.problem(stage, key) is None:
            called.append((stage, key))
    return others.difference((needed.stage.name, needed.key) for needed in graph.needed(called))


def _on_demand(
    project: Workspace, missing: Sequence[Status], existing: Iterable[Status]
) -> set[tuple[str, Key]]:
    """Return which missing partitions are made when they are asked for alone, or read one that is.

    So is what of a benchmark nothing reads but arms that nobody asked for. `missing`: what is read before
    what reads it.
    """
    graph, needed = project.graph, _needed_by_default(project, missing, existing)
    found: set[tuple[str, Key]] = set()
    for entry in missing:
        unread = entry.stage.scope == Scope.BENCHMARK and (entry.stage.name, entry.key) not in needed
        read = (
            (source.producer.name, key)
            for source, keys in graph.upstream(entry.stage, entry.key)
            if not source.declared.as_made
            for key in keys
        )
        if entry.is_removed:
            # Someone asked for it once.
            continue
        if unread or entry.stage.on_demand or not found.isdisjoint(read):
            found.add((entry.stage.name, entry.key))
    return found


def _needed_by_default(
    project: Workspace, missing: Iterable[Status], existing: Iterable[Status]
) -> set[tuple[str, Key]]:
    """Return what the first arms of the benchmarks need, and what stands does."""
    from evidence_assets.orchestration.plan import wanted_of_benchmarks

    wanted = [(entry.stage, entry.key) for entry in existing]
    systems = systems_by_name(project.systems)
    for benchmark in project.project.named_benchmarks:
        try:
            wanted += wanted_of_benchmarks(project.project, project.graph, systems, [benchmark])
        except LookupError:
            # It lacks what its systems need: what can be made of it is listed as it was.
            wanted += [(entry.stage, entry.key) for entry in missing if entry.key.name == benchmark]
    return {(needed.stage.name, needed.key) for needed in project.graph.needed(wanted)}


def _row(status: Status, problem: str | None) -> tuple[str, str, str, str]:
    """Return what is listed of a partition: its state and why."""
    state, reason = (_IMPOSSIBLE, problem) if problem else (status.state.value, status.reason)
    return state, status.name, status.key.text, reason


def _count(label: str, missing: Sequence[Status]) -> None:
    """Print how many partitions are missing, by stage, in lines that fit the terminal."""
    if missing:
        by_stage = Counter(entry.name for entry in missing)
        listed = ", ".join(f"{name} {count}" for name, count in by_stage.items())
        console().print(f"{label}: {len(missing)} ({listed}); --all lists them")
