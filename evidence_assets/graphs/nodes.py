"""Rows of `graph_nodes` and `graph_aliases`: every concept of a graph, and every way to spell it."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.labels import lemma_form, normal_form
from evidence_assets.lake.schemas import GRAPH_ALIASES, GRAPH_NODES

LABEL, LEMMA = "label", "lemma"


def node_rows(kg: str, triples: pa.Table) -> pa.Table:
    """Return `graph_nodes` rows: the distinct heads and tails, numbered in the order of their labels.

    `triples`: at least `head` and `tail`. A node's degree is the number of triples it stands in.
    """
    ends = pa.chunked_array([*triples.column("head").chunks, *triples.column("tail").chunks], pa.string())
    counted = ends.value_counts()
    table = pa.table({"label": counted.field("values"), "degree": counted.field("counts").cast(pa.int32())})
    table = table.sort_by("label")
    # A triple of a node with itself stands at it once.
    loops = triples.filter(pc.equal(triples.column("head"), triples.column("tail"))).column("head")
    if len(loops):
        twice = loops.value_counts()
        places = pc.index_in(twice.field("values"), value_set=table.column("label").combine_chunks())
        degree = table.column("degree").to_numpy().copy()
        degree[places.to_numpy()] -= twice.field("counts").to_numpy()
        table = table.set_column(1, "degree", pa.array(degree, pa.int32()))
    return pa.table(
        {
            "kg": pa.array([kg] * table.num_rows, pa.string()),
            "node": pa.array(np.arange(table.num_rows), pa.int32()),
            "label": table.column("label"),
            "degree": table.column("degree"),
        },
        schema=GRAPH_NODES.schema,
    )


def alias_rows(nodes: pa.Table) -> pa.Table:
    """Return `graph_aliases` rows of `graph_nodes` rows: each label's normal form, and its lemmas."""
    labels = nodes.column("label").to_pylist()
    numbers = nodes.column("node").to_numpy()
    normal = pa.array([normal_form(label) for label in labels], pa.string())
    lemmas = pa.array([lemma_form(label) for label in labels], pa.string())
    named = pc.greater(pc.binary_length(lemmas), 0)
    kg = nodes.column("kg").combine_chunks()
    rows = pa.concat_tables(
        [
            _aliases(kg, normal, LABEL, numbers),
            _aliases(kg, lemmas, LEMMA, numbers).filter(named),
        ]
    )
    return rows.sort_by([(column, "ascending") for column in GRAPH_ALIASES.key])


def _aliases(
    kg: pa.Array, aliases: pa.Array, kind: str, numbers: np.ndarray[tuple[int], np.dtype[np.int32]]
) -> pa.Table:
    return pa.table(
        {
            "kg": kg,
            "alias": aliases,
            "kind": pa.array([kind] * len(aliases), pa.string()),
            "node": pa.array(numbers, pa.int32()),
        },
        schema=GRAPH_ALIASES.schema,
    )
