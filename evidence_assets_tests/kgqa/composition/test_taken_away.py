"""What is taken away from a set: a thing itself, or what the set's last relation leads to from it."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of, meant, outcome, read

# Courses that build on courses, and monks who answer to monks: both ends of a relation are of one kind.
ROWS = [
    ("Optics", "builds_on", "Calculus"),
    ("Optics", "builds_on", "Mechanics"),
    ("Acoustics", "builds_on", "Calculus"),
    ("Ballistics", "builds_on", "Mechanics"),
    ("Ballistics", "builds_on", "Calculus"),
    ("Mechanics", "builds_on", "Calculus"),
    ("Brother Odo", "answers_to", "Abbot Anselm"),
    ("Brother Bede", "answers_to", "Abbot Anselm"),
    ("Brother Hugh", "answers_to", "Brother Odo"),
]


@cache
def abbey() -> KnowledgeBase:
    return base_of(ROWS, {})


def test_a_preposition_after_a_negation_takes_the_relation_up_again() -> None:
    reading = read("What builds on Calculus but not on Mechanics?", abbey())
    assert outcome(reading, abbey()) == ["Acoustics", "Mechanics"], reading.abstains
    reading = read("Who answers to Abbot Anselm but not to Brother Odo?", abbey())
    assert outcome(reading, abbey()) == ["Brother Bede", "Brother Odo"], reading.abstains


def test_so_it_does_before_one_of_several() -> None:
    reading = read("What builds on Calculus but not on Mechanics or Acoustics?", abbey())
    assert meant(reading, abbey()) == ["Acoustics", "Mechanics"]


def test_nothing_may_remain() -> None:
    reading = read("What builds on Mechanics but not on Calculus?", abbey())
    assert not len(reading.nodes) and reading.query is not None
    assert str(reading.query) == "(~builds_on(Mechanics) without ~builds_on(Calculus))"


@pytest.mark.parametrize("but", ["except", "other than"])
def test_a_thing_itself_is_taken_away_where_it_is_said_so(but: str) -> None:
    reading = read(f"What builds on Calculus {but} Mechanics?", abbey())
    assert meant(reading, abbey()) == ["Acoustics", "Ballistics", "Optics"]
    reading = read(f"What builds on Mechanics {but} Acoustics?", abbey())
    assert str(reading.query) == "(~builds_on(Mechanics) without Acoustics)"


def test_what_is_not_there_to_be_taken_away_is_what_the_relation_leads_to() -> None:
    reading = read(
        "What builds on Calculus but not Logic?", base_of([*ROWS, ("Sets", "builds_on", "Logic")], {})
    )
    assert str(reading.query) == "(~builds_on(Calculus) without ~builds_on(Logic))"


def test_a_preposition_of_a_verb_that_is_passed_over_takes_nothing_up() -> None:
    reading = read("What builds on Calculus but is not fond of Mechanics?", abbey())
    assert outcome(reading, abbey()) == "abstained"


@pytest.mark.parametrize("things", ["a ship nor a tug", "a tug nor a ship"])
@pytest.mark.parametrize("relation", ["owns", "charters"])
def test_neither_takes_both_away_from_what_is_asked_for(relation: str, things: str) -> None:
    """Not what is towed from what is taken away."""
    owned = {"Hansa": "Alma", "Boreas": "Alma", "Vega": "Brio", "Rana": "Brio", "Aurora": "Corda"}
    ports = {"Alma": "Esk", "Brio": "Esk", "Corda": "Holm", "Dex": "Holm"}
    kinds: dict[str, str | None] = {
        **dict.fromkeys(ports, "company"),
        **dict.fromkeys(("Hansa", "Vega", "Rana"), "ship"),
        **dict.fromkeys(("Boreas", "Aurora"), "tug"),
        **dict.fromkeys(("Esk", "Holm"), "port"),
    }
    rows = [
        *((owner, relation, vessel) for vessel, owner in owned.items()),
        *((company, "based_in", port) for company, port in ports.items()),
        ("Boreas", "tows", "Hansa"),
        ("Aurora", "tows", "Vega"),
    ]
    base = base_of(rows, kinds)
    assert outcome(read(f"Which company {relation} neither {things}?", base), base) == ["Dex"]
