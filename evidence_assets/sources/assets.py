"""Assets of the sources: the files as they are observed, and the questions of every benchmark."""

from collections.abc import Iterator
from typing import Any

import dagster as dg

from evidence_assets.asset_defaults import OWNERS, SINGLE_RUN
from evidence_assets.automation.conditions import when_inputs_change
from evidence_assets.lake.ids import combined_hash
from evidence_assets.lake.resources import LakeResource, Writing
from evidence_assets.lake.schemas import QUESTIONS, REJECTED_RECORDS
from evidence_assets.partitions import ProjectPartitions
from evidence_assets.sources.benchmarks.registry import BENCHMARKS
from evidence_assets.sources.configuration import locate
from evidence_assets.sources.files import fingerprint
from evidence_assets.sources.questions import question_files, question_rows
from evidence_assets.sources.records import UnusableSourceError
from evidence_assets.sources.rejections import rejected_rows


def source_assets(project: ProjectPartitions) -> tuple[list[Any], dg.AssetsDefinition]:
    """Return the source files as observed assets, and the questions."""

    @dg.observable_source_asset(
        partitions_def=project.shard_keys,
        group_name="sources",
        description="The files that corpora are read from. Observing them notes each one's content hash; a "
        "changed file makes its shard, and what depends on it, anew.",
        tags={"layer": "source"},
    )
    def corpus_files(context: dg.OpExecutionContext) -> dg.DataVersionsByPartition:
        versions = {}
        for key, shard in project.shards.items():
            try:
                versions[key] = fingerprint(shard.uri)
            except UnusableSourceError as error:
                context.log.warning(f"shard {key} was not observed: {error}")
        return dg.DataVersionsByPartition(versions)

    @dg.observable_source_asset(
        partitions_def=project.benchmarks,
        group_name="sources",
        description="The files that benchmarks are read from, observed as the corpora's are.",
        tags={"layer": "source"},
    )
    def benchmark_files(context: dg.OpExecutionContext) -> dg.DataVersionsByPartition:
        versions = {}
        for key, benchmark in project.sources.benchmarks.items():
            try:
                versions[key] = fingerprint(locate(benchmark.uri, project.location.parent))
            except UnusableSourceError as error:
                context.log.warning(f"benchmark {key} was not observed: {error}")
        return dg.DataVersionsByPartition(versions)

    @dg.observable_source_asset(
        partitions_def=project.graphs,
        group_name="sources",
        description="The files that knowledge graphs are read from, observed as the corpora's are.",
        tags={"layer": "source"},
    )
    def graph_files(context: dg.OpExecutionContext) -> dg.DataVersionsByPartition:
        versions = {}
        for key, graph in project.sources.graphs.items():
            try:
                versions[key] = combined_hash(
                    fingerprint(locate(source.uri, project.location.parent)) for source in graph.sources
                )
            except UnusableSourceError as error:
                context.log.warning(f"graph {key} was not observed: {error}")
        return dg.DataVersionsByPartition(versions)

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
                rows, rejected = question_rows(records, key, source)
                step.write(QUESTIONS, {"benchmark": key}, rows)
                step.write_beside(REJECTED_RECORDS, {"source": key}, rejected_rows(key, source.uri, rejected))
                with_gold = sum(bool(gold) for gold in rows.column("gold_evidence").to_pylist())
                step.show(
                    {"rejected": len(rejected), "with_gold_evidence": with_gold, "licence": source.licence}
                )
        yield from writing.results()

    return [corpus_files, benchmark_files, graph_files], questions
