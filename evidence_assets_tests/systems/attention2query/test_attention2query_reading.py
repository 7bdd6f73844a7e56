"""Attention2Query's answers without a language model: what they account for, their support, baselines."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.graph.schema import derived_schema
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.lake.schemas import QUESTION_CONCEPTS, RETRIEVED_FACTS
from evidence_assets.systems.attention2query.arms import ARMS, OPEN, OPTIONS, RETRIEVALS
from evidence_assets.systems.attention2query.reading import (
    NO_FACT,
    read_benchmark,
    read_nearest_fact,
    read_option_baseline,
)
from evidence_assets.text.queries import NO_OPTION
from evidence_assets_tests.testing.experiment_rows import rows_of
from evidence_assets_tests.testing.graph_samples import SignEncoder, graph_of, number_of
from evidence_assets_tests.testing.question_rows import question_row, question_table
from evidence_assets_tests.testing.table_rows import retrieved_fact, table_of

ROWS = [("Dog", "sleeps_in", "Kennel", 1.0), ("Cat", "sleeps_in", "Basket", 1.0)]
SENTENCES = {"sleeps_in": "{head} sleeps in {tail}"}
GRAPH = graph_of(ROWS)
FULL = ARMS["full@extractive"]


def base() -> KnowledgeBase:
    schema = derived_schema(GRAPH, None, SENTENCES)
    return KnowledgeBase(GRAPH, schema, node_types(GRAPH, None, schema), SENTENCES)


def fact(candidate: int, rank: int, triple: int, text: str, answers: list[int]) -> dict[str, Any]:
    key = f"t{triple}"
    return retrieved_fact(candidate, rank, text, fact_id=key, triple_ids=[key], answers=answers)


def concepts(*nodes: int) -> pa.Table:
    rows = ({"question_id": "q1", "candidate": NO_OPTION, "node": node} for node in nodes)
    return table_of(QUESTION_CONCEPTS, *rows)


def read(
    options: list[str],
    facts: list[dict[str, Any]],
    concept_nodes: tuple[int, ...] = (),
    question: str = "Where does a dog sleep?",
) -> dict[str, list[dict[str, Any]]]:
    questions = question_table(question_row("q1", question, options, 0 if options else None))
    experiment = read_benchmark(
        questions,
        pa.Table.from_pylist(facts, schema=RETRIEVED_FACTS.schema),
        concepts(*concept_nodes),
        SignEncoder().encode,
        FULL,
        "b",
        "1",
        dict(enumerate(GRAPH.labels.to_pylist())),
        {},
        base(),
    )
    return rows_of(experiment)


def test_what_leads_to_nothing_that_the_question_names_does_not_support_an_answer() -> None:
    """All answers were marked as backed by the graph, those that are near in meaning alone too."""
    kennel, basket, dog = (number_of(GRAPH, name) for name in ("Kennel", "Basket", "Dog"))
    facts = [
        fact(NO_OPTION, 1, 0, "Dog sleeps in Kennel.", [kennel]),
        fact(NO_OPTION, 2, 1, "Cat sleeps in Basket.", [basket]),
    ]

    ranked = read([], facts, (dog,))["ranked_answers"]
    assert {row["answer"]: row["supported"] for row in ranked} == {"Kennel": True, "Basket": False}
    assert not any(row["supported"] for row in read([], facts)["ranked_answers"])


def test_an_option_is_chosen_with_what_of_the_question_its_facts_say() -> None:
    [prediction] = read(["kennel", "pond"], [fact(0, 1, 0, "Dog sleeps in kennel.", [])])["predictions"]
    bound = {word["text"]: word["role"] for word in prediction["bindings"]}
    assert bound["dog"] == bound["sleep"] == "evidence"
    assert prediction["unaccounted"] == []


def test_facts_that_do_not_speak_of_the_question_make_its_answer_less_sure() -> None:
    options = ["kennel", "pond", "roof"]
    near = read(options, [fact(0, 1, 0, "Where does a dog sleep?", [])])["predictions"][0]
    far = read(options, [fact(0, 1, 0, "Granite is igneous.", [])])["predictions"][0]
    assert near["predicted"] == far["predicted"]
    assert far["unaccounted"] == ["dog", "sleep"]
    # Of three options: both are above chance, that of the fact which says something of it further.
    assert 1 / 3 <= far["confidence"] < near["confidence"]


def test_without_facts_every_word_that_says_something_is_left() -> None:
    [prediction] = read(["kennel", "pond"], [])["predictions"]
    assert prediction["unaccounted"] == ["dog", "sleep"]


@pytest.mark.parametrize(
    ("arm", "expected"),
    [("no_evidence@longest_option", "a long kennel"), ("no_evidence@option_cosine", None)],
)
def test_options_alone_answer_without_citing_anything(arm: str, expected: str | None) -> None:
    questions = question_table(question_row("q1", "Where does a dog sleep?", ["pond", "a long kennel"], 0))

    rows = rows_of(read_option_baseline(questions, SignEncoder().encode, ARMS[arm], "b", "1"))

    [prediction] = rows["predictions"]
    assert expected in (None, prediction["predicted"])
    assert prediction["confidence"] is None
    assert all(chain["cited"] == [] for chain in rows["chains"])


def nearest(*facts: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    questions = question_table(question_row("q1", "Where does a dog sleep?", ["pond", "kennel", "roof"], 1))
    rows = pa.Table.from_pylist(list(facts), schema=RETRIEVED_FACTS.schema)
    return rows_of(read_nearest_fact(questions, rows, ARMS["no_classifier@nearest"], "b", "1"))


def test_the_nearest_fact_of_an_option_answers_and_is_cited() -> None:
    """Facts of the question are every option's, and tell none from another."""
    rows = nearest(
        fact(NO_OPTION, 1, 9, "A pond is wet.", []) | {"score": 9.0},
        fact(0, 1, 0, "A pond is wet.", []) | {"score": 2.0},
        fact(1, 1, 1, "A dog sleeps in a kennel.", []) | {"score": 7.0},
        fact(1, 2, 2, "A kennel is small.", []) | {"score": 1.0},
    )
    [prediction] = rows["predictions"]
    assert (prediction["predicted"], prediction["correct"], prediction["confidence"]) == (
        "kennel",
        True,
        None,
    )
    assert {chain["candidate"]: chain["score"] for chain in rows["chains"]} == {0: 2.0, 1: 7.0}
    cited = {row["candidate"] for row in rows["prediction_evidence"] if row["role"] == "cited"}
    assert cited == {0, 1}


def test_no_fact_of_any_option_is_no_answer() -> None:
    [prediction] = nearest(fact(NO_OPTION, 1, 9, "A pond is wet.", []))["predictions"]
    assert (prediction["abstained"], prediction["parse_status"]) == (True, NO_FACT)


def test_ablations_are_offered_where_they_change_something() -> None:
    of = {name: way.of for name, way in RETRIEVALS.items()}
    assert of["vanilla"] == (OPEN,)
    assert of["no_mcq_subgraph"] == of["no_path_generation"] == of["no_taxonomy"] == (OPTIONS,)
    assert of["full"] == of["paper"] == of["tuned"] == of["no_classifier"] == (OPTIONS, OPEN)
    assert ARMS["no_evidence@option_cosine"].of == (OPTIONS,)
    assert ARMS["shortest_path@nearest"].of == (OPEN,)
