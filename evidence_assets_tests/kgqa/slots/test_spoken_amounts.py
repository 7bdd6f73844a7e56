"""Amounts as they are said, of invented towers: dozens, trillions, units that relations are not told in."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of_schema, meant, outcome, read

_KINDS = {
    "tour": ("Short Tour", "Long Tour"),
    "tower": ("Rook", "Stack", "Spire"),
    "builder": ("Ivo Marsh", "Lea Quint"),
    "town": ("Harrow", "Selby"),
    "material": ("granite", "oak"),
    "number": ("8", "12", "30", "45", "90", "9000", "12000", "1500000000", "20000000", "2500000000000"),
}
_ROWS = [
    ("Short Tour", "minutes", "45"),
    ("Long Tour", "minutes", "90"),
    ("Rook", "floor_m2", "9000"),
    ("Stack", "floor_m2", "12000"),
    ("Lea Quint", "assisted", "Ivo Marsh"),
    ("Rook", "bells", "8"),
    ("Stack", "bells", "12"),
    ("Spire", "bells", "30"),
    ("Rook", "cost_euros", "1500000000"),
    ("Stack", "cost_euros", "20000000"),
    ("Spire", "cost_euros", "2500000000000"),
    ("Rook", "made_of", "granite"),
    ("Stack", "made_of", "oak"),
    ("Rook", "built_by", "Ivo Marsh"),
    ("Stack", "built_by", "Lea Quint"),
    ("Lea Quint", "pupil_of", "Ivo Marsh"),
    ("Rook", "stands_in", "Harrow"),
    ("Spire", "stands_in", "Selby"),
]
_SCHEMA = """
types:
  tour: [tour, tours]
  tower: [tower, towers]
  builder: [builder, builders]
  town: [town, towns]
  material: [material]
  number: [how many, how much]
relations:
  minutes: {head: tour, tail: number, sentences: ["{head} takes {tail} minutes"]}
  floor_m2: {head: tower, tail: number, sentences: ["the floor of {head} measures {tail} square metres"]}
  assisted: {head: builder, tail: builder, sentences: ["{head} assisted {tail}"]}
  bells: {head: tower, tail: number, sentences: ["{head} has {tail} bells"]}
  cost_euros: {head: tower, tail: number, sentences: ["{head} cost {tail} euros"]}
  made_of: {head: tower, tail: material, sentences: ["{head} is made of {tail}"]}
  built_by: {head: tower, tail: builder, sentences: ["{head} was built by {tail}"]}
  pupil_of: {head: builder, tail: builder, sentences: ["{head} was a pupil of {tail}"]}
  stands_in: {head: tower, tail: town, sentences: ["{head} stands in {tail}"]}
"""


@cache
def towers() -> KnowledgeBase:
    return base_of_schema(_ROWS, _KINDS, _SCHEMA)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which towers have a dozen bells or more?", ["Spire", "Stack"]),
        ("Which towers have more than two dozen bells?", ["Spire"]),
        ("Which towers have more than two dozens bells?", ["Spire"]),
        ("Which towers cost more than 2 trillions euros?", ["Spire"]),
        ("Which towers have a floor of more than 10 000 square metres?", ["Stack"]),
        ("Which towers have fewer than half a dozen bells?", []),
        ("Which towers cost more than a trillion euros?", ["Spire"]),
        ("Which towers cost over 1.2 bn euros?", ["Rook", "Spire"]),
        ("Which tower has the fewest bells of the lot?", ["Rook"]),
        ("Which tours take an hour and a half or more?", ["Long Tour"]),
        ("Which tours take an hour or longer?", ["Long Tour"]),
        ("Which tours last less than an hour and a quarter?", ["Short Tour"]),
        ("Which towers have a floor of more than a hectare?", ["Stack"]),
    ],
)
def test_numbers_are_read_as_they_are_said(text: str, expected: list[str]) -> None:
    reading = read(text, towers())
    assert meant(reading, towers()) == expected, reading.abstains


@pytest.mark.parametrize("text", ["Who used to assist Ivo Marsh?", "Who are former assistants of Ivo Marsh?"])
def test_what_is_told_in_the_past_was_so_once(text: str) -> None:
    assert outcome(read(text, towers()), towers()) == ["Lea Quint"]


def test_what_a_part_is_made_of_is_not_told_of_the_whole() -> None:
    reading = read("Which towers have a roof made of oak?", towers())
    assert reading.abstains and "roof" in reading.accounting.unaccounted
    assert outcome(read("Which towers are made of oak?", towers()), towers()) == ["Stack"]


@pytest.mark.parametrize("text", ["Where was Lea Quint a pupil?", "Where was Rook built?"])
def test_where_asks_for_no_builder_though_buildings_are_places(text: str) -> None:
    assert outcome(read(text, towers()), towers()) in ("abstained", ["Harrow"])


def test_a_word_that_is_bound_is_not_told_to_be_bound_by_nothing() -> None:
    reading = read("Where was Lea Quint a pupil?", towers())
    assert "may not be what 'Where' asks for" in reading.abstains
    assert "nothing in the graph" not in reading.abstains
