"""What the rankings of the benchmark are measured by."""

from __future__ import annotations

import pytest

from benchmarks.retrieval.retrieval_quality import recall_at, reciprocal_rank

RANKED = ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    ("gold", "depth", "recall"),
    [
        ([{"a"}], 1, 1.0),
        ([{"b"}], 1, 0.0),
        ([{"a"}, {"b"}], 1, 0.5),
        ([{"a"}, {"b"}], 2, 1.0),
        ([{"x", "c"}, set()], 3, 0.5),
        ([set(), set()], 4, 0.0),
        ([{"a"}, {"a"}, {"z"}], 15, 2 / 3),
    ],
)
def test_recall_is_the_share_of_gold_items_found(gold: list[set[str]], depth: int, recall: float) -> None:
    assert recall_at(RANKED, gold, depth) == pytest.approx(recall)


@pytest.mark.parametrize(
    ("gold", "rank"),
    [([{"a"}], 1.0), ([{"c"}, {"b"}], 0.5), ([{"d", "x"}], 0.25), ([{"z"}], 0.0), ([set()], 0.0)],
)
def test_reciprocal_rank_is_of_the_first_that_holds_any(gold: list[set[str]], rank: float) -> None:
    assert reciprocal_rank(RANKED, gold) == rank


def test_nothing_ranked_finds_nothing() -> None:
    assert recall_at([], [{"a"}], 5) == 0.0
    assert reciprocal_rank([], [{"a"}]) == 0.0
