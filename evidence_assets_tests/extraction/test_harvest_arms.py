"""Which prompts each arm of a harvest reads, and what they count for."""

from __future__ import annotations

import math

import pytest

from evidence_assets.extraction.arms import (
    ARMS,
    BASELINE,
    DEFAULT,
    FINAL,
    LIKELIHOOD,
    SEARCHES,
    Search,
    prompts_for,
    searches_of,
)

ROWS = [
    {
        "prompt": prompt,
        "rank": rank,
        "initial": prompt == "first",
        "weight": weight,
        "seed_log_probability": likely,
    }
    for prompt, rank, weight, likely in (
        ("first", 1, 0.3, -2.0),
        ("worst", 3, 0.1, -1.0),
        ("best", 0, 0.4, -3.0),
        ("third", 2, 0.2, -4.0),
    )
]


def test_every_arm_reads_a_search_and_every_search_is_read() -> None:
    assert {arm.search for arm in ARMS.values()} == set(SEARCHES)
    assert all(ARMS[name].name == name for name in ARMS)
    assert all(SEARCHES[name].name == name for name in SEARCHES)


def test_the_default_goes_both_ways_and_the_baseline_is_bertnets() -> None:
    default, baseline = SEARCHES[ARMS[DEFAULT].search], SEARCHES[ARMS[BASELINE].search]
    assert (default.bidirectional, default.one_list, ARMS[DEFAULT].ranked_by) == (True, False, FINAL)
    assert (baseline.bidirectional, baseline.one_list) == (False, True)
    assert ARMS[BASELINE].ranked_by == LIKELIHOOD
    assert not ARMS[DEFAULT].printed
    # As the thesis has it: one order of filling, eq. 5.20 as printed, an entity ten times.
    paper = ARMS["kbloom_paper"]
    assert (paper.printed, SEARCHES[paper.search].bidirectional, paper.most_of_head) == (True, False, 10)


def test_arms_share_searches() -> None:
    assert searches_of(["kbloom", "kbloom_likelihood", "bertnet", "kbloom_euclidean"]) == [
        SEARCHES["multi"],
        SEARCHES["bertnet_multi"],
    ]
    assert searches_of([]) == []


@pytest.mark.parametrize(
    ("how", "most", "prompts", "weights"),
    [
        (SEARCHES["initial"], 10, ["first"], [0.3]),
        (SEARCHES["top1"], 10, ["best"], [0.4]),
        (SEARCHES["multi"], 10, ["best", "first", "third", "worst"], [0.4, 0.3, 0.2, 0.1]),
        (SEARCHES["multi"], 2, ["best", "first"], [0.4, 0.3]),
        (
            SEARCHES["bertnet_multi"],
            3,
            ["best", "first", "third"],
            [math.exp(-3), math.exp(-2), math.exp(-4)],
        ),
    ],
)
def test_a_searchs_prompts_are_the_best_there_are(
    how: Search, most: int, prompts: list[str], weights: list[float]
) -> None:
    found = prompts_for(how, ROWS, most)
    assert found[0] == prompts
    assert found[1] == pytest.approx(weights)


def test_the_best_paraphrase_is_not_the_initial_prompt_unless_there_is_none() -> None:
    better = [{**row, "rank": 0 if row["initial"] else row["rank"] + 1} for row in ROWS]
    assert prompts_for(SEARCHES["top1"], better, 10)[0] == ["best"]
    assert prompts_for(SEARCHES["top1"], ROWS[:1], 10) == (["first"], [0.3])
