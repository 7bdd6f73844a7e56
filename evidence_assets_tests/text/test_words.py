"""Words, and their spans: one unit for statistics and transport."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.text.words import word_spans, words
from evidence_assets_tests.testing.profiles import examples


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("... --- _", []),
        ("The cat's MAT", ["the", "cat", "s", "mat"]),
        ("snake_case x=3.5mg", ["snake", "case", "x", "3", "5mg"]),
        ("Über naïve ΣΊΣΥΦΟΣ", ["über", "naïve", "σίσυφος"]),
        ("東京 H₂O x²", ["東京", "h₂o", "x²"]),
    ],
)
def test_a_text_is_cut_into_its_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@examples(300)
@given(st.text(alphabet=st.characters(exclude_characters="İΣ"), max_size=60))
def test_spans_are_the_words(text: str) -> None:
    spans = word_spans(text)
    assert [text[start:end].lower() for start, end in spans] == words(text)
    inside = {place for start, end in spans for place in range(start, end)}
    assert inside == {place for place, character in enumerate(text) if character.isalnum()}


def test_spans_are_the_words_where_lower_case_is_longer() -> None:
    text = "İstanbul and İzmir"
    assert [text[start:end].lower() for start, end in word_spans(text)] == words(text)
