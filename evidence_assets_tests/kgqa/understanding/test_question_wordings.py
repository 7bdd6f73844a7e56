"""Everyday wordings that no relation is named by, asked of an invented parish with a shop and a bakery."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.kgqa.words.derivations import is_participle
from evidence_assets.kgqa.words.literals import in_unit, is_time
from evidence_assets_tests.testing.railway_questions import base_of_typed, meant, outcome, read

ROWS: list[tuple[str, str, str, str, str | None]] = [
    ("Edward Moss", "hasFather", "John Moss", "person", "person"),
    ("Ann Moss", "hasFather", "John Moss", "person", "person"),
    ("John Moss", "birthYear", "1812", "person", None),
    ("Edward Moss", "birthYear", "1838", "person", None),
    ("John Moss", "deathYear", "1901", "person", None),
    ("Edward Moss", "deathYear", "1880", "person", None),
    ("John Moss", "residesIn", "Holme", "person", "village"),
    ("Ann Moss", "residesIn", "Holme", "person", "village"),
    ("Edward Moss", "residesIn", "Wick", "person", "village"),
    ("John Moss", "hasOccupation", "miller", "person", "occupation"),
    ("Holme", "hasPopulation", "230", "village", None),
    ("Wick", "hasPopulation", "412", "village", None),
    ("Gravelino", "list_price_eur", "2100", "bicycle", None),
    ("Metro", "list_price_eur", "649", "bicycle", None),
    ("Gravelino", "supplier_id", "Rossi", "bicycle", "supplier"),
    ("Metro", "supplier_id", "Nord", "bicycle", "supplier"),
    ("Rossi", "delivery_days", "9", "supplier", None),
    ("Nord", "delivery_days", "2", "supplier", None),
    ("Lower Mill", "annual_output_t", "180", "mill", None),
    ("Upper Mill", "annual_output_t", "620", "mill", None),
    ("Lower Mill", "built_in", "1790", "mill", None),
    ("Upper Mill", "built_in", "1850", "mill", None),
    ("Rye Loaf", "baked_by", "Oven Lane", "loaf", "bakery"),
    ("Plait", "baked_by", "Oven Lane", "loaf", "bakery"),
    ("Rye Loaf", "flour_used", "rye flour", "loaf", "flour"),
    ("Plait", "flour_used", "wheat flour", "loaf", "flour"),
    ("rye flour", "grown_in", "Poland", "flour", "country"),
    ("wheat flour", "grown_in", "France", "flour", "country"),
]


@cache
def parish() -> KnowledgeBase:
    return base_of_typed(ROWS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Who was Edward Moss's father?", ["John Moss"], id="'has' makes no child of a father"),
        pytest.param("Was John Moss older than Edward Moss?", "yes", id="older is born, not dead, before"),
        pytest.param("Which village is the biggest?", ["Wick"], id="big of inhabitants"),
        pytest.param("How much is Gravelino?", ["2100"], id="how much is the price"),
        pytest.param("Which bicycles cost less than 1000 euros?", ["Metro"], id="money is a unit"),
        pytest.param("Which supplier delivers fastest?", ["Nord"], id="faster is less time"),
        pytest.param("Who in Holme isn't miller?", ["Ann Moss"], id="who without a verb"),
        pytest.param("Who is older, John Moss or Edward Moss?", ["John Moss"], id="who of two named"),
        pytest.param(
            "Which mills put out less than 300 tonnes a year?", ["Lower Mill"], id="a year's amount"
        ),
        pytest.param("How many loaves are baked with flour from Poland?", "1", id="a participle is no noun"),
    ],
)
def test_everyday_wordings_are_read(text: str, expected: list[str] | str) -> None:
    reading = read(text, parish())
    assert meant(reading, parish()) == expected, reading.query


@pytest.mark.parametrize(
    "text",
    [
        "Please enrol me in Upper Mill.",
        "Book me a Gravelino.",
        "What did John Moss die of?",
    ],
)
def test_commands_and_questions_of_no_year_are_not_answered(text: str) -> None:
    assert outcome(read(text, parish()), parish()) == "abstained"


@pytest.mark.parametrize(
    ("word", "expected"),
    [("brewed", True), ("taken", True), ("wooden", False), ("children", False), ("red", False)],
)
def test_participles_are_told_by_their_verbs(word: str, expected: bool) -> None:
    assert is_participle(word) is expected


def test_money_is_a_unit_that_is_not_converted() -> None:
    assert in_unit(20.0, "euros", "eur") == 20.0
    assert in_unit(20.0, "pounds", "gbp") == 20.0
    assert in_unit(20.0, "euros", "usd") is None


@pytest.mark.parametrize(("unit", "expected"), [("days", True), ("km", False), ("", False), ("eur", False)])
def test_units_of_time_are_told_from_others(unit: str, expected: bool) -> None:
    assert is_time(unit) is expected


def test_a_word_is_as_near_to_a_relation_whatever_else_is_asked() -> None:
    texts = (
        "Which lines does Southern Star command?",
        "Which lines are at the command of Southern Star?",
    )
    bound = [
        binding for text in texts for binding in read(text).accounting.bindings if "command" in binding.text
    ]
    near = {binding.similarity for binding in bound if binding.target == "relation operated_by"}
    assert len(near) == 1 and None not in near, bound
