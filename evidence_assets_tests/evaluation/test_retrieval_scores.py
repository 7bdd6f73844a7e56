"""Recall and rank of gold evidence, in what was retrieved and in what was selected."""

from __future__ import annotations

import math

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.evaluation.retrieval_scores import retrieval_values, selection_values
from evidence_assets_tests.testing.scored_questions import KEYS, keyed, questions


def ranked(*rows: tuple[str, int, int, str]) -> pa.Table:
    names = ("question_id", "candidate", "rank", "chunk_id")
    schema = pa.schema(
        [
            ("question_id", pa.string()),
            ("candidate", pa.int32()),
            ("rank", pa.int32()),
            ("chunk_id", pa.string()),
        ]
    )
    return pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows], schema=schema)


def gold_chunks(*rows: tuple[str, int, str]) -> pa.Table:
    names = ("question_id", "gold_index", "chunk_id")
    schema = pa.schema([("question_id", pa.string()), ("gold_index", pa.int32()), ("chunk_id", pa.string())])
    return pa.Table.from_pylist([dict(zip(names, row, strict=True)) for row in rows], schema=schema)


def test_gold_text_that_the_corpus_lacks_counts_as_missed() -> None:
    values = retrieval_values(
        ranked(("a", -1, 1, "x"), ("a", -1, 2, "y")), gold_chunks(("a", 0, "y")), questions(a=2)
    )
    assert values == {
        "recall@1": {"a": 0.0},
        "recall@5": {"a": 0.5},
        "recall@15": {"a": 0.5},
        "mrr": {"a": 0.5},
        # One of two gold texts stands in a chunk, the second of the list.
        "ndcg@10": {"a": pytest.approx((1 / math.log2(3)) / (1 + 1 / math.log2(3)))},
    }


def test_recall_is_of_the_question_alone_in_the_order_of_ranks() -> None:
    rows = ranked(("a", 0, 1, "y"), ("a", -1, 2, "y"), ("a", -1, 1, "x"), ("b", -1, 1, "y"))
    values = retrieval_values(rows, gold_chunks(("a", 0, "y"), ("b", 0, "y")), questions(a=1, b=1))
    assert values["recall@1"] == {"a": 0.0, "b": 1.0}
    assert values["mrr"] == {"a": 0.5, "b": 1.0}


def test_questions_without_gold_evidence_are_left_out_and_unranked_ones_are_missed() -> None:
    values = retrieval_values(ranked(("a", -1, 1, "x")), gold_chunks(("a", 0, "x")), questions(a=1, b=0, c=1))
    assert values["mrr"] == {"a": 1.0, "c": 0.0}
    assert retrieval_values(ranked(), gold_chunks(), questions(b=0)) == {}


LISTS = st.dictionaries(st.sampled_from("abc"), st.lists(st.sampled_from("uvwxyz"), unique=True, max_size=6))
GOLD_SETS = st.dictionaries(
    st.sampled_from("abc"), st.lists(st.sets(st.sampled_from("uvwxyz"), max_size=3), max_size=3), min_size=1
)


@given(LISTS, GOLD_SETS)
def test_recall_and_rank_are_what_a_look_down_each_list_finds(
    lists: dict[str, list[str]], gold: dict[str, list[set[str]]]
) -> None:
    rows = ranked(
        *((key, -1, n, chunk) for key, chunks in lists.items() for n, chunk in enumerate(chunks, 1))
    )
    holders = [
        (key, n, chunk) for key, items in gold.items() for n, item in enumerate(items) for chunk in item
    ]
    values = retrieval_values(rows, gold_chunks(*holders), questions(**{k: len(v) for k, v in gold.items()}))
    for key, items in ((key, items) for key, items in gold.items() if items):
        ranking = lists.get(key, [])
        for depth in (1, 5, 15):
            hits = sum(bool(item.intersection(ranking[:depth])) for item in items)
            assert values[f"recall@{depth}"][key] == hits / len(items)
        places = [n for n, chunk in enumerate(ranking, 1) if any(chunk in item for item in items)]
        assert values["mrr"][key] == (1 / places[0] if places else 0.0)


# What was selected: of each candidate the units in their order, "!" marking triples.
SELECTED = {
    # Both gold chunks for the question alone, one of them for the right option, none for the wrong one.
    ("a", -1): ["x", "!t1", "!t2", "!t3", "!t4", "y"],
    ("a", 0): ["!t1", "y"],
    ("a", 1): ["z"],
    # Gold evidence in two chunks of an article: either will do.
    ("b", -1): ["!t1"],
    ("b", 1): ["w1"],
    # Nothing for the right option, gold chunks for another.
    ("c", 0): ["v"],
    # A question without options.
    ("open", -1): ["u"],
    # A question without gold evidence.
    ("free", -1): ["x"],
    ("free", 0): ["x"],
}
GOLD = [("a", 0, "x"), ("a", 1, "y"), ("b", 0, "w1"), ("b", 0, "w2"), ("c", 0, "v"), ("open", 0, "u")]


def selected(lists: dict[tuple[str, int], list[str]]) -> tuple[pa.Table, pa.Table]:
    """Rows of `selected_evidence`, shuffled, and of `evidence`: a unit's id is e: and its key."""
    rows = [
        (question_id, candidate, rank, f"e:{key.strip('!')}")
        for (question_id, candidate), keys in lists.items()
        for rank, key in enumerate(keys, start=1)
    ]
    names = sorted({evidence_id for *_, evidence_id in rows})
    evidence = pa.table(
        {
            "evidence_id": pa.array(names, pa.string()),
            "source_key": pa.array([name.removeprefix("e:") for name in names], pa.string()),
        }
    )
    return ranked(*rows[::-1]).rename_columns(["question_id", "candidate", "rank", "evidence_id"]), evidence


def test_recall_of_what_was_selected() -> None:
    values = selection_values(*selected(SELECTED), gold_chunks(*GOLD), keyed())
    assert values == {
        # Triples take places: y stands at rank 6 of the question alone.
        "evidence_recall@1": {"a": 0.5, "b": 0.0, "c": 0.0, "open": 1.0},
        "evidence_recall@5": {"a": 0.5, "b": 0.0, "c": 0.0, "open": 1.0},
        "evidence_recall@15": {"a": 1.0, "b": 0.0, "c": 0.0, "open": 1.0},
        "right_option_recall@1": {"a": 0.0, "b": 1.0, "c": 0.0},
        "right_option_recall@5": {"a": 0.5, "b": 1.0, "c": 0.0},
        "right_option_recall@15": {"a": 0.5, "b": 1.0, "c": 0.0},
    }


def test_only_the_right_option_counts_as_right() -> None:
    gold = gold_chunks(*GOLD)
    values = selection_values(*selected(SELECTED), gold, keyed({**KEYS, "a": 1, "c": 0}))
    assert values["right_option_recall@15"] == {"a": 0.0, "b": 1.0, "c": 1.0}
    # Without a key there is no right option, and nothing to miss.
    values = selection_values(*selected(SELECTED), gold, keyed(dict.fromkeys(KEYS)))
    assert not any(name.startswith("right_option") for name in values)
    values = selection_values(*selected(SELECTED), gold, keyed({**KEYS, "b": None}))
    assert values["right_option_recall@15"].keys() == {"a", "c"}


def test_where_the_question_alone_found_for_all_options_none_has_evidence_of_its_own() -> None:
    alone = {key: keys for key, keys in SELECTED.items() if key[1] == -1}
    values = selection_values(*selected(alone), gold_chunks(*GOLD), keyed())
    assert values.keys() == {"evidence_recall@1", "evidence_recall@5", "evidence_recall@15"}
    assert selection_values(*selected({}), gold_chunks(*GOLD), keyed()) == {}


def test_what_was_selected_as_it_was_ranked_has_the_rankings_recall() -> None:
    """With chunks alone, k = 15: the same figures under another name."""
    lists = {("a", -1): ["q", "x", "r", "y"], ("b", -1): ["w2"], ("c", -1): ["q"]}
    rows = ranked(
        *((*key, rank, chunk) for key, chunks in lists.items() for rank, chunk in enumerate(chunks, start=1))
    )
    ranking = retrieval_values(rows, gold_chunks(*GOLD), keyed())
    values = selection_values(*selected(lists), gold_chunks(*GOLD), keyed())
    for depth in (1, 5, 15):
        assert values[f"evidence_recall@{depth}"] == ranking[f"recall@{depth}"]
