"""Who neighbours whom."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.graphs.walking.adjacency import adjacency, edges_between
from evidence_assets_tests.testing.graph_samples import Row, graph_of, number_of
from evidence_assets_tests.testing.network_samples import Network, network_of, networks
from evidence_assets_tests.testing.profiles import examples


@examples(150)
@given(networks())
def test_neighbours_are_networkxs(network: Network) -> None:
    neighbours = network.adjacency
    assert neighbours.size == network.size
    for node in range(neighbours.size):
        assert neighbours.of(node).tolist() == sorted(network.oracle[node])
    assert neighbours.degrees.tolist() == [degree for _, degree in network.oracle.degree]
    assert (neighbours.offsets.dtype, neighbours.neighbours.dtype) == (
        np.dtype(np.int64),
        np.dtype(np.int32),
    )
    dense = neighbours.matrix.toarray()
    expected = np.zeros((network.size, network.size))
    for start, end in network.oracle.edges:
        expected[start, end] = expected[end, start] = 1
    np.testing.assert_array_equal(dense, expected)


def test_loops_directions_and_repeated_edges_make_no_neighbour_twice() -> None:
    neighbours = network_of(5, [(2, 0), (0, 2), (2, 0), (2, 2), (1, 2), (3, 3)]).adjacency
    assert [neighbours.of(node).tolist() for node in range(5)] == [[2], [2], [0, 1], [], []]


def test_a_graph_without_nodes_has_no_neighbours() -> None:
    neighbours = network_of(0, []).adjacency
    assert (neighbours.size, len(neighbours.degrees), len(neighbours.neighbours)) == (0, 0, 0)


def test_neighbours_weigh_as_their_heaviest_triple() -> None:
    graph = graph_of(ROWS)
    weighted = adjacency(graph)
    heaviest: dict[tuple[int, int], float] = {}
    for head, _, tail, weight in ROWS:
        start, end = number_of(graph, head), number_of(graph, tail)
        if start != end:
            for pair in ((start, end), (end, start)):
                heaviest[pair] = max(heaviest.get(pair, 0.0), weight or 0.0)
    dense = weighted.matrix.toarray()
    assert {(int(start), int(end)): dense[start, end] for start, end in np.argwhere(dense)} == heaviest


def test_triples_without_weight_all_weigh_one() -> None:
    assert adjacency(graph_of([("a", "r", "b", None), ("b", "r", "c", None)])).weights is None
    mixed = adjacency(graph_of([("a", "r", "b", None), ("b", "r", "c", 0.25)]))
    assert sorted(mixed.matrix.toarray().ravel().tolist()) == [0, 0, 0, 0, 0, 0.25, 0.25, 1, 1]


@examples(150)
@given(networks(), st.data())
def test_pairs_within_some_nodes_are_the_edges_between_them(network: Network, data: st.DataObject) -> None:
    nodes = sorted(data.draw(st.sets(st.integers(0, network.size - 1))))
    positions = network.adjacency.within(np.array(nodes, dtype=np.int32))
    assert positions.dtype == np.int32
    assert positions.shape[0] == 2
    pairs = [(nodes[first], nodes[second]) for first, second in positions.T]
    assert len(pairs) == len(set(pairs))
    assert {frozenset(pair) for pair in pairs} == set(map(frozenset, network.oracle.subgraph(nodes).edges))
    assert all(first < second for first, second in pairs)


ROWS: list[Row] = [
    ("a", "r", "b", 1.0),
    ("b", "s", "a", 5.0),
    ("a", "r", "c", 9.0),
    ("a", "t", "b", 3.0),
    ("a", "r", "a", 7.0),
    ("b", "r", "b", 7.0),
    ("b", "r", "d", 2.0),
    ("a", "u", "b", 3.0),
]


@pytest.mark.parametrize(("first", "second"), [("a", "b"), ("b", "a")])
def test_edges_between_two_nodes_the_heaviest_first(first: str, second: str) -> None:
    graph = graph_of(ROWS)
    assert edges_between(graph, number_of(graph, first), number_of(graph, second)) == [1, 3, 7, 0]


@examples(100)
@given(networks(6))
def test_neighbours_are_joined_and_others_are_not(network: Network) -> None:
    assert adjacency(network.graph).neighbours.tolist() == network.adjacency.neighbours.tolist()
    for start in range(network.size):
        for end in range(network.size):
            if start != end:
                edges = edges_between(network.graph, start, end)
                assert bool(edges) == network.oracle.has_edge(start, end)
                assert all(
                    {network.graph.heads[edge], network.graph.tails[edge]} == {start, end} for edge in edges
                )
