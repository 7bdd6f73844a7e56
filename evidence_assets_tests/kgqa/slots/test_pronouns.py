"""Pronouns that stand for the only name of a question, and what they do not stand for."""

from __future__ import annotations

import pytest

from evidence_assets_tests.testing.mill_questions import asked_of_mills, read_of_mills


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Is Post Mill owned by the family that works it?", "yes"),
        ("Is Tide Mill owned by the family that works it?", "no"),
        ("Which mills that the Harrows own do they not work?", ["Tide Mill"]),
        ("Which mills do the Harrows own but they don't work?", ["Tide Mill"]),
        ("Do the Brights own all the mills that they work?", "yes"),
        ("Do the Harrows own all the mills that they work?", "no"),
    ],
)
def test_a_pronoun_stands_for_the_only_name(question: str, answers: list[str] | str) -> None:
    assert asked_of_mills(question) == answers


@pytest.mark.parametrize(
    "question",
    [
        # Of each of them, which no name says.
        "Which families work mills that they own?",
        # Two questions, of which one would be answered.
        "Which village is Tide Mill in, and who owns it?",
        "Which families own a mill, and where does it stand?",
    ],
)
def test_what_a_pronoun_does_not_stand_for_is_not_answered(question: str) -> None:
    assert read_of_mills(question).abstains
