"""What a graph is to who reads it without depending on it: the versions of its tables and sentences."""

from __future__ import annotations

from collections.abc import Iterator

from evidence_assets.graphs.loaders import templates_of
from evidence_assets.lake.ids import combined_hash
from evidence_assets.lake.lake import Lake, PartitionVersion
from evidence_assets.lake.schemas import GRAPH_CONFLICTS, GRAPH_NODES, TRIPLES
from evidence_assets.orchestration.partitions import ProjectPartitions


def graph_versions(lake: Lake, project: ProjectPartitions, kg: str) -> Iterator[PartitionVersion]:
    """Yield the versions of a graph's tables, and of how its relations are read out."""
    for table in (TRIPLES, GRAPH_NODES, GRAPH_CONFLICTS):
        for place in project.places(lake, table, kg):
            yield lake.version(table, place)
    yield from harvested_sentences(lake, project, kg)


def harvested_sentences(lake: Lake, project: ProjectPartitions, kg: str) -> Iterator[PartitionVersion]:
    """Yield a version of how the relations of a graph's harvests are read out: their seed files say it."""
    graph = project.sources.graphs[kg]
    if graph.harvests:
        found = sorted(templates_of(lake, graph).items())
        said = combined_hash(f"{relation}: {template}" for relation, template in found)
        yield PartitionVersion("templates", kg, said)
