"""Embedded graphs, questions and rows of the lake, for the tests of UGAT-MedQA."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.walking.adjacency import adjacency
from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
from evidence_assets.graphs.walking.walks import prior
from evidence_assets.lake.schemas import NODE_RELEVANCE, QUESTION_CONCEPTS, REASONING_PATHS
from evidence_assets.systems.ugat_medqa.arms import SubgraphExtent
from evidence_assets.systems.ugat_medqa.subgraphs import (
    QuestionConcepts,
    Subgraph,
    read_subgraphs,
    subgraph_rows,
)
from evidence_assets_tests.testing.graph_samples import Row, SignEncoder, graph_of
from evidence_assets_tests.testing.network_samples import Network
from evidence_assets_tests.testing.table_rows import table_of


def embedded(graph: Graph) -> EmbeddedGraph:
    neighbours = adjacency(graph)
    vectors = SignEncoder().encode(graph.labels.to_pylist())
    return EmbeddedGraph(graph, neighbours, vectors, prior(neighbours))


def embedded_rows(rows: Sequence[Row]) -> EmbeddedGraph:
    return embedded(graph_of(rows))


def embedded_network(network: Network) -> EmbeddedGraph:
    return embedded(network.graph)


def question_concepts(
    question_id: str,
    question: str,
    concepts: Sequence[int] = (),
    option_concepts: Mapping[int, Sequence[int]] | None = None,
    options: Sequence[str] = ("yes", "no"),
) -> QuestionConcepts:
    return QuestionConcepts(question_id, question, options, concepts, option_concepts or {})


def vectors_of(questions: Sequence[QuestionConcepts]) -> np.ndarray:
    return SignEncoder().encode([question.question for question in questions])


def subgraphs_of(
    questions: Sequence[QuestionConcepts], graph: EmbeddedGraph, hops: int = 2, most: int = 1000
) -> list[Subgraph]:
    """Every question's subgraph, through the rows of the lake."""
    around = SubgraphExtent("near", hops, most)
    rows = pa.concat_tables(subgraph_rows(questions, vectors_of(questions), graph, around, "b"))
    subgraphs = read_subgraphs(rows)
    return [subgraphs[question.question_id] for question in questions]


def concept_table(*concepts: tuple[str, int, str, int, float]) -> pa.Table:
    """`question_concepts` rows of (question, candidate, phrase, node, relevance)."""
    rows = [
        {
            "benchmark": "b",
            "question_id": question_id,
            "candidate": candidate,
            "char_start": place,
            "char_end": place + len(phrase),
            "phrase": phrase,
            "relevance": relevance,
            "kg": "kg",
            "node": node,
            "label": f"n{node:03}",
            "method": "exact",
            "score": 1.0,
            "triples": 1,
        }
        for place, (question_id, candidate, phrase, node, relevance) in enumerate(concepts)
    ]
    return table_of(QUESTION_CONCEPTS, *rows)


def path_row(
    question_id: str, candidate: int, rank: int, text: str, score: float = 0.5, cost: float = 1.0
) -> dict[str, Any]:
    triple_id = f"{question_id}-{candidate}-{rank}"
    return {
        "benchmark": "b",
        "route": "guided_walk",
        "question_id": question_id,
        "candidate": candidate,
        "rank": rank,
        "path_id": f"path {triple_id}",
        "kg": "kg",
        "text": text,
        "nodes": [rank, candidate],
        "triple_ids": [triple_id],
        "backwards": [False],
        "denies": False,
        "conflicts": 0,
        "length": 1,
        "attention": [0.25],
        "cost": cost,
        "score": score,
        "score_parts": [{"name": "node_score", "value": score}],
    }


def path_table(*rows: dict[str, Any]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=REASONING_PATHS.schema)


def node_row(question_id: str, node: int, **changes: Any) -> dict[str, Any]:
    return {
        "benchmark": "b",
        "route": "guided_walk",
        "question_id": question_id,
        "kg": "kg",
        "node": node,
        "label": f"n{node:03}",
        "rank": 1,
        "score": 0.5,
        "lift": 0.0,
        "kept": True,
        "is_seed": False,
        "hops": 1,
        "candidates": [],
        **changes,
    }


def node_table(*rows: dict[str, Any]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), schema=NODE_RELEVANCE.schema)
