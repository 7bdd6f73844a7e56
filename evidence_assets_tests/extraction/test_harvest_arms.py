"""Which prompts each arm of a harvest reads, and what they count for."""

from __future__ import annotations

import math
from typing import Any

import pytest

from evidence_assets.extraction.arms import (
    ARMS,
    BASELINE,
    COMPATIBILITY,
    CONTRAST,
    DEFAULT,
    FINAL,
    LIKELIHOOD,
    SEARCHES,
    Search,
    baseline_of,
    prompts_for,
    searches_of,
)

ROWS: list[dict[str, Any]] = [
    {
        "prompt": prompt,
        "rank": rank,
        "initial": prompt == "first",
        "weight": weight,
        "seed_log_probability": likely,
        "contrast": contrast,
    }
    # With these contrasts the softmax is proportional to 3, 1, 6 and, at last, next to nothing.
    for prompt, rank, weight, likely, contrast in (
        ("first", 1, 0.3, -2.0, math.log(3)),
        ("worst", 3, 0.1, -1.0, 0.0),
        ("best", 0, 0.4, -3.0, -9.0),
        ("third", 2, 0.2, -4.0, math.log(6)),
    )
]


def test_every_arm_reads_a_search_and_every_search_is_read() -> None:
    assert {arm.search for arm in ARMS.values()} == set(SEARCHES)
    assert all(ARMS[name].name == name for name in ARMS)
    assert all(SEARCHES[name].name == name for name in SEARCHES)


def test_the_default_goes_both_ways_and_the_baseline_is_bertnets() -> None:
    default, baseline = SEARCHES[ARMS[DEFAULT].search], SEARCHES[ARMS[BASELINE].search]
    assert (default.bidirectional, default.one_list, ARMS[DEFAULT].ranked_by) == (True, False, FINAL)
    assert (baseline.bidirectional, baseline.one_list, baseline.most_of_word) == (False, True, 5)
    assert (baseline.weighted_by, ARMS[BASELINE].ranked_by) == (CONTRAST, COMPATIBILITY)
    assert not ARMS[BASELINE].most_of_entity
    assert not ARMS[DEFAULT].printed
    # As the thesis has it: one order of filling, eq. 5.20 as printed, an entity ten times.
    paper = ARMS["kbloom_paper"]
    assert (paper.printed, SEARCHES[paper.search].bidirectional, paper.most_of_entity) == (True, False, 10)
    # What the thesis says of BertNet is an arm of its own: one list, ranked by likelihood alone.
    simplified = ARMS["bertnet_simplified"]
    search = SEARCHES[simplified.search]
    assert (simplified.ranked_by, search.one_list, search.most_of_word) == (LIKELIHOOD, True, 0)


def test_an_arm_is_compared_with_bertnet_under_the_same_choice_of_prompts() -> None:
    assert {arm: baseline_of(arm) for arm in ("kbloom", "kbloom_paper_initial", "kbloom_top1")} == {
        "kbloom": "bertnet",
        "kbloom_paper_initial": "bertnet_initial",
        "kbloom_top1": "bertnet_top1",
    }
    assert [baseline_of(arm) for arm in ("bertnet", "bertnet_initial", "bertnet_top1")] == [None] * 3
    assert baseline_of("bertnet_simplified_top1") == "bertnet_top1"
    assert {baseline_of(arm) for arm in ARMS} <= {None, *ARMS}


def test_arms_share_searches() -> None:
    arms = ["kbloom", "kbloom_likelihood", "bertnet", "bertnet_simplified", "kbloom_euclidean"]
    assert searches_of(arms) == [SEARCHES["multi"], SEARCHES["bertnet_multi"], SEARCHES["one_list_multi"]]
    assert searches_of([]) == []


@pytest.mark.parametrize(
    ("how", "most", "prompts", "weights"),
    [
        (SEARCHES["initial"], 10, ["first"], [0.3]),
        (SEARCHES["top1"], 10, ["best"], [0.4]),
        (SEARCHES["multi"], 10, ["best", "first", "third", "worst"], [0.4, 0.3, 0.2, 0.1]),
        (SEARCHES["multi"], 2, ["best", "first"], [0.4, 0.3]),
        (
            SEARCHES["one_list_multi"],
            3,
            ["best", "first", "third"],
            [math.exp(-3), math.exp(-2), math.exp(-4)],
        ),
        (SEARCHES["bertnet_multi"], 10, ["third", "first", "worst"], [0.6, 0.3, 0.1]),
        (SEARCHES["bertnet_multi"], 2, ["third", "first"], [2 / 3, 1 / 3]),
        (SEARCHES["bertnet_initial"], 10, ["first"], [1.0]),
        (SEARCHES["bertnet_top1"], 10, ["third"], [1.0]),
    ],
)
def test_a_searchs_prompts_are_the_best_there_are(
    how: Search, most: int, prompts: list[str], weights: list[float]
) -> None:
    chosen = prompts_for(how, ROWS, most)
    assert chosen[0] == prompts
    assert chosen[1] == pytest.approx(weights)


def test_the_best_paraphrase_is_not_the_initial_prompt_unless_there_is_none() -> None:
    better = [{**row, "rank": 0 if row["initial"] else row["rank"] + 1} for row in ROWS]
    assert prompts_for(SEARCHES["top1"], better, 10)[0] == ["best"]
    assert prompts_for(SEARCHES["top1"], ROWS[:1], 10) == (["first"], [0.3])


def test_bertnets_best_prompt_is_its_own_and_may_be_the_initial_one() -> None:
    initial = [{**row, "contrast": 5.0} if row["initial"] else row for row in ROWS]
    assert prompts_for(SEARCHES["bertnet_top1"], initial, 10) == (["first"], [1.0])
    assert prompts_for(SEARCHES["top1"], initial, 10)[0] == ["best"]
