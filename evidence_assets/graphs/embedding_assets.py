"""The asset of graph embeddings: one partition a graph."""

from collections.abc import Iterator
from typing import Any

import dagster as dg

from evidence_assets.graphs.adjacency import adjacency
from evidence_assets.graphs.embedding_rows import embedding_rows
from evidence_assets.graphs.embeddings import GraphEmbeddings, numberbatch, spectral
from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.loaders import open_graph
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import GRAPH_EMBEDDINGS
from evidence_assets.orchestration.asset_defaults import OWNERS, SINGLE_RUN
from evidence_assets.orchestration.conditions import when_inputs_change
from evidence_assets.orchestration.lake_resource import LakeResource, Writing
from evidence_assets.orchestration.partitions import ProjectPartitions
from evidence_assets.sources.files import fingerprint, text_lines
from evidence_assets.sources.specifications import locate

Results = Iterator[dg.MaterializeResult[Any]]


def graph_embedding_assets(project: ProjectPartitions) -> list[dg.AssetsDefinition]:
    """Return the asset of the graphs' vectors."""

    @dg.asset(
        name=GRAPH_EMBEDDINGS.name,
        partitions_def=project.graphs,
        deps=["triples", "graph_nodes"],
        group_name="graphs",
        owners=OWNERS,
        kinds={"python", "parquet"},
        tags={"layer": "graph"},
        code_version="1",
        backfill_policy=SINGLE_RUN,
        # Made when asked for: few systems read it.
        automation_condition=when_inputs_change(asked_for=True),
        description="A vector for every node: Numberbatch's where the configuration names its file, else the "
        "leading eigenvectors of the graph's normalised adjacency.",
    )
    def graph_embeddings(context: dg.AssetExecutionContext, lake: LakeResource) -> Results:
        writing = Writing(context, lake.open())
        for key in context.partition_keys:
            with writing.partition(key) as step:
                graph = open_graph(writing.lake, key)
                found = _vectors(writing.lake, project, key, graph)
                step.write(GRAPH_EMBEDDINGS, {"kg": key}, embedding_rows(graph, found))
                step.show({"method": found.method, "known": float(found.known.mean())})
        yield from writing.results()

    return [graph_embeddings]


def _vectors(lake: Lake, project: ProjectPartitions, kg: str, graph: Graph) -> GraphEmbeddings:
    written = project.sources.graphs[kg].embeddings
    if not written:
        return spectral(adjacency(graph))
    uri = locate(written, project.location.parent)
    lake.note_source(written, fingerprint(uri))
    # A line that is not UTF-8 holds no label of a graph: it is passed over, as other languages' are.
    lines = (found[1] for found in text_lines(uri) if isinstance(found, tuple))
    return numberbatch(lines, written, graph.labels.to_pylist())
