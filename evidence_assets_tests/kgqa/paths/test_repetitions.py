"""A relation that a question says twice is walked twice, or the question is not answered."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.paths.repetitions import Repetition, repetitions
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.understanding.question_reading import QuestionReading
from evidence_assets_tests.testing.parsing_samples import encoder, linked_question
from evidence_assets_tests.testing.railway_questions import base_of_schema

SCHEMA = """
types:
  person: [who, person, people, sailmaker]
  loft: [loft, lofts]
  boat: [boat, boats]
relations:
  trainee_of:
    head: person
    tail: person
    sentences:
      - "{head} was a trainee of {tail}"
      - "{tail} instructed {head}"
  rigged_by:
    head: boat
    tail: person
    sentences:
      - "{head} was rigged by {tail}"
  works_at:
    head: person
    tail: loft
    sentences:
      - "{head} works at {tail}"
"""
# Ola instructed Per, Per instructed Siri, and she instructed Tor.
ROWS = [
    ("Per", "trainee_of", "Ola"),
    ("Siri", "trainee_of", "Per"),
    ("Tor", "trainee_of", "Siri"),
    ("Uma", "trainee_of", "Per"),
    ("Vega", "rigged_by", "Siri"),
    ("Lyra", "rigged_by", "Per"),
    ("Siri", "works_at", "the Long Loft"),
    ("Per", "works_at", "the Quay Loft"),
]
LABELS = {
    "person": ["Ola", "Per", "Siri", "Tor", "Uma"],
    "boat": ["Vega", "Lyra"],
    "loft": ["the Long Loft", "the Quay Loft"],
}


@cache
def base() -> KnowledgeBase:
    return base_of_schema(ROWS, LABELS, SCHEMA)


def read(text: str, name: str) -> QuestionReading:
    [understood] = (
        base().understander(encoder()).understand([linked_question(text, name, graph=base().graph)])
    )
    return understood.reading


def answers(reading: QuestionReading) -> list[str]:
    labels = base().graph.labels.to_pylist()
    return sorted(labels[node] for node in reading.nodes.tolist())


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Who was the trainee of Ola's trainee?", "Ola", ["Siri", "Uma"]),
        ("Who was a trainee of a trainee of Ola?", "Ola", ["Siri", "Uma"]),
        ("Who instructed the sailmaker who instructed Tor?", "Tor", ["Per"]),
        ("Whose trainee was the person whose trainee Tor was?", "Tor", ["Per"]),
        ("Who instructed the sailmaker that instructed the sailmaker that instructed Tor?", "Tor", ["Ola"]),
        ("Who instructed Siri?", "Siri", ["Per"]),
        ("Whose trainee was Siri?", "Siri", ["Per"]),
        ("Which boats were rigged by the trainees of Ola's trainee?", "Ola", ["Vega"]),
    ],
)
def test_as_many_steps_are_walked_as_are_said(text: str, name: str, expected: list[str]) -> None:
    reading = read(text, name)
    assert not reading.abstains
    assert answers(reading) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Who was the trainee of Siri's trainee?", "Siri"),
        ("Who instructed the sailmaker who instructed Per?", "Per"),
    ],
)
def test_what_is_not_there_twice_is_lacking(text: str, name: str) -> None:
    reading = read(text, name)
    assert reading.abstains.startswith("the graph lacks what is asked")


def test_what_is_said_once_more_than_it_is_walked_is_left_over() -> None:
    thrice = "instructed the sailmaker that instructed the sailmaker that instructed"
    reading = read(f"Who {thrice} the sailmaker that instructed Tor?", "Tor")
    assert reading.abstains and "instructed" in reading.accounting.unaccounted


def repeated(text: str) -> list[Repetition]:
    words = tuple(text.lower().split())
    return repetitions(words, [words.index("ola")], Vocabulary(base().schema))


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("who was the trainee of ola s trainee", (3, 7)),
        ("which sailmaker knows the sailmaker ola", ()),
        ("who is the sailmaker of ola s sailmaker", (3, 7)),
        ("who was a trainee of ola and a trainee of others", ()),
        ("who works where ola works", (1, 4)),
        ("who instructed the trainee ola", ()),
        ("who instructed ola s trainee", (1, 4)),
        ("who instructed someone that was a trainee of ola", (1, 6)),
        ("under the trainee who instructed ola", ()),
    ],
)
def test_words_that_say_a_relation_again(text: str, places: tuple[int, ...]) -> None:
    assert [said.places for said in repeated(text)] == ([places] if places else [])


def test_mentions_farthest_in_front_are_left_first() -> None:
    said = Repetition((1, 4, 7), frozenset({"owns"}))
    assert said.unwalked(["owns", "based_in"]) == (1, 4)
    assert said.unwalked(["owns", "owns", "owns"]) == ()
    assert said.unwalked(["based_in", "based_in"]) == (1,), "any step may be what is said"
