"""Directions that only a relation's name tells, and measures that no fact is of, asked of a playhouse."""

from __future__ import annotations

import pytest

from evidence_assets_tests.testing.playhouse_questions import playhouse
from evidence_assets_tests.testing.railway_questions import outcome, read


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Which play was adapted from Winter Thread?", ["Clockwork Sea"]),
        ("Which play was Clockwork Sea adapted from?", ["Winter Thread"]),
        ("What was adapted from Clockwork Sea?", "abstained"),
        ("Is Karl Udo married to Mona Reyes?", "yes"),
        ("Is Mona Reyes married to Karl Udo?", "yes"),
        ("Is Sven Aho married to Mona Reyes?", "abstained"),
        ("How long does Three Crows last?", ["45"]),
        ("How heavy is the Great Anchor?", ["310"]),
        ("How much did the Great Anchor cost?", "abstained"),
    ],
)
def test_questions_are_read_the_way_round_that_they_say(text: str, expected: list[str] | str) -> None:
    reading = read(text, playhouse())
    assert outcome(reading, playhouse()) == expected, reading.abstains
