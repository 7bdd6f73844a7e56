"""What benchmarks or a harvest need, made in order in this process where it is missing or stale."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evidence_assets.orchestration.home import use_home
from evidence_assets.orchestration.plan import wanted_of_benchmarks, wanted_of_harvest, wanted_pages
from evidence_assets.stages.declaration import Key, Stage
from evidence_assets.systems.registry import chosen_arm, chosen_arms, systems_by_name
from evidence_assets.text.suggestions import UnknownNameError

if TYPE_CHECKING:
    from evidence_assets.orchestration.plan import EndedRun
    from evidence_assets.orchestration.workspace import Workspace
    from evidence_assets.stages.graph import Needed


def materialize_benchmarks(
    workspace: Workspace,
    benchmarks: Sequence[str],
    arms: Sequence[str] | None = None,
    again: bool = False,
    pages: bool = False,
) -> Iterator[EndedRun]:
    """Materialise what of these benchmarks is missing or stale; yield each run's job, partition and seconds.

    `arms` names the arms wanted, `system/arm` or `arm`; what they read is made. Default: the first arms of
    each benchmark's systems. `again`: what is up to date is made too. `pages`: with evidence pages of each
    experiment, and a scoreboard of each benchmark.

    Runs are recorded in the Dagster instance that DAGSTER_HOME names, and are seen in its UI.

    Raises:
        LookupError: a benchmark is not in the configuration or lacks what a system needs, an arm is not
            known, or DAGSTER_HOME is not set.
        RuntimeError: a run failed.
    """
    named = systems_by_name(workspace.systems)
    wanted = wanted_of_benchmarks(workspace.project, workspace.graph, named, benchmarks, arms)
    if pages:
        experiments = [(stage.name, key.variant, key.name) for stage, key in wanted if stage.name in named]
        wanted += wanted_pages(workspace.graph, experiments)
    yield from materialize_partitions(workspace, wanted, again)


def materialize_pages(
    workspace: Workspace,
    benchmarks: Sequence[str] | None = None,
    arms: Sequence[str] | None = None,
    again: bool = False,
) -> Iterator[EndedRun]:
    """Write the evidence pages of what was answered; yield each run's job, partition and seconds.

    Pages show what stands: no experiment is made, or made anew, for them. `benchmarks`, `arms` (`system/arm`
    or `arm`): only of these.

    Raises:
        LookupError: nothing of that was answered, there is no such arm or benchmark, or DAGSTER_HOME is not
            set.
        RuntimeError: a run failed.
    """
    from evidence_assets.lake.schemas import PREDICTIONS

    named = systems_by_name(workspace.systems)
    offered = {name: list(system.arms_of(workspace.project)) for name, system in named.items()}
    chosen = chosen_arms(arms, named, workspace.project) if arms else offered
    known, answered = workspace.project.sources.benchmarks, workspace.lake.partitions(PREDICTIONS)
    kept = {place["benchmark"] for place in answered}
    workspace.project.require_benchmarks(benchmarks or (), kept)
    if former := [name for name in benchmarks or () if name not in known]:
        raise LookupError(
            f"{', '.join(former)}: it was answered, but {workspace.project.location} names it no more, and "
            "pages are made of what that names; remedy: name it there again, or read its answers with "
            "evidence-assets trace"
        )
    experiments = [
        (place["system"], place["arm"], place["benchmark"])
        for place in answered
        if place["benchmark"] in known
        and place["benchmark"] in (benchmarks or known)
        and place["arm"] in chosen.get(place["system"], ())
    ]
    if not experiments:
        names = ", ".join([*(benchmarks or ()), *(arms or ())]) or "any benchmark of the configuration"
        raise LookupError(
            f"nothing was answered of {names}; remedy: make the experiment first: evidence-assets demo "
            "BENCHMARK --arms SYSTEM/ARM"
        )
    wanted = set(wanted_pages(workspace.graph, experiments))
    needed = [part for part in workspace.graph.needed(wanted) if (part.stage, part.key) in wanted]
    lost = [part for part in needed if not _index_stands(workspace, part)]
    yield from _run(workspace, needed, again, lost=lost)


def _index_stands(workspace: Workspace, part: Needed) -> bool:
    """Tell whether the index of a partition of pages is there: files can be removed behind their rows."""
    from evidence_assets.audit.pages.rendering import INDEX, folder_of, scoreboard_folder

    key, lake = part.key, workspace.lake
    of_system = folder_of(part.stage.system, key.variant, key.name) if key.variant else None
    folder = of_system or scoreboard_folder(key.name)
    return bool(lake.filesystem.exists(f"{lake.path}/{folder}/{INDEX}"))


def materialize_harvest(
    workspace: Workspace, relations: Sequence[str] | None = None, again: bool = False, merged: bool = True
) -> Iterator[EndedRun]:
    """Harvest relations, default all that have a seed file; yield each run's job, partition and seconds.

    Before them the corpus and its masked language model are made, unless the profile names a model; after
    them what was harvested is gathered, scored, and, if `merged`, merged into the graphs that name it.

    Raises:
        LookupError: the configuration names no harvest, a relation has no seed file, or DAGSTER_HOME is not
            set.
        SeedError: there is no folder of seed files.
        RuntimeError: a run failed.
    """
    from evidence_assets.extraction.seeds import seed_files

    project = workspace.project
    if project.seeds_folder is None:
        raise LookupError(f"{project.location} names no harvest; remedy: add a section `harvest`")
    there_are = seed_files(project.seeds_folder)
    if unknown := sorted(set(relations or ()) - set(there_are)):
        listed = f"{project.seeds_folder} holds {', '.join(there_are)}"
        raise UnknownNameError("seed file for", unknown, list(there_are), listed)
    wanted = wanted_of_harvest(project, workspace.graph, relations or list(there_are), merged)
    yield from materialize_partitions(workspace, wanted, again)


def materialize_by_name(
    workspace: Workspace, partitions: Iterable[tuple[str, str]], again: bool = False
) -> Iterator[EndedRun]:
    """Materialise what is missing or stale of these partitions, by stage and key, and of their inputs.

    Yields each run's job, partition and seconds.

    Raises:
        LookupError: there is no such stage, or DAGSTER_HOME is not set.
        RuntimeError: a run failed.
    """
    stages = workspace.graph.by_name
    wanted = []
    for name, key in partitions:
        if name not in stages:
            raise LookupError(f"no stage {name}; there are {', '.join(stages)}; remedy: name one of these")
        wanted.append((stages[name], Key.of(key)))
    yield from materialize_partitions(workspace, wanted, again)


def materialize_ablations(
    workspace: Workspace,
    benchmark: str,
    arm: str,
    settings: Mapping[str, Any] | None = None,
    again: bool = False,
) -> Iterator[EndedRun]:
    """Question the evidence of an arm's answers, made first where they are missing or stale.

    `arm`: `system/arm`, or an arm of one system. `settings`: of `AblationSettings`, those that are not the
    default; with any, the ablations are made whether they are up to date or not.

    Raises:
        LookupError: there is no such benchmark or arm, it cannot be run on the benchmark, or DAGSTER_HOME is
            not set.
        RuntimeError: a run failed.
    """
    project, named = workspace.project, systems_by_name(workspace.systems)
    project.require_benchmarks([benchmark])
    system, name = chosen_arm(arm, named, project)
    stage = workspace.graph.by_name[f"{system}/evidence_ablations"]
    key = Key(benchmark, name)
    if (problem := workspace.graph.problem(stage, key)) is not None:
        raise LookupError(problem)
    changed = {stage.name: settings} if settings else {}
    yield from materialize_partitions(workspace, [(stage, key)], again, changed)


def materialize_partitions(
    workspace: Workspace,
    wanted: Sequence[tuple[Stage, Key]],
    again: bool = False,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
) -> Iterator[EndedRun]:
    """Make partitions and what they read, where it is missing or stale, in this process, run after run.

    Yields each run's job, partition and seconds. `settings`: stage name to what its runs set; such a stage is
    run whether it is up to date or not.

    Raises:
        LookupError: DAGSTER_HOME is not set, and the current folder is in no project.
        RuntimeError: a run failed.
    """
    yield from _run(workspace, workspace.graph.needed(wanted), again, settings)


def _run(
    workspace: Workspace,
    needed: Sequence[Needed],
    again: bool,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    lost: Sequence[Needed] = (),
) -> Iterator[EndedRun]:
    """Make those of these partitions that are missing or stale, or whose files are lost.

    What turns out to be up to date when its turn comes is skipped.
    """
    from evidence_assets.stages.freshness import State

    use_home()
    anyway = [part for part in needed if again or part.stage.name in (settings or {}) or part in lost]
    due = anyway
    if not again:
        statuses = workspace.statuses(needed)
        due = [
            part
            for part, status in zip(needed, statuses, strict=True)
            if status.state != State.FRESH or part in anyway
        ]
    if not due:
        return
    with warnings.catch_warnings():
        # Dagster marks batch backfills and observable sources as beta at every definition.
        warnings.simplefilter("ignore")
        from evidence_assets.orchestration.launching import launch

        yield from launch(workspace, due, anyway, settings)
