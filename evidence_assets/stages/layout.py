"""How partitions of one kind belong to those of another: shards to corpora, graphs to benchmarks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evidence_assets.lake.schemas import Table
from evidence_assets.stages.declaration import Input, Key, Link, Scope, Stage, StageError

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Partition

# The scope whose partitions each link of a harvest names.
_OF_THE_HARVEST = {
    Link.HARVEST_CORPUS: Scope.CORPUS,
    Link.REFERENCE: Scope.GRAPH,
    Link.EVERY_HARVEST: Scope.HARVEST,
}
# Who reads whom without a link.
_LINKED = {
    (Scope.CORPUS, Scope.SHARD),
    (Scope.GRAPH, Scope.HARVEST),
    (Scope.BENCHMARK, Scope.SHARD),
    (Scope.BENCHMARK, Scope.CORPUS),
    (Scope.BENCHMARK, Scope.HARVEST),
    (Scope.BENCHMARK, Scope.GRAPH),
    (Scope.READER, Scope.SHARD),
    (Scope.READER, Scope.GRAPH),
    (Scope.READER, Scope.BENCHMARK),
}


@dataclass(frozen=True, slots=True)
class BenchmarkLinks:
    """What a benchmark is answered from: a corpus, a graph; and what classifiers for it are trained on."""

    corpus: str | None = None
    graph: str | None = None
    training: str | None = None


@dataclass(frozen=True, slots=True)
class ReaderLinks:
    """What a reader is trained, chosen and evaluated on."""

    corpora: tuple[str, ...] = ()
    graphs: tuple[str, ...] = ()
    benchmarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """The names of one configuration.

    `shards`: shard to corpus. `graphs`: graph to the harvests that it merges. `relations`: those with a seed
    file when the configuration was read; more may come. `readers`: those that are trained.
    """

    shards: Mapping[str, str] = field(default_factory=dict)
    corpora: tuple[str, ...] = ()
    graphs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    benchmarks: Mapping[str, BenchmarkLinks] = field(default_factory=dict)
    harvests: tuple[str, ...] = ()
    harvest_corpus: str | None = None
    harvest_reference: str | None = None
    relations: tuple[str, ...] = ()
    readers: Mapping[str, ReaderLinks] = field(default_factory=dict)

    def names(self, scope: Scope) -> list[str]:
        """Return the names of a scope's partitions; one empty name for a whole table."""
        names = {
            Scope.WHOLE: [""],
            Scope.SHARD: list(self.shards),
            Scope.CORPUS: list(self.corpora),
            Scope.GRAPH: list(self.graphs),
            Scope.BENCHMARK: list(self.benchmarks),
            Scope.HARVEST: list(self.harvests),
            Scope.RELATION: list(self.relations),
            Scope.READER: list(self.readers),
        }
        return names[scope]

    def keys(self, stage: Stage) -> list[Key]:
        """Return every partition of a stage."""
        variants = [""] if stage.variants is None else list(stage.variants)
        return [Key(name, variant) for variant in variants for name in self.names(stage.scope)]

    def upstream_names(self, stage: Stage, producer: Stage, link: Link, name: str) -> list[str]:
        """Return the names of a producer's partitions that a partition of a stage reads.

        The two are linked, as `check_link` finds when stages are put together.
        """
        if link in _OF_THE_HARVEST:
            return self._linked(link)
        scopes = (stage.scope, producer.scope)
        if stage.scope == producer.scope:
            training = self.benchmarks[name].training if link == Link.TRAINING else None
            return [name] if training is None else [name, training]
        if producer.scope == Scope.RELATION:
            return list(self.relations) if self.reads_every_relation(stage, name) else []
        if scopes in ((Scope.CORPUS, Scope.SHARD), (Scope.GRAPH, Scope.HARVEST)):
            return self._shards(name) if stage.scope == Scope.CORPUS else list(self.graphs[name])
        if stage.scope == Scope.READER:
            return self._of_reader(self.readers[name], producer)
        return self._of_benchmark(self.benchmarks[name], producer)

    @staticmethod
    def check_link(stage: Stage, producer: Stage, link: Link) -> None:
        """Check that something says which partitions of a producer a stage's partitions read.

        Raises:
            StageError: nothing does.
        """
        scopes = (stage.scope, producer.scope)
        if link in _OF_THE_HARVEST:
            fits = producer.scope == _OF_THE_HARVEST[link]
        elif link == Link.TRAINING:
            fits = scopes == (Scope.BENCHMARK, Scope.BENCHMARK)
        else:
            fits = producer.scope in (stage.scope, Scope.RELATION) or scopes in _LINKED
            fits = fits or (producer.scope == Scope.READER and stage.variants is not None)
        if not fits:
            raise _unlinked(stage, producer)

    def reads_every_relation(self, stage: Stage, name: str) -> bool:
        """Tell whether a partition may read all that was mined, whatever relations there are by then.

        A relation reads its own alone, and what merges no harvest reads none.
        """
        if stage.scope == Scope.BENCHMARK:
            graph = self.benchmarks[name].graph
            return graph is not None and bool(self.graphs[graph])
        return bool(self.graphs[name]) if stage.scope == Scope.GRAPH else stage.scope != Scope.RELATION

    def _linked(self, link: Link) -> list[str]:
        linked = {Link.HARVEST_CORPUS: self.harvest_corpus, Link.REFERENCE: self.harvest_reference}
        names = self.harvests if link == Link.EVERY_HARVEST else (linked[link],)
        return [name for name in names if name is not None]

    def _of_benchmark(self, links: BenchmarkLinks, producer: Stage) -> list[str]:
        if producer.scope == Scope.SHARD:
            return [] if links.corpus is None else self._shards(links.corpus)
        if producer.scope == Scope.HARVEST:
            return [] if links.graph is None else list(self.graphs[links.graph])
        name = links.corpus if producer.scope == Scope.CORPUS else links.graph
        return [] if name is None else [name]

    def _of_reader(self, links: ReaderLinks, producer: Stage) -> list[str]:
        if producer.scope == Scope.SHARD:
            return [shard for corpus in links.corpora for shard in self._shards(corpus)]
        return list(links.graphs if producer.scope == Scope.GRAPH else links.benchmarks)

    def _shards(self, corpus: str) -> list[str]:
        return [shard for shard, of in self.shards.items() if of == corpus]

    def upstream_keys(self, stage: Stage, producer: Stage, declared: Input, key: Key) -> list[Key]:
        """Return the partitions of a producer that one partition of a stage reads as this input."""
        if producer.scope == Scope.READER and stage.scope != Scope.READER:
            # A reader is a variant of what reads with it.
            return [Key(key.variant)]
        names = self.upstream_names(stage, producer, declared.link, key.name)
        return [
            Key(name, variant) for variant in upstream_variants(producer, declared, key) for name in names
        ]

    def place(self, table: Table, stage: Stage, key: Key) -> dict[str, str]:
        """Return the lake's partition of a table that a stage's partition writes.

        Only for tables of which it writes one: columns that the key does not tell are left out.
        """
        known = {
            "corpus": self.shards.get(key.name, key.name) if stage.scope == Scope.SHARD else key.name,
            "shard": key.name,
            "benchmark": key.name,
            "kg": key.name,
            "relation": key.name if stage.scope == Scope.RELATION else None,
            "source": key.name,
            "reader": key.name if stage.scope == Scope.READER else key.variant,
            "system": stage.system,
        }
        if stage.scope == Scope.RELATION:
            known["kg"] = None
        values = {column: known.get(column, key.variant) for column in table.partition_columns}
        return {column: value for column, value in values.items() if value}

    def covers(self, place: Partition, table: Table, stage: Stage, key: Key) -> bool:
        """Tell whether a lake partition of a table is one that a stage's partition writes."""
        return self.place(table, stage, key).items() <= dict(place).items()


def upstream_variants(producer: Stage, declared: Input, key: Key) -> list[str]:
    """Return the producer's variants that a partition reads as this input."""
    if producer.variants is None:
        if declared.variants is not None and key.variant not in declared.variants:
            return []
        return [""]
    if declared.variants is not None:
        return [declared.variants[key.variant]] if key.variant in declared.variants else []
    return [key.variant] if key.variant else list(producer.variants)


def _unlinked(stage: Stage, producer: Stage) -> StageError:
    return StageError(
        f"stage {stage.name}: a {stage.scope} reads tables of {producer.name}, one partition a "
        f"{producer.scope}, and nothing says which; remedy: give the input a link"
    )
