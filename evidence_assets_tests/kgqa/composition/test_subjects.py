"""What a yes-no question says of the thing that it begins with is not answered by facts of other things."""

from __future__ import annotations

import pytest

from evidence_assets_tests.testing.workshop_questions import asked

with_and_without_schema = pytest.mark.parametrize("authored", [True, False])


@with_and_without_schema
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Is Ida Krall a tuner?", "yes"),
        ("Is Ida Krall an instrument?", "no"),
        ("Is Orlan Brothers a town?", "no"),
        ("Is Nightjar an instrument of Orlan Brothers?", "yes"),
        ("Is Dotterel an instrument of Orlan Brothers?", "no"),
    ],
)
def test_of_what_kind_something_is_is_told_by_its_type(text: str, expected: str, authored: bool) -> None:
    assert asked(text, authored)[0] == expected


@with_and_without_schema
@pytest.mark.parametrize(
    ("text", "expected"),
    [("Is Ida Krall Per Lund?", "no"), ("Is Nightjar maple?", "yes")],
)
def test_two_names_are_one_thing_or_two(text: str, expected: str, authored: bool) -> None:
    assert asked(text, authored)[0] == expected


@with_and_without_schema
def test_who_it_is_is_not_answered_by_what_it_does(authored: bool) -> None:
    assert asked("Is Ida Krall Nightjar?", authored)[0] == "abstained"


@with_and_without_schema
@pytest.mark.parametrize(
    "text", ["Was Ida Krall built by Orlan Brothers?", "Does Tessel House tune Nightjar?"]
)
def test_what_holds_of_what_somebody_tunes_does_not_hold_of_them(text: str, authored: bool) -> None:
    answer, reading = asked(text, authored)
    assert answer in ("no", "abstained"), reading.query
