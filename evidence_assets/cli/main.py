"""The `evidence-assets` command: the demo, what is up to date, scores and traces, what can be read."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from evidence_assets.audit.report import example_prediction, harvest_table, score_table, trace_report
from evidence_assets.config.configuration import load_project
from evidence_assets.extraction.seeds import SeedError
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake, partition_name
from evidence_assets.lake.migration import migrate, require_current
from evidence_assets.lake.parquet import NewerLakeError, OldLakeError
from evidence_assets.lake.schemas import MATERIALIZATIONS
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.stages.declaration import StageError
from evidence_assets.systems.registry import chosen_arms, systems_by_name

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

    from evidence_assets.orchestration.runs import Workspace
    from evidence_assets.stages.freshness import Status

STARTER_BENCHMARKS = ("starter", "starter_medicine", "starter_space")
_USER_ERRORS = (
    LookupError,
    RuntimeError,
    ConfigurationError,
    SeedError,
    StageError,
    OldLakeError,
    NewerLakeError,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return _COMMANDS[options.command](options)
    except _USER_ERRORS as error:
        print(error, file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="evidence-assets", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    demo = commands.add_parser("demo", help="make what of some benchmarks is missing or stale, then report")
    demo.add_argument("benchmarks", nargs="*", default=list(STARTER_BENCHMARKS))
    demo.add_argument(
        "--arms",
        type=lambda names: names.split(","),
        help="arms to run, by comma, or all that no language model reads (default: the first ones of each "
        "benchmark's systems); a name without its system means that arm of each; see `evidence-assets arms`",
    )
    harvest = commands.add_parser("harvest", help="mine triples from a masked language model, then report")
    harvest.add_argument("relations", nargs="*", help="default: every relation that has a seed file")
    for command in (demo, harvest):
        command.add_argument("--again", action="store_true", help="make what is up to date, too")
    status = commands.add_parser("status", help="list partitions as missing, stale or fresh, and why")
    status.add_argument("stages", nargs="*", help="stages or tables to list (default: all)")
    status.add_argument("--all", action="store_true", help="list those made on demand that never were, too")
    scores = commands.add_parser("scores", help="print the score table")
    scores.add_argument("benchmarks", nargs="+")
    trace = commands.add_parser("trace", help="print a prediction's cited evidence down to its source")
    trace.add_argument("prediction_id")
    commands.add_parser("arms", help="list the arms, with what each does")
    commands.add_parser("benchmarks", help="list the question sets that can be read, and where to get them")
    prune = commands.add_parser("prune", help="remove what the configuration no longer names from the lake")
    prune.add_argument("--dry-run", action="store_true", help="only say what would go")
    commands.add_parser("migrate", help="rewrite a lake of the version before this one")
    commands.add_parser("catalogue", help="write evidence.duckdb and print its path")
    return parser


def _lake() -> Lake:
    return Lake(catalogue.default_root())


@contextmanager
def _queries(lake: Lake) -> Iterator[DuckDBPyConnection]:
    """Yield a connection to the lake's catalogue.

    Raises:
        OldLakeError: a version before this one wrote the lake, and its hashes mean something else.
    """
    require_current(lake, [MATERIALIZATIONS.name])
    with catalogue.connect(lake) as connection:
        yield connection


def _workspace() -> Workspace:
    from evidence_assets.orchestration.runs import Workspace

    return Workspace.from_environment()


def _demo(options: argparse.Namespace) -> int:
    from evidence_assets.orchestration.runs import materialize_benchmarks

    workspace = _workspace()
    arms = options.arms
    if arms == ["all"]:
        named = systems_by_name(workspace.systems).items()
        # What a language model reads takes hours or money: it is asked for by name.
        arms = [f"{name}/{arm}" for name, system in named for arm in system.arms(())]
    _report_runs(materialize_benchmarks(workspace, options.benchmarks, arms, options.again))
    with _queries(workspace.lake) as connection:
        print(score_table(connection, options.benchmarks), "\n")
        for benchmark in options.benchmarks:
            for system, arm in _traced(connection, workspace, benchmark, arms):
                try:
                    example = example_prediction(connection, benchmark, system, arm)
                    print(trace_report(connection, example), "\n")
                except LookupError:
                    print(f"{benchmark}: {system}/{arm} has no answer to trace\n")
    return 0


def _report_runs(runs: Iterator[tuple[str, str, float]]) -> None:
    started, count = time.perf_counter(), 0
    for job, partition, seconds in runs:
        count += 1
        print(f"{seconds:6.1f} s  {job:24} {partition}", flush=True)
    made = f"{count} runs" if count else "nothing to do, all is up to date"
    seconds = time.perf_counter() - started
    print(f"{seconds:6.1f} s  in all ({made}); the lake is at {catalogue.default_root()}\n")


def _traced(
    connection: DuckDBPyConnection, workspace: Workspace, benchmark: str, arms: Sequence[str] | None
) -> Iterator[tuple[str, str]]:
    """Yield one arm of each system that answered a benchmark: its default arm, else the first asked for."""
    answered = connection.execute(
        "SELECT DISTINCT system FROM predictions WHERE benchmark = ? ORDER BY system", [benchmark]
    ).fetchall()
    systems = systems_by_name(workspace.systems)
    chosen = chosen_arms(arms, systems, workspace.project) if arms else {}
    for (system,) in answered:
        default = systems[system].default_arm
        of_system = chosen.get(system, [default])
        yield system, default if default in of_system else of_system[0]


def _harvest(options: argparse.Namespace) -> int:
    from evidence_assets.orchestration.runs import materialize_harvest

    _report_runs(materialize_harvest(_workspace(), options.relations or None, options.again))
    with _queries(_lake()) as connection:
        print(harvest_table(connection))
    return 0


def _status(options: argparse.Namespace) -> int:
    from evidence_assets.stages.freshness import State

    workspace = _workspace()
    wanted = workspace.every_partition()
    if options.stages:
        known = {name for part in wanted for name in (part.stage.name, *_tables(part.stage.tables))}
        if unknown := sorted(set(options.stages) - known):
            raise LookupError(f"no stage or table {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    statuses = [
        status
        for status in workspace.statuses(wanted, to_be_made=False)
        if not options.stages or {status.stage.name, *_tables(status.tables)} & set(options.stages)
    ]
    unasked = [status for status in statuses if status.stage.on_demand and status.state == State.MISSING]
    shown = statuses if options.all else [status for status in statuses if status not in unasked]
    _print_statuses(shown)
    counts = Counter(status.state.value for status in shown)
    print("\n" + ", ".join(f"{counts[state.value]} {state.value}" for state in State))
    if unasked and not options.all:
        stages = Counter(status.name for status in unasked)
        listed = ", ".join(f"{name} {count}" for name, count in stages.items())
        print(f"never asked for, made on demand: {len(unasked)} ({listed}); --all lists them")
    return 0


def _tables(tables: Iterable[object]) -> list[str]:
    return [getattr(table, "name", "") for table in tables]


def _print_statuses(statuses: Sequence[Status]) -> None:
    width = max((len(status.name) for status in statuses), default=0)
    keys = max((len(status.key.text) for status in statuses), default=0)
    for status in statuses:
        line = f"{status.state.value:8} {status.name:{width}} {status.key.text:{keys}}  {status.reason}"
        print(line.rstrip())


def _scores(options: argparse.Namespace) -> int:
    with _queries(_lake()) as connection:
        print(score_table(connection, options.benchmarks))
    return 0


def _trace(options: argparse.Namespace) -> int:
    with _queries(_lake()) as connection:
        print(trace_report(connection, options.prediction_id))
    return 0


def _list_benchmarks(_: argparse.Namespace) -> int:
    from evidence_assets.sources.questions.registry import BENCHMARKS

    for benchmark in BENCHMARKS.values():
        print(f"{benchmark.name:18} {benchmark.title}\n{'':18} {benchmark.licence}; {benchmark.where}")
    return 0


def _list_arms(_: argparse.Namespace) -> int:
    project = load_project()
    for system in systems_by_name().values():
        for arm in system.arms_of(project).values():
            print(f"{f'{system.name}/{arm.name}':62} {arm.description}")
    return 0


def _prune(options: argparse.Namespace) -> int:
    lake = _lake()
    for table, partition in load_project().unnamed(lake):
        print(f"{table.name}/{partition_name(partition)}")
        if not options.dry_run:
            lake.delete(table, partition)
    return 0


def _migrate(_: argparse.Namespace) -> int:
    count, problems = 0, 0
    for file in migrate(_lake()):
        count += 1
        print(f"{file.done:6,} of {file.total:,}  {file.path}", flush=True)
        if file.problem:
            problems += 1
            print(file.problem, file=sys.stderr)
    print(f"{count - problems} files rewritten, {problems} left as they are")
    return 1 if problems else 0


def _catalogue(_: argparse.Namespace) -> int:
    print(catalogue.build(_lake()))
    return 0


_COMMANDS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "demo": _demo,
    "harvest": _harvest,
    "status": _status,
    "scores": _scores,
    "trace": _trace,
    "arms": _list_arms,
    "benchmarks": _list_benchmarks,
    "prune": _prune,
    "migrate": _migrate,
    "catalogue": _catalogue,
}

if __name__ == "__main__":
    sys.exit(main())
