"""How relevant the nodes of a question's subgraph are, by a walk, by cosine, by a trained network, or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.embedded_graph import EmbeddedGraph
from evidence_assets.graphs.walks import guided_weights, lift, walk
from evidence_assets.models.encoder import FloatArray
from evidence_assets.systems.ugat_medqa.arms import COSINE, GUIDED_WALK, KINDS, NONE, PAGERANK, Route
from evidence_assets.systems.ugat_medqa.as_printed.attention import QuestionGraph, trained_relevance
from evidence_assets.systems.ugat_medqa.as_printed.config import AttentionConfig
from evidence_assets.systems.ugat_medqa.diagnostics import seed_correlation
from evidence_assets.systems.ugat_medqa.subgraphs import Subgraph, questions_at_once

_DECIMALS = 9
# A second training with this seed added tells how far the scores are chance; of every tenth question, for it
# doubles the work.
_OTHER_SEED, _EVERY = 1, 10

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class NodeScores:
    """The scores of a subgraph's m nodes, in its order.

    `scores` (m,): higher is more relevant; `kept` (m,): evidence nodes; `lifts` (m,): log of a walk's mass
    over the unguided walk's, None where nothing walks; `seed_correlation`: between two trainings, where there
    were.
    """

    scores: Floats
    kept: NDArray[np.bool_]
    lifts: Floats | None = None
    seed_correlation: float | None = None


def node_scores(
    subgraphs: Sequence[Subgraph],
    questions: FloatArray,
    graph: EmbeddedGraph,
    route: Route,
    config: AttentionConfig,
) -> Iterator[NodeScores]:
    """Yield the scores of every subgraph's nodes, in order. `questions`: (q, d) unit vectors.

    Raises:
        ValueError: there is no such method.
    """
    score = _METHODS.get(route.method)
    if score is None and route.method not in KINDS:
        raise ValueError(f"no relevance {route.method!r}: choose one of {', '.join(METHODS)}")
    size = questions_at_once(graph)
    for start in range(0, len(subgraphs), size):
        block = subgraphs[start : start + size]
        vectors = questions[start : start + len(block)]
        if score is None:
            yield from _trained(block, vectors, graph, route.method, config, start)
        else:
            for scores in score(block, vectors, graph):
                yield replace(scores, kept=best(scores.scores, route.kept))


def best(scores: Floats, count: int | None) -> NDArray[np.bool_]:
    """Return which are the best so many, equal ones by place; all where `count` is None."""
    kept = np.ones(len(scores), dtype=np.bool_)
    if count is not None and count < len(scores):
        kept[np.argsort(-scores, kind="stable")[count:]] = False
    return kept


def _guided(block: Sequence[Subgraph], questions: FloatArray, graph: EmbeddedGraph) -> Iterator[NodeScores]:
    return _walked(block, graph, guided_weights(graph.cosines(questions)))


def _unguided(block: Sequence[Subgraph], questions: FloatArray, graph: EmbeddedGraph) -> Iterator[NodeScores]:
    return _walked(block, graph, np.ones((graph.adjacency.size, len(block))))


def _walked(block: Sequence[Subgraph], graph: EmbeddedGraph, weights: Floats) -> Iterator[NodeScores]:
    """Yield scores of walks within their subgraphs: mass as a share of the largest, and its lift."""
    seeds, inside = np.zeros_like(weights), np.zeros_like(weights)
    for column, subgraph in enumerate(block):
        inside[subgraph.nodes, column] = 1.0
        for seed in subgraph.seeds:
            seeds[seed.node, column] = seed.weight
    mass = walk(graph.adjacency, seeds, weights * inside)
    raised = lift(mass, graph.prior)
    for column, subgraph in enumerate(block):
        masses = mass[subgraph.nodes, column]
        scores = (masses / masses.max(initial=np.finfo(np.float64).tiny)).round(_DECIMALS)
        yield NodeScores(scores, _all(scores), raised[subgraph.nodes, column].round(_DECIMALS))


def _near(block: Sequence[Subgraph], questions: FloatArray, graph: EmbeddedGraph) -> Iterator[NodeScores]:
    cosines = graph.cosines(questions)
    for column, subgraph in enumerate(block):
        scores = cosines[subgraph.nodes, column]
        yield NodeScores(scores, _all(scores))


def _alike(block: Sequence[Subgraph], questions: FloatArray, graph: EmbeddedGraph) -> Iterator[NodeScores]:
    for subgraph in block:
        scores = np.zeros(len(subgraph.nodes))
        yield NodeScores(scores, _all(scores))


def _all(scores: Floats) -> NDArray[np.bool_]:
    return np.ones(len(scores), dtype=np.bool_)


def _trained(
    block: Sequence[Subgraph],
    questions: FloatArray,
    graph: EmbeddedGraph,
    kind: str,
    config: AttentionConfig,
    start: int,
) -> Iterator[NodeScores]:
    """Yield the scores of networks trained on each subgraph alone, kept above the threshold."""
    graphs = [
        QuestionGraph(graph.vectors[subgraph.nodes], graph.adjacency.within(subgraph.nodes), question)
        for subgraph, question in zip(block, questions, strict=True)
    ]
    again = [place for place in range(len(block)) if (start + place) % _EVERY == 0]
    reseeded = replace(config, seed=config.seed + _OTHER_SEED)
    repeated = trained_relevance([graphs[place] for place in again], kind, reseeded)
    repeated_scores = dict(zip(again, repeated, strict=True))
    for place, trained in enumerate(trained_relevance(graphs, kind, config)):
        alike = (
            seed_correlation(trained.scores, repeated_scores[place].scores)
            if place in repeated_scores
            else None
        )
        yield NodeScores(trained.scores, trained.kept(config.threshold), None, alike)


_Method = Callable[[Sequence[Subgraph], FloatArray, EmbeddedGraph], Iterator[NodeScores]]
_METHODS: dict[str, _Method] = {GUIDED_WALK: _guided, PAGERANK: _unguided, COSINE: _near, NONE: _alike}
METHODS = (*_METHODS, *KINDS)
