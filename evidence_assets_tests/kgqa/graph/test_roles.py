"""Nouns for what something is of another: roles, which not everybody of their type has, and others."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.graph.roles import key_of, roles, said_of_others
from evidence_assets.kgqa.slots.composition_costs import UNSAID
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of_schema, meant, outcome, read

_KINDS = {
    "film": ("Low Tide", "Glass Road", "Paper Moon Bay"),
    "person": ("Ida Roth", "Jon Fell", "Mia Lund", "Sam Oke"),
    "town": ("Brack", "Elm"),
    "year": ("1931", "1950", "1962"),
}
_ROWS = [
    ("Low Tide", "directed_by", "Ida Roth"),
    ("Glass Road", "directed_by", "Jon Fell"),
    ("Paper Moon Bay", "directed_by", "Jon Fell"),
    ("Low Tide", "music_by", "Mia Lund"),
    ("Paper Moon Bay", "remake_of", "Low Tide"),
    ("Ida Roth", "comes_from", "Brack"),
    ("Mia Lund", "comes_from", "Brack"),
    ("Sam Oke", "comes_from", "Brack"),
    ("Jon Fell", "comes_from", "Elm"),
    ("Low Tide", "released_in", "1931"),
    ("Glass Road", "released_in", "1950"),
    ("Paper Moon Bay", "released_in", "1962"),
    ("Sam Oke", "supervised_by", "Ida Roth"),
]
_SCHEMA = """
types:
  film: [film, films, picture]
  person: [who, person, people, director, composer]
  town: [where, town, towns]
  year: [when, year]
relations:
  directed_by: {head: film, tail: person, sentences: ["{head} was directed by {tail}"]}
  music_by: {head: film, tail: person, sentences: ["the music of {head} is by {tail}",
    "{tail} is the composer of {head}"]}
  remake_of: {head: film, tail: film, sentences: ["{head} is a remake of {tail}"]}
  comes_from: {head: person, tail: town, sentences: ["{head} comes from {tail}"]}
  released_in: {head: film, tail: year, sentences: ["{head} was released in {tail}"]}
  supervised_by: {head: person, tail: person, sentences: ["{tail} is the supervisor of {head}"]}
"""


@cache
def archive() -> KnowledgeBase:
    return base_of_schema(_ROWS, _KINDS, _SCHEMA)


def test_roles_are_of_names_and_sentences_and_no_type_s_first_noun() -> None:
    of = roles(archive().schema, lambda relation: relation == "released_in")
    assert of == {
        key_of("directors"): ("person", ("directed_by", False)),
        key_of("composer"): ("person", ("music_by", False)),
        key_of("remake"): ("film", ("remake_of", True)),
        key_of("supervisor"): ("person", ("supervised_by", False)),
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which directors come from Brack?", ["Ida Roth"]),
        ("Which composers come from Brack?", ["Mia Lund"]),
        ("Who comes from Brack?", ["Ida Roth", "Mia Lund", "Sam Oke"]),
        ("Who comes from Brack but is not a director?", ["Mia Lund", "Sam Oke"]),
        ("How many directors are there?", "2"),
        ("Which films are remakes?", ["Paper Moon Bay"]),
        ("Who is the director of Low Tide?", ["Ida Roth"]),
        ("Which supervisors come from Brack?", ["Ida Roth"]),
        ("What was Jon Fell's first film?", ["Glass Road"]),
        ("Is Paper Moon Bay a remake of Low Tide?", "yes"),
    ],
)
def test_a_noun_for_a_role_is_of_those_who_have_it(text: str, expected: list[str] | str) -> None:
    reading = read(text, archive())
    assert outcome(reading, archive()) == expected, (reading.query, reading.abstains)


_BODIES = {"body": ("Ruma", "Ossa", "Teth", "Ilo"), "person": ("Ada Voss", "Ben Ray", "Cid Low")}
_ORBITS = [
    ("Ossa", "orbits", "Ruma"),
    ("Teth", "orbits", "Ruma"),
    ("Ruma", "orbits", "Ilo"),
    ("Ossa", "found_by", "Ada Voss"),
    ("Teth", "found_by", "Ben Ray"),
    ("Ruma", "found_by", "Cid Low"),
]
_BODY_SCHEMA = """
types:
  body: [body, bodies, moon, planet]
  person: [who, person, people]
relations:
  orbits: {head: body, tail: body, sentences: ["{head} orbits {tail}", "{head} is a moon of {tail}"]}
  found_by: {head: body, tail: person, sentences: ["{head} was found by {tail}"]}
"""


@cache
def bodies() -> KnowledgeBase:
    return base_of_schema(_ORBITS, _BODIES, _BODY_SCHEMA)


def test_a_noun_is_said_of_another_by_each_relation_whose_sentence_has_it() -> None:
    assert said_of_others(bodies().schema) == {key_of("moons"): frozenset({("body", ("orbits", True))})}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How many moons of Ruma did Ada Voss find?", "1"),
        ("How many people found moons of Ruma?", "2"),
        ("How many people found Ruma's moons?", "2"),
        ("Which moons of Ruma were not found by Ada Voss?", ["Teth"]),
    ],
)
def test_what_a_noun_says_of_another_is_a_step_that_was_said(text: str, expected: list[str] | str) -> None:
    reading = read(text, bodies())
    assert meant(reading, bodies()) == expected, (reading.query, reading.abstains)
    assert reading.cost < UNSAID
