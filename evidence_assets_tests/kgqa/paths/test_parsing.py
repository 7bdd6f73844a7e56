"""Questions to an invented museum, read without a language model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.schema import derived_schema, load_schema
from evidence_assets.kgqa.paths.parses import ParsedQuery
from evidence_assets.kgqa.paths.parsing import Parser
from evidence_assets.kgqa.paths.path_scoring import PARTS
from evidence_assets.kgqa.queries.conjunctive import Constant, Triplet, Variable
from evidence_assets_tests.testing.parsing_samples import (
    answers,
    encoder,
    linked_question,
    museum,
    museum_data,
    museum_parser,
    museum_schema,
)
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.query_samples import typed_graph

QUESTIONS = [linked_question(text, *names) for text, names, _ in museum_data()["questions"]]


def read(*questions: LinkedQuestion) -> list[list[ParsedQuery]]:
    return museum_parser().parse(questions)


def parse_rows(parsed: list[list[ParsedQuery]]) -> list[list[tuple[object, ...]]]:
    return [
        [
            (str(parse.query), parse.score, dict(parse.score_parts), parse.exists, parse.answers.tolist())
            for parse in beam
        ]
        for beam in parsed
    ]


def test_free_questions_of_a_schema_nobody_wrote_code_for() -> None:
    exact = [
        answers(beam[0]) == sorted(right)
        for beam, (_, _, right) in zip(read(*QUESTIONS), museum_data()["questions"], strict=True)
    ]
    assert len(exact) == 28
    assert sum(exact) >= 26


def test_one_step_as_a_query() -> None:
    first = read(linked_question("When was Winter Orchard completed?", "Winter Orchard"))[0][0]
    node = museum().labels.to_pylist().index("Winter Orchard")
    assert first.query.triplets == (
        Triplet(Constant("Winter Orchard", (node,)), "finished_in", Variable("answer", "year")),
    )
    assert first.query.target == "answer"
    assert (first.answer_type, first.exists, first.detail) == ("year", True, "")
    assert answers(first) == ["1881"]


def test_two_steps_walk_backwards_and_leave_the_topic_out() -> None:
    text = "Which other works are by the painter of Blue Harbour?"
    first = read(linked_question(text, "Blue Harbour"))[0][0]
    assert str(first.query) == "(Blue Harbour, painted_by, ?a), (?answer, painted_by, ?a)"
    assert answers(first) == ["Winter Orchard"]


@pytest.mark.parametrize(
    ("text", "topic", "expected"),
    [
        (
            "In which city does the museum stand that keeps paintings by Ines Alder?",
            "Ines Alder",
            ["Orsk Bay", "Velden"],
        ),
        (
            "To which movement does the teacher of the painter of Blue Harbour belong?",
            "Blue Harbour",
            ["Verism"],
        ),
        ("What is the year of the works whose painter was born in Velden?", "Velden", ["1874", "1902"]),
        ("Which museums keep works by painters born in Velden?", "Velden", ["Kornhaus", "Saltworks"]),
    ],
)
def test_a_third_step_says_what_two_leave_unsaid(text: str, topic: str, expected: list[str]) -> None:
    first = read(linked_question(text, topic))[0][0]
    assert len(first.paths[0].steps) == 3
    assert answers(first) == expected


def test_no_third_step_is_tried_where_two_say_all() -> None:
    beam = read(linked_question("Which other works are by the painter of Blue Harbour?", "Blue Harbour"))[0]
    assert max(len(parse.paths[0].steps) for parse in beam) == 2


def test_several_topics_are_joined() -> None:
    first = read(linked_question("Which painting by Ines Alder is made of wood?", "Ines Alder", "wood"))[0][0]
    assert {triplet.relation for triplet in first.query.triplets} == {"painted_by", "made_of"}
    assert len(first.paths) == 2
    assert answers(first) == ["Winter Orchard"]


JOINED = """
types: {work: [work], person: [person], material: [material]}
relations:
  painted_by: {head: work, tail: person, sentences: ["{head} was painted by {tail}"]}
  restored_by: {head: work, tail: person, sentences: ["{head} was restored by {tail}"]}
  made_of: {head: work, tail: material, sentences: ["{head} is made of {tail}"]}
"""


def test_likeliest_conditions_without_an_answer_come_first_and_others_say_so() -> None:
    rows = [("a", "painted_by", "Ann"), ("b", "restored_by", "Ann"), ("b", "made_of", "wood")]
    graph = typed_graph(rows)
    question = linked_question("Which work was painted by Ann and made of wood?", "Ann", "wood", graph=graph)
    beam = Parser(graph, load_schema(JOINED, "here"), encoder()).parse([question])[0]
    assert str(beam[0].query) == "(?answer, painted_by, Ann), (?answer, made_of, wood)"
    assert (beam[0].exists, len(beam[0].answers)) == (False, 0)
    assert beam[0].detail == "no node meets every condition"
    assert answers(beam[1], graph) == ["b"]
    assert beam[1].detail == "the likeliest conditions have no answer in common"


def test_conditions_that_nothing_meets_are_given_up_and_it_is_said() -> None:
    graph = typed_graph([("a", "made_of", "wood"), ("b", "made_of", "iron")])
    question = linked_question("Which work is of wood and of iron?", "wood", "iron", graph=graph)
    beam = Parser(graph, load_schema(JOINED, "here"), encoder()).parse([question])[0]
    assert {parse.detail for parse in beam} == {
        "no node meets the conditions of all topics: those of one alone"
    }
    assert answers(beam[0], graph) in (["a"], ["b"])


def test_a_gap_is_told_from_an_answer() -> None:
    beam = read(linked_question("In which museum is Two Herons kept?", "Two Herons"))[0]
    assert not beam[0].exists
    assert str(beam[0].paths[0]) == "kept_in"
    assert not len(beam[0].answers)
    assert beam[0].detail == "the graph has no such path here"
    assert all(parse.exists and len(parse.answers) for parse in beam[1:])
    assert len(beam) == 4


@pytest.mark.parametrize(
    ("names", "expected"), [((), []), (("Nobody",), [])], ids=["no topic", "a topic of no node"]
)
def test_questions_about_nothing_in_the_graph_have_no_reading(
    names: tuple[str, ...], expected: list[ParsedQuery]
) -> None:
    topics = tuple(Topic(name, 0, len(name), ()) for name in names)
    assert read(LinkedQuestion("q", "Nobody knows?", topics)) == [expected]
    assert read() == []


def test_a_topic_without_nodes_beside_one_with() -> None:
    question = linked_question("Who painted Blue Harbour and Grey Mole?", "Blue Harbour")
    unknown = Topic("Grey Mole", 29, 38, ())
    beam = read(LinkedQuestion("q", question.question, (*question.topics, unknown)))[0]
    assert answers(beam[0]) == ["Ines Alder"]
    assert beam[0].detail == "the graph has nothing of Grey Mole"


def test_a_node_of_another_graph_is_an_error() -> None:
    question = LinkedQuestion("q7", "Who painted Blue Harbour?", (Topic("Blue Harbour", 12, 24, (999,)),))
    with pytest.raises(ValueError, match=r"q7: 'Blue Harbour' stands for node 999.*link the question"):
        read(question)


def test_two_things_of_one_name_are_decided_by_what_is_asked() -> None:
    labels = museum().labels.to_pylist()
    namesakes = (labels.index("Orsk Bay"), labels.index("Saltworks"))
    text = "Which artists were born in Orsk?"
    topic = Topic("Orsk", text.index("Orsk"), len(text) - 1, namesakes)
    first = read(LinkedQuestion("q", text, (topic,)))[0][0]
    assert answers(first) == ["Ines Alder"]


@examples(15, fast=5)
@given(order=st.permutations(range(len(QUESTIONS))))
def test_neither_order_nor_company_changes_a_reading(order: list[int]) -> None:
    together = parse_rows(read(*QUESTIONS))
    in_parts = parse_rows(read(*[QUESTIONS[place] for place in order[:9]]))
    assert in_parts == [together[place] for place in order[:9]]


def test_readings_descend_and_are_rounded() -> None:
    for beam in read(*QUESTIONS):
        existing = [parse.score for parse in beam if parse.exists]
        assert existing == sorted(existing, reverse=True)
        for parse in beam:
            assert parse.score == round(parse.score, 6)
            assert list(parse.score_parts) == list(PARTS)
            assert all(isinstance(value, float) for value in parse.score_parts.values())
            assert np.all(np.diff(parse.answers) > 0)


def test_a_hub_is_read_at_once() -> None:
    rows = [(f"work {number}", "kept_in", "Hub") for number in range(20_000)]
    rows += [(f"work {number}", "painted_by", f"artist {number % 700}") for number in range(20_000)]
    graph = typed_graph(rows)
    parser = Parser(graph, museum_schema(), encoder())
    first_beam, second_beam = parser.parse(
        [
            linked_question("Which works are kept in Hub?", "Hub", graph=graph),
            linked_question("Who created the works in Hub?", "Hub", graph=graph),
        ]
    )
    assert len(first_beam[0].answers) == 20_000
    assert len(second_beam[0].answers) == 700


def test_a_derived_schema_needs_no_words() -> None:
    rows = [
        ("aspirin", "may_treat", "fever"),
        ("aspirin", "interacts_with", "warfarin"),
        ("flu", "may_cause", "fever"),
    ]
    graph = typed_graph(rows)
    kinds = ["drug", "disease", "disease", "drug"]
    assert graph.labels.to_pylist() == ["aspirin", "fever", "flu", "warfarin"]
    schema = derived_schema(graph, kinds, {"may_treat": "{head} may treat {tail}"})
    questions = [
        linked_question("Which drugs treat fever?", "fever", graph=graph),
        linked_question("What does flu cause?", "flu", graph=graph),
        linked_question("With what does warfarin interact?", "warfarin", graph=graph),
    ]
    beams = Parser(graph, schema, encoder()).parse(questions)
    assert [answers(beam[0], graph) for beam in beams] == [["aspirin"], ["fever"], ["aspirin"]]


def test_braces_and_commands_in_names_are_text() -> None:
    graph = typed_graph([("{head} {0}", "painted_by", "__import__('os')")])
    parser = Parser(graph, museum_schema(), encoder())
    beam = parser.parse([linked_question("Who painted {head} {0}?", "{head} {0}", graph=graph)])[0]
    assert answers(beam[0], graph) == ["__import__('os')"]
