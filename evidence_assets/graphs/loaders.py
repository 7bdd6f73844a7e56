"""Loaders of a graph from the lake: its triples, the graph in memory, and its entity linker."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.graph import BrokenGraphError, Graph, build_graph
from evidence_assets.graphs.harvest_manifest import harvested_templates
from evidence_assets.graphs.names.linking import Linker
from evidence_assets.lake.lake import TableReader
from evidence_assets.lake.schemas import GRAPH_ALIASES, GRAPH_NODES, TRIPLES
from evidence_assets.sources.specifications import GraphSource
from evidence_assets.text.verbalisation import NamesReadOut, templates

_OF_A_GRAPH = ("triple_id", "head", "relation", "tail", "weight")


def triples_of(lake: TableReader, kg: str, columns: Sequence[str]) -> pa.Table:
    """Return columns of a graph's triples, relation by relation.

    Raises:
        MissingPartitionError: it was never built.
    """
    places = [partition for partition in lake.partitions(TRIPLES) if partition["kg"] == kg]
    return lake.read_partitions(TRIPLES, places, list(columns))


def templates_of(lake: TableReader, graph: GraphSource) -> Mapping[str, str]:
    """Return the templates of a graph's relations: its template set, and those of the harvests it merges.

    Raises:
        TemplateError: there is no such template set.
        MissingPartitionError: a harvest was never gathered.
    """
    sentences: dict[str, str] = {}
    for arm in graph.harvests:
        sentences |= harvested_templates(lake, arm)
    written = templates(graph.templates)
    merged = {**sentences, **written}
    return NamesReadOut(merged) if isinstance(written, NamesReadOut) else merged


def open_graph(lake: TableReader, kg: str) -> Graph:
    """Return a graph in memory.

    Raises:
        MissingPartitionError: it was never built.
        BrokenGraphError: its nodes are older than its triples.
    """
    nodes = lake.read(GRAPH_NODES, {"kg": kg}, ["node", "label", "degree"])
    return build_graph(kg, triples_of(lake, kg, _OF_A_GRAPH), nodes)


def open_linker(
    lake: TableReader, kg: str, threshold: float | None = None, unlinked: Collection[str] = ()
) -> Linker:
    """Return a graph's linker; `threshold` and `unlinked` as in `Linker`.

    Raises:
        MissingPartitionError: the graph was never built.
    """
    degrees = lake.read(GRAPH_NODES, {"kg": kg}, ["degree"]).column("degree").to_numpy()
    aliases = lake.read(GRAPH_ALIASES, {"kg": kg}, ["alias", "kind", "node"])
    return Linker(aliases, degrees, threshold, [word.lower() for word in unlinked])


def check_numbers(graph: Graph, rows: pa.Table, table: str) -> None:
    """Check that rows with `node` and `label` belong to this graph: a new concept renumbers others.

    Raises:
        BrokenGraphError: a node number has another label current, or none.
    """
    nodes = rows.column("node").combine_chunks()
    exists = pc.less(nodes, len(graph.labels))
    current = graph.labels.take(pc.if_else(exists, nodes, None))
    matches = pc.fill_null(pc.equal(current, rows.column("label").combine_chunks()), False)
    if not pc.all(matches, min_count=0).as_py():  # of no row, too: a question may name no node
        position = matches.to_pylist().index(False)
        raise BrokenGraphError(
            f"graph {graph.name}: {table} says node {nodes[position].as_py()} is "
            f"{rows.column('label')[position].as_py()!r}, and it is {current[position].as_py()!r}: the graph "
            f"was rebuilt since; remedy: materialise {table} and what follows it"
        )
