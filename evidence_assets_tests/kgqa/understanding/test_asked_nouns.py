"""What a question asks for has to be told: its noun, its question word, and how many there may be."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of_schema, outcome, read

_KINDS = {
    "race": ("Moor Run", "Lake Marathon", "Bridge Mile"),
    "person": ("Ada Holt", "Ben Frith", "Cora Lund", "Dan Moss"),
    "firm": ("Beacon", "Arden"),
    "product": ("shoes", "juice"),
    "surface": ("gravel", "asphalt"),
    "year": ("1968", "1984", "1999"),
}
_ROWS = [
    ("Moor Run", "won_by", "Ada Holt"),
    ("Lake Marathon", "won_by", "Ben Frith"),
    ("Moor Run", "sponsored_by", "Beacon"),
    ("Lake Marathon", "sponsored_by", "Arden"),
    ("Beacon", "makes", "shoes"),
    ("Arden", "makes", "juice"),
    ("Moor Run", "run_on", "gravel"),
    ("Lake Marathon", "run_on", "asphalt"),
    ("Bridge Mile", "run_on", "asphalt"),
    ("Moor Run", "first_run_in", "1968"),
    ("Lake Marathon", "first_run_in", "1984"),
    ("Bridge Mile", "first_run_in", "1999"),
    ("Ada Holt", "coached_by", "Cora Lund"),
    ("Cora Lund", "coached_by", "Dan Moss"),
]
_SCHEMA = """
types:
  race: [race, races]
  person: [who, person, people, runner, runners, coach]
  firm: [firm, firms, sponsor]
  product: [product, products]
  surface: [surface, surfaces, ground]
  year: [when, year]
relations:
  won_by: {head: race, tail: person, sentences: ["{head} was won by {tail}"]}
  sponsored_by: {head: race, tail: firm, sentences: ["{head} is sponsored by {tail}"]}
  makes: {head: firm, tail: product, sentences: ["{head} makes {tail}"]}
  run_on: {head: race, tail: surface, sentences: ["{head} is run on {tail}"]}
  first_run_in: {head: race, tail: year, sentences: ["{head} was first run in {tail}"]}
  coached_by: {head: person, tail: person, sentences: ["{head} is coached by {tail}"]}
"""


@cache
def races() -> KnowledgeBase:
    return base_of_schema(_ROWS, _KINDS, _SCHEMA)


def answer(text: str) -> list[str] | str:
    return outcome(read(text, races()), races())


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("How many runners finished the Moor Run?", id="one winner is no number of runners"),
        pytest.param("How many members does the Moor Run have?", id="nor of members"),
        pytest.param("Which architect planned the Moor Run?", id="a noun that no type is near to"),
        pytest.param("How much did the first Moor Run cost?", id="a year is no price"),
        pytest.param("Which runner sponsors the Moor Run?", id="a noun of another type"),
        pytest.param("What does the Moor Run's sponsor make?", id="a verb that says little leads on"),
    ],
)
def test_what_nothing_tells_is_not_answered(text: str) -> None:
    assert answer(text) == "abstained"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which firm sponsors the Moor Run?", ["Beacon"]),
        ("Which runner won the Lake Marathon?", ["Ben Frith"]),
        ("How many races are run on asphalt?", "2"),
        ("When was the Moor Run first run?", ["1968"]),
    ],
)
def test_what_is_told_is_answered(text: str, expected: list[str] | str) -> None:
    assert answer(text) == expected


def test_who_was_coached_is_no_coach() -> None:
    assert answer("Is Ada Holt coached by Cora Lund?") == "yes"
    assert answer("Is Ada Holt coached by Dan Moss?") == "no"
