"""Answers to conjunctive queries: every node that meets all conditions, and triples that show it.

The substitution of 4StepFocus (algorithms 2 and 3): names are replaced by nodes, conditions that cannot be
used are dropped, and what may stand for each variable shrinks until nothing changes. The paper stops there;
conditions that form a cycle are here solved exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.conjunctive import ConjunctiveQuery, Constant, Term, Triplet
from evidence_assets.kgqa.consistency import (
    Condition,
    Domains,
    Effort,
    ExhaustedError,
    Network,
    cycles,
    nearest,
    propagate,
)
from evidence_assets.kgqa.cyclic_joins import solving
from evidence_assets.kgqa.indexing import Nodes, RelationIndex, Rows, common, member
from evidence_assets.kgqa.node_types import NodeTypes

SOLVED, EMPTY, BOUNDED = "solved", "empty", "bounded"
UNBOUND, UNGROUNDED, UNKNOWN = "unbound", "ungrounded", "unknown"
# Triples that one query may look at: about a second.
EFFORT = 50_000_000


@dataclass(frozen=True, slots=True)
class Solution:
    """The nodes that answer a query, and how that came about.

    `status`: "solved"; "empty", no node meets every condition; "bounded", the effort was spent first: every
    answer is among the candidates, and some that could not be decided; "unbound", the target stands in no
    condition that is left; "ungrounded", no name is connected to the target: the candidates meet every
    condition, but answer no question about anything; "unknown", the query asks for a relation or type that
    the graph has not.

    `dropped` are conditions that were not used, each with the reason; `detail` says more of the status.
    """

    candidates: Nodes
    status: str
    dropped: tuple[tuple[Triplet, str], ...] = ()
    detail: str = ""


@dataclass(frozen=True)
class _Prepared:
    """A query whose names are nodes: the conditions that can be used, and what may stand at each place."""

    triplets: tuple[Triplet, ...]
    dropped: tuple[tuple[Triplet, str], ...]
    places: Mapping[Term | str, int]
    network: Network
    domains: Domains


class Solver:
    """Answers conjunctive queries over one graph.

    Parameters
    ----------
    graph, types
        The graph, and which of its nodes are of which types.
    index
        Its triples by relation, where they are there already; else they are sorted now.
    effort
        Triples that one query may look at.
    """

    def __init__(
        self, graph: Graph, types: NodeTypes, index: RelationIndex | None = None, effort: int = EFFORT
    ) -> None:
        self._graph, self._types, self._effort = graph, types, effort
        self.index = RelationIndex(graph) if index is None else index

    def solve(
        self, query: ConjunctiveQuery, strict_edges: bool = True, without_constants: bool = False
    ) -> Solution:
        """Return the nodes that the target of a query may be.

        With `strict_edges` a triple must have the condition's relation, and its direction; without, any
        triple between two nodes will do, as in the paper. Types hold in both. `without_constants`: nodes that
        the query itself names are left out of the candidates.

        Raises:
            ValueError: a constant's node is none of the graph.
        """
        nothing = np.empty(0, dtype=np.int32)
        if unknown := self._unknown(query, strict_edges):
            return Solution(nothing, UNKNOWN, (), unknown)
        prepared = self._prepared(query, strict_edges)
        if (target := prepared.places.get(query.target)) is None:
            detail = f"?{query.target} stands in no condition that can be used"
            return Solution(nothing, UNBOUND, prepared.dropped, detail)
        exact = _solve(prepared.network, prepared.domains, target, Effort(self._effort))
        candidates = prepared.domains[target]
        if candidates is None:
            candidates = prepared.network.typed(target, np.arange(self.index.size, dtype=np.int32))
        if without_constants:
            named = [node for constant in query.constants() for node in constant.nodes]
            candidates = candidates[~member(candidates, np.unique(np.array(named, dtype=np.int32)))]
        status, detail = _status(prepared, query, candidates, exact)
        return Solution(candidates, status, prepared.dropped, detail)

    def support(self, query: ConjunctiveQuery, node: int, limit: int, strict_edges: bool = True) -> list[int]:
        """Return the triples (edge numbers) of one solution in which the target is a node: one a condition.

        In the order of the conditions, each once, at most `limit`; none where the node is no answer. Of
        several solutions it is the one with the lowest node at each place in turn, of several triples the
        heaviest.
        """
        prepared = self._prepared(query, strict_edges)
        target = prepared.places.get(query.target)
        if target is None or self._unknown(query, strict_edges):
            return []
        own = np.array([node], dtype=np.int32)
        before = prepared.domains[target]
        domains = prepared.domains
        domains[target] = (
            prepared.network.typed(target, own) if before is None else common(own, before, self.index.size)
        )
        effort = Effort(self._effort)
        for place in range(len(domains)):
            _solve(prepared.network, domains, place, effort)
            found = domains[place]
            if found is None or not len(found):
                return []
            domains[place] = found[:1]
        nodes = [int(domain[0]) for domain in domains if domain is not None]
        edges = [self._edge(prepared, triplet, nodes, strict_edges) for triplet in prepared.triplets]
        return [] if None in edges else [edge for edge in dict.fromkeys(edges) if edge is not None][:limit]

    def _unknown(self, query: ConjunctiveQuery, strict_edges: bool) -> str:
        """Return which types and relations of a query the graph has not; "" for none."""
        types = [type_ for own in query.variables().values() for type_ in own if not self._types.knows(type_)]
        named = [triplet.relation for triplet in query.triplets if triplet.relation] if strict_edges else []
        relations = [relation for relation in named if relation not in self._graph.relation_names]
        parts = [f"no node is a {type_!r}" for type_ in dict.fromkeys(types)]
        parts += [f"no triple states {relation!r}" for relation in dict.fromkeys(relations)]
        return "; ".join(parts)

    def _prepared(self, query: ConjunctiveQuery, strict_edges: bool) -> _Prepared:
        dropped = tuple((triplet, why) for triplet in query.triplets if (why := _unusable(triplet)))
        unused = {triplet for triplet, _ in dropped}
        triplets = tuple(triplet for triplet in dict.fromkeys(query.triplets) if triplet not in unused)
        used = ConjunctiveQuery(triplets, query.target)
        types, constants = used.variables(), used.constants()
        terms: list[Term | str] = [*types, *constants]
        places = {term: number for number, term in enumerate(terms)}
        domains: Domains = [None] * len(types) + [self._nodes(constant) for constant in constants]
        own_types = (*types.values(), *[()] * len(constants))
        conditions: dict[tuple[int, int, int], Condition] = {}
        loops: list[tuple[int, Rows]] = []
        for triplet in triplets:
            head, tail = (places[_key(term)] for term in (triplet.head, triplet.tail))
            onward, back = self._rows(triplet, strict_edges)
            if head == tail:
                loops.append((head, onward))
            elif onward is back:
                # Without directions two conditions between the same places say the same.
                conditions[min(head, tail), max(head, tail), id(onward)] = Condition(head, tail, onward, back)
            else:
                conditions[head, tail, id(onward)] = Condition(head, tail, onward, back)
        network = Network(own_types, tuple(conditions.values()), self._types)
        for place, rows in loops:
            before = domains[place]
            domains[place] = (
                network.typed(place, rows.loops)
                if before is None
                else common(before, rows.loops, self.index.size)
            )
        return _Prepared(triplets, dropped, places, network, domains)

    def _nodes(self, constant: Constant) -> Nodes:
        nodes = np.unique(np.array(constant.nodes, dtype=np.int64))
        if nodes[0] < 0 or nodes[-1] >= self.index.size:
            raise ValueError(
                f"{constant.text!r} stands for node {nodes[-1] if nodes[0] >= 0 else nodes[0]}, and graph "
                f"{self._graph.name} has {self.index.size:,}: link the name to this graph"
            )
        return nodes.astype(np.int32)

    def _rows(self, triplet: Triplet, strict_edges: bool) -> tuple[Rows, Rows]:
        if not strict_edges:
            return self.index.either, self.index.either
        return self.index.rows(triplet.relation, False), self.index.rows(triplet.relation, True)

    def _edge(
        self, prepared: _Prepared, triplet: Triplet, nodes: Sequence[int], strict_edges: bool
    ) -> int | None:
        """Return the heaviest triple between the nodes of a condition's places."""
        graph = self._graph
        head, tail = (nodes[prepared.places[_key(term)]] for term in (triplet.head, triplet.tail))
        edges = graph.edges_of(min((head, tail), key=graph.degree))
        forwards = (graph.heads[edges] == head) & (graph.tails[edges] == tail)
        if not strict_edges:
            fitting = forwards | ((graph.heads[edges] == tail) & (graph.tails[edges] == head))
        elif triplet.relation:
            number = graph.relation_names.index(triplet.relation)
            fitting = forwards & (graph.relations[edges] == number)
        else:
            fitting = forwards
        found = edges[fitting]
        return int(found[0]) if len(found) else None


def _unusable(triplet: Triplet) -> str:
    """Return why a condition cannot be used; "" where it can."""
    for term in (triplet.head, triplet.tail):
        if isinstance(term, Constant) and not term.nodes:
            return f"{term.text!r} matches no node"
    return "" if triplet.variables else "it holds no variable"


def _key(term: Term) -> Term | str:
    return term if isinstance(term, Constant) else term.name


def _solve(network: Network, domains: Domains, target: int, effort: Effort) -> bool:
    """Leave at every place of `domains` what is consistent, at `target` what solves the query.

    Return False where the effort was spent first: then more may be left. Where nothing solves it, some
    domain, and that of the target, are empty.
    """
    exact = True
    try:
        listed = [place for place, domain in enumerate(domains) if domain is not None]
        if not propagate(network, domains, listed, effort):
            domains[target] = np.empty(0, dtype=np.int32)
            return True
        for part, core in cycles(network, domains):
            goal = target if target in part else min(core)
            start = nearest(network, goal, part, core)
            left, known = solving(network, domains, core, start, effort, any_one=target not in part)
            exact = exact and known
            if not len(left):
                domains[target] = left
                return exact
            if target in part:
                domains[start] = left
                propagate(network, domains, [start], effort)
    except ExhaustedError:
        return False
    return exact


def _status(prepared: _Prepared, query: ConjunctiveQuery, candidates: Nodes, exact: bool) -> tuple[str, str]:
    if not len(candidates):
        return EMPTY, "no node meets every condition"
    spent = "" if exact else "the effort was spent: some candidates may fail a condition"
    if not _grounded(prepared, prepared.places[query.target]):
        return UNGROUNDED, spent or f"no name is connected to ?{query.target}"
    return (SOLVED, "") if exact else (BOUNDED, spent)


def _grounded(prepared: _Prepared, target: int) -> bool:
    """Return whether conditions lead from a place to a constant."""
    constants = {place for term, place in prepared.places.items() if isinstance(term, Constant)}
    seen, waiting = {target}, [target]
    while waiting:
        fresh = {other for other, _, _ in prepared.network.arcs[waiting.pop()]} - seen
        seen |= fresh
        waiting += sorted(fresh)
    return bool(seen & constants)
