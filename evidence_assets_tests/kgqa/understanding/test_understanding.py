"""Questions read by the best path at their topic, composed where that is unsure, or not answered."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from evidence_assets.evidence.accounting import Role
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.paths.parses import ParsedQuery
from evidence_assets.kgqa.queries.algebra import Matched
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.understanding.question_reading import QuestionReading
from evidence_assets.kgqa.understanding.understanding import Understander
from evidence_assets_tests.testing.parsing_samples import encoder, linked_question, museum, museum_schema


@cache
def understander(lacking: str = "") -> Understander:
    """What reads questions about the museum, of which neither graph nor schema has one of the relations."""
    relations = {name: ends for name, ends in museum_schema().relations.items() if name != lacking}
    schema, graph = replace(museum_schema(), relations=relations), museum()
    ids = [
        triple_id
        for triple_id, relation in zip(graph.triple_ids.to_pylist(), graph.relations, strict=True)
        if graph.relation_names[relation] == lacking
    ]
    types = node_types(graph, None, museum_schema())
    base = KnowledgeBase(graph.without(ids) if ids else graph, schema, types, {})
    return base.understander(encoder())


def read(text: str, topic: str, lacking: str = "") -> QuestionReading:
    [understood] = understander(lacking).understand([linked_question(text, topic)])
    return understood.reading


def paths(question: LinkedQuestion) -> list[ParsedQuery]:
    types = node_types(museum(), None, museum_schema())
    return KnowledgeBase(museum(), museum_schema(), types, {}).parser(encoder()).parse([question])[0]


def answers(reading: QuestionReading) -> list[str]:
    labels = museum().labels.to_pylist()
    return sorted(labels[node] for node in reading.nodes)


def is_path(reading: QuestionReading) -> bool:
    return reading.query is not None and isinstance(reading.query.of, Matched)


def test_a_path_that_all_words_tell_is_answered_from() -> None:
    reading = read("To which movement does Ines Alder belong?", "Ines Alder")
    assert is_path(reading) and not reading.abstains
    assert answers(reading) == ["Tonalism"]


@pytest.mark.parametrize(
    ("text", "topic", "expected"),
    [
        ("Whom did Ines Alder teach?", "Ines Alder", ["Mira Quist"]),
        ("Who was taught by Ines Alder?", "Ines Alder", ["Mira Quist"]),
        ("Who taught Mira Quist?", "Mira Quist", ["Ines Alder"]),
    ],
)
def test_a_relation_between_things_of_one_type_is_walked_the_way_that_is_asked(
    text: str, topic: str, expected: list[str]
) -> None:
    reading = read(text, topic)
    assert not reading.abstains
    assert answers(reading) == expected


def test_what_a_node_lacks_is_not_answered_the_other_way_round() -> None:
    reading = read("Who taught Tomas Reuel?", "Tomas Reuel")
    assert reading.lacks, "he taught others, and nobody is told to have taught him"


@pytest.mark.parametrize(
    "text",
    [
        "Tell me who taught Mira Quist.",
        "Please name everyone who taught Mira Quist.",
        "I was wondering who taught Mira Quist.",
        "I'd love to know who taught Mira Quist.",
    ],
)
def test_words_that_ask_to_be_answered_are_accounted_for(text: str) -> None:
    question = linked_question(text, "Mira Quist")
    assert understander().of_path(question, paths(question)).accounting.unaccounted == ()


@pytest.mark.parametrize("text", ["Which state is Velden in?", "Name the state of Velden."])
def test_a_noun_that_is_asked_for_is_no_request(text: str) -> None:
    question = linked_question(text, "Velden")
    assert "state" in understander().of_path(question, paths(question)).accounting.unaccounted


@pytest.mark.parametrize(
    ("text", "topics", "answer"),
    [
        ("Was Ines Alder taught by Mira Quist?", ("Ines Alder", "Mira Quist"), "no"),
        ("Was Mira Quist taught by Ines Alder?", ("Ines Alder", "Mira Quist"), "yes"),
    ],
)
def test_what_holds_the_other_way_round_does_not_hold_this_way(
    text: str, topics: tuple[str, ...], answer: str
) -> None:
    [understood] = understander().understand([linked_question(text, *topics)])
    assert not understood.reading.abstains and understood.reading.value == answer


def test_no_path_puts_one_thing_before_another_in_time() -> None:
    text = "Who painted Night Ferry before Blue Harbour?"
    question = linked_question(text, "Night Ferry")
    reading = understander().of_path(question, paths(question))
    assert "before" in reading.accounting.unaccounted
    assert reading.abstains


@pytest.mark.parametrize(
    ("text", "topic", "expected"),
    [
        ("Who instructed Mira Quist?", "Mira Quist", ["Ines Alder"]),
        ("Which artists hail from Velden?", "Velden", ["Mira Quist", "Tomas Reuel"]),
    ],
)
def test_what_no_path_surely_says_is_composed(text: str, topic: str, expected: list[str]) -> None:
    reading = read(text, topic)
    assert not is_path(reading) and not reading.abstains
    assert answers(reading) == expected


@pytest.mark.parametrize(
    ("text", "topic", "relation", "word"),
    [
        ("In what year did the artist complete Night Ferry?", "Night Ferry", "finished_in", "complete"),
        ("Which gallery has The Glassblower on its walls?", "The Glassblower", "kept_in", "walls"),
        ("What city did Mira Quist come from originally?", "Mira Quist", "born_in", "originally"),
        ("To what movement is Ines Alder usually assigned?", "Ines Alder", "belongs_to", "movement"),
    ],
)
def test_a_relation_that_the_graph_has_not_is_not_answered_by_another(
    text: str, topic: str, relation: str, word: str
) -> None:
    """Some path always fits best: what it leaves of the question says that another was meant."""
    reading = read(text, topic, lacking=relation)
    assert reading.abstains and word in reading.accounting.unaccounted
    assert f"'{word}'" in reading.abstains


def test_what_a_question_leaves_out_of_a_path_is_named() -> None:
    reading = read("What about Tomas Reuel?", "Tomas Reuel")
    assert reading.abstains.startswith("none of its words says ")
    assert any(name in reading.abstains for name in museum_schema().relations)


def test_the_same_is_what_a_path_comes_back_by() -> None:
    reading = read("Which pictures have the same artist as Blue Harbour?", "Blue Harbour")
    bound = {binding.text: binding for binding in reading.accounting.bindings}
    assert bound["same"].role is Role.OPERATOR
    assert answers(reading) == ["Winter Orchard"]


def test_confidence_falls_with_what_is_left() -> None:
    plain = read("To which movement does Ines Alder belong?", "Ines Alder")
    unsure = read("To which movement does Ines Alder belong in Orsk waters?", "Ines Alder")
    assert plain.confidence > unsure.confidence
