"""A knowledge graph in memory: compressed rows of incident edges, the heaviest first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Integers = NDArray[np.int32]


class BrokenGraphError(Exception):
    """A graph's triples and nodes do not match: the message names the graph and the remedy."""


@dataclass(frozen=True, slots=True)
class Graph:
    """n nodes and m triples, each triple an edge listed at both its ends.

    `labels` (n,) and `triple_ids` (m,) are Arrow strings; `heads`, `tails` (m,) node numbers; `relations`
    (m,) indices into `relation_names`; `weights` (m,) the triples' weights. The edges of node v are
    `incident[offsets[v]:offsets[v + 1]]`, the heaviest first, ties by number; a self-loop
    is listed once. A triple without a weight has weight 1.
    """

    name: str
    labels: pa.Array
    triple_ids: pa.Array
    heads: Integers
    tails: Integers
    relations: NDArray[np.int16]
    relation_names: tuple[str, ...]
    weights: NDArray[np.float32]
    offsets: NDArray[np.int64]
    incident: Integers

    def edges_of(self, node: int, limit: int | None = None) -> Integers:
        """Return the edges at a node, heaviest first, at most `limit`."""
        start, end = int(self.offsets[node]), int(self.offsets[node + 1])
        return self.incident[start : end if limit is None else min(end, start + limit)]

    def degree(self, node: int) -> int:
        """Return the number of edges at a node."""
        return int(self.offsets[node + 1] - self.offsets[node])

    def triple(self, edge: int) -> tuple[str, str, str]:
        """Return (head, relation, tail) of an edge, as labels."""
        head, tail = self.labels[int(self.heads[edge])], self.labels[int(self.tails[edge])]
        return head.as_py(), self.relation_names[int(self.relations[edge])], tail.as_py()

    def without(self, triple_ids: Iterable[str]) -> Graph:
        """Return the graph without some triples: nodes keep their numbers, edges are numbered anew."""
        removed = pc.is_in(self.triple_ids, value_set=pa.array(list(triple_ids), type=pa.string()))
        remaining = ~np.asarray(removed.to_numpy(zero_copy_only=False), dtype=np.bool_)
        numbers = (np.cumsum(remaining) - 1).astype(np.int32)
        incident = remaining[self.incident]
        before = np.concatenate([[0], np.cumsum(incident)]).astype(np.int64)
        return replace(
            self,
            triple_ids=self.triple_ids.filter(pa.array(remaining)),
            heads=self.heads[remaining],
            tails=self.tails[remaining],
            relations=self.relations[remaining],
            weights=self.weights[remaining],
            offsets=before[self.offsets],
            incident=numbers[self.incident[incident]],
        )

    @property
    def nbytes(self) -> int:
        """Bytes of the graph in memory."""
        arrays = (self.heads, self.tails, self.relations, self.weights, self.offsets, self.incident)
        return int(sum(array.nbytes for array in arrays) + self.labels.nbytes + self.triple_ids.nbytes)


def build_graph(name: str, triples: pa.Table, nodes: pa.Table) -> Graph:
    """Return the graph of `triples` rows (triple_id, head, relation, tail, weight) and `graph_nodes` rows.

    Raises:
        BrokenGraphError: a triple names a concept that is not a node: the nodes are older than the triples.
    """
    labels = nodes.column("label").combine_chunks()
    heads, tails = (_numbers(name, triples.column(end), labels) for end in ("head", "tail"))
    encoded = pc.dictionary_encode(triples.column("relation").combine_chunks())
    weights = pc.fill_null(triples.column("weight"), 1.0).to_numpy()
    offsets, incident = _incidence(heads, tails, weights, len(labels))
    return Graph(
        name,
        labels,
        triples.column("triple_id").combine_chunks(),
        heads,
        tails,
        encoded.indices.to_numpy().astype(np.int16),
        tuple(encoded.dictionary.to_pylist()),
        weights.astype(np.float32),
        offsets,
        incident,
    )


def _numbers(name: str, ends: pa.ChunkedArray, labels: pa.Array) -> Integers:
    numbers = pc.index_in(ends, value_set=labels).combine_chunks()
    if numbers.null_count:
        raise BrokenGraphError(
            f"graph {name}: {numbers.null_count:,} triples name a concept that is no node of it; remedy: "
            "materialise graph_nodes and graph_aliases anew"
        )
    result: Integers = numbers.to_numpy().astype(np.int32)
    return result


def _incidence(
    heads: Integers, tails: Integers, weights: NDArray[np.float64], n: int
) -> tuple[NDArray[np.int64], Integers]:
    """Return (offsets, incident): the edges of every node, heaviest first."""
    edges = np.arange(len(heads), dtype=np.int32)
    is_proper = heads != tails
    ends = np.concatenate([heads, tails[is_proper]])
    listed = np.concatenate([edges, edges[is_proper]])
    order = np.lexsort((listed, -weights[listed], ends))
    counts = np.bincount(ends, minlength=n)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return offsets, listed[order]
