"""The part of a graph around some concepts, and what its cap leaves out."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.graphs.walking.neighbourhoods import UNREACHED, distances, neighbourhood
from evidence_assets_tests.testing.network_samples import Network, network_of, networks, walked
from evidence_assets_tests.testing.profiles import examples


@st.composite
def started(draw: st.DrawFn) -> tuple[Network, list[int], int]:
    network = draw(networks(14))
    seeds = draw(st.lists(st.integers(0, network.size - 1), max_size=4))
    return network, seeds, draw(st.integers(0, 5))


def nearest(network: Network, seeds: list[int], hops: int) -> list[int]:
    lengths = [nx.single_source_shortest_path_length(network.oracle, seed, cutoff=hops) for seed in seeds]
    return [
        min((hops_to[node] for hops_to in lengths if node in hops_to), default=UNREACHED)
        for node in range(network.size)
    ]


@examples(200)
@given(started())
def test_distances_are_networkxs(sample: tuple[Network, list[int], int]) -> None:
    network, seeds, hops = sample
    assert distances(network.adjacency, seeds, hops).tolist() == nearest(network, seeds, hops)


@examples(200)
@given(started(), st.integers(0, 15))
def test_the_cap_keeps_seeds_then_the_most_mass(sample: tuple[Network, list[int], int], limit: int) -> None:
    network, seeds, hops = sample
    far = nearest(network, seeds, hops)
    reached = [node for node in range(network.size) if far[node] != UNREACHED]
    near = neighbourhood(network.adjacency, seeds, hops, limit)
    assert near.reached == len(reached)
    assert len(near.nodes) + near.dropped == near.reached
    assert len(near.nodes) == min(limit, len(reached))
    expected = reached
    if len(reached) > limit:
        uniform = [float(node in seeds) / len(set(seeds)) for node in range(network.size)]
        mass = walked(network.oracle, uniform, [1.0] * network.size, 0.3, 8)
        order = sorted(reached, key=lambda node: (far[node] > 0, -round(mass[node], 10), node))
        expected = sorted(order[:limit])
    assert near.nodes.tolist() == expected
    assert near.distances.tolist() == [far[node] for node in expected]
    assert (near.nodes.dtype, near.distances.dtype) == (np.dtype(np.int32), np.dtype(np.int8))


def test_of_equal_nodes_the_lowest_numbers_stay() -> None:
    star = network_of(8, [(7, leaf) for leaf in range(7)])
    near = neighbourhood(star.adjacency, [7], 1, 4)
    assert near.nodes.tolist() == [0, 1, 2, 7]
    assert near.distances.tolist() == [1, 1, 1, 0]
    assert (near.reached, near.dropped) == (8, 4)


def test_rounding_makes_no_node_better_than_its_mirror_image() -> None:
    # Two halves alike around node 0, numbered differently: sums over neighbours differ in their last bit.
    halves = network_of(9, [(1, 3), (1, 2), (3, 4), (8, 7), (8, 6), (7, 5), (0, 3), (0, 7)])
    assert neighbourhood(halves.adjacency, [0], 4, 8).nodes.tolist() == [0, 1, 2, 3, 4, 5, 7, 8]


def test_seeds_stay_before_what_has_more_mass() -> None:
    star = network_of(8, [(0, leaf) for leaf in range(1, 8)])
    # The centre has more mass than either seed.
    assert neighbourhood(star.adjacency, [5, 6], 2, 2).nodes.tolist() == [5, 6]
    assert neighbourhood(star.adjacency, [5, 6], 2, 3).nodes.tolist() == [0, 5, 6]
    # Not even all seeds are kept where there are too many of them.
    assert neighbourhood(star.adjacency, [0, 5, 6], 2, 1).nodes.tolist() == [0]


def test_a_limit_that_is_met_exactly_drops_nothing() -> None:
    path = network_of(4, [(0, 1), (1, 2), (2, 3)])
    near = neighbourhood(path.adjacency, [0], 2, 3)
    assert (near.nodes.tolist(), near.distances.tolist(), near.dropped) == ([0, 1, 2], [0, 1, 2], 0)


def test_without_a_limit_all_that_is_reached_is_kept() -> None:
    star = network_of(8, [(7, leaf) for leaf in range(7)])
    assert neighbourhood(star.adjacency, [7], 1).nodes.tolist() == list(range(8))


@pytest.mark.parametrize("limit", [0, 9])
def test_without_a_seed_it_is_empty(limit: int) -> None:
    near = neighbourhood(network_of(3, [(0, 1)]).adjacency, [], 3, limit)
    assert (near.nodes.tolist(), near.distances.tolist(), near.reached, near.dropped) == ([], [], 0, 0)
