"""Partitions of stages as Dagster's, and how those of an input map to those of what reads it.

Keys are static: they come from the configuration file alone, without the network, so that every partition
can be materialised from the command line of a fresh checkout. A changed configuration is seen when the
code location is reloaded. Seed files alone come and go while the daemon runs.
"""

from __future__ import annotations

from typing import Any

import dagster as dg

from evidence_assets.stages.declaration import Input, Link, Scope, Stage, StageError
from evidence_assets.stages.layout import Layout

BENCHMARK, ARM = "benchmark", "arm"
# A seed file is a partition: those that there are come and go while the daemon runs.
RELATIONS = dg.DynamicPartitionsDefinition(name="relations")


def partitions_of(layout: Layout, scope: Scope, variants: tuple[str, ...] | None = None) -> Any:
    """Return the partitions of what covers a scope, by variant where there are variants; None for one."""
    if scope == Scope.WHOLE:
        return None
    if scope == Scope.RELATION:
        return RELATIONS
    names = dg.StaticPartitionsDefinition(layout.names(scope))
    if variants is None:
        return names
    return dg.MultiPartitionsDefinition(
        {BENCHMARK: names, ARM: dg.StaticPartitionsDefinition(list(variants))}
    )


def mapping_of(layout: Layout, stage: Stage, producer: Stage, declared: Input) -> dg.PartitionMapping | None:
    """Return how an input's partitions map to a stage's; None for Dagster's own mapping of equal ones.

    Raises:
        StageError: Dagster has no such mapping; the input has to be followed through another.
    """
    if stage.variants is not None:
        return _to_variants(stage, producer, declared)
    if producer.variants is not None:
        return dg.MultiToSingleDimensionPartitionMapping(BENCHMARK)
    if declared.link in (Link.HARVEST_CORPUS, Link.REFERENCE):
        return dg.SpecificPartitionsPartitionMapping(
            layout.upstream_names(stage, producer, declared.link, "")
        )
    if producer.scope == Scope.RELATION and stage.scope != Scope.RELATION:
        return dg.AllPartitionMapping()
    if producer.scope == stage.scope and declared.link == Link.DEFAULT:
        return None
    below: dict[str, list[str]] = {name: [] for name in layout.names(producer.scope)}
    for name in layout.names(stage.scope):
        for upstream in layout.upstream_names(stage, producer, declared.link, name):
            below[upstream].append(name)
    return dg.StaticPartitionMapping(below)


def _to_variants(stage: Stage, producer: Stage, declared: Input) -> dg.PartitionMapping | None:
    if producer.scope == Scope.READER:
        return dg.MultiToSingleDimensionPartitionMapping(ARM)
    if producer.scope != Scope.BENCHMARK:
        raise StageError(
            f"stage {stage.name}: Dagster maps no {producer.scope} onto a benchmark and variant; remedy: "
            f"name the input through which {declared.table.name} is followed (via)"
        )
    if producer.variants is None:
        return dg.MultiToSingleDimensionPartitionMapping(BENCHMARK)
    if declared.variants is None:
        return None
    by_variant: dict[str, set[str]] = {}
    for variant, upstream in declared.variants.items():
        by_variant.setdefault(upstream, set()).add(variant)
    return dg.MultiPartitionMapping(
        {
            BENCHMARK: dg.DimensionPartitionMapping(BENCHMARK, dg.IdentityPartitionMapping()),
            ARM: dg.DimensionPartitionMapping(ARM, dg.StaticPartitionMapping(by_variant)),
        }
    )
