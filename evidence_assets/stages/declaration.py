"""What a stage declares: the tables it writes, the tables it reads, its partitions, variants and models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from evidence_assets.lake.schemas import Table

if TYPE_CHECKING:
    from pydantic import BaseModel

    from evidence_assets.lake.lake import Partition
    from evidence_assets.stages.step import Step

Run = Callable[["Step"], Iterator["Rows | Metadata | Removed"]]


class StageError(Exception):
    """Stages that do not fit together, found when they are declared: names the stage and the remedy."""


class FilePath(str):
    """Metadata that names a file: who shows it shows where to open it."""


class Scope(StrEnum):
    """What one partition of a stage covers."""

    WHOLE = "whole"
    SHARD = "shard"
    CORPUS = "corpus"
    GRAPH = "graph"
    BENCHMARK = "benchmark"
    HARVEST = "harvest"
    RELATION = "relation"
    READER = "reader"


class Model(StrEnum):
    """The families of models that a stage may load."""

    ENCODER = "encoder"
    PAIR_SCORER = "pair_scorer"
    MASKED_LM = "masked_lm"
    GENERATOR = "generator"


class Link(StrEnum):
    """Which partitions an input stands for, where the two scopes leave a choice."""

    DEFAULT = "default"
    # A benchmark's own partition, and that of the benchmark whose questions classifiers are trained on.
    TRAINING = "training"
    # The corpus that the harvested masked language model is made from.
    HARVEST_CORPUS = "harvest corpus"
    # The graph that a harvest is compared with.
    REFERENCE = "reference"
    # Every harvested graph.
    EVERY_HARVEST = "every harvest"


@dataclass(frozen=True, slots=True)
class Key:
    """One partition of a stage: the corpus, graph, benchmark … that it covers, and its variant, if any."""

    name: str = ""
    variant: str = ""

    @property
    def text(self) -> str:
        """The partition key as Dagster writes it: `variant|name`, or the name alone."""
        return f"{self.variant}|{self.name}" if self.variant else self.name

    @classmethod
    def of(cls, text: str | None) -> Key:
        """Return the key of a Dagster partition key; None stands for a table without partitions."""
        variant, separator, name = (text or "").partition("|")
        return cls(name, variant) if separator else cls(variant)


@dataclass(frozen=True, slots=True)
class Input:
    """A table that a stage reads.

    Args:
        variants: This stage's variant to the variant read; a variant that is not named reads none. None: the
            variant of the same name where the table has variants, every variant where this stage has none.
        via: The table, another input, whose version changes whenever this one's does. Such an input is
            recorded as read, and is followed through that one: Dagster maps no graph or corpus onto a
            benchmark and variant, and a chain needs no shortcut beside it.
        system: The system that wrote it, for tables that each system has; default: the stage's own.
        optional: What was never made is not waited for, and not asked for.
        as_made: Of a table with variants, those are read that were made: none is asked for, and one more
            makes what reads them stale. Dagster waits for them as for any input.
    """

    table: Table
    variants: Mapping[str, str] | None = None
    via: Table | None = None
    link: Link = Link.DEFAULT
    system: str = ""
    optional: bool = False
    as_made: bool = False


@dataclass(frozen=True, slots=True)
class Output:
    """A table that a stage writes.

    `carries`: inputs whose versions are a part of this table's own: what follows reads them too.
    """

    table: Table
    description: str
    carries: tuple[Table, ...] = ()


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one lake partition. `place` is needed where a stage's partition is several of the lake's."""

    table: Table
    rows: pa.Table | Iterable[pa.Table | pa.RecordBatch]
    place: Partition | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    preview: bool = True


@dataclass(frozen=True, slots=True)
class Metadata:
    """What there is to show of a table that the stage writes; default: the first one."""

    values: Mapping[str, Any]
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Removed:
    """A partition of the lake that is to go: what it was made from is gone."""

    table: Table
    place: Partition


@dataclass(frozen=True, eq=False)
class Stage:
    """A pure function from tables to tables. It knows nothing of what runs it.

    Args:
        run: Takes a step (a partition's inputs, models and key) and yields rows and metadata.
        variants: The variants of a stage that is one partition a scope and variant (an arm, a retrieval, a
            route); None: one a scope.
        version: Changes when the same inputs would give other rows.
        system: The system that the stage belongs to, if it does.
        files: Observed outside files that a partition is read from.
        file_uris: Returns the URIs that the configuration names for a partition, as written: one that was
            read from others is stale.
        side_tables: Tables that get rows beside the stage's own: rejected records, generations.
        on_demand: Partitions are made when someone asks for them, and again when their inputs change.
        gathers: It takes what there is: an input that was never made does not hold it up.
        pooled: Runs of it take turns: it loads a model, or replaces a file that others point to.
        subset: Each of its tables can be made without the others.
        settings: Values that one run may set, with defaults.
        configuration: Returns what of the configuration decides a partition's rows, as text; it is a part of
            what is recorded as the version.
        problem: Returns why a partition cannot be made as it is configured, or None. Such partitions of a
            batch fail last: the others are made first.
    """

    name: str
    scope: Scope
    outputs: tuple[Output, ...]
    inputs: tuple[Input, ...]
    run: Run
    group: str
    layer: str
    version: str = "1"
    variants: tuple[str, ...] | None = None
    system: str = ""
    models: frozenset[Model] = frozenset()
    files: tuple[str, ...] = ()
    file_uris: Callable[[Key], tuple[str, ...]] = lambda _: ()
    side_tables: tuple[Table, ...] = ()
    kinds: tuple[str, ...] = ("python", "parquet")
    on_demand: bool = False
    gathers: bool = False
    batched: bool = True
    pooled: bool = False
    subset: bool = False
    settings: type[BaseModel] | None = None
    configuration: Callable[[Key], str] = lambda _: ""
    problem: Callable[[Key], str | None] = lambda _: None

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables that it writes."""
        return tuple(output.table for output in self.outputs)

    def output(self, table: Table) -> Output:
        """Return the declaration of a table that it writes."""
        return next(output for output in self.outputs if output.table is table)


# What finds something for a benchmark's questions.
retrieval_stage = partial(Stage, scope=Scope.BENCHMARK, group="retrieval", layer="retrieval", pooled=True)


def owner(table: Table, system: str) -> str:
    """Return the system whose rows of a table are meant; empty for tables that systems share."""
    return system if "system" in table.partition_columns else ""


def asset_path(table: Table, system: str) -> tuple[str, ...]:
    """Return the name of the asset that a table is, with the system before it for a system's own."""
    named = owner(table, system)
    return (named, table.name) if named else (table.name,)
