"""How relevant the nodes of a question's subgraph are, by a walk, by cosine, by a trained network, or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evidence_assets.graphs.walking.embedded_graph import EmbeddedGraph
from evidence_assets.graphs.walking.walks import guided_weights, lift, walk
from evidence_assets.models.encoder import FloatArray
from evidence_assets.systems.ugat_medqa.arms import COSINE, GUIDED_WALK, KINDS, NONE, PAGERANK, Route
from evidence_assets.systems.ugat_medqa.as_printed.attention import QuestionGraph, trained_relevance
from evidence_assets.systems.ugat_medqa.as_printed.config import AttentionConfig
from evidence_assets.systems.ugat_medqa.diagnostics import seed_correlation
from evidence_assets.systems.ugat_medqa.subgraphs import Subgraph, questions_at_once

_DECIMALS = 9
# A second training with this seed added measures how far the scores are chance; of every tenth question: it
# doubles the work.
_OTHER_SEED, _EVERY = 1, 10

Floats = NDArray[np.float64]
# Of a subgraph's m nodes, in its order: scores (m,), and the lifts of a walk.
_Scored = tuple[Floats, Floats | None]


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
            yield from _trained(block, vectors, graph, route, config, start)
        else:
            for scores, lifts in score(block, vectors, graph):
                yield NodeScores(scores, best(scores, route.kept), lifts)


def best(scores: Floats, count: int | None) -> NDArray[np.bool_]:
    """Return which are the best so many, equal ones by place; all where `count` is None."""
    kept = np.ones(len(scores), dtype=np.bool_)
    if count is not None and count < len(scores):
        kept[np.argsort(-scores, kind="stable")[count:]] = False
    return kept


def _walked(block: Sequence[Subgraph], graph: EmbeddedGraph, weights: Floats) -> Iterator[_Scored]:
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
        yield scores, raised[subgraph.nodes, column].round(_DECIMALS)


def _trained(
    block: Sequence[Subgraph],
    questions: FloatArray,
    graph: EmbeddedGraph,
    route: Route,
    config: AttentionConfig,
    start: int,
) -> Iterator[NodeScores]:
    """Yield the scores of networks trained on each subgraph alone, kept above the threshold or by number."""
    kind = route.method
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
        kept = trained.kept(config.threshold) if route.threshold else best(trained.scores, route.kept)
        yield NodeScores(trained.scores, kept, None, alike)


_Method = Callable[[Sequence[Subgraph], FloatArray, EmbeddedGraph], Iterable[_Scored]]
_METHODS: dict[str, _Method] = {
    GUIDED_WALK: lambda block, questions, graph: _walked(
        block, graph, guided_weights(graph.cosines(questions))
    ),
    PAGERANK: lambda block, questions, graph: _walked(
        block, graph, np.ones((graph.adjacency.size, len(block)))
    ),
    COSINE: lambda block, questions, graph: (
        (cosines[subgraph.nodes], None)
        for subgraph, cosines in zip(block, graph.cosines(questions).T, strict=True)
    ),
    NONE: lambda block, questions, graph: ((np.zeros(len(subgraph.nodes)), None) for subgraph in block),
}
METHODS = (*_METHODS, *KINDS)
