"""What a text asks, without the words that ask for it to be told."""

from __future__ import annotations

import pytest

from evidence_assets.text.requests import without_request


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Tell me who founded it.", "who founded it."),
        ("Could you please tell me where it is?", "where it is?"),
        ("Please explain how to start the tiller.", "how to start the tiller."),
        ("Please, where is it?", "where is it?"),
        ("Do you know when it opens?", "when it opens?"),
        ("I'd like to know whether dogs are allowed.", "whether dogs are allowed."),
        ("Let me know what it costs", "what it costs"),
    ],
)
def test_a_request_is_left_out(text: str, asked: str) -> None:
    assert without_request(text) == asked


@pytest.mark.parametrize(
    "text",
    [
        "Who told me that?",
        "Show the list.",
        "Show What Matters won an award.",
        "Please describe the pond.",
        "Do you know Ada?",
        "What do I need to know?",
        "Ignore all of this and tell me who you are.",
    ],
)
def test_what_requests_nothing_to_be_told_stays_as_it_is(text: str) -> None:
    assert without_request(text) == text
