"""Names that a town and a school share, and a person and a river, in an invented valley."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.parsing_samples import encoder
from evidence_assets_tests.testing.railway_questions import (
    base_of_typed,
    linked_question,
    meant,
    outcome,
    read,
)

ROWS: list[tuple[str, str, str, str, str | None]] = [
    ("Marlow the town", "founded_in", "1210", "town", None),
    ("Marlow the school", "founded_in", "1885", "school", None),
    ("Ada", "leads", "Marlow the school", "person", "school"),
    ("Ada", "owns", "Red Van", "person", "van"),
    ("Bram", "built", "Red Van", "person", "van"),
]


# As graphs of the lake tell apart what has one name: by its key in brackets behind the label.
YARD: list[tuple[str, str, str, str, str | None]] = [
    ("Sam Reed", "born_in", "1961", "manager", None),
    ("Sam Reed (w1)", "born_in", "1990", "welder", None),
    ("Ann Hill", "born_in", "1975", "welder", None),
    ("Aurora", "owned_by", "Kaspar & Sons", "tug", "company"),
    ("Boreas", "owned_by", "Marit Line", "tug", "company"),
    ("Aurora (ship:2)", "carries", "Grain", "ship", "cargo"),
    ("Hansa", "carries", "Timber", "ship", "cargo"),
]


@cache
def valley() -> KnowledgeBase:
    return base_of_typed(ROWS)


def asked(text: str) -> list[str]:
    """Return what is answered where "Marlow" is either of two nodes."""
    labels = valley().graph.labels.to_pylist()
    nodes = tuple(node for node, label in enumerate(labels) if label.startswith("Marlow"))
    start = text.index("Marlow")
    question = LinkedQuestion("0", text, (Topic("Marlow", start, start + len("Marlow"), nodes),))
    [understood] = valley().understander(encoder()).understand([question])
    reading = understood.reading
    return [] if reading.abstains else sorted(labels[node] for node in reading.nodes)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("When was the school Marlow founded?", ["1885"], id="a noun before"),
        pytest.param("When was the town of Marlow founded?", ["1210"], id="a noun and 'of' before"),
        pytest.param("When was Marlow school founded?", ["1885"], id="a noun behind"),
        pytest.param("Who leads Marlow?", ["Ada"], id="the relation"),
        pytest.param("When was Marlow founded?", ["1210", "1885"], id="nothing tells them apart"),
    ],
)
def test_a_shared_name_stands_for_what_the_noun_or_the_relation_says(text: str, expected: list[str]) -> None:
    assert asked(text) == expected


@cache
def yard() -> KnowledgeBase:
    return base_of_typed(YARD)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("Sam Reed", "Is Sam Reed a welder?", "yes"),
        ("Sam Reed", "Is Sam Reed a manager?", "yes"),
        ("Sam Reed", "When was Sam Reed born?", ["1961", "1990"]),
        ("Sam Reed", "When was the welder Sam Reed born?", ["1990"]),
        ("Aurora", "Is the Aurora owned by Kaspar & Sons?", "yes"),
        ("Aurora", "Is the Aurora owned by Marit Line?", "no"),
        ("Aurora", "What does the Aurora carry?", ["Grain"]),
    ],
)
def test_what_has_a_name_and_a_key_behind_it_is_called_by_the_name(
    name: str, text: str, expected: list[str] | str
) -> None:
    linked, labels = linked_question(text, yard()), yard().graph.labels.to_pylist()
    shared = tuple(node for node, label in enumerate(labels) if label.split(" (")[0] == name)
    topics = tuple(replace(topic, nodes=shared) if topic.phrase == name else topic for topic in linked.topics)
    [understood] = yard().understander(encoder()).understand([replace(linked, topics=topics)])
    assert outcome(understood.reading, yard()) == expected


def test_a_verb_that_says_little_is_the_relation_that_is_called_so() -> None:
    reading = read("What does Ada own?", valley())
    assert meant(reading, valley()) == ["Red Van"], reading.abstains


@pytest.mark.parametrize("noun", ["lawyer", "engine", "wife"])
def test_what_nothing_says_is_not_answered_by_what_it_is_of(noun: str) -> None:
    reading = read(f"What is the {noun} of the person who built Red Van?", valley())
    assert noun in reading.abstains


def test_a_part_of_a_number_is_no_name() -> None:
    text = "Which vans are heavier than 2.5 tonnes?"
    start = text.index("2")
    question = LinkedQuestion("0", text, (Topic("2", start, start + 1, (0,)),))
    assert not valley().reader(encoder()).told_apart(question).topics
