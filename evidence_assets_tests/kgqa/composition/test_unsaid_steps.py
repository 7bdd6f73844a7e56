"""Steps that no word of a question says join what it asks for to what it names, in an invented harbour."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of, base_of_typed, meant, outcome, read

ROWS: list[tuple[str, str, str, str, str | None]] = [
    ("Castor", "flag", "Portugal", "ship", "country"),
    ("Isolde", "flag", "Norway", "ship", "country"),
    ("Castor", "built_by", "Maas Yard", "ship", "shipyard"),
    ("Isolde", "built_by", "Vik Yard", "ship", "shipyard"),
    ("Castor", "launched_in", "1967", "ship", None),
    ("Isolde", "launched_in", "1982", "ship", None),
    ("Maas Yard", "yard_port", "Rotterdam", "shipyard", "port"),
    ("Vik Yard", "yard_port", "Bergen", "shipyard", "port"),
    ("Rotterdam", "port_country", "Netherlands", "port", "country"),
    ("Bergen", "port_country", "Norway", "port", "country"),
    ("Log of the Castor", "edited_by", "Ada Lind", "book", "person"),
    ("Log of the Isolde", "edited_by", "Bo Holm", "book", "person"),
    ("Log of the Isolde", "pages", "120", "book", None),
]


@cache
def harbour() -> KnowledgeBase:
    return base_of_typed(ROWS)


@pytest.mark.parametrize("asked", ["In what country", "In which country"])
def test_what_is_asked_for_is_joined_to_what_the_verb_leads_to(asked: str) -> None:
    reading = read(f"{asked} was Castor built?", harbour())
    assert meant(reading, harbour()) == ["Netherlands"], reading.abstains


def test_a_verb_is_not_passed_over_for_a_relation_that_types_allow() -> None:
    assert outcome(read("In what country was Castor launched?", harbour()), harbour()) == "abstained"


@pytest.mark.parametrize("noun", ["edition", "paperback edition"])
def test_what_was_done_is_not_who_did_it(noun: str) -> None:
    assert outcome(read(f"What is the {noun} of Log of the Castor?", harbour()), harbour()) == "abstained"
    reading = read("Who is the editor of Log of the Castor?", harbour())
    assert outcome(reading, harbour()) == ["Ada Lind"], reading.abstains


@pytest.mark.parametrize("word", ["former", "previous"])
def test_who_was_it_before_is_told_by_no_fact(word: str) -> None:
    reading = read(f"Who is the {word} editor of Log of the Castor?", harbour())
    assert reading.abstains and word in reading.accounting.unaccounted


def test_facts_do_not_rank_what_they_tell() -> None:
    rows = [("Castor", "cargo", "coffee"), ("Castor", "cargo", "cork"), ("Isolde", "cargo", "timber")]
    base = base_of(
        rows, {"Castor": "ship", "Isolde": "ship", "coffee": "good", "cork": "good", "timber": "good"}
    )
    several = read("What is the main cargo of Castor?", base)
    assert several.abstains and "main" in several.accounting.unaccounted


@pytest.mark.parametrize(
    "text", ["How much is a page of Log of the Isolde?", "How much is Log of the Castor?"]
)
def test_how_much_asks_for_a_price(text: str) -> None:
    assert outcome(read(text, harbour()), harbour()) == "abstained"


# Bakers make cakes of flour from mills in villages: a baker need not be where her flour is from.
BAKERIES: list[tuple[str, str, str, str, str | None]] = [
    ("Rye Ring", "baked_by", "Ada Lind", "cake", "baker"),
    ("Spelt Bun", "baked_by", "Bo Holm", "cake", "baker"),
    ("Rye Ring", "flour_from", "Ulva Mill", "cake", "mill"),
    ("Spelt Bun", "flour_from", "Dove Mill", "cake", "mill"),
    ("Ulva Mill", "stands_in", "Tarbet", "mill", "village"),
    ("Dove Mill", "stands_in", "Edale", "mill", "village"),
    ("Tarbet", "village_country", "Scotland", "village", "country"),
    ("Edale", "village_country", "England", "village", "country"),
]


@cache
def bakeries() -> KnowledgeBase:
    return base_of_typed(BAKERIES)


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("Who keeps the hives in Dent?", ["Bo Holm"]),
        ("Who keeps hives in Marlow?", ["Ada Lind"]),
        ("Which keepers live in Dent?", ["Ada Lind"]),
    ],
)
def test_a_place_is_said_of_the_noun_that_it_stands_behind(text: str, answers: list[str]) -> None:
    rows: list[tuple[str, str, str, str, str | None]] = [
        ("Alpha", "kept_by", "Ada Lind", "hive", "keeper"),
        ("Beta", "kept_by", "Bo Holm", "hive", "keeper"),
        ("Alpha", "stands_at", "Oak Farm", "hive", "farm"),
        ("Beta", "stands_at", "Ash Farm", "hive", "farm"),
        ("Oak Farm", "farm_village", "Marlow", "farm", "village"),
        ("Ash Farm", "farm_village", "Dent", "farm", "village"),
        ("Ada Lind", "lives_in", "Dent", "keeper", "village"),
        ("Bo Holm", "lives_in", "Marlow", "keeper", "village"),
    ]
    base = base_of_typed(rows)
    reading = read(text, base)
    assert meant(reading, base) == answers, str(reading.query)


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        pytest.param("Which mills are in Scotland?", ["Ulva Mill"], id="of what is there"),
        pytest.param("Which country is Dove Mill in?", ["England"], id="a preposition left behind"),
        pytest.param("Which cakes are from Scotland?", ["Rye Ring"], id="what leads there"),
        pytest.param("Which bakers are in Scotland?", "abstained", id="not of what others tell of"),
        pytest.param("Which country is Ada Lind in?", "abstained", id="nor asked the other way round"),
        pytest.param("Which country is Ada Lind from?", "abstained", id="nor where someone is from"),
    ],
)
def test_what_is_in_a_place_leads_there(text: str, answers: list[str] | str) -> None:
    reading = read(text, bakeries())
    assert outcome(reading, bakeries()) == answers, str(reading.query)
