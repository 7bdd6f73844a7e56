"""What is made again without being asked for, and the making of it: told from the lake, knowing no Dagster.

What exists and is stale is due, and whatever reads it; what was never made is due only where it is of a shard
that something due reads, or the configuration names its asset as eager. Each partition is looked at once more
just before it is made: an input that was made again to the same rows starts nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evidence_assets.orchestration.jobs import asset_names
from evidence_assets.sources.withheld import error_as_written
from evidence_assets.stages.declaration import Key, Scope
from evidence_assets.stages.freshness import State
from evidence_assets.stages.graph import Needed, StageGraph

if TYPE_CHECKING:
    from evidence_assets.stages.execution import PartitionResult, Run
    from evidence_assets.stages.freshness import Freshness

_Place = tuple[str, str, Key]
MADE_AGAIN = " is made again"
_OUTSIDE = (Scope.SHARD, Scope.CORPUS, Scope.GRAPH)


@dataclass(frozen=True, slots=True)
class Due:
    """A partition that is to be made, and why."""

    part: Needed
    reason: str


@dataclass(slots=True)
class Outcome:
    """What became of a partition that was due; neither result nor error: it was up to date, or waits."""

    part: Needed
    result: PartitionResult | None = None
    error: Exception | None = None
    waits_for: str = ""


def part_name(part: Needed) -> str:
    """Return a partition's name: the stage's, the partition key, and the tables where these stand alone."""
    tables = ",".join(table.name for table in part.tables) if part.stage.subset else ""
    return ":".join([part.stage.name, part.key.text, tables])


def parts_named(graph: StageGraph, names: Iterable[str]) -> list[Needed]:
    """Return the partitions of these names, what is read before what reads it; unknown ones are left out."""
    parts: list[Needed] = []
    for name in names:
        stage_name, _, rest = name.partition(":")
        key, _, tables = rest.rpartition(":")
        if stage_name not in graph.by_name:
            continue
        stage = graph.by_name[stage_name]
        chosen = tables.split(",") if tables else [table.name for table in stage.tables]
        made = tuple(table for table in stage.tables if table.name in chosen)
        parts.append(Needed(stage, Key.of(key or None), made))
    return sorted(parts, key=lambda part: (graph.order[part.stage.name], part.key.text))


def every_partition(graph: StageGraph) -> list[Needed]:
    """Return every partition of every stage, what is read before what reads it.

    Tables that can be made by themselves are named one by one.
    """
    return [
        Needed(stage, key, tables)
        for stage in sorted(graph.stages, key=lambda stage: graph.order[stage.name])
        for tables in ([(table,) for table in stage.tables] if stage.subset else [stage.tables])
        for key in graph.layout.keys(stage)
    ]


def due_partitions(
    graph: StageGraph, freshness: Freshness, eager: Iterable[str] = (), as_given: Container[str] = ()
) -> list[Due]:
    """Return what is to be made, what is read before what reads it.

    `eager`: assets whose partitions are made though nobody asked, once what they read is there. `as_given`:
    benchmarks whose answers stay as they were given: they are not made again.
    """
    named, due = frozenset(eager), list[Due]()
    missing, moved = set[_Place](), set[_Place]()
    for part in every_partition(graph):
        stage, key = part.stage, part.key
        status = freshness.status(stage, key, part.tables)
        reason = status.reason if status.state == State.STALE else ""
        if status.state != State.MISSING and stage.scope == Scope.BENCHMARK and key.name in as_given:
            continue
        if status.state == State.FRESH and (above := next(_inputs_among(graph, part, moved), "")):
            reason = f"{above}{MADE_AGAIN}"
        elif status.state == State.MISSING:
            waits = next(_inputs_among(graph, part, missing, required=True), "")
            if waits or named.isdisjoint(asset_names(stage)) or _lacks_an_input(graph, part):
                missing |= _places(part)
                continue
            reason = "the configuration names it as eager"
        if reason and graph.problem(stage, key) is None:
            due.append(Due(part, reason))
            moved |= _places(part)
    never_made = _read_by(graph, due, missing)
    return sorted([*never_made, *due], key=lambda entry: graph.order[entry.part.stage.name])


def _read_by(graph: StageGraph, due: Iterable[Due], missing: AbstractSet[_Place]) -> Iterator[Due]:
    """Yield what was never made of a shard that something due reads: no corpus is read without it.

    Of what covers something else a partition may read less than it declares.
    """
    for part in graph.needed((entry.part.stage, entry.part.key) for entry in due):
        tables = tuple(table for table in part.tables if (part.stage.name, table.name, part.key) in missing)
        if tables and part.stage.scope == Scope.SHARD:
            yield Due(Needed(part.stage, part.key, tables), "what is due reads it")


def _lacks_an_input(graph: StageGraph, part: Needed) -> bool:
    """Tell whether a benchmark lacks the corpus or graph that the stage reads: its tables would be empty.

    Such partitions exist all the same: Dagster maps a benchmark onto benchmarks and arms where both have the
    same benchmarks alone.
    """
    return any(
        not keys and source.producer.scope in _OUTSIDE and not source.declared.optional
        for source, keys in graph.upstream(part.stage, part.key)
        if part.stage.scope == Scope.BENCHMARK
    )


def _inputs_among(
    graph: StageGraph, part: Needed, places: AbstractSet[_Place], required: bool = False
) -> Iterator[str]:
    """Yield the inputs of a partition that are among these, by table and key.

    `required`: without inputs that are taken as far as they were made.
    """
    for source, keys in graph.upstream(part.stage, part.key):
        if required and graph.takes_as_made(part.stage, source.declared):
            continue
        for key in keys:
            if (source.producer.name, source.declared.table.name, key) in places:
                yield f"{source.declared.table.name} {key.text}".rstrip()


def _places(part: Needed) -> set[_Place]:
    return {(part.stage.name, table.name, part.key) for table in part.tables}


@dataclass
class Making:
    """Makes partitions in order, each as it turns out to be due when its turn comes.

    `new_run`: what the partitions of a stage share. `freshness`: told anew after each stage that wrote.
    `begin`: is called with each partition before it is made; `accept`: with each that was, and returns why
    its rows are refused, or nothing.
    """

    graph: StageGraph
    new_run: Callable[[Needed], Run]
    freshness: Callable[[], Freshness]
    begin: Callable[[Needed, Freshness, int, int], None]
    accept: Callable[[Needed, PartitionResult], str] = field(default=lambda part, result: "")

    def outcomes(self, parts: Sequence[Needed]) -> Iterator[Outcome]:
        """Yield what became of each partition, in order; one that cannot be made holds up what reads it."""
        from evidence_assets.stages.execution import make_partition

        stage, run, freshness, wrote = "", None, self.freshness(), False
        held: set[_Place] = set()
        for number, part in enumerate(parts, start=1):
            if part.stage.name != stage:
                stage, run = part.stage.name, None
                freshness, wrote = (self.freshness() if wrote else freshness), False
            # Who gathers what there is waits for nobody.
            if waits := next(_inputs_among(self.graph, part, held, required=True), ""):
                held |= _places(part)
                yield Outcome(part, waits_for=waits)
                continue
            if freshness.status(part.stage, part.key, part.tables).state == State.FRESH:
                yield Outcome(part)
                continue
            self.begin(part, freshness, number, len(parts))
            outcome = Outcome(part)
            try:
                if problem := self.graph.problem(part.stage, part.key):
                    raise LookupError(problem)
                run = run or self.new_run(part)
                wrote = True
                outcome.result = make_partition(part.stage, part.key, run, part.tables)
                if refused := self.accept(part, outcome.result):
                    raise RefusedRowsError(refused)
            # Whatever stops a partition stops it alone: the others are no worse for it.
            except Exception as error:
                outcome.error = error_as_written(error)
                held |= _places(part)
            yield outcome


class RefusedRowsError(Exception):
    """A check that blocks has refused the rows that were made: names asset, check and finding."""


def without_held(
    graph: StageGraph, parts: Sequence[Needed], stopped: Container[str], stale: Container[str] = ()
) -> list[Needed]:
    """Return partitions without those that are stopped, and without what reads one of these.

    Who gathers what there is stays where it is `stale` itself, or reads something else that is made.
    """
    held, making = set[_Place](), set[_Place]()
    kept = []
    for part in parts:
        name = part_name(part)
        waits = next(_inputs_among(graph, part, held, required=True), "")
        gathers = next(_inputs_among(graph, part, held), "")
        moves = name in stale or next(_inputs_among(graph, part, making), "")
        if name in stopped or waits or (gathers and not moves):
            held |= _places(part)
        else:
            making |= _places(part)
            kept.append(part)
    return kept
