"""Functional relations, learnt from a graph, and statements that contradict the graph in one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.verbalisation import words_of

# A relation is functional where this share of its heads has one tail, among at least this many heads.
LEAST_SHARE, LEAST_HEADS = 0.95, 20


def one_tail_shares(graph: Graph) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return (r,) the share of each relation's heads with exactly one tail, and (r,) its number of heads.

    Self-loops are not counted; a relation without heads has share 0.
    """
    is_proper = graph.heads != graph.tails
    relation, head, tail = (column[is_proper] for column in (graph.relations, graph.heads, graph.tails))
    pairs = np.unique(np.stack([relation.astype(np.int64), head, tail], axis=1), axis=0)
    owners, tails = np.unique(pairs[:, :2], axis=0, return_counts=True)
    count = len(graph.relation_names)
    heads = np.bincount(owners[:, 0], minlength=count).astype(np.int64)
    single = np.bincount(owners[tails == 1, 0], minlength=count)
    return single / np.maximum(heads, 1), heads


def functional_relations(graph: Graph) -> frozenset[str]:
    """Return the relations with one tail for nearly every head.

    Learnt, not declared: in an incomplete graph a relation looks more functional than it is, which is
    why a contradiction is reported and never deletes anything.
    """
    shares, heads = one_tail_shares(graph)
    return frozenset(
        name
        for name, share, count in zip(graph.relation_names, shares.tolist(), heads.tolist(), strict=True)
        if share >= LEAST_SHARE and count >= LEAST_HEADS
    )


class Contradictions:
    """Finds the triples of a graph that contradict a given statement.

    `nodes_of`: the nodes of a name: several may share a name, or none may have it.
    """

    def __init__(self, graph: Graph, nodes_of: Callable[[str], Sequence[int]]) -> None:
        self._graph, self._nodes_of = graph, nodes_of
        self.functional = functional_relations(graph)
        self._relations = {
            normal_form(words_of(name)): number for number, name in enumerate(graph.relation_names)
        }

    def edges(self, head: str, relation: str, tail: str) -> list[int]:
        """Return the contradicting edges, by number; none where nothing can be concluded.

        The relation must be the graph's by name. Where several nodes have the head's name, each of them
        must contradict: any of them may be meant.
        """
        number = self._relations.get(normal_form(words_of(relation)))
        heads = self._nodes_of(head)
        if number is None or not heads or self._graph.relation_names[number] not in self.functional:
            return []
        tails = set(self._nodes_of(tail))
        contradicting: list[int] = []
        for node in heads:
            edges = self._graph.edges_of(node)
            values = edges[(self._graph.relations[edges] == number) & (self._graph.heads[edges] == node)]
            if not len(values) or np.isin(self._graph.tails[values], list(tails)).any():
                return []
            contradicting += values.tolist()
        return sorted(set(contradicting))
