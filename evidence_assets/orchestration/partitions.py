"""Partitions that every room's assets share: shards, corpora, benchmarks, and how they map to each other.

Keys are static: they come from the configuration file alone, without the network, so that every partition
can be materialised from the command line of a fresh checkout. A changed configuration is seen when the
code location is reloaded.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import dagster as dg

from evidence_assets.config.configuration import default_location, load
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import REJECTED_RECORDS, TABLES, TABLES_BY_NAME, TRIPLES, Table
from evidence_assets.models.generation.settings import PROFILE_GENERATORS, GeneratorSettings
from evidence_assets.models.profiles import current_profile
from evidence_assets.sources.rejections import source_of_graph
from evidence_assets.sources.specifications import (
    BenchmarkSource,
    HarvestSource,
    Shard,
    Sources,
    locate,
    shards,
    shards_of,
)

BENCHMARK, ARM = "benchmark", "arm"
# A seed file is a partition: those that there are come and go while the daemon runs.
RELATIONS = dg.DynamicPartitionsDefinition(name="relations")


@dataclass(frozen=True)
class ProjectPartitions:
    """The partitions of one configuration."""

    sources: Sources
    location: Path
    shards: Mapping[str, Shard]

    @classmethod
    def from_configuration(cls, location: Path | None = None) -> ProjectPartitions:
        """Read the configuration and cut it into partitions.

        Raises:
            ConfigurationError: the configuration cannot be used.
        """
        path = location or default_location()
        sources = load(path)
        return cls(sources, path, {shard.key: shard for shard in shards(sources, path)})

    @property
    def shard_keys(self) -> dg.StaticPartitionsDefinition:
        """One partition a source file."""
        return dg.StaticPartitionsDefinition(list(self.shards))

    @property
    def corpora(self) -> dg.StaticPartitionsDefinition:
        """One partition a corpus."""
        return dg.StaticPartitionsDefinition(list(self.sources.corpora))

    @property
    def benchmarks(self) -> dg.StaticPartitionsDefinition:
        """One partition a benchmark."""
        return dg.StaticPartitionsDefinition(list(self.sources.benchmarks))

    @property
    def graphs(self) -> dg.StaticPartitionsDefinition:
        """One partition a knowledge graph."""
        return dg.StaticPartitionsDefinition(list(self.sources.graphs))

    @property
    def generators(self) -> Mapping[str, GeneratorSettings]:
        """The language models that arms can be answered by: the profile's, and the configuration's."""
        return {**PROFILE_GENERATORS[current_profile().name], **self.sources.generators}

    @property
    def harvests(self) -> dg.StaticPartitionsDefinition:
        """One partition a harvested graph: the arms that the configuration names."""
        harvest = self.sources.harvest
        return dg.StaticPartitionsDefinition([] if harvest is None else harvest.arms)

    @property
    def merges(self) -> bool:
        """Return whether a graph merges a harvest."""
        return any(graph.harvests for graph in self.sources.graphs.values())

    @property
    def harvests_to_graphs(self) -> dg.StaticPartitionMapping:
        """A graph depends on the harvests that it merges."""
        return dg.StaticPartitionMapping(
            {
                arm: [name for name, graph in self.sources.graphs.items() if arm in graph.harvests]
                for arm in self.harvests.get_partition_keys()
            }
        )

    def experiments(self, arms: Iterable[str]) -> dg.MultiPartitionsDefinition:
        """One partition a benchmark and arm."""
        return dg.MultiPartitionsDefinition(
            {BENCHMARK: self.benchmarks, ARM: dg.StaticPartitionsDefinition(list(arms))}
        )

    def benchmark(self, name: str) -> BenchmarkSource:
        """Return a benchmark of the configuration."""
        return self.sources.benchmarks[name]

    def shards_of(self, corpus: str) -> list[Shard]:
        """Return the shards of a corpus."""
        return shards_of(self.shards, corpus)

    def shards_of_benchmark(self, name: str) -> list[Shard]:
        """Return the shards that answer a benchmark; none for one that names no corpus."""
        corpus = self.benchmark(name).corpus
        return [] if corpus is None else self.shards_of(corpus)

    @property
    def shards_to_corpora(self) -> dg.StaticPartitionMapping:
        """A corpus depends on its own shards."""
        return dg.StaticPartitionMapping({key: shard.corpus for key, shard in self.shards.items()})

    @property
    def shards_to_benchmarks(self) -> dg.StaticPartitionMapping:
        """A benchmark depends on the shards of the corpus that answers it."""
        return dg.StaticPartitionMapping(
            {key: self._benchmarks_of(shard.corpus) for key, shard in self.shards.items()}
        )

    @property
    def corpora_to_benchmarks(self) -> dg.StaticPartitionMapping:
        """A benchmark depends on the corpus that answers it."""
        return dg.StaticPartitionMapping(
            {corpus: self._benchmarks_of(corpus) for corpus in self.sources.corpora}
        )

    def place(self, table: Table, key: str | None, system: str = "") -> dict[str, str]:
        """Return the lake's partition of a table that a Dagster partition key stands for.

        Raises:
            KeyError: the key is none of the configuration's.
        """
        if key is None:
            return {}
        if "shard" in table.partition_columns:
            return {"corpus": self.shards[key].corpus, "shard": key}
        benchmark, arm = benchmark_and_arm(key) if "|" in key else (key, "")
        known = {
            "corpus": key,
            "benchmark": benchmark,
            "arm": arm,
            "retrieval": arm,
            "neighbourhood": arm,
            "route": arm,
            "parser": arm,
            "background": arm,
            "filter": arm,
            "system": system,
            "kg": key,
            "relation": key,
            "source": key,
        }
        return {column: known[column] for column in table.partition_columns}

    def places(self, lake: Lake, table: Table, key: str | None, system: str = "") -> list[dict[str, str]]:
        """Return the lake's partitions of a table that a Dagster partition key stands for.

        Raises:
            KeyError: the key is none of the configuration's.
        """
        if table is TRIPLES:
            return [partition for partition in lake.partitions(table) if partition["kg"] == key]
        if "relation" in table.partition_columns:
            return [partition for partition in lake.partitions(table) if partition["relation"] == key]
        return [self.place(table, key, system)]

    def unnamed(self, lake: Lake) -> Iterator[tuple[Table, dict[str, str]]]:
        """Yield the lake's partitions of corpora, shards, graphs and benchmarks that are not configured.

        They were made from what was named once; until they are removed, the catalogue's views show them.
        """
        named = {
            "corpus": set(self.sources.corpora),
            "shard": set(self.shards),
            "benchmark": set(self.sources.benchmarks),
            "kg": {*self.sources.graphs, *self.harvests.get_partition_keys()},
        }
        graphs = map(source_of_graph, self.sources.graphs)
        rejecting = {"source": {*self.shards, *self.sources.benchmarks, *graphs}}
        special = {REJECTED_RECORDS: rejecting, TABLES: {"source": set(self.sources.benchmarks)}}
        for table in TABLES_BY_NAME.values():
            known = special.get(table, named)
            for partition in lake.partitions(table):
                if any(value not in known.get(column, {value}) for column, value in partition.items()):
                    yield table, partition

    def graph_of(self, benchmark: str) -> str | None:
        """Return the graph that helps a benchmark, if one does."""
        return self.benchmark(benchmark).graph

    @property
    def graphs_to_benchmarks(self) -> dg.StaticPartitionMapping:
        """A benchmark depends on the graph that helps it."""
        return dg.StaticPartitionMapping(
            {
                graph: [
                    name for name, benchmark in self.sources.benchmarks.items() if benchmark.graph == graph
                ]
                for graph in self.sources.graphs
            }
        )

    @property
    def trained_benchmarks(self) -> dg.StaticPartitionMapping:
        """A benchmark's classifiers depend on the questions that they are trained on, and on its own."""
        return dg.StaticPartitionMapping(
            {
                name: [
                    other
                    for other, source in self.sources.benchmarks.items()
                    if name in (other, source.training)
                ]
                for name in self.sources.benchmarks
            }
        )

    def _benchmarks_of(self, corpus: str) -> list[str]:
        return [name for name, benchmark in self.sources.benchmarks.items() if benchmark.corpus == corpus]


def benchmark_to_experiments() -> dg.MultiToSingleDimensionPartitionMapping:
    """Every arm of a benchmark depends on the benchmark's partition."""
    return dg.MultiToSingleDimensionPartitionMapping(BENCHMARK)


def of_benchmark(*tables: str) -> tuple[dg.AssetDep, ...]:
    """Return dependencies of every arm on tables of its benchmark."""
    return tuple(dg.AssetDep(table, partition_mapping=benchmark_to_experiments()) for table in tables)


def inputs_to_arms(arms: Mapping[str, str]) -> dg.MultiPartitionMapping:
    """An arm depends on the retrieval it reads, for the same benchmark. `arms`: arm to retrieval."""
    by_retrieval: dict[str, set[str]] = {}
    for arm, retrieval in arms.items():
        by_retrieval.setdefault(retrieval, set()).add(arm)
    return dg.MultiPartitionMapping(
        {
            BENCHMARK: dg.DimensionPartitionMapping(BENCHMARK, dg.IdentityPartitionMapping()),
            ARM: dg.DimensionPartitionMapping(ARM, dg.StaticPartitionMapping(by_retrieval)),
        }
    )


def benchmark_and_arm(key: str) -> tuple[str, str]:
    """Return (benchmark, arm) of a partition key `arm|benchmark`, Dagster's order of dimension names."""
    arm, _, benchmark = key.partition("|")
    return benchmark, arm


def seeds_folder(project: ProjectPartitions, harvested: HarvestSource) -> Path:
    """Return the folder of the seed files."""
    return Path(locate(harvested.seeds, project.location.parent))
