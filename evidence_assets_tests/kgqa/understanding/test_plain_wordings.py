"""What users say plainly that names no relation: nobody, from a year on, the same, going somewhere, units."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of_schema, outcome, read

_KINDS = {
    "boat": ("Gull", "Tern", "Petrel"),
    "island": ("Orsa", "Vell"),
    "person": ("Ann Rye", "Bo Lind", "Cy Marr"),
    "town": ("Hask", "Mere"),
    "year": ("1985", "1990", "2004"),
    "number": ("25", "70", "130"),
}
_ROWS = [
    ("Gull", "goes_to", "Orsa"),
    ("Tern", "goes_to", "Vell"),
    ("Petrel", "goes_to", "Orsa"),
    ("Gull", "minutes", "25"),
    ("Tern", "minutes", "70"),
    ("Petrel", "minutes", "130"),
    ("Gull", "built_in", "1985"),
    ("Tern", "built_in", "1990"),
    ("Petrel", "built_in", "2004"),
    ("Gull", "steered_by", "Ann Rye"),
    ("Tern", "steered_by", "Bo Lind"),
    ("Ann Rye", "born_in", "Hask"),
    ("Bo Lind", "born_in", "Hask"),
    ("Cy Marr", "born_in", "Mere"),
]
_SCHEMA = """
types:
  boat: [boat, boats]
  island: [island, islands]
  person: [who, person, people]
  town: [where, town, towns]
  year: [when, year]
  number: [how many, how long]
relations:
  goes_to: {head: boat, tail: island, sentences: ["{head} goes to {tail}"]}
  minutes: {head: boat, tail: number, sentences: ["{head} takes {tail} minutes"]}
  built_in: {head: boat, tail: year, sentences: ["{head} was built in {tail}"]}
  steered_by: {head: boat, tail: person, sentences: ["{head} is steered by {tail}"]}
  born_in: {head: person, tail: town, sentences: ["{head} was born in {tail}"]}
"""


@cache
def ferries() -> KnowledgeBase:
    return base_of_schema(_ROWS, _KINDS, _SCHEMA)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Which boats sail to Orsa?", ["Gull", "Petrel"], id="going is sailing"),
        pytest.param("Which boats take longer than an hour?", ["Petrel", "Tern"], id="a sentence's unit"),
        pytest.param("Which boats were built from 1990 on?", ["Petrel", "Tern"], id="a year without end"),
        pytest.param("Which boats are steered by nobody?", ["Petrel"], id="nobody behind a verb"),
        pytest.param("Were Ann Rye and Bo Lind born in the same town?", "yes", id="the same town"),
        pytest.param("Were Ann Rye and Cy Marr born in the same town?", "no", id="not the same town"),
        pytest.param("When was Ann Rye born?", "abstained", id="a town is no time"),
        pytest.param("When did Ann Rye die?", "abstained", id="who was born has not died"),
        pytest.param("Which boat is top of Orsa?", "abstained", id="the top of what is not told"),
    ],
)
def test_plain_wordings_are_read_or_left(text: str, expected: list[str] | str) -> None:
    reading = read(text, ferries())
    assert outcome(reading, ferries()) == expected, (reading.query, reading.abstains, reading.confidence)


def test_a_condition_is_not_said_of_those_alone_that_it_is_true_of() -> None:
    reading = read("Are all the boats to Orsa more than 60 minutes long?", ferries())
    assert outcome(reading, ferries()) in ("no", "abstained"), reading.query
