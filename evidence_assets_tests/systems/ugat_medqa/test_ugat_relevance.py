"""How relevant nodes are by every method: against the formulas written out, and attention's own scores."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from evidence_assets.systems.ugat_medqa import subgraphs
from evidence_assets.systems.ugat_medqa.arms import ROUTES, Route
from evidence_assets.systems.ugat_medqa.as_printed.attention import QuestionGraph, trained_relevance
from evidence_assets.systems.ugat_medqa.as_printed.config import AttentionConfig
from evidence_assets.systems.ugat_medqa.diagnostics import seed_correlation
from evidence_assets.systems.ugat_medqa.relevance import METHODS, NodeScores, best, node_scores
from evidence_assets_tests.testing.network_samples import random_network, walked
from evidence_assets_tests.testing.ugat_samples import (
    embedded_network,
    embedded_rows,
    question_concepts,
    subgraphs_of,
    vectors_of,
)

NETWORK = random_network(50, 60, 2)
GRAPH = embedded_network(NETWORK)
QUESTIONS = [
    question_concepts(f"q{number}", f"{number}?", [number, 2 * number][: number % 3]) for number in range(12)
]
SUBGRAPHS = subgraphs_of(QUESTIONS, GRAPH)
VECTORS = vectors_of(QUESTIONS)
SMALL = AttentionConfig(heads=2, layers=1, width=8, steps=3, threshold=0.1)


def scored(route: Route, config: AttentionConfig = SMALL) -> list[NodeScores]:
    return list(node_scores(SUBGRAPHS, VECTORS, GRAPH, route, config))


@pytest.mark.parametrize("method", ["guided_walk", "pagerank"])
def test_walks_are_their_formula_within_the_subgraph(method: str) -> None:
    cosines = (GRAPH.vectors @ VECTORS.T).astype(np.float64).round(6)
    for column, (subgraph, relevance) in enumerate(zip(SUBGRAPHS, scored(ROUTES[method]), strict=True)):
        seeds, weights = [0.0] * 50, [0.0] * 50
        for seed in subgraph.seeds:
            seeds[seed.node] = seed.weight
        for node in subgraph.nodes.tolist():
            weights[node] = math.exp(cosines[node, column] / 0.15) if method == "guided_walk" else 1.0
        mass = np.array(walked(NETWORK.oracle, seeds, weights, 0.3, 8))
        inside = mass[subgraph.nodes]
        assert mass.sum() == pytest.approx(inside.sum()), "nothing leaves the subgraph"
        np.testing.assert_allclose(relevance.scores, inside / inside.max(), rtol=0, atol=2e-9)
        with np.errstate(divide="ignore"):
            lifts = np.log(inside) - np.log(GRAPH.prior[subgraph.nodes])
        assert relevance.lifts is not None
        np.testing.assert_allclose(relevance.lifts, lifts, rtol=0, atol=1e-8)
        assert relevance.scores.max() == 1.0
        assert relevance.seed_correlation is None


def test_the_question_guides_the_guided_walk_alone() -> None:
    other_vectors = vectors_of([question_concepts("q", "an other question")] * 12)
    for name in ("guided_walk", "cosine", "pagerank", "unfiltered"):
        [again, *_] = node_scores(SUBGRAPHS, other_vectors, GRAPH, ROUTES[name], SMALL)
        assert (again.scores.tolist() != scored(ROUTES[name])[0].scores.tolist()) == (
            name in ("guided_walk", "cosine")
        )


def test_cosine_is_of_node_and_question() -> None:
    for column, relevance in enumerate(scored(ROUTES["cosine"])):
        expected = (GRAPH.vectors[SUBGRAPHS[column].nodes] @ VECTORS[column]).astype(np.float64).round(6)
        np.testing.assert_array_equal(relevance.scores, expected)
        assert relevance.lifts is None


def test_without_a_filter_all_are_alike_and_kept() -> None:
    for subgraph, relevance in zip(SUBGRAPHS, scored(ROUTES["unfiltered"]), strict=True):
        assert relevance.scores.tolist() == [0.0] * len(subgraph.nodes)
        assert relevance.kept.all()
        assert len(relevance.kept) == len(subgraph.nodes)
        assert relevance.lifts is None


@pytest.mark.parametrize("name", ["guided_walk", "pagerank", "cosine"])
@pytest.mark.parametrize("count", [0, 1, 4, 1000, None])
def test_the_best_so_many_are_kept(name: str, count: int | None) -> None:
    for relevance in scored(replace(ROUTES[name], kept=count)):
        most = len(relevance.scores) if count is None else min(count, len(relevance.scores))
        order = sorted(range(len(relevance.scores)), key=lambda place: (-relevance.scores[place], place))
        assert np.flatnonzero(relevance.kept).tolist() == sorted(order[:most])


def test_of_equal_scores_the_first_are_best() -> None:
    scores = np.array([0.5, 0.9, 0.5, 0.5])
    assert best(scores, 2).tolist() == [True, True, False, False]
    assert best(scores, 3).tolist() == [True, True, True, False]
    assert best(scores, 4).all()
    assert best(scores, None).all()
    assert not best(scores, 0).any()


@pytest.mark.parametrize("kind", ["attention", "convolution"])
def test_trained_scores_are_those_of_the_network_alone(kind: str) -> None:
    graphs = [
        QuestionGraph(GRAPH.vectors[subgraph.nodes], GRAPH.adjacency.within(subgraph.nodes), vector)
        for subgraph, vector in zip(SUBGRAPHS, VECTORS, strict=True)
    ]
    expected = list(trained_relevance(graphs, kind, SMALL))
    again = list(trained_relevance(graphs, kind, replace(SMALL, seed=1)))
    relevances = scored(ROUTES[kind])
    assert len(relevances) == 12
    for place, relevance in enumerate(relevances):
        np.testing.assert_allclose(relevance.scores, expected[place].scores, rtol=0, atol=2e-6)
        assert relevance.kept.tolist() == (relevance.scores > 0.1).tolist()
        assert relevance.lifts is None
        if place % 10:
            assert relevance.seed_correlation is None
        else:
            alike = seed_correlation(expected[place].scores, again[place].scores)
            assert relevance.seed_correlation == pytest.approx(alike, abs=1e-4)
    assert (
        0
        < sum(relevance.kept.sum() for relevance in relevances)
        < sum(len(relevance.kept) for relevance in relevances)
    )


def test_trained_scores_are_kept_by_their_number_where_no_threshold_decides() -> None:
    by_number = replace(ROUTES["attention"], kept=5, threshold=False)
    for above, best_five in zip(scored(ROUTES["attention"]), scored(by_number), strict=True):
        np.testing.assert_array_equal(above.scores, best_five.scores)
        assert best_five.kept.tolist() == best(above.scores, 5).tolist()
    assert all(relevance.kept.all() for relevance in scored(replace(by_number, kept=None)))


def test_every_tenth_question_is_trained_twice_whatever_block_it_is_in() -> None:
    questions = [question_concepts(f"q{number}", f"{number}?", [number % 50]) for number in range(75)]
    tiny = AttentionConfig(heads=1, layers=1, width=2, steps=1)
    subgraphs = subgraphs_of(questions, GRAPH, 1)
    relevances = list(node_scores(subgraphs, vectors_of(questions), GRAPH, ROUTES["attention"], tiny))
    twice = [place for place, relevance in enumerate(relevances) if relevance.seed_correlation is not None]
    assert twice == list(range(0, 75, 10))


@pytest.mark.parametrize("name", ["guided_walk", "pagerank", "cosine", "unfiltered"])
def test_many_questions_are_scored_as_each_alone(name: str) -> None:
    questions = [question_concepts(f"q{number}", f"{number}?", [number % 50]) for number in range(70)]
    subgraphs, vectors = subgraphs_of(questions, GRAPH), vectors_of(questions)
    together = list(node_scores(subgraphs, vectors, GRAPH, ROUTES[name], SMALL))
    assert len(together) == 70
    for place in (0, 63, 64, 69):
        [alone] = node_scores([subgraphs[place]], vectors[[place]], GRAPH, ROUTES[name], SMALL)
        np.testing.assert_allclose(together[place].scores, alone.scores, rtol=0, atol=2e-9)


def test_methods_are_those_of_the_routes() -> None:
    assert set(METHODS) == {route.method for route in ROUTES.values()}


def test_a_method_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no relevance 'gat': choose one of guided_walk, .*convolution"):
        next(node_scores(SUBGRAPHS, VECTORS, GRAPH, Route("x", "gat", ""), SMALL))


def test_fewer_questions_are_walked_together_over_a_large_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = embedded_rows([("a", "may_cause", "b", None), ("b", "may_cause", "c", None)])
    assert subgraphs.questions_at_once(graph) == subgraphs.QUESTIONS_AT_ONCE
    monkeypatch.setattr(subgraphs, "_CELLS", 7)
    assert subgraphs.questions_at_once(graph) == 2
    monkeypatch.setattr(subgraphs, "_CELLS", 1)
    assert subgraphs.questions_at_once(graph) == 1
