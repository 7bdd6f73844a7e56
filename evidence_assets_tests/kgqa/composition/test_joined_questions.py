"""Questions whose ends several steps join, and nouns and adjectives that no name of the graph has."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from evidence_assets.kgqa.queries.algebra import Extreme, Named, Reached, Typed, Union, Value
from evidence_assets.kgqa.slots.expressions import holds_choice
from evidence_assets.kgqa.slots.lexicon import Lexicon
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
    ("B1", "customer_id", "Mia Chen", "booking", "customer"),
    ("B1", "room_id", "A101", "booking", "room"),
    ("B2", "customer_id", "Mia Chen", "booking", "customer"),
    ("B2", "room_id", "G305", "booking", "room"),
    ("B3", "customer_id", "Paul Novak", "booking", "customer"),
    ("B3", "room_id", "A101", "booking", "room"),
    ("A101", "hotel_id", "Casa Azul", "room", "hotel"),
    ("G305", "hotel_id", "Grand Atlantic", "room", "hotel"),
    ("A101", "price_per_night_eur", "80", "room", None),
    ("G305", "price_per_night_eur", "260", "room", None),
    ("Casa Azul", "city_id", "Lisbon", "hotel", "city"),
    ("Grand Atlantic", "city_id", "Porto", "hotel", "city"),
    ("Casa Azul", "stars", "3", "hotel", None),
    ("Grand Atlantic", "stars", "5", "hotel", None),
    ("Mia Chen", "home_city_id", "Lisbon", "customer", "city"),
    ("Paul Novak", "home_city_id", "Porto", "customer", "city"),
    ("Casa Azul", "manager_id", "Rita Lopes", "hotel", "employee"),
    ("Grand Atlantic", "manager_id", "Tiago Reis", "hotel", "employee"),
    ("Own Goal", "byline", "Rita Lopes", "article", "employee"),
    ("Low Tide", "byline", "Tiago Reis", "article", "employee"),
    ("Own Goal", "word_count", "690", "article", None),
    ("Low Tide", "word_count", "1200", "article", None),
]


@cache
def hotels() -> KnowledgeBase:
    return base_of_typed(ROWS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Which hotels has Paul Novak stayed at?", ["Casa Azul"], id="through an event"),
        pytest.param("Which hotels has Mia Chen stayed at?", ["Casa Azul", "Grand Atlantic"], id="two"),
        pytest.param("Which customers have booked more than once?", ["Mia Chen"], id="how often"),
        pytest.param("What is the longest article?", ["Low Tide"], id="all that is counted of a thing"),
        pytest.param("What is the cheapest room of them all?", ["A101"], id="all that says nothing"),
    ],
)
def test_what_several_steps_or_no_name_say_is_read(text: str, expected: list[str]) -> None:
    reading = read(text, hotels())
    assert meant(reading, hotels()) == expected, reading.query


def test_ends_are_joined_by_what_one_thing_tells_and_not_by_what_both_lead_to() -> None:
    # Those who live in the town of a hotel are no guests of it.
    reading = read("Which hotels has Mia Chen stayed at?", hotels())
    assert "home_city_id" not in str(reading.query)


def test_a_choice_is_held_by_what_it_leads_to_and_not_by_what_all_of_a_type_do() -> None:
    two = Union((Named("Own Goal", (0,)), Named("Low Tide", (1,))))
    chosen = Extreme(two, Value("word_count"), True)
    assert holds_choice(chosen)
    assert holds_choice(Reached("byline", False, chosen))
    assert not holds_choice(Reached("byline", False, Extreme(Typed("article"), Value("word_count"), True)))


def test_when_is_not_answered_by_what_is_no_time() -> None:
    assert outcome(read("When was A101 booked?", hotels()), hotels()) == "abstained"


def test_a_noun_that_no_type_is_called_by_is_near_to_the_type_of_persons_if_it_is_for_one() -> None:
    base = hotels()
    lexicon = Lexicon(base.graph, base.schema, base.types, encoder())
    question = linked_question("Which journalists wrote Own Goal?", base)
    shares = lexicon.likelihoods(question).types_of(["journalists"])
    assert max(shares, key=lambda type_: shares[type_]) == "employee"
    assert np.isclose(sum(shares.values()), 1.0, atol=1e-4)
