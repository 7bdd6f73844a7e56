"""Who does something, and to whom it is done: what is asked one way is not answered the other."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of_typed, outcome, read

_ROWS: list[tuple[str, str, str, str, str | None]] = [
    ("Ansel Reyk", "rides", "Dart", "person", "bicycle"),
    ("Milo Drace", "rides", "Swift", "person", "bicycle"),
    ("Ansel Reyk", "took_part_in", "Copper Ring", "person", "race"),
    ("Milo Drace", "took_part_in", "Copper Ring", "person", "race"),
    ("Swift", "replaced", "Dart", "bicycle", "bicycle"),
    ("Dart", "replaced", "Old Grey", "bicycle", "bicycle"),
    ("Milo Drace", "trained_under", "Ansel Reyk", "person", "person"),
]


@cache
def team() -> KnowledgeBase:
    return base_of_typed(_ROWS)


def asked(text: str) -> list[str] | str:
    return outcome(read(text, team()), team())


@pytest.mark.parametrize(
    "question",
    [
        # Riders are not what they ride, and what replaced another was not replaced.
        "Which riders took part in the Copper Ring?",
        "Which bicycles have never been replaced?",
        # Who trained under somebody did not teach them, and both are persons.
        "Who taught Ansel Reyk?",
    ],
)
def test_what_may_be_the_other_way_round_is_not_answered(question: str) -> None:
    assert asked(question) == "abstained"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who rides Dart?", ["Ansel Reyk"]),
        ("What replaced Dart?", ["Swift"]),
        ("What did Swift replace?", ["Dart"]),
    ],
)
def test_what_is_told_of_who_does_what_is_answered(question: str, answer: list[str]) -> None:
    assert asked(question) == answer
