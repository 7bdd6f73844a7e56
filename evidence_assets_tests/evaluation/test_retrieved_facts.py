"""What is measured of retrieved facts: whether they hold the answer, and what of the question they say."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from evidence_assets.evaluation.retrieved_facts import GraphNames, bert_recall, coverage, fact_values
from evidence_assets.extraction.prompt_scores import bert_score
from evidence_assets.lake.schemas import (
    GRAPH_ALIASES,
    GRAPH_CONCEPTS,
    GRAPH_NODES,
    QUESTIONS,
    RETRIEVED_FACTS,
)
from evidence_assets.models.encoder import EncodedWords
from evidence_assets_tests.testing.table_rows import retrieved_fact, table_of

ALIASES = table_of(
    GRAPH_ALIASES,
    *(
        {"kg": "k", "alias": alias, "kind": kind, "node": node}
        for alias, kind, node in [
            ("heat", "label", 1),
            ("heat", "label", 2),
            ("michael mann", "label", 3),
            ("al pacino", "label", 4),
            ("alfredo", "synonym", 4),
        ]
    ),
)
# Two films called Heat: the second's label tells its key, and the sources name both.
NODES = table_of(
    GRAPH_NODES,
    *(
        {"kg": "k", "label": label, "node": node, "degree": 1}
        for node, label in enumerate(["Thief", "Heat", "Heat (f2)", "Michael Mann", "Al Pacino"])
    ),
)
CONCEPTS = table_of(
    GRAPH_CONCEPTS,
    *({"label": label, "keys": [key]} for label, key in [("Heat", "f1"), ("Heat (f2)", "f2")]),
)
GRAPH = GraphNames(ALIASES, NODES, CONCEPTS)


def facts(*entries: tuple[int, int, str, list[int]]) -> pa.Table:
    """Candidate, rank, text and the nodes that a fact would answer with."""
    rows = [
        retrieved_fact(candidate, rank, text, question_id="q", kg="k", answers=answers)
        for candidate, rank, text, answers in reversed(entries)
    ]
    return table_of(RETRIEVED_FACTS, *rows)


def question_of(
    question: str, answers: list[str], options: list[str] | None = None, keys: list[str] | None = None
) -> pa.Table:
    row = {"question_id": "q", "question": question, "options": options or [], "answers": answers}
    return table_of(QUESTIONS, {**row, "answer_keys": keys})


def test_hits_and_f1_are_of_the_nodes_that_facts_would_answer_with() -> None:
    retrieved = facts((-1, 1, "a", [4]), (-1, 2, "b", [3]), (-1, 3, "c", [3]))
    values = fact_values(retrieved, question_of("who directed Heat", ["Michael Mann"]), GRAPH)
    assert {metric: of["q"] for metric, of in values.items()} == {
        "coverage": 0.0,
        "retrieval_hits@1": 0.0,
        "retrieval_hits@10": 1.0,
        "retrieval_f1": pytest.approx(2 / 3),
    }


def test_any_node_of_an_answers_name_is_right() -> None:
    values = fact_values(facts((-1, 1, "a", [2])), question_of("what did he direct", ["Heat"]), GRAPH)
    assert values["retrieval_hits@1"] == {"q": 1.0}


def test_of_nodes_that_share_a_name_the_one_that_the_question_names_by_key_is_right() -> None:
    question = question_of("what did he direct", ["Heat"], keys=["f2"])
    hits = [fact_values(facts((-1, 1, "a", [node])), question, GRAPH)["retrieval_hits@1"] for node in (1, 2)]
    assert hits == [{"q": 0.0}, {"q": 1.0}]


def test_nothing_retrieved_is_missed_and_options_have_no_hits() -> None:
    missed = fact_values(facts(), question_of("who directed Heat", ["Michael Mann"]), GRAPH)
    assert {of["q"] for of in missed.values()} == {0.0}
    offered = fact_values(facts((0, 1, "heat", [])), question_of("heat", ["x"], ["x", "y"]), GRAPH)
    assert offered == {"coverage": {"q": 1.0}}


@pytest.mark.parametrize(
    ("question", "texts", "expected"),
    [
        ("Where does a dog, a dog, sleep?", ["A dog sleeps.", "Dogs do sleep"], 3 / 5),
        ("Where?", [], 0.0),
        ("?", ["x"], 0.0),
    ],
)
def test_coverage_is_the_share_of_the_questions_words_in_the_facts(
    question: str, texts: list[str], expected: float
) -> None:
    """Equation 3 of Attention2Query: |Q and T| / |Q|, of sets of tokens."""
    assert coverage(question, texts) == pytest.approx(expected)


def encoded(*vectors: tuple[float, ...]) -> EncodedWords:
    """A text of one word a vector."""
    return EncodedWords(
        ["w"] * len(vectors), np.array(vectors, np.float32).reshape(-1, 2), np.zeros(2, np.float32)
    )


def test_each_word_of_the_question_takes_its_best_match_of_all_facts() -> None:
    """Equations 1 and 2 of Attention2Query by hand: cosines of two words with three, of any length."""
    question = encoded((2, 0), (0, 1))
    near, far = encoded((0.6, 0.8), (-5, 0)), encoded((0.8, 0.6))
    assert bert_recall(question, [near]) == pytest.approx((0.6 + 0.8) / 2)
    assert bert_recall(question, [far, near]) == pytest.approx((0.8 + 0.8) / 2)
    assert bert_recall(question, [question]) == pytest.approx(1)
    assert bert_recall(question, [encoded((-1, 0))]) == pytest.approx((-1 + 0) / 2)


def test_the_match_of_one_fact_is_the_recall_that_bert_scores_f1_is_made_of() -> None:
    question, fact = encoded((2, 0), (0, 1), (3, 4)), encoded((0.6, 0.8), (1, 0))
    recall, precision = bert_recall(question, [fact]), bert_recall(fact, [question])
    assert bert_score(question, fact) == pytest.approx(2 * precision * recall / (precision + recall))


def test_without_words_nothing_matches() -> None:
    question = encoded((1, 0))
    assert bert_recall(question, []) == bert_recall(question, [encoded()]) == 0
    assert bert_recall(encoded(), [question]) == 0
    assert bert_recall(question, [encoded(), question]) == pytest.approx(1)
