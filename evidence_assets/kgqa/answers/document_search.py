"""Search over the documents of a graph's nodes, and by hops: what answers without reading the question."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evidence_assets.evidence.units import EvidenceUnit, unit_of_document
from evidence_assets.graphs.walking.adjacency import Adjacency
from evidence_assets.graphs.walking.neighbourhoods import UNREACHED, distances
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.models.encoder import Encode, FloatArray

# How far a path is followed, and after how many nodes no further.
MOST_HOPS, ENOUGH = 3, 20
# Words of one part of a document: within what an encoder of 256 tokens reads.
PART_WORDS = 160
_DECIMALS = 6
_FARTHEST = -1.0
_QUESTIONS_AT_ONCE = 256

Nodes = NDArray[np.int32]
Pool = Sequence[tuple[int, float]]


@dataclass(frozen=True)
class DocumentedGraph:
    """A graph with its nodes' documents and their ids, one document per node.

    `triples_start`: where in each document its triples begin, in characters; empty where nobody says.
    """

    base: KnowledgeBase
    documents: Sequence[str]
    document_ids: Sequence[str]
    triples_start: Sequence[int] = ()

    def document(self, node: int) -> EvidenceUnit:
        """Return a node's document as evidence."""
        return unit_of_document(self.document_ids[node], self.documents[node])


@dataclass(frozen=True)
class Search:
    """What search makes of a benchmark's questions.

    `pools`: of each question, by its id, the nodes that are nearest, best first, with how near. `questions`
    (q, d) and `documents` (n, d), one a node: unit vectors. `left_out`: nodes that a question's pool never
    holds. `unread`: of a question, by its place, the nodes whose documents are withheld: nothing tells how
    near they are, and they are the farthest.
    """

    pools: Mapping[str, Pool]
    questions: FloatArray
    documents: FloatArray
    left_out: Mapping[str, Collection[int]] = field(default_factory=dict)
    unread: Mapping[int, Nodes] = field(default_factory=dict)

    def nearness(self, place: int) -> Callable[[Nodes], NDArray[np.float64]]:
        """Return a function from nodes to their cosines with the question at `place`, to six decimals."""

        def of(nodes: Nodes) -> NDArray[np.float64]:
            cosines: NDArray[np.float64] = self.documents[nodes] @ self.questions[place]
            near = cosines.astype(np.float64).round(_DECIMALS)
            if place in self.unread:
                near[np.isin(nodes, self.unread[place])] = _FARTHEST
            return near

        return of

    def nearest(self, place: int, nodes: Nodes, most: int) -> Pool:
        """Return the nodes, of these, whose documents are nearest to the question at `place`, best first."""
        near = self.nearness(place)(nodes)
        order = np.lexsort((nodes, -near))[:most]
        return [(int(nodes[at]), float(near[at])) for at in order]


def named_nodes(questions: Sequence[LinkedQuestion]) -> dict[str, frozenset[int]]:
    """Return the nodes that each question names, by its id."""
    return {
        question.question_id: frozenset(node for topic in question.topics for node in topic.nodes)
        for question in questions
    }


def without(pools: Mapping[str, Pool], left_out: Mapping[str, Collection[int]]) -> dict[str, Pool]:
    """Return pools without some nodes of each question: what a question names is always near it."""
    return {
        question_id: [(node, score) for node, score in pool if node not in left_out.get(question_id, ())]
        for question_id, pool in pools.items()
    }


def hop_levels(adjacency: Adjacency, topics: Sequence[Sequence[int]], enough: int = ENOUGH) -> list[Nodes]:
    """Return the nodes by how many hops they are from all topics together, the fewest first, topics left out.

    `topics`: the nodes of each topic; the nearest of one counts. A node that is too far from one of them is
    left out. Levels end with that which completes `enough` nodes.
    """
    reached = [distances(adjacency, nodes, MOST_HOPS).astype(np.int64) for nodes in topics if len(nodes)]
    if not reached:
        return []
    total = np.sum(reached, axis=0)
    near = np.all([hops_from_topic != UNREACHED for hops_from_topic in reached], axis=0)
    near[[node for nodes in topics for node in nodes]] = False
    levels: list[Nodes] = []
    for length in np.unique(total[near]).tolist():
        if sum(map(len, levels)) >= enough:
            break
        levels.append(np.flatnonzero(near & (total == length)).astype(np.int32))
    return levels


def part_pools(
    question_ids: Sequence[str], questions: FloatArray, graph: DocumentedGraph, encode: Encode, depth: int
) -> dict[str, Pool]:
    """Return the nodes nearest to each question by the best part of their documents (Multi-VSS of STaRK).

    What a document says of its node and what its triples say are apart, long ones cut further.
    """
    owners: list[int] = []
    texts: list[str] = []
    starts = graph.triples_start or [0] * len(graph.documents)
    for node, (document, start) in enumerate(zip(graph.documents, starts, strict=True)):
        for part in document_parts(document, start):
            owners.append(node)
            texts.append(part)
    if not texts:
        return {}
    vectors, owner = encode(texts), np.array(owners, dtype=np.int32)
    begins = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]])
    nodes = owner[begins]
    pools: dict[str, Pool] = {}
    for start in range(0, len(question_ids), _QUESTIONS_AT_ONCE):
        block = questions[start : start + _QUESTIONS_AT_ONCE]
        cosines = np.maximum.reduceat((block @ vectors.T).astype(np.float64).round(_DECIMALS), begins, axis=1)
        for row, question_id in zip(cosines, question_ids[start:], strict=False):
            order = np.lexsort((nodes, -row))[:depth]
            pools[question_id] = [(int(nodes[at]), float(row[at])) for at in order]
    return pools


def document_parts(document: str, triples_start: int) -> Iterator[str]:
    """Yield what a document says of its node, then its triples, at most `PART_WORDS` words a part."""
    for text in (document[:triples_start], document[triples_start:]):
        words = text.split()
        for start in range(0, len(words), PART_WORDS):
            yield " ".join(words[start : start + PART_WORDS])
