"""What stands behind a noun is said of that noun, and of a question nothing passed over: an invented park."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of_schema, meant, outcome, read

_KINDS = {
    "tree": ("Old Coffee", "Giant Lily", "Bent Pine"),
    "bridge": ("Gull Bridge", "Market Bridge", "Foss Bridge"),
    "stream": ("Lorn", "Foss"),
    "material": ("steel", "oak"),
    "person": ("Mara Voss", "Simon Rauch", "Edda Lind"),
    "garden": ("Lisbon Garden", "Kew House"),
    "country": ("Ethiopia", "Brazil", "Portugal"),
    "number": ("5", "40"),
    "year": ("1911", "1954"),
}
_ROWS = [
    ("Old Coffee", "native_to", "Ethiopia"),
    ("Giant Lily", "native_to", "Brazil"),
    ("Old Coffee", "donated_by", "Lisbon Garden"),
    ("Giant Lily", "donated_by", "Kew House"),
    ("Lisbon Garden", "garden_country", "Portugal"),
    ("Gull Bridge", "crosses", "Lorn"),
    ("Market Bridge", "crosses", "Lorn"),
    ("Foss Bridge", "crosses", "Foss"),
    ("Gull Bridge", "made_of", "oak"),
    ("Market Bridge", "made_of", "steel"),
    ("Foss Bridge", "made_of", "oak"),
    ("Old Coffee", "looked_after_by", "Mara Voss"),
    ("Giant Lily", "looked_after_by", "Edda Lind"),
    ("Mara Voss", "learned_from", "Simon Rauch"),
    ("Lisbon Garden", "headed_by", "Edda Lind"),
    ("Lisbon Garden", "entry_fee_euros", "5"),
    ("Kew House", "entry_fee_euros", "40"),
    ("Gull Bridge", "opened_in", "1911"),
    ("Market Bridge", "opened_in", "1954"),
]
_SCHEMA = """
types:
  tree: [tree, trees, plant]
  bridge: [bridge, bridges]
  stream: [stream, streams]
  material: [material]
  person: [who, person, people]
  garden: [garden, gardens, donor]
  country: [where, country, countries]
  number: [how many, how much]
  year: [when, year]
relations:
  native_to: {head: tree, tail: country, sentences: ["{head} is native to {tail}"]}
  donated_by: {head: tree, tail: garden, sentences: ["{head} was donated by {tail}"]}
  garden_country: {head: garden, tail: country, sentences: ["{head} is a garden in {tail}"]}
  crosses: {head: bridge, tail: stream, sentences: ["{head} crosses {tail}"]}
  made_of: {head: bridge, tail: material, sentences: ["{head} is made of {tail}"]}
  looked_after_by: {head: tree, tail: person, sentences: ["{head} is looked after by {tail}"]}
  learned_from: {head: person, tail: person, sentences: ["{head} learned from {tail}"]}
  headed_by: {head: garden, tail: person, sentences: ["{head} is headed by {tail}"]}
  entry_fee_euros: {head: garden, tail: number, sentences: ["the entry fee of {head} is {tail} euros"]}
  opened_in: {head: bridge, tail: year, sentences: ["{head} opened in {tail}"]}
"""


@cache
def park() -> KnowledgeBase:
    return base_of_schema(_ROWS, _KINDS, _SCHEMA)


def test_a_denial_of_what_something_is_made_of_denies_nothing_else() -> None:
    reading = read("Which bridges over the Lorn are not made of steel?", park())
    assert meant(reading, park()) == ["Gull Bridge"], reading.query


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("In which country is the Old Coffee's donor?", "Ethiopia"),
        ("In which country is the garden that donated Giant Lily?", "Brazil"),
    ],
)
def test_who_gave_something_is_not_where_that_is_from(text: str, wrong: str) -> None:
    assert wrong not in outcome(read(text, park()), park())


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("What does the head of Lisbon Garden earn?", "earn"),
        ("What does Mara Voss do for a living?", "living"),
        ("What is the membership fee of Lisbon Garden?", "membership"),
        ("What is the person who looks after Old Coffee afraid of?", "afraid"),
        ("When did Gull Bridge close?", "close"),
    ],
)
def test_what_is_asked_of_something_and_not_told_is_not_passed_over(text: str, word: str) -> None:
    reading = read(text, park())
    assert outcome(reading, park()) == "abstained", reading.query
    assert word in reading.abstains


@pytest.mark.parametrize("verb", ["bought", "praised"])
def test_a_deed_that_is_like_no_relation_is_not_told_by_the_only_one_of_somebody(verb: str) -> None:
    assert outcome(read(f"Who {verb} Old Coffee?", park()), park()) == "abstained"
