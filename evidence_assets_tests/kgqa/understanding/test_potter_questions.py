"""Invented potters, asked what the nearest fact does not tell: ages, what is shared, times."""

from __future__ import annotations

import pytest

from evidence_assets_tests.testing.potter_questions import asked_of_potters

with_and_without_schema = pytest.mark.parametrize("authored", [True, False])


@with_and_without_schema
def test_persons_are_as_old_as_they_were_born_and_not_as_they_joined(authored: bool) -> None:
    assert asked_of_potters("Who is the youngest potter?", authored) == "abstained"
    assert asked_of_potters("Which potter joined last?", authored) == ["Gwen Tallis"]


@with_and_without_schema
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who has the same employer as Nell Bramble?", ["Gwen Tallis"]),
        ("Which workshops are based in the same town as Fire Yard?", ["Stone Wheel"]),
        ("Who has the same employer as Otis Fenwick?", "abstained"),
    ],
)
def test_who_shares_something_is_not_what_is_shared(
    text: str, expected: list[str] | str, authored: bool
) -> None:
    assert asked_of_potters(text, authored) == expected


def test_whose_employer_is_shared_by_a_phrase_is_not_asked_for_either() -> None:
    question = "Who has the same employer as the founder of Fire Yard?"
    assert asked_of_potters(question, authored=False) == "abstained"


@with_and_without_schema
def test_a_noun_that_is_requested_is_asked_for_though_a_clause_begins_with_which(authored: bool) -> None:
    """The workshop that one step leads to is no town."""
    assert asked_of_potters("Name the town in which Gwen Tallis works", authored) == ["Varden"]


@with_and_without_schema
def test_when_something_was_founded_is_not_when_its_founder_joined(authored: bool) -> None:
    assert asked_of_potters("Name the year in which Fire Yard was founded", authored) == "abstained"
    assert asked_of_potters("Name the year in which Otis Fenwick joined", authored) == ["1961"]


def test_a_particle_makes_another_verb() -> None:
    assert asked_of_potters("Who came up with Moon Jar?", authored=True) == "abstained"
    assert asked_of_potters("Who made Moon Jar?", authored=True) == ["Ruth Cassel"]


@with_and_without_schema
@pytest.mark.parametrize(
    "text",
    ["Which workshops based in Kolby are out of business?", "workshops in Kolby that ship abroad, please"],
)
def test_a_clause_that_nothing_tells_is_not_passed_over(text: str, authored: bool) -> None:
    assert asked_of_potters(text, authored) == "abstained"
    assert asked_of_potters("Which workshops are based in Kolby?", authored) == ["Fire Yard", "Stone Wheel"]


@with_and_without_schema
def test_a_condition_is_known_not_to_be_met_only_if_something_meets_it(authored: bool) -> None:
    """Who mentored Otis Fenwick is not told."""
    question = "Was Nell Bramble mentored by the mentor of Otis Fenwick?"
    assert asked_of_potters(question, authored) == "abstained"
