"""The `evidence-assets` command: the demo, scores and traces at the terminal, what can be read."""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from evidence_assets.audit.report import example_prediction, score_table, trace_report
from evidence_assets.lake import catalogue
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.resources import default_root
from evidence_assets.systems.uscrake.arms import ARMS, DEFAULT_ARM, RETRIEVALS

if TYPE_CHECKING:
    from evidence_assets.partitions import ProjectPartitions


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status."""
    parser = argparse.ArgumentParser(prog="evidence-assets", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    demo = commands.add_parser("demo", help="materialise everything about some benchmarks, then report")
    demo.add_argument("benchmarks", nargs="*", default=["starter"])
    scores = commands.add_parser("scores", help="print the score table")
    scores.add_argument("benchmarks", nargs="+")
    trace = commands.add_parser("trace", help="print a prediction's cited evidence down to its source")
    trace.add_argument("prediction_id")
    commands.add_parser("benchmarks", help="list the question sets that can be read, and where to get them")
    commands.add_parser("catalogue", help="write evidence.duckdb and print its path")
    options = parser.parse_args(arguments)
    try:
        return _COMMANDS[options.command](options)
    except LookupError as error:
        print(error, file=sys.stderr)
        return 1


def _demo(options: argparse.Namespace) -> int:
    started = time.perf_counter()
    for job, partition, seconds in materialize_benchmarks(options.benchmarks):
        print(f"{seconds:6.1f} s  {job:24} {partition}", flush=True)
    print(f"{time.perf_counter() - started:6.1f} s  in all; the lake is at {default_root()}\n")
    with catalogue.connect(Lake(default_root())) as connection:
        print(score_table(connection, options.benchmarks), "\n")
        for benchmark in options.benchmarks:
            try:
                print(trace_report(connection, example_prediction(connection, benchmark, DEFAULT_ARM)), "\n")
            except LookupError:
                print(f"{benchmark}: questions without options have rankings and no answers to trace\n")
    return 0


def materialize_benchmarks(benchmarks: Sequence[str]) -> Iterator[tuple[str, str, float]]:
    """Materialise all that these benchmarks need, in this process; yield each run's job, partition, seconds.

    Runs are recorded in the Dagster instance that DAGSTER_HOME names, and are seen in its UI.

    Raises:
        LookupError: a benchmark is not in the configuration.
        RuntimeError: a run failed.
    """
    import dagster as dg

    from evidence_assets.partitions import ProjectPartitions

    if "DAGSTER_HOME" not in os.environ:
        raise LookupError(
            "DAGSTER_HOME is not set: use `make demo`, or name the folder that holds dagster.yaml"
        )
    with warnings.catch_warnings():
        # Dagster marks batch backfills and observable sources as beta at every definition.
        warnings.simplefilter("ignore", dg.BetaWarning)
        from evidence_assets.definitions import defs

        project = ProjectPartitions.from_configuration()
        unknown = sorted(set(benchmarks) - set(project.sources.benchmarks))
        if unknown:
            raise LookupError(f"{project.location} names no benchmark {', '.join(unknown)}")
        with dg.DagsterInstance.get() as instance:
            for job, partition in _plan(project, benchmarks):
                started = time.perf_counter()
                result = defs.resolve_job_def(job).execute_in_process(
                    instance=instance, partition_key=partition, raise_on_error=False
                )
                if not result.success:
                    failures = [
                        event for event in result.all_events if event.is_step_failure or event.is_run_failure
                    ]
                    raise RuntimeError(f"job {job}, partition {partition}: {failures[0].message}")
                yield job, partition or "whole table", time.perf_counter() - started


def _plan(project: ProjectPartitions, benchmarks: Sequence[str]) -> Iterator[tuple[str, str | None]]:
    """Yield (job, partition key) in the order of the graph."""
    yield "observe_corpus_files", None
    yield "observe_benchmark_files", None
    corpora = dict.fromkeys(project.benchmark(name).corpus for name in benchmarks)
    for corpus in corpora:
        for shard in project.shards_of(corpus):
            yield "ingest_corpus", shard.key
        yield "index_corpus", corpus
    for benchmark in benchmarks:
        yield "prepare_benchmark", benchmark
        for retrieval in RETRIEVALS:
            yield "rank_chunks", f"{retrieval}|{benchmark}"
        for arm in ARMS:
            yield "run_uscrake", f"{arm}|{benchmark}"
        yield "compare_arms", benchmark
    yield "record_published", None


def _scores(options: argparse.Namespace) -> int:
    with catalogue.connect(Lake(default_root())) as connection:
        print(score_table(connection, options.benchmarks))
    return 0


def _trace(options: argparse.Namespace) -> int:
    with catalogue.connect(Lake(default_root())) as connection:
        print(trace_report(connection, options.prediction_id))
    return 0


def _list_benchmarks(_: argparse.Namespace) -> int:
    from evidence_assets.sources.benchmarks.registry import BENCHMARKS

    for benchmark in BENCHMARKS.values():
        print(f"{benchmark.name:18} {benchmark.title}\n{'':18} {benchmark.licence}; {benchmark.where}")
    return 0


def _catalogue(_: argparse.Namespace) -> int:
    print(catalogue.build(Lake(default_root())))
    return 0


_COMMANDS = {
    "demo": _demo,
    "scores": _scores,
    "trace": _trace,
    "benchmarks": _list_benchmarks,
    "catalogue": _catalogue,
}

if __name__ == "__main__":
    sys.exit(main())
