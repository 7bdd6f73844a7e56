"""Relation paths: sequences of relations to walk from a topic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from evidence_assets.kgqa.graph.indexing import Places, RelationIndex, distinct, gathered, member
from evidence_assets.kgqa.graph.node_types import Nodes
from evidence_assets.kgqa.graph.schema import THING, Schema

# Triples visited in one step of all paths together: a tenth of a second. Excess paths are not extended.
WALKED = 5_000_000


@dataclass(frozen=True, slots=True)
class RelationPath:
    """Relations in the order in which they are walked, each with whether from tail to head."""

    steps: tuple[tuple[str, bool], ...]

    def __str__(self) -> str:
        return " / ".join(("~" if backwards else "") + relation for relation, backwards in self.steps)


@dataclass(frozen=True, slots=True)
class FoundPath:
    """A path that exists at a topic, and the nodes where it ends, ascending, the topic's own left out."""

    path: RelationPath
    ends: Nodes


@dataclass(frozen=True, slots=True)
class _Frontier:
    """Pairs of a path, a place among `paths`, and a node where it may end; by path, then node."""

    paths: list[RelationPath]
    places: Places
    nodes: Nodes


class PathWalker:
    """Finds the relation paths at nodes of a graph whose steps fit each other by the schema's types.

    Relations that the schema lacks are not walked. Paths may return to the topic, which is then left out of
    the ends: other films by the same director are reached through the director.

    Args:
        index: The graph's triples.
        schema: Where a step ends, the next one must be able to begin; `thing` fits all.
        walked: Triples to visit in one step; beyond it the paths with the most triples are not extended.
    """

    def __init__(self, index: RelationIndex, schema: Schema, walked: int = WALKED) -> None:
        self._index, self._walked = index, walked
        self._steps = [(name, back) for name in schema.relations for back in (False, True)]
        self._ends = [schema.ends(*step) for step in self._steps]
        fits = [[fit(after, before) for before, _ in self._ends] for _, after in self._ends]
        self._fits = np.array(fits, dtype=np.bool_).reshape(len(self._steps), len(self._steps))
        self._offsets, self._codes, self._targets = _arcs(index, self._steps)

    def paths(self, nodes: Sequence[int] | Nodes, longest: int) -> list[FoundPath]:
        """Return every path of 1 to `longest` steps from any of the nodes to others.

        Shorter ones come first, then by the schema's order of relations, forwards before backwards.
        """
        starts = _ascending(nodes)
        frontier = _Frontier([RelationPath(())], np.zeros(len(starts), dtype=np.int64), starts)
        paths: list[FoundPath] = []
        for _ in range(longest):
            frontier = self._further(frontier)
            paths += _ends(frontier, starts)
        return paths

    def reached(self, path: RelationPath, nodes: Sequence[int] | Nodes) -> Nodes:
        """Return where a path ends that begins at any of the nodes, ascending, these left out."""
        starts = _ascending(nodes)
        reached = self._walk(path, starts)
        return reached[~member(reached, starts)]

    def lengthened(self, path: RelationPath, nodes: Sequence[int] | Nodes) -> list[RelationPath]:
        """Return the paths from any of the nodes that go one step further than a path, in `paths`'s order."""
        starts = _ascending(nodes)
        ends = self._walk(path, starts)
        frontier = self._further(_Frontier([path], np.zeros(len(ends), dtype=np.int64), ends))
        return [longer.path for longer in _ends(frontier, starts)]

    def _walk(self, path: RelationPath, starts: Nodes) -> Nodes:
        reached = starts
        for relation, backwards in path.steps:
            reached = self._index.rows(relation, backwards).reached(reached)
        return reached

    def _further(self, frontier: _Frontier) -> _Frontier:
        """Return the frontier one step on: every path with every step that fits it and exists."""
        places, nodes = self._within_bound(frontier)
        starts = self._offsets[nodes]
        owners, slots = gathered(starts, self._offsets[nodes + 1] - starts)
        codes, places = self._codes[slots].astype(np.int64), places[owners]
        fitting = self._fitting(frontier.paths)[places, codes]
        size, steps = max(self._index.size, 1), len(self._steps)
        keys = (places[fitting] * steps + codes[fitting]) * size + self._targets[slots[fitting]]
        numbers, ends = np.divmod(distinct(keys), size)
        begins = np.flatnonzero(np.diff(numbers, prepend=-1))
        paths = [
            RelationPath((*frontier.paths[number // steps].steps, self._steps[number % steps]))
            for number in numbers[begins].tolist()
        ]
        lengths = np.diff(np.append(begins, len(numbers)))
        return _Frontier(paths, np.repeat(np.arange(len(paths)), lengths), ends.astype(np.int32))

    def _within_bound(self, frontier: _Frontier) -> tuple[Places, Nodes]:
        degrees = self._offsets[frontier.nodes + 1] - self._offsets[frontier.nodes]
        if degrees.sum() <= self._walked:
            return frontier.places, frontier.nodes
        costs = np.bincount(frontier.places, degrees, len(frontier.paths))
        order = np.argsort(costs, kind="stable")
        affordable = order[np.cumsum(costs[order]) <= self._walked]
        inside = np.isin(frontier.places, affordable)
        return frontier.places[inside], frontier.nodes[inside]

    def _fitting(self, paths: Sequence[RelationPath]) -> NDArray[np.bool_]:
        """Return (paths, steps) whether a path can be followed by a step."""
        numbers = {step: number for number, step in enumerate(self._steps)}
        any_step = np.ones(len(self._steps), dtype=np.bool_)
        rows = [self._fits[numbers[path.steps[-1]]] if path.steps else any_step for path in paths]
        return np.array(rows, dtype=np.bool_).reshape(len(paths), len(self._steps))


def fit(first: str, second: str) -> bool:
    """Return whether something may be of two types: they are the same, or one of them is `thing`."""
    return first == second or THING in (first, second)


def _ascending(nodes: Sequence[int] | Nodes) -> Nodes:
    return np.unique(np.asarray(nodes, dtype=np.int32))


def _arcs(index: RelationIndex, steps: Sequence[tuple[str, bool]]) -> tuple[Places, NDArray[np.int16], Nodes]:
    """Return (offsets, steps, targets): at every node the steps that begin there, and where each one ends."""
    rows = [index.rows(*step) for step in steps]
    none = np.empty(0, dtype=np.int32)
    sources = np.concatenate(
        [none, *(np.repeat(relation_rows.sources, np.diff(relation_rows.offsets)) for relation_rows in rows)]
    )
    lengths = np.array([len(relation_rows.targets) for relation_rows in rows], dtype=np.int64)
    codes = np.repeat(np.arange(len(rows), dtype=np.int16), lengths)
    targets = np.concatenate([none, *(relation_rows.targets for relation_rows in rows)])
    order = np.argsort(sources, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(sources, minlength=index.size))]).astype(np.int64)
    return offsets, codes[order], targets[order]


def _ends(frontier: _Frontier, starts: Nodes) -> Iterator[FoundPath]:
    elsewhere = ~member(frontier.nodes, starts)
    places, nodes = frontier.places[elsewhere], frontier.nodes[elsewhere]
    bounds = np.searchsorted(places, np.arange(len(frontier.paths) + 1))
    for path, (begin, end) in zip(frontier.paths, pairwise(bounds.tolist()), strict=True):
        if begin < end:
            yield FoundPath(path, nodes[begin:end])


def schema_paths(schema: Schema, start_types: Sequence[str], longest: int) -> list[RelationPath]:
    """Return every path of 1 to `longest` steps that types allow from any of these, whatever a graph holds.

    In the order of `PathWalker.paths`. `start_types` empty: from anything.
    """
    steps = [(name, back) for name in schema.relations for back in (False, True)]
    begins = [*start_types] or [THING]
    level = [
        RelationPath((step,)) for step in steps if any(fit(begin, schema.ends(*step)[0]) for begin in begins)
    ]
    paths: list[RelationPath] = []
    for _ in range(longest):
        paths += level
        level = [
            RelationPath((*path.steps, step))
            for path in level
            for step in steps
            if fit(schema.ends(*path.steps[-1])[1], schema.ends(*step)[0])
        ]
    return paths


def path_types(path: RelationPath, schema: Schema) -> tuple[str, ...]:
    """Return the type before the first step and after each one.

    Where two steps meet and one of them has the type `thing`, the type is that of the other.
    """
    ends = [schema.ends(*step) for step in path.steps]
    types_between = [after if after != THING else before for (_, after), (before, _) in pairwise(ends)]
    return (ends[0][0], *types_between, ends[-1][1]) if ends else ()
