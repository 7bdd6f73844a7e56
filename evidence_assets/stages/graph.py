"""All stages together: who writes which table, what must be made first, and what does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evidence_assets.lake.schemas import Table
from evidence_assets.stages.declaration import Input, Key, Scope, Stage, StageError, asset_path, owner
from evidence_assets.stages.layout import Layout


@dataclass(frozen=True, slots=True)
class Source:
    """An input with the stage that writes it."""

    declared: Input
    producer: Stage


@dataclass(frozen=True, slots=True)
class Needed:
    """A partition that has to stand, and which of its stage's tables."""

    stage: Stage
    key: Key
    tables: tuple[Table, ...]


class InputPlaces:
    """Which of the lake's partitions one partition of a stage may read. Relations come and go."""

    def __init__(self, graph: StageGraph, stage: Stage, key: Key) -> None:
        self._whole: dict[str, set[frozenset[tuple[str, str]]]] = {}
        self._part: dict[str, list[dict[str, str]]] = {}
        relations = graph.layout.reads_every_relation(stage, key.name)
        for source, keys in graph.upstream(stage, key):
            table, producer = source.declared.table, source.producer
            if relations and producer.scope == Scope.RELATION:
                self._part.setdefault(table.name, []).append({})
            for read in keys:
                place = graph.layout.place(table, producer, read)
                # A corpus has many shards: what names a partition whole is looked up, not compared.
                if tuple(place) == table.partition_columns:
                    self._whole.setdefault(table.name, set()).add(frozenset(place.items()))
                else:
                    self._part.setdefault(table.name, []).append(place)

    def admit(self, table: Table, place: Mapping[str, str]) -> bool:
        """Tell whether a partition of a table is an input."""
        if frozenset(place.items()) in self._whole.get(table.name, ()):
            return True
        return any(known.items() <= dict(place).items() for known in self._part.get(table.name, ()))


class StageGraph:
    """Stages that fit together.

    Raises:
        StageError: two stages write one table, an input is written by no stage, a variant maps to nothing,
            an input is followed through one that is not, nothing links two scopes, a table carries what is
            no input, two stages have one name, or stages form a cycle.
    """

    def __init__(self, stages: Iterable[Stage], layout: Layout) -> None:
        self.stages: Sequence[Stage] = tuple(stages)
        self.layout = layout
        self.by_name: dict[str, Stage] = {}
        self._writers: dict[tuple[str, ...], Stage] = {}
        for stage in self.stages:
            if stage.name in self.by_name:
                raise StageError(f"two stages are named {stage.name}; remedy: name one of them otherwise")
            self.by_name[stage.name] = stage
            for table in stage.tables:
                self._add(stage, table)
        self._sources = {stage.name: list(self._check_inputs(stage)) for stage in self.stages}
        self.order: Mapping[str, int] = {name: place for place, name in enumerate(self._sorted())}

    def _add(self, stage: Stage, table: Table) -> None:
        path = asset_path(table, stage.system)
        if path in self._writers:
            raise StageError(
                f"stages {self._writers[path].name} and {stage.name} both write {'/'.join(path)}; remedy: "
                "let one of them write it, or give each a table of its own"
            )
        self._writers[path] = stage

    def _check_inputs(self, stage: Stage) -> Iterator[Source]:
        followed = {declared.table.name for declared in stage.inputs if declared.via is None}
        for declared in stage.inputs:
            system = declared.system or stage.system
            producer = self._writers.get(asset_path(declared.table, system))
            if producer is None:
                raise StageError(
                    f"stage {stage.name} reads {'/'.join(asset_path(declared.table, system))}, which no "
                    "stage writes; remedy: add its stage, or leave the input out"
                )
            if declared.via is not None and declared.via.name not in followed:
                raise StageError(
                    f"stage {stage.name}: {declared.table.name} is followed through {declared.via.name}, "
                    "which is no followed input; remedy: declare that one without `via`"
                )
            self._check_variants(stage, declared, producer)
            self.layout.check_link(stage, producer, declared.link)
            yield Source(declared, producer)
        tables = {declared.table.name for declared in stage.inputs}
        for output in stage.outputs:
            if stray := [table.name for table in output.carries if table.name not in tables]:
                raise StageError(
                    f"stage {stage.name}: {output.table.name} carries {', '.join(stray)}, which is none of "
                    "its inputs; remedy: declare it as an Input"
                )

    @staticmethod
    def _check_variants(stage: Stage, declared: Input, producer: Stage) -> None:
        mapping = declared.variants or {}
        there_are = producer.variants
        unknown = sorted(set(mapping) - set(stage.variants or ()))
        missing = [] if there_are is None else sorted(set(mapping.values()) - set(there_are))
        if not mapping and declared.variants is None and stage.variants and there_are is not None:
            missing = sorted(set(stage.variants) - set(there_are))
        if unknown or missing:
            raise StageError(
                f"stage {stage.name}, input {declared.table.name}: {', '.join(unknown or missing)} is no "
                f"variant of {stage.name if unknown else producer.name}; remedy: map variants to those that "
                f"there are: {', '.join((stage.variants if unknown else there_are) or ())}"
            )

    def _sorted(self) -> list[str]:
        """Return the stages' names, each after what it reads."""
        order: list[str] = []
        open_: list[str] = []

        def visit(stage: Stage) -> None:
            if stage.name in open_:
                raise StageError(
                    f"stages read each other in a cycle: {' -> '.join([*open_, stage.name])}; remedy: split "
                    "the table that closes it"
                )
            if stage.name in order:
                return
            open_.append(stage.name)
            for source in self._sources[stage.name]:
                if source.producer is not stage:
                    visit(source.producer)
            open_.pop()
            order.append(stage.name)

        for stage in self.stages:
            visit(stage)
        return order

    def writer(self, table: Table, system: str = "") -> Stage:
        """Return the stage that writes a table.

        Raises:
            LookupError: there is none.
        """
        path = asset_path(table, owner(table, system))
        if path not in self._writers:
            raise LookupError(f"no stage writes {'/'.join(path)}")
        return self._writers[path]

    def sources(self, stage: Stage) -> Sequence[Source]:
        """Return a stage's inputs with the stages that write them."""
        return self._sources[stage.name]

    def upstream(self, stage: Stage, key: Key) -> Iterator[tuple[Source, list[Key]]]:
        """Yield each input of a partition with the partitions that it stands for."""
        for source in self.sources(stage):
            yield source, self.layout.upstream_keys(stage, source.producer, source.declared, key)

    def problem(self, stage: Stage, key: Key) -> str | None:
        """Return why a partition cannot be made as it is configured, or None.

        What has to read an experiment's partition of its own name shares that one's problem.
        """
        problem = stage.problem(key)
        for source in self.sources(stage) if stage.variants is not None else ():
            is_followed = source.producer.variants == stage.variants
            if problem is None and is_followed and not self.takes_as_made(stage, source.declared):
                problem = source.producer.problem(key)
        return problem

    @staticmethod
    def takes_as_made(stage: Stage, declared: Input) -> bool:
        """Tell whether a stage takes an input as far as it was made: it is neither asked nor waited for."""
        return declared.optional or declared.as_made or stage.gathers

    def needed(self, wanted: Iterable[tuple[Stage, Key]]) -> list[Needed]:
        """Return these partitions and all that they are made from, what is read before what reads it."""
        parts: dict[tuple[str, Key], Needed] = {}
        waiting = [(stage, key, stage.tables) for stage, key in wanted]
        while waiting:
            stage, key, tables = waiting.pop()
            known = parts.get((stage.name, key))
            if known is not None and (not stage.subset or set(tables) <= set(known.tables)):
                continue
            before = () if known is None else known.tables
            made = tuple(table for table in stage.tables if not stage.subset or table in (*before, *tables))
            parts[stage.name, key] = Needed(stage, key, made)
            for source, keys in self.upstream(stage, key):
                if not self.takes_as_made(stage, source.declared):
                    waiting += [(source.producer, upstream, (source.declared.table,)) for upstream in keys]
        places: dict[str, dict[Key, int]] = {}
        for stage in {needed.stage.name: needed.stage for needed in parts.values()}.values():
            places[stage.name] = {key: place for place, key in enumerate(self.layout.keys(stage))}
        return sorted(
            parts.values(),
            key=lambda needed: (
                self.order[needed.stage.name],
                places[needed.stage.name].get(needed.key, -1),
                needed.key.text,
            ),
        )
