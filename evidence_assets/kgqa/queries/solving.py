"""Answers to conjunctive queries: every node that meets all conditions, and triples that show it.

The substitution of 4StepFocus (algorithms 2 and 3), as SQL over the graph's arrays: names are replaced by
nodes, and conditions that cannot be used are dropped. The paper stops at arc consistency; here conditions
that form a cycle are solved exactly.
"""

# ruff: noqa: S608 - the SQL is made of identifiers and integers of this package, never of outside text.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph
from evidence_assets.kgqa.graph.node_types import Nodes, NodeTypes
from evidence_assets.kgqa.graph.schema import THING
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Constant, Term, Triplet, key_of
from evidence_assets.kgqa.queries.elimination import Elimination

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SOLVED, EMPTY, BOUNDED = "solved", "empty", "bounded"
UNBOUND, UNGROUNDED, UNKNOWN = "unbound", "ungrounded", "unknown"
# Rows that a join on a cycle of conditions may have: about a second.
EFFORT = 50_000_000
# Queries whose answers are held: those of one question, to be backed after they are ranked.
_HELD = 16


@dataclass(frozen=True, slots=True)
class Solution:
    """The nodes that answer a query, and how that came about.

    `status`: "solved"; "empty", no node meets every condition; "bounded", a cycle of conditions was too large
    to join: every answer is among the candidates, and some that could not be decided; "unbound", the target
    stands in no condition that is left; "ungrounded", no name is connected to the target: the candidates meet
    every condition, but answer no question about anything; "unknown", the query asks for a relation or type
    that the graph has not.

    `dropped` are conditions that were not used, each with the reason; `detail` says more of the status.
    """

    candidates: Nodes
    status: str
    dropped: tuple[tuple[Triplet, str], ...] = ()
    detail: str = ""


class Solver:
    """Answers conjunctive queries over one graph.

    Args:
        graph, types: The graph, and which of its nodes are of which types.
        effort: Rows that a join on a cycle of conditions may have.
    """

    def __init__(self, graph: Graph, types: NodeTypes, effort: int = EFFORT) -> None:
        self._graph, self._types, self._effort = graph, types, effort
        self._answers = lru_cache(_HELD)(self._solved)

    @cached_property
    def _connection(self) -> DuckDBPyConnection:
        """The graph as tables: its triples, both ways in `neighbours`, and the nodes of each type."""
        import duckdb

        graph, types = self._graph, self._types
        members = [types.members(name) for name in types.names]
        numbers = np.repeat(np.arange(len(members)), [len(nodes) for nodes in members])
        tables = {
            "triples": {"relation": graph.relations, "head": graph.heads, "tail": graph.tails},
            "types": {"type": numbers, "node": np.concatenate(members)},
        }
        # One thread: queries are short, and their rows come in the same order everywhere.
        connection = duckdb.connect(config={"threads": 1})
        for name, columns in tables.items():
            connection.register("columns", pa.table(columns))
            connection.execute(f"CREATE TABLE {name} AS SELECT * FROM columns ORDER BY ALL")
            connection.unregister("columns")
        undirected = "SELECT head, tail FROM triples UNION ALL SELECT tail, head FROM triples"
        connection.execute(f"CREATE VIEW neighbours AS {undirected}")
        return connection

    def solve(
        self, query: ConjunctiveQuery, strict_edges: bool = True, without_constants: bool = False
    ) -> Solution:
        """Return the nodes, ascending, that the target of a query may be.

        With `strict_edges` a triple must have the condition's relation, and its direction; without, any
        triple between two nodes will do, as in the paper. Types hold in both. `without_constants`: nodes that
        the query itself names are left out of the candidates.

        Raises:
            ValueError: a constant's node is none of the graph.
        """
        no_nodes = np.empty(0, dtype=np.int32)
        if unknown := self._unknown(query, strict_edges):
            return Solution(no_nodes, UNKNOWN, (), unknown)
        dropped = tuple((triplet, why) for triplet in query.triplets if (why := _unusable(triplet)))
        used = self._usable(query)
        if query.target not in used.variables():
            detail = f"?{query.target} stands in no condition that can be used"
            return Solution(no_nodes, UNBOUND, dropped, detail)
        candidates, exact = self._answers(used, strict_edges)
        if without_constants:
            constant_nodes = [node for constant in query.constants() for node in constant.nodes]
            candidates = candidates[~np.isin(candidates, constant_nodes)]
        status, detail = _status(used, candidates, exact)
        return Solution(candidates, status, dropped, detail)

    def support(
        self, query: ConjunctiveQuery, nodes: Sequence[int], limit: int, strict_edges: bool = True
    ) -> list[list[int]]:
        """Return, for each node, the triples (edge numbers) of one solution in which the target is that node.

        One a condition, in the order of the conditions, each once, at most `limit`; none where the node is no
        answer. Of several solutions it is the one with the lowest node at each place in turn, variables
        before names; of several triples the heaviest.

        Raises:
            ValueError: a constant's node is none of the graph.
        """
        used = self._usable(query)
        if not len(nodes) or query.target not in used.variables() or self._unknown(query, strict_edges):
            return [[] for _ in nodes]
        columns = _columns(used)
        # Row k of every column is about one and the same of the nodes.
        rows = {columns[query.target]: np.intersect1d(self._answers(used, strict_edges)[0], nodes)}
        for column in columns.values():
            if column not in rows:
                kept_rows, lowest = self._lowest(used, strict_edges, rows, column)
                rows = {**{fixed: values[kept_rows] for fixed, values in rows.items()}, column: lowest}
        edges_of = {}
        for at in zip(*(rows[column].tolist() for column in columns.values()), strict=True):
            node_at = dict(zip(columns, at, strict=True))
            edges = [self._edge(triplet, node_at, strict_edges) for triplet in used.triplets]
            if None not in edges:
                edges_of[node_at[query.target]] = [edge for edge in dict.fromkeys(edges) if edge is not None]
        return [edges_of.get(node, [])[:limit] for node in nodes]

    def _unknown(self, query: ConjunctiveQuery, strict_edges: bool) -> str:
        """Return which types and relations of a query the graph has not; "" for none."""
        type_names = [name for names in query.variables().values() for name in names]
        types = [name for name in type_names if not self._types.knows(name)]
        stated_relations = (
            [triplet.relation for triplet in query.triplets if triplet.relation] if strict_edges else []
        )
        relations = [relation for relation in stated_relations if relation not in self._graph.relation_names]
        parts = [f"no node is a {name!r}" for name in dict.fromkeys(types)]
        parts += [f"no triple states {relation!r}" for relation in dict.fromkeys(relations)]
        return "; ".join(parts)

    def _usable(self, query: ConjunctiveQuery) -> ConjunctiveQuery:
        """Return a query without the conditions that cannot be used, each of the others once."""
        triplets = tuple(triplet for triplet in dict.fromkeys(query.triplets) if not _unusable(triplet))
        used = ConjunctiveQuery(triplets, query.target)
        size = len(self._graph.labels)
        for constant in used.constants():
            if outside := [node for node in sorted(constant.nodes) if not 0 <= node < size]:
                raise ValueError(
                    f"{constant.text!r} stands for node {outside[0]}, and graph {self._graph.name} has "
                    f"{size:,}: link the name to this graph"
                )
        return used

    def _solved(self, query: ConjunctiveQuery, strict_edges: bool) -> tuple[Nodes, bool]:
        """Return the target's nodes, ascending, and whether all of them are known to be answers."""
        target = _columns(query)[query.target]
        elimination = self._elimination(query, strict_edges, [target], {})
        nodes = np.sort(elimination.result(f"DISTINCT {target} AS node")["node"]).astype(np.int32)
        # It is held, and handed out more than once.
        nodes.setflags(write=False)
        return nodes, elimination.exact

    def _lowest(
        self, query: ConjunctiveQuery, strict_edges: bool, rows: Mapping[str, Nodes], column: str
    ) -> tuple[NDArray[np.int64], Nodes]:
        """Return the rows that some node of a further column goes with, and the lowest one of each."""
        if not (count := len(next(iter(rows.values())))):
            return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32)
        elimination = self._elimination(query, strict_edges, ["k", column], rows)
        elimination.add(["k"], f"SELECT unnest(range({count})) AS k")
        lowest = elimination.result(f"k, min({column}) AS node", "GROUP BY k")
        order = np.argsort(lowest["k"])
        return lowest["k"][order].astype(np.int64), lowest["node"][order].astype(np.int32)

    def _elimination(
        self, query: ConjunctiveQuery, strict_edges: bool, outputs: Sequence[str], rows: Mapping[str, Nodes]
    ) -> Elimination:
        """Return a query's conditions on what `rows` do not fix; beside what they fix stands the row, k."""
        elimination = Elimination(self._connection, outputs, self._effort)
        columns = _columns(query)
        for variable, types in query.variables().items():
            column = columns[variable]
            for number in [self._types.names.index(name) for name in types if name != THING]:
                if column not in rows:
                    elimination.add([column], f"SELECT node AS {column} FROM types WHERE type = {number}")
        for triplet in query.triplets:
            selected, sql = self._condition(triplet, strict_edges, columns, rows)
            if selected - {"k"}:
                elimination.add(selected, sql)
        return elimination

    def _condition(
        self,
        triplet: Triplet,
        strict_edges: bool,
        columns: Mapping[Term | str, str],
        rows: Mapping[str, Nodes],
    ) -> tuple[set[str], str]:
        """Return the columns of one condition and the SQL that yields them."""
        tables, where, selected = ["triples" if strict_edges else "neighbours"], ["true"], dict[str, str]()
        if strict_edges and triplet.relation:
            where.append(f"relation = {self._graph.relation_names.index(triplet.relation)}")
        for end, term in (("head", triplet.head), ("tail", triplet.tail)):
            column = columns.get(key_of(term), "")
            if isinstance(term, Constant):
                where.append(f"{end} IN ({', '.join(str(int(node)) for node in term.nodes)})")
            if column in rows:
                nodes = rows[column].tolist()
                tables.append(f"(SELECT unnest({nodes}) AS fixed, unnest(range({len(nodes)})) AS k)")
                where.append(f"{end} = fixed")
                selected["k"] = "k"
            elif column in selected:
                where.append("head = tail")
            elif column:
                selected[column] = f"{end} AS {column}"
        sql = f"SELECT {', '.join(selected.values())} FROM {', '.join(tables)} WHERE {' AND '.join(where)}"
        return {*selected}, sql

    def _edge(self, triplet: Triplet, node_at: Mapping[Term | str, int], strict_edges: bool) -> int | None:
        """Return the heaviest triple that shows a condition, between the nodes at its ends."""
        graph = self._graph
        head, tail = (
            term.nodes[0] if isinstance(term, Constant) and term not in node_at else node_at[key_of(term)]
            for term in (triplet.head, triplet.tail)
        )
        edges = graph.edges_of(min((head, tail), key=graph.degree))
        fitting = (graph.heads[edges] == head) & (graph.tails[edges] == tail)
        if not strict_edges:
            fitting |= (graph.heads[edges] == tail) & (graph.tails[edges] == head)
        elif triplet.relation:
            fitting &= graph.relations[edges] == graph.relation_names.index(triplet.relation)
        return int(edges[fitting][0]) if fitting.any() else None


def _unusable(triplet: Triplet) -> str:
    """Return why a condition cannot be used; "" where it can."""
    for term in (triplet.head, triplet.tail):
        if isinstance(term, Constant) and not term.nodes:
            return f"{term.text!r} matches no node"
    return "" if triplet.variables else "it holds no variable"


def _columns(query: ConjunctiveQuery) -> dict[Term | str, str]:
    """Return the column of each variable, and of each name of several nodes, in their order."""
    names = (constant for constant in query.constants() if len({*constant.nodes}) > 1)
    terms: list[Term | str] = [*query.variables(), *names]
    return {term: f"v{place}" for place, term in enumerate(terms)}


def _status(query: ConjunctiveQuery, candidates: Nodes, exact: bool) -> tuple[str, str]:
    if not len(candidates):
        return EMPTY, "no node meets every condition"
    spent = "" if exact else "the effort was spent: some candidates may fail a condition"
    if not _grounded(query):
        return UNGROUNDED, spent or f"no name is connected to ?{query.target}"
    return (SOLVED, "") if exact else (BOUNDED, spent)


def _grounded(query: ConjunctiveQuery) -> bool:
    """Return whether conditions lead from the target to a name."""
    reached: set[Term | str] = {query.target}
    for _ in query.triplets:
        for triplet in query.triplets:
            ends = {key_of(triplet.head), key_of(triplet.tail)}
            reached |= ends if ends & reached else set()
    return any(isinstance(term, Constant) for term in reached)
