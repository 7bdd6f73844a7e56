"""What is said of several names at once is said of each, and the same is what all of them lead to."""

from __future__ import annotations

import pytest

from evidence_assets_tests.testing.railway_questions import base_of, outcome, read
from evidence_assets_tests.testing.workshop_questions import asked

with_and_without_schema = pytest.mark.parametrize("authored", [True, False])
STAFF = {
    **dict.fromkeys(("Ada", "Bo", "Cleo", "Dan"), "person"),
    **dict.fromkeys(("Research", "Sales"), "department"),
    **dict.fromkeys(("Comet", "Tundra"), "project"),
}
WORK = [
    ("Ada", "works_in", "Research"),
    ("Bo", "works_in", "Research"),
    ("Cleo", "works_in", "Sales"),
    ("Dan", "works_in", "Sales"),
    ("Ada", "works_on", "Comet"),
    ("Bo", "works_on", "Comet"),
    ("Cleo", "works_on", "Comet"),
    ("Dan", "works_on", "Tundra"),
]


@with_and_without_schema
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Were Nightjar and Redwing built by Orlan Brothers?", "yes"),
        ("Were Nightjar and Dotterel built by Orlan Brothers?", "no"),
        ("Are Nightjar and Whinchat made of maple?", "yes"),
        ("Are Nightjar and Dotterel made of maple?", "no"),
        ("Are both instruments of Orlan Brothers made of maple?", "yes"),
        ("Are both instruments built by Tessel House made of maple?", "no"),
    ],
)
def test_what_is_said_of_several_is_said_of_each(text: str, expected: str, authored: bool) -> None:
    answer, reading = asked(text, authored)
    assert answer == expected, (reading.query, reading.abstains)


@with_and_without_schema
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Were Nightjar and Redwing built by the same maker?", "yes"),
        ("Were Nightjar and Dotterel built by the same maker?", "no"),
        ("Are Nightjar and Whinchat made of the same wood?", "yes"),
        ("Are Nightjar and Dotterel made of the same wood?", "no"),
    ],
)
def test_the_same_is_what_both_lead_to(text: str, expected: str, authored: bool) -> None:
    answer, reading = asked(text, authored)
    assert answer == expected, (reading.query, reading.abstains)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Does everyone in Research work on Comet?", "yes"),
        ("Does everybody in Sales work on Comet?", "no"),
        ("Do both people in Research work on Comet?", "yes"),
        ("Do both people in Sales work on Comet?", "no"),
        ("Do Ada and Bo work in the same department?", "yes"),
        ("Do Ada and Cleo work in the same department?", "no"),
    ],
)
def test_everybody_is_each_person(text: str, expected: str) -> None:
    base = base_of(WORK, STAFF)
    reading = read(text, base)
    assert outcome(reading, base) == expected, (reading.query, reading.abstains)


@pytest.mark.parametrize("text", ["Do Ada and Bo?", "Does Ada?"])
def test_of_names_alone_nothing_is_asked(text: str) -> None:
    base = base_of(WORK, STAFF)
    assert outcome(read(text, base), base) == "abstained"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Who works in the same department?", "same"),
        ("Which people work in the same department?", "same"),
        ("How many people work on the same project?", "same"),
        ("Which people share a department?", "share"),
    ],
)
def test_what_has_the_same_as_nothing_that_is_named_is_not_answered(text: str, word: str) -> None:
    assert word in read(text, base_of(WORK, STAFF)).abstains


def test_what_has_the_same_as_another_is_answered() -> None:
    base = base_of(WORK, STAFF)
    assert outcome(read("Who works in the same department as Ada?", base), base) == ["Bo"]
