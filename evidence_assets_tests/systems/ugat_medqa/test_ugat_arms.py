"""UGAT-MedQA's arms: what each is made of, and that the thesis's are among them."""

from __future__ import annotations

import pytest

from evidence_assets.graphs.choices import COSTS, HOP_COUNT
from evidence_assets.reading.extractive import load_weights
from evidence_assets.systems.ugat_medqa.arms import (
    ARMS,
    ATTENTION,
    COMPARED_WITH,
    CONVOLUTION,
    DEFAULT_ARM,
    FIRST_ARMS,
    GUIDED_WALK,
    KINDS,
    NEIGHBOURHOODS,
    NONE,
    ROUTES,
)
from evidence_assets.systems.ugat_medqa.relevance import METHODS


@pytest.mark.parametrize("arm", ARMS.values(), ids=ARMS)
def test_an_arm_is_made_of_what_there_is(arm) -> None:
    assert ARMS[arm.name] is arm
    assert arm.route is None or arm.route in ROUTES
    assert load_weights(arm.weights)
    assert arm.generator == arm.name.split("@")[1]
    assert arm.description
    # Without retrieval there is nothing whose lack could be a reason to abstain.
    assert arm.abstains == (arm.route is not None and "answering" not in arm.name)


@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
def test_a_route_is_made_of_what_there_is(route) -> None:
    assert ROUTES[route.name] is route
    assert route.method in METHODS
    assert route.neighbourhood in NEIGHBOURHOODS
    assert route.cost in COSTS
    # A threshold decides, or nothing does.
    assert (route.kept is None) == (route.method in (*KINDS, NONE))


def test_neighbourhoods_are_one_to_four_hops() -> None:
    assert {one.name: one.hops for one in NEIGHBOURHOODS.values()} == {
        "hops1": 1,
        "hops2": 2,
        "hops3": 3,
        "hops4": 4,
        "hops3_nodes200": 3,
    }
    assert {NEIGHBOURHOODS[ROUTES[name].neighbourhood].max_nodes for name in KINDS} == {200}


def test_the_thesis_ablations_are_arms() -> None:
    routes = {name.removesuffix("@extractive"): arm.route for name, arm in ARMS.items()}
    assert routes["no_retrieval"] is None
    assert ROUTES[routes["no_filtering"]].method == NONE
    assert ROUTES[routes["no_attention"]].method == CONVOLUTION
    paper = ROUTES[routes["paper"]]
    assert (paper.method, paper.cost, paper.neighbourhood) == (ATTENTION, HOP_COUNT, "hops3_nodes200")
    full = ROUTES[routes["full"]]
    assert (full.method, full.neighbourhood, full.kept) == (GUIDED_WALK, "hops3", 50)
    for hops in (1, 2, 4):
        route = ROUTES[routes[f"hops{hops}"]]
        assert (route.method, NEIGHBOURHOODS[route.neighbourhood].hops) == (GUIDED_WALK, hops)


def test_what_arms_are_compared_with_is_among_them() -> None:
    assert set(COMPARED_WITH) <= ARMS.keys()
    assert set(FIRST_ARMS) <= ARMS.keys()
    assert FIRST_ARMS[0] == DEFAULT_ARM
