"""What a graph of the lake can be asked: its schema, and what each of its nodes is."""

from __future__ import annotations

from dataclasses import dataclass

from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.loaders import open_graph, templates_of
from evidence_assets.kgqa.node_types import NodeTypes, node_types
from evidence_assets.kgqa.schema import Schema, derived_schema, load_schema
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import GRAPH_NODES
from evidence_assets.sources.specifications import GraphSource
from evidence_assets.text.verbalisation import schema_text


@dataclass(frozen=True)
class TypedGraph:
    """A graph with its schema and the types of its nodes."""

    graph: Graph
    schema: Schema
    types: NodeTypes


def open_typed_graph(lake: Lake, kg: str, source: GraphSource) -> TypedGraph:
    """Return a graph that can be asked: its schema is the one that its templates author, else derived.

    Raises:
        MissingPartitionError: the graph was never built.
        BrokenGraphError: its nodes are older than its triples.
        SchemaError: the authored schema cannot be used.
    """
    graph = open_graph(lake, kg)
    kinds = lake.read(GRAPH_NODES, {"kg": kg}, ["kind"]).column("kind").to_pylist()
    authored = schema_text(source.templates)
    if authored is None:
        schema = derived_schema(graph, kinds, templates_of(lake, source))
    else:
        schema = load_schema(*authored)
    return TypedGraph(graph, schema, node_types(graph, kinds, schema))
