"""The `evidence-assets` command: the demo, scores and traces at the terminal, what can be read."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from evidence_assets.audit.report import example_prediction, harvest_table, score_table, trace_report
from evidence_assets.extraction.seeds import SeedError
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake, partition_name
from evidence_assets.orchestration.lake_resource import default_root
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.systems.registry import System, chosen_arms, systems

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status."""
    parser = argparse.ArgumentParser(prog="evidence-assets", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    demo = commands.add_parser("demo", help="materialise everything about some benchmarks, then report")
    demo.add_argument("benchmarks", nargs="*", default=["starter", "starter_medicine", "starter_space"])
    demo.add_argument(
        "--arms",
        type=_arm_names,
        help="arms to run, by comma, or all (default: the first ones of each benchmark's systems); a name "
        "without its system means that arm of each; see `evidence-assets arms`",
    )
    harvest = commands.add_parser("harvest", help="mine triples from a masked language model, then report")
    harvest.add_argument("relations", nargs="*", help="default: every relation that has a seed file")
    scores = commands.add_parser("scores", help="print the score table")
    scores.add_argument("benchmarks", nargs="+")
    trace = commands.add_parser("trace", help="print a prediction's cited evidence down to its source")
    trace.add_argument("prediction_id")
    commands.add_parser("arms", help="list the arms, with what each does")
    commands.add_parser("benchmarks", help="list the question sets that can be read, and where to get them")
    prune = commands.add_parser("prune", help="remove what the configuration no longer names from the lake")
    prune.add_argument("--dry-run", action="store_true", help="only say what would go")
    commands.add_parser("catalogue", help="write evidence.duckdb and print its path")
    options = parser.parse_args(arguments)
    try:
        return _COMMANDS[options.command](options)
    except (LookupError, RuntimeError, ConfigurationError, SeedError) as error:
        print(error, file=sys.stderr)
        return 1


def _arm_names(names: str) -> list[str]:
    if names == "all":
        return [f"{system.name}/{arm}" for system in _systems().values() for arm in system.arms]
    return names.split(",")


def _systems() -> Mapping[str, System]:
    """Return the systems, with the arms of the configuration's language models."""
    from evidence_assets.orchestration.partitions import ProjectPartitions

    return systems(ProjectPartitions.from_configuration().generators)


def _demo(options: argparse.Namespace) -> int:
    from evidence_assets.orchestration.runs import materialize_benchmarks

    started = time.perf_counter()
    for job, partition, seconds in materialize_benchmarks(options.benchmarks, options.arms):
        print(f"{seconds:6.1f} s  {job:24} {partition}", flush=True)
    print(f"{time.perf_counter() - started:6.1f} s  in all; the lake is at {default_root()}\n")
    with catalogue.connect(Lake(default_root())) as connection:
        print(score_table(connection, options.benchmarks), "\n")
        for benchmark in options.benchmarks:
            for system, arm in _traced(connection, benchmark, options.arms):
                try:
                    example = example_prediction(connection, benchmark, system, arm)
                    print(trace_report(connection, example), "\n")
                except LookupError:
                    print(f"{benchmark}: {system}/{arm} has no answer to trace\n")
    return 0


def _traced(
    connection: DuckDBPyConnection, benchmark: str, arms: Sequence[str] | None
) -> Iterator[tuple[str, str]]:
    """Yield one arm of each system that answered a benchmark: its default arm, else the first asked for."""
    found = connection.execute(
        "SELECT DISTINCT system FROM predictions WHERE benchmark = ? ORDER BY system", [benchmark]
    ).fetchall()
    there_are = _systems()
    chosen = chosen_arms(arms, there_are) if arms else {}
    for (system,) in found:
        default = there_are[system].default_arm
        own = chosen.get(system, [default])
        yield system, default if default in own else own[0]


def _harvest(options: argparse.Namespace) -> int:
    from evidence_assets.orchestration.runs import materialize_harvest

    started = time.perf_counter()
    for job, partition, seconds in materialize_harvest(options.relations or None):
        print(f"{seconds:6.1f} s  {job:24} {partition}", flush=True)
    print(f"{time.perf_counter() - started:6.1f} s  in all; the lake is at {default_root()}\n")
    with catalogue.connect(Lake(default_root())) as connection:
        print(harvest_table(connection))
    return 0


def _scores(options: argparse.Namespace) -> int:
    with catalogue.connect(Lake(default_root())) as connection:
        print(score_table(connection, options.benchmarks))
    return 0


def _trace(options: argparse.Namespace) -> int:
    with catalogue.connect(Lake(default_root())) as connection:
        print(trace_report(connection, options.prediction_id))
    return 0


def _list_benchmarks(_: argparse.Namespace) -> int:
    from evidence_assets.sources.questions.registry import BENCHMARKS

    for benchmark in BENCHMARKS.values():
        print(f"{benchmark.name:18} {benchmark.title}\n{'':18} {benchmark.licence}; {benchmark.where}")
    return 0


def _list_arms(_: argparse.Namespace) -> int:
    for system in _systems().values():
        for arm in system.arms.values():
            print(f"{f'{system.name}/{arm.name}':62} {arm.description}")
    return 0


def _prune(options: argparse.Namespace) -> int:
    from evidence_assets.orchestration.partitions import ProjectPartitions

    lake = Lake(default_root())
    for table, partition in ProjectPartitions.from_configuration().unnamed(lake):
        print(f"{table.name}/{partition_name(partition)}")
        if not options.dry_run:
            lake.delete(table, partition)
    return 0


def _catalogue(_: argparse.Namespace) -> int:
    print(catalogue.build(Lake(default_root())))
    return 0


_COMMANDS = {
    "demo": _demo,
    "harvest": _harvest,
    "scores": _scores,
    "trace": _trace,
    "arms": _list_arms,
    "benchmarks": _list_benchmarks,
    "prune": _prune,
    "catalogue": _catalogue,
}

if __name__ == "__main__":
    sys.exit(main())
