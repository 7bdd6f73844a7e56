"""`evidence-assets demo`: benchmarks made, scored and traced."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from evidence_assets.audit.report import example_prediction, harvest_table, trace_report
from evidence_assets.audit.score_report import score_report
from evidence_assets.cli.check import check_files
from evidence_assets.cli.common import queries, tell_outdated_scores, workspace
from evidence_assets.cli.pages import opening
from evidence_assets.cli.runs import Again, report_runs
from evidence_assets.cli.terminal import show
from evidence_assets.systems.registry import chosen_arms, systems_by_name

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from evidence_assets.orchestration.workspace import Workspace
    from evidence_assets.sources.project import Project

STARTER_BENCHMARKS = ("starter", "starter_medicine", "starter_space", "starter_tables")
# Of these systems' first arms, those that the starter's questions can tell apart: the reader answers as well
# from what BM25 or the cosine ranks first as from coverage, and the longest option is below the nearest.
_FEWER = {
    "attention2query": ("full@extractive",),
    "ucret": ("full@extractive", "no_column_filtering@nearest"),
    "ugat_medqa": (
        "full@extractive",
        "full_answering@extractive",
        "no_retrieval@extractive",
        "no_evidence@option_cosine",
    ),
    "uscrake": (
        "chunks_only_coverage@extractive",
        "full@extractive",
        "triples_only@extractive",
        "chunks_only_cosine@nearest",
        "no_evidence@option_cosine",
    ),
}
# What is mined from a masked language model, by K-Bloom and by BertNet: one relation shows it.
_HARVESTED = ("IsA",)
_EXPORTED = "uscrake/full@extractive"
_QUESTION = "Which mission of NASA flew to Saturn?"


def demo(
    benchmarks: Annotated[
        list[str] | None,
        Argument(
            help="which benchmarks to run, by their names in sources.yaml",
            show_default="all, or the four of the starter where it names these",
        ),
    ] = None,
    arms: Annotated[
        str | None,
        Option(
            help="how to answer, parted by commas: SYSTEM/ARM, or ARM of every system that has it, as "
            "`evidence-assets arms` lists them; or `all` that no language model reads (default: the first "
            "ones of each benchmark's systems)"
        ),
    ] = None,
    again: Again = False,
) -> None:
    """Answer the questions of benchmarks: print the scores, and of each system an answer with its sources.

    What the answers need is made first, where it is missing or out of date.
    What is wrong with the configuration is told before that, as by `check`.
    """
    from evidence_assets.orchestration.runs import materialize_benchmarks, materialize_harvest

    project = workspace()
    shown_benchmarks = benchmarks or _benchmarks_of(project.project)
    chosen_names = None if arms is None else arms.split(",")
    if chosen_names == ["all"]:
        by_name = systems_by_name(project.systems).items()
        # What a language model reads takes hours or money: it is asked for by name.
        chosen_names = [f"{name}/{arm}" for name, system in by_name for arm in system.arms(())]
    shows_all = chosen_names is None and not benchmarks and shown_benchmarks == list(STARTER_BENCHMARKS)
    if shows_all:
        first_arms = {system.name: system.first_arms for system in project.systems} | _FEWER
        chosen_names = [f"{name}/{arm}" for name, arm_names in first_arms.items() for arm in arm_names]
    mined = _mined(project) if shows_all else []
    _check(project, shown_benchmarks, chosen_names, harvest=bool(mined))
    runs = materialize_benchmarks(project, shown_benchmarks, chosen_names, again, pages=True)
    if mined:
        runs = chain(runs, materialize_harvest(project, mined, again, merged=False))
    report_runs(project.lake, runs, again)
    with queries(project.lake) as connection:
        show(score_report(connection, shown_benchmarks))
        # Of arms that were not asked for now, and are older than those that were.
        tell_outdated_scores(project, connection, shown_benchmarks)
        if mined:
            print(f"harvest: triples of {', '.join(mined)}, mined from a masked language model")
            print(harvest_table(connection), "\n")
        prediction = ""
        for benchmark in shown_benchmarks:
            for system, arm in _traced(connection, project, benchmark, chosen_names):
                try:
                    prediction = example_prediction(connection, benchmark, system, arm)
                    print(trace_report(connection, prediction), "\n")
                except LookupError:
                    print(f"{benchmark}: {system}/{arm} has no answer to trace\n")
    print("\n".join(next_steps(shown_benchmarks, prediction, opening(project.lake), project.project)))


def _benchmarks_of(project: Project) -> list[str]:
    """Return the benchmarks of a project that a demo shows where none is named.

    Raises:
        LookupError: it names none.
    """
    benchmarks = project.named_benchmarks
    if not benchmarks:
        raise LookupError(f"{project.location} names no benchmark; remedy: add one to benchmarks")
    return list(STARTER_BENCHMARKS) if set(STARTER_BENCHMARKS) <= set(benchmarks) else benchmarks


def _mined(project: Workspace) -> list[str]:
    """Return the relations that the demo harvests, of those that the project has seed files of."""
    folder = project.project.seeds_folder
    return [name for name in _HARVESTED if folder is not None and (folder / f"{name}.yaml").exists()]


def _check(project: Workspace, benchmarks: Sequence[str], arms: Sequence[str] | None, harvest: bool) -> None:
    """Check, before the first step, all that a run of these benchmarks needs, or of a harvest too."""
    project.project.require_benchmarks(benchmarks)
    if arms is not None:
        chosen_arms(arms, systems_by_name(project.systems), project.project)
    check_files(project.project, benchmarks, harvest)


def next_steps(shown: Sequence[str], prediction: str, front_page: str, project: Project) -> Iterator[str]:
    """Yield what to open, and what to try next; `prediction` is one that was traced, if one was."""
    command = "evidence-assets"
    called = Path(sys.argv[0])
    if called.name == command and not shutil.which(command):
        command = os.path.relpath(called)
    yield f"look   open {front_page}"
    yield "       every answer beside its evidence, and which arm is better"
    yield f"open   {command} ui, then http://127.0.0.1:3000: the assets, and what they were made from"
    if "starter_space" in shown:
        yield f'ask    {command} ask "{_QUESTION}"'
    if prediction:
        yield f"trace  {command} trace {prediction}"
    if STARTER_BENCHMARKS[0] in shown:
        yield f"take   {command} export {STARTER_BENCHMARKS[0]} {_EXPORTED} evidence"
        yield "       all its evidence in a folder that others can read: rows, pages, provenance"
    more = [f"{command} scores {' '.join(shown)}", f"{command} arms"]
    if relations := [name for name in project.seeded_relations() if name not in _HARVESTED]:
        more.append(f"{command} harvest {relations[0]}")
    yield f"more   {'; '.join(more)}"


def _traced(
    connection: DuckDBPyConnection, project: Workspace, benchmark: str, arms: Sequence[str] | None
) -> Iterator[tuple[str, str]]:
    """Yield one arm of each system that answered a benchmark: its default arm, else the first asked for."""
    systems_answering = connection.execute(
        "SELECT DISTINCT system FROM predictions WHERE benchmark = ? ORDER BY system", [benchmark]
    ).fetchall()
    systems = systems_by_name(project.systems)
    chosen = chosen_arms(arms, systems, project.project) if arms else {}
    for (system,) in systems_answering:
        default = systems[system].default_arm
        of_system = chosen.get(system, [default])
        yield system, default if default in of_system else of_system[0]
