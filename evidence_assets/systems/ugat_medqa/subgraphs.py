"""Rows of `question_subgraphs`: where each question's walk starts, and how far it may go."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.graphs.graph import BrokenGraphError
from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
from evidence_assets.graphs.walking.neighbourhoods import neighbourhood
from evidence_assets.graphs.walking.walk_seeds import Seed, walk_seeds
from evidence_assets.lake.schemas import QUESTION_SUBGRAPHS
from evidence_assets.models.encoder import FloatArray
from evidence_assets.progress import Progress
from evidence_assets.systems.ugat_medqa.arms import SubgraphExtent
from evidence_assets.text.queries import NO_OPTION

QUESTIONS_AT_ONCE = 64
# Numbers in one array of a block, a node and question each: 128 MB.
_CELLS = 1 << 24


def questions_at_once(graph: EmbeddedGraph) -> int:
    """Return how many questions are walked together: fewer over a graph of millions of nodes."""
    return max(1, min(QUESTIONS_AT_ONCE, _CELLS // max(graph.adjacency.size, 1)))


@dataclass(frozen=True, slots=True)
class QuestionConcepts:
    """A question with the nodes that its text names, and those that each option names."""

    question_id: str
    question: str
    options: Sequence[str]
    concepts: Sequence[int]
    option_concepts: Mapping[int, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Subgraph:
    """A question's part of the graph: seeds, nodes (m,) ascending, and their hops from the nearest seed."""

    question_id: str
    seeds: Sequence[Seed]
    nodes: NDArray[np.int32]
    hops: NDArray[np.int8]


def questions_with_concepts(questions: pa.Table, concepts: pa.Table) -> list[QuestionConcepts]:
    """Return `questions` rows with the nodes of their `question_concepts` rows, most telling first."""
    concept_nodes: dict[str, dict[int, list[int]]] = {}
    order = [("question_id", "ascending"), ("candidate", "ascending"), ("relevance", "descending")]
    columns = ["question_id", "candidate", "relevance", "node"]
    for row in concepts.select(columns).sort_by([*order, ("node", "ascending")]).to_pylist():
        nodes = concept_nodes.setdefault(row["question_id"], {}).setdefault(row["candidate"], [])
        if row["node"] not in nodes:
            nodes.append(row["node"])
    linked = []
    for row in questions.select(["question_id", "question", "options"]).to_pylist():
        of_options = dict(concept_nodes.get(row["question_id"], {}))
        named = of_options.pop(NO_OPTION, [])
        linked.append(
            QuestionConcepts(row["question_id"], row["question"], row["options"], named, of_options)
        )
    return linked


def subgraph_rows(
    questions: Sequence[QuestionConcepts],
    vectors: FloatArray,
    graph: EmbeddedGraph,
    around: SubgraphExtent,
    benchmark: str,
    progress: Progress | None = None,
) -> Iterator[pa.Table]:
    """Yield `question_subgraphs` rows, block by block of questions.

    `vectors`: (q, d) of the questions. The nodes are those within `hops` hops of the concepts that the
    question names (thesis 6.4.2), or, where it names none, of the nodes nearest to it in meaning.
    """
    size = questions_at_once(graph)
    for start in range(0, len(questions), size):
        block = questions[start : start + size]
        cosines = graph.cosines(vectors[start : start + len(block)])
        rows = [
            _row(question, cosines[:, place], graph, around, benchmark)
            for place, question in enumerate(block)
        ]
        yield pa.Table.from_pylist(rows, schema=QUESTION_SUBGRAPHS.schema)
        if progress is not None:
            progress(start + len(block), len(questions))


def _row(
    question: QuestionConcepts,
    cosines: NDArray[np.float64],
    graph: EmbeddedGraph,
    around: SubgraphExtent,
    benchmark: str,
) -> dict[str, Any]:
    seeds = walk_seeds(question.concepts, cosines)
    origins = [seed.node for seed in seeds if seed.is_concept] or [seed.node for seed in seeds]
    surroundings = neighbourhood(graph.adjacency, origins, around.hops, around.max_nodes)
    within = set(surroundings.nodes.tolist())
    kept = [seed for seed in seeds if seed.node in within]
    total = sum(seed.weight for seed in kept)
    return {
        "benchmark": benchmark,
        "neighbourhood": around.name,
        "question_id": question.question_id,
        "kg": graph.graph.name,
        "seeds": [
            {"node": seed.node, "weight": round(seed.weight / total, 12), "is_concept": seed.is_concept}
            for seed in kept
        ],
        "nodes": surroundings.nodes,
        "hops": surroundings.distances,
        "reached": surroundings.reached,
        "dropped": surroundings.dropped,
    }


def read_subgraphs(rows: pa.Table) -> dict[str, Subgraph]:
    """Return the subgraphs of `question_subgraphs` rows, by question."""
    subgraphs = {}
    seeds = rows.column("seeds").to_pylist()
    lists = {name: rows.column(name).combine_chunks() for name in ("nodes", "hops")}
    for place, question_id in enumerate(rows.column("question_id").to_pylist()):
        nodes, hops = (lists[name][place].values.to_numpy() for name in ("nodes", "hops"))
        question_seeds = [Seed(seed["node"], seed["weight"], seed["is_concept"]) for seed in seeds[place]]
        subgraphs[question_id] = Subgraph(question_id, question_seeds, nodes, hops)
    return subgraphs


def subgraphs_of(
    questions: Sequence[QuestionConcepts], by_question: Mapping[str, Subgraph]
) -> list[Subgraph]:
    """Return the questions' subgraphs, in order.

    Raises:
        BrokenGraphError: a question has none, or its subgraph starts at concepts that it does not name.
    """
    subgraphs = []
    for question in questions:
        subgraph = by_question.get(question.question_id)
        starts = set() if subgraph is None else {seed.node for seed in subgraph.seeds if seed.is_concept}
        if subgraph is None or not starts <= set(question.concepts):
            raise BrokenGraphError(
                f"question {question.question_id}: question_subgraphs is older than question_concepts; "
                "remedy: materialise question_subgraphs anew"
            )
        subgraphs.append(subgraph)
    return subgraphs
