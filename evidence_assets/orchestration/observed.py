"""Outside files as observed assets: a partition's version is the hash of their contents and readings."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import dagster as dg

from evidence_assets.lake.ids import combined_hash
from evidence_assets.orchestration.partitions import partitions_of
from evidence_assets.sources.project import Project
from evidence_assets.sources.specifications import reading
from evidence_assets.stages.declaration import Scope

Files = Callable[[], Mapping[str, Sequence[tuple[str, str]]]]


def observed_files(project: Project) -> list[Any]:
    """Return the files of corpora, benchmarks and graphs as observed assets."""
    sources = project.sources
    return [
        _observed(
            "corpus_files",
            partitions_of(project.layout, Scope.SHARD),
            "The files that corpora are read from. Observing them notes each one's content hash and how the "
            "configuration says that it is read; either changed makes its shard, and what depends on it, "
            "anew.",
            lambda: {key: [(shard.uri, reading(shard.source))] for key, shard in project.shards.items()},
        ),
        _observed(
            "benchmark_files",
            partitions_of(project.layout, Scope.BENCHMARK),
            "The files that benchmarks are read from, observed as the corpora's are.",
            lambda: {
                key: [(project.locate(source.uri), reading(source))]
                for key, source in sources.benchmarks.items()
            },
        ),
        _observed(
            "graph_files",
            partitions_of(project.layout, Scope.GRAPH),
            "The files that knowledge graphs are read from, observed as the corpora's are.",
            lambda: {
                key: [(project.locate(source.uri), reading(source)) for source in graph.sources]
                for key, graph in sources.graphs.items()
            },
        ),
    ]


def _observed(name: str, partitions: Any, description: str, files: Files) -> Any:
    @dg.observable_source_asset(
        name=name,
        partitions_def=partitions,
        group_name="sources",
        description=description,
        tags={"layer": "source"},
    )
    def observe(context: dg.OpExecutionContext) -> dg.DataVersionsByPartition:
        from evidence_assets.sources.files import fingerprint
        from evidence_assets.sources.records import UnusableSourceError

        versions = {}
        for key, located in files().items():
            try:
                parts = [part for uri, how_read in located for part in (fingerprint(uri), how_read)]
            except UnusableSourceError as error:
                context.log.warning(f"{name}: {key} was not observed: {error}")
            else:
                versions[key] = combined_hash(parts)
        return dg.DataVersionsByPartition(versions)

    return observe
