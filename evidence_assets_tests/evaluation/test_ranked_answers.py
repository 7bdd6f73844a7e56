"""Metrics of ranked answers: against torchmetrics without ties, against every order of them with."""

from __future__ import annotations

import math
from itertools import chain, permutations, product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.evaluation.ranked_answers import (
    Tie,
    contained_values,
    first_right,
    hits_at,
    holds,
    ndcg_at,
    ranking_values,
    recall_at,
    reciprocal_rank,
    set_scores,
    ties_of,
)
from evidence_assets.lake.schemas import GRAPH_ALIASES, QUESTIONS, RANKED_ANSWERS
from evidence_assets_tests.testing.approximate_numbers import approximately
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.table_rows import table_of

Ranking = list[tuple[float, bool]]
EXPERIMENT = {"system": "s", "arm": "a", "benchmark": "b"}


def ties(ranking: Ranking) -> list[Tie]:
    return ties_of([score for score, _ in ranking], [right for _, right in ranking])


def ordered(rights: list[list[bool]]) -> Ranking:
    """A ranking of one tie a list, best first."""
    return [(-float(place), right) for place, tied in enumerate(rights) for right in tied]


@examples(150)
@given(st.lists(st.booleans(), min_size=1, max_size=40).filter(any), st.sampled_from([1, 2, 5, 10, 20]))
def test_without_ties_they_are_torchmetrics_own(rights: list[bool], depth: int) -> None:
    # Takes as long to import as this file to run, and every worker imports every file.
    from torchmetrics.functional.retrieval import (
        retrieval_hit_rate,
        retrieval_recall,
        retrieval_reciprocal_rank,
    )

    scores = torch.arange(len(rights), 0, -1, dtype=torch.float64)
    target = torch.tensor(rights)
    tied = ties(ordered([[right] for right in rights]))
    for measure, oracle in (
        (hits_at(tied, depth), retrieval_hit_rate(scores, target, top_k=depth)),
        (recall_at(tied, sum(rights), depth), retrieval_recall(scores, target, top_k=depth)),
        (reciprocal_rank(tied), retrieval_reciprocal_rank(scores, target)),
    ):
        assert measure == pytest.approx((float(oracle),) * 3)
        assert len(set(measure)) == 1


@examples(80)
@given(
    st.lists(st.lists(st.booleans(), min_size=1, max_size=4), min_size=1, max_size=3).filter(
        lambda rights: any(map(any, rights))
    ),
    st.integers(1, 8),
    st.integers(0, 3),
)
def test_with_ties_they_are_the_mean_over_every_order(
    rights: list[list[bool]], depth: int, unranked: int
) -> None:
    tied, gold = ties(ordered(rights)), sum(map(sum, rights)) + unranked
    orders = [list(chain(*parts)) for parts in product(*(list(permutations(tie)) for tie in rights))]
    for measure, oracle in (
        (hits_at(tied, depth), [float(any(order[:depth])) for order in orders]),
        (recall_at(tied, gold, depth), [sum(order[:depth]) / gold for order in orders]),
        (reciprocal_rank(tied), [1 / (order.index(True) + 1) for order in orders]),
    ):
        assert measure == pytest.approx((np.mean(oracle), max(oracle), min(oracle)))
        expected, best, worst = measure
        assert worst - 1e-12 <= expected <= best + 1e-12


def test_a_tie_of_a_hundred_thousand_is_no_trouble() -> None:
    tie = Tie(100_000, 30, 0)
    chances = first_right(tie)
    assert chances.sum() == pytest.approx(1)
    # The first of r right ones among n stands at (n + 1) / (r + 1) on average.
    assert (chances * np.arange(1, len(chances) + 1)).sum() == pytest.approx(100_001 / 31)
    assert hits_at([tie], 1) == pytest.approx((30 / 100_000, 1.0, 0.0))


def test_nothing_right_scores_nothing() -> None:
    for ranking in ([], [(1.0, False), (1.0, False)]):
        assert hits_at(ties(ranking), 10) == reciprocal_rank(ties(ranking)) == (0.0, 0.0, 0.0)
        assert recall_at(ties(ranking), 2, 20) == (0.0, 0.0, 0.0)


def test_what_is_no_ranking_is_refused() -> None:
    with pytest.raises(ValueError, match="do not descend"):
        ties_of([0.1, 0.2], [True, False])
    with pytest.raises(ValueError, match="do not descend"):
        ties_of([0.1, float("nan")], [True, False])
    with pytest.raises(ValueError, match="1 scores do not pair with 2"):
        ties_of([0.1], [True, False])
    with pytest.raises(ValueError, match="at least one right answer"):
        recall_at([], 0, 5)


@pytest.mark.parametrize(
    ("returned", "right", "expected"),
    [
        ({"a", "b"}, {"a", "b"}, (1.0, 1.0)),
        ({"a"}, {"a", "b"}, (2 / 3, 0.0)),
        (set(), {"a"}, (0.0, 0.0)),
        ({"c"}, {"a"}, (0.0, 0.0)),
    ],
)
def test_a_set_has_its_f1_and_whether_it_is_exact(
    returned: set[str], right: set[str], expected: tuple[float, float]
) -> None:
    assert set_scores(returned, right) == pytest.approx(expected)


def questions(
    answers: dict[str, list[str]],
    options: dict[str, list[str]] | None = None,
    keys: dict[str, list[str]] | None = None,
) -> pa.Table:
    offered, answer_keys = options or {}, keys or {}
    rows = (
        {
            "question_id": key,
            "options": offered.get(key, []),
            "answers": right,
            "answer_keys": answer_keys.get(key),
        }
        for key, right in answers.items()
    )
    return table_of(QUESTIONS, *rows)


def ranked(lists: dict[str, list[tuple[str, float, bool, bool]]]) -> pa.Table:
    rows: list[dict[str, Any]] = [
        {
            **EXPERIMENT,
            "question_id": question_id,
            "rank": rank,
            "answer": answer,
            "score": score,
            "supported": supported,
            "returned": returned,
            "evidence": [],
        }
        for question_id, ranking in lists.items()
        for rank, (answer, score, supported, returned) in enumerate(ranking, start=1)
    ]
    # Upside down: rows are read by rank.
    return pa.Table.from_pylist(rows[::-1], schema=RANKED_ANSWERS.schema)


def test_answers_are_matched_by_normal_form_and_one_label_counts_once() -> None:
    rows = ranked(
        {
            "q": [
                ("The  Terminator", 0.9, True, True),
                ("the terminator", 0.9, False, True),
                ("Aliens", 0.5, False, False),
            ]
        }
    )
    values = ranking_values(rows, questions({"q": ["aliens!", "The Terminator", "Avatar"]}))
    assert values.pop("answer_ndcg@10")["q"] == pytest.approx(
        (1 + 1 / math.log2(3)) / sum(1 / math.log2(place + 1) for place in (1, 2, 3))
    )
    assert {
        metric: of["q"] for metric, of in values.items() if "_best" not in metric and "_worst" not in metric
    } == {
        "hits@1": 1.0,
        "hits@5": 1.0,
        "hits@10": 1.0,
        "answer_recall@20": pytest.approx(2 / 3),
        "answer_mrr": 1.0,
        "answer_f1": 0.5,
        "answer_exact_set": 0.0,
        "answer_coverage": 1.0,
        "answer_supported": 1.0,
    }


# Label, number, identifiers, score, and whether it is returned.
RankedNode = tuple[str, int, list[str] | None, float, bool]


def ranked_nodes(nodes: list[RankedNode]) -> pa.Table:
    """Nodes of one question."""
    rows: list[dict[str, Any]] = [
        {
            **EXPERIMENT,
            "question_id": "q",
            "rank": rank,
            "answer": label,
            "kg": "k",
            "node": node,
            "node_keys": keys,
            "score": score,
            "supported": True,
            "returned": returned,
            "evidence": [],
        }
        for rank, (label, node, keys, score, returned) in enumerate(nodes, start=1)
    ]
    return pa.Table.from_pylist(rows, schema=RANKED_ANSWERS.schema)


HEATS: list[RankedNode] = [("Heat (film:2)", 5, ["film:2"], 0.9, True), ("Heat", 4, ["film:1"], 0.5, False)]


def test_a_node_is_right_by_its_identifier_whatever_it_is_called() -> None:
    by_node = ranking_values(ranked_nodes(HEATS), questions({"q": ["Heat"]}, keys={"q": ["film:1"]}))
    shown = {name: by_node[name]["q"] for name in ("hits@1", "answer_mrr", "answer_f1", "answer_recall@20")}
    # The namesake stands first, and is wrong.
    assert shown == {"hits@1": 0.0, "answer_mrr": 0.5, "answer_f1": 0.0, "answer_recall@20": 1.0}
    both = ranking_values(ranked_nodes(HEATS), questions({"q": ["Heat"]}, keys={"q": ["film:1", "film:2"]}))
    assert (both["hits@1"]["q"], both["answer_recall@20"]["q"], both["answer_f1"]["q"]) == (1.0, 1.0, 2 / 3)


def test_a_namesake_is_right_where_only_the_name_is_known() -> None:
    values = ranking_values(ranked_nodes(HEATS), questions({"q": ["heat"]}))
    assert (values["hits@1"]["q"], values["answer_exact_set"]["q"], values["answer_mrr"]["q"]) == (1, 1, 1)


def test_nodes_whose_labels_differ_in_punctuation_alone_are_two() -> None:
    nodes: list[RankedNode] = [("A-B", 1, ["k:1"], 0.9, True), ("A B", 2, ["k:2"], 0.9, True)]
    values = ranking_values(ranked_nodes(nodes), questions({"q": ["A B"]}, keys={"q": ["k:2"]}))
    assert (values["hits@1"]["q"], values["answer_f1"]["q"]) == (0.5, approximately(2 / 3))


def test_words_are_never_right_by_an_identifier_they_do_not_have() -> None:
    words = ranked({"q": [("Heat", 1.0, False, True)]})
    values = ranking_values(words, questions({"q": ["Heat"]}, keys={"q": ["film:1"]}))
    assert values["hits@1"]["q"] == 0.0


def test_ties_are_told_apart_from_order() -> None:
    rows = ranked({"q": [("x", 0.5, True, True), ("y", 0.5, True, True)]})
    values = ranking_values(rows, questions({"q": ["y"]}))
    shown = {name: values[name]["q"] for name in ("hits@1", "hits@1_best", "hits@1_worst", "answer_mrr")}
    assert shown == {"hits@1": 0.5, "hits@1_best": 1.0, "hits@1_worst": 0.0, "answer_mrr": 0.75}


def test_open_questions_with_a_key_count_ranked_or_not() -> None:
    """An open question that was not ranked is missed; one with options, or without a key, is no ranking's."""
    question_rows = questions({"silent": ["y"], "closed": ["y"], "keyless": []}, {"closed": ["x", "y"]})
    values = ranking_values(ranked({"closed": [("y", 1.0, True, True)]}), question_rows)
    assert {question for of in values.values() for question in of} == {"silent"}
    assert {value for of in values.values() for value in of.values()} == {0.0}
    assert ranking_values(ranked({}), questions({"closed": ["y"]}, {"closed": ["y"]})) == {}


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("It was James Cameron, in 1984.", "james cameron", True),
        ("It was 1984.", "1984", True),
        ("jamescameron", "james", False),
        ("Cameron James", "James Cameron", False),
        ("", "x", False),
        ("x", "", False),
        ("1,984 men", "1984", False),
    ],
)
def test_a_name_is_held_as_whole_words(text: str, name: str, expected: bool) -> None:
    assert holds(text, name) is expected


def test_an_answer_is_contained_under_any_of_its_names() -> None:
    predictions = pa.table(
        {
            "question_id": ["plain", "alias", "lemma", "other", "silent", "closed"],
            "predicted": ["The US of course", "The U.S.", "unite state", "France", None, "United States"],
        }
    )
    question_rows = questions(
        {key: ["United States"] for key in predictions.column("question_id").to_pylist()} | {"plain": ["US"]},
        {"closed": ["United States"]},
    )
    rows = [
        ("united states", "label", 3),
        ("u s", "synonym", 3),
        ("unite state", "lemma", 3),
        ("france", "label", 4),
    ]
    names = table_of(
        GRAPH_ALIASES,
        *({"kg": "k", "alias": alias, "kind": kind, "node": node} for alias, kind, node in rows),
    )
    right = {"plain": 1.0, "alias": 1.0, "lemma": 0.0, "other": 0.0, "silent": 0.0}
    exact = {**right, "plain": 0.0}
    assert contained_values(predictions, question_rows, names) == {
        "answer_contained": right,
        "exact_match": exact,
    }
    assert contained_values(predictions, question_rows)["answer_contained"] == right | {"alias": 0.0}
    assert contained_values(predictions.slice(5), question_rows) == {}


@given(st.lists(st.tuples(st.sampled_from([0.9, 0.5, 0.1]), st.booleans()), max_size=6), st.integers(1, 7))
def test_the_discounted_gain_is_its_mean_over_every_order_of_ties(ranking: Ranking, depth: int) -> None:
    ranking = sorted(ranking, key=lambda pair: -pair[0])
    right = sum(flag for _, flag in ranking) + 1
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(right, depth) + 1))
    groups = [[flag for score, flag in ranking if score == wanted] for wanted in (0.9, 0.5, 0.1)]
    gains = [
        sum(
            flag / math.log2(place + 1) for place, flag in enumerate(chain(*order), start=1) if place <= depth
        )
        for order in product(*(list(permutations(group)) for group in groups))
    ]
    ties = ties_of([score for score, _ in ranking], [flag for _, flag in ranking])
    assert ndcg_at(ties, right, depth) == pytest.approx(float(np.mean(gains)) / ideal)


def test_a_gain_without_a_right_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        ndcg_at([], 0, 10)
