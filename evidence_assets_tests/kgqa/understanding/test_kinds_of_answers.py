"""Answers of another kind than is asked for, of an invented harbour: counts for amounts, years for who."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.graph.naming import shared_noun
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of, base_of_typed, meant, outcome, read

ROWS: list[tuple[str, str, str, str, str | None]] = [
    ("Gannet", "draught", "3 fathoms or so", "boat", "draught"),
    ("Petrel", "draught", "5 fathoms or so", "boat", "draught"),
    ("Tern", "draught", "2 fathoms or so", "boat", "draught"),
    ("Gannet", "built_in", "1962", "boat", None),
    ("Petrel", "built_in", "1985", "boat", None),
    ("Tern", "built_in", "1985", "boat", None),
    ("Gannet", "launched_on", "1963-05-02", "boat", None),
    ("Petrel", "launched_on", "1986-04-11", "boat", None),
    ("Tern", "launched_on", "1986-05-20", "boat", None),
    ("Gannet", "steered_by", "Ada Voss", "boat", "pilot"),
    ("Petrel", "steered_by", "Bo Lund", "boat", "pilot"),
    ("Tern", "steered_by", "Ada Voss", "boat", "pilot"),
    ("Gannet", "sank_because_of", "Fog", "boat", "cause"),
    ("Petrel", "sank_because_of", "Ice", "boat", "cause"),
    ("Gannet", "berth_fee", "40", "boat", None),
    ("Petrel", "berth_fee", "90", "boat", None),
    ("Gannet", "safety_rating", "4", "boat", None),
    ("Petrel", "safety_rating", "7", "boat", None),
    ("Gannet", "carries_kg", "500", "boat", None),
    ("Petrel", "carries_kg", "800", "boat", None),
    ("Tern", "carries_kg", "650", "boat", None),
    ("Gannet", "crewed_by", "12 rowers", "boat", "crew"),
    ("Petrel", "crewed_by", "8 rowers", "boat", "crew"),
    ("Tern", "crewed_by", "12 rowers", "boat", "crew"),
]


@cache
def harbour() -> KnowledgeBase:
    return base_of_typed(ROWS)


@pytest.mark.parametrize(
    "text", ["Which boat has the least draught?", "Does Petrel have more draught than Gannet?"]
)
def test_what_each_has_one_of_is_not_compared_by_how_many(text: str) -> None:
    reading = read(text, harbour())
    assert reading.abstains, reading.query


def test_counts_of_several_are_compared() -> None:
    reading = read("Which pilot steered the most boats?", harbour())
    assert meant(reading, harbour()) == ["Ada Voss"]
    assert not reading.abstains


@pytest.mark.parametrize("bound", ["under", "over", "above"])
def test_a_bound_before_a_name_that_is_an_amount_is_not_dropped(bound: str) -> None:
    assert bound in read(f"Which boats are crewed by {bound} 12 rowers?", harbour()).abstains


def test_an_amount_that_is_also_a_name_is_compared() -> None:
    rows = [*ROWS, ("Tern", "painted_in", "650 kg", "boat", "coat")]
    base = base_of_typed(rows)
    for bound, expected in (("over", ["Petrel"]), ("under", ["Gannet"])):
        reading = read(f"Which boats carry {bound} 650 kg?", base)
        assert meant(reading, base) == expected, reading.abstains


def test_what_is_told_without_a_unit_is_of_none_that_is_spoken() -> None:
    assert outcome(read("Which boats have a safety rating above 5?", harbour()), harbour()) == ["Petrel"]
    assert read("Which boats have a safety rating above 5 metres?", harbour()).abstains


def test_a_price_without_a_unit_is_of_money() -> None:
    base = harbour()
    assert meant(read("Which boats have a berth fee above 50 euros?", base), base) == ["Petrel"]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Why was Gannet built?", "Why"),
        ("Why was Gannet steered by Ada Voss?", "Why"),
        ("How was Gannet launched?", "How"),
        ("Who built Gannet?", "Who"),
        ("Where was Gannet built?", "Where"),
    ],
)
def test_who_asks_why_how_who_or_where_is_told_no_date(text: str, word: str) -> None:
    assert word in read(text, harbour()).abstains


@pytest.mark.parametrize(
    ("text", "expected"), [("Why did Gannet sink?", ["Fog"]), ("When was Gannet built?", ["1962"])]
)
def test_what_tells_a_reason_or_a_year_answers_why_or_when(text: str, expected: list[str]) -> None:
    assert outcome(read(text, harbour()), harbour()) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which boats were launched in May 1986?", ["Tern"]),
        ("Which boats were launched after 20 May 1963?", ["Petrel", "Tern"]),
        ("Which boat was launched on May 2nd, 1963?", ["Gannet"]),
        ("Was Petrel launched in may 1986?", "no"),
    ],
)
def test_a_month_of_a_year_is_no_modal_verb(text: str, expected: list[str] | str) -> None:
    assert outcome(read(text, harbour()), harbour()) == expected


@pytest.mark.parametrize("text", ["Which boats were launched in May?", "Which boats may Ada Voss steer?"])
def test_a_month_of_no_year_and_a_modal_verb_are_left_over(text: str) -> None:
    assert "may" in read(text, harbour()).abstains.lower()


def test_a_subtraction_is_no_count() -> None:
    reading = read("How many more boats does Ada Voss steer than Bo Lund?", harbour())
    assert (reading.value, reading.abstains) == ("1", "")
    assert "more" in read("How many more boats does Ada Voss steer than anybody?", harbour()).abstains


def test_a_unit_behind_numbers_and_a_function_word_are_no_nouns() -> None:
    assert shared_noun(["12 m", "15 m", "31 m"]) == ""
    assert shared_noun(["Turned Off", "Lights Off", "Called Off"]) == ""
    assert shared_noun(["Harbour Bar", "Old Bar", "Net Bar"]) == "bar"


def test_what_a_question_names_does_not_answer_it() -> None:
    rows = [
        ("Gannet", "kept_by", "Ada Voss", "boat", "keeper"),
        ("Petrel", "kept_by", "Bo Lund", "boat", "keeper"),
        ("Tern", "kept_by", "Cy Marsh", "boat", "keeper"),
    ]
    reading = read("Which ships share the keeper of Gannet?", base_of_typed(rows))
    assert outcome(reading, base_of_typed(rows)) != ["Gannet"]


def test_what_only_says_what_a_measure_is_of_is_not_what_is_asked_for() -> None:
    rows = [
        ("Gannet", "kept_by", "North"),
        ("Tern", "kept_by", "South"),
        ("North", "squad_size", "9"),
        ("South", "squad_size", "5"),
    ]
    base = base_of(rows, {})
    assert outcome(read("Which squad keeps Gannet?", base), base) != ["9"]
    assert meant(read("What is the squad size of North?", base), base) == ["9"]


def test_it_is_said_what_is_named_where_no_relation_is_understood() -> None:
    abstains = read("What is Gannet?", harbour()).abstains
    assert "names Gannet" in abstains
    assert "no relation" in abstains
