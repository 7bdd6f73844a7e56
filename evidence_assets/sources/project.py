"""One configuration as its stages see it: its sources, its shards, how they belong together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from evidence_assets.lake.schemas import REJECTED_RECORDS, TABLES, TABLES_BY_NAME, TRIPLES, Table
from evidence_assets.models.generation.settings import PROFILE_GENERATORS, GeneratorSettings
from evidence_assets.models.profiles import current_profile
from evidence_assets.sources.locating import locate
from evidence_assets.sources.reader_specifications import ReaderSource
from evidence_assets.sources.retractions import Retractions, retractions_of
from evidence_assets.sources.shards import Shard
from evidence_assets.sources.specifications import (
    BenchmarkSource,
    ConfigurationError,
    GraphSource,
    HarvestSource,
    Sources,
)
from evidence_assets.stages.layout import BenchmarkLinks, Layout, ReaderLinks
from evidence_assets.text.suggestions import UnknownNameError

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake

# Of files that stand in the lake: written so, a row does not depend on where the lake is.
LAKE_PROTOCOL = "lake://"


@dataclass(frozen=True)
class Project:
    """A configuration, the file that it stands in, and its shards.

    `lake_root`: the lake's root, where a URI of it (`lake://`) is looked for; empty for no lake.
    """

    sources: Sources
    location: Path
    shards: Mapping[str, Shard]
    lake_root: str = ""

    @property
    def folder(self) -> Path:
        """The folder that relative paths of the configuration start from."""
        return self.location.parent

    def locate(self, uri: str) -> str:
        """Return a URI of the configuration ready to open.

        Raises:
            ConfigurationError: an environment variable that it names is not set, or it may not be read.
        """
        if uri.startswith(LAKE_PROTOCOL) and self.lake_root:
            path = uri.removeprefix(LAKE_PROTOCOL)
            if ".." in path.split("/"):
                raise ConfigurationError(f"{uri!r} leads out of the lake; remedy: name a file that is in it")
            return f"{self.lake_root}/{path}"
        return locate(uri, self.folder)

    @property
    def retractions(self) -> Retractions:
        """What of its sources the lake leaves out, as it stands: a process that runs on sees what was added.

        Raises:
            ConfigurationError: the file that lists them cannot be read.
        """
        return retractions_of(self.lake_root) if self.lake_root else Retractions()

    @cached_property
    def layout(self) -> Layout:
        """How the configuration's shards, corpora, graphs, benchmarks and harvests belong together."""
        harvest = self.sources.harvest
        return Layout(
            shards={key: shard.corpus for key, shard in self.shards.items()},
            corpora=tuple(self.sources.corpora),
            graphs={name: tuple(graph.harvests) for name, graph in self.sources.graphs.items()},
            benchmarks={
                name: BenchmarkLinks(source.corpus, source.graph, source.training)
                for name, source in self.sources.benchmarks.items()
            },
            harvests=() if harvest is None else tuple(harvest.arms),
            harvest_corpus=None if harvest is None else harvest.corpus,
            harvest_reference=None if harvest is None else harvest.reference,
            relations=self.seeded_relations(),
            readers={
                name: ReaderLinks(tuple(reader.corpora), tuple(reader.graphs), reader.benchmarks)
                for name, reader in self.sources.readers.items()
            }
            | {name: ReaderLinks() for name in self.sources.prepared_readers},
        )

    def seeded_relations(self) -> tuple[str, ...]:
        """Return the relations that have a seed file; none without a harvest."""
        folder = self.seeds_folder
        return () if folder is None else tuple(sorted(path.stem for path in folder.glob("*.yaml")))

    @property
    def harvest(self) -> HarvestSource | None:
        """What is mined from a masked language model, if anything is."""
        return self.sources.harvest

    @property
    def seeds_folder(self) -> Path | None:
        """The folder of the seed files; None without a harvest."""
        return None if self.harvest is None else Path(self.locate(self.harvest.seeds))

    @property
    def generators(self) -> Mapping[str, GeneratorSettings]:
        """The language models that arms can be answered by: the profile's, and the configuration's."""
        return {**PROFILE_GENERATORS[current_profile().name], **self.sources.generators}

    @property
    def readers(self) -> Mapping[str, ReaderSource]:
        """The recipes of trained readers."""
        return self.sources.readers

    @property
    def reader_generators(self) -> Mapping[str, str | None]:
        """Every trained reader, of a recipe or prepared, and the language model that reads, if one does."""
        trained = {name: source.generator for name, source in self.sources.readers.items()}
        return trained | {name: source.generator for name, source in self.sources.prepared_readers.items()}

    def benchmark(self, name: str) -> BenchmarkSource:
        """Return a benchmark of the configuration."""
        return self.sources.benchmarks[name]

    def graph(self, name: str) -> GraphSource:
        """Return a graph of the configuration."""
        return self.sources.graphs[name]

    @property
    def named_benchmarks(self) -> list[str]:
        """The benchmarks that the configuration file names, without those of questions asked of the lake."""
        benchmarks = self.sources.benchmarks.items()
        return [name for name, source in benchmarks if not source.uri.startswith(LAKE_PROTOCOL)]

    @property
    def asked_benchmarks(self) -> list[str]:
        """The benchmarks of questions that people asked of the lake."""
        return [name for name in self.sources.benchmarks if name not in self.named_benchmarks]

    def require_benchmarks(self, names: Iterable[str], kept: Iterable[str] = ()) -> None:
        """Check that the configuration names benchmarks; `kept`: others that are known all the same.

        Raises:
            UnknownNameError: it does not; the message names the nearest ones.
        """
        known = list(dict.fromkeys([*self.sources.benchmarks, *kept]))
        if unknown := [name for name in names if name not in known]:
            listed = f"{self.location} names {', '.join(self.named_benchmarks) or 'none'}"
            raise UnknownNameError("benchmark", unknown, known, listed)

    def graph_of(self, benchmark: str) -> str | None:
        """Return the graph that helps a benchmark, if one does."""
        return self.benchmark(benchmark).graph

    def linking_of(self, benchmark: str) -> str:
        """Return what the configuration says of linking words to a benchmark's graph; empty: nothing."""
        kg = self.graph_of(benchmark)
        if kg is None or not self.graph(kg).model_fields_set & {"embedding_threshold", "unlinked"}:
            return ""
        source = self.graph(kg)
        return f"{source.embedding_threshold} {sorted(source.unlinked)}"

    def required_graph(self, benchmark: str, system: str) -> str:
        """Return the graph that a system asks for a benchmark.

        Raises:
            LookupError: the configuration names none.
        """
        name = self.graph_of(benchmark)
        if name is None:
            raise LookupError(
                f"{system} asks a graph, and {self.location} names none for {benchmark}; remedy: name one "
                f"there (benchmarks.{benchmark}.graph)"
            )
        return name

    def shards_of(self, corpus: str) -> list[Shard]:
        """Return the shards of a corpus."""
        return [shard for shard in self.shards.values() if shard.corpus == corpus]

    def shards_of_benchmark(self, name: str) -> list[Shard]:
        """Return the shards that answer a benchmark; none for one that names no corpus."""
        corpus = self.benchmark(name).corpus
        return [] if corpus is None else self.shards_of(corpus)

    def unnamed(self, lake: Lake) -> Iterator[tuple[Table, dict[str, str]]]:
        """Yield the lake's partitions of corpora, shards, graphs and benchmarks that are not configured.

        They were made from what was named once; until they are removed, the catalogue's views show them.
        """
        from evidence_assets.sources.rejections import source_of_graph

        named = {
            "corpus": set(self.sources.corpora),
            "shard": set(self.shards),
            "benchmark": set(self.sources.benchmarks),
            "kg": {*self.sources.graphs, *self.layout.harvests},
            "reader": set(self.reader_generators),
        }
        graphs = map(source_of_graph, self.sources.graphs)
        rejecting = {"source": {*self.shards, *self.sources.benchmarks, *graphs}}
        special = {
            REJECTED_RECORDS: rejecting,
            TABLES: {"source": set(self.sources.benchmarks)},
            # A harvest's triples stand in its own table.
            TRIPLES: {"kg": set(self.sources.graphs)},
        }
        for table in TABLES_BY_NAME.values():
            names = special.get(table, named)
            for partition in lake.partitions(table):
                if any(value not in names.get(column, {value}) for column, value in partition.items()):
                    yield table, partition
