"""An option's own triples (4.5): those at its concepts, compared with the question by text alone.

A wider neighbourhood says more of the question than of the option: every option of a question shares it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph
from evidence_assets.models.encoder import FloatArray
from evidence_assets.systems.attention2query.neighbourhoods import products

_DECIMALS = 6


@dataclass(frozen=True)
class OwnTriples:
    """Edges (e,) ascending; of each the far end, the attention to it, and whether it joins the question."""

    edges: NDArray[np.int32]
    far: NDArray[np.int32]
    attention: NDArray[np.float64]
    joins: NDArray[np.bool_]


def own_triples(
    graph: Graph, own: Sequence[int], named: Sequence[int], vectors: FloatArray, question: FloatArray
) -> OwnTriples:
    """Return every triple at an option's nodes, without loops; those of a hub too, however many.

    `own`, `named`: the nodes of the option, and those of the question: a triple between the two joins them.
    `vectors`, `question`: (n, d) text vectors of all nodes, (d,) the question's. Attention is their product.
    """
    edges = np.unique(np.concatenate([np.empty(0, np.int32), *(graph.edges_of(node) for node in own)]))
    edges = edges[graph.heads[edges] != graph.tails[edges]].astype(np.int32)
    heads, tails = graph.heads[edges], graph.tails[edges]
    at_head, at_tail = np.isin(heads, own), np.isin(tails, own)
    far = np.where(at_head, tails, heads).astype(np.int32)
    joins = (at_head & np.isin(tails, named)) | (at_tail & np.isin(heads, named))
    return OwnTriples(edges, far, products(vectors, far, question).round(_DECIMALS), joins)
