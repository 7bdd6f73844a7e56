"""What attention leaves of a text before anybody rates it: the first triples of a subgraph, an option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
from evidence_assets.models.encoder import FloatArray
from evidence_assets.systems.attention2query.facts import QuestionLinks
from evidence_assets.systems.attention2query.neighbourhoods import products
from evidence_assets.systems.attention2query.subgraphs import Subgraph
from evidence_assets.text.verbalisation import verbalise

_DECIMALS = 6


@dataclass(frozen=True)
class Draft:
    """Triples not yet rated, with the text that they are held against.

    `joins`: which of an option's triples have a concept of the question at their other end.
    """

    text: str
    edges: NDArray[np.int32]
    attention: NDArray[np.float64]
    sentences: Sequence[str]
    answers: Sequence[tuple[int, ...]]
    joins: NDArray[np.bool_] | None = None


class Drafter:
    """Makes drafts of at most `most` triples, those that attention puts first."""

    def __init__(self, graph: EmbeddedGraph, templates: Mapping[str, str], most: int) -> None:
        self._graph, self._templates, self._most = graph, templates, most

    def of_subgraph(
        self, text: str, subgraph: Subgraph, edges: NDArray[np.int32], joins: NDArray[np.bool_] | None = None
    ) -> Draft:
        """Return some of a subgraph's triples; each would answer with its farther end."""
        graph = self._graph.graph
        attention = subgraph.edge_scores(graph, edges)
        first = self._first(edges, attention, joins)
        edges = edges[first]
        hops = [
            subgraph.hops[np.searchsorted(subgraph.nodes, end[edges])] for end in (graph.heads, graph.tails)
        ]
        answers = [
            tuple(end for end, hop in ((head, near), (tail, far)) if hop == max(near, far) and hop > 0)
            for head, tail, near, far in zip(
                graph.heads[edges].tolist(),
                graph.tails[edges].tolist(),
                hops[0].tolist(),
                hops[1].tolist(),
                strict=True,
            )
        ]
        return self._draft(text, edges, attention[first], answers, None if joins is None else joins[first])

    def at_option(self, question: QuestionLinks, candidate: int, vector: FloatArray) -> Draft:
        """Return an option's own triples. `vector` (d,) is the question's."""
        option_nodes = [node for token in question.tokens_of(candidate) for node in token.nodes]
        question_nodes = [node for token in question.tokens for node in token.nodes]
        triples = own_triples(self._graph.graph, option_nodes, question_nodes, self._graph.vectors, vector)
        first = self._first(triples.edges, triples.attention, triples.joins)
        answers = [(node,) for node in triples.far[first].tolist()]
        return self._draft(
            question.question, triples.edges[first], triples.attention[first], answers, triples.joins[first]
        )

    def _first(
        self, edges: NDArray[np.int32], attention: NDArray[np.float64], joins: NDArray[np.bool_] | None
    ) -> NDArray[np.int64]:
        """Return the places of the first triples. What joins question and option is never left out."""
        apart = np.ones(len(edges), bool) if joins is None else ~joins
        return np.lexsort((edges, -attention, apart))[: self._most]

    def _draft(
        self,
        text: str,
        edges: NDArray[np.int32],
        attention: NDArray[np.float64],
        answers: Sequence[tuple[int, ...]],
        joins: NDArray[np.bool_] | None,
    ) -> Draft:
        sentences = [self._sentence(edge) for edge in edges.tolist()]
        return Draft(text, edges, attention, sentences, answers, joins)

    def _sentence(self, edge: int) -> str:
        head, relation, tail = self._graph.graph.triple(edge)
        return verbalise(self._templates[relation], head, tail)


@dataclass(frozen=True)
class OwnTriples:
    """Edges (e,) ascending; of each the far end, the attention to it, and whether it joins the question."""

    edges: NDArray[np.int32]
    far: NDArray[np.int32]
    attention: NDArray[np.float64]
    joins: NDArray[np.bool_]


def own_triples(
    graph: Graph,
    option_nodes: Sequence[int],
    question_nodes: Sequence[int],
    vectors: FloatArray,
    question: FloatArray,
) -> OwnTriples:
    """Return every triple at an option's nodes, without loops; those of a hub too, however many.

    A triple between the two joins them. A wider neighbourhood says more of the question than of the option:
    every option of a question shares it. `vectors`, `question`: (n, d) text vectors of all nodes, (d,) the
    question's. Attention is their product.
    """
    edges = np.unique(
        np.concatenate([np.empty(0, np.int32), *(graph.edges_of(node) for node in option_nodes)])
    )
    edges = edges[graph.heads[edges] != graph.tails[edges]].astype(np.int32)
    heads, tails = graph.heads[edges], graph.tails[edges]
    at_head, at_tail = np.isin(heads, option_nodes), np.isin(tails, option_nodes)
    far = np.where(at_head, tails, heads).astype(np.int32)
    joins = (at_head & np.isin(tails, question_nodes)) | (at_tail & np.isin(heads, question_nodes))
    return OwnTriples(edges, far, products(vectors, far, question).round(_DECIMALS), joins)
