"""Questions to an invented shipyard: what is asked for must be of the kind that the answers are."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of, base_of_schema, outcome, read

_KINDS = {
    "ship": ("Kittiwake", "Petrel", "Gannet", "Fulmar"),
    "slip": ("East Slip", "West Slip"),
    "person": ("Ada Hall", "Bo Lind", "Cy Marr"),
    "harbour": ("Hask", "Thorn"),
    "timber": ("oak", "larch"),
    "race": ("Hask Cup", "Thorn Bowl"),
    "year": ("1951", "1962", "1970"),
    "number": ("12", "18", "25"),
}
_ROWS = [
    ("Kittiwake", "built_by", "Ada Hall"),
    ("Petrel", "built_by", "Ada Hall"),
    ("Gannet", "built_by", "Bo Lind"),
    ("Kittiwake", "commanded_by", "Cy Marr"),
    ("Petrel", "commanded_by", "Bo Lind"),
    ("Kittiwake", "made_of", "oak"),
    ("Petrel", "made_of", "oak"),
    ("Gannet", "made_of", "larch"),
    ("Kittiwake", "sister_ship", "Petrel"),
    ("Petrel", "sister_ship", "Gannet"),
    ("Kittiwake", "moored_in", "Hask"),
    ("Petrel", "moored_in", "Thorn"),
    ("Gannet", "moored_in", "Hask"),
    ("Kittiwake", "length_m", "12"),
    ("Petrel", "length_m", "18"),
    ("Petrel", "laid_down_in", "1951"),
    ("Gannet", "laid_down_in", "1962"),
    ("Ada Hall", "taught", "Bo Lind"),
    ("Bo Lind", "taught", "Cy Marr"),
    ("Petrel", "won", "Hask Cup"),
    ("Kittiwake", "won", "Thorn Bowl"),
]
_SCHEMA = """
types:
  ship: [ship, boat]
  slip: [slip]
  person: [who, person, shipwright, builder, commander]
  harbour: [where, harbour]
  timber: [timber, wood]
  race: [race]
  year: [when, year]
  number: [number]
relations:
  built_by: {head: ship, tail: person, sentences: ["{head} was built by {tail}", "{tail} built {head}"]}
  commanded_by:
    head: ship
    tail: person
    sentences: ["{head} is commanded by {tail}", "{tail} is the commander of {head}"]
  made_of: {head: ship, tail: timber, sentences: ["{head} is made of {tail}"]}
  sister_ship: {head: ship, tail: ship, sentences: ["{head} is a sister ship of {tail}"]}
  moored_in: {head: ship, tail: harbour, sentences: ["{head} is moored in {tail}"]}
  length_m: {head: ship, tail: number, sentences: ["{head} is {tail} m long"]}
  laid_down_in: {head: ship, tail: year, sentences: ["{head} was laid down in {tail}"]}
  taught:
    head: person
    tail: person
    sentences: ["{head} taught {tail}", "{tail} was apprenticed to {head}"]
  won: {head: ship, tail: race, sentences: ["{head} won {tail}"]}
"""


@cache
def shipyard() -> KnowledgeBase:
    return base_of_schema(_ROWS, _KINDS, _SCHEMA)


@cache
def shipyard_by_names() -> KnowledgeBase:
    """The same triples without the schema: relations are known by their names alone."""
    return base_of(_ROWS, {label: kind for kind, labels in _KINDS.items() for label in labels})


def asked(text: str) -> list[str] | str:
    return outcome(read(text, shipyard()), shipyard())


def asked_by_names(text: str) -> list[str] | str:
    return outcome(read(text, shipyard_by_names()), shipyard_by_names())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("To whom was Bo Lind apprenticed?", ["Ada Hall"]),
        ("Who was Bo Lind apprenticed to?", ["Ada Hall"]),
        ("Whom did Bo Lind teach?", ["Cy Marr"]),
    ],
)
def test_a_preposition_before_the_question_belongs_to_its_verb(text: str, expected: list[str]) -> None:
    assert asked(text) == expected


@pytest.mark.parametrize(
    "text", ["Is Kittiwake or Petrel the longer ship?", "Is Kittiwake or Petrel longer?"]
)
def test_a_choice_may_say_of_which_type_it_is(text: str) -> None:
    assert asked(text) == ["Petrel"]


def test_a_noun_behind_a_name_of_its_type_is_no_relation_to_another_of_it() -> None:
    assert asked_by_names("Who commands the Petrel ship?") == ["Bo Lind"]
    # Gannet has no length, and that of its sister ship is not asked for.
    assert asked_by_names("What is the length of the Gannet ship?") == "abstained"


@pytest.mark.parametrize(
    "text",
    [
        # Nobody commands Gannet, though somebody built it.
        "Who is the commander of Gannet?",
        "Who is Gannet's commander?",
        "What was the winning time at the Hask Cup?",
        "Give the year in which Kittiwake won the Thorn Bowl.",
        "Name the person who had Gannet laid down.",
        "Which ships in Hask were sold off?",
        "Which boats at Hask have been repaired?",
    ],
)
def test_what_is_asked_for_and_is_of_another_kind_is_not_answered(text: str) -> None:
    assert asked(text) == "abstained"
    assert asked_by_names(text) == "abstained"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who is the commander of Petrel?", ["Bo Lind"]),
        ("Give the year in which Petrel was laid down.", ["1951"]),
        ("Name the person who built Gannet.", ["Bo Lind"]),
        ("ships moored in Hask", ["Gannet", "Kittiwake"]),
        ("oak ships moored in Thorn", ["Petrel"]),
        ("List the harbour of Petrel.", ["Thorn"]),
    ],
)
def test_what_is_asked_for_and_is_of_its_kind_is_answered(text: str, expected: list[str]) -> None:
    assert asked(text) == expected
