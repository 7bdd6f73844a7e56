"""UGAT-MedQA's arms: what each is made of, and that the thesis's are among them."""

from __future__ import annotations

import pytest

from evidence_assets.graphs.choices import COSTS, HOP_COUNT, HUB_PENALTY
from evidence_assets.reading.baselines import NEAREST, NO_EVIDENCE
from evidence_assets.reading.extractive import load_weights
from evidence_assets.systems.ugat_medqa.arms import (
    ARMS,
    ATTENTION,
    BASELINES,
    COMPARED_WITH,
    CONVOLUTION,
    COSINE,
    DEFAULT_ARM,
    FIRST_ARMS,
    GUIDED_WALK,
    KINDS,
    LIFT,
    NEIGHBOURHOODS,
    NONE,
    PAGERANK,
    ROUTES,
    PathArm,
    Route,
)
from evidence_assets.systems.ugat_medqa.relevance import METHODS


@pytest.mark.parametrize("arm", ARMS.values(), ids=ARMS)
def test_an_arm_is_made_of_what_there_is(arm: PathArm) -> None:
    assert ARMS[arm.name] is arm
    assert arm.route is None or arm.route in ROUTES
    assert load_weights(arm.weights) if arm.weights else arm.generator in (*NO_EVIDENCE, LIFT, NEAREST)
    assert arm.generator == arm.name.split("@")[1]
    assert arm.description
    # Without retrieval there is nothing whose lack could be a reason to abstain.
    answers_always = arm.route is None or "answering" in arm.name or arm.name in BASELINES
    assert arm.abstains == (not answers_always)


@pytest.mark.parametrize("route", ROUTES.values(), ids=ROUTES)
def test_a_route_is_made_of_what_there_is(route: Route) -> None:
    assert ROUTES[route.name] is route
    assert route.method in METHODS
    assert route.neighbourhood in NEIGHBOURHOODS
    assert route.cost in COSTS
    # The threshold is that of trained networks' cosines: a walk's shares and plain cosines have none.
    assert not route.threshold or (route.method in KINDS and route.kept is None)


def test_neighbourhoods_are_one_to_four_hops_and_say_their_cap() -> None:
    assert {
        neighbourhood.name: (neighbourhood.hops, neighbourhood.max_nodes)
        for neighbourhood in NEIGHBOURHOODS.values()
    } == {
        "hops1": (1, 4_000),
        "hops2": (2, 4_000),
        "hops3": (3, 4_000),
        "hops4": (4, 4_000),
        "hops3_uncapped": (3, None),
        "hops3_nodes200": (3, 200),
    }
    assert NEIGHBOURHOODS["hops3_uncapped"].cap == "no cap on nodes"
    assert NEIGHBOURHOODS["hops3"].cap == "at most 4,000 nodes"


def route_of(arm: str) -> Route:
    name = ARMS[f"{arm}@extractive"].route
    assert name is not None
    return ROUTES[name]


def test_the_thesis_system_is_an_arm_as_printed() -> None:
    """No cap (6.4.2), a threshold (line 18 of algorithm 6.1), shortest paths (6.4.4), D = 3 (figure 6.3)."""
    paper = route_of("paper")
    assert (paper.method, paper.kept, paper.threshold, paper.cost) == (ATTENTION, None, True, HOP_COUNT)
    assert (paper.extent.hops, paper.extent.max_nodes) == (3, None)
    full = route_of("full")
    assert (full.method, full.neighbourhood, full.kept) == (GUIDED_WALK, "hops3", 50)
    assert ARMS["no_retrieval@extractive"].route is None


DECISIONS = ("method", "neighbourhood", "kept", "cost", "threshold")


@pytest.mark.parametrize(
    ("changed", "of", "expected"),
    [
        ("no_attention", "paper", {"method": CONVOLUTION}),
        # Without a filter there is no relevance either.
        ("no_filtering", "paper", {"method": NONE, "threshold": False}),
        ("paper_nodes200", "paper", {"neighbourhood": "hops3_nodes200"}),
        ("no_attention_nodes200", "paper_nodes200", {"method": CONVOLUTION}),
        ("no_filtering_nodes200", "paper_nodes200", {"method": NONE, "threshold": False}),
        ("paper_hub_penalty", "paper_nodes200", {"cost": HUB_PENALTY}),
        ("paper_best50", "paper_nodes200", {"kept": 50, "threshold": False}),
        ("hops1", "full", {"neighbourhood": "hops1"}),
        ("hops2", "full", {"neighbourhood": "hops2"}),
        ("hops4", "full", {"neighbourhood": "hops4"}),
        ("uncapped", "full", {"neighbourhood": "hops3_uncapped"}),
        ("nodes200", "full", {"neighbourhood": "hops3_nodes200"}),
        ("pagerank", "full", {"method": PAGERANK}),
        ("cosine", "full", {"method": COSINE}),
        ("hop_count", "full", {"cost": HOP_COUNT}),
    ],
)
def test_an_ablation_changes_one_thing(changed: str, of: str, expected: dict[str, object]) -> None:
    mine, base = route_of(changed), route_of(of)
    differing = {
        name: getattr(mine, name) for name in DECISIONS if getattr(mine, name) != getattr(base, name)
    }
    assert differing == expected
    assert of in ARMS[f"{changed}@extractive"].description


@pytest.mark.parametrize("arm", ARMS.values(), ids=ARMS)
def test_an_arms_description_says_a_cap_that_the_thesis_has_not(arm: PathArm) -> None:
    capped = arm.route is not None and ROUTES[arm.route].extent.max_nodes == 200
    says_cap = "200 nodes" in arm.description or "nodes200" in arm.description
    assert says_cap == capped


def test_what_arms_are_compared_with_is_among_them() -> None:
    assert set(COMPARED_WITH) <= ARMS.keys()
    assert set(FIRST_ARMS) <= ARMS.keys()
    assert FIRST_ARMS[0] == DEFAULT_ARM
    assert set(BASELINES) <= set(COMPARED_WITH)
