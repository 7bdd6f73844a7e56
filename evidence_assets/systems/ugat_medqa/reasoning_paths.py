"""Rows of `reasoning_paths`: from what a question is about to what an option names, read out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.graphs.passages import Passage, path_passage
from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
from evidence_assets.graphs.walking.paths import Path, PathFinder
from evidence_assets.graphs.walking.walks import Columns, guided_weights, step_probabilities
from evidence_assets.lake.schemas import REASONING_PATHS
from evidence_assets.models.encoder import FloatArray
from evidence_assets.progress import Progress
from evidence_assets.systems.ugat_medqa.arms import GUIDED_WALK, PAGERANK, Route
from evidence_assets.systems.ugat_medqa.subgraphs import QUESTIONS_AT_ONCE, QuestionConcepts

# m of the thesis's path selection, which it does not state.
PATHS_PER_OPTION = 5
# Sources looked at for each concept of an option. Of more, which a threshold may keep, the thesis takes all,
# and here those with the highest score stand, of equal ones those from where the way is cheapest.
_SOURCES = 200
_DECIMALS = 9


@dataclass(frozen=True, slots=True)
class Relevant:
    """What a question's paths may start from: nodes with their scores, and which are seeds."""

    nodes: NDArray[np.int32]
    scores: NDArray[np.float64]
    is_seed: NDArray[np.bool_]

    def without(self, offered: Collection[int]) -> Relevant:
        """Return all but those that options name: from one option to another is no argument.

        What the question names too is a seed, and stays.
        """
        stays = self.is_seed | ~np.isin(self.nodes, list(offered))
        return Relevant(self.nodes[stays], self.scores[stays], self.is_seed[stays])


@dataclass(frozen=True, slots=True)
class PathContext:
    """What the paths of all questions of a benchmark and route have in common.

    `templates`: a sentence a relation. `contradicted`: ids of triples that others contradict.
    """

    graph: EmbeddedGraph
    finder: PathFinder
    templates: Mapping[str, str]
    contradicted: Collection[str]
    route: Route
    benchmark: str


@dataclass(frozen=True, slots=True)
class _ScoredPath:
    path: Path
    score: float


def path_rows(
    questions: Sequence[QuestionConcepts],
    vectors: FloatArray,
    relevant: Mapping[str, Relevant],
    context: PathContext,
    progress: Progress | None = None,
) -> Iterator[pa.Table]:
    """Yield `reasoning_paths` rows, block by block of questions. `vectors`: (q, d) of the questions.

    For every concept of an option, the cheapest paths to it from the evidence nodes and seeds (thesis 6.4.4);
    of all of an option's, the best five by the mean score of their nodes, each with something new to say.
    An option without a concept, or out of reach, has none.
    """
    for start in range(0, len(questions), QUESTIONS_AT_ONCE):
        block = questions[start : start + QUESTIONS_AT_ONCE]
        ways = _attractiveness(vectors[start : start + len(block)], context)
        rows = [
            _row(question, candidate, rank, scored_path, None if ways is None else ways[:, place], context)
            for place, question in enumerate(block)
            if question.question_id in relevant
            for candidate, nodes in sorted(question.option_concepts.items())
            for rank, scored_path in enumerate(
                best_paths(nodes, _sources(question, relevant[question.question_id]), context.finder), start=1
            )
        ]
        yield pa.Table.from_pylist(rows, schema=REASONING_PATHS.schema)
        if progress is not None:
            progress(start + len(block), len(questions))


def _attractiveness(vectors: FloatArray, context: PathContext) -> Columns | None:
    """Return (n, b) the weights that draw the route's walk to each node; None for a route without a walk."""
    if context.route.method == GUIDED_WALK:
        return guided_weights(context.graph.cosines(vectors))
    if context.route.method == PAGERANK:
        return np.ones((context.graph.adjacency.size, len(vectors)))
    return None


def _sources(question: QuestionConcepts, relevant: Relevant) -> Relevant:
    return relevant.without({node for nodes in question.option_concepts.values() for node in nodes})


def best_paths(targets: Sequence[int], relevant: Relevant, finder: PathFinder) -> list[_ScoredPath]:
    """Return the best paths to any of the targets, best first."""
    scores = dict(zip(relevant.nodes.tolist(), relevant.scores.tolist(), strict=True))
    scored_paths = []
    for target in dict.fromkeys(targets):
        costs = finder.costs_to(target)[relevant.nodes]
        order = np.lexsort((relevant.nodes, costs, -relevant.scores))
        near = [place for place in order.tolist() if 0.0 < costs[place] < np.inf][:_SOURCES]
        for source in relevant.nodes[near].tolist():
            path = finder.path(source, target)
            if path is not None:
                walked = [scores.get(node, 0.0) for node in path.nodes[:-1]]
                scored_paths.append(_ScoredPath(path, round(sum(walked) / len(walked), _DECIMALS)))
    return _apart(
        sorted(scored_paths, key=lambda scored: (-scored.score, scored.path.cost, scored.path.nodes))
    )


def _apart(ordered: Sequence[_ScoredPath]) -> list[_ScoredPath]:
    """Return the first five paths at least half of whose steps are in no path already taken."""
    chosen: list[_ScoredPath] = []
    seen: set[frozenset[int]] = set()
    for scored_path in ordered:
        steps = set(map(frozenset, pairwise(scored_path.path.nodes)))
        if 2 * len(steps - seen) >= len(steps) and len(chosen) < PATHS_PER_OPTION:
            chosen.append(scored_path)
            seen |= steps
    return chosen


def _row(
    question: QuestionConcepts,
    candidate: int,
    rank: int,
    scored_path: _ScoredPath,
    ways: NDArray[np.float64] | None,
    context: PathContext,
) -> dict[str, Any]:
    graph = context.graph
    passage: Passage = path_passage(
        graph.graph, scored_path.path.nodes, context.templates, context.contradicted
    )
    cost = round(scored_path.path.cost, _DECIMALS)
    attention = None if ways is None else step_probabilities(graph.adjacency, scored_path.path.nodes, ways)
    return {
        "benchmark": context.benchmark,
        "route": context.route.name,
        "question_id": question.question_id,
        "candidate": candidate,
        "rank": rank,
        "path_id": passage.path_id,
        "kg": graph.graph.name,
        "text": passage.text,
        "nodes": list(scored_path.path.nodes),
        "triple_ids": list(passage.triple_ids),
        "backwards": list(passage.backwards),
        "denies": passage.denies,
        "conflicts": passage.conflicts,
        "length": len(scored_path.path.nodes) - 1,
        "attention": None if attention is None else [round(step, _DECIMALS) for step in attention],
        "cost": cost,
        "score": scored_path.score,
        "score_parts": [{"name": "node_score", "value": scored_path.score}, {"name": "cost", "value": cost}],
    }
