"""Random walks: against NetworkX's PageRank, and against their formula written out."""

from __future__ import annotations

import math
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evidence_assets.graphs.walking import walks
from evidence_assets.graphs.walking.adjacency import adjacency
from evidence_assets.graphs.walking.walks import guided_weights, lift, prior, step_probabilities, walk
from evidence_assets_tests.testing.graph_samples import graph_of, number_of
from evidence_assets_tests.testing.network_samples import (
    Network,
    network_of,
    networks,
    random_network,
    walked,
)
from evidence_assets_tests.testing.profiles import examples


@st.composite
def questions(draw: st.DrawFn) -> tuple[Network, np.ndarray, np.ndarray]:
    """A graph, three questions' seeds, and how much each is drawn to each node: to some not at all."""
    network = draw(networks())
    drawn = st.lists(st.integers(0, 5), min_size=network.size, max_size=network.size)
    seeds = np.array([draw(drawn.filter(any)) for _ in range(3)], dtype=np.float64).T
    weights = np.array([draw(drawn) for _ in range(3)], dtype=np.float64).T
    return network, seeds / seeds.sum(axis=0), weights


def test_the_defaults_are_the_measured_ones() -> None:
    assert (walks.TEMPERATURE, walks.RESTART, walks.STEPS, walks.PRIOR_RESTART) == (0.15, 0.3, 8, 0.15)


@examples(150)
@given(questions(), st.sampled_from([0.15, 0.3, 0.7]), st.integers(0, 9))
def test_a_walk_is_its_formula(
    sample: tuple[Network, np.ndarray, np.ndarray], restart: float, steps: int
) -> None:
    network, seeds, weights = sample
    mass = walk(network.adjacency, seeds, weights, restart, steps)
    for column in range(3):
        expected = walked(
            network.oracle, seeds[:, column].tolist(), weights[:, column].tolist(), restart, steps
        )
        np.testing.assert_allclose(mass[:, column], expected, rtol=0, atol=1e-13)


@examples(100)
@given(questions())
def test_mass_is_conserved_and_stays_where_it_may_be(sample: tuple[Network, np.ndarray, np.ndarray]) -> None:
    network, seeds, weights = sample
    for mass in (walk(network.adjacency, seeds, weights), walk(network.adjacency, seeds)):
        np.testing.assert_allclose(mass.sum(axis=0), 1, rtol=0, atol=1e-12)
        assert (mass >= 0).all()
    mass = walk(network.adjacency, seeds, weights)
    assert (mass[(weights == 0) & (seeds == 0)] == 0).all()
    # A seed is where the walk restarts, whether it may be entered or not.
    assert (mass[seeds > 0] > 0).all()


@examples(100)
@given(questions())
def test_many_questions_walk_as_each_alone(sample: tuple[Network, np.ndarray, np.ndarray]) -> None:
    network, seeds, weights = sample
    together = walk(network.adjacency, seeds, weights)
    columns = [walk(network.adjacency, seeds[:, [column]], weights[:, [column]])[:, 0] for column in range(3)]
    np.testing.assert_allclose(together, np.stack(columns, axis=1), rtol=0, atol=1e-15)


@examples(60)
@given(questions(), st.sampled_from([0.15, 0.3, 0.7]))
def test_personalised_pagerank_is_networkxs(
    sample: tuple[Network, np.ndarray, np.ndarray], restart: float
) -> None:
    network, seeds, _ = sample
    mass = walk(network.adjacency, seeds, restart=restart, steps=400)
    for column in range(3):
        personalization = dict(enumerate(seeds[:, column].tolist()))
        expected = nx.pagerank(network.oracle, 1 - restart, personalization, max_iter=2000, tol=1e-13)
        np.testing.assert_allclose(mass[:, column], list(expected.values()), rtol=0, atol=1e-10)


@examples(60)
@given(networks(15))
@example(random_network(400, 900, 3))
def test_the_unguided_walk_is_networkxs_pagerank(network: Network) -> None:
    expected = nx.pagerank(network.oracle, 0.85, max_iter=2000, tol=1e-14)
    ranks = prior(network.adjacency)
    np.testing.assert_allclose(ranks, list(expected.values()), rtol=0, atol=1e-9)
    assert ranks.sum() == pytest.approx(1, abs=1e-12)
    assert (ranks > 0).all()


def test_the_guided_walk_is_the_literal_formula() -> None:
    """P_q(u -> v) = A_uv exp(cos(h_q, x_v) / tau) / sum over w of A_uw exp(cos(h_q, x_w) / tau)."""
    edges = {(0, 1), (0, 2), (1, 2), (2, 3)}
    cosines = [0.9, 0.1, -0.2, 0.4]
    linked = [[float((u, v) in edges or (v, u) in edges) for v in range(4)] for u in range(4)]
    goes = [
        [
            linked[u][v]
            * math.exp(cosines[v] / 0.15)
            / sum(linked[u][w] * math.exp(cosines[w] / 0.15) for w in range(4))
            for v in range(4)
        ]
        for u in range(4)
    ]
    seeds = [0.8, 0.0, 0.2, 0.0]
    mass = list(seeds)
    for _ in range(8):
        mass = [0.3 * seeds[v] + 0.7 * sum(goes[u][v] * mass[u] for u in range(4)) for v in range(4)]
    network = network_of(4, sorted(edges))
    weights = guided_weights(np.array(cosines)[:, None])
    walked = walk(network.adjacency, np.array(seeds)[:, None], weights)
    np.testing.assert_allclose(walked[:, 0], mass, rtol=1e-12)


def test_the_walk_prefers_the_neighbour_that_is_like_the_question() -> None:
    # Node 1 is the better connected of the two around node 0.
    network = network_of(5, [(0, 1), (0, 2), (1, 3), (1, 4)])
    seeds = np.array([[1.0], [0.0], [0.0], [0.0], [0.0]])
    guided = walk(network.adjacency, seeds, guided_weights(np.array([[0.2], [0.1], [0.4], [0.2], [0.2]])))
    unguided = walk(network.adjacency, seeds)
    assert guided[2, 0] > guided[1, 0]
    assert unguided[2, 0] < unguided[1, 0]


def test_weights_are_in_double_precision_and_by_temperature() -> None:
    cosines = np.array([[1.0, -1.0], [0.0, 0.5]], dtype=np.float32)
    weights = guided_weights(cosines, 0.5)
    assert weights.dtype == np.float64
    np.testing.assert_array_equal(weights, np.exp([[2.0, -2.0], [0.0, 1.0]]))


def test_lift_is_the_difference_of_logarithms_and_minus_infinity_where_nothing_comes() -> None:
    mass = np.array([[0.5, 0.0], [0.5, 1.0]])
    raised = lift(mass, np.array([0.25, 0.5]))
    np.testing.assert_array_equal(raised, [[math.log(2), -np.inf], [0.0, math.log(2)]])
    network = network_of(4, [(0, 1), (2, 3)])
    mass = walk(network.adjacency, np.array([[1.0], [0.0], [0.0], [0.0]]))
    raised = lift(mass, prior(network.adjacency))[:, 0]
    assert np.isneginf(raised).tolist() == [False, False, True, True]
    assert raised[0] > raised[1] > 0


def test_a_walk_follows_heavy_steps_in_proportion() -> None:
    graph = graph_of([("a", "r", "b", 3.0), ("a", "r", "c", 1.0)])
    a, b, c = (number_of(graph, label) for label in "abc")
    seeds = np.zeros((3, 1))
    seeds[a] = 1.0
    mass = walk(adjacency(graph), seeds, restart=0.0, steps=1)[:, 0]
    assert (mass[a], mass[b], mass[c]) == (0.0, 0.75, 0.25)


@examples(150)
@given(questions(), st.data())
def test_the_probability_of_a_step_is_what_the_walk_does(
    sample: tuple[Network, np.ndarray, np.ndarray], data: st.DataObject
) -> None:
    network, _, weights = sample
    path = [data.draw(st.integers(0, network.size - 1))]
    while network.oracle[path[-1]] and len(path) < 4:
        path.append(data.draw(st.sampled_from(sorted(network.oracle[path[-1]]))))
    probabilities = step_probabilities(network.adjacency, path, weights[:, 0])
    assert len(probabilities) == len(path) - 1
    for (node, neighbour), probability in zip(pairwise(path), probabilities, strict=True):
        start = np.zeros((network.size, 1))
        start[node] = 1.0
        moved = walk(network.adjacency, start, weights[:, :1], restart=0.0, steps=1)
        stuck = not weights[sorted(network.oracle[node]), 0].any()
        assert probability == pytest.approx(0.0 if stuck else moved[neighbour, 0], abs=1e-12)
