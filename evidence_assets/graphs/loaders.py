"""A graph out of the lake: its triples, the graph in memory, and what links phrases to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.graph import BrokenGraphError, Graph, build_graph
from evidence_assets.graphs.harvest_manifest import harvested_templates
from evidence_assets.graphs.linking import Linker
from evidence_assets.lake.lake import TableReader
from evidence_assets.lake.schemas import GRAPH_ALIASES, GRAPH_NODES, TRIPLES
from evidence_assets.sources.specifications import GraphSource
from evidence_assets.text.verbalisation import NAMES, NamesReadOut, templates

_OF_A_GRAPH = ("triple_id", "head", "relation", "tail", "weight")


def triples_of(
    lake: TableReader, kg: str, columns: Sequence[str], relations: Collection[str] | None = None
) -> pa.Table:
    """Return columns of a graph's triples, relation by relation; of these relations alone, if some are named.

    Raises:
        MissingPartitionError: it was never built.
    """
    places = [
        partition
        for partition in lake.partitions(TRIPLES)
        if partition["kg"] == kg and (relations is None or partition["relation"] in relations)
    ]
    return lake.read_partitions(TRIPLES, places, list(columns))


def templates_of(lake: TableReader, graph: GraphSource) -> Mapping[str, str]:
    """Return the sentences of a graph's relations: its own set's, and those of the harvests it merges.

    Raises:
        TemplateError: there is no such set.
        MissingPartitionError: a harvest was never gathered.
    """
    found: dict[str, str] = {}
    for arm in graph.harvests:
        found |= harvested_templates(lake, arm)
    if graph.templates == NAMES:
        return NamesReadOut(found)
    return {**found, **templates(graph.templates)}


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
    """Return what links phrases to a graph. `threshold` and `unlinked` as `Linker` takes them.

    Raises:
        MissingPartitionError: the graph was never built.
    """
    degrees = lake.read(GRAPH_NODES, {"kg": kg}, ["degree"]).column("degree").to_numpy()
    aliases = lake.read(GRAPH_ALIASES, {"kg": kg}, ["alias", "kind", "node"])
    return Linker(aliases, degrees, threshold, [word.lower() for word in unlinked])


def check_numbers(graph: Graph, rows: pa.Table, table: str) -> None:
    """Check that rows with `node` and `label` were made with this graph: a new concept renumbers others.

    Raises:
        BrokenGraphError: a node has another label now, or there is none of that number.
    """
    nodes = rows.column("node").combine_chunks()
    known = pc.less(nodes, len(graph.labels))
    now = graph.labels.take(pc.if_else(known, nodes, None))
    same = pc.fill_null(pc.equal(now, rows.column("label").combine_chunks()), False)
    if not pc.all(same).as_py():
        place = same.to_pylist().index(False)
        raise BrokenGraphError(
            f"graph {graph.name}: {table} says node {nodes[place].as_py()} is "
            f"{rows.column('label')[place].as_py()!r}, and it is {now[place].as_py()!r}: the graph was "
            f"built anew since; remedy: materialise {table} and what follows it"
        )
