"""Questions to invented bell towers: all of their words are the graph's, and so they are to be answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of, base_of_schema, outcome, read

_KINDS = {
    "bell": ("Great Osmund", "Old Tobias", "Black Meg", "Curfew", "Gloria", "Magdalen"),
    # Its noun is near to those of things: what its members are called tells that they are persons.
    "collector": ("Ada Hallam", "Boris Lindqvist", "Cyril Marr", "Dora Quist"),
    "tower": ("Abbey Tower", "Market Tower"),
    "prize": ("Silver Clapper", "Golden Rope"),
    "year": ("1811", "1885", "1890", "1962", "1988"),
    "number": ("350", "520", "900"),
}
_ROWS = [
    ("Great Osmund", "cast_by", "Ada Hallam"),
    ("Old Tobias", "cast_by", "Ada Hallam"),
    ("Black Meg", "cast_by", "Boris Lindqvist"),
    ("Curfew", "cast_by", "Cyril Marr"),
    ("Great Osmund", "cast_year", "1811"),
    ("Old Tobias", "cast_year", "1885"),
    ("Black Meg", "cast_year", "1890"),
    ("Curfew", "cast_year", "1962"),
    ("Great Osmund", "hung_in", "Abbey Tower"),
    ("Old Tobias", "hung_in", "Abbey Tower"),
    ("Black Meg", "hung_in", "Market Tower"),
    ("Curfew", "hung_in", "Abbey Tower"),
    ("Great Osmund", "won_prize", "Silver Clapper"),
    ("Black Meg", "won_prize", "Golden Rope"),
    ("Old Tobias", "modelled_on", "Great Osmund"),
    ("Curfew", "modelled_on", "Black Meg"),
    ("Great Osmund", "weight_kg", "900"),
    ("Old Tobias", "weight_kg", "520"),
    ("Black Meg", "weight_kg", "350"),
    ("Abbey Tower", "steeple_keeper", "Dora Quist"),
    ("Market Tower", "steeple_keeper", "Cyril Marr"),
    ("Dora Quist", "taught_by", "Ada Hallam"),
    ("Cyril Marr", "taught_by", "Boris Lindqvist"),
    ("Gloria", "hung_in", "Market Tower"),
    ("Magdalen", "hung_in", "Market Tower"),
    ("Old Tobias", "rehung_in", "1962"),
    ("Great Osmund", "rehung_in", "1988"),
]
_SCHEMA = """
types:
  bell: [bell]
  collector: [who, founder]
  tower: [where, tower]
  prize: [prize]
  year: [when, year]
  number: [number, kilograms]
relations:
  cast_by: {head: bell, tail: collector, sentences: ["{head} was cast by {tail}"]}
  cast_year: {head: bell, tail: year, sentences: ["{head} was cast in {tail}"]}
  hung_in: {head: bell, tail: tower, sentences: ["{head} hangs in {tail}"]}
  won_prize: {head: bell, tail: prize, sentences: ["{head} won the prize {tail}"]}
  modelled_on: {head: bell, tail: bell, sentences: ["{head} is modelled on {tail}"]}
  weight_kg: {head: bell, tail: number, sentences: ["{head} weighs {tail} kilograms"]}
  steeple_keeper: {head: tower, tail: collector, sentences: ["{tail} is the steeple keeper of {head}"]}
  taught_by: {head: collector, tail: collector, sentences: ["{head} was taught by {tail}"]}
  rehung_in:
    head: bell
    tail: year
    sentences: ["{head} was rehung in {tail}", "{head} came back to the frame in {tail}"]
"""


@cache
def bells() -> KnowledgeBase:
    return base_of_schema(_ROWS, _KINDS, _SCHEMA)


@cache
def bells_by_names() -> KnowledgeBase:
    """The same triples without the schema: relations are known by their names alone."""
    return base_of(_ROWS, {label: kind for kind, labels in _KINDS.items() for label in labels})


def asked(text: str) -> list[str] | str:
    return outcome(read(text, bells()), bells())


def asked_by_names(text: str) -> list[str] | str:
    return outcome(read(text, bells_by_names()), bells_by_names())


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who was Old Tobias cast by?", ["Ada Hallam"]),
        ("Who cast Old Tobias?", ["Ada Hallam"]),
        ("By whom was the steeple keeper of Abbey Tower taught?", ["Ada Hallam"]),
        ("Which bells hung in Abbey Tower have not won a prize?", ["Curfew", "Old Tobias"]),
        ("Which bells in Market Tower have won nothing?", ["Gloria", "Magdalen"]),
        ("Which bells have Cyril Marr or Boris Lindqvist as their caster?", ["Black Meg", "Curfew"]),
    ],
)
def test_by_names_alone(question: str, answers: list[str]) -> None:
    assert asked_by_names(question) == answers


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which bells in Abbey Tower are not modelled on another?", ["Great Osmund"]),
        ("Which bell is the heaviest of all", ["Great Osmund"]),
        ("Which nineteenth-century bells hang in Abbey Tower?", ["Great Osmund", "Old Tobias"]),
        ("Which bells came back to the frame in the 1980s?", ["Great Osmund"]),
        ("how many bells are more than 500 kilograms", "2"),
    ],
)
def test_by_sentences(question: str, answers: list[str] | str) -> None:
    assert asked(question) == answers


@pytest.mark.parametrize("base", [bells, bells_by_names])
def test_who_has_taught_was_not_taught(base: Callable[[], KnowledgeBase]) -> None:
    assert outcome(read("Which collectors have taught somebody?", base()), base()) in (
        ["Ada Hallam", "Boris Lindqvist"],
        "abstained",
    )


@pytest.mark.parametrize("base", [bells, bells_by_names])
@pytest.mark.parametrize(
    "question",
    [
        # Nobody is told to be a pupil, and whose it would be is not who it is.
        "Which bell was cast by Boris Lindqvist's pupil?",
        # What it was modelled on is asked, and who cast it besides.
        "What was Curfew modelled on and who cast it?",
    ],
)
def test_what_is_half_read_is_not_answered(question: str, base: Callable[[], KnowledgeBase]) -> None:
    assert read(question, base()).abstains


@pytest.mark.parametrize("base", [bells, bells_by_names])
def test_a_prize_winning_bell_is_no_prize(base: Callable[[], KnowledgeBase]) -> None:
    answers = outcome(read("Which prize-winning bell is the heaviest?", base()), base())
    assert answers in (["Great Osmund"], "abstained")
