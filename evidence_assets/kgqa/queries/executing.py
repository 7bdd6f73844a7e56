"""Expressions over a graph: the nodes they denote, and the triples that show it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.graph.indexing import RelationIndex, distinct, gathered, member
from evidence_assets.kgqa.graph.node_types import Nodes, NodeTypes
from evidence_assets.kgqa.graph.node_values import node_values
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Extreme,
    Filtered,
    Form,
    Intersection,
    Matched,
    Measure,
    Named,
    Number,
    Query,
    Reached,
    Relational,
    Typed,
    Union,
    Value,
    value_of,
)
from evidence_assets.kgqa.queries.solving import Solver

# Triples cited of one answer, of a set that was taken away, and of what was counted.
MOST_CITED = 24
# Sets held of one graph: those of a few questions.
_HELD = 4_096
# Labels looked at to tell what a relation leads to.
_LOOKED_AT = 200

_COMPARE = {
    Relational.LESS: np.less,
    Relational.AT_MOST: np.less_equal,
    Relational.EQUAL: np.equal,
    Relational.AT_LEAST: np.greater_equal,
    Relational.MORE: np.greater,
}


class Executor:
    """Evaluates expressions over one graph; sets are held, so that parts shared by many are made once."""

    def __init__(self, graph: Graph, types: NodeTypes, index: RelationIndex, solver: Solver) -> None:
        self._graph, self._types, self._index, self._solver = graph, types, index, solver
        self._sets: dict[Expression, Nodes] = {}

    @cached_property
    def values(self) -> NDArray[np.float64]:
        """(n,) each node's value as a literal, nan where it is none."""
        return node_values(self._graph).values

    def nodes(self, expression: Expression) -> Nodes:
        """Return the nodes that an expression denotes, ascending."""
        if expression not in self._sets:
            if len(self._sets) >= _HELD:
                self._sets.clear()
            self._sets[expression] = self._evaluated(expression)
        return self._sets[expression]

    def named(self, node: int) -> Named:
        """Return a node as a name."""
        return Named(str(self._graph.labels[node]), (node,))

    def is_single(self, relation: str, backwards: bool) -> bool:
        """Return whether a relation leads from several nodes, and from each to one."""
        counts = np.diff(self._index.rows(relation, backwards).offsets)
        return len(counts) > 1 and int(counts.max()) == 1

    def tells_amounts(self, relation: str, backwards: bool) -> bool:
        """Return whether most of what a relation leads to begins with a number: "16 GB"."""
        targets = distinct(self._index.rows(relation, backwards).targets)[:_LOOKED_AT]
        labels = self._graph.labels.take(targets).to_pylist()
        return bool(2 * sum(label[:1].isdigit() for label in labels) > len(labels))

    def is_one_way(self, relation: str) -> bool:
        """Return whether a relation of the graph nowhere holds both ways round."""
        rows = self._index.rows(relation, False)
        sources = np.repeat(rows.sources, np.diff(rows.offsets)).astype(np.int64)
        size, targets = self._index.size, rows.targets.astype(np.int64)
        forwards, backwards = sources * size + targets, targets * size + sources
        return not np.isin(forwards, backwards).any()

    def _evaluated(self, expression: Expression) -> Nodes:  # noqa: PLR0911 - a kind of expression each
        match expression:
            case Named(_, nodes):
                return np.unique(np.array(nodes, dtype=np.int32))
            case Typed(type_):
                return self._types.members(type_)
            case Reached(relation, backwards, of):
                rows = self._index.rows(relation, backwards)
                return distinct(rows.targets) if of == Typed("") else rows.reached(self.nodes(of))
            case Matched(query):
                return self._solver.solve(query, without_constants=True).candidates
            case Intersection(parts):
                shared, *larger_sets = sorted((self.nodes(part) for part in parts), key=len)
                for larger in larger_sets:
                    shared = _selected(shared, member(shared, larger))
                return shared
            case Union(parts):
                return np.unique(np.concatenate([self.nodes(part) for part in parts]))
            case Difference(of, without):
                minuend = self.nodes(of)
                return _selected(minuend, ~member(minuend, self.nodes(without)))
            case Filtered(of, measure, relational, bound):
                return self._filtered(self.nodes(of), measure, relational, bound)
            case Extreme(of, measure, greatest, rank):
                return self._extreme(self.nodes(of), measure, greatest, rank)

    def _filtered(
        self, nodes: Nodes, measure: Measure, relational: Relational, bound: float | Expression
    ) -> Nodes:
        low, high = self.measured(nodes, measure)
        if isinstance(bound, float):
            reference = bound
        else:
            than_low, than_high = self.measured(self.nodes(bound), measure)
            bounds = than_high[~np.isnan(than_high)]
            if not len(bounds):
                return nodes[:0]
            # Longer than any of several namesakes is not longer than what is meant: all are compared with.
            is_lower = relational in (Relational.MORE, Relational.AT_LEAST)
            reference = float(bounds.max() if is_lower else np.nanmin(than_low))
        with np.errstate(invalid="ignore"):
            year = isinstance(bound, float) and _is_year(reference, measure)
            if isinstance(bound, float) and relational is Relational.EQUAL and reference.is_integer():
                # Any date of a year equals it.
                return _selected(nodes, (np.floor(low) if year else low) == reference)
            if year and relational is Relational.MORE:
                return _selected(nodes, np.floor(low) > reference)
            if year and relational is Relational.AT_MOST:
                return _selected(nodes, np.floor(high) <= reference)
            side = low if relational in (Relational.MORE, Relational.AT_LEAST) else high
            return _selected(nodes, _COMPARE[relational](side, reference))

    def _extreme(self, nodes: Nodes, measure: Measure, greatest: bool, rank: int) -> Nodes:
        low, high = self.measured(nodes, measure)
        side = high if greatest else low
        has_value = ~np.isnan(side)
        if isinstance(measure, Number) and not greatest:
            # Least of those that have any: who is no party to a relation is not compared by it.
            has_value &= side > 0
        if not has_value.any() or (isinstance(measure, Number) and not (side[has_value] > 0).any()):
            return nodes[:0]
        ranked = np.sort(side[has_value])[:: -1 if greatest else 1]
        if rank > len(ranked):
            return nodes[:0]
        at_rank = has_value & (side == ranked[rank - 1])
        # Of two that are alike none is the second longest.
        return nodes[:0] if rank > 1 and at_rank.sum() > 1 else _selected(nodes, at_rank)

    def measured(self, nodes: Nodes, measure: Measure) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return (k,) the least and the greatest value of a measure for each node; nan for none."""
        backwards = isinstance(measure, Number) and measure.backwards
        rows = self._index.rows(measure.relation, backwards)
        places = np.searchsorted(rows.sources, nodes)
        inside = member(nodes, rows.sources)
        places = np.where(inside, np.minimum(places, max(len(rows.sources) - 1, 0)), 0)
        starts = rows.offsets[places] if len(rows.sources) else np.zeros(len(nodes), dtype=np.int64)
        ends = rows.offsets[places + 1] if len(rows.sources) else starts
        owners, slots = gathered(starts, np.where(inside, ends - starts, 0))
        targets = rows.targets[slots]
        if isinstance(measure, Number):
            counted = member(targets, self.nodes(measure.among))
            counts = np.bincount(owners[counted], minlength=len(nodes)).astype(np.float64)
            return counts, counts
        values = self.values[targets]
        low, high = np.full(len(nodes), np.nan), np.full(len(nodes), np.nan)
        has_value = ~np.isnan(values)
        np.fmin.at(low, owners[has_value], values[has_value])
        np.fmax.at(high, owners[has_value], values[has_value])
        return low, high

    def answer(self, query: Query) -> str:
        """Return what a query asks that is no node: a number, yes or no; "" for nodes, or what is untold.

        A measure that only some members have is added up, and its mean taken, of these.
        """
        if query.form is Form.MEMBERS:
            return ""
        if query.measure is None:
            return value_of(query.form, len(self.nodes(query.of)))
        if query.form is Form.GAP:
            first, second = self.compared(query)
            return "" if np.isnan(first - second) else _as_text(abs(first - second))
        amounts = self.measured(self.nodes(query.of), query.measure)[0]
        known = amounts[~np.isnan(amounts)]
        if not len(known):
            return ""
        return _as_text(known.sum() if query.form is Form.TOTAL else known.mean())

    def compared(self, query: Query) -> tuple[float, float]:
        """Return the measure of each of the two names that a query of a difference compares; nan for none."""
        if not isinstance(query.of, Union) or query.measure is None:
            raise ValueError(f"no two names are compared: {query}")
        first, second = (self._amount(part, query.measure) for part in query.of.parts)
        return first, second

    def _amount(self, name: Expression, measure: Measure) -> float:
        """Return a measure of a name; nan where it has none, or namesakes have several."""
        low, high = self.measured(self.nodes(name), measure)
        known = ~np.isnan(low)
        same = known.any() and low[known].min() == high[known].max()
        return float(low[known][0]) if same else np.nan

    def shown_measures(self, query: Query) -> list[int]:
        """Return triples that show a query's measure of each member of its set, and that it is one."""
        edges: dict[int, None] = {}
        if query.measure is None:
            return []
        for node in self.nodes(query.of).tolist():
            edges.update(dict.fromkeys(self._measured_edges(query.measure, node)))
            edges.update(dict.fromkeys(self.cited(query.of, node, MOST_CITED)))
            if len(edges) >= MOST_CITED:
                break
        return list(edges)[:MOST_CITED]

    def cited(self, expression: Expression, node: int, limit: int = MOST_CITED) -> list[int]:
        """Return triples (edge numbers) that show that a node is in a set, each once.

        A count cites what it counted, a comparison both values, a difference what it took away too.
        """
        return list(dict.fromkeys(self._edges(expression, node)))[:limit]

    def _edges(self, expression: Expression, node: int) -> Iterable[int]:  # noqa: PLR0912 - as above
        match expression:
            case Reached(relation, backwards, of):
                for near in self._sources_of(relation, backwards, of, node)[:1]:
                    yield from self._edges_between(relation, near, node, backwards)
                    yield from self._edges(of, near)
            case Matched(query):
                yield from self._solver.support(query, [node], MOST_CITED)[0]
            case Intersection(parts):
                for part in parts:
                    yield from self._edges(part, node)
            case Union(parts):
                holds = next((part for part in parts if node in self.nodes(part)), None)
                if holds is not None:
                    yield from self._edges(holds, node)
            case Difference(of, without):
                yield from self._edges(of, node)
                yield from self.shown(without)
            case Filtered(of, measure, _, bound):
                yield from self._edges(of, node)
                yield from self._measured_edges(measure, node)
                if not isinstance(bound, float):
                    for compared in self.nodes(bound)[:1].tolist():
                        yield from self._measured_edges(measure, compared)
            case Extreme(of, measure, _):
                yield from self._measured_edges(measure, node)
                yield from self._edges(of, node)
                for compared in self.nodes(of).tolist():
                    yield from self._measured_edges(measure, compared)
            case _:
                return

    def shown(self, expression: Expression, limit: int = MOST_CITED) -> list[int]:
        """Return triples that show the members of a set, each once."""
        edges: dict[int, None] = {}
        for node in self.nodes(expression).tolist():
            edges.update(dict.fromkeys(self.cited(expression, node, limit)))
            if len(edges) >= limit:
                break
        return list(edges)[:limit]

    def shown_instead(self, parts: Sequence[Expression]) -> list[int]:
        """Return triples that show what members of a type have in place of what none of them has, each once.

        `parts`: the conditions of a set without members, some of which no node meets.
        """
        types = [part for part in parts if isinstance(part, Typed)]
        unmet = [part for part in parts if isinstance(part, Reached) and not len(self.nodes(part))]
        others = [
            Intersection((type_, Reached(part.relation, part.backwards, Typed(""))))
            for type_ in types
            for part in unmet
        ]
        edges = dict.fromkeys(edge for other in others for edge in self.shown(other))
        return list(edges)[:MOST_CITED]

    def _sources_of(self, relation: str, backwards: bool, of: Expression, node: int) -> list[int]:
        back = self._index.rows(relation, not backwards).reached(np.array([node], dtype=np.int32))
        inside = back if of == Typed("") else back[member(back, self.nodes(of))]
        return [int(node) for node in inside]

    def _measured_edges(self, measure: Measure, node: int) -> Iterable[int]:
        backwards = isinstance(measure, Number) and measure.backwards
        targets = self._index.rows(measure.relation, backwards).reached(np.array([node], dtype=np.int32))
        if isinstance(measure, Number):
            targets = targets[member(targets, self.nodes(measure.among))]
        for target in targets[:MOST_CITED].tolist():
            yield from self._edges_between(measure.relation, node, target, backwards)

    def _edges_between(self, relation: str, start: int, end: int, backwards: bool) -> list[int]:
        graph = self._graph
        head, tail = (end, start) if backwards else (start, end)
        edges = graph.edges_of(min((head, tail), key=graph.degree))
        number = graph.relation_names.index(relation)
        fitting = (graph.heads[edges] == head) & (graph.tails[edges] == tail)
        return [int(edge) for edge in edges[fitting & (graph.relations[edges] == number)][:1]]


def _selected(nodes: Nodes, inside: NDArray[np.bool_]) -> Nodes:
    selected: Nodes = nodes[inside]
    return selected


def _as_text(amount: float) -> str:
    """Return an amount to two decimals, without those that say nothing: 39, 146.67."""
    return f"{amount:.2f}".rstrip("0").rstrip(".")


def _is_year(reference: float, measure: Measure) -> bool:
    return isinstance(measure, Value) and reference.is_integer() and 1000 <= reference <= 2200
