"""Where a question's walk starts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.graphs.walking.walk_seeds import Seed, walk_seeds
from evidence_assets_tests.testing.profiles import examples

COSINES = st.lists(st.sampled_from([-0.5, 0.0, 0.1, 0.25, 0.3, 0.7]), min_size=1, max_size=25)


def expected(concepts: list[int], cosines: list[float]) -> dict[int, float]:
    """lambda Unif(C_q) + (1 - lambda) softmax over the ten nearest nodes, at temperature .05."""
    share = 0.8 if concepts else 0.0
    near = sorted(range(len(cosines)), key=lambda node: (-cosines[node], node))[:10]
    total = sum(math.exp(cosines[node] / 0.05) for node in near)
    weights = {node: share / len(set(concepts)) for node in concepts}
    for node in near:
        weights[node] = weights.get(node, 0.0) + (1 - share) * math.exp(cosines[node] / 0.05) / total
    return weights


@examples(200)
@given(COSINES, st.data())
def test_seeds_are_the_formula(cosines: list[float], data: st.DataObject) -> None:
    concepts = data.draw(st.lists(st.integers(0, len(cosines) - 1), max_size=4))
    seeds = walk_seeds(concepts, np.array(cosines))
    assert {seed.node: seed.weight for seed in seeds} == pytest.approx(expected(concepts, cosines), abs=1e-9)
    assert [seed.node for seed in seeds] == sorted({seed.node for seed in seeds})
    assert {seed.node for seed in seeds if seed.is_concept} == set(concepts)
    assert sum(seed.weight for seed in seeds) == pytest.approx(1, abs=1e-9)


def test_concepts_share_four_fifths_and_one_that_is_near_gets_more() -> None:
    cosines = np.full(30, -1.0)
    cosines[[3, 20]] = 0.5
    seeds = {seed.node: seed for seed in walk_seeds([20, 5, 20], cosines)}
    assert seeds[5] == Seed(5, 0.4, True)
    assert seeds[20].weight == pytest.approx(0.5)
    assert seeds[3].weight == pytest.approx(0.1)
    assert (seeds[3].is_concept, seeds[20].is_concept) == (False, True)


def test_without_a_concept_the_nearest_are_everything() -> None:
    seeds = walk_seeds([], np.arange(30) / 30)
    assert [seed.node for seed in seeds] == list(range(20, 30))
    assert not any(seed.is_concept for seed in seeds)
    assert sum(seed.weight for seed in seeds) == pytest.approx(1)


def test_of_equally_near_nodes_the_lowest_numbers_count() -> None:
    cosines = np.zeros(40)
    cosines[35] = 0.2
    assert [seed.node for seed in walk_seeds([], cosines)] == [*range(9), 35]


def test_cosines_equal_to_six_decimals_are_equal() -> None:
    cosines = np.zeros(12)
    cosines[11] = 1e-9
    assert [seed.node for seed in walk_seeds([], cosines)] == list(range(10))


def test_a_graph_without_nodes_has_no_seeds() -> None:
    assert walk_seeds([], np.empty(0)) == []
