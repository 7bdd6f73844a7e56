"""Relations with one value, learnt from a graph, and what contradicts the graph in one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.verbalisation import words_of

# A relation has one value where so many of its heads have one tail, and there are enough heads to tell.
LEAST_SHARE, LEAST_HEADS = 0.95, 20


def one_tail_shares(graph: Graph) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return (r,) the share of each relation's heads that have one tail, and (r,) how many heads it has.

    A triple of a node with itself tells nothing, and is not counted; a relation without heads has share 0.
    """
    apart = graph.heads != graph.tails
    relation, head, tail = (column[apart] for column in (graph.relations, graph.heads, graph.tails))
    pairs = np.unique(np.stack([relation.astype(np.int64), head, tail], axis=1), axis=0)
    owners, tails = np.unique(pairs[:, :2], axis=0, return_counts=True)
    count = len(graph.relation_names)
    heads = np.bincount(owners[:, 0], minlength=count).astype(np.int64)
    single = np.bincount(owners[tails == 1, 0], minlength=count)
    return single / np.maximum(heads, 1), heads


def functional_relations(
    graph: Graph, least_share: float = LEAST_SHARE, least_heads: int = LEAST_HEADS
) -> frozenset[str]:
    """Return the relations that have at most one tail for nearly every head.

    Learnt, not declared: a graph that lacks triples makes a relation look more single than it is, which is
    why a contradiction is told and never deletes anything.
    """
    shares, heads = one_tail_shares(graph)
    return frozenset(
        name
        for name, share, count in zip(graph.relation_names, shares.tolist(), heads.tolist(), strict=True)
        if share >= least_share and count >= least_heads
    )


class Contradictions:
    """Says which of a graph's triples contradict one that somebody states.

    Parameters
    ----------
    nodes_of
        The nodes of a name: of one name there may be several, or none.
    functional
        The relations that have one value; default: those that the graph shows to.
    """

    def __init__(
        self, graph: Graph, nodes_of: Callable[[str], Sequence[int]], functional: frozenset[str] | None = None
    ) -> None:
        self._graph, self._nodes_of = graph, nodes_of
        self.functional = functional_relations(graph) if functional is None else functional
        self._relations = {
            normal_form(words_of(name)): number for number, name in enumerate(graph.relation_names)
        }

    def edges(self, head: str, relation: str, tail: str) -> list[int]:
        """Return the edges that say otherwise, by number; none where nothing can be told.

        The relation must be the graph's by name. Where several nodes have the head's name, every one of them
        must say otherwise: it may be any of them that is meant.
        """
        number = self._relations.get(normal_form(words_of(relation)))
        heads = self._nodes_of(head)
        if number is None or not heads or self._graph.relation_names[number] not in self.functional:
            return []
        tails = set(self._nodes_of(tail))
        found: list[int] = []
        for node in heads:
            own = self._graph.edges_of(node)
            values = own[(self._graph.relations[own] == number) & (self._graph.heads[own] == node)]
            if not len(values) or np.isin(self._graph.tails[values], list(tails)).any():
                return []
            found += values.tolist()
        return sorted(set(found))
