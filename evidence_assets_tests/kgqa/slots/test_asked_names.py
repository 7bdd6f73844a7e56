"""What stands at a question's end and asks for names, and what only looks like it."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.slots.asked_names import asked_names
from evidence_assets.reading.accounting import spans


def asking(text: str) -> str:
    """Return the words of a text that ask for names."""
    words_at = spans(text)
    return " ".join(text[slice(*words_at[place])] for place in asked_names(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Is there a line to Leeds, and what is it called?", "and what is it called"),
        ("Is there a line to Leeds, and if so, which?", "and if so which"),
        ("Does anybody who drives a train also mend one? Who?", "Who"),
        ("Are there lines that stop in York? Which ones?", "Which ones"),
        ("Are there lines that stop in York? Tell me which.", "Tell me which"),
        ("Is anything made of glass? Please show me what it is.", "Please show me what it is"),
        ("Do any lines stop in York - list them.", "list them"),
        ("Does any line stop in York? Give the name.", "Give the name"),
        ("Have we had such trains? Could you give their names?", "Could you give their names"),
    ],
)
def test_what_follows_a_question_of_yes_or_no_asks_for_names(text: str, expected: str) -> None:
    assert asking(text) == expected


def test_a_thing_may_be_told_first_and_its_name_asked_for_behind() -> None:
    assert asking("The longest line to York, what is it called?") == "what is it called"


@pytest.mark.parametrize(
    "text",
    [
        "Did Ada find it?",
        "Did Mr. Lund name them?",
        "Does Ada know who drove it?",
        "Do we know which?",
        "Is Leeds what they call a city?",
        "Which lines are there? Which?",
        "Is there a line to Leeds? Which town does it cross?",
        "The line to Leeds, what does it cross?",
        "Which line, what is it called",
        "The line to Leeds what is it called",
        "Can you show me which lines stop in York?",
        "",
    ],
)
def test_what_is_asked_besides_is_no_request_for_names(text: str) -> None:
    assert asking(text) == ""
