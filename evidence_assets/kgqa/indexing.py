"""Who stands at the other end of a relation: a graph's triples, sorted by relation, both ways."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph

Nodes = NDArray[np.int32]
Places = NDArray[np.int64]
Numbers = TypeVar("Numbers", Nodes, Places)
# From this share of a graph's nodes on, nodes are looked up in an array of all nodes, below it by searching:
# the faster of the two. Searching a large array leaves the processor's cache at every step.
_MANY = 1 / 64


@dataclass(frozen=True)
class Rows:
    """What each node leads to, kept for those nodes alone that lead anywhere.

    Node `sources[i]` (s,), ascending, leads to `targets[offsets[i]:offsets[i + 1]]`, ascending and distinct.
    `size` is the number of nodes of the graph.
    """

    sources: Nodes
    offsets: Places
    targets: Nodes
    size: int

    @cached_property
    def _keys(self) -> Places:
        """(p,) source and target in one number, ascending."""
        owners = np.repeat(self.sources.astype(np.int64), np.diff(self.offsets))
        return owners * self.size + self.targets

    @cached_property
    def _begins(self) -> Nodes:
        """(n + 1,) where every node's targets begin; for relations of many nodes alone."""
        counts = np.zeros(self.size + 1, dtype=np.int32)
        counts[self.sources + 1] = np.diff(self.offsets)
        return np.cumsum(counts, dtype=np.int32)

    @cached_property
    def loops(self) -> Nodes:
        """The nodes that lead to themselves, ascending."""
        owners = np.repeat(self.sources, np.diff(self.offsets))
        found: Nodes = owners[owners == self.targets]
        return found

    def counts(self, nodes: Nodes) -> Places:
        """Return (k,) how many nodes each one leads to."""
        return self._spans(nodes)[1]

    def expand(self, nodes: Nodes) -> tuple[Places, Nodes]:
        """Return (owners, targets): every target of every node, and its node's place in `nodes`."""
        starts, counts = self._spans(nodes)
        owners, slots = gathered(starts, counts)
        return owners, self.targets[slots]

    def reached(self, nodes: Nodes) -> Nodes:
        """Return all that the nodes lead to, ascending, each once."""
        if len(nodes) == 1:
            start, count = (int(part[0]) for part in self._spans(nodes))
            return self.targets[start : start + count]
        return distinct(self.expand(nodes)[1], self.size)

    def holds(self, sources: Nodes, targets: Nodes) -> NDArray[np.bool_]:
        """Return (k,) whether each source leads to the target beside it."""
        return member(sources.astype(np.int64) * self.size + targets, self._keys)

    def _spans(self, nodes: Nodes) -> tuple[Places, Places]:
        if not len(self.sources):
            return np.zeros(len(nodes), dtype=np.int64), np.zeros(len(nodes), dtype=np.int64)
        if min(len(nodes), len(self.sources)) >= _MANY * self.size:
            begins, ends = self._begins[nodes], self._begins[nodes + 1]
            return begins.astype(np.int64), (ends - begins).astype(np.int64)
        places = np.minimum(np.searchsorted(self.sources, nodes), len(self.sources) - 1)
        there = self.sources[places] == nodes
        starts = self.offsets[places]
        return starts, np.where(there, self.offsets[places + 1] - starts, 0)


def gathered(starts: Places, counts: Places) -> tuple[Places, Places]:
    """Return (owners, slots) of slices: slice i holds `counts[i]` slots from `starts[i]` on."""
    owners = np.repeat(np.arange(len(counts)), counts)
    before = np.cumsum(counts) - counts
    return owners, np.arange(len(owners)) + (starts - before)[owners]


def once(numbers: Numbers) -> Numbers:
    """Return numbers from 0 on ascending, each once; np.unique hashes them first, which takes longer."""
    ascending = np.sort(numbers)
    result: Numbers = ascending[np.diff(ascending, prepend=-1) != 0]
    return result


def distinct(nodes: Nodes, size: int) -> Nodes:
    """Return nodes of a graph of `size` ascending, each once."""
    if len(nodes) < _MANY * size:
        return once(nodes)
    marked = np.zeros(size, dtype=np.bool_)
    marked[nodes] = True
    return np.flatnonzero(marked).astype(np.int32)


def member(values: NDArray[np.integer], ascending: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return (k,) whether each value stands in an ascending array."""
    if not len(ascending):
        return np.zeros(len(values), dtype=np.bool_)
    places = np.minimum(np.searchsorted(ascending, values), len(ascending) - 1)
    found: NDArray[np.bool_] = ascending[places] == values
    return found


def among(nodes: Nodes, ascending: Nodes, size: int) -> NDArray[np.bool_]:
    """Return (k,) whether each node of a graph of `size` stands in an ascending array."""
    if len(nodes) < _MANY * size:
        return member(nodes, ascending)
    marked = np.zeros(size, dtype=np.bool_)
    marked[ascending] = True
    return marked[nodes]


def common(one: Nodes, other: Nodes, size: int) -> Nodes:
    """Return what stands in both of two ascending arrays of nodes of a graph of `size`."""
    few, many = (one, other) if len(one) <= len(other) else (other, one)
    return few[among(few, many, size)]


class RelationIndex:
    """A graph's triples as rows: by relation, and both ways. What several triples state stands there once.

    Every relation is sorted when the index is made; rows of all relations together when first asked for.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph, self.size = graph, len(graph.labels)
        self._relations: Mapping[str, tuple[Rows, Rows]] = {
            name: self._both_ways(graph.heads[edges], graph.tails[edges])
            for name, edges in zip(graph.relation_names, self._edges_by_relation(), strict=True)
        }
        self._empty = self._both_ways(*[np.empty(0, dtype=np.int32)] * 2)

    def rows(self, relation: str, backwards: bool) -> Rows:
        """Return where a relation leads, from head to tail or backwards; relation "" is any."""
        found = self._relations.get(relation, self._empty) if relation else self._any
        return found[backwards]

    @cached_property
    def either(self) -> Rows:
        """Who shares a triple with whom, whatever its relation and direction."""
        heads, tails = self.graph.heads, self.graph.tails
        return self._sorted(np.concatenate([heads, tails]), np.concatenate([tails, heads]))

    @cached_property
    def _any(self) -> tuple[Rows, Rows]:
        return self._both_ways(self.graph.heads, self.graph.tails)

    @property
    def nbytes(self) -> int:
        """Bytes of the rows of every relation."""
        rows = [one for both in self._relations.values() for one in both]
        return sum(one.sources.nbytes + one.offsets.nbytes + one.targets.nbytes for one in rows)

    def _edges_by_relation(self) -> list[NDArray[np.intp]]:
        relations = self.graph.relations
        counts = np.bincount(relations, minlength=len(self.graph.relation_names))
        return np.split(np.argsort(relations, kind="stable"), np.cumsum(counts)[:-1]) if len(counts) else []

    def _both_ways(self, heads: Nodes, tails: Nodes) -> tuple[Rows, Rows]:
        return self._sorted(heads, tails), self._sorted(tails, heads)

    def _sorted(self, sources: Nodes, targets: Nodes) -> Rows:
        keys = once(sources.astype(np.int64) * max(self.size, 1) + targets)
        owners, ends = np.divmod(keys, max(self.size, 1))
        begins = np.flatnonzero(np.diff(owners, prepend=-1))
        offsets = np.append(begins, len(keys)).astype(np.int64)
        targets = ends.astype(np.int32)
        # Solutions may be slices of it.
        targets.setflags(write=False)
        return Rows(owners[begins].astype(np.int32), offsets, targets, self.size)
