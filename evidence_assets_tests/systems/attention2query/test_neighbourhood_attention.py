"""Algorithms 2 to 4 on graphs small enough to see through, and on ones that are too large."""

from __future__ import annotations

import time
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from evidence_assets.graphs.choices import HOP_COUNT
from evidence_assets.graphs.walking.adjacency import adjacency
from evidence_assets.graphs.walking.paths import PathFinder, step_costs
from evidence_assets.systems.attention2query.arms import Reach
from evidence_assets.systems.attention2query.as_printed.multi_head_attention import two_passes, untrained
from evidence_assets.systems.attention2query.component_linking import (
    components,
    connecting_paths,
    needed_paths,
)
from evidence_assets.systems.attention2query.neighbourhoods import nearest_nodes, neighbourhood
from evidence_assets.systems.attention2query.subgraphs import (
    Attention,
    cosine_attention,
    edges_within,
    merged,
)
from evidence_assets_tests.testing.graph_samples import graph_of, number_of
from evidence_assets_tests.testing.network_samples import Network, network_of, networks


def line(length: int) -> Network:
    return network_of(length, [(place, place + 1) for place in range(length - 1)])


def units(n: int, width: int = 6, seed: int = 0) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).normal(size=(n, width)).astype(np.float32)
    normed: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return normed


def test_each_hop_costs_the_penalty() -> None:
    alike = np.ones((5, 1), dtype=np.float32)
    reached = neighbourhood(line(5).adjacency, [0], np.ones(1, np.float32), alike, Reach(0.1, 3, 10, 10))
    assert reached.nodes.tolist() == [0, 1, 2, 3], "theta hops and no further"
    np.testing.assert_allclose(reached.scores, [1.0, 0.9, 0.8, 0.7])
    assert reached.hops.tolist() == [0, 1, 2, 3]


def test_the_best_node_is_expanded_and_no_other() -> None:
    # 0 joins 1 (good) and 2 (bad); behind each is one more.
    network = network_of(5, [(0, 1), (0, 2), (1, 3), (2, 4)])
    vectors = np.array([[0.0], [0.9], [0.1], [0.5], [1.0]], dtype=np.float32)
    reached = neighbourhood(network.adjacency, [0], np.ones(1, np.float32), vectors, Reach(0.0, 3, 1, 10))
    assert set(reached.nodes.tolist()) == {0, 1, 2, 3}
    assert reached.nodes.tolist()[0] == 1


@given(networks(), st.integers(0, 3))
def test_no_node_is_farther_than_theta_and_the_order_is_the_scores(network: Network, hops: int) -> None:
    vectors = units(network.size)
    reached = neighbourhood(network.adjacency, [0], vectors[0], vectors, Reach(0.05, hops, 50, 50))
    assert reached.hops.max() <= hops
    assert len(set(reached.nodes.tolist())) == len(reached.nodes)
    assert sorted(reached.scores.tolist(), reverse=True) == reached.scores.tolist()


@given(st.permutations(range(4)))
def test_the_order_of_a_tokens_nodes_does_not_matter(order: list[int]) -> None:
    network, vectors = line(9), units(9)
    reached = neighbourhood(network.adjacency, [0, 3, 5, 8], vectors[0], vectors, Reach())
    permuted = neighbourhood(
        network.adjacency, [[0, 3, 5, 8][place] for place in order], vectors[0], vectors, Reach()
    )
    assert reached.nodes.tolist() == permuted.nodes.tolist()


def test_a_hub_of_a_hundred_thousand_neighbours_is_quick_and_cut() -> None:
    n = 100_001
    graph = network_of(n, [(0, place) for place in range(1, n)])
    vectors = units(n, 16)
    neighbourhood(graph.adjacency, [0], vectors[1], vectors, Reach())
    elapsed = []
    for _ in range(3):
        started = time.perf_counter()
        reached = neighbourhood(graph.adjacency, [0], vectors[1], vectors, Reach(kept=150))
        elapsed.append(time.perf_counter() - started)
    assert min(elapsed) < 2
    assert len(reached.nodes) == 150
    assert reached.nodes[0] == 1, "the node that is the token itself"


def test_a_token_without_a_node_takes_the_nearest_ties_by_number() -> None:
    vectors = np.array([[1, 0], [0, 1], [1, 0], [0.6, 0.8]], dtype=np.float32)
    assert nearest_nodes(np.array([1, 0], np.float32), vectors, 3).tolist() == [0, 2, 3]
    assert nearest_nodes(np.array([1, 0], np.float32), vectors[:0], 3).tolist() == []


@pytest.mark.parametrize("attention", [cosine_attention, partial(two_passes, projections=untrained(8))])
def test_a_subgraph_keeps_the_tokens_own_nodes_and_all_edges_between(attention: Attention) -> None:
    graph = graph_of(
        [("a", "IsA", "b", 1.0), ("b", "IsA", "c", 1.0), ("c", "IsA", "a", 1.0), ("a", "IsA", "a", 1.0)]
    )
    vectors = units(3, 8)
    around = [neighbourhood(adjacency(graph), [number_of(graph, "a")], vectors[1], vectors, Reach())]
    subgraph = merged(graph, around, vectors[1:2], vectors, attention, 0.0, 2)
    assert number_of(graph, "a") in subgraph.nodes
    assert len(subgraph.nodes) == 2
    assert len(subgraph.edges) == 1
    assert merged(graph, [], vectors[:1], vectors, attention, 0.0, 2).edges.tolist() == []


@given(networks())
def test_edges_within_are_networkxs(network: Network) -> None:
    nodes = np.arange(0, network.size, 2, dtype=np.int32)
    edges = edges_within(network.graph, nodes)
    ends = {frozenset((int(network.graph.heads[edge]), int(network.graph.tails[edge]))) for edge in edges}
    assert ends == {frozenset(pair) for pair in network.oracle.subgraph(nodes.tolist()).edges}


def test_components_stand_in_the_order_of_their_best_edge() -> None:
    parts = components(np.array([5, 1, 9]), np.array([6, 2, 5]))
    assert [part.tolist() for part in parts] == [[5, 6, 9], [1, 2]]
    assert components(np.empty(0, np.int64), np.empty(0, np.int64)) == []


def test_the_junction_that_was_lost_is_found_again() -> None:
    network = line(6)
    finder = PathFinder(network.adjacency, step_costs(network.adjacency, HOP_COUNT), 3)
    heads, tails = np.array([0, 3]), np.array([1, 4])
    paths = connecting_paths(heads, tails, finder)
    assert paths == [(3, 2, 1)]
    assert [path.nodes for path in needed_paths(heads, tails, paths, [5.0], 2.0)] == [(3, 2, 1)]
    assert needed_paths(heads, tails, paths, [1.5], 2.0) == [], "a weak link is pruned"
    assert connecting_paths(heads[:1], tails[:1], finder) == []


@given(networks(most=12))
def test_bridges_join_every_component_within_reach(network: Network) -> None:
    apart = network.graph.heads != network.graph.tails
    edges = np.flatnonzero(apart)[::2]
    if not len(edges):
        return
    heads, tails = network.graph.heads[edges], network.graph.tails[edges]
    finder = PathFinder(network.adjacency, step_costs(network.adjacency, HOP_COUNT), 20)
    paths = connecting_paths(heads, tails, finder)
    needed = needed_paths(heads, tails, paths, [9.0] * len(paths), 1.0)
    assert len(needed) < max(len(components(heads, tails)), 1)
    mended = network.oracle.__class__()
    mended.add_edges_from(zip(heads.tolist(), tails.tolist(), strict=True))
    for path in needed:
        mended.add_edges_from(zip(path.nodes, path.nodes[1:], strict=False))
    import networkx as nx

    for part in components(heads, tails):
        reachable = nx.has_path(network.oracle, int(part[0]), int(heads[0]))
        assert nx.has_path(mended, int(part[0]), int(heads[0])) == reachable
