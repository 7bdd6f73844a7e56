"""Facts of a graph and of a model in one ranking: known orders, conflicts, what is asked of whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest

from evidence_assets.kgqa.answers.walk_retrieval import WalkRetriever
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.lake.schemas import RETRIEVED_FACTS
from evidence_assets.systems.kaping.adaptive import Rule, Threshold
from evidence_assets.systems.kaping.arms import (
    ARMS,
    COMPARED_WITH,
    DEFAULT_ARM,
    EXTERNAL,
    FIRST_ARMS,
    arms,
    retrievals,
)
from evidence_assets.systems.kaping.retrieving import Retriever, entity_questions, fact_tables, topic_names
from evidence_assets_tests.testing.kaping_samples import (
    BACKGROUND,
    WORDINGS,
    bag,
    facts_of,
    film_graph,
    inquiry,
    retriever_of,
    stated_rows,
)
from evidence_assets_tests.testing.query_samples import typed_graph

GRAPH = film_graph()
QUESTION = "who was the director that directed Heat"
INQUIRY = inquiry(GRAPH, QUESTION, "Heat")


def texts(rows: pa.Table) -> list[str]:
    written: list[str] = rows.column("text").to_pylist()
    return written


def test_kaping_as_printed_compares_question_and_triples_with_every_name_in_them() -> None:
    encoded: list[str] = []

    def near(texts_: Sequence[str]) -> np.ndarray:
        encoded.extend(texts_)
        return bag(list(texts_))

    finder = WalkRetriever(GRAPH, WORDINGS, near)
    pieces = fact_tables([INQUIRY], finder, Retriever(finder, lambda _: (), {}), EXTERNAL["kaping"], "b")
    rows = pa.concat_tables(pieces)
    assert QUESTION in encoded
    assert set(texts(rows)) == {
        "(Heat, directed by, Michael Mann)",
        "(Heat, starred actors, Al Pacino)",
        "(Heat, has genre, Crime)",
    }
    scores = dict(zip(texts(rows), rows.column("score").to_pylist(), strict=True))
    vectors = bag([QUESTION, *scores])
    assert list(scores.values()) == pytest.approx((vectors[1:] @ vectors[0]).tolist(), abs=1e-6)
    assert not any("that movie" in text for text in encoded)


def test_what_a_model_states_is_compared_as_printed_too() -> None:
    stated = stated_rows(("Heat", "directed by", "Michael Mann"))
    row = facts_of(GRAPH, INQUIRY, f"capstone_background@{BACKGROUND}", stated).to_pylist()[0]
    vectors = bag([QUESTION, "(Heat, directed by, Michael Mann)"])
    assert row["score"] == pytest.approx(float(vectors[1] @ vectors[0]), abs=1e-6)


def test_facts_of_two_topics_are_those_that_meet_first() -> None:
    """Each topic's own nearest triples named different films, and no answer was borne out by both."""
    rows = [(f"Film {number}", "directed_by", "Ridley Scott") for number in range(30)]
    rows += [(f"Film {number}", "has_genre", "Horror") for number in range(29, 60)]
    graph = typed_graph(rows)
    question = inquiry(graph, "which horror film did Ridley Scott direct", "Ridley Scott", "Horror")

    facts = facts_of(graph, question, "external_2hop").to_pylist()

    of_one = {row["text"] for row in facts if row["kind"] == "triple" and "Film 29 " in f"{row['text']} "}
    assert of_one == {"Film 29 was directed by Ridley Scott", "Film 29 is of the genre Horror"}


def test_single_triples_of_one_hop_are_read_out_with_the_topic_masked_in_comparison() -> None:
    rows = facts_of(GRAPH, INQUIRY, "external_1hop")
    assert rows.schema == RETRIEVED_FACTS.schema
    assert texts(rows)[0] == "Heat was directed by Michael Mann"
    assert set(rows.column("kind").to_pylist()) == {"triple"}
    assert len(texts(rows)) == 3
    assert all(rows.column("triple_ids").to_pylist())


def test_walks_of_two_hops_are_paths_with_their_triples_in_order() -> None:
    question = inquiry(GRAPH, "who acts in a film directed by Ridley Scott", "Ridley Scott")
    rows = facts_of(GRAPH, question, "external_2hop").to_pylist()
    paths = [row for row in rows if row["kind"] == "path"]
    assert paths
    assert all(len(row["triple_ids"]) == 2 for row in paths)
    [ford] = [row for row in paths if row["text"].endswith("Harrison Ford acts in Blade Runner")]
    edges = [GRAPH.triple_ids.to_pylist().index(triple_id) for triple_id in ford["triple_ids"]]
    assert [GRAPH.triple(edge)[1] for edge in edges] == ["directed_by", "starred_actors"]
    assert [GRAPH.labels[node].as_py() for node in ford["answers"]] == ["Harrison Ford"]


def test_a_models_triples_are_ranked_with_the_graphs_and_stay_its_own() -> None:
    stated = stated_rows(("Heat", "directed by the director", "Michael Mann"), ("Heat", "sold in", "shops"))
    rows = facts_of(GRAPH, INQUIRY, f"full_1hop@{BACKGROUND}", stated).to_pylist()
    generated = [row for row in rows if row["kind"] == "generated_triple"]
    assert [row["triple_ids"] for row in generated] == [[], []]
    assert [GRAPH.labels[node].as_py() for node in generated[0]["answers"]] == ["Michael Mann"]
    assert generated[1]["answers"] == []
    assert [row["score"] for row in rows] == sorted((row["score"] for row in rows), reverse=True)
    alone = facts_of(GRAPH, INQUIRY, f"background@{BACKGROUND}", stated)
    assert set(alone.column("kind").to_pylist()) == {"generated_triple"}


def test_where_both_are_equally_near_the_graph_comes_first() -> None:
    stated = stated_rows(("Heat", "was directed by", "Michael Mann"))
    rows = facts_of(GRAPH, INQUIRY, f"full_1hop@{BACKGROUND}", stated).to_pylist()
    kinds = [row["kind"] for row in rows if row["text"] == "Heat was directed by Michael Mann"]
    assert kinds[0] == "triple"


def test_a_contradiction_shows_both_the_graphs_first() -> None:
    edge = next(edge for edge in range(len(GRAPH.heads)) if GRAPH.triple(edge)[0] == "Heat")
    triple_id = GRAPH.triple_ids[edge].as_py()
    stated = stated_rows(("Heat", "director who directed", "Ben Affleck"), contradicts={0: [triple_id]})
    rows = facts_of(GRAPH, INQUIRY, f"full_1hop@{BACKGROUND}", stated).to_pylist()
    places = {row["fact_id"]: row["rank"] for row in rows}
    [generated] = [row for row in rows if row["kind"] == "generated_triple"]
    assert places[triple_id] < generated["rank"]
    assert {"name": "contradicted", "value": 1.0} in generated["score_parts"]
    assert len(rows) == len({row["fact_id"] for row in rows})


def test_a_contradiction_is_shown_even_where_the_topic_was_not_linked() -> None:
    triple_id = GRAPH.triple_ids[2].as_py()
    stated = stated_rows(("Heat", "directed by", "Ben Affleck"), contradicts={0: [triple_id]})
    rows = facts_of(GRAPH, replace(INQUIRY, topics=()), f"full_1hop@{BACKGROUND}", stated).to_pylist()
    assert rows[0]["fact_id"] == triple_id
    assert [row["kind"] for row in rows] == ["triple", "generated_triple"]


def test_an_adaptive_retrieval_walks_further_only_where_it_gains() -> None:
    how = EXTERNAL["adaptive"]
    retriever = retriever_of(GRAPH)
    nowhere, everywhere = Threshold(2.0, 1.0), Threshold(-2.0, 1.0)
    question = inquiry(GRAPH, "which film is by the director of Alien", "Alien")
    near = retriever.retrieve(question, how, Rule(nowhere, nowhere))
    assert {fact.hops for fact in near} == {1}
    far = retriever.retrieve(question, how, Rule(everywhere, nowhere))
    assert {fact.hops for fact in far} == {1, 2}
    with pytest.raises(ValueError, match="needs a rule"):
        retriever.retrieve(INQUIRY, how)


def test_background_is_asked_for_only_where_nothing_is_near() -> None:
    stated = stated_rows(("Heat", "directed by", "Michael Mann"))
    how = retrievals([BACKGROUND])[f"full_adaptive@{BACKGROUND}"]
    retriever = retriever_of(GRAPH, stated)
    always, never = Threshold(2.0, 1.0), Threshold(-2.0, 1.0)
    assert "generated_triple" in {fact.kind for fact in retriever.retrieve(INQUIRY, how, Rule(never, always))}
    assert "generated_triple" not in {
        fact.kind for fact in retriever.retrieve(INQUIRY, how, Rule(never, never))
    }
    rows = facts_of(GRAPH, replace(INQUIRY, topics=()), how.name, stated)
    assert rows.column("kind").to_pylist() == ["generated_triple"]


def test_at_most_ten_facts_a_question() -> None:
    stated = stated_rows(*(("Heat", "fact", f"number {number}") for number in range(30)))
    assert facts_of(GRAPH, INQUIRY, f"full_3hop@{BACKGROUND}", stated).num_rows == 10


def test_a_topic_of_several_nodes_is_all_of_them_and_one_of_none_is_named_alone() -> None:
    questions = [
        LinkedQuestion("q1", "who directed Heat", (Topic("Heat", 13, 17, (3, 5)),)),
        LinkedQuestion("q2", "who directed Nobody", (Topic("Nobody", 13, 19, ()),)),
    ]

    converted = entity_questions(questions)

    assert [question.topics for question in converted] == [(("Heat", 3), ("Heat", 5)), ()]
    assert topic_names(questions) == [["Heat"], ["Nobody"]]


def test_every_arm_has_its_retrieval_and_names_who_answers() -> None:
    prompted = arms(["llama", "qwen-2.5"])
    ways = retrievals(["llama", "qwen-2.5"])
    assert all(arm.retrieval in ways or not arm.retrieval for arm in prompted.values())
    assert {*FIRST_ARMS, DEFAULT_ARM, *COMPARED_WITH} <= {*ARMS}
    assert prompted["full@qwen-2.5"].retrieval == "full_1hop@qwen-2.5"
    assert prompted["full@qwen-2.5"].generator == "qwen-2.5"
    assert [arm.name for arm in prompted.values() if not (arm.retrieval or arm.baseline)] == [
        "no_knowledge@llama",
        "no_knowledge@qwen-2.5",
    ]
    assert arms([]) == ARMS
