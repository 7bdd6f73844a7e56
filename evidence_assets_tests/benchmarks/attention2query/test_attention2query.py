"""Which arms are measured as table 7 prints them, and what weights chosen on a half are worth."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.attention2query.cases import Case
from benchmarks.attention2query.options import PRINTED, PRINTED_ARMS, SAMPLED_ARMS
from benchmarks.attention2query.weights import chosen_weights, right_options
from evidence_assets.evaluation.published import published_rows
from evidence_assets.lake.ids import text_hash
from evidence_assets.systems.attention2query.arms import RETRIEVALS, TUNED

# Of no effect where a graph defines no concept.
_WITHOUT_EFFECT = "paper_no_taxonomy"


def test_every_arm_of_table_7_is_measured() -> None:
    printed = {
        row["arm"].partition("@")[0]
        for row in published_rows().to_pylist()
        if (row["source"], row["table_number"]) == ("attention2query-2025", "7")
    }
    assert printed - {"published"} == {*PRINTED_ARMS, _WITHOUT_EFFECT}
    assert PRINTED_ARMS[0] == PRINTED
    assert RETRIEVALS[PRINTED].classifier == TUNED
    assert set(PRINTED_ARMS) <= set(SAMPLED_ARMS) <= set(RETRIEVALS)


def _cases(half: int, key: int, count: int) -> list[Case]:
    """Cases of one half by the hash of their ids."""
    ids = [str(number) for number in range(400)]
    return [
        Case(name, "which is it", ["a", "b"], key) for name in ids if int(text_hash(name), 16) % 2 == half
    ][:count]


def test_what_is_best_on_one_half_is_told_on_the_other() -> None:
    cases = [*_cases(0, 1, 20), *_cases(1, 0, 30)]
    # The text and weak attention speak for the first option, strong attention for the second.
    first, second = (
        np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 0.0]]),
        np.array([[1.0, -9.0, -9.0], [0.0, 9.0, 9.0]]),
    )
    chosen = chosen_weights({0.1: [first] * 50, 0.5: [second] * 50}, cases, np.zeros(50))
    assert chosen["attention_share"] == 0.5
    assert chosen["direct_and_own"] == (0.25, 0.25)
    assert not chosen["is_the_default"]
    assert [chosen[part]["questions"] for part in ("chosen_on", "other", "whole")] == [20, 30, 50]
    assert [chosen[part]["accuracy"] for part in ("chosen_on", "other", "whole")] == [1.0, 0.0, 0.4]
    assert chosen["minus_cosine_by_attention_share"] == {"0.1": [0.0, 1.0, 0.6], "0.5": [1.0, 0.0, 0.4]}
    assert chosen["measures_alone"] == pytest.approx({"text": 0.6, "direct": 0.4, "own": 0.4})


def test_a_negated_question_asks_for_what_the_graph_speaks_least_for() -> None:
    measures = [np.array([[0.0, 1.0, 1.0], [0.1, 0.0, 0.0]])] * 2
    cases = [Case("a", "what is it", ["x", "y"], 0), Case("b", "what is not so", ["x", "y"], 1)]
    assert right_options(measures, cases, (0.25, 0.75)).tolist() == [1.0, 1.0]
