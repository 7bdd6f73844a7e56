"""Assets of the sources: the files as they are observed, and the questions of every benchmark."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import dagster as dg
from pydantic import BaseModel

from evidence_assets.lake.ids import combined_hash
from evidence_assets.lake.schemas import QUESTIONS, REJECTED_RECORDS, TABLES
from evidence_assets.orchestration.asset_defaults import OWNERS, SINGLE_RUN
from evidence_assets.orchestration.conditions import when_inputs_change
from evidence_assets.orchestration.lake_resource import LakeResource, Writing
from evidence_assets.orchestration.partitions import ProjectPartitions
from evidence_assets.sources.files import fingerprint
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.sources.questions.rows import question_files, question_rows, sampled
from evidence_assets.sources.records import UnusableSourceError
from evidence_assets.sources.rejections import rejected_rows
from evidence_assets.sources.specifications import locate
from evidence_assets.tables.question_tables import benchmark_tables


def source_assets(project: ProjectPartitions) -> tuple[list[Any], list[dg.AssetsDefinition]]:
    """Return the source files as observed assets, and the questions with their tables."""

    base = project.location.parent
    corpus_files = _observed(
        "corpus_files",
        project.shard_keys,
        "The files that corpora are read from. Observing them notes each one's content hash and how the "
        "configuration says that it is read; either changed makes its shard, and what depends on it, anew.",
        lambda: {key: [(shard.uri, _reading(shard.source))] for key, shard in project.shards.items()},
    )
    benchmark_files = _observed(
        "benchmark_files",
        project.benchmarks,
        "The files that benchmarks are read from, observed as the corpora's are.",
        lambda: {
            key: [(locate(one.uri, base), _reading(one))] for key, one in project.sources.benchmarks.items()
        },
    )
    graph_files = _observed(
        "graph_files",
        project.graphs,
        "The files that knowledge graphs are read from, observed as the corpora's are.",
        lambda: {
            key: [(locate(source.uri, base), _reading(source)) for source in graph.sources]
            for key, graph in project.sources.graphs.items()
        },
    )

    @dg.asset(
        partitions_def=project.benchmarks,
        deps=[benchmark_files],
        group_name="sources",
        owners=OWNERS,
        kinds={"python", "parquet"},
        tags={"layer": "source"},
        code_version="3",
        backfill_policy=SINGLE_RUN,
        automation_condition=when_inputs_change(),
        description="Every benchmark's questions with options, key, and the gold evidence its authors name.",
    )
    def questions(
        context: dg.AssetExecutionContext, lake: LakeResource
    ) -> Iterator[dg.MaterializeResult[Any]]:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            source = project.benchmark(key)
            reader = BENCHMARKS[source.reader].reader
            uris = question_files(locate(source.uri, project.location.parent))
            records = (record for uri in uris for record in reader(uri, source.split))
            with writing.partition(key) as step:
                writing.lake.note_source(source.uri, fingerprint(locate(source.uri, project.location.parent)))
                every, rejected = question_rows(records, key, source)
                rows = sampled(every, source.sample)
                step.write(QUESTIONS, {"benchmark": key}, rows)
                step.write_beside(REJECTED_RECORDS, {"source": key}, rejected_rows(key, source.uri, rejected))
                with_gold = sum(bool(gold) for gold in rows.column("gold_evidence").to_pylist())
                step.show(
                    {
                        "sample": f"{rows.num_rows:,} of {every.num_rows:,} questions",
                        "rejected": len(rejected),
                        "with_gold_evidence": with_gold,
                        "licence": source.licence,
                    }
                )
        yield from writing.results()

    @dg.asset(
        partitions_def=project.benchmarks,
        deps=[benchmark_files],
        group_name="sources",
        owners=OWNERS,
        kinds={"python", "parquet"},
        tags={"layer": "source"},
        code_version="1",
        backfill_policy=SINGLE_RUN,
        automation_condition=when_inputs_change(),
        description="The tables that a benchmark's questions are about, each cell as published and typed.",
    )
    def tables(context: dg.AssetExecutionContext, lake: LakeResource) -> Iterator[dg.MaterializeResult[Any]]:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            source = project.benchmark(key)
            with writing.partition(key) as step:
                located = locate(source.uri, project.location.parent)
                writing.lake.note_source(source.uri, fingerprint(located))
                rows, unusable = benchmark_tables(key, source, question_files(located))
                step.write(TABLES, {"source": key}, rows)
                step.show({"unusable": len(unusable), "unusable_tables": "; ".join(unusable[:20]) or "none"})
                for reason in unusable:
                    context.log.warning(f"{key}: {reason}")
        yield from writing.results()

    return [corpus_files, benchmark_files, graph_files], [questions, tables]


def _reading(source: BaseModel) -> str:
    """Return what the configuration says of how a file is read: not where it lies, nor what for."""
    said = source.model_dump(mode="json", exclude={"uri", "corpus", "graph", "training", "systems"})
    return json.dumps(said, sort_keys=True)


def _observed(
    name: str,
    partitions: dg.StaticPartitionsDefinition,
    description: str,
    files: Callable[[], Mapping[str, Sequence[tuple[str, str]]]],
) -> Any:
    """Return files as an observed asset: a partition's version is the hash of their contents and readings.

    `files`: each partition's, where a file is and how it is read.
    """

    @dg.observable_source_asset(
        name=name,
        partitions_def=partitions,
        group_name="sources",
        description=description,
        tags={"layer": "source"},
    )
    def observe(context: dg.OpExecutionContext) -> dg.DataVersionsByPartition:
        versions = {}
        for key, located in files().items():
            try:
                found = [part for uri, reading in located for part in (fingerprint(uri), reading)]
            except UnusableSourceError as error:
                context.log.warning(f"{name}: {key} was not observed: {error}")
            else:
                versions[key] = combined_hash(found)
        return dg.DataVersionsByPartition(versions)

    return observe
