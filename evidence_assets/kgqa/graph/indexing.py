"""Which nodes are at the other end of a relation: a graph's triples, sorted by relation, both ways."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.graph.node_types import Nodes

Places = NDArray[np.int64]
Numbers = TypeVar("Numbers", Nodes, Places)


@dataclass(frozen=True)
class Rows:
    """What each node leads to, kept for those nodes alone that lead anywhere.

    Node `sources[i]` (s,), ascending, leads to `targets[offsets[i]:offsets[i + 1]]`, ascending and distinct.
    """

    sources: Nodes
    offsets: Places
    targets: Nodes

    def reached(self, nodes: Nodes) -> Nodes:
        """Return all that some nodes lead to, ascending, each once."""
        places = np.searchsorted(self.sources, nodes[member(nodes, self.sources)])
        starts = self.offsets[places]
        return distinct(self.targets[gathered(starts, self.offsets[places + 1] - starts)[1]])


def gathered(starts: Places, counts: Places) -> tuple[Places, Places]:
    """Return (owners, slots) of slices: slice i holds `counts[i]` slots from `starts[i]` on."""
    owners = np.repeat(np.arange(len(counts)), counts)
    before = np.cumsum(counts) - counts
    return owners, np.arange(len(owners)) + (starts - before)[owners]


def distinct(numbers: Numbers) -> Numbers:
    """Return numbers from 0 on ascending, each once; np.unique hashes them first, which takes longer."""
    ascending = np.sort(numbers)
    result: Numbers = ascending[np.diff(ascending, prepend=-1) != 0]
    return result


def member(values: NDArray[np.integer], ascending: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return (k,) whether each value stands in an ascending array."""
    if not len(ascending):
        return np.zeros(len(values), dtype=np.bool_)
    places = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    inside: NDArray[np.bool_] = ascending[places] == values
    return inside


class RelationIndex:
    """A graph's triples as rows: by relation, and both ways. What several triples state stands there once."""

    def __init__(self, graph: Graph) -> None:
        self.size = len(graph.labels)
        self._relations: dict[str, tuple[Rows, Rows]] = {}
        order = np.argsort(graph.relations, kind="stable")
        counts = np.bincount(graph.relations, minlength=len(graph.relation_names))
        for name, edges in zip(graph.relation_names, np.split(order, np.cumsum(counts)[:-1]), strict=False):
            heads, tails = graph.heads[edges], graph.tails[edges]
            self._relations[name] = (self._sorted(heads, tails), self._sorted(tails, heads))
        none = np.empty(0, dtype=np.int32)
        self._empty = self._sorted(none, none)

    def rows(self, relation: str, backwards: bool) -> Rows:
        """Return where a relation leads, from head to tail or backwards; nowhere for an absent one."""
        return self._relations.get(relation, (self._empty, self._empty))[backwards]

    def _sorted(self, sources: Nodes, targets: Nodes) -> Rows:
        size = max(self.size, 1)
        owners, ends = np.divmod(distinct(sources.astype(np.int64) * size + targets), size)
        begins = np.flatnonzero(np.diff(owners, prepend=-1))
        offsets = np.append(begins, len(owners)).astype(np.int64)
        return Rows(owners[begins].astype(np.int32), offsets, ends.astype(np.int32))
