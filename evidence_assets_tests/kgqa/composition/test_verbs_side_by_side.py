"""Verbs side by side that share what stands beside one of them: "owned and run by Ada"."""

from __future__ import annotations

import pytest

from evidence_assets_tests.testing.mill_questions import asked_of_mills


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which mills are owned and worked by the Harrows?", ["Weir Mill"]),
        ("Which mills do the Harrows own and work?", ["Weir Mill"]),
        ("Which mills do the Harrows both own and work?", ["Weir Mill"]),
        ("Which mills are owned or worked by the Harrows?", ["Smock Mill", "Tide Mill", "Weir Mill"]),
        ("Which mills are owned but not worked by the Harrows?", ["Tide Mill"]),
        ("Which mills do the Harrows own but not work?", ["Tide Mill"]),
        ("Which mills do the Harrows work but don't own?", ["Smock Mill"]),
        ("Who both owns and works Post Mill?", ["the Brights"]),
        ("Do the Harrows own and work Weir Mill?", "yes"),
        ("Do the Harrows own and work Tide Mill?", "no"),
        ("How many mills do the Harrows own?", "2"),
    ],
)
def test_what_one_verb_names_is_of_both(question: str, answers: list[str] | str) -> None:
    assert asked_of_mills(question) == answers


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        # Each names what it is done by, or where it is.
        ("Which mills are owned by the Brights and worked by the Harrows?", ["Smock Mill"]),
        ("Which mills are worked by the Harrows and located in Marlow?", ["Smock Mill"]),
        ("Which mills are located in Marlow but not worked by the Harrows?", ["Tide Mill"]),
    ],
)
def test_verbs_that_name_something_each_share_nothing(question: str, answers: list[str]) -> None:
    assert asked_of_mills(question) == answers


def test_whose_own_it_is_says_no_verb() -> None:
    mills = ["Smock Mill", "Weir Mill"]
    assert asked_of_mills("Which mills are worked by the Harrows on their own?") == mills
