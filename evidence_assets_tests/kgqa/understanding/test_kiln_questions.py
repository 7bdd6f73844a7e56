"""Questions to invented kilns: what a number tells, what compares them all, and what nothing tells."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Constant, Triplet, Variable
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.parsing_samples import encoder
from evidence_assets_tests.testing.railway_questions import base_of, base_of_schema, outcome, read

_KINDS = {
    "kiln": ("Old Smoker", "Beehive", "Long Tom", "Dragon"),
    "potter": ("Ada Hallam", "Boris Lindqvist", "Cyril Marr"),
    "yard": ("Lower Yard", "Hill Yard"),
    "number": ("9", "12", "30", "48", "96", "140", "260"),
}
_ROWS = [
    ("Old Smoker", "firing_time_hours", "30"),
    ("Beehive", "firing_time_hours", "48"),
    ("Long Tom", "firing_time_hours", "96"),
    ("Dragon", "firing_time_hours", "12"),
    ("Old Smoker", "number of fireboxes", "9"),
    ("Beehive", "number of fireboxes", "12"),
    ("Dragon", "number of fireboxes", "30"),
    ("Old Smoker", "altitude_m", "140"),
    ("Beehive", "altitude_m", "260"),
    ("Long Tom", "altitude_m", "96"),
    ("Dragon", "altitude_m", "9"),
    ("Old Smoker", "run_by", "Ada Hallam"),
    ("Beehive", "run_by", "Boris Lindqvist"),
    ("Long Tom", "run_by", "Boris Lindqvist"),
    ("Dragon", "run_by", "Cyril Marr"),
    ("Old Smoker", "stands_in", "Lower Yard"),
    ("Beehive", "stands_in", "Hill Yard"),
    ("Long Tom", "stands_in", "Hill Yard"),
    ("Dragon", "stands_in", "Lower Yard"),
]
_SCHEMA = """
types:
  kiln: [kiln]
  potter: [who, potter]
  yard: [where, yard]
  number: [how many, number]
relations:
  firing_time_hours: {head: kiln, tail: number, sentences: ["{head} is fired for {tail} hours"]}
  number of fireboxes: {head: kiln, tail: number, sentences: ["{head} has {tail} fireboxes"]}
  altitude_m: {head: kiln, tail: number, sentences: ["{head} lies at {tail} metres"]}
  run_by: {head: kiln, tail: potter, sentences: ["{head} is run by {tail}", "{tail} runs {head}"]}
  stands_in: {head: kiln, tail: yard, sentences: ["{head} stands in {tail}"]}
"""


@cache
def kilns(authored: bool) -> KnowledgeBase:
    """What is asked of the kilns, by a schema that somebody wrote or by names alone."""
    if authored:
        return base_of_schema(_ROWS, _KINDS, _SCHEMA)
    return base_of(_ROWS, {label: kind for kind, labels in _KINDS.items() for label in labels})


def asked(text: str, authored: bool) -> list[str] | str:
    return outcome(read(text, kilns(authored)), kilns(authored))


@pytest.mark.parametrize("authored", [False, True], ids=["names", "schema"])
@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which kiln is the lowest-lying of all the kilns?", ["Dragon"]),
        ("Old Smoker has how many fireboxes?", ["9"]),
        ("Who runs more kilns, Ada Hallam or Boris Lindqvist?", ["Boris Lindqvist"]),
        ("What is the firing time of the highest kiln?", ["48"]),
        ("Is the altitude of Beehive above 200 metres?", "yes"),
        ("Is Beehive's firing time longer than 50 hours?", "no"),
        ("Apart from Dragon, which kilns stand in Lower Yard?", ["Old Smoker"]),
        ("The kiln in Lower Yard that Ada Hallam runs, what is it called?", ["Old Smoker"]),
    ],
)
def test_what_is_asked_is_answered(question: str, answers: list[str] | str, authored: bool) -> None:
    assert asked(question, authored) == answers


def test_how_long_asks_for_a_time_by_whatever_name() -> None:
    assert asked("How long does Old Smoker fire?", authored=False) == ["30"]
    assert asked("How long does a firing of Old Smoker last?", authored=False) == ["30"]


@pytest.mark.parametrize("authored", [False, True], ids=["names", "schema"])
@pytest.mark.parametrize(
    "question",
    [
        "What is the Beehive's licence number?",
        "How old is Dragon?",
        "When was Dragon built?",
        "Which kilns in Hill Yard have a chimney?",
        "Kilns with a roof in Hill Yard, please",
    ],
)
def test_what_nothing_tells_is_not_answered(question: str, authored: bool) -> None:
    assert read(question, kilns(authored)).abstains


def test_where_something_is_is_not_answered_by_itself() -> None:
    assert read("Where is the kiln that Ada Hallam runs?", kilns(authored=False)).abstains
    assert asked("Where is the kiln that Ada Hallam runs?", authored=True) == ["Lower Yard"]


def test_a_number_of_one_thing_is_no_number_of_another() -> None:
    reader = kilns(authored=True).reader(encoder())
    kiln, number, other = Constant("Old Smoker", (0,)), Variable("a"), Variable("answer")

    def query(relation: str) -> ConjunctiveQuery:
        fireboxes = Triplet(kiln, "number of fireboxes", number)
        return ConjunctiveQuery((fireboxes, Triplet(other, relation, number)), "answer")

    # Nine fireboxes, and nine metres; as many fireboxes as another has.
    assert reader.mixes_amounts(query("altitude_m"))
    assert not reader.mixes_amounts(query("number of fireboxes"))
