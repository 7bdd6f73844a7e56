"""Yes-no questions of all of a set: "no" shows a counterexample, "yes" every member."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.queries.algebra import Form, deserialize, serialize
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery
from evidence_assets.kgqa.queries.serialization import QueryRecord
from evidence_assets_tests.testing.railway_questions import meant
from evidence_assets_tests.testing.workshop_questions import asked, workshop

with_and_without_schema = pytest.mark.parametrize("authored", [True, False])


@with_and_without_schema
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Are all instruments of Orlan Brothers made of maple?", "yes"),
        ("Are all instruments made of maple?", "no"),
        ("Are all instruments built by Tessel House made of maple?", "no"),
        ("Are all instruments that are made of maple built by Orlan Brothers?", "no"),
        ("Are all instruments of Orlan Brothers tuned by Ida Krall?", "yes"),
        ("Did Orlan Brothers build all instruments?", "no"),
        ("Did Orlan Brothers build every instrument tuned by Ida Krall?", "yes"),
        ("Are all makers based in Velden?", "no"),
    ],
)
def test_what_is_asked_of_all_is_answered_of_all(text: str, expected: str, authored: bool) -> None:
    answer, reading = asked(text, authored)
    assert answer == expected, (reading.query, reading.abstains)


@with_and_without_schema
def test_what_the_graph_does_not_tell_of_one_is_not_known_of_all(authored: bool) -> None:
    answer, reading = asked("Are all instruments made of maple tuned by Ida Krall?", authored)
    assert answer == "abstained", "nothing tells who tunes Whinchat"
    assert reading.abstains.startswith("the graph does not tell of each")


@with_and_without_schema
@pytest.mark.parametrize("text", ["Are most instruments made of maple?", "Are only violins made of maple?"])
def test_what_is_asked_of_most_or_of_only_some_is_not_answered_of_any(text: str, authored: bool) -> None:
    assert asked(text, authored)[0] == "abstained"


def cited(text: str) -> tuple[str, list[str]]:
    base, (_, reading) = workshop(True), asked(text, True)
    assert reading.query is not None and reading.query.form is Form.EVERY
    record = QueryRecord(ConjunctiveQuery((), "x"), "parsed", 0.0, "", operation=reading.query)
    value, units = base.value_of(record)
    return value, sorted(unit.text for unit in units)


def test_no_shows_a_counterexample_and_what_it_has_instead() -> None:
    value, texts = cited("Are all instruments built by Tessel House made of maple?")
    assert value == "no"
    assert "Dotterel is made of spruce." in texts and "Dotterel was built by Tessel House." in texts


def test_yes_shows_every_member() -> None:
    value, texts = cited("Are all instruments of Orlan Brothers made of maple?")
    assert value == "yes"
    assert {"Nightjar is made of maple.", "Redwing is made of maple."} <= set(texts)


def test_what_is_asked_of_all_comes_back_from_its_row() -> None:
    _, reading = asked("Are all instruments made of maple?", True)
    assert reading.query is not None and deserialize(serialize(reading.query)) == reading.query


@with_and_without_schema
@pytest.mark.parametrize(
    "text", ["Which tuners tune all maple instruments?", "Which maker builds every instrument?"]
)
def test_who_does_something_to_all_is_not_who_does_it_to_any(text: str, authored: bool) -> None:
    answer, reading = asked(text, authored)
    assert answer == "abstained", reading.query


@with_and_without_schema
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Who tunes all the instruments of Orlan Brothers?", ["Ida Krall"]),
        ("Which tuners tune every instrument built by Orlan Brothers?", ["Ida Krall"]),
    ],
)
def test_who_does_something_to_all_of_a_set_does_it_to_each(
    text: str, expected: list[str], authored: bool
) -> None:
    answer, reading = asked(text, authored)
    assert meant(reading, workshop(authored)) == expected, reading.query
    assert answer in (expected, "abstained")


def test_all_that_is_asked_for_is_every_member() -> None:
    assert asked("Name all the instruments made of maple.", True)[0] == ["Nightjar", "Redwing", "Whinchat"]
