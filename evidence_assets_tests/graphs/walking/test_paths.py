"""Cheapest paths: against all simple paths of at most some steps."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.graphs.choices import COSTS, HOP_COUNT, HUB_PENALTY
from evidence_assets.graphs.walking.paths import PathFinder, step_costs
from evidence_assets_tests.testing.network_samples import Network, network_of, networks, random_network
from evidence_assets_tests.testing.profiles import THOROUGH, examples

Priced = tuple[float, int, tuple[int, ...]]


def simple_paths(
    network: Network, nodes: tuple[int, ...], target: int, steps_left: int
) -> Iterator[tuple[int, ...]]:
    """Every path without a repeated node that goes on from these and ends at the target."""
    if nodes[-1] == target:
        yield nodes
    elif steps_left:
        for neighbour in sorted(network.oracle[nodes[-1]]):
            if neighbour not in nodes:
                yield from simple_paths(network, (*nodes, neighbour), target, steps_left - 1)


def step_cost(network: Network, measure: str, start: int, end: int) -> float:
    if measure == HOP_COUNT:
        return 1.0
    halves = [0.5 * math.log(network.oracle.degree[node]) for node in (start, end)]
    return halves[0] + halves[1] + 0.05


def priced(network: Network, measure: str, nodes: tuple[int, ...]) -> Priced:
    steps = [step_cost(network, measure, *pair) for pair in pairwise(nodes)]
    return sum(reversed(steps)), len(steps), nodes


def finder_of(network: Network, measure: str, longest: int) -> PathFinder:
    return PathFinder(network.adjacency, step_costs(network.adjacency, measure), longest)


@pytest.mark.parametrize("measure", COSTS)
@examples(120)
@given(network=networks(8 if THOROUGH else 6), longest=st.integers(0, 6))
def test_paths_are_the_cheapest_of_all(measure: str, network: Network, longest: int) -> None:
    finder = finder_of(network, measure, longest)
    for target in range(network.size):
        costs = finder.costs_to(target)
        for source in range(network.size):
            all_paths = [
                priced(network, measure, nodes) for nodes in simple_paths(network, (source,), target, longest)
            ]
            cheapest = finder.path(source, target)
            if not all_paths:
                assert cheapest is None
                assert costs[source] == np.inf
                continue
            least = min(cost for cost, _, _ in all_paths)
            assert cheapest is not None
            assert cheapest.cost == costs[source] == pytest.approx(least, rel=1e-12)
            priced_path = priced(network, measure, cheapest.nodes)
            assert priced_path in all_paths, "it is a path of the graph"
            assert priced_path[0] == pytest.approx(least, rel=1e-12)
            if measure == HOP_COUNT:
                # Whole numbers are equal or not: the rule for equal paths decides.
                assert priced_path == min(all_paths)
            again = finder.path(source, target)
            assert again == cheapest == finder_of(network, measure, longest).path(source, target)


@examples(150)
@given(network=networks(7), longest=st.integers(0, 6), data=st.data())
def test_of_equal_paths_the_shortest_then_the_lowest_numbers(
    network: Network, longest: int, data: st.DataObject
) -> None:
    """Costs of 1, 2 or 3 a step, the same both ways, are often equal and exact in any order of summing."""
    pairs = sorted(map(sorted, network.oracle.edges))
    drawn = {frozenset(pair): data.draw(st.integers(1, 3)) for pair in pairs}
    costs = np.array(
        [
            float(drawn[frozenset((node, int(neighbour)))])
            for node in range(network.size)
            for neighbour in network.adjacency.of(node)
        ]
    )
    finder = PathFinder(network.adjacency, costs, longest)
    for target in range(network.size):
        for source in range(network.size):
            all_paths = [
                (float(sum(drawn[frozenset(pair)] for pair in pairwise(nodes))), len(nodes), nodes)
                for nodes in simple_paths(network, (source,), target, longest)
            ]
            cheapest = finder.path(source, target)
            assert (cheapest and (cheapest.cost, len(cheapest.nodes), cheapest.nodes)) == min(
                all_paths, default=None
            )


def test_hubs_are_avoided_and_steps_counted() -> None:
    # 0 - 1 - 2 through a hub, 0 - 3 - 4 - 2 around it.
    hub = [(1, leaf) for leaf in range(5, 60)]
    network = network_of(60, [(0, 1), (1, 2), (0, 3), (3, 4), (4, 2), *hub])
    avoiding = finder_of(network, HUB_PENALTY, 4).path(0, 2)
    assert avoiding is not None
    assert avoiding.nodes == (0, 3, 4, 2)
    # Half the logarithm of 2 at each end of each of three steps.
    assert avoiding.cost == pytest.approx(3 * (math.log(2) + 0.05))
    straight = finder_of(network, HOP_COUNT, 4).path(0, 2)
    assert straight is not None
    assert (straight.nodes, straight.cost) == ((0, 1, 2), 2.0)
    # Two steps at most lead through the hub, whatever it costs; one step leads nowhere.
    short = finder_of(network, HUB_PENALTY, 2).path(0, 2)
    assert short is not None
    assert short.nodes == (0, 1, 2)
    assert finder_of(network, HUB_PENALTY, 1).path(0, 2) is None


def test_a_cheaper_way_that_is_found_at_the_last_step_does_not_lead_on() -> None:
    # 0 - 1 - 2 - 3 - 4 is the cheapest way to 4, and a step longer than 0 - 5 - 3 - 4 through the hub.
    hub = [(5, leaf) for leaf in range(6, 40)]
    network = network_of(40, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (5, 3), *hub])
    for longest, expected in ((4, (4, 3, 2, 1, 0)), (3, (4, 3, 5, 0)), (2, None)):
        cheapest = finder_of(network, HUB_PENALTY, longest).path(4, 0)
        assert (cheapest and cheapest.nodes) == expected
        if cheapest is not None:
            assert cheapest.cost == pytest.approx(priced(network, HUB_PENALTY, cheapest.nodes)[0])


def test_every_step_costs_something() -> None:
    network = network_of(2, [(0, 1)])
    assert step_costs(network.adjacency, HUB_PENALTY).tolist() == [0.05, 0.05]
    assert step_costs(network.adjacency, HOP_COUNT).tolist() == [1.0, 1.0]


def test_a_cost_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="no cost 'distance': choose one of hub_penalty, hop_count"):
        step_costs(network_of(2, [(0, 1)]).adjacency, "distance")


def test_a_node_is_at_itself() -> None:
    cheapest = finder_of(network_of(3, [(0, 1), (1, 1)]), HUB_PENALTY, 3).path(1, 1)
    assert cheapest is not None
    assert (cheapest.nodes, cheapest.cost) == ((1,), 0.0)


def test_a_larger_graph_answers_the_same_when_asked_in_another_order() -> None:
    network = random_network(300, 500, 5)
    pairs = [(source, target) for target in range(0, 300, 3) for source in range(0, 300, 30)]
    finder, other_finder = (finder_of(network, HUB_PENALTY, 4) for _ in range(2))
    paths = {pair: finder.path(*pair) for pair in pairs}
    back = {pair: other_finder.path(*pair) for pair in reversed(pairs)}
    assert paths == back
    assert {pair: finder.path(*pair) for pair in pairs} == paths, "more targets than are remembered"
    existing = [path for path in paths.values() if path is not None]
    assert 100 < len(existing) < len(pairs)
    assert max(len(path.nodes) for path in existing) == 5
