"""Everything that some benchmarks need, run in order in this process: what `make demo` does."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator, Sequence

import dagster as dg

from evidence_assets.partitions import ProjectPartitions
from evidence_assets.systems.uscrake.arms import ARMS, COMPARED_WITH, FIRST_ARMS


def materialize_benchmarks(
    benchmarks: Sequence[str], arms: Sequence[str] = FIRST_ARMS
) -> Iterator[tuple[str, str, float]]:
    """Materialise all that these benchmarks need; yield each run's job, partition and seconds.

    `arms` names the arms wanted; the rankings that they read are made.

    Runs are recorded in the Dagster instance that DAGSTER_HOME names, and are seen in its UI.

    Raises:
        LookupError: a benchmark is not in the configuration, an arm is not known, or DAGSTER_HOME is not
            set.
        RuntimeError: a run failed.
    """
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
        unknown = sorted(set(arms) - set(ARMS))
        if unknown:
            raise LookupError(f"no arm {', '.join(unknown)}; there are {', '.join(ARMS)}")
        with dg.DagsterInstance.get() as instance:
            for job, partition in plan(project, benchmarks, arms):
                started = time.perf_counter()
                result = defs.resolve_job_def(job).execute_in_process(
                    instance=instance, partition_key=partition, raise_on_error=False
                )
                if not result.success:
                    failed = [event for event in result.all_events if event.is_failure]
                    raise RuntimeError(f"job {job}, partition {partition}: {failed[0].message}")
                yield job, partition or "whole table", time.perf_counter() - started


def plan(
    project: ProjectPartitions, benchmarks: Sequence[str], arms: Sequence[str] = FIRST_ARMS
) -> Iterator[tuple[str, str | None]]:
    """Yield (job, partition key) in the order of the graph.

    Arms that read triples are left out where the benchmark names no graph, and what only they need. Arms are
    compared where one to compare with is among them.
    """
    corpora = dict.fromkeys(project.benchmark(name).corpus for name in benchmarks)
    for corpus in corpora:
        for shard in project.shards_of(corpus):
            yield "ingest_corpus", shard.key
        yield "index_corpus", corpus
    for graph in dict.fromkeys(filter(None, map(project.graph_of, benchmarks))):
        yield "build_graph", graph
    for benchmark in benchmarks:
        has_graph = project.graph_of(benchmark) is not None
        wanted = [
            arm for arm in ARMS.values() if arm.name in arms and (has_graph or not arm.selection.triples)
        ]
        yield "prepare_benchmark", benchmark
        yield "rank_triples", benchmark
        for retrieval in dict.fromkeys(arm.retrieval for arm in wanted):
            yield "rank_chunks", f"{retrieval}|{benchmark}"
        for retrieval in dict.fromkeys(arm.retrieval for arm in wanted if arm.selection.needs_scores):
            yield "rerank_evidence", f"{retrieval}|{benchmark}"
        for arm in wanted:
            yield "run_uscrake", f"{arm.name}|{benchmark}"
        if any(arm.name in COMPARED_WITH for arm in wanted):
            yield "compare_arms", benchmark
    yield "record_published", None
