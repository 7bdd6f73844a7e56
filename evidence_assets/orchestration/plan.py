"""Which runs bring partitions about: what they need, by job and partition, each after what it reads."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from evidence_assets.orchestration.jobs import Job, asset_names
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Key, Scope, Stage, StageError, asset_path
from evidence_assets.stages.graph import Needed, StageGraph
from evidence_assets.systems.registry import chosen_arms
from evidence_assets.systems.system import System

# A run's job, partition and seconds; None for one that was skipped.
EndedRun = tuple[str, str, float | None]


@dataclass(slots=True)
class PlannedRun:
    """One run: a job's assets that are needed, for one partition. `partition` is None for a whole table."""

    job: str
    partition: str | None
    needed: list[Needed] = field(default_factory=list)
    assets: list[str] = field(default_factory=list)

    @property
    def name(self) -> tuple[str, str | None]:
        """Job and partition."""
        return self.job, self.partition


def planned_runs(graph: StageGraph, jobs: Sequence[Job], needed: Iterable[Needed]) -> list[PlannedRun]:
    """Return the runs that make these partitions, each after the runs that it reads from.

    Of the jobs that make a table, the one that makes most of what a partition needs is taken.

    Raises:
        StageError: two jobs would have to run before each other.
    """
    parts = list(needed)
    together: dict[tuple[str, Key], list[Needed]] = {}
    for part in parts:
        together.setdefault((part.stage.scope.value, part.key), []).append(part)
    runs: dict[tuple[str, str | None], PlannedRun] = {}
    made_by: dict[tuple[str, Key], PlannedRun] = {}
    for part in parts:
        job = _job_for(part, together[part.stage.scope.value, part.key], jobs)
        partition = None if part.stage.scope == Scope.WHOLE else part.key.text
        run = runs.setdefault((job.name, partition), PlannedRun(job.name, partition))
        run.needed.append(part)
        run.assets += [name for name in asset_names(part.stage) if name in job.assets]
        made_by[part.stage.name, part.key] = run
    order = {job.name: place for place, job in enumerate(jobs)}
    return _sorted(graph, list(runs.values()), made_by, order)


def _job_for(part: Needed, together: Sequence[Needed], jobs: Sequence[Job]) -> Job:
    tables = ["/".join(asset_path(table, part.stage.system)) for table in part.tables]
    names = {name for beside in together for name in asset_names(beside.stage)}
    makes = [job for job in jobs if set(tables) <= set(job.assets)]
    if not makes:
        raise StageError(f"no job makes {', '.join(tables)}; remedy: name them in orchestration/jobs.py")
    # The most of what is needed, then the least beside it.
    return min(makes, key=lambda job: (-len(names & set(job.assets)), len(set(job.assets) - names)))


def _sorted(
    graph: StageGraph,
    runs: Sequence[PlannedRun],
    made_by: Mapping[tuple[str, Key], PlannedRun],
    order: Mapping[str, int],
) -> list[PlannedRun]:
    before: dict[tuple[str, str | None], set[tuple[str, str | None]]] = {run.name: set() for run in runs}
    for run in runs:
        for part in run.needed:
            for source, keys in graph.upstream(part.stage, part.key):
                makers = (made_by.get((source.producer.name, key)) for key in keys)
                before[run.name] |= {maker.name for maker in makers if maker is not None and maker is not run}
    by_name = {run.name: run for run in runs}
    done: list[PlannedRun] = []
    names: set[tuple[str, str | None]] = set()
    waiting = sorted(by_name, key=lambda name: order[name[0]])
    while waiting:
        ready = next((name for name in waiting if before[name] <= names), None)
        if ready is None:
            stuck = ", ".join(f"{job} {partition or ''}".strip() for job, partition in waiting)
            raise StageError(f"jobs wait for each other: {stuck}; remedy: split one in orchestration/jobs.py")
        waiting.remove(ready)
        names.add(ready)
        done.append(by_name[ready])
    return done


def wanted_of_benchmarks(
    project: Project,
    graph: StageGraph,
    systems: Mapping[str, System],
    benchmarks: Sequence[str],
    arms: Sequence[str] | None = None,
) -> list[tuple[Stage, Key]]:
    """Return the partitions that a run of these benchmarks is for: experiments, scores, comparisons.

    `arms` names the arms wanted, `system/arm` or `arm`; default: the first arms of each benchmark's systems.
    Arms that cannot be run as the benchmark is configured are left out, beside others. Arms are compared
    where one to compare with is among them.

    Raises:
        LookupError: there is no such benchmark or arm, a benchmark lacks what its system needs, or none of
            the arms that are named can be run on it.
    """
    project.require_benchmarks(benchmarks)
    stages = graph.by_name
    wanted: list[tuple[Stage, Key]] = []
    for benchmark in benchmarks:
        by_system = _chosen(project, systems, benchmark, arms)
        problems = [
            stages[name].problem(Key(benchmark, arm)) for name, chosen in by_system.items() for arm in chosen
        ]
        if arms is not None and problems and all(problems):
            raise LookupError(problems[0])
        for name, chosen in by_system.items():
            experiment = stages[name]
            keys = [Key(benchmark, arm) for arm in chosen if experiment.problem(Key(benchmark, arm)) is None]
            wanted += [(stages[asset], key) for key in keys for asset in (name, f"{name}/benchmark_scores")]
            held_against = systems[name].compared_with
            offered = systems[name].arms_of(project)
            if any(key.variant in held_against or offered[key.variant].levels for key in keys):
                wanted.append((stages[f"{name}/score_differences"], Key(benchmark)))
    return [*wanted, (stages["published_scores"], Key())]


def wanted_pages(graph: StageGraph, experiments: Collection[tuple[str, str, str]]) -> list[tuple[Stage, Key]]:
    """Return the partitions of the pages of experiments, (system, arm, benchmark), and their scoreboards."""
    stages = graph.by_name
    pages = [
        (stages[f"{system}/evidence_pages"], Key(benchmark, arm)) for system, arm, benchmark in experiments
    ]
    boards = dict.fromkeys(benchmark for _, _, benchmark in experiments)
    return [*pages, *((stages["scoreboard_pages"], Key(benchmark)) for benchmark in boards)]


def _chosen(
    project: Project, systems: Mapping[str, System], benchmark: str, arms: Sequence[str] | None
) -> dict[str, list[str]]:
    """Return the arms run on a benchmark, by system: those asked for, else its systems' first ones."""
    source = project.benchmark(benchmark)
    unknown = [system for system in source.systems if system not in systems]
    if unknown:
        raise LookupError(
            f"{project.location}: benchmarks.{benchmark}.systems names {', '.join(unknown)}; there are "
            f"{', '.join(systems)}; remedy: name some of these there"
        )
    if arms is None:
        chosen = {system: list(systems[system].first_arms) for system in source.systems}
    else:
        named = chosen_arms(arms, systems, project)
        chosen = {system: names for system, names in named.items() if system in source.systems}
    if not chosen:
        raise LookupError(
            f"benchmark {benchmark}: none of {', '.join(arms or ())} is an arm of its systems, "
            f"{', '.join(source.systems)}; remedy: name the system in {project.location} "
            f"(benchmarks.{benchmark}.systems), or ask for other arms"
        )
    for system in chosen:
        if problem := systems[system].lacks(project, benchmark):
            raise LookupError(problem)
    return chosen


def wanted_of_harvest(
    project: Project, graph: StageGraph, relations: Sequence[str], merged: bool = True
) -> list[tuple[Stage, Key]]:
    """Return the partitions that a harvest is for: relations, harvested graphs, and what merges these.

    Without `merged`, no graph that merges them.
    """
    stages = graph.by_name
    last = stages["harvested_triples"]
    wanted = [(last, Key(relation)) for relation in relations]
    gathered = ["harvests", "triple_judgements", "harvest_scores"]
    wanted += [
        (stages[name], Key(arm)) for arm in project.layout.harvests for name in gathered if name in stages
    ]
    merging = [name for name, harvests in project.layout.graphs.items() if merged and harvests]
    return [
        *wanted,
        *((stages[name], Key(graph)) for graph in merging for name in ("triples", "graph_nodes")),
    ]
